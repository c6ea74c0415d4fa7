// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Errors, chips and log topics.

#include "runtime/base/Chips.h"
#include "runtime/base/Logging.h"
#include "trowel/Error.h"

#include <gtest/gtest.h>

namespace trowel {

TEST(Error, SaysFileLineKernelAndText) {
  Error error("add.cpp", 12, "add", "extents differ");
  EXPECT_STREQ(error.what(), "add.cpp:12: kernel 'add': extents differ");
  EXPECT_EQ(error.file(), "add.cpp");
  EXPECT_EQ(error.line(), 12);
  EXPECT_EQ(error.kernel(), "add");
  EXPECT_EQ(error.text(), "extents differ");
}

TEST(Error, LeavesOutWhatIsUnknown) {
  EXPECT_STREQ(Error("text").what(), "text");
  EXPECT_STREQ(Error("", 0, "add", "text").what(), "kernel 'add': text");
  EXPECT_STREQ(Error("add.cpp", 0, "", "text").what(), "add.cpp: text");
}

TEST(Chips, AreFoundWhateverTheSpelling) {
  ASSERT_NE(findChip("H200"), nullptr);
  EXPECT_EQ(findChip("h200")->multiprocessors, 132);
  EXPECT_EQ(findChip("rtx4090"), findChip("RTX 4090"));
  EXPECT_EQ(findChip("H2000"), nullptr);
}

TEST(Chips, AreNamedForMessages) { EXPECT_EQ(chipNames(), "A100, H100, H200, B200, RTX 4090"); }

TEST(Chips, HavePeaksThatTheirClockCanReach) {
  // An f32 unit does one fma, two operations, a cycle; 64 units on sm_80, 128 on the others.
  for (const Chip &chip : chips()) {
    double units = chip.target == "sm_80" ? 64 : 128;
    double reachable = 2 * units * chip.multiprocessors * chip.clockMegahertz * 1e-6;
    EXPECT_NEAR(chip.f32Teraflops, reachable, 0.02 * reachable) << chip.name;
  }
}

static unsigned bit(LogTopic topic) { return 1u << static_cast<unsigned>(topic); }

TEST(LogTopics, AreSeparatedByCommas) {
  EXPECT_EQ(parseLogTopics("").bits, 0u);
  EXPECT_EQ(parseLogTopics("jit").bits, bit(LogTopic::Jit));
  EXPECT_EQ(parseLogTopics("jit, launch,").bits, bit(LogTopic::Jit) | bit(LogTopic::Launch));
  EXPECT_EQ(parseLogTopics("all").bits, ~0u);
  EXPECT_EQ(parseLogTopics("jit").complaint, "");
}

TEST(LogLine, IsOneLineWithItsTopic) {
  testing::internal::CaptureStderr();
  logLine(LogTopic::Launch, "kernel 'add'");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "trowel: launch: kernel 'add'\n");
}

TEST(LogTopics, NameWordsThatAreNone) {
  LogTopics topics = parseLogTopics("jti,launch,x");
  EXPECT_EQ(topics.bits, bit(LogTopic::Launch));
  EXPECT_EQ(topics.complaint,
            "TROWEL_LOG names 'jti', 'x', which is no topic; there are jit, launch, "
            "device and all, separated by commas");
}

} // namespace trowel
