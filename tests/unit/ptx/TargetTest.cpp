// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of targets against the assembler: each feature has an instruction, and ptxas accepts it
// for exactly the targets that claim the feature, at the lowest PTX version of each.
#include "compiler/Target.h"
#include "tests/support/Ptxas.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <set>
#include <string>

namespace trowel::compiler {

using ::testing::HasSubstr;

namespace {

struct Probe {
  const char *feature;
  bool Target::*claimed;
  const char *instruction;
};

const Probe probes[] = {
    {"cpAsync", &Target::cpAsync, "cp.async.cg.shared.global [s], [g], 16;"},
    {"ldmatrix", &Target::ldmatrix, "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {r0}, [s];"},
    {"stmatrix", &Target::stmatrix, "stmatrix.sync.aligned.m8n8.x1.shared.b16 [s], {r0};"},
    {"mbarrier", &Target::mbarrier, "mbarrier.init.shared.b64 [s], 1;"},
    {"mbarrierTransaction", &Target::mbarrierTransaction,
     "mbarrier.arrive.expect_tx.shared.b64 g, [s], 16;"},
    {"tma", &Target::tma,
     "cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes [s], [g, {r0}], "
     "[s];"},
    {"clusters", &Target::clusters, "barrier.cluster.arrive;"},
    {"electSync", &Target::electSync, "elect.sync r0|p, -1;"},
    {"dependentLaunch", &Target::dependentLaunch, "griddepcontrol.wait;"},
    {"setMaxRegisters", &Target::setMaxRegisters, "setmaxnreg.inc.sync.aligned.u32 240;"},
    {"mmaSync", &Target::mmaSync,
     "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {f0,f0,f0,f0}, {r0,r0,r0,r0}, {r0,r0}, "
     "{f0,f0,f0,f0};"},
    {"mmaSyncFp8", &Target::mmaSyncFp8,
     "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {f0,f0,f0,f0}, {r0,r0,r0,r0}, {r0,r0}, "
     "{f0,f0,f0,f0};"},
    {"wgmma", &Target::wgmma, "wgmma.fence.sync.aligned;"},
    {"tcgen05", &Target::tcgen05, "tcgen05.wait::ld.sync.aligned;"},
    {"bf16Fma", &Target::bf16Fma, "fma.rn.bf16 h0, h0, h0, h0;"},
    {"bf16Arithmetic", &Target::bf16Arithmetic, "add.rn.bf16 h0, h0, h0;"},
    {"bf16Arithmetic, packed", &Target::bf16Arithmetic, "mul.rn.bf16x2 r0, r0, r0;"},
    {"convertFloatToBf16", &Target::convertFloatToBf16, "cvt.rn.bf16x2.f32 r0, f0, f0;"},
    {"convertBf16ToFloat", &Target::convertBf16ToFloat, "cvt.f32.bf16 f0, h0;"},
    {"convertIntToBf16", &Target::convertIntToBf16, "cvt.rn.bf16.s32 h0, r0;"},
    {"convertFp8", &Target::convertFp8, "cvt.rn.satfinite.e4m3x2.f32 h0, f0, f0;"},
    {"approximateBf16", &Target::approximateBf16, "tanh.approx.bf16 h0, h0;"},
    {"approximateBf16, exponential", &Target::approximateBf16, "ex2.approx.ftz.bf16 h0, h0;"},
    {"packedFloat", &Target::packedFloat, "add.rn.f32x2 g, g, g;"},
    {"maxNan", &Target::maxNan, "max.NaN.f32 f0, f0, f0;"},
    {"warpReduceInt", &Target::warpReduceInt, "redux.sync.add.s32 r0, r0, -1;"},
    {"warpReduceFloat", &Target::warpReduceFloat, "redux.sync.min.f32 f0, f0, -1;"},
    {"atomicAddBf16x2", &Target::atomicAddBf16x2, "red.global.add.noftz.bf16x2 [g], r0;"},
};

std::string programOf(const Target &target, const char *instruction) {
  return fmt::format(R"(.version {}.{}
.target {}
.address_size 64
.visible .entry k()
.reqntid 128
.minnctapersm 1
{{
.reg .b16 h0;
.reg .b32 r0, s;
.reg .f32 f0;
.reg .b64 g;
.reg .pred p;
mov.b32 r0, 0;
mov.b32 s, 0;
mov.b64 g, 0;
mov.b16 h0, 0;
mov.f32 f0, 0f00000000;
{}
ret;
}}
)",
                     target.ptxVersion / 10, target.ptxVersion % 10, target.name, instruction);
}

} // namespace

