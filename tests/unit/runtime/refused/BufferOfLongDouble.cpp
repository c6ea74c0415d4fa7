// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Must not compile: double is not an element type.
#include <trowel/Buffer.h>

trowel::Buffer<double> refused(trowel::Device device) {
  return device.upload(std::vector<double>{1.0});
}
