// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Global memory of the software device: what is allocated, and where it lies on the host.
#pragma once

#include "runtime/sim/WrittenBytes.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace trowel::sim {

/// Device addresses [begin, end).
struct MemoryRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  /// The host wrote all of it.
  bool written = false;
};

class DeviceMemory {
public:
  DeviceMemory();
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory &) = delete;
  DeviceMemory &operator=(const DeviceMemory &) = delete;

  /// The address of a new allocation filled with ones, 0 if there is no room. `name` is that of a
  /// module's variable, empty for a buffer.
  std::uint64_t allocate(std::uint64_t bytes, std::string name = {});
  /// Says whether `address` is the start of an allocation, which is gone then.
  bool free(std::uint64_t address);

  /// The host's writes to [address, address + bytes), which lies in one allocation.
  void write(std::uint64_t address, const void *source, std::uint64_t bytes);
  void fill(std::uint64_t address, unsigned char value, std::uint64_t bytes);
  /// A copy within the memory; bytes that nothing wrote stay so where they arrive.
  void copy(std::uint64_t destination, std::uint64_t source, std::uint64_t bytes);

  /// The live allocation that contains `address`; an empty range if none does.
  MemoryRange find(std::uint64_t address) const;
  /// Whether all of [address, address + bytes) lies in one allocation.
  bool contains(std::uint64_t address, std::uint64_t bytes) const;
  /// Where a device address lies on the host. Meaningful only inside an allocation.
  std::byte *host(std::uint64_t address) const { return arena + (address - arenaBase()); }
  /// What to add to a device address to get the host's.
  std::uint64_t hostBias() const;

  /// Which bytes were written, by offset from globalBase.
  WrittenBytes written() const { return WrittenBytes(writtenBits); }

  std::uint64_t totalBytes() const { return arenaBytes; }
  std::uint64_t usedBytes() const { return allocatedBytes; }
  /// Tells people what lies at or nearest to [address, address + bytes).
  std::string describe(std::uint64_t address, std::uint64_t bytes) const;
  /// "byte 16 of the buffer of 128 bytes at 0xd00000000200"; `address` is in an allocation.
  std::string place(std::uint64_t address) const;

private:
  struct Allocation {
    std::uint64_t bytes = 0;
    std::string name;
    bool written = false;
  };

  std::byte *arena = nullptr;
  WrittenBytes::Word *writtenBits = nullptr;
  std::uint64_t arenaBytes = 0;
  std::uint64_t nextAddress = 0;
  std::uint64_t allocatedBytes = 0;
  std::map<std::uint64_t, Allocation> allocations;
  /// The latest buffers that were freed, for messages.
  std::vector<MemoryRange> freed;

  static std::uint64_t arenaBase();
  void noteWrite(std::uint64_t address, std::uint64_t bytes);
  std::uint64_t findGap(std::uint64_t bytes) const;
};

} // namespace trowel::sim
