// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: launch: a Ptr<T> parameter writes, and this DeviceSpan is of const elements
#include <trowel/trowel.h>

using namespace trowel;

void f(const Kernel<Ptr<float>> &k, const Buffer<float> &x) { k.launch({1}, x.subspan(0, 1)); }
