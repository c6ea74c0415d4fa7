// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the software device counted and found. A GPU gives an empty report.
//
//   Report report = device.report();
//   for (const AccessReport &access : report.accesses) std::puts(access.instruction.c_str());
#pragma once

#include "trowel/Export.h"

#include <cstdint>
#include <string>
#include <vector>

namespace trowel {

/// Counters of one load or store instruction of the PTX, summed over all warps of all launches.
struct AccessReport {
  std::string kernel;
  /// Opcode as it stands in the PTX, such as "ld.global.v4.b32".
  std::string instruction;
  int ptxLine = 0;
  /// C++ line from the PTX's `.loc`; empty and 0 where there is none.
  std::string file;
  int line = 0;
  bool store = false;
  /// Warp-level executions with at least one active lane.
  std::uint64_t requests = 0;
  /// Distinct 32-byte sectors of global memory touched, summed over the requests.
  std::uint64_t sectors = 0;
  /// Distinct 128-byte lines of global memory touched, summed over the requests.
  std::uint64_t lines = 0;
  /// Bytes that the active lanes asked for.
  std::uint64_t bytes = 0;
  /// Turns in which shared memory served the requests, all 32 banks at a time at most.
  std::uint64_t sharedWavefronts = 0;
  /// Those wavefronts that were necessary only because lanes wanted different words of one bank.
  std::uint64_t bankConflicts = 0;
};

/// A mistake that the software device found. An "uninitialised-read" lets the launch go on and
/// stands in the report and on the error stream, once for each load of a kernel; all others end it.
struct Finding {
  /// "out-of-bounds", "misaligned", "uninitialised-read", "unknown-instruction", ...
  std::string kind;
  std::string kernel;
  std::string file;
  int line = 0;
  int ptxLine = 0;
  /// The whole sentence: program, lanes, address, nearest buffer.
  std::string text;
};

struct Report {
  std::vector<AccessReport> accesses;
  std::vector<Finding> findings;
  /// PTX instructions executed by warps, and by active lanes.
  std::uint64_t warpInstructions = 0;
  std::uint64_t threadInstructions = 0;
  /// Sums over all accesses.
  std::uint64_t sharedWavefronts = 0;
  std::uint64_t bankConflicts = 0;

  /// Tables for people: one line an access to global memory, one an access to shared memory, then
  /// the findings.
  TROWEL_API std::string text() const;
};

} // namespace trowel
