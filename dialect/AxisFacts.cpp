// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Transfer rules of axis facts. Each is a small theorem, and a wrong one is silent corruption: a
// mask would be read once for four elements that differ, or 16 bytes loaded from an address that
// only 4 divide. So the rules are plain functions, and the unit test compares each with what the
// operation does to actual values, over small domains and near the ends of the types.
//
// The rules speak of one axis at a time. Three notions do most of the work:
//
//   first(x, r)    divides the first element of each run of length r. Runs of at least the
//                  contiguity start where contiguous runs do; shorter ones start r, 2r, … into one.
//   aligned(x)     the length of runs that count up from a multiple of their length. Such a run
//                  lies in one block of numbers, 8k … 8k+7 for length 8, so it neither wraps nor
//                  crosses a multiple of its length. Its low bits are the position, its high bits
//                  are constant.
//   growing(x)     the length of runs that count up without wrapping, aligned or not.
//
// Why alignment matters, with `x < 4` over runs of length 4: runs from multiples of 4 are below 4
// as a whole or not at all; the run 2 3 4 5 is not. And with x / 4: 0 0 0 0 1 1 1 1 for x ≥ 0, but
// −8 … −1 gives −2 −1 −1 −1 −1 0 0 0, because quotients are truncated: only dividends known not to
// be negative qualify. That, and narrow integers that are extended, is why ranges are kept.
//
// Left out on purpose: rules that no kernel has needed, such as a quotient of two contiguous
// values. Knowing 1 is always right.
#include "dialect/AxisFacts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace trowel::tile {

using Wide = __int128;

static constexpr std::int64_t int64Min = std::numeric_limits<std::int64_t>::min();
static constexpr std::int64_t int64Max = std::numeric_limits<std::int64_t>::max();

static std::int64_t leastOf(unsigned bits) {
  return bits >= 64 ? int64Min : -(std::int64_t(1) << (bits - 1));
}
static std::int64_t greatestOf(unsigned bits) {
  return bits >= 64 ? int64Max : (std::int64_t(1) << (bits - 1)) - 1;
}

/// The largest power of two that divides the value, at most maxDivisibility.
static std::int64_t divisorOf(std::int64_t value) {
  int zeros = std::countr_zero(static_cast<std::uint64_t>(value));
  return std::int64_t(1) << std::min(zeros, 62);
}

/// The longest run that an axis of that extent can have.
static std::int64_t wholeAxis(std::int64_t extent) {
  return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(extent)));
}

namespace {

/// The facts along one axis.
struct Run {
  std::int64_t contiguity = 1, divisibility = 1, constancy = 1, step = 1;
};

struct Range {
  std::int64_t minimum = int64Min, maximum = int64Max;
};

} // namespace

static Run runOf(const AxisFacts &facts, unsigned axis) {
  return {facts.contiguity[axis], facts.divisibility[axis], facts.constancy[axis], facts.step};
}

static std::int64_t first(const Run &x, std::int64_t length) {
  if (length >= x.contiguity)
    return x.divisibility;
  return std::min(x.divisibility, length * x.step);
}

static std::int64_t aligned(const Run &x, unsigned bits) {
  // Half of the numbers at most: the run of all numbers counts across the sign.
  std::int64_t length = std::min(x.contiguity, x.divisibility);
  return bits >= 63 ? length : std::min(length, std::int64_t(1) << (bits - 1));
}

/// The bounds, within what the type can hold.
static Range rangeOf(const AxisFacts &facts, unsigned bits) {
  return {std::max(facts.minimum, leastOf(bits)), std::min(facts.maximum, greatestOf(bits))};
}

/// Bounds of a result that is exact within the type; none if it may wrap.
static Range exactRange(Wide minimum, Wide maximum, unsigned bits) {
  if (minimum < leastOf(bits) || maximum > greatestOf(bits))
    return {};
  return {static_cast<std::int64_t>(minimum), static_cast<std::int64_t>(maximum)};
}

/// Applies `rule` to each axis of operands of equal rank.
template <class Rule, class... Facts>
static AxisFacts perAxis(Range range, Rule rule, const AxisFacts &a, const Facts &...others) {
  assert(((a.rank() == others.rank()) && ...) && "operands of one shape");
  AxisFacts result;
  result.minimum = range.minimum;
  result.maximum = range.maximum;
  for (unsigned axis = 0; axis < a.rank(); ++axis) {
    Run run = rule(runOf(a, axis), runOf(others, axis)...);
    result.contiguity.push_back(run.contiguity);
    result.divisibility.push_back(run.divisibility);
    result.constancy.push_back(run.constancy);
    result.step = run.step;
  }
  return result;
}

