// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Must not compile: long double is not an element type.
#include <trowel/Buffer.h>

trowel::Buffer<long double> refused(trowel::Device device) {
  return device.upload(std::vector<long double>{1.0});
}
