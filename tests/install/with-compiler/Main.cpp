// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Traces, compiles and runs a kernel; checks its numbers, its PTX, and that an error made in the
// library is caught here.
#include <trowel/trowel.h>

#include <cstdio>
#include <vector>

using namespace trowel;

int main() {
  auto scale = kernel("scale", [](Ptr<const float> x, Ptr<float> y, Scalar<float> factor, Index n) {
    Tile<int32> i = iota(64);
    Index start = programId(0) * 64;
    store(y + start + i, load(x + start + i, start + i < n) * factor, start + i < n);
  });
  Device device = Device::best();
  Buffer<float> x = device.upload(std::vector<float>(100, 3.0f)), y = device.allocate<float>(100);
  y.fillBytes(0xff);
  scale.launch({2}, x, y, 0.5f, 100);
  for (float value : y.download())
    if (value != 1.5f) {
      std::printf("an element is %g\n", static_cast<double>(value));
      return 1;
    }
  if (scale.ptx("sm_90a").find(".target sm_90a") == std::string::npos)
    return 1;
  try {
    scale.ptx("sm_10");
    return 1;
  } catch (const Error &error) {
    std::puts(error.what());
  }
  std::printf("scaled on %s\n", device.describe().c_str());
  return 0;
}