AxisFacts AxisFacts::unknown(unsigned rank, std::int64_t step) {
  unsigned axes = std::max(rank, 1u);
  AxisFacts facts;
  facts.contiguity.assign(axes, 1);
  facts.divisibility.assign(axes, 1);
  facts.constancy.assign(axes, 1);
  facts.step = step;
  return facts;
}

std::optional<std::int64_t> AxisFacts::constant() const {
  if (minimum == maximum)
    return minimum;
  return std::nullopt;
}

std::int64_t AxisFacts::divisorOfAll() const {
  std::int64_t divisor = 1;
  for (unsigned axis = 0; axis < rank(); ++axis)
    divisor = std::max(divisor, first(runOf(*this, axis), 1));
  return divisor;
}

//===- Values from nothing -------------------------------------------------------------------===//

AxisFacts constantFacts(std::int64_t value, llvm::ArrayRef<std::int64_t> extents) {
  AxisFacts facts = rangeFacts(value, value, extents.size());
  for (unsigned axis = 0; axis < facts.rank(); ++axis) {
    facts.divisibility[axis] = divisorOf(value);
    facts.constancy[axis] = extents.empty() ? 1 : wholeAxis(extents[axis]);
  }
  return facts;
}

/// Whether `holds(i)` for each element i along the axis but the first of each run of that length.
template <class Holds>
static bool holdsWithinRuns(std::size_t count, std::int64_t extent, std::int64_t stride,
                            std::int64_t length, Holds holds) {
  for (std::size_t i = 0; i < count; ++i)
    if ((static_cast<std::int64_t>(i) / stride % extent) % length != 0 && !holds(i))
      return false;
  return true;
}

AxisFacts elementsFacts(llvm::ArrayRef<std::int64_t> values, llvm::ArrayRef<std::int64_t> extents) {
  assert(!values.empty());
  auto [least, greatest] = std::minmax_element(values.begin(), values.end());
  if (*least == *greatest)
    return constantFacts(*least, extents);
  AxisFacts facts = rangeFacts(*least, *greatest, extents.size());
  std::int64_t stride = 1;
  for (unsigned axis = extents.size(); axis-- > 0; stride *= extents[axis]) {
    std::int64_t extent = extents[axis];
    auto longest = [&](auto holds) {
      std::int64_t length = 1;
      while (length < extent && holdsWithinRuns(values.size(), extent, stride, 2 * length, holds))
        length *= 2;
      return length;
    };
    // No wrapping sum here: the width of the type is not known, and this way it holds for each.
    facts.contiguity[axis] = longest(
        [&](std::size_t i) { return values[i] > int64Min && values[i] - 1 == values[i - stride]; });
    facts.constancy[axis] = longest([&](std::size_t i) { return values[i] == values[i - stride]; });
    std::int64_t divisor = AxisFacts::maxDivisibility;
    for (std::size_t i = 0; i < values.size(); ++i)
      if ((static_cast<std::int64_t>(i) / stride % extent) % facts.contiguity[axis] == 0)
        divisor = std::min(divisor, divisorOf(values[i]));
    facts.divisibility[axis] = divisor;
  }
  return facts;
}

AxisFacts iotaFacts(std::int64_t extent) {
  // Padding counts on: a comparison with the extent must not look true everywhere.
  AxisFacts facts = rangeFacts(0, wholeAxis(extent) - 1, 1);
  facts.contiguity[0] = wholeAxis(extent);
  facts.divisibility[0] = AxisFacts::maxDivisibility;
  return facts;
}

AxisFacts rangeFacts(std::int64_t minimum, std::int64_t maximum, unsigned rank) {
  AxisFacts facts = AxisFacts::unknown(rank);
  facts.minimum = minimum;
  facts.maximum = maximum;
  return facts;
}

//===- Shapes --------------------------------------------------------------------------------===//

AxisFacts splatFacts(const AxisFacts &scalar, llvm::ArrayRef<std::int64_t> extents) {
  AxisFacts facts = AxisFacts::unknown(extents.size(), scalar.step);
  facts.minimum = scalar.minimum;
  facts.maximum = scalar.maximum;
  for (unsigned axis = 0; axis < facts.rank(); ++axis) {
    facts.divisibility[axis] = scalar.divisorOfAll();
    facts.constancy[axis] = extents.empty() ? 1 : wholeAxis(extents[axis]);
  }
  return facts;
}

AxisFacts expandFacts(const AxisFacts &source, unsigned axis, unsigned sourceRank) {
  AxisFacts facts = source;
  if (sourceRank == 0)
    return facts; // the pseudo axis becomes a real one
  facts.contiguity.insert(facts.contiguity.begin() + axis, 1);
  facts.divisibility.insert(facts.divisibility.begin() + axis, source.divisorOfAll());
  facts.constancy.insert(facts.constancy.begin() + axis, 1);
  return facts;
}

