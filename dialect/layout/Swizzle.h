// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From one layout of a tile to another through shared memory, without bank conflicts.
#pragma once

#include "dialect/layout/LinearLayout.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace trowel::layout {

enum class SharedDirection : std::uint8_t { Store, Load };

/// The instructions by which each thread writes its elements to the buffer, or reads them.
///
/// Instruction i moves the registers at the positions i · width … (i + 1) · width - 1, which lie in
/// a row in memory in that order, from or to the address
///
///   buffer + (offset of i ^ offset of lane ^ offset of warp ^ offset of block)
struct SharedAccess {
  SharedDirection direction = SharedDirection::Store;
  int elementBytes = 4;
  /// The elements of one instruction: 1, or more in up to 16 bytes.
  int width = 1;
  /// The register at each position. A register that repeats another one of its thread has none, and
  /// of replicas only owners are written.
  std::vector<std::int32_t> registers;
  /// The position of each register's element; -1 if it is not moved. A register that repeats
  /// another has that one's.
  std::vector<std::int32_t> positions;
  /// What each bit of the number of the instruction, lane, warp and block contributes to the
  /// offset, in bytes.
  std::vector<std::uint32_t> instructionBases, laneBases, warpBases, blockBases;
  /// Lanes and warps with one of these bits set hold replicas and take no part.
  std::int32_t idleLanes = 0, idleWarps = 0;

  int instructionCount() const { return static_cast<int>(registers.size()) / width; }
  int instructionBytes() const { return width * elementBytes; }
  bool takesPart(std::int32_t lane, std::int32_t warp) const {
    return (lane & idleLanes) == 0 && (warp & idleWarps) == 0;
  }
  /// Where an instruction starts, in bytes from the buffer's begin.
  std::uint32_t offset(std::int32_t instruction, std::int32_t lane, std::int32_t warp,
                       std::int32_t block = 0) const;
  /// The wavefronts that an instruction of a warp takes, by visiting its lanes.
  int wavefronts(std::int32_t instruction, std::int32_t warp) const;
  /// The sum over the instructions of a warp that takes part; each of them takes the same.
  int wavefronts() const;
};

/// A way through shared memory: all threads write, a barrier, all read.
///
///   SharedPlan plan = *planShared(from, to, sizeof(float));
///   plan.write.offset(0, lane, warp);  // where to put the registers plan.write.registers[0], …
struct SharedPlan {
  /// From flat indices of the tile to slots of an element each.
  F2Matrix slot;
  std::int64_t bufferBytes = 0;
  SharedAccess write, read;
};

/// The plan; nothing if an element comes from another block, or is nowhere. Elements have 1, 2, 4
/// or 8 bytes. Both layouts are of one shape and may hold elements more than once.
std::optional<SharedPlan> planShared(const LinearLayout &from, const LinearLayout &to,
                                     int elementBytes);

/// What a plan costs a warp, in slots of its scheduler: wavefronts, and a barrier where other warps
/// take part.
int issueSlots(const SharedPlan &plan);

/// The wavefronts of one instruction of a warp: the byte offset of each lane's access, nothing for
/// a lane that takes no part.
int countWavefronts(SharedDirection direction, int bytes,
                    std::span<const std::optional<std::uint32_t>> offsets);

} // namespace trowel::layout
