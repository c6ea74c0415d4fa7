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
// instruction had named its space.
//
// Counters follow the profiler's models for global and shared memory (Counters.cpp, Banks.cpp).
// Every access is aligned to its own size of at most 32 bytes, so each lane touches one sector.
//
// A store marks its bytes as written. A load that gets bytes which nothing wrote gives the warp a
// shadow (Shadow.cpp) and lets it know; the load itself goes on. Buffers that the host wrote as a
// whole need no look at their bits.

#include "runtime/sim/exec/AccessPath.h"

#include "runtime/sim/AddressSpaces.h"
#include "runtime/sim/Findings.h"
#include "runtime/sim/Shadow.h"
#include "runtime/sim/ptx/Declarations.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace trowel::sim::exec {

using ptx::Space;

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

[[noreturn]] void raiseMisaligned(const Access &access, Space space) {
  Mask bad = lanesWhere(
      access.mask, [&](unsigned lane) { return access.addresses.at[lane] % access.bytes != 0; });
  std::uint64_t address = access.addresses.at[__builtin_ctz(bad)];
  bool isBlock = space == Space::Shared || space == Space::Local;
  std::string more = fmt::format("it is {} bytes past one", address % access.bytes);
  if (isBlock)
    more += ", " + placeText(*access.warp.cta->program, space, address);
  raise(access.warp, access.instruction, bad, driver::cudaErrorMisalignedAddress, "misaligned",
        fmt::format("{} {} bytes at {}, which is not a multiple of {},", verb(access.memory),
                    access.bytes,
                    isBlock ? fmt::format("offset {} of {} memory", address, ptx::name(space))
                            : addressText(address),
                    access.bytes),
        more);
}

[[noreturn]] void raiseOutOfBounds(const Access &access, Mask bad, const std::string &nearest) {
  std::uint64_t address = access.addresses.at[__builtin_ctz(bad)];
  raise(access.warp, access.instruction, bad, driver::cudaErrorIllegalAddress, "out-of-bounds",
        fmt::format("{} {} bytes at {:#x}, outside of every buffer,", verb(access.memory),
                    access.bytes, address),
        nearest);
}

