// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Samples for the brute-force test, and the judge of what holds of them.
//
// The judge reads the definition of the facts literally: it visits each element, finds the start of
// its run and compares. Samples must be interesting, as random numbers have no facts; so they are
// made of runs, and their starts cluster where rules go wrong: at the ends of the type, around 0,
// at multiples of powers of two.
#include "tests/unit/analysis/FactSamples.h"

#include <algorithm>
#include <bit>

namespace trowel::tile {

std::int64_t wrap(__int128 value, unsigned bits) {
  auto low = static_cast<std::uint64_t>(value);
  if (bits == 64)
    return static_cast<std::int64_t>(low);
  std::uint64_t sign = std::uint64_t(1) << (bits - 1);
  low &= (std::uint64_t(1) << bits) - 1;
  return static_cast<std::int64_t>((low ^ sign) - sign);
}

/// Extents and strides of the axes, the pseudo axis of a scalar included.
struct Axis {
  std::int64_t extent, stride;
};

static std::vector<Axis> axesOf(const std::vector<std::int64_t> &extents) {
  std::vector<Axis> axes(extents.size());
  std::int64_t stride = 1;
  for (std::size_t axis = extents.size(); axis-- > 0; stride *= extents[axis])
    axes[axis] = {extents[axis], stride};
  if (axes.empty())
    axes.push_back({1, 1});
  return axes;
}

static bool divides(std::int64_t divisor, std::int64_t value) { return value % divisor == 0; }

/// Calls visit(element, start of its run, distance from it) for runs of that length along the axis,
/// until false.
template <class Visit>
static bool eachInRuns(std::size_t count, Axis axis, std::int64_t length, Visit visit) {
  for (std::size_t i = 0; i < count; ++i) {
    std::int64_t distance = static_cast<std::int64_t>(i) / axis.stride % axis.extent % length;
    if (!visit(i, i - distance * axis.stride, distance))
      return false;
  }
  return true;
}

static bool countsUp(const std::vector<std::int64_t> &values, Axis axis, std::int64_t length,
                     unsigned bits, std::int64_t step) {
  return eachInRuns(
      values.size(), axis, length, [&](std::size_t i, std::size_t start, std::int64_t distance) {
        return values[i] == wrap(static_cast<__int128>(values[start]) + distance * step, bits);
      });
}

static bool repeats(const std::vector<std::int64_t> &values, Axis axis, std::int64_t length) {
  return eachInRuns(
      values.size(), axis, length,
      [&](std::size_t i, std::size_t start, std::int64_t) { return values[i] == values[start]; });
}

static bool startsDivisible(const std::vector<std::int64_t> &values, Axis axis, std::int64_t length,
                            std::int64_t divisor) {
  return eachInRuns(values.size(), axis, length,
                    [&](std::size_t i, std::size_t, std::int64_t distance) {
                      return distance != 0 || divides(divisor, values[i]);
                    });
}

std::string broken(const AxisFacts &facts, const std::vector<std::int64_t> &values,
                   const std::vector<std::int64_t> &extents, unsigned bits) {
  std::vector<Axis> axes = axesOf(extents);
  if (facts.rank() != axes.size())
    return "facts of rank " + std::to_string(facts.rank());
  for (std::size_t a = 0; a < axes.size(); ++a) {
    auto claim = [&](const char *what, std::int64_t value) {
      return std::string(what) + " " + std::to_string(value) + " along axis " + std::to_string(a);
    };
    for (std::int64_t number : {facts.contiguity[a], facts.divisibility[a], facts.constancy[a]})
      if (number < 1 || !std::has_single_bit(static_cast<std::uint64_t>(number)) ||
          number > AxisFacts::maxDivisibility)
        return claim("no power of two:", number);
    if (!countsUp(values, axes[a], facts.contiguity[a], bits, facts.step))
      return claim("contiguity", facts.contiguity[a]);
    if (!startsDivisible(values, axes[a], facts.contiguity[a], facts.divisibility[a]))
      return claim("divisibility", facts.divisibility[a]);
    if (!repeats(values, axes[a], facts.constancy[a]))
      return claim("constancy", facts.constancy[a]);
    auto longest =
        static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(axes[a].extent)));
    if (facts.contiguity[a] > longest || facts.constancy[a] > longest)
      return claim("runs longer than the axis", longest);
  }
  for (std::int64_t value : values)
    if (value < facts.minimum || value > facts.maximum)
      return "bounds " + std::to_string(facts.minimum) + " to " + std::to_string(facts.maximum) +
             " exclude " + std::to_string(value);
  return "";
}

AxisFacts strongest(const std::vector<std::int64_t> &values,
                    const std::vector<std::int64_t> &extents, unsigned bits, std::int64_t step) {
  std::vector<Axis> axes = axesOf(extents);
  AxisFacts facts = AxisFacts::unknown(axes.size(), step);
  for (std::size_t a = 0; a < axes.size(); ++a) {
    while (facts.constancy[a] < axes[a].extent && repeats(values, axes[a], 2 * facts.constancy[a]))
      facts.constancy[a] *= 2;
    while (facts.contiguity[a] < axes[a].extent &&
           countsUp(values, axes[a], 2 * facts.contiguity[a], bits, step))
      facts.contiguity[a] *= 2;
    while (facts.divisibility[a] < AxisFacts::maxDivisibility &&
           startsDivisible(values, axes[a], facts.contiguity[a], 2 * facts.divisibility[a]))
      facts.divisibility[a] *= 2;
  }
  if (step == 1) {
    facts.minimum = *std::min_element(values.begin(), values.end());
    facts.maximum = *std::max_element(values.begin(), values.end());
  }
  return facts;
}

