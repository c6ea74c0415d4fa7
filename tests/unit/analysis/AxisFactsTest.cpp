// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every transfer rule against the operation itself.
//
// A rule is right if, for all values of which the operands' facts hold, the result's facts hold of
// what the operation computes. Small types are enumerated: all tiles of 4 elements of 2 bits, pairs
// of them, with their strongest facts; and wider types by samples that cluster where rules fail,
// with facts that are strongest or weaker. The last part asks that the rules are also useful.
#include "dialect/AxisFacts.h"
#include "tests/unit/analysis/FactSamples.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <numeric>

namespace trowel::tile {
namespace {

using Extents = std::vector<std::int64_t>;

std::uint64_t unsignedOf(std::int64_t value, unsigned bits) {
  return bits == 64 ? static_cast<std::uint64_t>(value)
                    : static_cast<std::uint64_t>(value) & ((std::uint64_t(1) << bits) - 1);
}

/// The count of a shift, which is read as unsigned; at most the width, as beyond it nothing
/// changes.
unsigned placesOf(std::int64_t count, unsigned bits) {
  return static_cast<unsigned>(std::min<std::uint64_t>(unsignedOf(count, bits), bits));
}

struct BinaryRule {
  const char *name;
  __int128 (*compute)(std::int64_t a, std::int64_t b, unsigned bits);
  AxisFacts (*infer)(const AxisFacts &a, const AxisFacts &b, unsigned bits);
  bool givesBool = false;
};

template <Comparison comparison, Signedness signedness>
AxisFacts inferComparison(const AxisFacts &a, const AxisFacts &b, unsigned bits) {
  return compareFacts(comparison, signedness, a, b, bits);
}

const BinaryRule binaryRules[] = {
    {"add", [](auto a, auto b, unsigned) -> __int128 { return __int128(a) + b; }, addFacts},
    {"sub", [](auto a, auto b, unsigned) -> __int128 { return __int128(a) - b; }, subFacts},
    {"mul", [](auto a, auto b, unsigned) -> __int128 { return __int128(a) * b; }, mulFacts},
    {"div",
     [](auto a, auto b, unsigned) -> __int128 { return b == 0 ? __int128(-1) : __int128(a) / b; },
     divFacts},
    {"rem",
     [](auto a, auto b, unsigned) -> __int128 { return b == 0 ? __int128(a) : __int128(a) % b; },
     remFacts},
    {"and", [](auto a, auto b, unsigned) -> __int128 { return a & b; }, andFacts},
    {"or", [](auto a, auto b, unsigned) -> __int128 { return a | b; }, orFacts},
    {"xor", [](auto a, auto b, unsigned) -> __int128 { return a ^ b; }, xorFacts},
    {"min", [](auto a, auto b, unsigned) -> __int128 { return std::min(a, b); }, minSignedFacts},
    {"max", [](auto a, auto b, unsigned) -> __int128 { return std::max(a, b); }, maxSignedFacts},
    {"div_u",
     [](auto a, auto b, unsigned n) -> __int128 {
       return b == 0 ? __int128(-1) : __int128(unsignedOf(a, n) / unsignedOf(b, n));
     },
     divUnsignedFacts},
    {"rem_u",
     [](auto a, auto b, unsigned n) -> __int128 {
       return b == 0 ? __int128(a) : __int128(unsignedOf(a, n) % unsignedOf(b, n));
     },
     remUnsignedFacts},
    {"min_u",
     [](auto a, auto b, unsigned n) -> __int128 {
       return unsignedOf(a, n) < unsignedOf(b, n) ? a : b;
     },
     minUnsignedFacts},
    {"max_u",
     [](auto a, auto b, unsigned n) -> __int128 {
       return unsignedOf(a, n) < unsignedOf(b, n) ? b : a;
     },
     maxUnsignedFacts},
    {"shl",
     [](auto a, auto b, unsigned n) -> __int128 {
       return __int128(a) * (__int128(1) << placesOf(b, n));
     },
     shiftLeftFacts},
    {"shr", [](auto a, auto b, unsigned n) -> __int128 { return __int128(a) >> placesOf(b, n); },
     shiftRightFacts},
    {"shr_u",
     [](auto a, auto b, unsigned n) -> __int128 {
       return __int128(unsignedOf(a, n)) >> placesOf(b, n);
     },
     shiftRightUnsignedFacts},
    {"eq", [](auto a, auto b, unsigned) -> __int128 { return a == b; },
     inferComparison<Comparison::Equal, Signedness::Signed>, true},
    {"ne", [](auto a, auto b, unsigned) -> __int128 { return a != b; },
     inferComparison<Comparison::NotEqual, Signedness::Unsigned>, true},
    {"slt", [](auto a, auto b, unsigned) -> __int128 { return a < b; },
     inferComparison<Comparison::Less, Signedness::Signed>, true},
    {"sle", [](auto a, auto b, unsigned) -> __int128 { return a <= b; },
     inferComparison<Comparison::LessEqual, Signedness::Signed>, true},
    {"sgt", [](auto a, auto b, unsigned) -> __int128 { return a > b; },
     inferComparison<Comparison::Greater, Signedness::Signed>, true},
    {"sge", [](auto a, auto b, unsigned) -> __int128 { return a >= b; },
     inferComparison<Comparison::GreaterEqual, Signedness::Signed>, true},
    {"ult",
     [](auto a, auto b, unsigned n) -> __int128 { return unsignedOf(a, n) < unsignedOf(b, n); },
     inferComparison<Comparison::Less, Signedness::Unsigned>, true},
    {"ule",
     [](auto a, auto b, unsigned n) -> __int128 { return unsignedOf(a, n) <= unsignedOf(b, n); },
     inferComparison<Comparison::LessEqual, Signedness::Unsigned>, true},
    {"ugt",
     [](auto a, auto b, unsigned n) -> __int128 { return unsignedOf(a, n) > unsignedOf(b, n); },
     inferComparison<Comparison::Greater, Signedness::Unsigned>, true},
    {"uge",
     [](auto a, auto b, unsigned n) -> __int128 { return unsignedOf(a, n) >= unsignedOf(b, n); },
     inferComparison<Comparison::GreaterEqual, Signedness::Unsigned>, true},
};

struct UnaryRule {
  const char *name;
  std::int64_t (*compute)(std::int64_t a, unsigned from, unsigned to);
  AxisFacts (*infer)(const AxisFacts &a, unsigned from, unsigned to);
  int widens; // 1: to more bits, −1: to fewer, 0: the same
};

const UnaryRule unaryRules[] = {
    {"extsi", [](std::int64_t a, unsigned, unsigned) { return a; },
     [](const AxisFacts &a, unsigned from, unsigned) { return signExtendFacts(a, from); }, 1},
    {"extui",
     [](std::int64_t a, unsigned from, unsigned to) {
       return wrap(static_cast<__int128>(unsignedOf(a, from)), to);
     },
     [](const AxisFacts &a, unsigned from, unsigned) { return zeroExtendFacts(a, from); }, 1},
    {"trunci", [](std::int64_t a, unsigned, unsigned to) { return wrap(a, to); },
     [](const AxisFacts &a, unsigned, unsigned to) { return truncateFacts(a, to); }, -1},
    {"abs",
     [](std::int64_t a, unsigned from, unsigned) {
       return a < 0 ? wrap(-static_cast<__int128>(a), from) : a;
     },
     [](const AxisFacts &a, unsigned from, unsigned) { return absFacts(a, from); }, 0},
};

/// The facts, and the same where one value is known.
void expectHolds(const AxisFacts &facts, const std::vector<std::int64_t> &values,
                 const Extents &extents, unsigned bits, const std::string &what) {
  ASSERT_EQ(broken(facts, values, extents, bits), "") << what << " gives " << text({values, facts});
  ASSERT_EQ(broken(settleFacts(facts, extents), values, extents, bits), "") << what;
}

void checkBinary(const BinaryRule &rule, const Sample &a, const Sample &b, const Extents &extents,
                 unsigned bits) {
  unsigned resultBits = rule.givesBool ? 1 : bits;
  std::vector<std::int64_t> values;
  for (std::size_t i = 0; i < a.values.size(); ++i)
    values.push_back(wrap(rule.compute(a.values[i], b.values[i], bits), resultBits));
  AxisFacts facts = rule.infer(a.facts, b.facts, bits);
  if (!broken(facts, values, extents, resultBits).empty() ||
      !broken(settleFacts(facts, extents), values, extents, resultBits).empty())
    expectHolds(facts, values, extents, resultBits,
                std::string(rule.name) + " on " + std::to_string(bits) + " bits of " + text(a) +
                    " and " + text(b));
}

/// All tiles of `count` elements of so many bits.
std::vector<Sample> allSamples(std::int64_t count, unsigned bits) {
  std::vector<Sample> samples;
  for (std::uint64_t word = 0; word < std::uint64_t(1) << (count * bits); ++word) {
    Sample sample;
    for (std::int64_t i = 0; i < count; ++i)
      sample.values.push_back(wrap(static_cast<__int128>(word >> i * bits), bits));
    sample.facts = strongest(sample.values, {count}, bits);
    samples.push_back(std::move(sample));
  }
  return samples;
}

/// Those with something to say.
std::vector<Sample> interesting(std::vector<Sample> samples) {
  std::erase_if(samples, [](const Sample &sample) {
    return sample.facts.contiguity[0] == 1 && sample.facts.constancy[0] == 1;
  });
  return samples;
}

const Extents shapes[] = {{},   {1},    {2},    {8},    {16},   {6},
                          {13}, {4, 8}, {8, 4}, {1, 8}, {3, 4}, {2, 2, 4}};
const unsigned widths[] = {1, 2, 3, 4, 8, 32, 64};

TEST(AxisFactsRules, HoldForAllPairsOfSmallTiles) {
  for (auto [count, bits] :
       {std::pair<std::int64_t, unsigned>{4, 1}, {4, 2}, {2, 3}, {2, 4}, {3, 2}}) {
    std::vector<Sample> samples = allSamples(count, bits);
    for (const BinaryRule &rule : binaryRules)
      for (const Sample &a : samples)
        for (const Sample &b : samples) {
          checkBinary(rule, a, b, {count}, bits);
          if (HasFailure())
            return;
        }
  }
}

TEST(AxisFactsRules, HoldForAllPairsOfTilesWithRuns) {
  for (auto [count, bits] : {std::pair<std::int64_t, unsigned>{4, 3}, {8, 2}}) {
    std::vector<Sample> samples = interesting(allSamples(count, bits));
    for (const BinaryRule &rule : binaryRules)
      for (const Sample &a : samples)
        for (const Sample &b : samples) {
          checkBinary(rule, a, b, {count}, bits);
          if (HasFailure())
            return;
        }
  }
}

TEST(AxisFactsRules, HoldForSamplesOfEveryShapeAndWidth) {
  std::mt19937_64 random(1);
  for (const Extents &extents : shapes)
    for (unsigned bits : widths)
      for (int round = 0; round < 500; ++round) {
        Sample a = randomSample(extents, bits, random), b = randomSample(extents, bits, random);
        for (const BinaryRule &rule : binaryRules) {
          checkBinary(rule, a, b, extents, bits);
          if (HasFailure())
            return;
        }
      }
}

TEST(AxisFactsRules, HoldForUnaryOperations) {
  std::mt19937_64 random(2);
  for (const Extents &extents : shapes)
    for (unsigned from : widths)
      for (unsigned to : widths)
        for (const UnaryRule &rule : unaryRules) {
          if ((to > from) - (to < from) != rule.widens)
            continue;
          for (int round = 0; round < 150; ++round) {
            Sample a = randomSample(extents, from, random);
            std::vector<std::int64_t> values;
            for (std::int64_t value : a.values)
              values.push_back(rule.compute(value, from, to));
            expectHolds(rule.infer(a.facts, from, to), values, extents, to,
                        std::string(rule.name) + " from " + std::to_string(from) + " to " +
                            std::to_string(to) + " bits of " + text(a));
            if (HasFailure())
              return;
          }
        }
}

TEST(AxisFactsRules, HoldForAllSmallTilesThatChangeWidth) {
  for (unsigned from : {1u, 2u, 3u, 4u})
    for (unsigned to : {1u, 2u, 3u, 4u, 8u})
      for (const UnaryRule &rule : unaryRules) {
        if ((to > from) - (to < from) != rule.widens)
          continue;
        for (const Sample &a : allSamples(4, from)) {
          std::vector<std::int64_t> values;
          for (std::int64_t value : a.values)
            values.push_back(rule.compute(value, from, to));
          expectHolds(rule.infer(a.facts, from, to), values, {4}, to,
                      rule.name + (" of " + text(a)));
          if (HasFailure())
            return;
        }
      }
}

TEST(AxisFactsRules, HoldForSelect) {
  std::mt19937_64 random(3);
  for (const Extents &extents : shapes)
    for (unsigned bits : widths)
      for (int round = 0; round < 500; ++round) {
        std::int64_t step = bits == 64 ? std::int64_t(1) << random() % 4 : 1;
        Sample condition = randomSample(extents, 1, random),
               a = randomSample(extents, bits, random, step),
               b = randomSample(extents, bits, random, step);
        std::vector<std::int64_t> values;
        for (std::size_t i = 0; i < a.values.size(); ++i)
          values.push_back(condition.values[i] ? a.values[i] : b.values[i]);
        AxisFacts facts = selectFacts(condition.facts, a.facts, b.facts);
        ASSERT_EQ(broken(facts, values, extents, bits), "")
            << "select of " << text(condition) << ", " << text(a) << ", " << text(b) << " gives "
            << text({values, facts});
      }
}

TEST(AxisFactsRules, HoldForAddresses) {
  std::mt19937_64 random(4);
  for (const Extents &extents : shapes)
    for (std::int64_t step : {1, 2, 4, 8})
      for (unsigned bits : {8u, 32u, 64u})
        for (int round = 0; round < 600; ++round) {
          Sample pointer = randomSample(extents, 64, random, step),
                 offset = randomSample(extents, bits, random);
          std::vector<std::int64_t> values;
          for (std::size_t i = 0; i < offset.values.size(); ++i)
            values.push_back(wrap(static_cast<__int128>(pointer.values[i]) +
                                      static_cast<__int128>(offset.values[i]) * step,
                                  64));
          AxisFacts facts = ptrAddFacts(pointer.facts, offset.facts, bits);
          ASSERT_EQ(facts.step, step);
          ASSERT_EQ(broken(facts, values, extents, 64), "")
              << "ptr_add of " << text(pointer) << " and " << text(offset) << " times " << step
              << " gives " << text({values, facts});
        }
}

TEST(AxisFactsRules, HoldOfBothSidesOfAJoin) {
  std::mt19937_64 random(5);
  for (const Extents &extents : shapes)
    for (unsigned bits : widths)
      for (int round = 0; round < 500; ++round) {
        std::int64_t step = bits == 64 ? std::int64_t(1) << random() % 4 : 1;
        Sample a = randomSample(extents, bits, random, step),
               b = randomSample(extents, bits, random, step);
        AxisFacts facts = joinFacts(a.facts, b.facts);
        ASSERT_EQ(broken(facts, a.values, extents, bits), "")
            << text(a) << " joined with " << text(b);
        ASSERT_EQ(broken(facts, b.values, extents, bits), "")
            << text(a) << " joined with " << text(b);
        // What the data flow framework relies on: joining again changes nothing.
        ASSERT_EQ(joinFacts(facts, a.facts), facts);
        ASSERT_EQ(joinFacts(facts, b.facts), facts);
        ASSERT_EQ(joinFacts(facts, facts), facts);
      }
}

TEST(AxisFactsRules, HoldForPromisesThatAreKept) {
  std::mt19937_64 random(6);
  for (const Extents &extents : shapes)
    for (unsigned bits : widths)
      for (int round = 0; round < 500; ++round) {
        std::int64_t step = bits == 64 ? std::int64_t(1) << random() % 4 : 1;
        Sample a = randomSample(extents, bits, random, step);
        std::uint64_t all = 0;
        for (std::int64_t value : a.values)
          all |= static_cast<std::uint64_t>(value);
        std::int64_t divisor =
            all == 0 ? 48 : 3 * (std::int64_t(1) << std::min(std::countr_zero(all), 60));
        auto [least, greatest] = std::minmax_element(a.values.begin(), a.values.end());
        AxisFacts facts = multipleFacts(a.facts, divisor);
        ASSERT_EQ(broken(facts, a.values, extents, bits), "")
            << text(a) << " a multiple of " << divisor;
        if (step == 1) {
          facts = withinFacts(facts, *least - (*least > INT64_MIN + 8 ? 5 : 0), *greatest);
          ASSERT_EQ(broken(settleFacts(facts, extents), a.values, extents, bits), "") << text(a);
        }
      }
}

TEST(AxisFactsUse, PromisesAddToWhatIsKnown) {
  AxisFacts facts = multipleFacts(AxisFacts::unknown(1), 48);
  EXPECT_EQ(facts.divisibility[0], 16);
  EXPECT_EQ(multipleFacts(facts, 2).divisibility[0], 16);
  facts = withinFacts(rangeFacts(0, 100, 1), -5, 50);
  EXPECT_EQ(facts.minimum, 0);
  EXPECT_EQ(facts.maximum, 50);
  // One that contradicts it changes nothing.
  EXPECT_EQ(withinFacts(facts, 51, 90), facts);
}

TEST(AxisFactsRules, HoldForConstantsAndListsOfElements) {
  std::mt19937_64 random(6);
  for (const Extents &extents : shapes)
    for (unsigned bits : widths)
      for (int round = 0; round < 300; ++round) {
        Sample a = randomSample(extents, bits, random);
        ASSERT_EQ(broken(elementsFacts(a.values, extents), a.values, extents, bits), "") << text(a);
        std::vector<std::int64_t> equal(a.values.size(), a.values[0]);
        AxisFacts facts = constantFacts(a.values[0], extents);
        ASSERT_EQ(broken(facts, equal, extents, bits), "") << a.values[0];
        ASSERT_EQ(facts.constant(), a.values[0]);
        ASSERT_EQ(elementsFacts(equal, extents), facts);
      }
}

TEST(AxisFactsRules, HoldForIota) {
  for (std::int64_t extent : {1, 2, 3, 8, 100, 128}) {
    std::vector<std::int64_t> values(extent);
    for (std::int64_t i = 0; i < extent; ++i)
      values[i] = i;
    ASSERT_EQ(broken(iotaFacts(extent), values, {extent}, 32), "");
    // Padding counts on, and the facts are those of the padded line.
    std::int64_t padded = std::bit_ceil(static_cast<std::uint64_t>(extent));
    std::vector<std::int64_t> all(padded);
    std::iota(all.begin(), all.end(), 0);
    if (extent > 1) {
      ASSERT_EQ(iotaFacts(extent), strongest(all, {padded}, 32));
    }
  }
}

TEST(AxisFactsRules, HoldForShapes) {
  std::mt19937_64 random(7);
  for (unsigned bits : {8u, 32u, 64u})
    for (int round = 0; round < 600; ++round) {
      Sample scalar = randomSample({}, bits, random);
      for (const Extents &extents : shapes) {
        std::int64_t count = 1;
        for (std::int64_t extent : extents)
          count *= extent;
        std::vector<std::int64_t> values(count, scalar.values[0]);
        ASSERT_EQ(broken(splatFacts(scalar.facts, extents), values, extents, bits), "")
            << text(scalar);
      }
      // A row of 8 becomes a column or a row, then a tile.
      Sample row = randomSample({8}, bits, random);
      for (unsigned axis : {0u, 1u}) {
        Extents expanded = axis == 0 ? Extents{1, 8} : Extents{8, 1};
        Extents extents = axis == 0 ? Extents{4, 8} : Extents{8, 4};
        AxisFacts ofExpanded = expandFacts(row.facts, axis, 1);
        ASSERT_EQ(broken(ofExpanded, row.values, expanded, bits), "") << text(row);
        std::vector<std::int64_t> values;
        for (std::int64_t i = 0; i < 32; ++i)
          values.push_back(row.values[axis == 0 ? i % 8 : i / 4]);
        ASSERT_EQ(broken(broadcastFacts(ofExpanded, expanded, extents), values, extents, bits), "")
            << text(row);
      }
      Sample tile = randomSample({4, 8}, bits, random);
      for (unsigned axis : {0u, 1u, 2u}) {
        Extents expanded = {4, 8};
        expanded.insert(expanded.begin() + axis, 1);
        ASSERT_EQ(broken(expandFacts(tile.facts, axis, 2), tile.values, expanded, bits), "")
            << text(tile);
      }
    }
}

//===- Usefulness ----------------------------------------------------------------------------===//

/// A scalar i32 or i64 that `divisor` divides.
AxisFacts multipleOf(std::int64_t divisor) {
  AxisFacts facts = AxisFacts::unknown(0);
  facts.divisibility[0] = divisor;
  return facts;
}

AxisFacts pointerArgument(std::int64_t divisor, std::int64_t elementBytes) {
  AxisFacts facts = AxisFacts::unknown(0, elementBytes);
  facts.divisibility[0] = divisor;
  return facts;
}

const Extents row{128};

TEST(AxisFactsUse, AlignedBasePlusIotaKeepsRunsAndAlignment) {
  AxisFacts index = addFacts(splatFacts(multipleOf(16), row), iotaFacts(128), 64);
  EXPECT_EQ(index.contiguity[0], 128);
  EXPECT_EQ(index.divisibility[0], 16);
  EXPECT_EQ(index.constancy[0], 1);
}

TEST(AxisFactsUse, BlockStartIsDivisibleByTheBlock) {
  AxisFacts program = rangeFacts(0, (std::int64_t(1) << 31) - 1, 0);
  AxisFacts start = mulFacts(program, constantFacts(1024, {}), 64);
  EXPECT_EQ(start.divisibility[0], 1024);
  EXPECT_EQ(start.minimum, 0);
  EXPECT_EQ(start.maximum, 1024 * ((std::int64_t(1) << 31) - 1));
}

TEST(AxisFactsUse, MaskBelowAMultipleIsConstantInRuns) {
  // index = programId · 128 + iota as 32 bits, extended; mask = index < n with n a multiple of 16.
  AxisFacts index =
      addFacts(splatFacts(multipleOf(128), row), signExtendFacts(iotaFacts(128), 32), 64);
  AxisFacts count = splatFacts(multipleOf(16), row);
  for (Comparison below : {Comparison::Less, Comparison::GreaterEqual})
    EXPECT_EQ(compareFacts(below, Signedness::Signed, index, count, 64).constancy[0], 16);
  EXPECT_EQ(compareFacts(Comparison::Greater, Signedness::Signed, count, index, 64).constancy[0],
            16);
  EXPECT_EQ(compareFacts(Comparison::LessEqual, Signedness::Signed, index, count, 64).constancy[0],
            1);
  EXPECT_EQ(
      compareFacts(Comparison::LessEqual, Signedness::Signed, index, constantFacts(1023, row), 64)
          .constancy[0],
      128);
}

TEST(AxisFactsUse, BoundsDecideAComparison) {
  AxisFacts mask = compareFacts(Comparison::Less, Signedness::Signed, iotaFacts(128),
                                constantFacts(128, row), 32);
  EXPECT_EQ(mask.constant(), -1);
  EXPECT_EQ(settleFacts(mask, row).constancy[0], 128);
}

TEST(AxisFactsUse, AddressesCountElementsAndBytes) {
  AxisFacts pointers = ptrAddFacts(splatFacts(pointerArgument(16, 4), row), iotaFacts(128), 32);
  EXPECT_EQ(pointers.contiguity[0], 128);
  EXPECT_EQ(pointers.divisibility[0], 16);
  AxisFacts odd = ptrAddFacts(pointers, constantFacts(1, row), 32);
  EXPECT_EQ(odd.contiguity[0], 128);
  EXPECT_EQ(odd.divisibility[0], 4);
  AxisFacts strided = ptrAddFacts(splatFacts(pointerArgument(16, 4), row),
                                  mulFacts(iotaFacts(128), constantFacts(2, row), 32), 32);
  EXPECT_EQ(strided.contiguity[0], 1);
  EXPECT_EQ(strided.divisibility[0], 8);
}

TEST(AxisFactsUse, PartsOfARunOfAddressesLieElementsApart) {
  AxisFacts pointers = ptrAddFacts(splatFacts(pointerArgument(16, 4), row), iotaFacts(128), 32);
  AxisFacts offset = AxisFacts::unknown(1);
  offset.constancy[0] = 4;
  offset.divisibility[0] = 8;
  AxisFacts moved = ptrAddFacts(pointers, offset, 32);
  EXPECT_EQ(moved.contiguity[0], 4);
  EXPECT_EQ(moved.divisibility[0], 16);
}

TEST(AxisFactsUse, RowsOfAMatrixKeepTheAlignmentOfTheirStride) {
  // pointer + row · stride + column, the stride a multiple of 16.
  Extents tile{32, 64};
  AxisFacts rows = broadcastFacts(expandFacts(iotaFacts(32), 1, 1), {32, 1}, tile);
  AxisFacts columns = broadcastFacts(expandFacts(iotaFacts(64), 0, 1), {1, 64}, tile);
  AxisFacts offset = addFacts(mulFacts(rows, splatFacts(multipleOf(16), tile), 64), columns, 64);
  AxisFacts pointers = ptrAddFacts(splatFacts(pointerArgument(16, 2), tile), offset, 64);
  EXPECT_EQ(pointers.contiguity[1], 64);
  EXPECT_EQ(pointers.divisibility[1], 16);
  EXPECT_EQ(pointers.contiguity[0], 1);
}

TEST(AxisFactsUse, NarrowIndicesSurviveExtension) {
  // Bounds, not alignment, tell that i32 iota + 1 does not wrap.
  AxisFacts odd = signExtendFacts(addFacts(iotaFacts(128), constantFacts(1, row), 32), 32);
  EXPECT_EQ(odd.contiguity[0], 128);
  EXPECT_EQ(odd.divisibility[0], 1);
  // A start of which nothing is known might be the greatest number.
  AxisFacts unknown =
      signExtendFacts(addFacts(iotaFacts(128), splatFacts(multipleOf(4), row), 32), 32);
  EXPECT_EQ(unknown.contiguity[0], 4);
}

TEST(AxisFactsUse, QuotientAndRemainderOfAnIndex) {
  AxisFacts index = iotaFacts(128), eight = constantFacts(8, row);
  EXPECT_EQ(divFacts(index, eight, 32).constancy[0], 8);
  AxisFacts within = remFacts(index, eight, 32);
  EXPECT_EQ(within.contiguity[0], 8);
  EXPECT_EQ(within.maximum, 7);
  EXPECT_EQ(divFacts(splatFacts(multipleOf(64), row), eight, 32).divisibility[0], 8);
  // A dividend that may be negative has shifted classes.
  AxisFacts centred = subFacts(index, constantFacts(64, row), 32);
  EXPECT_EQ(centred.contiguity[0], 128);
  EXPECT_EQ(divFacts(centred, eight, 32).constancy[0], 1);
  EXPECT_EQ(remFacts(centred, eight, 32).contiguity[0], 1);
}

TEST(AxisFactsUse, ShiftsOfAnIndex) {
  AxisFacts index = iotaFacts(128), three = constantFacts(3, row);
  EXPECT_EQ(shiftLeftFacts(index, three, 32).divisibility[0], 8);
  EXPECT_EQ(shiftLeftFacts(index, three, 32).maximum, 127 * 8);
  EXPECT_EQ(shiftRightFacts(index, three, 32).constancy[0], 8);
  EXPECT_EQ(shiftRightFacts(splatFacts(multipleOf(64), row), three, 32).divisibility[0], 8);
  // Rounding down, not toward zero, leaves the classes of negative numbers where they are.
  AxisFacts centred = subFacts(index, constantFacts(64, row), 32);
  EXPECT_EQ(shiftRightFacts(centred, three, 32).constancy[0], 8);
  EXPECT_EQ(shiftRightUnsignedFacts(centred, three, 32).constancy[0], 8);
  EXPECT_EQ(shiftLeftFacts(index, constantFacts(32, row), 32).constant(), 0);
}

TEST(AxisFactsUse, UnsignedQuotientOfAnyAlignedRun) {
  AxisFacts index = addFacts(splatFacts(multipleOf(128), row), iotaFacts(128), 32);
  AxisFacts eight = constantFacts(8, row);
  EXPECT_EQ(divFacts(index, eight, 32).constancy[0], 1) << "it may be negative";
  EXPECT_EQ(divUnsignedFacts(index, eight, 32).constancy[0], 8);
  EXPECT_EQ(remUnsignedFacts(index, eight, 32).contiguity[0], 8);
  EXPECT_EQ(remUnsignedFacts(index, eight, 32).maximum, 7);
}

TEST(AxisFactsUse, BitsOfAnIndex) {
  AxisFacts index = iotaFacts(128);
  EXPECT_EQ(andFacts(index, constantFacts(-16, row), 32).constancy[0], 16);
  EXPECT_EQ(andFacts(index, constantFacts(15, row), 32).contiguity[0], 16);
  EXPECT_EQ(orFacts(splatFacts(multipleOf(128), row), index, 32).contiguity[0], 128);
  EXPECT_EQ(xorFacts(index, constantFacts(32, row), 32).contiguity[0], 32);
  EXPECT_EQ(xorFacts(index, constantFacts(5, row), 32).contiguity[0], 1);
}

} // namespace
} // namespace trowel::tile
