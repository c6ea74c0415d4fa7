// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A finding as one line.
#pragma once

#include "trowel/Report.h"

namespace trowel {

/// "out-of-bounds: add.cpp:12: kernel 'add': ld.global.b32 reads ..."
std::string findingLine(const Finding &finding);

} // namespace trowel