/// A power of two from 1 to `most`.
static std::int64_t powerUpTo(std::int64_t most, std::mt19937_64 &random) {
  int bits = std::countr_zero(static_cast<std::uint64_t>(most));
  return std::int64_t(1) << random() % (bits + 1);
}

AxisFacts weakened(AxisFacts facts, std::mt19937_64 &random) {
  for (unsigned axis = 0; axis < facts.rank(); ++axis) {
    std::int64_t contiguity = facts.contiguity[axis];
    if (random() % 4 == 0)
      contiguity = powerUpTo(contiguity, random);
    // Shorter runs start a run's length apart.
    std::int64_t divisor = facts.divisibility[axis];
    if (contiguity < facts.contiguity[axis])
      divisor = std::min(divisor, contiguity * facts.step);
    facts.contiguity[axis] = contiguity;
    facts.divisibility[axis] = random() % 3 ? divisor : powerUpTo(divisor, random);
    if (random() % 4 == 0)
      facts.constancy[axis] = powerUpTo(facts.constancy[axis], random);
  }
  auto farther = [&](std::int64_t &bound, int sign) {
    switch (random() % 4) {
    case 0:
      bound = sign < 0 ? std::numeric_limits<std::int64_t>::min()
                       : std::numeric_limits<std::int64_t>::max();
      break;
    case 1:
      if (std::abs(bound / 2) < std::numeric_limits<std::int64_t>::max() / 4)
        bound += sign * static_cast<std::int64_t>(random() % 5);
      break;
    default:
      break;
    }
  };
  farther(facts.minimum, -1);
  farther(facts.maximum, 1);
  return facts;
}

static std::int64_t randomStart(unsigned bits, std::mt19937_64 &random) {
  std::int64_t least = wrap(static_cast<__int128>(1) << (bits - 1), bits);
  const std::int64_t centres[] = {0, least, wrap(static_cast<__int128>(least) - 1, bits),
                                  wrap(static_cast<__int128>(random()), bits)};
  std::int64_t centre = centres[random() % 4];
  std::int64_t offset = static_cast<std::int64_t>(random() % 41) - 20;
  __int128 start = static_cast<__int128>(centre) + offset;
  std::int64_t multiple = std::int64_t(1) << random() % std::min(bits, 7u);
  if (random() % 2)
    start = start / multiple * multiple;
  return wrap(start, bits);
}

Sample randomSample(const std::vector<std::int64_t> &extents, unsigned bits,
                    std::mt19937_64 &random, std::int64_t step) {
  std::vector<Axis> axes = axesOf(extents);
  std::int64_t count = axes[0].extent * axes[0].stride;
  Sample sample;
  // Along one axis runs count up, repeat or neither; along the others the pattern repeats or starts
  // anew.
  std::size_t along = random() % axes.size();
  std::int64_t run = std::int64_t(1) << random() % 6;
  int slope = static_cast<int>(random() % 3) - (random() % 8 == 0);
  bool sameLines = random() % 2;
  bool equalRuns = random() % 3 == 0;
  std::int64_t multiple = std::int64_t(1) << random() % std::min(bits, 6u);
  bool aligned = random() % 2;
  std::vector<std::int64_t> starts;
  std::int64_t common = randomStart(bits, random);
  bool nonNegative = random() % 3 == 0;
  for (std::int64_t i = 0; i < count; ++i) {
    __int128 start = equalRuns ? common : randomStart(bits, random);
    if (nonNegative && start < 0)
      start = -(start + 1);
    starts.push_back(
        wrap(aligned ? start / multiple * multiple * (step > 1 ? step : 1) : start, bits));
  }
  bool ascending = random() % 3 == 0; // run after run goes on where the last one ended
  for (std::int64_t i = 0; i < count; ++i) {
    std::int64_t position = i / axes[along].stride % axes[along].extent;
    std::int64_t line = sameLines
                            ? 0
                            : i / (axes[along].stride * axes[along].extent) * axes[along].stride +
                                  i % axes[along].stride;
    std::int64_t runIndex = ascending ? 0 : position / run;
    std::int64_t within = ascending ? (slope ? position : position / run * run) : position % run;
    std::int64_t start = starts[(line * 7 + runIndex) % count];
    std::int64_t rate = slope ? slope : ascending ? 1 : 0;
    sample.values.push_back(
        wrap(static_cast<__int128>(start) + static_cast<__int128>(rate) * within * step, bits));
  }
  sample.facts = strongest(sample.values, extents, bits, step);
  if (random() % 2)
    sample.facts = weakened(sample.facts, random);
  return sample;
}

std::string text(const Sample &sample) {
  std::string result = "[";
  for (std::int64_t value : sample.values)
    result += (result.size() > 1 ? " " : "") + std::to_string(value);
  result += "] with";
  for (unsigned axis = 0; axis < sample.facts.rank(); ++axis)
    result += " (contiguity " + std::to_string(sample.facts.contiguity[axis]) + ", divisibility " +
              std::to_string(sample.facts.divisibility[axis]) + ", constancy " +
              std::to_string(sample.facts.constancy[axis]) + ")";
  return result + " from " + std::to_string(sample.facts.minimum) + " to " +
         std::to_string(sample.facts.maximum);
}

} // namespace trowel::tile
