// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the addresses of a warp's access to checked host pointers.
//
// All loads, stores and atomics come through here. The common case is cheap: mostly all 32 lanes
// are active and walk through memory with one stride, and then alignment, bounds and counters
// follow from the first and the last address. Otherwise the lanes' minimum and maximum are held
// against the allocation that this instruction hit last; only if that fails are lanes looked at one
// by one, and the first offender decides what the finding says.
//
// A generic address may lie in global memory or in the window of shared, local or parameter space,
// for each lane differently. Lanes are grouped by space and each group is resolved as if the
// instruction had named its space; the global group counts as the request.
//
// Counters follow the profiler's model for global memory (Counters.cpp). Every access is aligned to
// its own size of at most 32 bytes, so each lane touches one sector.

#include "runtime/sim/exec/AccessPath.h"

#include "runtime/sim/AddressSpaces.h"
#include "runtime/sim/Findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace trowel::sim::exec {

using ptx::Space;

unsigned accessBytes(const MemoryAccess &access) {
  return unsigned{access.elementBytes} * access.elements;
}

namespace {

struct Access {
  Warp &warp;
  const Instruction &instruction;
  const MemoryAccess &memory;
  Mask mask;
  LaneAddresses &addresses;
  unsigned bytes;
};

const char *verb(const MemoryAccess &access) {
  return access.atomic ? "updates" : access.store ? "writes" : "reads";
}

Mask lanesWhere(Mask mask, auto test) {
  Mask result = 0;
  for (Mask left = mask; left != 0; left &= left - 1) {
    auto lane = static_cast<unsigned>(__builtin_ctz(left));
    result |= Mask{test(lane)} << lane;
  }
  return result;
}

[[noreturn]] void raiseMisaligned(const Access &access) {
  Mask bad = lanesWhere(
      access.mask, [&](unsigned lane) { return access.addresses.at[lane] % access.bytes != 0; });
  std::uint64_t address = access.addresses.at[__builtin_ctz(bad)];
  raise(access.warp, access.instruction, bad, driver::cudaErrorMisalignedAddress, "misaligned",
        fmt::format("{} {} bytes at {:#x}, which is not a multiple of {},", verb(access.memory),
                    access.bytes, address, access.bytes),
        fmt::format("it is {} bytes past one", address % access.bytes));
}

[[noreturn]] void raiseOutOfBounds(const Access &access, Mask bad, const std::string &nearest) {
  std::uint64_t address = access.addresses.at[__builtin_ctz(bad)];
  raise(access.warp, access.instruction, bad, driver::cudaErrorIllegalAddress, "out-of-bounds",
        fmt::format("{} {} bytes at {:#x}, outside of every buffer,", verb(access.memory),
                    access.bytes, address),
        nearest);
}

void checkAlignment(const Access &access) {
  std::uint64_t low = 0;
  if (access.addresses.isRegular)
    low = access.addresses.at[0] | access.addresses.stride;
  else
    for (Mask left = access.mask; left != 0; left &= left - 1)
      low |= access.addresses.at[__builtin_ctz(left)];
  if ((low & (access.bytes - 1)) != 0)
    raiseMisaligned(access);
}

struct Bounds {
  std::uint64_t lowest, highest;
};
Bounds boundsOf(const LaneAddresses &addresses, Mask mask) {
  if (addresses.isRegular)
    return {addresses.at[0], addresses.at[lanesPerWarp - 1]};
  Bounds bounds{~std::uint64_t{0}, 0};
  for (Mask left = mask; left != 0; left &= left - 1) {
    std::uint64_t address = addresses.at[__builtin_ctz(left)];
    bounds.lowest = std::min(bounds.lowest, address);
    bounds.highest = std::max(bounds.highest, address);
  }
  return bounds;
}

/// Segments of `bytes` that a regular access touches: one a lane if the stride is as large, else
/// every one from the first to the last.
unsigned regularSegments(const LaneAddresses &addresses, std::uint64_t bytes) {
  if (addresses.stride >= bytes)
    return lanesPerWarp;
  return static_cast<unsigned>(addresses.at[lanesPerWarp - 1] / bytes - addresses.at[0] / bytes) +
         1;
}

void count(const Access &access) {
  AccessCounters &counters = access.warp.cta->counters.accesses[access.instruction.target];
  Segments segments = access.addresses.isRegular ? Segments{regularSegments(access.addresses, 32),
                                                            regularSegments(access.addresses, 128)}
                                                 : countSegments(access.addresses.at, access.mask);
  counters.requests += 1;
  counters.sectors += segments.sectors;
  counters.lines += segments.lines;
  counters.bytes +=
      std::uint64_t{access.bytes} * static_cast<unsigned>(__builtin_popcount(access.mask));
}

// The functions below check one space and return the bias to the host's addresses.

std::uint64_t checkGlobal(const Access &access) {
  checkAlignment(access);
  Cta &cta = *access.warp.cta;
  MemoryRange &range = cta.lastRange[access.instruction.target];
  Bounds bounds = boundsOf(access.addresses, access.mask);
  auto inRange = [&](std::uint64_t first, std::uint64_t last) {
    return first >= range.begin && last < range.end && range.end - last >= access.bytes;
  };
  if (!inRange(bounds.lowest, bounds.highest)) {
    range = cta.memory->find(bounds.lowest);
    if (!inRange(bounds.lowest, bounds.highest)) {
      Mask bad = lanesWhere(access.mask, [&](unsigned lane) {
        return !cta.memory->contains(access.addresses.at[lane], access.bytes);
      });
      if (bad != 0)
        raiseOutOfBounds(
            access, bad,
            cta.memory->describe(access.addresses.at[__builtin_ctz(bad)], access.bytes));
    }
  }
  if (access.memory.space != Space::Constant)
    count(access);
  return cta.memory->hostBias();
}

/// A space that is one block of bytes, or one for each lane.
std::uint64_t checkBlock(const Access &access, const std::byte *bytes, std::uint64_t size,
                         const char *what) {
  checkAlignment(access);
  Bounds bounds = boundsOf(access.addresses, access.mask);
  if (bounds.highest >= size || size - bounds.highest < access.bytes) {
    Mask bad = lanesWhere(access.mask, [&](unsigned lane) {
      return access.addresses.at[lane] >= size || size - access.addresses.at[lane] < access.bytes;
    });
    std::uint64_t address = access.addresses.at[__builtin_ctz(bad)];
    raise(access.warp, access.instruction, bad, driver::cudaErrorIllegalAddress, "out-of-bounds",
          fmt::format("{} {} bytes at offset {} of {} memory", verb(access.memory), access.bytes,
                      static_cast<std::int64_t>(address), what),
          fmt::format("there are {} bytes of it", size));
  }
  return reinterpret_cast<std::uintptr_t>(bytes);
}

/// Each lane has its own block of local memory, localStride bytes behind the one before.
std::uint64_t checkLocal(const Access &access) {
  Cta &cta = *access.warp.cta;
  std::uint64_t bias =
      checkBlock(access, cta.local.data() + access.warp.index * lanesPerWarp * cta.localStride,
                 cta.program->localBytesPerThread, "a thread's local");
  for (Mask left = access.mask; left != 0; left &= left - 1) {
    auto lane = static_cast<unsigned>(__builtin_ctz(left));
    access.addresses.at[lane] += lane * cta.localStride;
  }
  access.addresses.stride += cta.localStride;
  return bias;
}

std::uint64_t checkSpace(const Access &access, Space space) {
  Cta &cta = *access.warp.cta;
  switch (space) {
  case Space::Shared:
    return checkBlock(access, cta.shared.data(), cta.shared.size(), "the program's shared");
  case Space::Local:
    return checkLocal(access);
  case Space::Parameter:
    if (access.memory.store)
      raise(access.warp, access.instruction, access.mask, driver::cudaErrorIllegalAddress,
            "out-of-bounds", "writes to the entry's parameters", "they are read-only");
    return checkBlock(access, cta.configuration->parameters.data(),
                      cta.configuration->parameters.size(), "the parameter");
  default:
    return checkGlobal(access);
  }
}

constexpr std::pair<std::uint64_t, Space> windows[] = {{sharedWindow, Space::Shared},
                                                       {localWindow, Space::Local},
                                                       {parameterWindow, Space::Parameter}};

void checkGeneric(const Access &access) {
  LaneAddresses &addresses = access.addresses;
  if (boundsOf(addresses, access.mask).highest < windows[0].first) {
    addresses.bias = checkGlobal(access);
    return;
  }
  addresses.isRegular = false; // the lanes are looked at in groups
  auto addTo = [&](Mask lanes, std::uint64_t amount) {
    for (; lanes != 0; lanes &= lanes - 1)
      addresses.at[__builtin_ctz(lanes)] += amount;
  };
  auto checkGroup = [&](Mask group, std::uint64_t base, Space space) {
    if (group == 0)
      return;
    addTo(group, 0 - base);
    std::uint64_t bias = checkSpace(
        {access.warp, access.instruction, access.memory, group, addresses, access.bytes}, space);
    addTo(group, bias);
  };
  // All groups before any is checked: checked ones are host addresses already.
  Mask global = access.mask;
  Mask groups[std::size(windows)];
  for (std::size_t i = 0; i < std::size(windows); ++i) {
    groups[i] = lanesWhere(access.mask, [&](unsigned lane) {
      return addresses.at[lane] - windows[i].first < windowBytes;
    });
    global &= ~groups[i];
  }
  checkGroup(global, 0, Space::Global);
  for (std::size_t i = 0; i < std::size(windows); ++i)
    checkGroup(groups[i], windows[i].first, windows[i].second);
}

} // namespace

