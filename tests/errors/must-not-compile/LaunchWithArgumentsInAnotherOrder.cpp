// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: launch: a Ptr<T> parameter takes a Buffer<T> (or a part of one) or a DevicePointer<T>
#include <trowel/trowel.h>

using namespace trowel;

auto k = kernel("k", [](Ptr<float> x, Index n) { store(x + n, 1.0f); });
void run(Buffer<float> &x) { k.launch({1}, 3, x); }
