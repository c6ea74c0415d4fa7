// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inputs and expected outputs that a PTX file carries in its comments.
#pragma once

#include "Session.h"

#include <cstdint>
#include <vector>

namespace trowel::run {

/// One expected element, as written: hexadecimal digits or '?', and how far a GPU may be off.
struct ExpectedElement {
  std::string digits;
  std::int64_t tolerance = 0;
  unsigned line = 0;
};

struct ExpectedBuffer {
  std::size_t argument = 0;
  std::vector<ExpectedElement> elements;
};

struct CheckLines {
  std::vector<Argument> arguments;
  std::vector<ExpectedBuffer> expected;
};

/// Reads the "// in:" and "// out:" lines of a file for the entry's parameters. Throws
/// trowel::Error.
CheckLines readCheckLines(const PtxFile &file, const ChosenEntry &entry);

/// The options of the file's "// RUN: trowel-run %s …" line that asks for --check, word by word;
/// empty if there is none.
std::vector<std::string> checkOptions(const PtxFile &file);

/// One sentence for each element that differs from what is expected, at most a few. Tolerances
/// count only where `allowTolerance` is set.
std::vector<std::string> compare(const PtxFile &file, const CheckLines &lines,
                                 const std::vector<Argument> &results, bool allowTolerance);

} // namespace trowel::run
