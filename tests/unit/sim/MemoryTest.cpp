// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Programs.h"

#include "runtime/sim/AddressSpaces.h"
#include "runtime/sim/Memory.h"

#include <gmock/gmock.h>

#include <cstring>

namespace trowel::sim {
namespace {

using testing::HasSubstr;

TEST(DeviceMemory, AllocationsAreAlignedApartAndFilledWithOnes) {
  DeviceMemory memory;
  std::uint64_t a = memory.allocate(1000), b = memory.allocate(1);
  EXPECT_EQ(a % 512, 0u);
  EXPECT_EQ(b % 512, 0u);
  EXPECT_GE(b, a + 1000 + 256);
  EXPECT_EQ(memory.host(a)[999], std::byte{0xff});
  EXPECT_TRUE(memory.contains(a, 1000));
  EXPECT_FALSE(memory.contains(a, 1001));
  EXPECT_FALSE(memory.contains(a + 1000, 1));
  EXPECT_FALSE(memory.contains(a - 1, 1));
  EXPECT_EQ(memory.usedBytes(), 1001u);
}

TEST(DeviceMemory, FreesOnlyWhatItGave) {
  DeviceMemory memory;
  std::uint64_t a = memory.allocate(64);
  EXPECT_FALSE(memory.free(a + 8));
  EXPECT_FALSE(memory.free(0));
  EXPECT_TRUE(memory.free(a));
  EXPECT_FALSE(memory.free(a));
  EXPECT_EQ(memory.usedBytes(), 0u);
}

TEST(DeviceMemory, CopiesKeepWhatNothingWrote) {
  DeviceMemory memory;
  std::uint64_t from = memory.allocate(40), to = memory.allocate(40);
  memory.fill(from + 3, 7, 20);
  memory.fill(to, 9, 40);
  EXPECT_TRUE(memory.find(to).written);
  memory.copy(to + 1, from, 30);
  EXPECT_FALSE(memory.find(to).written);
  for (std::uint64_t i = 0; i < 40; ++i) {
    bool isCopied = i >= 1 && i < 31, wasWritten = !isCopied || (i >= 4 && i < 24);
    EXPECT_EQ(memory.written().all(to + i - globalBase, 1), wasWritten) << i;
    EXPECT_EQ(memory.host(to)[i], std::byte(!isCopied ? 9 : wasWritten ? 7 : 0xff)) << i;
  }
  memory.copy(from, to + 4, 20);
  EXPECT_TRUE(memory.written().all(from - globalBase, 20));
}

TEST(DeviceMemory, AddressesAreReusedWhenTheSpaceIsUsedUp) {
  DeviceMemory memory;
  std::uint64_t half = memory.totalBytes() / 16;
  std::vector<std::uint64_t> held;
  // Nothing is touched but the first page of each, because each is freed at once.
  std::uint64_t small = memory.allocate(4096);
  for (int round = 0; round < 3; ++round)
    held.push_back(memory.allocate(4096));
  EXPECT_EQ(memory.allocate(memory.totalBytes() + 1), 0u);
  EXPECT_EQ(memory.allocate(0), 0u);
  EXPECT_NE(small, held[0]);
  EXPECT_GT(half, 0u);
}

TEST(DeviceMemory, DescribesWhatIsNearest) {
  DeviceMemory memory;
  EXPECT_EQ(memory.describe(0xd00000000000, 4), "nothing is allocated on the device");
  std::uint64_t a = memory.allocate(100);
  EXPECT_EQ(memory.describe(8, 4), "it is a null pointer plus a small offset");
  EXPECT_THAT(memory.describe(a + 104, 4), HasSubstr("100 bytes"));
  EXPECT_THAT(memory.describe(a + 104, 4), HasSubstr("begins 4 bytes past its end"));
  EXPECT_THAT(memory.describe(a - 16, 4), HasSubstr("begins 16 bytes before its start"));
  EXPECT_THAT(memory.describe(a + 98, 4), HasSubstr("begins 2 bytes before the end of the buffer"));
  std::uint64_t b = memory.allocate(16, "table");
  EXPECT_THAT(memory.describe(b + 20, 4), HasSubstr("variable 'table' has 16 bytes"));
  memory.free(a);
  EXPECT_THAT(memory.describe(a + 4, 4), HasSubstr("in a buffer of 100 bytes"));
  EXPECT_THAT(memory.describe(a + 4, 4), HasSubstr("that was freed"));
}

Finding faultOf(const std::string &body, std::uint64_t words) {
  Program program = decoded(kernelText(".param .u64 x", R"(
    mov.u32 %r0, %tid.x; ld.param.u64 %d0, [x]; mad.wide.u32 %d1, %r0, 4, %d0;
)" + body + " ret;"));
  Trial run;
  run.buffers = {std::vector<std::uint32_t>(words)};
  LaunchOutcome outcome = run(program);
  return outcome.fault ? outcome.fault->finding : Finding{};
}

TEST(Findings, TheLastElementIsInBoundsTheNextIsNot) {
  EXPECT_EQ(faultOf("ld.global.b32 %r1, [%d1];", 32).kind, "");
  Finding finding = faultOf("ld.global.b32 %r1, [%d1];", 31);
  EXPECT_EQ(finding.kind, "out-of-bounds");
  EXPECT_EQ(finding.kernel, "k");
  EXPECT_EQ(finding.ptxLine, 11);
  EXPECT_THAT(finding.text, HasSubstr("lane 31"));
  EXPECT_THAT(finding.text, HasSubstr("begins 0 bytes past its end"));
}

TEST(Findings, MaskedLanesMayPointAnywhere) {
  EXPECT_EQ(faultOf("setp.lt.u32 %p0, %r0, 4; @%p0 ld.global.b32 %r1, [%d1];", 4).kind, "");
  EXPECT_EQ(faultOf("setp.lt.u32 %p0, %r0, 5; @%p0 ld.global.b32 %r1, [%d1];", 4).kind,
            "out-of-bounds");
}

TEST(Findings, EveryLaneIsCheckedNotOnlyTheEnds) {
  // Lane 5 alone points into the red zone between two buffers.
  Program program = decoded(kernelText(".param .u64 x, .param .u64 y", R"(
    mov.u32 %r0, %tid.x; ld.param.u64 %d0, [x]; ld.param.u64 %d1, [y];
    setp.lt.u32 %p0, %r0, 16; selp.b64 %d2, %d0, %d1, %p0;
    setp.eq.u32 %p1, %r0, 5; @%p1 add.u64 %d2, %d0, 24;
    ld.global.b32 %r1, [%d2];
    ret;)"));
  Trial run;
  run.buffers = {{1, 2, 3, 4}, {5, 6, 7, 8}};
  LaunchOutcome outcome = run(program);
  ASSERT_TRUE(outcome.fault);
  EXPECT_THAT(outcome.fault->finding.text, HasSubstr("lane 5 "));
  EXPECT_THAT(outcome.fault->finding.text, HasSubstr("begins 8 bytes past its end"));
}

TEST(Findings, MisalignedAccessesNameTheMultiple) {
  Finding finding = faultOf("st.global.b32 [%d0+6], %r0;", 32);
  EXPECT_EQ(finding.kind, "misaligned");
  EXPECT_THAT(finding.text, HasSubstr("not a multiple of 4"));
  EXPECT_EQ(faultOf("ld.global.v2.b32 {%r1, %r2}, [%d0+4];", 32).kind, "misaligned");
  EXPECT_EQ(faultOf("ld.global.v2.b32 {%r1, %r2}, [%d0+8];", 32).kind, "");
}

TEST(Findings, ParametersAreReadOnlyInEverySpelling) {
  EXPECT_THAT(faultOf("mov.u64 %d2, x; cvta.param.u64 %d2, %d2; st.b32 [%d2], %r0;", 32).text,
              HasSubstr("they are read-only"));
}

TEST(Findings, WindowsOfOtherSpacesAreNoGlobalMemory) {
  EXPECT_EQ(faultOf(".shared .b32 s[4]; mov.u64 %d2, s; cvta.shared.u64 %d2, %d2; "
                    "ld.global.b32 %r1, [%d2];",
                    32)
                .kind,
            "out-of-bounds");
  EXPECT_EQ(faultOf("ld.global.b32 %r1, [-8];", 32).kind, "out-of-bounds");
}

} // namespace
} // namespace trowel::sim
