// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the addresses of a warp's access to checked host pointers.
//
// All loads, stores and atomics come through here. The common case is cheap: one pass computes the
// 32 addresses with their minimum, maximum and the bits that alignment looks at; if minimum and
// maximum lie in the allocation that this instruction hit last, every lane is in bounds. Only if
// that fails are lanes looked at one by one, and the first offender decides what the finding says.
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
  if (access.mask == allLanes) {
    for (unsigned lane = 0; lane < lanesPerWarp; ++lane)
      low |= access.addresses.at[lane];
  } else {
    for (Mask left = access.mask; left != 0; left &= left - 1)
      low |= access.addresses.at[__builtin_ctz(left)];
  }
  if ((low & (access.bytes - 1)) != 0)
    raiseMisaligned(access);
}

struct Bounds {
  std::uint64_t lowest, highest;
};
Bounds boundsOf(const LaneAddresses &addresses, Mask mask) {
  Bounds bounds{~std::uint64_t{0}, 0};
  if (mask == allLanes) {
    for (unsigned lane = 0; lane < lanesPerWarp; ++lane) {
      std::uint64_t address = addresses.at[lane];
      bounds.lowest = address < bounds.lowest ? address : bounds.lowest;
      bounds.highest = address > bounds.highest ? address : bounds.highest;
    }
  } else {
    for (Mask left = mask; left != 0; left &= left - 1) {
      std::uint64_t address = addresses.at[__builtin_ctz(left)];
      bounds.lowest = address < bounds.lowest ? address : bounds.lowest;
      bounds.highest = address > bounds.highest ? address : bounds.highest;
    }
  }
  return bounds;
}

void count(const Access &access) {
  AccessCounters &counters = access.warp.cta->counters.accesses[access.instruction.target];
  Segments segments = countSegments(access.addresses.at, access.mask);
  counters.requests += 1;
  counters.sectors += segments.sectors;
  counters.lines += segments.lines;
  counters.bytes +=
      std::uint64_t{access.bytes} * static_cast<unsigned>(__builtin_popcount(access.mask));
}

void addToLanes(const Access &access, std::uint64_t bias) {
  if (access.mask == allLanes) {
    for (unsigned lane = 0; lane < lanesPerWarp; ++lane)
      access.addresses.at[lane] += bias;
  } else {
    for (Mask left = access.mask; left != 0; left &= left - 1)
      access.addresses.at[__builtin_ctz(left)] += bias;
  }
}

void resolveGlobal(const Access &access) {
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
  addToLanes(access, cta.memory->hostBias());
}

/// A space that is one block of bytes, or one for each lane.
void resolveBlock(const Access &access, std::byte *bytes, std::uint64_t size, std::uint64_t stride,
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
  addToLanes(access, reinterpret_cast<std::uintptr_t>(bytes));
  if (stride != 0)
    for (unsigned lane = 0; lane < lanesPerWarp; ++lane)
      access.addresses.at[lane] += stride * lane;
}

void resolveSpace(const Access &access, Space space) {
  Cta &cta = *access.warp.cta;
  switch (space) {
  case Space::Shared:
    return resolveBlock(access, cta.shared.data(), cta.shared.size(), 0, "the program's shared");
  case Space::Local:
    return resolveBlock(access,
                        cta.local.data() + access.warp.index * lanesPerWarp * cta.localStride,
                        cta.program->localBytesPerThread, cta.localStride, "a thread's local");
  case Space::Parameter:
    if (access.memory.store)
      raise(access.warp, access.instruction, access.mask, driver::cudaErrorIllegalAddress,
            "out-of-bounds", "writes to the entry's parameters", "they are read-only");
    // Only read: the parameters of a launch are shared by all CTAs.
    return resolveBlock(access, const_cast<std::byte *>(cta.configuration->parameters.data()),
                        cta.configuration->parameters.size(), 0, "the parameter");
  default:
    return resolveGlobal(access);
  }
}

constexpr std::pair<std::uint64_t, Space> windows[] = {{sharedWindow, Space::Shared},
                                                       {localWindow, Space::Local},
                                                       {parameterWindow, Space::Parameter}};

void resolveGeneric(const Access &access) {
  Mask left = access.mask;
  for (const auto &[base, space] : windows) {
    Mask inside = lanesWhere(left, [&, base = base](unsigned lane) {
      return access.addresses.at[lane] - base < windowBytes;
    });
    if (inside == 0)
      continue;
    Access part{access.warp, access.instruction, access.memory,
                inside,      access.addresses,   access.bytes};
    for (Mask lanes = inside; lanes != 0; lanes &= lanes - 1)
      access.addresses.at[__builtin_ctz(lanes)] -= base;
    if (space == Space::Local) { // the stride is added to these lanes only
      LaneAddresses copy = access.addresses;
      Access local{access.warp, access.instruction, access.memory, inside, copy, access.bytes};
      resolveSpace(local, space);
      for (Mask lanes = inside; lanes != 0; lanes &= lanes - 1)
        access.addresses.at[__builtin_ctz(lanes)] = copy.at[__builtin_ctz(lanes)];
    } else {
      resolveSpace(part, space);
    }
    left &= ~inside;
  }
  if (left != 0)
    resolveGlobal(
        {access.warp, access.instruction, access.memory, left, access.addresses, access.bytes});
}

} // namespace

void resolveAddresses(Warp &warp, const Instruction &instruction, Mask mask, unsigned addressSlot,
                      LaneAddresses &addresses) {
  auto offset = static_cast<std::uint64_t>(instruction.immediate);
  Slot slot = instruction.slots[addressSlot];
  if (instruction.choice[0] == 32) {
    const auto *base = warp.at<std::uint32_t>(slot);
    // 32-bit addresses wrap at 32 bits.
    for (unsigned lane = 0; lane < lanesPerWarp; ++lane)
      addresses.at[lane] = base[lane] + static_cast<std::uint32_t>(offset);
    for (unsigned lane = 0; lane < lanesPerWarp; ++lane)
      addresses.at[lane] &= 0xffffffffu;
  } else {
    const auto *base = warp.at<std::uint64_t>(slot);
    for (unsigned lane = 0; lane < lanesPerWarp; ++lane)
      addresses.at[lane] = base[lane] + offset;
  }
  const MemoryAccess &memory = warp.cta->program->accesses[instruction.target];
  Access access{warp, instruction, memory, mask, addresses, accessBytes(memory)};
  if (memory.space == Space::Global || memory.space == Space::Constant)
    resolveGlobal(access);
  else if (memory.space == Space::Generic)
    resolveGeneric(access);
  else
    resolveSpace(access, memory.space);
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
