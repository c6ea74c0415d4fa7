// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random programs leave in memory what a plain C++ evaluation of their text leaves there.
//
// tests/support/programs draws the programs; seeds are consecutive, so that a run can be repeated
// and continued. A failure is shown with its seed, the smallest program that still fails, and where
// its memory differs; it belongs into tests/golden as a test of its own.
#include "tests/random/Settings.h"
#include "tests/support/OnEveryDevice.h"
#include "tests/support/programs/Run.h"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <mutex>
#include <thread>

using namespace trowel;
using trowel::random::settings;

namespace {

class RandomPrograms : public support::OnEveryDevice {};
TROWEL_ON_EVERY_DEVICE(RandomPrograms);

std::string report(const programs::Program &program, const Device &device,
                   const std::string &difference) {
  if (!settings.shrinks)
    return difference + programs::sourceOf(program);
  programs::Program least = programs::shrink(program, [&](const programs::Program &candidate) {
    return !programs::disagreement(candidate, device).empty();
  });
  return programs::disagreement(least, device) + programs::sourceOf(least);
}

TEST_P(RandomPrograms, AgreeWithTheirEvaluation) {
  const int count = isSimulator() ? settings.programs : settings.programsOnGpu;
  const Device device = this->device();
  const auto start = std::chrono::steady_clock::now();
  std::atomic<int> next = 0, failed = 0;
  std::atomic<std::int64_t> statements = 0;
  std::mutex reporting;
  auto work = [&] {
    for (int i = next++; i < count && failed < 10; i = next++) {
      std::uint64_t seed = settings.firstSeed + static_cast<std::uint64_t>(i);
      if (settings.isVerbose)
        std::fprintf(stderr, "seed %llu\n", static_cast<unsigned long long>(seed));
      programs::Program program = programs::generate(seed);
      statements += programs::statementCount(program.statements);
      std::string difference = programs::disagreement(program, device);
      if (difference.empty())
        continue;
      ++failed;
      std::string text = report(program, device, difference);
      std::lock_guard lock(reporting);
      ADD_FAILURE() << "the program of seed " << seed << " on " << device.describe() << ":\n"
                    << text;
    }
  };
  std::vector<std::thread> others;
  for (int i = 1; i < settings.threads; ++i)
    others.emplace_back(work);
  work();
  for (std::thread &other : others)
    other.join();
  std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  std::printf("%d programs of %lld statements in %.1f s\n", std::min<int>(next, count),
              static_cast<long long>(statements), taken.count());
}

} // namespace
