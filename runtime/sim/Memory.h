// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Global memory of the software device: what is allocated, and where it lies on the host.
#pragma once

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

  /// The live allocation that contains `address`; an empty range if none does.
  MemoryRange find(std::uint64_t address) const;
  /// Whether all of [address, address + bytes) lies in one allocation.
  bool contains(std::uint64_t address, std::uint64_t bytes) const;
  /// Where a device address lies on the host. Meaningful only inside an allocation.
  std::byte *host(std::uint64_t address) const { return arena + (address - arenaBase()); }
  /// What to add to a device address to get the host's.
  std::uint64_t hostBias() const;

  std::uint64_t totalBytes() const { return arenaBytes; }
  std::uint64_t usedBytes() const { return allocatedBytes; }
  /// Tells people what lies at or nearest to [address, address + bytes).
  std::string describe(std::uint64_t address, std::uint64_t bytes) const;

private:
  struct Allocation {
    std::uint64_t bytes = 0;
    std::string name;
  };

  std::byte *arena = nullptr;
  std::uint64_t arenaBytes = 0;
  std::uint64_t nextAddress = 0;
  std::uint64_t allocatedBytes = 0;
  std::map<std::uint64_t, Allocation> allocations;
  /// The latest buffers that were freed, for messages.
  std::vector<MemoryRange> freed;

  static std::uint64_t arenaBase();
  std::uint64_t findGap(std::uint64_t bytes) const;
};

} // namespace trowel::sim
