// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which bytes of a memory were written.
//
// A bit a byte costs an eighth of the memory and lets the usual question, about 128 bytes side by
// side that a warp moves, be answered by two words. Bits are set by the CTAs of a launch on several
// host threads, and 64 neighbours share a word. So words are read and written by atomic
// instructions, without an order among them; and only a word that has not all of its bits yet is
// written at all, since buffers are mostly written more than once. Bits of global memory are never
// cleared while a launch runs.

#include "runtime/sim/WrittenBytes.h"

#include <algorithm>

namespace trowel::sim {

/// Calls `visit(word, mask)` for the words that hold [offset, offset + count), until it says false.
template <class Visit>
static bool eachWord(std::uint64_t offset, std::uint64_t count, Visit visit) {
  constexpr std::uint64_t bits = 64;
  while (count != 0) {
    std::uint64_t first = offset % bits, here = std::min(count, bits - first);
    std::uint64_t mask = (~std::uint64_t{0} >> (bits - here)) << first;
    if (!visit(offset / bits, mask))
      return false;
    offset += here;
    count -= here;
  }
  return true;
}

bool WrittenBytes::all(std::uint64_t offset, std::uint64_t bytes) const {
  return eachWord(offset, bytes,
                  [&](std::uint64_t word, Word mask) { return (~load(word) & mask) == 0; });
}

void WrittenBytes::set(std::uint64_t offset, std::uint64_t bytes) const {
  eachWord(offset, bytes, [&](std::uint64_t word, Word mask) {
    std::atomic_ref<Word> shared(words[word]);
    if (mask == ~Word{0})
      shared.store(mask, std::memory_order_relaxed);
    else if ((~shared.load(std::memory_order_relaxed) & mask) != 0)
      shared.fetch_or(mask, std::memory_order_relaxed);
    return true;
  });
}

void WrittenBytes::clear(std::uint64_t offset, std::uint64_t bytes) const {
  eachWord(offset, bytes, [&](std::uint64_t word, Word mask) {
    words[word] &= ~mask;
    return true;
  });
}

} // namespace trowel::sim
