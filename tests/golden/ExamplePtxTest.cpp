// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the PTX of the example kernels must not contain, for each target.
//
// A local depot is memory of a thread that lies in DRAM: a kernel that has one has lost an array
// that should be in registers. And the text for an older target must not use what a newer one
// brought; ptxas, where there is one, judges that best, and a list of words always.
#include "examples/kernels/Registry.h"
#include "tests/support/Ptxas.h"

#include <gtest/gtest.h>

using namespace trowel;

namespace {

const char *const targets[] = {"sm_80", "sm_86", "sm_89", "sm_90a", "sm_100a", "sm_120"};

/// The PTX of each example for a target, with and without the facts of a usual launch.
template <class Check> void forEachPtx(const char *target, Check check) {
  for (const examples::NamedKernel &row : examples::allKernels())
    for (Assume assume : {Assume::Typical, Assume::Nothing})
      check(row.name, row.make().ptx(target, assume));
}

TEST(ExamplePtx, HasNoLocalMemory) {
  for (const char *target : targets)
    forEachPtx(target, [&](const char *name, const std::string &ptx) {
      EXPECT_EQ(ptx.find(".local"), std::string::npos) << name << " for " << target;
      EXPECT_EQ(ptx.find("__local_depot"), std::string::npos) << name << " for " << target;
    });
}

TEST(ExamplePtx, OfAnOlderTargetHasNoInstructionOfHopper) {
  const char *const words[] = {
      "wgmma",          "setmaxnreg",   "cp.async.bulk",   "cp.reduce.async.bulk",
      "tensormap",      "mbarrier.try", "barrier.cluster", "cluster",
      "mapa",           "getctarank",   "multimem",        "elect.sync",
      "griddepcontrol", "stmatrix",     "st.async",        "red.async",
      "fence.proxy",    "add.rn.bf16",  "mul.rn.bf16",     "sub.rn.bf16",
      "add.bf16",       "mul.bf16",     "sub.bf16",        ".target sm_90"};
  for (const char *target : {"sm_80", "sm_86", "sm_89"})
    forEachPtx(target, [&](const char *name, const std::string &ptx) {
      EXPECT_NE(ptx.find(std::string(".target ") + target), std::string::npos);
      for (const char *word : words)
        EXPECT_EQ(ptx.find(word), std::string::npos) << word << " in " << name << " for " << target;
    });
}

TEST(ExamplePtx, IsAcceptedByTheAssemblerAndSpillsNothing) {
  if (!trowel::testing::findPtxas())
    GTEST_SKIP() << trowel::testing::noPtxas;
  for (const char *target : targets)
    forEachPtx(target, [&](const char *name, const std::string &ptx) {
      trowel::testing::Assembly assembly = trowel::testing::assemble(ptx, target);
      EXPECT_TRUE(assembly.accepted) << name << " for " << target << ": " << assembly.log;
      EXPECT_NE(assembly.log.find("0 bytes spill stores"), std::string::npos) << assembly.log;
    });
}

} // namespace
