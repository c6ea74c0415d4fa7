// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: Ptr<T>: T must be bool, trowel::int32, trowel::int64, trowel::bf16 or float, or one of
// these with const
#include <trowel/trowel.h>

using namespace trowel;

auto k = kernel("k", [](Ptr<double> x) {});
