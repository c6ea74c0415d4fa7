// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Facts of launch arguments, at every value that could be taken for another.
#include "runtime/jit/Facts.h"

#include <gtest/gtest.h>

namespace trowel::jit {
namespace {

using detail::Parameter;

constexpr Parameter pointer{Parameter::Kind::Pointer, ElementType::Float32, false};
constexpr Parameter index{Parameter::Kind::Index, ElementType::Int64, true};
constexpr Parameter narrow{Parameter::Kind::Scalar, ElementType::Int32, true};
constexpr Parameter fraction{Parameter::Kind::Scalar, ElementType::Float32, true};

LaunchArgument pointerTo(std::uint64_t address) {
  LaunchArgument argument;
  argument.kind = LaunchArgument::Kind::Pointer;
  argument.type = ElementType::Float32;
  argument.bits = address;
  return argument;
}

std::string factsOf(const Parameter &parameter, const LaunchArgument &argument) {
  return Facts(std::span(&parameter, 1), std::span(&argument, 1)).text();
}

TEST(Facts, APointerIsAlignedToSixteenBytesOrEightOrFour) {
  for (ElementType type : {ElementType::Int8, ElementType::Bool, ElementType::BFloat16,
                           ElementType::Float32, ElementType::Float64}) {
    const Parameter parameter{Parameter::Kind::Pointer, type, false};
    for (std::uint64_t address = 0; address < 64; address += byteSize(type)) {
      // What the type of the elements says anyway is no fact.
      std::string expected = address % 16 == 0                        ? "1"
                             : address % 8 == 0 && byteSize(type) < 8 ? "2"
                             : address % 4 == 0 && byteSize(type) < 4 ? "4"
                                                                      : "0";
      EXPECT_EQ(factsOf(parameter, pointerTo(address)), expected) << name(type) << ' ' << address;
    }
  }
}

TEST(Facts, AnIndexIsDivisibleOrOneAndNarrowOrWide) {
  constexpr int64 wide = int64{1} << 31;
  struct Case {
    int64 value;
    const char *facts;
  };
  for (Case given :
       {Case{0, "a"},    {1, "c"},        {2, "8"},        {4, "9"},         {8, "b"},
        {-8, "b"},       {12, "9"},       {24, "b"},       {16, "a"},        {-16, "a"},
        {-1, "8"},       {17, "8"},       {wide - 1, "8"}, {wide, "2"},      {wide + 1, "0"},
        {wide + 4, "1"}, {wide + 8, "3"}, {-wide, "a"},    {-wide - 1, "0"}, {INT64_MIN, "2"},
        {INT64_MAX, "0"}})
    EXPECT_EQ(factsOf(index, LaunchArgument(given.value)), given.facts) << given.value;
}

TEST(Facts, AnInt32IsReadWithItsSign) {
  EXPECT_EQ(factsOf(narrow, LaunchArgument(int32{-32})), "a");
  EXPECT_EQ(factsOf(narrow, LaunchArgument(int32{-1})), "8");
  EXPECT_EQ(factsOf(narrow, LaunchArgument(int32{1})), "c");
}

TEST(Facts, AnUnsignedIntegerIsDivisibleOrOne) {
  constexpr Parameter natural{Parameter::Kind::Scalar, ElementType::UInt32, true};
  EXPECT_EQ(factsOf(natural, LaunchArgument(uint32{0xfffffff0u})), "2");
  EXPECT_EQ(factsOf(natural, LaunchArgument(uint32{1})), "4");
  constexpr Parameter wide{Parameter::Kind::Scalar, ElementType::UInt64, true};
  EXPECT_EQ(factsOf(wide, LaunchArgument(uint64{1} << 63)), "2");
  EXPECT_EQ(factsOf(wide, LaunchArgument(uint64{48})), "a");
}

TEST(Facts, NothingIsAskedOfNarrowIntegers) {
  constexpr Parameter byte{Parameter::Kind::Scalar, ElementType::UInt8, true};
  EXPECT_EQ(factsOf(byte, LaunchArgument(uint8{16})), "0");
  EXPECT_EQ(Facts(std::span(&byte, 1), Assume::Typical).text(), "0");
}

TEST(Facts, NothingIsAskedOfAFraction) {
  EXPECT_EQ(factsOf(fraction, LaunchArgument(1.0f)), "0");
  EXPECT_EQ(factsOf(fraction, LaunchArgument(0.0f)), "0");
}

TEST(Facts, EachArgumentCountsUpToTheLast) {
  for (std::size_t count : {1, 2, 15, 16, 17, 31, 32, 33, 200, 512}) {
    std::vector<Parameter> parameters(count, index);
    std::vector<LaunchArgument> arguments(count, LaunchArgument(int64{3}));
    Facts plain(parameters, arguments);
    EXPECT_EQ(plain, Facts(parameters, arguments));
    for (std::size_t i = 0; i < count; ++i) {
      arguments[i] = LaunchArgument(int64{32});
      Facts other(parameters, arguments);
      EXPECT_FALSE(other == plain) << count << ' ' << i;
      EXPECT_EQ(other.unpacked()[i], compiler::DivisibleBy16 | compiler::Fits32);
      arguments[i] = LaunchArgument(int64{3});
    }
  }
}

TEST(Facts, OfAnAssumptionAreThoseOfTheCommonLaunch) {
  std::vector<Parameter> parameters{pointer, index, narrow, fraction};
  EXPECT_EQ(Facts(parameters, Assume::Typical).text(), "1aa0");
  EXPECT_EQ(Facts(parameters, Assume::Nothing).text(), "0000");
}

} // namespace
} // namespace trowel::jit