AxisFacts broadcastFacts(const AxisFacts &source, llvm::ArrayRef<std::int64_t> sourceExtents,
                         llvm::ArrayRef<std::int64_t> extents) {
  AxisFacts facts = source;
  for (unsigned axis = 0; axis < extents.size(); ++axis) {
    if (sourceExtents[axis] == extents[axis])
      continue;
    facts.contiguity[axis] = 1;
    facts.divisibility[axis] = source.divisorOfAll();
    facts.constancy[axis] = wholeAxis(extents[axis]);
  }
  return facts;
}

//===- Arithmetic ----------------------------------------------------------------------------===//

AxisFacts addFacts(const AxisFacts &a, const AxisFacts &b, unsigned bits) {
  Range x = rangeOf(a, bits), y = rangeOf(b, bits);
  Range range = exactRange(Wide(x.minimum) + y.minimum, Wide(x.maximum) + y.maximum, bits);
  return perAxis(
      range,
      [](const Run &a, const Run &b) {
        std::int64_t length =
            std::max(std::min(a.contiguity, b.constancy), std::min(a.constancy, b.contiguity));
        return Run{length, std::min(first(a, length), first(b, length)),
                   std::min(a.constancy, b.constancy)};
      },
      a, b);
}

AxisFacts subFacts(const AxisFacts &a, const AxisFacts &b, unsigned bits) {
  Range x = rangeOf(a, bits), y = rangeOf(b, bits);
  Range range = exactRange(Wide(x.minimum) - y.maximum, Wide(x.maximum) - y.minimum, bits);
  return perAxis(
      range,
      [](const Run &a, const Run &b) {
        std::int64_t length = std::min(a.contiguity, b.constancy);
        Run result{length, std::min(first(a, length), first(b, length)),
                   std::min(a.constancy, b.constancy)};
        // Two values that count up together keep their distance.
        std::int64_t together = std::min(a.contiguity, b.contiguity);
        if (together > result.constancy)
          result = {1, std::min(first(a, together), first(b, together)), together};
        return result;
      },
      a, b);
}

AxisFacts mulFacts(const AxisFacts &a, const AxisFacts &b, unsigned bits) {
  if (a.constant() == 1)
    return b;
  if (b.constant() == 1)
    return a;
  Range x = rangeOf(a, bits), y = rangeOf(b, bits);
  Wide corners[] = {Wide(x.minimum) * y.minimum, Wide(x.minimum) * y.maximum,
                    Wide(x.maximum) * y.minimum, Wide(x.maximum) * y.maximum};
  Range range = exactRange(*std::min_element(corners, corners + 4),
                           *std::max_element(corners, corners + 4), bits);
  // A product that is divisible by more than 2^bits is 0 after wrapping, so the bound may exceed
  // it.
  return perAxis(
      range,
      [](const Run &a, const Run &b) {
        Wide divisor = Wide(first(a, 1)) * first(b, 1);
        return Run{1,
                   divisor > AxisFacts::maxDivisibility ? AxisFacts::maxDivisibility
                                                        : static_cast<std::int64_t>(divisor),
                   std::min(a.constancy, b.constancy)};
      },
      a, b);
}

/// Bounds of the language's quotient.
static Range quotientRange(Range x, Range y, unsigned bits) {
  // A divisor of one sign: the quotient is monotonic in either operand. The one that wraps, the
  // least number by −1, is a corner, and exactRange refuses it.
  if (y.minimum > 0 || y.maximum < 0) {
    Wide corners[] = {Wide(x.minimum) / y.minimum, Wide(x.minimum) / y.maximum,
                      Wide(x.maximum) / y.minimum, Wide(x.maximum) / y.maximum};
    return exactRange(*std::min_element(corners, corners + 4),
                      *std::max_element(corners, corners + 4), bits);
  }
  // Else no further from 0 than the dividend, and −1 for a divisor of 0.
  Wide reach = std::max(-Wide(x.minimum), Wide(x.maximum));
  return exactRange(std::min(-reach, Wide(-1)), std::max(reach, Wide(0)), bits);
}

AxisFacts divFacts(const AxisFacts &a, const AxisFacts &b, unsigned bits) {
  if (b.constant() == 1)
    return a;
  Range x = rangeOf(a, bits), y = rangeOf(b, bits);
  // Dividing by plus or minus a power of two that divides is exact.
  std::int64_t exactDivisor = 0;
  if (b.constant().value_or(0) != 0) {
    std::uint64_t magnitude = static_cast<std::uint64_t>(*b.constant());
    if (*b.constant() < 0)
      magnitude = 0 - magnitude;
    if (std::has_single_bit(magnitude) && magnitude <= std::uint64_t(AxisFacts::maxDivisibility))
      exactDivisor = static_cast<std::int64_t>(magnitude);
  }
  return perAxis(
      quotientRange(x, y, bits),
      [&](const Run &a, const Run &b) {
        Run result{1, 1, std::min(a.constancy, b.constancy)};
        if (exactDivisor && first(a, 1) > exactDivisor)
          result.divisibility = first(a, 1) / exactDivisor;
        if (x.minimum >= 0)
          result.constancy =
              std::max(result.constancy, std::min({aligned(a, bits), b.constancy, first(b, 1)}));
        return result;
      },
      a, b);
}

