// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state of the device while it executes: CTA, warps, lane groups.
#pragma once

#include "runtime/sim/Banks.h"
#include "runtime/sim/Barriers.h"
#include "runtime/sim/Counters.h"
#include "runtime/sim/Divergence.h"
#include "runtime/sim/Memory.h"
#include "runtime/sim/ptx/Program.h"

#include <map>
#include <memory>

namespace trowel::sim {

struct Cta;
class Shadow;

/// What is the same for every CTA of a launch.
struct LaunchConfiguration {
  std::array<std::uint32_t, 3> grid{1, 1, 1};
  std::array<std::uint32_t, 3> block{1, 1, 1};
  std::uint32_t dynamicSharedBytes = 0;
  /// The entry's parameters as they lie in parameter space.
  std::vector<std::byte> parameters;
  /// Host threads that execute CTAs; 0 for as many as the host has.
  unsigned hostThreads = 0;
  /// A warp that executes more instructions than this is taken to loop forever.
  std::uint64_t instructionLimit = std::uint64_t{1} << 32;
  /// The order of warps and CTAs: 0 for the order of their numbers, else one made of this number.
  std::uint64_t seed = 0;
};

enum class WarpState : std::uint8_t { Ready, Blocked, Done };

struct Warp {
  Cta *cta = nullptr;
  unsigned index = 0;
  WarpState state = WarpState::Ready;
  Divergence lanes;
  /// The register file; slots are byte offsets in it.
  std::byte *registers = nullptr;
  /// Carry flags of add.cc and its like.
  Mask carry = 0;
  /// Set by a handler that moved the running group itself.
  bool moved = false;
  /// Lanes of the running group, whatever the guard of the instruction at hand.
  Mask active = 0;
  /// Position behind the block at hand: where lanes go that do not branch.
  std::uint32_t next = 0;
  std::uint64_t instructions = 0;
  /// Where the loop over the block's instructions ends: at the block's end, or earlier behind a
  /// load that got the warp a shadow.
  const Instruction *stop = nullptr;
  /// Once the warp has read what nothing wrote; the CTA's.
  Shadow *shadow = nullptr;

  template <class T> T *at(Slot slot) { return reinterpret_cast<T *>(registers + slot); }
  template <class T> const T *at(Slot slot) const {
    return reinterpret_cast<const T *>(registers + slot);
  }
  Mask predicate(Slot slot) const { return *at<Mask>(slot); }
};

/// A use of what an access read from memory that nothing wrote.
struct UnwrittenRead {
  std::uint64_t cta = 0;
  Finding finding;
};

/// One CTA at work. A worker makes one and uses it for CTA after CTA.
struct Cta {
  Cta(const Program &program, const LaunchConfiguration &configuration, DeviceMemory &memory);
  ~Cta();

  const Program *program;
  const LaunchConfiguration *configuration;
  DeviceMemory *memory;
  LaunchCounters counters;
  std::uint64_t linearPosition = 0;
  std::array<std::uint32_t, 3> position{};
  std::vector<std::byte> shared;
  std::vector<WrittenBytes::Word> sharedWritten;
  std::vector<Warp> warps;
  Barriers barriers;
  /// Local memory of the CTA's threads, one block of localStride bytes each.
  std::vector<std::byte> local;
  std::uint64_t localStride = 0;
  std::vector<WrittenBytes::Word> localWritten;
  // One an access:
  /// The allocation that it hit last.
  std::vector<MemoryRange> lastRange;
  std::vector<BankMemo> banks;
  /// The first finding of each access, by its index, of all CTAs that this one was.
  std::map<std::uint32_t, UnwrittenRead> unwrittenReads;

  /// Makes everything as it is before the first instruction of the CTA at `linear`.
  void start(std::uint64_t linear);
  /// Executes until the warp is done, blocked or has executed `most` instructions. Throws Fault.
  void run(Warp &warp, std::uint64_t most);
  /// The warp's shadow, made if it has none; `trigger` is the load that needs it.
  Shadow &shadowOf(Warp &warp, const Instruction &trigger);

private:
  struct Free {
    void operator()(std::byte *memory) const;
  };
  std::unique_ptr<std::byte[], Free> registerFiles;
  std::size_t registerBytes = 0;
  std::vector<std::unique_ptr<Shadow>> shadows;

  void setSpecials(Warp &warp);
};

} // namespace trowel::sim
