// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names and sizes of the element types, one row each.

#include "trowel/Types.h"

namespace trowel {

namespace {
struct Row {
  const char *name;
  int bytes;
};
constexpr Row rows[] = {
    /* Bool     */ {"bool", 1},
    /* Int32    */ {"i32", 4},
    /* Int64    */ {"i64", 8},
    /* BFloat16 */ {"bf16", 2},
    /* Float32  */ {"f32", 4},
};
} // namespace

const char *name(ElementType type) { return rows[static_cast<int>(type)].name; }
int byteSize(ElementType type) { return rows[static_cast<int>(type)].bytes; }

} // namespace trowel
