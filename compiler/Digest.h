// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A short name of a text.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"

#include <string>

namespace trowel::compiler {

/// 64 hexadecimal digits; no two texts with the same are known for the function (BLAKE3), so keys
/// that files are found by may be taken for the text itself.
inline std::string digest(llvm::StringRef text) {
  return llvm::toHex(llvm::BLAKE3::hash(llvm::arrayRefFromStringRef(text)), /*LowerCase=*/true);
}

} // namespace trowel::compiler
