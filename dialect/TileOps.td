// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dialect's ops: a table of contents. Each family has a .td and a .cpp of the same name in ops/.

#ifndef TROWEL_DIALECT_TILEOPS
#define TROWEL_DIALECT_TILEOPS

include "dialect/ops/Program.td"
include "dialect/ops/Memory.td"
include "dialect/ops/Shape.td"
include "dialect/ops/Elementwise.td"
include "dialect/ops/Math.td"
include "dialect/ops/Hint.td"
include "dialect/ops/Record.td"
include "dialect/ops/Reduce.td"
include "dialect/ops/Layout.td"

#endif
