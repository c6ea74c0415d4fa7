// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads the .ptx that is its argument, scales a hundred numbers, and checks them and what a wrong
// call is told.
#include <trowel/PtxKernel.h>

#include <cstdio>
#include <vector>

using namespace trowel;

int main(int argc, char **argv) {
  Device device = Device::best();
  std::vector<float> host(100);
  for (int i = 0; i < 100; ++i)
    host[static_cast<std::size_t>(i)] = static_cast<float>(i);
  Buffer<float> x = device.upload(host), y = device.allocate<float>(100);
  y.fillBytes(0xff);

  PtxKernel scale = PtxKernel::fromFile(device, argc > 1 ? argv[1] : "scale.ptx");
  scale.launch({4}, x, y, 0.5f, int64{100});
  std::vector<float> result = y.download();
  for (int i = 0; i < 100; ++i)
    if (result[static_cast<std::size_t>(i)] != 0.5f * static_cast<float>(i)) {
      std::printf("element %d is %g\n", i,
                  static_cast<double>(result[static_cast<std::size_t>(i)]));
      return 1;
    }
  try {
    scale.launch({4}, x, y, 0.5f);
    return 1;
  } catch (const Error &error) {
    std::puts(error.what());
  }
  std::printf("scaled on %s\n", device.describe().c_str());
  return 0;
}
