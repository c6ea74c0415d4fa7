// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(
    AllocationTooLarge, "",
    "cannot allocate 2305843009213693952 elements of 8 bytes: that is 2^64 bytes or more") {
  Device device = Device::simulator();
  Buffer<double> x = device.allocate<double>(std::size_t{1} << 61); // mistake
}