void checkAlignment(const Access &access, Space space) {
  std::uint64_t low = 0;
  if (access.addresses.isRegular)
    low = access.addresses.at[0] | access.addresses.stride;
  else
    for (Mask left = access.mask; left != 0; left &= left - 1)
      low |= access.addresses.at[__builtin_ctz(left)];
  if ((low & (access.bytes - 1)) != 0)
    raiseMisaligned(access, space);
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

AccessCounters &countersOf(const Access &access) {
  return access.warp.cta->counters.accesses[access.instruction.target];
}

void countRequest(const Access &access, Mask lanes) {
  AccessCounters &counters = countersOf(access);
  counters.requests += 1;
  counters.bytes += std::uint64_t{access.bytes} * static_cast<unsigned>(__builtin_popcount(lanes));
}

void countGlobal(const Access &access) {
  AccessCounters &counters = countersOf(access);
  Segments segments = access.addresses.isRegular ? Segments{regularSegments(access.addresses, 32),
                                                            regularSegments(access.addresses, 128)}
                                                 : countSegments(access.addresses.at, access.mask);
  counters.sectors += segments.sectors;
  counters.lines += segments.lines;
}

void countShared(const Access &access) {
  AccessCounters &counters = countersOf(access);
  BankAccess kind = access.memory.atomic  ? BankAccess::Atomic
                    : access.memory.store ? BankAccess::Store
                                          : BankAccess::Load;
  // Lanes side by side fill each pass with different words of all banks.
  unsigned passes = std::max(access.bytes / 4, 1u);
  Wavefronts cost{passes, passes};
  if (!access.addresses.isBlock(access.bytes) || (access.memory.atomic && access.bytes < 4))
    cost = access.warp.cta->banks[access.instruction.target].count(access.addresses.at, access.mask,
                                                                   access.bytes, kind);
  counters.wavefronts += cost.wavefronts;
  counters.conflicts += cost.conflicts();
}

/// Notes which bytes a checked access writes, and finds out whether something wrote those that it
/// reads. `base` is the address whose bit is the first of `written`.
void noteBytes(const Access &access, Space space, WrittenBytes written, std::uint64_t base) {
  const LaneAddresses &addresses = access.addresses;
  bool reads = !access.memory.store || access.memory.readsOld;
  std::uint32_t any = 0;
  if (addresses.isBlock(access.bytes)) {
    std::uint64_t first = addresses.at[0] - base, size = std::uint64_t{access.bytes} * lanesPerWarp;
    if (reads && written.all(first, size))
      return;
    if (!reads)
      written.set(first, size);
  } else if (!reads) {
    for (Mask left = access.mask; left != 0; left &= left - 1)
      written.set(addresses.at[__builtin_ctz(left)] - base, access.bytes);
  }
  if (reads)
    for (Mask left = access.mask; left != 0; left &= left - 1)
      any |= written.missing(addresses.at[__builtin_ctz(left)] - base, access.bytes);
  Warp &warp = access.warp;
  if (any != 0)
    warp.cta->shadowOf(warp, access.instruction)
        .noteRead(access.instruction, access.mask, space, written, addresses.at, base);
  if (any != 0 && access.memory.atomic) {
    warp.shadow->reportAtomic(access.instruction);
    for (Mask left = access.mask; left != 0; left &= left - 1)
      written.set(addresses.at[__builtin_ctz(left)] - base, access.bytes);
  }
  if (warp.shadow && !reads)
    warp.shadow->noteStore(access.mask, space, written, addresses.at, base);
}

// The functions below check one space and return the bias to the host's addresses.

std::uint64_t checkGlobal(const Access &access) {
  checkAlignment(access, Space::Global);
  Cta &cta = *access.warp.cta;
  MemoryRange &range = cta.lastRange[access.instruction.target];
  Bounds bounds = boundsOf(access.addresses, access.mask);
  auto inRange = [&](std::uint64_t first, std::uint64_t last) {
    return first >= range.begin && last < range.end && range.end - last >= access.bytes;
  };
  bool written = range.written;
  if (!inRange(bounds.lowest, bounds.highest)) {
    range = cta.memory->find(bounds.lowest);
    written = range.written;
    if (!inRange(bounds.lowest, bounds.highest)) {
      written = false;
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
    countGlobal(access);
  if (!written || access.warp.shadow)
    noteBytes(access, Space::Global, cta.memory->written(), globalBase);
  return cta.memory->hostBias();
}

/// What is known about a block of memory and helps who left it.
std::string extentText(const Access &access, Space space, std::uint64_t size,
                       std::uint64_t address) {
  const Program &program = *access.warp.cta->program;
  std::string text = fmt::format("there are {} bytes of it", size);
  if (space == Space::Shared && size != program.staticSharedBytes)
    text += fmt::format(", {} for variables and {} that the launch gives",
                        program.staticSharedBytes, size - program.staticSharedBytes);
  // Behind variables nothing else follows: the last one was left.
  const auto &variables = space == Space::Shared ? program.sharedVariables : program.localVariables;
  bool endsWithVariables =
      space == Space::Local || (space == Space::Shared && size == program.staticSharedBytes);
  if (endsWithVariables && !variables.empty()) {
    const PlacedVariable &last = variables.back();
    std::uint64_t end = last.offset + last.bytes;
    if (address >= end)
      text +=
          fmt::format(", and the access begins {} bytes past the end of the variable '{}' of {} "
                      "bytes",
                      address - end, last.name, last.bytes);
  }
  return text;
}

/// A space that is one block of bytes, or one for each lane.
std::uint64_t checkBlock(const Access &access, Space space, const std::byte *bytes,
                         std::uint64_t size, const char *what) {
  checkAlignment(access, space);
  Bounds bounds = boundsOf(access.addresses, access.mask);
  if (bounds.highest >= size || size - bounds.highest < access.bytes) {
    Mask bad = lanesWhere(access.mask, [&](unsigned lane) {
      return access.addresses.at[lane] >= size || size - access.addresses.at[lane] < access.bytes;
    });
    std::uint64_t address = access.addresses.at[__builtin_ctz(bad)];
    raise(access.warp, access.instruction, bad, driver::cudaErrorIllegalAddress, "out-of-bounds",
          fmt::format("{} {} bytes at offset {} of {} memory", verb(access.memory), access.bytes,
                      static_cast<std::int64_t>(address), what),
          extentText(access, space, size, address));
  }
  return reinterpret_cast<std::uintptr_t>(bytes);
}

/// Each lane has its own block of local memory, localStride bytes behind the one before.
std::uint64_t checkLocal(const Access &access) {
  Cta &cta = *access.warp.cta;
  std::uint64_t bias = checkBlock(
      access, Space::Local, cta.local.data() + access.warp.index * lanesPerWarp * cta.localStride,
      cta.program->localBytesPerThread, "a thread's local");
  for (Mask left = access.mask; left != 0; left &= left - 1) {
    auto lane = static_cast<unsigned>(__builtin_ctz(left));
    access.addresses.at[lane] += lane * cta.localStride;
  }
  access.addresses.stride += cta.localStride;
  noteBytes(access, Space::Local, WrittenBytes(cta.localWritten.data()),
            0 - access.warp.index * lanesPerWarp * cta.localStride);
  return bias;
}

std::uint64_t checkSpace(const Access &access, Space space) {
  Cta &cta = *access.warp.cta;
  switch (space) {
  case Space::Shared: {
    std::uint64_t bias = checkBlock(access, Space::Shared, cta.shared.data(), cta.shared.size(),
                                    "the program's shared");
    countShared(access);
    noteBytes(access, Space::Shared, WrittenBytes(cta.sharedWritten.data()), 0);
    return bias;
  }
  case Space::Local:
    return checkLocal(access);
  case Space::Parameter:
    if (access.memory.store)
      raise(access.warp, access.instruction, access.mask, driver::cudaErrorIllegalAddress,
            "out-of-bounds", "writes to the entry's parameters", "they are read-only");
    return checkBlock(access, Space::Parameter, cta.configuration->parameters.data(),
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
    countRequest(access, access.mask);
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
  addresses.inShared = groups[0];
  if (Mask counted = global | groups[0])
    countRequest(access, counted);
}

} // namespace

void checkAccess(Warp &warp, const Instruction &instruction, Mask mask, LaneAddresses &addresses) {
  if (warp.shadow && warp.shadow->redirects()) {
    for (unsigned lane = 0; lane < lanesPerWarp; ++lane)
      addresses.at[lane] = reinterpret_cast<std::uintptr_t>(warp.shadow->bytesOf(lane));
    addresses.isRegular = false;
    return;
  }
  const MemoryAccess &memory = warp.cta->program->accesses[instruction.target];
  Access access{warp, instruction, memory, mask, addresses, accessBytes(memory)};
  if (memory.space == Space::Generic)
    return checkGeneric(access);
  addresses.bias = checkSpace(access, memory.space);
  if (memory.space == Space::Global || memory.space == Space::Shared)
    countRequest(access, mask);
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
