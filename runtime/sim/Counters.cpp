// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the software device counts while it executes.
//
// The L1 cache serves a warp's global access in 32-byte sectors of 128-byte lines. The request's
// cost is the number of distinct sectors that its active lanes touch; a profiler on a GPU shows the
// same figures for the same addresses:
//
//   lane i reads 4 bytes at    4i    4i+4   8i   32i   128i   one address
//   sectors                     4     5      8    32    32     1
//   lines                       1     2      2     8    32     1
//
// Lanes mostly walk upwards through memory, so the count is first tried as "one more than the
// number of changes from lane to lane", which is right if the sectors never fall. Otherwise they
// are sorted.
//
// What accesses to shared memory cost is in Banks.cpp.
//
// Workers count apart and are added up, so the figures do not depend on how many there were.

#include "runtime/sim/Counters.h"

#include <algorithm>

namespace trowel::sim {

void AccessCounters::add(const AccessCounters &other) {
  requests += other.requests;
  sectors += other.sectors;
  lines += other.lines;
  bytes += other.bytes;
  wavefronts += other.wavefronts;
  conflicts += other.conflicts;
}

void LaunchCounters::add(const LaunchCounters &other) {
  for (std::size_t i = 0; i < accesses.size(); ++i)
    accesses[i].add(other.accesses[i]);
  warpInstructions += other.warpInstructions;
  threadInstructions += other.threadInstructions;
}

Segments countSegments(const std::uint64_t (&addresses)[lanesPerWarp], Mask mask) {
  std::uint64_t sectors[lanesPerWarp];
  unsigned count = 0;
  if (mask == allLanes) {
    for (unsigned lane = 0; lane < lanesPerWarp; ++lane)
      sectors[lane] = addresses[lane] >> 5;
    count = lanesPerWarp;
  } else {
    for (Mask left = mask; left != 0; left &= left - 1)
      sectors[count++] = addresses[__builtin_ctz(left)] >> 5;
  }
  unsigned changes = 0, lineChanges = 0, falls = 0;
  for (unsigned i = 1; i < count; ++i) {
    changes += sectors[i] != sectors[i - 1];
    lineChanges += sectors[i] >> 2 != sectors[i - 1] >> 2;
    falls += sectors[i] < sectors[i - 1];
  }
  if (falls == 0)
    return {changes + 1, lineChanges + 1};
  std::sort(sectors, sectors + count);
  Segments segments{1, 1};
  for (unsigned i = 1; i < count; ++i) {
    segments.sectors += sectors[i] != sectors[i - 1];
    segments.lines += sectors[i] >> 2 != sectors[i - 1] >> 2;
  }
  return segments;
}

void CounterTotals::add(const Program &program, const LaunchCounters &counters) {
  for (std::size_t i = 0; i < counters.accesses.size(); ++i) {
    const AccessCounters &counter = counters.accesses[i];
    if (counter.requests == 0)
      continue;
    const MemoryAccess &access = program.accesses[i];
    const InstructionInfo &info = program.infos[access.instruction];
    AccessReport &report = accesses[Key(program.kernel, access.instruction)];
    report.kernel = program.kernel;
    report.instruction = info.opcode;
    report.ptxLine = static_cast<int>(info.ptxLine);
    report.file = info.file;
    report.line = info.line;
    report.store = access.store;
    report.requests += counter.requests;
    report.sectors += counter.sectors;
    report.lines += counter.lines;
    report.bytes += counter.bytes;
    report.sharedWavefronts += counter.wavefronts;
    report.bankConflicts += counter.conflicts;
  }
  warpInstructions += counters.warpInstructions;
  threadInstructions += counters.threadInstructions;
}

void CounterTotals::fill(Report &report) const {
  for (const auto &[key, access] : accesses) {
    report.accesses.push_back(access);
    report.sharedWavefronts += access.sharedWavefronts;
    report.bankConflicts += access.bankConflicts;
  }
  report.warpInstructions = warpInstructions;
  report.threadInstructions = threadInstructions;
}

void CounterTotals::clear() { *this = {}; }

} // namespace trowel::sim