TEST(Target, ClaimsExactlyWhatPtxasAccepts) {
  if (!trowel::testing::findPtxas())
    GTEST_SKIP() << trowel::testing::noPtxas;
  for (const Target &target : knownTargets())
    for (const Probe &probe : probes) {
      auto assembly = trowel::testing::assemble(programOf(target, probe.instruction), target.name);
      EXPECT_EQ(assembly.accepted, target.*probe.claimed)
          << probe.feature << " on " << target.name << ": " << probe.instruction << "\n"
          << assembly.log;
    }
}

TEST(Target, LimitsAreWhatPtxasAccepts) {
  if (!trowel::testing::findPtxas())
    GTEST_SKIP() << trowel::testing::noPtxas;
  for (const Target &target : knownTargets()) {
    auto withShared = [&](int bytes) {
      return trowel::testing::assemble(fmt::format(".version {}.{}\n.target {}\n.address_size "
                                                   "64\n.visible .entry k()\n{{\n.shared .b8 "
                                                   "buffer[{}];\nret;\n}}\n",
                                                   target.ptxVersion / 10, target.ptxVersion % 10,
                                                   target.name, bytes),
                                       target.name)
          .accepted;
    };
    EXPECT_TRUE(withShared(target.maxStaticSharedBytes)) << target.name;
    EXPECT_FALSE(withShared(target.maxSharedBytes + 16)) << target.name;
  }
}

TEST(Target, IsFoundByName) {
  std::set<std::string> names;
  for (const Target &target : knownTargets()) {
    names.insert(target.name);
    auto found = findTarget(target.name);
    ASSERT_TRUE(found);
    EXPECT_EQ(*found, &target);
  }
  EXPECT_EQ(names,
            (std::set<std::string>{"sm_80", "sm_86", "sm_89", "sm_90a", "sm_100a", "sm_120"}));
}

TEST(Target, UnknownNameListsTheKnownOnes) {
  auto found = findTarget("sm_75");
  ASSERT_FALSE(found);
  EXPECT_EQ(
      found.error(),
      "unknown target 'sm_75': Trowel compiles for sm_80, sm_86, sm_89, sm_90a, sm_100a, sm_120");
  EXPECT_FALSE(findTarget(""));
  EXPECT_FALSE(findTarget("SM_80"));
}

TEST(Target, NameWithoutItsSuffixIsSuggested) {
  EXPECT_THAT(findTarget("sm_90").error(), HasSubstr("did you mean 'sm_90a'?"));
  EXPECT_THAT(findTarget("sm_120a").error(), HasSubstr("did you mean 'sm_120'?"));
}

TEST(Target, OfAChipIsTheNewestThatRunsThere) {
  struct {
    int major, minor;
    const char *name;
  } chips[] = {{8, 0, "sm_80"},  {8, 6, "sm_86"},   {8, 7, "sm_86"},
               {8, 9, "sm_89"},  {9, 0, "sm_90a"},  {10, 0, "sm_100a"},
               {10, 3, "sm_89"}, {12, 0, "sm_120"}, {12, 1, "sm_120"}};
  for (auto [major, minor, name] : chips) {
    auto found = targetForChip(major, minor);
    ASSERT_TRUE(found) << major << "." << minor;
    EXPECT_STREQ((*found)->name, name) << major << "." << minor;
  }
  EXPECT_EQ(targetForChip(7, 5).error(),
            "a chip of compute capability 7.5 is older than 8.0, the oldest that Trowel "
            "compiles for (sm_80, sm_86, sm_89, sm_90a, sm_100a, sm_120)");
}

} // namespace trowel::compiler