AxisFacts remFacts(const AxisFacts &a, const AxisFacts &b, unsigned bits) {
  Range x = rangeOf(a, bits), y = rangeOf(b, bits);
  if (x.minimum >= 0 && x.maximum < y.minimum)
    return a;
  Range range{std::min<std::int64_t>(x.minimum, 0), std::max<std::int64_t>(x.maximum, 0)};
  if (y.minimum > 0) {
    range.minimum = std::max(range.minimum, -(y.maximum - 1));
    range.maximum = std::min(range.maximum, y.maximum - 1);
  }
  return perAxis(
      range,
      [&](const Run &a, const Run &b) {
        std::int64_t length = 1;
        if (x.minimum >= 0)
          length = std::min({aligned(a, bits), b.constancy, first(b, 1)});
        return Run{length, std::min(first(a, length), first(b, length)),
                   std::min(a.constancy, b.constancy)};
      },
      a, b);
}

/// Every element is `value`; settleFacts knows how constant that is.
static AxisFacts exactly(std::int64_t value, unsigned rank) {
  AxisFacts facts = rangeFacts(value, value, rank);
  facts.divisibility.assign(facts.rank(), divisorOf(value));
  return facts;
}

/// How many of the lowest bits are ones in the constant, as the power of two; 1 if it is unknown.
static std::int64_t lowOnes(const AxisFacts &facts) {
  if (!facts.constant())
    return 1;
  int ones = std::countr_one(static_cast<std::uint64_t>(*facts.constant()));
  return std::int64_t(1) << std::min(ones, 62);
}

/// Bounds of `a & b`, `a | b` and `a ^ b`: above the highest bit in which any number of either
/// differs from its sign, the bits of the result are its sign.
static Range bitwiseRange(Range x, Range y) {
  std::int64_t highest = 0;
  for (std::int64_t bound : {x.minimum, x.maximum, y.minimum, y.maximum})
    highest = std::max(highest, bound < 0 ? ~bound : bound);
  auto ones = static_cast<std::int64_t>(
      (std::uint64_t(1) << std::bit_width(static_cast<std::uint64_t>(highest))) - 1);
  return {x.minimum < 0 || y.minimum < 0 ? -ones - 1 : 0, ones};
}

AxisFacts andFacts(const AxisFacts &a, const AxisFacts &b, unsigned bits) {
  if (a.constant() == -1)
    return b;
  if (b.constant() == -1)
    return a;
  if (a.constant() && b.constant())
    return exactly(*a.constant() & *b.constant(), a.rank());
  Range x = rangeOf(a, bits), y = rangeOf(b, bits), range = bitwiseRange(x, y);
  if (x.minimum >= 0 || y.minimum >= 0) {
    range.minimum = 0;
    range.maximum =
        std::min(x.minimum >= 0 ? x.maximum : int64Max, y.minimum >= 0 ? y.maximum : int64Max);
  }
  std::int64_t onesOfA = lowOnes(a), onesOfB = lowOnes(b);
  auto rule = [&](const Run &a, const Run &b) {
    Run result{1, std::max(first(a, 1), first(b, 1)), std::min(a.constancy, b.constancy)};
    // The low bits of an aligned run are cleared …
    std::int64_t cleared = std::max(std::min({aligned(a, bits), b.constancy, first(b, 1)}),
                                    std::min({aligned(b, bits), a.constancy, first(a, 1)}));
    result.constancy = std::max(result.constancy, cleared);
    // … or kept.
    std::int64_t kept =
        std::max(std::min(aligned(a, bits), onesOfB), std::min(aligned(b, bits), onesOfA));
    if (kept > 1) {
      result.contiguity = kept;
      result.divisibility = std::max(first(a, kept), first(b, kept));
    }
    return result;
  };
  return perAxis(range, rule, a, b);
}

/// The length of runs of a sum without carries: the low bits of one operand count up from 0 where
/// those of the other are 0.
static std::int64_t disjoint(const Run &a, const Run &b, unsigned bits) {
  return std::max(std::min({aligned(a, bits), b.constancy, first(b, 1)}),
                  std::min({aligned(b, bits), a.constancy, first(a, 1)}));
}

