// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the addresses of a warp's access to checked host pointers.
#pragma once

#include "runtime/sim/exec/Lanes.h"
#include "runtime/sim/ptx/Decoder.h"

namespace trowel::sim::exec {

/// The lanes' addresses and, once checked, where they are on the host.
struct LaneAddresses {
  alignas(64) std::uint64_t at[lanesPerWarp];
  /// All lanes are active and lane i is at at[0] + i * stride, with a stride that is not negative.
  bool isRegular = false;
  std::uint64_t stride = 0;
  /// What to add to get the host's address.
  std::uint64_t bias = 0;
  /// Lanes that a generic address leads to shared memory.
  Mask inShared = 0;

  std::byte *host(unsigned lane) const { return reinterpret_cast<std::byte *>(at[lane] + bias); }
  /// All lanes' accesses of `bytes` make one block.
  bool isBlock(std::size_t bytes) const { return isRegular && stride == bytes; }
};

/// Checks alignment and bounds of the lanes in `mask`, counts the access, keeps book of which bytes
/// were written and finds the bias. A violation raises a finding. `target` of the instruction is
/// the MemoryAccess.
void checkAccess(Warp &warp, const Instruction &instruction, Mask mask, LaneAddresses &addresses);

/// Computes the addresses of an access and checks them. choice[0] of the instruction is the
/// address's width in bits, immediate the offset, and slots[addressSlot] the base.
[[gnu::always_inline]] inline void resolveAddresses(Warp &warp, const Instruction &instruction,
                                                    Mask mask, unsigned addressSlot,
                                                    LaneAddresses &addresses) {
  auto offset = static_cast<std::uint64_t>(instruction.immediate);
  Slot slot = instruction.slots[addressSlot];
  if (instruction.choice[0] == 32) { // such addresses wrap at 32 bits
    const auto *base = warp.at<std::uint32_t>(slot);
    for (unsigned lane = 0; lane < lanesPerWarp; ++lane)
      addresses.at[lane] = static_cast<std::uint32_t>(base[lane] + offset);
  } else {
    const auto *base = warp.at<std::uint64_t>(slot);
    for (unsigned lane = 0; lane < lanesPerWarp; ++lane)
      addresses.at[lane] = base[lane] + offset;
  }
  std::uint64_t stride = addresses.at[1] - addresses.at[0];
  std::uint64_t different = 0;
  for (unsigned lane = 1; lane < lanesPerWarp; ++lane)
    different |= (addresses.at[lane] - addresses.at[lane - 1]) ^ stride;
  // A stride of 2^40 is none, so that 31 of them do not wrap; nor may the last lane have wrapped.
  addresses.isRegular = mask == allLanes && different == 0 && stride < std::uint64_t{1} << 40 &&
                        addresses.at[lanesPerWarp - 1] >= addresses.at[0];
  addresses.stride = stride;
  checkAccess(warp, instruction, mask, addresses);
}

/// Takes the space from the opcode; generic if it names none.
ptx::Space takeSpace(Decoder &decoder);
/// Takes cache operators, eviction hints, scopes and orders, none of which changes a result here.
void takeHints(Decoder &decoder);

} // namespace trowel::sim::exec
