// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: this condition is a value of the host, which is known while tracing: use if and throw
#include <trowel/trowel.h>

using namespace trowel;

auto k = kernel("k", [](Index) { check(true, "it holds"); });
