// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: launch: the number of arguments differs from the number of the kernel's parameters
#include <trowel/trowel.h>

using namespace trowel;

void f(const Kernel<Ptr<float>, Index> &k, Buffer<float> &x) { k.launch({1}, x); }