void checkAccess(Warp &warp, const Instruction &instruction, Mask mask, LaneAddresses &addresses) {
  const MemoryAccess &memory = warp.cta->program->accesses[instruction.target];
  Access access{warp, instruction, memory, mask, addresses, accessBytes(memory)};
  if (memory.space == Space::Generic)
    checkGeneric(access);
  else
    addresses.bias = checkSpace(access, memory.space);
}

Space takeSpace(Decoder &decoder) {
  constexpr std::pair<std::string_view, Space> spaces[] = {
      {"global", Space::Global}, {"shared", Space::Shared},   {"shared::cta", Space::Shared},
      {"local", Space::Local},   {"param", Space::Parameter}, {"param::entry", Space::Parameter},
      {"const", Space::Constant}};
  for (const auto &[name, space] : spaces)
    if (decoder.opcode.take(name))
      return space;
  return Space::Generic;
}

void takeHints(Decoder &decoder) {
  for (std::string_view hint :
       {"volatile", "weak", "relaxed", "acquire", "release", "acq_rel", "cta", "cluster", "gpu",
        "sys", "nc", "ca", "cg", "cs", "lu", "cv", "wb", "wt"})
    decoder.opcode.take(hint);
  decoder.opcode.takeAllWithPrefix("L1::");
  decoder.opcode.takeAllWithPrefix("L2::");
}

} // namespace trowel::sim::exec