AxisFacts orFacts(const AxisFacts &a, const AxisFacts &b, unsigned bits) {
  if (a.constant() == 0)
    return b;
  if (b.constant() == 0)
    return a;
  if (a.constant() && b.constant())
    return exactly(*a.constant() | *b.constant(), a.rank());
  std::int64_t onesOfA = lowOnes(a), onesOfB = lowOnes(b);
  return perAxis(
      bitwiseRange(rangeOf(a, bits), rangeOf(b, bits)),
      [&](const Run &a, const Run &b) {
        std::int64_t length = disjoint(a, b, bits);
        std::int64_t set =
            std::max(std::min(aligned(a, bits), onesOfB), std::min(aligned(b, bits), onesOfA));
        return Run{length, std::min(first(a, length), first(b, length)),
                   std::max(std::min(a.constancy, b.constancy), set)};
      },
      a, b);
}

AxisFacts xorFacts(const AxisFacts &a, const AxisFacts &b, unsigned bits) {
  if (a.constant() == 0)
    return b;
  if (b.constant() == 0)
    return a;
  if (a.constant() && b.constant())
    return exactly(*a.constant() ^ *b.constant(), a.rank());
  return perAxis(
      bitwiseRange(rangeOf(a, bits), rangeOf(b, bits)),
      [&](const Run &a, const Run &b) {
        std::int64_t length = disjoint(a, b, bits);
        // Two aligned runs have the same low bits, which cancel.
        std::int64_t cancelled = std::min(aligned(a, bits), aligned(b, bits));
        return Run{length, std::min(first(a, length), first(b, length)),
                   std::max(std::min(a.constancy, b.constancy), cancelled)};
      },
      a, b);
}

/// One of the operands, the same one within aligned runs, as these compare as a whole.
static AxisFacts eitherFacts(Range range, const AxisFacts &a, const AxisFacts &b, unsigned bits) {
  return perAxis(
      range,
      [&](const Run &a, const Run &b) {
        std::int64_t length = std::min(aligned(a, bits), aligned(b, bits));
        return Run{length, std::min(first(a, length), first(b, length)),
                   std::min(a.constancy, b.constancy)};
      },
      a, b);
}

AxisFacts minSignedFacts(const AxisFacts &a, const AxisFacts &b, unsigned bits) {
  Range x = rangeOf(a, bits), y = rangeOf(b, bits);
  if (x.maximum <= y.minimum)
    return a;
  if (y.maximum <= x.minimum)
    return b;
  return eitherFacts({std::min(x.minimum, y.minimum), std::min(x.maximum, y.maximum)}, a, b, bits);
}

AxisFacts maxSignedFacts(const AxisFacts &a, const AxisFacts &b, unsigned bits) {
  Range x = rangeOf(a, bits), y = rangeOf(b, bits);
  if (x.minimum >= y.maximum)
    return a;
  if (y.minimum >= x.maximum)
    return b;
  return eitherFacts({std::max(x.minimum, y.minimum), std::max(x.maximum, y.maximum)}, a, b, bits);
}

AxisFacts absFacts(const AxisFacts &a, unsigned bits) {
  Range x = rangeOf(a, bits);
  if (x.minimum >= 0)
    return a;
  Range range;
  if (x.minimum > leastOf(bits))
    range = {std::max<std::int64_t>(0, -x.maximum), std::max(-x.minimum, x.maximum)};
  return perAxis(range, [](const Run &a) { return Run{1, first(a, 1), a.constancy}; }, a);
}

//===- Bits read as unsigned, and shifts ------------------------------------------------------===//

namespace {
/// Bounds of the bits read as unsigned.
struct UnsignedRange {
  std::uint64_t minimum, maximum;
};
} // namespace

static UnsignedRange unsignedRangeOf(const AxisFacts &facts, unsigned bits) {
  Range x = rangeOf(facts, bits);
  std::uint64_t ones = bits >= 64 ? ~std::uint64_t(0) : (std::uint64_t(1) << bits) - 1;
  if (x.minimum < 0 && x.maximum >= 0)
    return {0, ones};
  return {static_cast<std::uint64_t>(x.minimum) & ones,
          static_cast<std::uint64_t>(x.maximum) & ones};
}

/// The same bounds for signed numbers; none where some of them are negative.
static Range signedRange(std::uint64_t minimum, std::uint64_t maximum, unsigned bits) {
  if (maximum > static_cast<std::uint64_t>(greatestOf(bits)))
    return {};
  return {static_cast<std::int64_t>(minimum), static_cast<std::int64_t>(maximum)};
}

