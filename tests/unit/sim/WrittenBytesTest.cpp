// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/sim/WrittenBytes.h"
#include "runtime/sim/Memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace trowel::sim {
namespace {

TEST(WrittenBytes, AnswerAsAnArrayOfBoolsWould) {
  constexpr std::uint64_t size = 300;
  std::vector<WrittenBytes::Word> words(WrittenBytes::wordCount(size));
  WrittenBytes written(words.data());
  std::vector<bool> expected(size);
  std::mt19937_64 random(5);
  for (int round = 0; round < 20000; ++round) {
    std::uint64_t begin = random() % size, count = random() % (size - begin + 1);
    if (random() % 2)
      count = std::min<std::uint64_t>(count, random() % 20);
    auto first = expected.begin() + static_cast<std::ptrdiff_t>(begin);
    auto last = first + static_cast<std::ptrdiff_t>(count);
    switch (random() % 4) {
    case 0:
      written.set(begin, count);
      std::fill(first, last, true);
      break;
    case 1:
      written.clear(begin, count);
      std::fill(first, last, false);
      break;
    default:
      EXPECT_EQ(written.all(begin, count), std::find(first, last, false) == last);
      std::uint32_t missing = 0;
      auto few = static_cast<unsigned>(std::min<std::uint64_t>(count, 32));
      for (unsigned i = 0; i < few; ++i)
        missing |= expected[begin + i] ? 0 : std::uint32_t{1} << i;
      EXPECT_EQ(written.missing(begin, few), missing);
    }
  }
}

TEST(WrittenBytes, OfAnAllocationStartUnwrittenAlsoWhereAnOldOneWas) {
  DeviceMemory memory;
  std::uint64_t a = memory.allocate(100);
  std::uint64_t offset = a - 0xd00000000000;
  EXPECT_EQ(memory.written().missing(offset, 32), 0xffffffffu);
  EXPECT_FALSE(memory.find(a).written);
  memory.write(a + 3, "abcd", 4);
  EXPECT_EQ(memory.written().missing(offset, 8), 0b10000111u);
  memory.fill(a, 0, 100);
  EXPECT_TRUE(memory.written().all(offset, 100));
  EXPECT_TRUE(memory.find(a).written);
}

TEST(WrittenBytes, ASmallWriteDoesNotMakeABufferWritten) {
  DeviceMemory memory;
  std::uint64_t a = memory.allocate(16);
  memory.fill(a, 0, 8);
  memory.fill(a + 8, 0, 4);
  EXPECT_FALSE(memory.find(a).written);
  EXPECT_FALSE(memory.written().all(a - 0xd00000000000, 16));
}

} // namespace
} // namespace trowel::sim
