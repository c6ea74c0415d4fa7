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
    /* Int8     */ {"i8", 1},
    /* UInt8    */ {"u8", 1},
    /* Int16    */ {"i16", 2},
    /* UInt16   */ {"u16", 2},
    /* Int32    */ {"i32", 4},
    /* UInt32   */ {"u32", 4},
    /* Int64    */ {"i64", 8},
    /* UInt64   */ {"u64", 8},
    /* Float16  */ {"f16", 2},
    /* BFloat16 */ {"bf16", 2},
    /* Float32  */ {"f32", 4},
    /* Float64  */ {"f64", 8},
};
} // namespace

const char *name(ElementType type) { return rows[static_cast<int>(type)].name; }
int byteSize(ElementType type) { return rows[static_cast<int>(type)].bytes; }

} // namespace trowel
