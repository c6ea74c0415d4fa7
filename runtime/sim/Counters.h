// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the software device counts while it executes.
#pragma once

#include "runtime/sim/ptx/Program.h"

#include "trowel/Report.h"

#include <map>

namespace trowel::sim {

/// Counters of one memory instruction.
struct AccessCounters {
  std::uint64_t requests = 0;
  std::uint64_t sectors = 0;
  std::uint64_t lines = 0;
  std::uint64_t bytes = 0;
  std::uint64_t wavefronts = 0;
  std::uint64_t conflicts = 0;

  void add(const AccessCounters &other);
};

/// Counters of one launch, or of a worker's share of it.
struct LaunchCounters {
  std::vector<AccessCounters> accesses; // one per Program::accesses
  std::uint64_t warpInstructions = 0;
  std::uint64_t threadInstructions = 0;

  explicit LaunchCounters(std::size_t accessCount) : accesses(accessCount) {}
  void add(const LaunchCounters &other);
};

/// Distinct 32-byte sectors and 128-byte lines that a warp's access touches.
struct Segments {
  unsigned sectors = 0;
  unsigned lines = 0;
};
/// `addresses` are those of `mask`'s lanes, of which there is at least one; each access lies within
/// one sector.
Segments countSegments(const std::uint64_t (&addresses)[lanesPerWarp], Mask mask);

/// Launch counters summed by kernel and PTX line, for Report.
class CounterTotals {
public:
  void add(const Program &program, const LaunchCounters &counters);
  /// Access reports in the order of kernel and PTX line.
  void fill(Report &report) const;
  void clear();

private:
  using Key = std::pair<std::string, std::uint32_t>; // kernel, position in the text
  std::map<Key, AccessReport> accesses;
  std::uint64_t warpInstructions = 0;
  std::uint64_t threadInstructions = 0;
};

} // namespace trowel::sim
