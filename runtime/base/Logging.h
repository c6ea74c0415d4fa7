// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// TROWEL_LOG=jit,launch: what the library tells on the error stream while it works.
#pragma once

#include "trowel/Export.h"

#include <string>
#include <string_view>

namespace trowel {

enum class LogTopic : unsigned {
  /// Compiling, caching and loading of kernels; remarks of the driver's assembler.
  Jit,
  /// One line a launch.
  Launch,
  /// Which device was chosen, and why.
  Device,
};

/// Whether TROWEL_LOG names the topic. The variable is read once.
TROWEL_API bool logs(LogTopic topic);
/// Writes "trowel: jit: text" as one line, in one piece, so that lines of several threads do not
/// mix.
TROWEL_API void logLine(LogTopic topic, std::string_view text);
/// Writes "trowel: warning: text" as one line, in one piece.
TROWEL_API void warnLine(std::string_view text);

/// The topics that a value of TROWEL_LOG names, one bit each (1 << topic), and a sentence about
/// words that name none.
struct LogTopics {
  unsigned bits = 0;
  std::string complaint;
};
TROWEL_API LogTopics parseLogTopics(std::string_view value);

} // namespace trowel
