// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How full a kernel makes a multiprocessor, and what stands in the way of more.
//
//   Occupancy use = device.occupancy(scale);
//   std::puts(use.text().c_str());  // 16 programs a multiprocessor, 64 of 64 warps, limited by …
#pragma once

#include "trowel/Export.h"

#include <string>

namespace trowel {

/// The answer of device.occupancy(kernel, threads), for the code of the common launch (aligned
/// pointers, round sizes).
struct Occupancy {
  /// The value of a figure that the device does not know.
  static constexpr int unknown = -1;

  /// Threads and warps of one program.
  int threads = 0;
  int warps = 0;
  /// Registers of one thread. Unknown on the software device: their number is what the assembler
  /// for a chip makes it.
  int registers = unknown;
  /// Bytes of local memory of one thread: what the assembler has spilled of its registers, and
  /// stacks. 0 is what one wants. Unknown on the software device.
  int localBytes = unknown;
  /// Shared memory of one program, static and dynamic.
  int sharedBytes = 0;
  /// Programs that one multiprocessor holds at a time, as the driver works it out. Where registers
  /// are unknown, the most that the other limits leave.
  int programs = 0;
  /// Warps that one multiprocessor can hold.
  int mostWarps = 0;
  /// Programs that would fit by each limit alone; byRegisters may be unknown.
  int byThreads = 0;
  int byRegisters = unknown;
  int bySharedBytes = 0;
  int byPrograms = 0;
  /// What allows no further program: "registers", "threads and shared memory".
  std::string limitedBy;

  /// The share of the multiprocessor's warps that are resident, 0 to 1.
  ///
  ///   Occupancy use = device.occupancy(scale);
  ///   if (use.fraction() < 0.5) std::puts(use.limitedBy.c_str());
  double fraction() const { return mostWarps == 0 ? 0.0 : 1.0 * programs * warps / mostWarps; }
  /// All of it in one line.
  ///
  ///   std::puts(device.occupancy(scale).text().c_str());
  ///   std::puts(device.occupancy(scale, 64).text().c_str());
  TROWEL_API std::string text() const;
};

} // namespace trowel
