// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Looks through PTX that a user wrote for one element.
#pragma once

#include "runtime/base/Result.h"

#include <string>
#include <string_view>

namespace trowel::tile {

/// The text without comments, one statement a line; or a sentence that says why it cannot stand in
/// a kernel. `$0` is the result and must occur, `$1` to `$operands` are the operands and must occur
/// too.
///
///   checkPtx("mul.hi.u32 $0, $1, $2;", 2)     // as it is
///   checkPtx("ret;", 0)                       // a sentence about 'ret'
Result<std::string> checkPtx(std::string_view text, unsigned operands);

} // namespace trowel::tile
