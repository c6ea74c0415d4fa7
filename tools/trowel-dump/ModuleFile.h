// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel that stands in a .mlir file instead of C++.
#pragma once

#include <string>

namespace trowel::dump {

/// The kernel of the file as text after a stage ("tile", "layout", "llvm-dialect", "llvm", "ptx"),
/// or, for "layouts", a picture of its layouts. Throws trowel::Error at the file's line.
std::string stageOfFile(const std::string &path, const std::string &stage,
                        const std::string &target);

} // namespace trowel::dump
