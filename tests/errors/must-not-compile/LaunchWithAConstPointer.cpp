// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: launch: a Ptr<T> parameter writes, and this DevicePointer is to const elements
#include <trowel/trowel.h>

using namespace trowel;

void f(const Kernel<Ptr<float>> &k, DevicePointer<const float> x) { k.launch({1}, x); }
