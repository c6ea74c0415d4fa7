// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// golden_tests --time: figures instead of tests.
#pragma once

namespace trowel::golden {

/// Prints one JSON object a line, {"op", "case", "dtype", "impl", "us", "rate", "unit"}, for each
/// case, and returns the program's exit status. Needs a GPU: the software device has no speed.
int printTimings();

} // namespace trowel::golden
