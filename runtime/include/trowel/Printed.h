// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What kernels print, on its way to the user.
//
// The device writes into a buffer of the launch. The host reads it when a call has waited for the
// kernel: a download or upload without a stream, synchronize() of a device, stream or event, an
// event's isDone() that says yes. So a line appears no earlier than that, and what no call waits
// for does not appear. Lines are sorted by launch, program (z, y, x), the order in which the
// program executed its prints, and element, so they are the same in every run.
//
// TROWEL_PRINT_BYTES (1 MiB unless it says otherwise) is the room of one launch; what does not fit
// is counted, and which lines these are depends on which programs were faster. 16 launches with
// prints may be under way; the next one waits for the oldest.
#pragma once

#include "trowel/Export.h"

#include <cstdint>
#include <string>
#include <vector>

namespace trowel {

/// One line of a kernel's print: one element, or the scalars of one program.
struct Printed {
  /// The C++ line of the print, as TROWEL_SOURCE_ROOT cuts the file's name; the kernel.
  std::string file;
  int line = 0;
  std::string kernel;
  /// The program along x, y and z.
  std::int64_t program[3] = {0, 0, 0};
  /// The element's indices in its tile; none for scalars.
  std::vector<std::int64_t> element;
  /// Texts and values. Floats have as many digits as tell them from all others of their type.
  std::string text;
  /// The last line of a launch whose lines did not all fit: how many are missing. It has no place.
  std::uint64_t lost = 0;

  /// The whole line: "k.cpp:7: kernel 'k' (2, 0, 0) [17]: x = 1.5".
  TROWEL_API std::string toString() const;
};

} // namespace trowel
