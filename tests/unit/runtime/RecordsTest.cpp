// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Records of a launch: from bytes to lines, whatever the bytes are.

#include "runtime/base/Records.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace trowel::records {

using testing::ElementsAre;

static RecordSite site(std::vector<std::int64_t> extents, std::vector<ElementType> types,
                       std::vector<std::string> texts, bool isCheck = false) {
  RecordSite result;
  result.isCheck = isCheck;
  result.file = "k.cpp";
  result.line = 7;
  result.extents = std::move(extents);
  result.types = std::move(types);
  result.texts = std::move(texts);
  return result;
}

static Told readWords(const std::vector<RecordSite> &sites, const std::vector<std::uint32_t> &words,
                      std::uint64_t lostPrints = 0, std::uint64_t lostFailures = 0) {
  Manifest manifest;
  manifest.kernel = "k";
  manifest.records = sites;
  return read(manifest, Header{4 * words.size(), lostPrints, lostFailures, 1 << 20},
              std::as_bytes(std::span(words)));
}

static std::vector<std::string> texts(const Told &told) {
  std::vector<std::string> all;
  for (const Printed &line : told.prints)
    all.push_back(line.text);
  return all;
}

TEST(Records, AreSortedByProgramCountAndElement) {
  auto record = [](std::uint32_t count, std::uint32_t x, std::uint32_t yz, std::uint32_t element,
                   std::uint32_t value) {
    return std::vector<std::uint32_t>{0, count, x, yz, element, value};
  };
  std::vector<std::uint32_t> words;
  for (const auto &each : {record(0, 1, 0, 0, 5), record(0, 0, 1 << 16, 0, 7),
                           record(0, 0, 1, 0, 6), record(1, 0, 0, 0, 3), record(0, 0, 0, 10, 2),
                           record(0, 0, 0, 9, 1), record(1, 0, 0, 1, 4)})
    words.insert(words.end(), each.begin(), each.end());
  Told told = readWords({site({4, 3}, {ElementType::Int32}, {"", ""})}, words);
  EXPECT_THAT(texts(told), ElementsAre("1", "2", "3", "4", "5", "6", "7"));
  EXPECT_EQ(told.prints[1].toString(), "k.cpp:7: kernel 'k' (0, 0, 0) [3, 1]: 2");
  EXPECT_EQ(told.prints[6].toString(), "k.cpp:7: kernel 'k' (0, 0, 1) [0, 0]: 7");
  EXPECT_FALSE(told.failure);
}

TEST(Records, HoldValuesOf64BitsInTwoWords) {
  Told told = readWords(
      {site({}, {ElementType::Int64, ElementType::Bool, ElementType::UInt64}, {"", " ", " ", "!"})},
      {0, 0, 0, 0, 0, 0xfffffff9, 0xffffffff, 1, 0xfffffff9, 0xffffffff});
  EXPECT_THAT(texts(told), ElementsAre("-7 true 18446744073709551609!"));
}

TEST(Records, EndWhereTheyCannotBeTheKernels) {
  std::vector<RecordSite> sites{site({}, {ElementType::Int32}, {"", ""})};
  EXPECT_THAT(texts(readWords(sites, {})), ElementsAre());
  EXPECT_THAT(texts(readWords(sites, {0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0})), ElementsAre("1"));
  EXPECT_THAT(texts(readWords(sites, {0, 0, 0, 0, 0, 1, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2})),
              ElementsAre("1"));
  EXPECT_THAT(texts(readWords({}, {0, 0, 0, 0, 0, 1})), ElementsAre());
}

TEST(Records, ThatDidNotFitAreCounted) {
  Told told = readWords({site({}, {}, {"x"})}, {0, 0, 0, 0, 0, 0}, 1234);
  ASSERT_EQ(told.prints.size(), 2u);
  EXPECT_EQ(told.prints[1].lost, 1234u);
  EXPECT_EQ(told.prints[1].toString(),
            "kernel 'k': and 1234 more that did not fit the 1048576 bytes of a launch; set "
            "TROWEL_PRINT_BYTES to more");
}

TEST(Records, OfChecksAreOneError) {
  std::vector<RecordSite> sites{site({}, {ElementType::Int32}, {"n = ", ""}, true)};
  Told told = readWords(sites, {0, 0, 2, 0, 0, 5, 0, 0, 1, 0, 0, 6}, 0, 3);
  ASSERT_TRUE(told.failure);
  EXPECT_STREQ(told.failure->what(), "k.cpp:7: kernel 'k': check failed in program (1, 0, 0): n = "
                                     "6; and 4 more");
  told = readWords(sites, {}, 0, 3);
  ASSERT_TRUE(told.failure);
  EXPECT_STREQ(told.failure->what(),
               "kernel 'k': checks failed 3 times; which, did not fit the buffer that prints had "
               "filled: set TROWEL_PRINT_BYTES to more");
}

template <class T> static void expectFewestDigits(ElementType type) {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    T value;
    auto narrow = static_cast<std::uint16_t>(bits);
    std::memcpy(&value, &narrow, sizeof value);
    std::string text = texts(readWords({site({}, {type}, {"", ""})}, {0, 0, 0, 0, 0, bits})).at(0);
    float number = static_cast<float>(value);
    if (std::isnan(number)) {
      ASSERT_THAT(text, testing::AnyOf("nan", "-nan"));
      continue;
    }
    T again(std::strtof(text.c_str(), nullptr));
    ASSERT_EQ(std::memcmp(&again, &value, sizeof value), 0) << text << " of " << bits;
    // One digit fewer is another number.
    std::size_t digits = 0;
    for (char c : text.substr(0, text.find('e')))
      digits += c >= '0' && c <= '9';
    ASSERT_LE(digits, 9u) << text;
  }
}

TEST(Records, EachF16AndBf16IsReadBackFromItsText) {
  expectFewestDigits<f16>(ElementType::Float16);
  expectFewestDigits<bf16>(ElementType::BFloat16);
}

TEST(Records, RoomIsWhatTheEnvironmentSays) {
  struct Restored {
    ~Restored() { unsetenv("TROWEL_PRINT_BYTES"); }
  } restored;
  EXPECT_EQ(bufferBytes(), headerBytes + (std::size_t{1} << 20));
  setenv("TROWEL_PRINT_BYTES", "4095", 1);
  EXPECT_EQ(bufferBytes(), headerBytes + std::size_t{4088});
  for (const char *wrong : {"0", "1023", "-1", "1e6", "4096 ", "99999999999999999999", "x"}) {
    setenv("TROWEL_PRINT_BYTES", wrong, 1);
    EXPECT_THROW(bufferBytes(), Error) << wrong;
  }
}

} // namespace trowel::records
