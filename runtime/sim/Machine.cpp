// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state of the device while it executes: CTA, warps, lane groups.
//
// A warp executes block by block: within a basic block no lane can leave or join, so the inner loop
// does nothing but apply each guard and call each handler; groups, counters and limits are looked
// after once a block. Control handlers move the running group themselves and say so; other blocks
// fall through to the next. A warp whose turn ends within a block stops there: what it has executed
// is a block of its own then.
//
// A warp that has read what nothing wrote leaves that loop for one that follows such values
// (Shadow.cpp).
//
// Every CTA starts from the same bytes: registers are copied from the program's image (constants in
// place, everything else filled with ones), shared and local memory are filled with ones. What a
// kernel reads without having written it is thus the same on every run, and loud: it is a NaN.

#include "runtime/sim/Machine.h"

#include "runtime/sim/AddressSpaces.h"
#include "runtime/sim/Findings.h"
#include "runtime/sim/Shadow.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

namespace trowel::sim {

namespace {
constexpr std::size_t vectorAlignment = 64;
std::size_t roundUp(std::size_t bytes) {
  return (bytes + vectorAlignment - 1) / vectorAlignment * vectorAlignment;
}
} // namespace

void Cta::Free::operator()(std::byte *memory) const { std::free(memory); }

Cta::Cta(const Program &program, const LaunchConfiguration &configuration, DeviceMemory &memory)
    : program(&program), configuration(&configuration), memory(&memory),
      counters(program.accesses.size()), lastRange(program.accesses.size()) {
  std::uint64_t threads =
      std::uint64_t{configuration.block[0]} * configuration.block[1] * configuration.block[2];
  warps.resize((threads + lanesPerWarp - 1) / lanesPerWarp);
  barriers.prepare(warps.size());
  shared.resize(program.staticSharedBytes + configuration.dynamicSharedBytes);
  sharedWritten.resize(WrittenBytes::wordCount(shared.size()));
  banks.resize(shared.empty() ? 0 : program.accesses.size());
  localStride = (program.localBytesPerThread + 15) / 16 * 16;
  local.resize(localStride * warps.size() * lanesPerWarp);
  localWritten.resize(WrittenBytes::wordCount(local.size()));
  registerBytes = roundUp(program.registerImage.size() * sizeof(std::uint32_t));
  if (registerBytes == 0)
    registerBytes = vectorAlignment;
  registerFiles.reset(
      static_cast<std::byte *>(std::aligned_alloc(vectorAlignment, registerBytes * warps.size())));
  if (!registerFiles)
    throw std::bad_alloc();
  for (unsigned index = 0; index < warps.size(); ++index) {
    warps[index].cta = this;
    warps[index].index = index;
    warps[index].registers = registerFiles.get() + index * registerBytes;
  }
}

Cta::~Cta() = default;

Shadow &Cta::shadowOf(Warp &warp, const Instruction &trigger) {
  if (!warp.shadow) {
    shadows.push_back(std::make_unique<Shadow>(warp, registerBytes, program->accesses.size()));
    warp.shadow = shadows.back().get();
    warp.stop = &trigger + 1;
  }
  return *warp.shadow;
}

void Cta::start(std::uint64_t linear) {
  const auto &grid = configuration->grid;
  const auto &block = configuration->block;
  linearPosition = linear;
  position[0] = static_cast<std::uint32_t>(linear % grid[0]);
  position[1] = static_cast<std::uint32_t>(linear / grid[0] % grid[1]);
  position[2] = static_cast<std::uint32_t>(linear / grid[0] / grid[1]);
  if (!shared.empty()) {
    std::memset(shared.data(), 0xff, shared.size());
    std::fill(sharedWritten.begin(), sharedWritten.end(), 0);
  }
  if (!local.empty()) {
    std::memset(local.data(), 0xff, local.size());
    std::fill(localWritten.begin(), localWritten.end(), 0);
  }
  shadows.clear();
  std::uint64_t left = std::uint64_t{block[0]} * block[1] * block[2];
  for (Warp &warp : warps) {
    std::uint64_t lanes = left < lanesPerWarp ? left : lanesPerWarp;
    left -= lanes;
    std::copy(program->registerImage.begin(), program->registerImage.end(),
              warp.at<std::uint32_t>(0));
    setSpecials(warp);
    warp.lanes.start(lanes == lanesPerWarp ? allLanes : (Mask{1} << lanes) - 1);
    warp.state = WarpState::Ready;
    warp.carry = 0;
    warp.instructions = 0;
    warp.shadow = nullptr;
  }
  barriers.start();
}

void Cta::setSpecials(Warp &warp) {
  const auto &grid = configuration->grid;
  const auto &block = configuration->block;
  for (const SpecialRegister &entry : program->specials) {
    auto *words = warp.at<std::uint32_t>(entry.slot);
    auto all = [&](std::uint32_t value) { std::fill_n(words, lanesPerWarp, value); };
    auto each = [&](auto value) {
      for (unsigned lane = 0; lane < lanesPerWarp; ++lane)
        words[lane] = value(lane, warp.index * lanesPerWarp + lane);
    };
    switch (entry.special) {
    case Special::TidX:
      each([&](unsigned, unsigned thread) { return thread % block[0]; });
      break;
    case Special::TidY:
      each([&](unsigned, unsigned thread) { return thread / block[0] % block[1]; });
      break;
    case Special::TidZ:
      each([&](unsigned, unsigned thread) { return thread / block[0] / block[1]; });
      break;
    case Special::NtidX:
      all(block[0]);
      break;
    case Special::NtidY:
      all(block[1]);
      break;
    case Special::NtidZ:
      all(block[2]);
      break;
    case Special::CtaidX:
      all(position[0]);
      break;
    case Special::CtaidY:
      all(position[1]);
      break;
    case Special::CtaidZ:
      all(position[2]);
      break;
    case Special::NctaidX:
      all(grid[0]);
      break;
    case Special::NctaidY:
      all(grid[1]);
      break;
    case Special::NctaidZ:
      all(grid[2]);
      break;
    case Special::LaneId:
      each([](unsigned lane, unsigned) { return lane; });
      break;
    case Special::WarpId:
      all(warp.index);
      break;
    case Special::NumWarps:
      all(static_cast<std::uint32_t>(warps.size()));
      break;
    case Special::SmId:
      all(static_cast<std::uint32_t>(linearPosition % multiprocessors));
      break;
    case Special::NumSms:
      all(multiprocessors);
      break;
    case Special::GridId:
      std::fill_n(warp.at<std::uint64_t>(entry.slot), lanesPerWarp, std::uint64_t{1});
      break;
    case Special::LaneMaskEq:
      each([](unsigned lane, unsigned) { return Mask{1} << lane; });
      break;
    case Special::LaneMaskLt:
      each([](unsigned lane, unsigned) { return (Mask{1} << lane) - 1; });
      break;
    case Special::LaneMaskLe:
      each([](unsigned lane, unsigned) { return (Mask{2} << lane) - 1; });
      break;
    case Special::LaneMaskGe:
      each([](unsigned lane, unsigned) { return ~((Mask{1} << lane) - 1); });
      break;
    case Special::LaneMaskGt:
      each([](unsigned lane, unsigned) { return ~((Mask{2} << lane) - 1); });
      break;
    case Special::DynamicSharedBytes:
      all(configuration->dynamicSharedBytes);
      break;
    case Special::TotalSharedBytes:
      all(static_cast<std::uint32_t>(shared.size()));
      break;
    default:
      break; // read when executed
    }
  }
}

void Cta::run(Warp &warp, std::uint64_t most) {
  const Program &code = *program;
  while (warp.lanes.runnable()) {
    if (most == 0)
      return;
    const std::uint32_t begin = warp.lanes.pc();
    const auto end = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(code.blocks[code.blockOf[begin]].end, begin + most));
    most -= end - begin;
    const Mask active = warp.lanes.mask();
    warp.active = active;
    warp.next = end;
    warp.moved = false;
    std::uint64_t threads = 0;
    const auto activeCount = static_cast<unsigned>(__builtin_popcount(active));
    const Instruction *last = code.instructions.data() + end;
    const Instruction *instruction = code.instructions.data() + begin;
    warp.stop = warp.shadow ? instruction : last;
    for (; instruction != warp.stop; ++instruction) {
      Mask mask = active;
      if (instruction->guard != noGuard) {
        Mask guard = warp.predicate(instruction->guard);
        mask &= instruction->guardNegated ? ~guard : guard;
        threads -= activeCount - static_cast<unsigned>(__builtin_popcount(mask));
        if (mask == 0)
          continue;
      }
      instruction->execute(warp, *instruction, mask);
    }
    threads += std::uint64_t{activeCount} *
               static_cast<std::uint64_t>(instruction - (code.instructions.data() + begin));
    if (warp.shadow)
      threads += warp.shadow->run(instruction, last, active);
    warp.instructions += end - begin;
    counters.warpInstructions += end - begin;
    counters.threadInstructions += threads;
    if (!warp.moved)
      warp.lanes.advance(end);
    if (warp.instructions > configuration->instructionLimit)
      raise(warp, *(last - 1), warp.active, driver::cudaErrorLaunchFailed, "no-progress",
            "was reached after " + std::to_string(warp.instructions) +
                " instructions of one warp, more than a launch may take,",
            "the kernel seems to loop forever");
  }
  warp.state = warp.lanes.finished() ? WarpState::Done : WarpState::Blocked;
}

} // namespace trowel::sim
