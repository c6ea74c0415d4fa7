// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a warp's access to shared memory costs.
#pragma once

#include "runtime/sim/ptx/Program.h"

namespace trowel::sim {

enum class BankAccess : std::uint8_t { Load, Store, Atomic };

/// Wavefronts that an access takes, and the passes that it would take without conflicts.
struct Wavefronts {
  unsigned wavefronts = 0;
  unsigned passes = 0;

  unsigned conflicts() const { return wavefronts - passes; }
  bool operator==(const Wavefronts &) const = default;
};

/// `addresses` are offsets in shared memory of `mask`'s lanes, of which there is at least one; each
/// lane moves `bytes`, a power of two of at most 32, and is aligned to them.
Wavefronts countWavefronts(const std::uint64_t (&addresses)[lanesPerWarp], Mask mask,
                           unsigned bytes, BankAccess kind);

/// countWavefronts for one instruction, quicker: most patterns are plainly free of conflicts, and
/// for others the last answer is kept. A pattern that is moved by whole words costs the same: the
/// banks turn.
class BankMemo {
public:
  Wavefronts count(const std::uint64_t (&addresses)[lanesPerWarp], Mask mask, unsigned bytes,
                   BankAccess kind);

private:
  alignas(64) std::uint32_t offsets[lanesPerWarp] = {};
  Mask mask = 0;
  std::uint32_t phase = 0;
  Wavefronts answer;
};

} // namespace trowel::sim
