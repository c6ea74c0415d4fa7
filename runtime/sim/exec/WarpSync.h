// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instructions that lanes of a warp execute together, as their member masks say.
#pragma once

#include "runtime/sim/exec/Lanes.h"

namespace trowel::sim {
class Decoder;
namespace ptx {
struct Operand;
}
} // namespace trowel::sim

namespace trowel::sim::exec {

/// What such an instruction does once its lanes are together.
using Exchange = void (*)(Warp &warp, const Instruction &instruction, Mask lanes);

// Of the instruction's choices, the ones that are used here.
constexpr unsigned memberSlotChoice = 3; ///< which slot holds the member masks
constexpr unsigned anyPlaceChoice = 2;   ///< lanes may meet at different instructions of this kind

/// What it does to the bits without a value (Shadow.h).
void exchangeShadows(Warp &w, const Instruction &i, Mask lanes, Exchange exchange);

/// The lanes of `mask` come to the instruction, and not all whom their member masks name are there.
void gather(Warp &warp, const Instruction &instruction, Mask mask, Exchange exchange);

/// Executes it for lanes that are together.
inline void perform(Warp &w, const Instruction &i, Mask lanes, Exchange exchange) {
  if (w.shadow)
    exchangeShadows(w, i, lanes, exchange);
  exchange(w, i, lanes);
}

/// The handler of an instruction that executes `exchange` for lanes that come together.
template <Exchange exchange> LANE_HANDLER void together(Warp &w, const Instruction &i, Mask m) {
  const auto *members = w.at<std::uint32_t>(i.slots[i.choice[memberSlotChoice]]);
  const std::uint32_t first = members[__builtin_ctz(m)];
  Mask same = testLanes([&](unsigned lane) LANE_FUNCTION { return members[lane] == first; });
  if ((m & ~same) == 0 && (first & w.lanes.alive()) == m)
    return perform(w, i, m, exchange);
  gather(w, i, m, exchange);
}

/// Reads the operand that holds the member masks; the last of its instruction.
void readMembers(Decoder &decoder, const ptx::Operand &operand);

/// bar.warp.sync
void decodeWarpBarrier(Decoder &decoder);

} // namespace trowel::sim::exec
