// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: PinnedBuffer<T>: T must be bool, an integer
#include <trowel/trowel.h>

using namespace trowel;

PinnedBuffer<long double> f(const Device &device) { return {device, 1}; }