AxisFacts divUnsignedFacts(const AxisFacts &a, const AxisFacts &b, unsigned bits) {
  // Of numbers that are not negative the quotients agree; so they do by 0, all ones and −1.
  if (rangeOf(a, bits).minimum >= 0 && rangeOf(b, bits).minimum >= 0)
    return divFacts(a, b, bits);
  if (b.constant() == 1)
    return a;
  UnsignedRange x = unsignedRangeOf(a, bits), y = unsignedRangeOf(b, bits);
  Range range;
  if (y.minimum > 0)
    range = signedRange(x.minimum / y.maximum, x.maximum / y.minimum, bits);
  std::int64_t exactDivisor = 0;
  if (b.constant().value_or(0) > 0 &&
      std::has_single_bit(static_cast<std::uint64_t>(*b.constant())))
    exactDivisor = *b.constant();
  return perAxis(
      range,
      [&](const Run &a, const Run &b) {
        // An aligned run lies in one block of numbers, also of unsigned ones.
        std::int64_t whole = std::min({aligned(a, bits), b.constancy, first(b, 1)});
        Run result{1, 1, std::max(std::min(a.constancy, b.constancy), whole)};
        if (exactDivisor && first(a, 1) > exactDivisor)
          result.divisibility = first(a, 1) / exactDivisor;
        return result;
      },
      a, b);
}

AxisFacts remUnsignedFacts(const AxisFacts &a, const AxisFacts &b, unsigned bits) {
  if (rangeOf(a, bits).minimum >= 0 && rangeOf(b, bits).minimum >= 0)
    return remFacts(a, b, bits);
  UnsignedRange x = unsignedRangeOf(a, bits), y = unsignedRangeOf(b, bits);
  if (x.maximum < y.minimum)
    return a;
  std::uint64_t most = y.minimum > 0 ? std::min(x.maximum, y.maximum - 1) : x.maximum;
  return perAxis(
      signedRange(0, most, bits),
      [&](const Run &a, const Run &b) {
        std::int64_t length = std::min({aligned(a, bits), b.constancy, first(b, 1)});
        return Run{length, std::min(first(a, length), first(b, length)),
                   std::min(a.constancy, b.constancy)};
      },
      a, b);
}

/// A constant count, where all bits go as the width; nothing for one that is not known.
static std::optional<unsigned> countOf(const AxisFacts &count, unsigned bits) {
  std::optional<std::int64_t> value = count.constant();
  if (!value)
    return std::nullopt;
  return *value < 0 || *value >= bits ? bits : static_cast<unsigned>(*value);
}

AxisFacts shiftLeftFacts(const AxisFacts &a, const AxisFacts &b, unsigned bits) {
  std::optional<unsigned> count = countOf(b, bits);
  if (!count)
    return perAxis(
        {},
        [](const Run &a, const Run &b) {
          return Run{1, first(a, 1), std::min(a.constancy, b.constancy)};
        },
        a, b);
  if (*count == bits)
    return exactly(0, a.rank());
  // The product with a power of two; that of the highest bit is the least number.
  AxisFacts power = b;
  power.minimum = power.maximum = *count == bits - 1 ? leastOf(bits) : std::int64_t(1) << *count;
  power.contiguity.assign(power.rank(), 1);
  power.divisibility.assign(power.rank(), divisorOf(power.minimum));
  return mulFacts(a, power, bits);
}

/// Within blocks of 2^count numbers the result is the same, whatever comes in from above.
static AxisFacts blocksOf(Range range, const AxisFacts &a, const AxisFacts &b, unsigned count,
                          unsigned bits) {
  std::int64_t block = std::int64_t(1) << std::min(count, 62u);
  return perAxis(
      range,
      [&](const Run &a, const Run &b) {
        return Run{1, std::max<std::int64_t>(first(a, 1) / block, 1),
                   std::max(std::min(a.constancy, b.constancy), std::min(aligned(a, bits), block))};
      },
      a, b);
}

AxisFacts shiftRightFacts(const AxisFacts &a, const AxisFacts &b, unsigned bits) {
  std::optional<unsigned> count = countOf(b, bits);
  Range x = rangeOf(a, bits);
  if (!count)
    return perAxis(
        {std::min<std::int64_t>(x.minimum, 0), std::max<std::int64_t>(x.maximum, -1)},
        [](const Run &a, const Run &b) { return Run{1, 1, std::min(a.constancy, b.constancy)}; }, a,
        b);
  if (*count == 0)
    return a;
  unsigned places = std::min(*count, bits - 1);
  return blocksOf({x.minimum >> places, x.maximum >> places}, a, b, places, bits);
}

AxisFacts shiftRightUnsignedFacts(const AxisFacts &a, const AxisFacts &b, unsigned bits) {
  if (rangeOf(a, bits).minimum >= 0)
    return shiftRightFacts(a, b, bits);
  std::optional<unsigned> count = countOf(b, bits);
  if (!count)
    return perAxis(
        {},
        [](const Run &a, const Run &b) { return Run{1, 1, std::min(a.constancy, b.constancy)}; }, a,
        b);
  if (*count == 0)
    return a;
  if (*count == bits)
    return exactly(0, a.rank());
  UnsignedRange x = unsignedRangeOf(a, bits);
  return blocksOf(signedRange(x.minimum >> *count, x.maximum >> *count, bits), a, b, *count, bits);
}

