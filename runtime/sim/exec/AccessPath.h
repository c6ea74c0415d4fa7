// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the addresses of a warp's access to checked host pointers.
#pragma once

#include "runtime/sim/exec/Lanes.h"
#include "runtime/sim/ptx/Decoder.h"

namespace trowel::sim::exec {

/// The lanes' addresses, then, once resolved, host pointers.
struct LaneAddresses {
  alignas(64) std::uint64_t at[lanesPerWarp];

  std::byte *host(unsigned lane) const { return reinterpret_cast<std::byte *>(at[lane]); }
};

/// Computes the addresses, checks alignment and bounds of all lanes in `mask`, counts global
/// accesses and turns the addresses into host pointers. A violation raises a finding.
/// choice[0] is the address's width in bits, immediate the offset, target the MemoryAccess, and
/// slots[addressSlot] the address's base.
void resolveAddresses(Warp &warp, const Instruction &instruction, Mask mask, unsigned addressSlot,
                      LaneAddresses &addresses);

/// Takes the space from the opcode; generic if it names none.
ptx::Space takeSpace(Decoder &decoder);
/// Takes cache operators, eviction hints, scopes and orders, none of which changes a result here.
void takeHints(Decoder &decoder);
/// Bytes that one lane moves.
unsigned accessBytes(const MemoryAccess &access);

} // namespace trowel::sim::exec
