// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table behind Target.h.
//
// Compute capabilities are not an order of features: wgmma exists on 9.0 alone, and 12.0 has TMA
// but neither tensor memory nor more than 99 KB of shared memory. A pass that compared numbers
// would be right by luck, so passes ask for features and this file is the only one that knows who
// has which.
//
// Every feature row was put to ptxas 13.0: tests/unit/ptx/TargetTest.cpp assembles one instruction
// per feature and target and expects exactly what the table says. `ptxVersion` is the least that
// LLVM 22 accepts for the target (it refuses less); higher versions only narrow the set of drivers.
// The oldest driver that Trowel supports, CUDA 12.0, reads 8.0.
//
// The `a` targets are tied to their chip. Other chips take the newest row before theirs that is
// not: PTX is forward compatible, so an sm_86 kernel runs on 8.7 and an sm_89 kernel on 10.3.
#include "compiler/Target.h"

#include <fmt/format.h>

#include <iterator>
#include <string>

namespace trowel::compiler {

namespace {

constexpr int kib = 1024;

// What sm_80 has, and every later target too.
constexpr Target ampere{
    .name = "sm_80",
    .major = 8,
    .minor = 0,
    .onlyThisChip = false,
    .ptxVersion = 70,
    .maxSharedBytes = 163 * kib,
    .maxStaticSharedBytes = 48 * kib,
    .maxThreads = 1024,
    .registersPerThread = 255,
    .registersPerSm = 64 * kib,
    .warpsPerSm = 64,
    .cpAsync = true,
    .ldmatrix = true,
    .stmatrix = false,
    .mbarrier = true,
    .mbarrierTransaction = false,
    .tma = false,
    .clusters = false,
    .electSync = false,
    .dependentLaunch = false,
    .setMaxRegisters = false,
    .mmaSync = true,
    .mmaSyncFp8 = false,
    .wgmma = false,
    .tcgen05 = false,
    .bf16Fma = true,
    .bf16Arithmetic = false,
    .convertFloatToBf16 = true,
    .convertBf16ToFloat = false,
    .convertIntToBf16 = false,
    .convertFp8 = false,
    .approximateBf16 = false,
    .packedFloat = false,
    .maxNan = true,
    .warpReduceInt = true,
    .warpReduceFloat = false,
    .atomicAddBf16x2 = false,
};

constexpr Target ampereConsumer() {
  Target t = ampere;
  t.name = "sm_86";
  t.minor = 6;
  t.ptxVersion = 71;
  t.maxSharedBytes = 99 * kib;
  t.warpsPerSm = 48;
  t.convertBf16ToFloat = true; // since PTX 7.1, so not at sm_80's 7.0
  return t;
}

constexpr Target ada() {
  Target t = ampereConsumer();
  t.name = "sm_89";
  t.minor = 9;
  t.ptxVersion = 78;
  return t;
}

constexpr Target hopper() {
  Target t = ampere;
  t.name = "sm_90a";
  t.major = 9;
  t.onlyThisChip = true;
  t.ptxVersion = 80;
  t.maxSharedBytes = 227 * kib;
  t.stmatrix = t.mbarrierTransaction = t.tma = t.clusters = t.electSync = t.dependentLaunch = true;
  t.setMaxRegisters = t.wgmma = true;
  t.bf16Arithmetic = t.convertBf16ToFloat = t.convertIntToBf16 = true;
  t.convertFp8 = t.approximateBf16 = t.atomicAddBf16x2 = true;
  return t;
}

constexpr Target blackwell() {
  Target t = hopper();
  t.name = "sm_100a";
  t.major = 10;
  t.ptxVersion = 86;
  t.wgmma = false;
  t.tcgen05 = t.packedFloat = t.warpReduceFloat = true;
  t.mmaSyncFp8 = true;
  return t;
}

constexpr Target blackwellConsumer() {
  Target t = blackwell();
  t.name = "sm_120";
  t.major = 12;
  t.onlyThisChip = false;
  t.ptxVersion = 87;
  t.maxSharedBytes = 99 * kib;
  t.warpsPerSm = 48;
  t.tcgen05 = t.warpReduceFloat = t.setMaxRegisters = false;
  return t;
}

constexpr Target table[] = {ampere,   ampereConsumer(), ada(),
                            hopper(), blackwell(),      blackwellConsumer()};

std::string namesOfAll() {
  std::string names;
  for (const Target &target : table)
    names += fmt::format("{}{}", &target == table ? "" : ", ", target.name);
  return names;
}

} // namespace

std::span<const Target> knownTargets() { return table; }

Result<const Target *> findTarget(std::string_view name) {
  for (const Target &target : table)
    if (name == target.name)
      return &target;
  for (const Target &target : table)
    if (std::string(name) + "a" == target.name || name == std::string(target.name) + "a")
      return Failure{fmt::format("unknown target '{}': did you mean '{}'? Trowel compiles for {}",
                                 name, target.name, namesOfAll())};
  return Failure{fmt::format("unknown target '{}': Trowel compiles for {}", name, namesOfAll())};
}

Result<const Target *> targetForChip(int major, int minor) {
  const Target *best = nullptr;
  for (const Target &target : table) {
    bool same = target.major == major && target.minor == minor;
    bool earlier = target.major < major || (target.major == major && target.minor < minor);
    if (same || (earlier && !target.onlyThisChip))
      best = &target;
  }
  if (best)
    return best;
  return Failure{
      fmt::format("a chip of compute capability {}.{} is older than {}.{}, the oldest that "
                  "Trowel compiles for ({})",
                  major, minor, table[0].major, table[0].minor, namesOfAll())};
}

} // namespace trowel::compiler