AxisFacts minUnsignedFacts(const AxisFacts &a, const AxisFacts &b, unsigned bits) {
  UnsignedRange x = unsignedRangeOf(a, bits), y = unsignedRangeOf(b, bits);
  if (x.maximum <= y.minimum)
    return a;
  if (y.maximum <= x.minimum)
    return b;
  return eitherFacts({std::min(a.minimum, b.minimum), std::max(a.maximum, b.maximum)}, a, b, bits);
}

AxisFacts maxUnsignedFacts(const AxisFacts &a, const AxisFacts &b, unsigned bits) {
  UnsignedRange x = unsignedRangeOf(a, bits), y = unsignedRangeOf(b, bits);
  if (x.minimum >= y.maximum)
    return a;
  if (y.minimum >= x.maximum)
    return b;
  return eitherFacts({std::min(a.minimum, b.minimum), std::max(a.maximum, b.maximum)}, a, b, bits);
}

//===- Widths --------------------------------------------------------------------------------===//

/// The facts of the same numbers in a wider type, where runs no longer wrap.
static AxisFacts extendFacts(Range range, const AxisFacts &a, unsigned fromBits, bool mayWrap) {
  return perAxis(
      range,
      [&](const Run &a) {
        std::int64_t growing = mayWrap ? aligned(a, fromBits) : a.contiguity;
        return Run{growing, first(a, growing), a.constancy};
      },
      a);
}

AxisFacts signExtendFacts(const AxisFacts &a, unsigned fromBits) {
  Range x = rangeOf(a, fromBits);
  // A run wraps by passing from the greatest number to the least, so it does not if one is
  // excluded.
  bool mayWrap = x.minimum == leastOf(fromBits) && x.maximum == greatestOf(fromBits);
  return extendFacts(x, a, fromBits, mayWrap);
}

AxisFacts zeroExtendFacts(const AxisFacts &a, unsigned fromBits) {
  assert(fromBits < 64 && "nothing is wider");
  Range x = rangeOf(a, fromBits);
  // Here the passage is from −1, all ones, to 0.
  bool mayWrap = x.minimum <= -1 && x.maximum >= 0;
  std::int64_t count = std::int64_t(1) << (fromBits % 64);
  Range range{0, fromBits == 63 ? int64Max : count - 1};
  if (x.minimum >= 0)
    range = x;
  else if (x.maximum < 0 && fromBits < 63)
    range = {x.minimum + count, x.maximum + count};
  return extendFacts(range, a, fromBits, mayWrap);
}

AxisFacts truncateFacts(const AxisFacts &a, unsigned toBits) {
  AxisFacts result = a;
  if (std::optional<std::int64_t> value = a.constant())
    return exactly(llvm::SignExtend64(*value, toBits), a.rank());
  if (a.minimum < leastOf(toBits) || a.maximum > greatestOf(toBits)) {
    result.minimum = int64Min;
    result.maximum = int64Max;
  }
  return result;
}

//===- Choices -------------------------------------------------------------------------------===//

/// 1 and 0 where the bounds decide the comparison of signed numbers, else nothing.
static std::optional<bool> decide(Comparison comparison, Range x, Range y) {
  auto either = [](bool yes, bool no) -> std::optional<bool> {
    if (yes)
      return true;
    if (no)
      return false;
    return std::nullopt;
  };
  bool apart = x.maximum < y.minimum || y.maximum < x.minimum;
  bool same = x.minimum == x.maximum && y.minimum == y.maximum && x.minimum == y.minimum;
  switch (comparison) {
  case Comparison::Equal:
    return either(same, apart);
  case Comparison::NotEqual:
    return either(apart, same);
  case Comparison::Less:
    return either(x.maximum < y.minimum, x.minimum >= y.maximum);
  case Comparison::LessEqual:
    return either(x.maximum <= y.minimum, x.minimum > y.maximum);
  case Comparison::Greater:
    return either(x.minimum > y.maximum, x.maximum <= y.minimum);
  case Comparison::GreaterEqual:
    return either(x.minimum >= y.maximum, x.maximum < y.minimum);
  }
  return std::nullopt;
}

