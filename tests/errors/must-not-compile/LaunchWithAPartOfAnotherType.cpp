// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: launch: the DeviceSpan's element type differs from the Ptr<T> parameter's T
#include <trowel/trowel.h>

using namespace trowel;

void f(const Kernel<Ptr<float>> &k, Buffer<int32> &x) { k.launch({1}, x.subspan(0, 1)); }
