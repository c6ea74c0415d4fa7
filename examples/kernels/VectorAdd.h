// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// z = x + y, the smallest kernel that does something.
//
//   auto add = vectorAdd(1024);
//   add.launch({(n + 1023) / 1024}, x, y, z, n);
#pragma once

#include <trowel/trowel.h>

namespace trowel::examples {

/// Adds `n` elements, `block` of them a program: launch {ceil(n / block)} programs.
Kernel<Ptr<const float>, Ptr<const float>, Ptr<float>, Index> vectorAdd(int block,
                                                                        Options options = {});

} // namespace trowel::examples
