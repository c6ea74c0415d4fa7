// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which bytes of a memory were written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace trowel::sim {

/// One bit for each byte of a stretch of memory, set once something wrote the byte. A view: the
/// bits belong to whoever owns the memory.
class WrittenBytes {
public:
  explicit WrittenBytes(std::uint8_t *bits = nullptr) : bits(bits) {}

  /// Bytes that hold the bits of `bytes` bytes, with room for the words in which they are read.
  static constexpr std::size_t storage(std::uint64_t bytes) { return bytes / 8 + 16; }

  /// Whether all of [offset, offset + bytes) was written.
  bool all(std::uint64_t offset, std::uint64_t bytes) const;
  /// A bit for each of up to 32 bytes from `offset` that nothing wrote.
  std::uint32_t missing(std::uint64_t offset, unsigned bytes) const {
    std::uint64_t word;
    std::memcpy(&word, bits + offset / 8, sizeof word);
    auto found = static_cast<std::uint32_t>(~word >> offset % 8);
    return found & static_cast<std::uint32_t>((std::uint64_t{1} << bytes) - 1);
  }
  /// Host threads may set at the same time, also neighbouring bits.
  void set(std::uint64_t offset, std::uint64_t bytes) const;
  /// No other host thread may touch these bytes or their neighbours.
  void clear(std::uint64_t offset, std::uint64_t bytes) const;

private:
  std::uint8_t *bits;
};

} // namespace trowel::sim
