// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a warp's access to shared memory costs.
//
// Shared memory has 32 banks of 4-byte words, word w in bank w mod 32. A warp's access is served in
// passes of as many lanes as move 128 bytes: 32 lanes of up to 4 bytes, 16 of 8, 8 of 16. In a
// pass each bank delivers one word a wavefront to however many lanes want it:
//
//   wavefronts of a pass = max over banks of the distinct words that its lanes touch there
//   conflicts            = wavefronts - passes
//
//   lane i loads 4 bytes at     4i    8i   128i   one address     16 bytes at   16i   128i
//   wavefronts                   1     2     32        1                         4     32
//
// Loads of neighbours that want the same bytes are merged: the two passes of 8-byte loads become
// one, and so do the two of each half-warp of 16-byte loads, if all pairs of lanes (i, i^1) in them
// or all pairs (i, i^2) have equal addresses. Lanes that are switched off equal any. Stores are
// not merged, though lanes that store to one word still cost it once. Atomics are served lane by
// lane: every lane that touches a bank costs it, also at the same address.
//
// The rules are fitted to profiler counters of a compute capability 9.0 chip and agree with them on
// full warps of loads and stores of 1 to 16 bytes and of 4-byte atomics. Taken over by analogy, and
// not held against a profiler: passes none of whose lanes is on (they cost 1), 8-byte atomics
// (passes as for stores), and the pairs (i, i^2) of 8-byte loads.

#include "runtime/sim/Banks.h"

#include <algorithm>

namespace trowel::sim {

namespace {

constexpr unsigned banks = 32;

/// Whether all pairs of lanes (i, i^distance) in `lanes` have equal addresses.
bool pairsAreEqual(const std::uint64_t (&addresses)[lanesPerWarp], Mask mask, Mask lanes,
                   unsigned distance) {
  for (Mask left = lanes & mask; left != 0; left &= left - 1) {
    auto lane = static_cast<unsigned>(__builtin_ctz(left));
    unsigned other = lane ^ distance;
    if ((mask >> other & 1) != 0 && addresses[lane] != addresses[other])
      return false;
  }
  return true;
}

/// The words that a pass has asked of each bank so far.
class Pass {
public:
  explicit Pass(bool distinctOnly) : distinctOnly(distinctOnly) {}

  void touch(std::uint64_t word) {
    unsigned bank = word % banks;
    unsigned known = depth[bank];
    if (distinctOnly)
      for (unsigned i = 0; i < known; ++i)
        if (words[bank][i] == word)
          return;
    words[bank][known] = word;
    depth[bank] = static_cast<std::uint8_t>(known + 1);
    deepest = std::max(deepest, known + 1);
  }
  /// An empty pass is still issued.
  unsigned wavefronts() const { return std::max(deepest, 1u); }

private:
  bool distinctOnly;
  unsigned deepest = 0;
  std::uint8_t depth[banks] = {};
  // No bank is touched more than once by a lane's access of up to 128 bytes.
  std::uint64_t words[banks][lanesPerWarp];
};

} // namespace

Wavefronts countWavefronts(const std::uint64_t (&addresses)[lanesPerWarp], Mask mask,
                           unsigned bytes, BankAccess kind) {
  unsigned wordsPerLane = std::max(bytes / 4, 1u);
  unsigned lanesPerPass = lanesPerWarp / wordsPerLane;
  Wavefronts result;
  for (unsigned first = 0; first < lanesPerWarp;) {
    unsigned count = lanesPerPass;
    if (kind == BankAccess::Load && wordsPerLane > 1 && first % (2 * lanesPerPass) == 0) {
      Mask both = static_cast<Mask>(((std::uint64_t{1} << (2 * lanesPerPass)) - 1) << first);
      if (pairsAreEqual(addresses, mask, both, 1) || pairsAreEqual(addresses, mask, both, 2))
        count = 2 * lanesPerPass;
    }
    Pass pass(kind != BankAccess::Atomic);
    for (unsigned lane = first; lane < first + count; ++lane)
      if ((mask >> lane & 1) != 0)
        for (unsigned word = 0; word < wordsPerLane; ++word)
          pass.touch(addresses[lane] / 4 + word);
    result.wavefronts += pass.wavefronts();
    result.passes += 1;
    first += count;
  }
  return result;
}

/// Whether no two lanes of a pass touch one bank. Then nothing is equal either and nothing merged.
static bool isFreeOfSharing(const std::uint64_t (&addresses)[lanesPerWarp], unsigned bytes) {
  unsigned wordsPerLane = std::max(bytes / 4, 1u);
  std::uint32_t laneBanks = (1u << wordsPerLane) - 1, taken = 0, twice = 0;
  unsigned lastOfPass = lanesPerWarp / wordsPerLane - 1;
  for (unsigned lane = 0; lane < lanesPerWarp; ++lane) {
    std::uint32_t mine = laneBanks << (addresses[lane] / 4 % banks);
    twice |= taken & mine;
    taken = (lane & lastOfPass) == lastOfPass ? 0 : taken | mine;
  }
  return twice == 0;
}

Wavefronts BankMemo::count(const std::uint64_t (&addresses)[lanesPerWarp], Mask wantedMask,
                           unsigned bytes, BankAccess kind) {
  if (wantedMask == allLanes && isFreeOfSharing(addresses, bytes)) {
    unsigned passes = std::max(bytes / 4, 1u);
    return {passes, passes};
  }
  auto first = static_cast<std::uint32_t>(addresses[__builtin_ctz(wantedMask)]);
  std::uint32_t wanted[lanesPerWarp];
  for (unsigned lane = 0; lane < lanesPerWarp; ++lane)
    wanted[lane] = static_cast<std::uint32_t>(addresses[lane]) - first;
  if (wantedMask != allLanes)
    for (unsigned lane = 0; lane < lanesPerWarp; ++lane)
      if ((wantedMask >> lane & 1) == 0)
        wanted[lane] = 0;
  std::uint32_t different = (wantedMask ^ mask) | ((first & 3) ^ phase);
  for (unsigned lane = 0; lane < lanesPerWarp; ++lane)
    different |= wanted[lane] ^ offsets[lane];
  if (different != 0) {
    std::copy(wanted, wanted + lanesPerWarp, offsets);
    mask = wantedMask;
    phase = first & 3;
    answer = countWavefronts(addresses, wantedMask, bytes, kind);
  }
  return answer;
}

} // namespace trowel::sim
