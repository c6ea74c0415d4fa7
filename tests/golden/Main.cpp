// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// GoogleTest's main, and the timing mode beside it. It says first which devices there are: a run
// that skipped every test on a GPU looks much like one that passed them.
//
// After each test the software device must have found nothing: a kernel may give the right numbers
// and yet have read what nothing wrote. A test that wants a finding takes it out of the report.
#include "tests/golden/TimingMode.h"
#include "tests/support/OnEveryDevice.h"

#include <trowel/Error.h>

#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>

namespace {

class NothingIsFound : public testing::EmptyTestEventListener {
  void OnTestEnd(const testing::TestInfo &) override {
    trowel::Device device = trowel::Device::simulator();
    trowel::Report report = device.report();
    device.resetReport();
    for (const trowel::Finding &finding : report.findings)
      ADD_FAILURE() << "the software device found: " << finding.kind << ": " << finding.text;
  }
};

} // namespace

int main(int argc, char **argv) {
  if (argc == 2 && std::strcmp(argv[1], "--time") == 0) {
    try {
      return trowel::golden::printTimings();
    } catch (const trowel::Error &error) {
      std::fprintf(stderr, "%s\n", error.what());
      return 1;
    }
  }
  testing::InitGoogleTest(&argc, argv);
  try {
    const trowel::support::TestGpu &gpu = trowel::support::testGpu();
    std::printf("devices: %s; %s\n", trowel::Device::simulator().describe().c_str(),
                gpu.device ? gpu.device->describe().c_str() : gpu.reason.c_str());
  } catch (const trowel::Error &error) {
    std::printf("devices: %s; %s\n", trowel::Device::simulator().describe().c_str(), error.what());
  }
  testing::TestEventListeners &listeners = testing::UnitTest::GetInstance()->listeners();
  // In front of the printer, so that a failure is printed as the test's.
  testing::TestEventListener *printer = listeners.Release(listeners.default_result_printer());
  listeners.Append(new NothingIsFound);
  listeners.Append(printer);
  return RUN_ALL_TESTS();
}
