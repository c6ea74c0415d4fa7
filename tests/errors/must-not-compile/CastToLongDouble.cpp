// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: cast<T>(x): T must be bool, trowel::int32, trowel::int64, trowel::bf16 or float
#include <trowel/trowel.h>

using namespace trowel;

auto k = kernel("k", [](Ptr<float> x) { auto v = cast<double>(load(x)); });
