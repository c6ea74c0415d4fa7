// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which bytes of a memory were written.
//
// A bit a byte costs an eighth of the memory and lets the usual question, about 128 bytes side by
// side that a warp moves, be answered by two words. Bits are set by the CTAs of a launch on several
// host threads, and eight neighbours share a byte: a part of a byte is set by an atomic operation,
// and only if it is not set yet, since buffers are mostly written more than once. Bits of global
// memory are never cleared while a launch runs.

#include "runtime/sim/WrittenBytes.h"

#include <atomic>
#include <cstring>

namespace trowel::sim {

namespace {
/// Bits [from, to) of a byte.
unsigned bitsOf(std::uint64_t from, std::uint64_t to) {
  return (0xffu << from & 0xffu) & ~(~0u << to);
}

/// Calls `part(byte, mask)` for the bytes that [offset, offset + count) covers in part and
/// `whole(first, count)` for those between. `part` says whether to go on.
template <class Part, class Whole>
bool eachByte(std::uint64_t offset, std::uint64_t count, Part part, Whole whole) {
  std::uint64_t end = offset + count, first = offset / 8, last = end / 8;
  if (first == last)
    return count == 0 || part(first, bitsOf(offset % 8, end % 8));
  if (offset % 8 != 0 && !part(first++, bitsOf(offset % 8, 8)))
    return false;
  if (first != last && !whole(first, last - first))
    return false;
  return end % 8 == 0 || part(last, bitsOf(0, end % 8));
}
} // namespace

bool WrittenBytes::all(std::uint64_t offset, std::uint64_t bytes) const {
  return eachByte(
      offset, bytes, [&](std::uint64_t byte, unsigned mask) { return (~bits[byte] & mask) == 0; },
      [&](std::uint64_t first, std::uint64_t count) {
        const std::uint8_t *at = bits + first;
        std::uint64_t word;
        for (; count >= sizeof word; at += sizeof word, count -= sizeof word) {
          std::memcpy(&word, at, sizeof word);
          if (word != ~std::uint64_t{0})
            return false;
        }
        for (; count != 0; ++at, --count)
          if (*at != 0xff)
            return false;
        return true;
      });
}

void WrittenBytes::set(std::uint64_t offset, std::uint64_t bytes) const {
  eachByte(
      offset, bytes,
      [&](std::uint64_t byte, unsigned mask) {
        std::atomic_ref<std::uint8_t> shared(bits[byte]);
        if ((~shared.load(std::memory_order_relaxed) & mask) != 0)
          shared.fetch_or(static_cast<std::uint8_t>(mask), std::memory_order_relaxed);
        return true;
      },
      [&](std::uint64_t first, std::uint64_t count) {
        std::memset(bits + first, 0xff, count);
        return true;
      });
}

void WrittenBytes::clear(std::uint64_t offset, std::uint64_t bytes) const {
  eachByte(
      offset, bytes,
      [&](std::uint64_t byte, unsigned mask) {
        bits[byte] = static_cast<std::uint8_t>(bits[byte] & ~mask);
        return true;
      },
      [&](std::uint64_t first, std::uint64_t count) {
        std::memset(bits + first, 0, count);
        return true;
      });
}

} // namespace trowel::sim
