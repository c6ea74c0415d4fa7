// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Follows what was read from memory that nothing wrote to where it is used.
#pragma once

#include "runtime/sim/Machine.h"

namespace trowel::sim {

/// Which bits of a warp's registers hold no value. A warp has one from its first read of such bytes
/// on.
class Shadow {
public:
  explicit Shadow(Warp &warp, std::size_t registerBytes, std::size_t accessCount);

  /// Executes instructions [begin, end) of a block for the lanes of `active`. Returns the number of
  /// lanes that took part, summed over the instructions.
  std::uint64_t run(const Instruction *begin, const Instruction *end, Mask active);

  /// Lanes that are together exchange values: what happens to their shadows.
  void exchange(const Instruction &instruction, Mask lanes, Handler exchange);

  // ---- for the access path ----

  /// The handler is executed on shadows: its lanes' addresses are those of `bytes`.
  bool redirects() const { return redirecting; }
  std::byte *bytesOf(unsigned lane) { return bytes[lane]; }
  /// The access reads bytes of which some have no value. `base` is the address whose bit is the
  /// first of `written`.
  void noteRead(const Instruction &instruction, Mask mask, ptx::Space space, WrittenBytes written,
                const std::uint64_t (&addresses)[lanesPerWarp], std::uint64_t base);
  /// Lanes store to these places.
  void noteStore(Mask mask, ptx::Space space, WrittenBytes written,
                 const std::uint64_t (&addresses)[lanesPerWarp], std::uint64_t base);
  /// An access that reads and writes at once uses what nothing wrote.
  void reportAtomic(const Instruction &instruction);

private:
  /// The latest read of an instruction that got bytes without a value.
  struct Origin {
    ptx::Space space = ptx::Space::Global;
    Mask lanes = 0;
    /// Of the first byte without a value of the first such lane, and of its access.
    std::uint64_t firstMissing = 0;
    std::uint64_t address = 0;
  };
  struct StorePlace {
    ptx::Space space = ptx::Space::Global;
    WrittenBytes written;
    std::uint64_t offset = 0;
  };

  Warp &warp;
  const Program &program;
  /// Laid out as the register file, a set bit where there is no value.
  std::vector<std::uint32_t> words;
  /// For each 16 bytes of the register file: the access, by its index, that such bits come from.
  std::vector<std::uint32_t> originOf;
  /// By the index of the access.
  std::vector<Origin> origins;
  bool redirecting = false;
  /// The load that is being executed and found bytes without a value, and its lanes.
  const Instruction *pending = nullptr;
  Mask pendingMask = 0;
  alignas(64) std::byte bytes[lanesPerWarp][32] = {};
  StorePlace stores[lanesPerWarp];

  std::uint32_t *shadowAt(Slot slot) { return words.data() + slot / sizeof(std::uint32_t); }
  void step(const Instruction &instruction, Mask mask);
  void access(const Instruction &instruction, Mask mask);
  void finishLoad();
  void finishStore(const Instruction &instruction, Mask mask);
  void checkGuard(const Instruction &instruction, Mask active);
  void checkSources(const Instruction &instruction, Mask mask, const char *use);
  Mask missingLanes(Slot slot, unsigned bits, Mask mask);
  void setLanes(Slot slot, unsigned bits, Mask lanes, bool missing);
  void executeOnShadows(const Instruction &instruction, Mask mask, unsigned moved, Handler handler);
  void combineBits(const Instruction &instruction, Mask mask);
  void use(const Instruction &instruction, Slot slot, unsigned bits, Mask lanes, const char *how);
  void report(const Instruction &instruction, std::uint32_t access, const char *how);
};

} // namespace trowel::sim