AxisFacts compareFacts(Comparison comparison, Signedness signedness, const AxisFacts &a,
                       const AxisFacts &b, unsigned bits) {
  Range x = rangeOf(a, bits), y = rangeOf(b, bits), range{-1, 0};
  bool ordersAgree = signedness == Signedness::Signed || (x.minimum >= 0 && y.minimum >= 0);
  bool isOrder = comparison != Comparison::Equal && comparison != Comparison::NotEqual;
  if (ordersAgree || !isOrder)
    if (std::optional<bool> answer = decide(comparison, x, y))
      range.minimum = range.maximum = *answer ? -1 : 0;

  // An aligned run is below a bound as a whole if its length divides the bound: x < b and x ≥ b
  // need b to be divisible, x ≤ b and x > b, which are x < b + 1 and x ≥ b + 1, need b + 1.
  auto bound = [&](const AxisFacts &bound, const Run &run, bool inclusive) {
    if (!inclusive)
      return std::min(run.constancy, first(run, 1));
    if (std::optional<std::int64_t> value = bound.constant())
      return divisorOf(static_cast<std::int64_t>(static_cast<std::uint64_t>(*value) + 1));
    return std::int64_t(1);
  };
  bool inclusiveForA = comparison == Comparison::LessEqual || comparison == Comparison::Greater;
  auto rule = [&](const Run &runA, const Run &runB) {
    Run result{1, 1, std::min(runA.constancy, runB.constancy)};
    std::int64_t whole;
    if (isOrder)
      whole = std::max({std::min(aligned(runA, bits), bound(b, runB, inclusiveForA)),
                        std::min(aligned(runB, bits), bound(a, runA, !inclusiveForA)),
                        std::min(aligned(runA, bits), aligned(runB, bits))});
    else
      whole = std::min(runA.contiguity, runB.contiguity); // the distance is constant
    result.constancy = std::max(result.constancy, whole);
    return result;
  };
  if (range.minimum == range.maximum)
    return exactly(range.minimum, a.rank());
  return perAxis(range, rule, a, b);
}

AxisFacts selectFacts(const AxisFacts &condition, const AxisFacts &a, const AxisFacts &b) {
  assert(a.step == b.step && "both are integers, or pointers to elements of one size");
  if (std::optional<std::int64_t> value = condition.constant())
    return *value ? a : b;
  return perAxis(
      {std::min(a.minimum, b.minimum), std::max(a.maximum, b.maximum)},
      [](const Run &condition, const Run &a, const Run &b) {
        std::int64_t length = std::min({condition.constancy, a.contiguity, b.contiguity});
        return Run{length, std::min(first(a, length), first(b, length)),
                   std::min({condition.constancy, a.constancy, b.constancy}), a.step};
      },
      condition, a, b);
}

AxisFacts ptrAddFacts(const AxisFacts &pointer, const AxisFacts &offset, unsigned offsetBits) {
  AxisFacts elements = offsetBits < 64 ? signExtendFacts(offset, offsetBits) : offset;
  return perAxis(
      {},
      [](const Run &pointer, const Run &elements) {
        std::int64_t length = std::max(std::min(pointer.contiguity, elements.constancy),
                                       std::min(pointer.constancy, elements.contiguity));
        std::int64_t elementDivisor =
            std::min(first(elements, length), AxisFacts::maxDivisibility / pointer.step);
        return Run{length, std::min(first(pointer, length), elementDivisor * pointer.step),
                   std::min(pointer.constancy, elements.constancy), pointer.step};
      },
      pointer, elements);
}

//===- Control flow --------------------------------------------------------------------------===//

AxisFacts joinFacts(const AxisFacts &previous, const AxisFacts &next) {
  assert(previous.step == next.step && "values of one type meet");
  Range range{previous.minimum <= next.minimum ? previous.minimum : int64Min,
              previous.maximum >= next.maximum ? previous.maximum : int64Max};
  return perAxis(
      range,
      [](const Run &a, const Run &b) {
        std::int64_t length = std::min(a.contiguity, b.contiguity);
        return Run{length, std::min(first(a, length), first(b, length)),
                   std::min(a.constancy, b.constancy), a.step};
      },
      previous, next);
}

AxisFacts multipleFacts(const AxisFacts &a, std::int64_t divisor) {
  AxisFacts result = a;
  for (std::int64_t &known : result.divisibility)
    known = std::max(known, divisorOf(divisor));
  return result;
}

AxisFacts withinFacts(const AxisFacts &a, std::int64_t minimum, std::int64_t maximum) {
  AxisFacts result = a;
  if (std::max(a.minimum, minimum) <= std::min(a.maximum, maximum)) {
    result.minimum = std::max(a.minimum, minimum);
    result.maximum = std::min(a.maximum, maximum);
  }
  return result;
}

AxisFacts settleFacts(AxisFacts facts, llvm::ArrayRef<std::int64_t> extents) {
  Wide divisor = facts.divisorOfAll();
  Wide least = Wide(facts.minimum) / divisor * divisor,
       greatest = Wide(facts.maximum) / divisor * divisor;
  if (least < facts.minimum) // truncated toward zero, downwards
    least += divisor;
  if (greatest > facts.maximum)
    greatest -= divisor;
  if (least <= greatest) { // else nothing gets here
    facts.minimum = static_cast<std::int64_t>(least);
    facts.maximum = static_cast<std::int64_t>(greatest);
  }
  if (std::optional<std::int64_t> value = facts.constant())
    return constantFacts(*value, extents);
  return facts;
}

} // namespace trowel::tile
