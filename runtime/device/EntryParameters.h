// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parameters of a PTX entry, as far as a launch must know them.
#pragma once

#include "runtime/base/Result.h"

#include <string>
#include <string_view>
#include <vector>

namespace trowel {

/// The size in bytes of each parameter of `.entry NAME (...)`. Fails if the text has no such entry
/// or the list cannot be read.
Result<std::vector<int>> entryParameterBytes(std::string_view ptx, std::string_view entry);

} // namespace trowel
