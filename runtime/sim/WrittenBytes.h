// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which bytes of a memory were written.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace trowel::sim {

/// One bit for each byte of a stretch of memory, set once something wrote the byte. A view: the
/// words that hold the bits belong to whoever owns the memory.
class WrittenBytes {
public:
  using Word = std::uint64_t;

  explicit WrittenBytes(Word *words = nullptr) : words(words) {}

  /// Words that hold the bits of `bytes` bytes.
  static constexpr std::size_t wordCount(std::uint64_t bytes) { return bytes / bitsPerWord + 1; }

  /// Whether all of [offset, offset + bytes) was written.
  bool all(std::uint64_t offset, std::uint64_t bytes) const;
  /// A bit for each of up to 32 bytes from `offset` that nothing wrote.
  std::uint32_t missing(std::uint64_t offset, unsigned bytes) const {
    std::uint64_t first = offset / bitsPerWord;
    unsigned shift = offset % bitsPerWord;
    Word written = load(first) >> shift;
    if (shift + bytes > bitsPerWord)
      written |= load(first + 1) << (bitsPerWord - shift);
    return static_cast<std::uint32_t>(~written & ((Word{1} << bytes) - 1));
  }
  /// Host threads may set and ask at the same time, also about the same bits.
  void set(std::uint64_t offset, std::uint64_t bytes) const;
  /// No other host thread may touch these bytes or their neighbours.
  void clear(std::uint64_t offset, std::uint64_t bytes) const;

private:
  static constexpr unsigned bitsPerWord = 64;

  Word load(std::uint64_t word) const {
    return std::atomic_ref<Word>(words[word]).load(std::memory_order_relaxed);
  }

  Word *words;
};

} // namespace trowel::sim
