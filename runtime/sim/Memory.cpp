// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Global memory of the software device: what is allocated, and where it lies on the host.
//
// One stretch of host address space is reserved at the start and never moves; a device address is a
// constant plus the offset in it. So a load needs one addition to find its bytes, and the check of
// its bounds needs one comparison with the allocation that the same instruction hit last. The
// constant is chosen so that a device address is never a valid host address (AddressSpaces.h). The
// host's pages appear when they are first touched and are given back when a buffer is freed.
//
// Allocations are 512-byte aligned as on a GPU, with at least 256 bytes behind each that belong to
// nobody, so that an access past the end hits no neighbour. Fresh memory is filled with ones, a NaN
// in every float type: what a kernel forgot to write is loud. Addresses are not used again until
// the space is used up once, so a pointer to a freed buffer is reported as such.
//
// Which bytes anything wrote is kept in a bit for each (WrittenBytes.h). An allocation that the
// host wrote as a whole is marked besides, so that kernels need not look at the bits of their
// inputs.
//
// Not locked: the driver takes one call at a time, and a launch only reads the registry.

#include "runtime/sim/Memory.h"

#include "runtime/sim/AddressSpaces.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <iterator>

#include <sys/mman.h>
#include <unistd.h>

namespace trowel::sim {

namespace {
constexpr std::uint64_t alignment = 512;
constexpr std::uint64_t redZone = 256;
constexpr std::uint64_t gibibyte = std::uint64_t{1} << 30;
constexpr std::size_t rememberedFrees = 1024;

std::uint64_t roundUp(std::uint64_t value, std::uint64_t to) { return (value + to - 1) / to * to; }

/// Gives the pages of [begin, end) back to the host, as far as they lie in [gapBegin, gapEnd).
void giveBack(void *base, std::uint64_t begin, std::uint64_t end, std::uint64_t gapBegin,
              std::uint64_t gapEnd) {
  auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  std::uint64_t first = begin / page * page, last = roundUp(end, page);
  if (first < gapBegin)
    first += page;
  if (last > gapEnd)
    last -= page;
  if (first < last)
    madvise(static_cast<std::byte *>(base) + first, last - first, MADV_DONTNEED);
}
} // namespace

/// What the bits of `bytes` bytes take.
static std::uint64_t bytesOfBits(std::uint64_t bytes) {
  return WrittenBytes::wordCount(bytes) * sizeof(WrittenBytes::Word);
}

std::uint64_t DeviceMemory::arenaBase() { return globalBase; }

DeviceMemory::DeviceMemory() {
  // Three quarters of the host's memory, at most 64 GiB; less where the process may not reserve
  // that.
  auto physical = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
                  static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  arenaBytes = std::clamp(physical / 4 * 3 / gibibyte * gibibyte, gibibyte, 64 * gibibyte);
  for (; arenaBytes >= 64 * 1024 * 1024; arenaBytes /= 2) {
    void *reserved = mmap(nullptr, arenaBytes + bytesOfBits(arenaBytes), PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (reserved != MAP_FAILED) {
      arena = static_cast<std::byte *>(reserved);
      writtenBits = reinterpret_cast<WrittenBytes::Word *>(arena + arenaBytes);
      break;
    }
  }
  if (!arena)
    arenaBytes = 0;
  nextAddress = globalBase + alignment; // address offset 0 stays unused
}

DeviceMemory::~DeviceMemory() {
  if (arena)
    munmap(arena, arenaBytes + bytesOfBits(arenaBytes));
}

std::uint64_t DeviceMemory::hostBias() const {
  return reinterpret_cast<std::uintptr_t>(arena) - globalBase;
}

std::uint64_t DeviceMemory::allocate(std::uint64_t bytes, std::string name) {
  if (bytes == 0 || bytes > arenaBytes)
    return 0;
  std::uint64_t end = globalBase + arenaBytes;
  std::uint64_t address = nextAddress;
  if (address + bytes + redZone > end)
    address = findGap(bytes);
  else
    nextAddress = roundUp(address + bytes + redZone, alignment);
  if (address == 0)
    return 0;
  std::erase_if(freed, [&](const MemoryRange &range) {
    return range.begin < address + bytes && address < range.end;
  });
  std::memset(host(address), 0xff, bytes);
  written().clear(address - globalBase, bytes);
  allocations[address] = {bytes, std::move(name), false};
  allocatedBytes += bytes;
  return address;
}

void DeviceMemory::write(std::uint64_t address, const void *source, std::uint64_t bytes) {
  std::memcpy(host(address), source, bytes);
  noteWrite(address, bytes);
}

void DeviceMemory::fill(std::uint64_t address, unsigned char value, std::uint64_t bytes) {
  std::memset(host(address), value, bytes);
  noteWrite(address, bytes);
}

void DeviceMemory::copy(std::uint64_t destination, std::uint64_t source, std::uint64_t bytes) {
  std::memmove(host(destination), host(source), bytes);
  if (written().all(source - globalBase, bytes))
    return noteWrite(destination, bytes);
  std::vector<bool> isMissing(bytes);
  for (std::uint64_t i = 0; i < bytes; ++i)
    isMissing[i] = written().missing(source - globalBase + i, 1) != 0;
  for (std::uint64_t i = 0; i < bytes; ++i)
    if (isMissing[i])
      written().clear(destination - globalBase + i, 1);
    else
      written().set(destination - globalBase + i, 1);
  std::prev(allocations.upper_bound(destination))->second.written = false;
}

void DeviceMemory::noteWrite(std::uint64_t address, std::uint64_t bytes) {
  written().set(address - globalBase, bytes);
  if (auto whole = allocations.find(address); whole != allocations.end())
    whole->second.written |= whole->second.bytes == bytes;
}

/// The first hole between allocations that is large enough; 0 if there is none.
std::uint64_t DeviceMemory::findGap(std::uint64_t bytes) const {
  std::uint64_t candidate = globalBase + alignment;
  for (const auto &[address, allocation] : allocations) {
    if (candidate + bytes + redZone <= address)
      return candidate;
    candidate = roundUp(address + allocation.bytes + redZone, alignment);
  }
  return candidate + bytes + redZone <= globalBase + arenaBytes ? candidate : 0;
}

bool DeviceMemory::free(std::uint64_t address) {
  auto found = allocations.find(address);
  if (found == allocations.end())
    return false;
  std::uint64_t bytes = found->second.bytes;
  allocations.erase(found);
  allocatedBytes -= bytes;
  if (freed.size() >= rememberedFrees)
    freed.erase(freed.begin());
  freed.push_back({address, address + bytes, false});
  // Give pages back to the host, also those at the edges if no other allocation reaches into them.
  auto next = allocations.upper_bound(address);
  std::uint64_t gapBegin = alignment, gapEnd = nextAddress - globalBase;
  if (next != allocations.end())
    gapEnd = next->first - globalBase;
  if (next != allocations.begin())
    gapBegin = std::prev(next)->first + std::prev(next)->second.bytes - globalBase;
  std::uint64_t begin = address - globalBase, end = begin + bytes;
  giveBack(arena, begin, end, gapBegin, gapEnd);
  giveBack(writtenBits, begin / 8, end / 8, (gapBegin + 7) / 8, gapEnd / 8);
  return true;
}

MemoryRange DeviceMemory::find(std::uint64_t address) const {
  auto next = allocations.upper_bound(address);
  if (next == allocations.begin())
    return {};
  auto candidate = std::prev(next);
  if (address - candidate->first >= candidate->second.bytes)
    return {};
  return {candidate->first, candidate->first + candidate->second.bytes, candidate->second.written};
}

bool DeviceMemory::contains(std::uint64_t address, std::uint64_t bytes) const {
  MemoryRange range = find(address);
  return range.end != 0 && bytes <= range.end - address;
}

std::string DeviceMemory::place(std::uint64_t address) const {
  auto found = std::prev(allocations.upper_bound(address));
  const Allocation &allocation = found->second;
  return fmt::format("byte {} of the {} of {} bytes at {:#x}", address - found->first,
                     allocation.name.empty() ? std::string("buffer")
                                             : "variable '" + allocation.name + "'",
                     allocation.bytes, found->first);
}

std::string DeviceMemory::describe(std::uint64_t address, std::uint64_t bytes) const {
  for (auto range = freed.rbegin(); range != freed.rend(); ++range)
    if (address >= range->begin && address < range->end)
      return fmt::format("it lies in a buffer of {} bytes at {:#x} that was freed",
                         range->end - range->begin, range->begin);
  if (address < 4096)
    return "it is a null pointer plus a small offset";
  // The nearest allocation before and behind.
  auto next = allocations.upper_bound(address);
  std::uint64_t nearest = 0, distance = ~std::uint64_t{0};
  bool before = false;
  if (next != allocations.end()) {
    nearest = next->first;
    distance = next->first - address;
    before = true;
  }
  if (next != allocations.begin()) {
    auto previous = std::prev(next);
    std::uint64_t end = previous->first + previous->second.bytes;
    std::uint64_t behind = address < end ? 0 : address - end;
    if (behind <= distance) {
      nearest = previous->first;
      distance = behind;
      before = false;
      if (address < end)
        return fmt::format(
            "the access begins {} bytes before the end of {} of {} bytes at {:#x}", end - address,
            previous->second.name.empty() ? "the buffer"
                                          : "the variable '" + previous->second.name + "'",
            previous->second.bytes, previous->first);
    }
  }
  if (nearest == 0)
    return "nothing is allocated on the device";
  const Allocation &allocation = allocations.at(nearest);
  return fmt::format(
      "the nearest {} has {} bytes at {:#x}, and the access begins {} bytes {}",
      allocation.name.empty() ? std::string("buffer") : "variable '" + allocation.name + "'",
      allocation.bytes, nearest, distance, before ? "before its start" : "past its end");
}

} // namespace trowel::sim
