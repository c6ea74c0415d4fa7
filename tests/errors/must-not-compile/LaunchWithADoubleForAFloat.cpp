// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: launch: a Scalar<T> parameter takes a T (an integer one takes any integer type that T
// holds): convert the argument, as in 0.5f or static_cast<float>(x)
#include <trowel/trowel.h>

using namespace trowel;

void f(const Kernel<Scalar<float>> &k) { k.launch({1}, 0.5); }
