// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of floating-point numbers, each in every type, within the bounds that trowel/Math.h
// states.
//
// The reference of float, f16 and bf16 is the host's double, which is within one unit of its own
// last place, nothing beside a float; that of double is the host's long double of 64 bits. An f16
// or bf16 has 65536 values, and all are tried. A float is sampled: every 509th bit pattern on a
// GPU, every 16381st on the software device, both primes, and densely where functions change. A
// double is sampled over all magnitudes and between −20 and 20.
//
// Results below the least normal float may be flushed to zero where a function's text says so,
// hence the absolute bound.
#include "tests/golden/ElementwiseKernel.h"
#include "tests/support/Comparison.h"
#include "tests/support/OnEveryDevice.h"
#include "tests/support/RandomData.h"

#include <bit>
#include <cmath>
#include <limits>

using namespace trowel;
using namespace trowel::golden;
using trowel::support::Bound;

namespace {

class Math : public support::OnEveryDevice {};
TROWEL_ON_EVERY_DEVICE(Math);

constexpr double leastNormal = std::numeric_limits<float>::min();

std::vector<float> floats(const Device &device) {
  std::vector<float> values;
  const std::uint64_t stride = device.isSimulator() ? 16381 : 509;
  for (std::uint64_t bits = 0; bits < (std::uint64_t(1) << 32); bits += stride)
    values.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  for (double range : {0.01, 1.0, 10.0, 100.0})
    for (float value : support::uniform<float>(20000, -range, range, 2))
      values.push_back(value);
  const float infinity = std::numeric_limits<float>::infinity();
  for (float value :
       {0.0f, -0.0f, infinity, -infinity, NAN, 1.0f, -1.0f, 88.72283f, 88.72284f, -87.33654f,
        -103.97208f, 128.0f, -149.0f, -150.0f, std::numeric_limits<float>::denorm_min()})
    values.push_back(value);
  return values;
}

std::vector<double> doubles() {
  std::vector<double> values;
  for (std::uint64_t i = 0; i < 30000; ++i)
    values.push_back(std::bit_cast<double>(support::randomBits(3, i)));
  for (double range : {0.01, 1.0, 20.0})
    for (std::uint64_t i = 0; i < 20000; ++i)
      values.push_back(range * (2 * support::randomUnit(4, i) - 1));
  const double infinity = std::numeric_limits<double>::infinity();
  for (double value : {0.0, -0.0, infinity, -infinity, double(NAN), 1.0, -1.0})
    values.push_back(value);
  return values;
}

template <class T> std::vector<T> everyHalf() {
  std::vector<T> values(65536);
  for (std::size_t bits = 0; bits < values.size(); ++bits)
    values[bits] = T::fromBits(static_cast<std::uint16_t>(bits));
  return values;
}

template <class T, class Function, class Reference>
void expectWithin(const Device &device, const std::vector<T> &x, Function function,
                  Reference reference, Bound bound) {
  std::vector<T> results = apply<T>(device, function, x);
  auto comparison = support::compare<T>(
      std::span<const T>(results),
      [&](std::size_t i) { return reference(static_cast<double>(x[i])); }, bound);
  EXPECT_TRUE(comparison.agrees())
      << comparison.text() << "; at x = " << static_cast<double>(x[comparison.firstWrong]);
}

/// Steps between two doubles; 0 between two NaNs, and between +0 and −0.
std::uint64_t stepsBetween(double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) && std::isnan(b) ? 0 : support::farApart;
  auto place = [](double x) {
    auto bits = std::bit_cast<std::int64_t>(x);
    return bits < 0 ? std::numeric_limits<std::int64_t>::min() - bits : bits;
  };
  return static_cast<std::uint64_t>(std::max(place(a), place(b))) -
         static_cast<std::uint64_t>(std::min(place(a), place(b)));
}

template <class Function, class Reference>
void expectDoublesWithinTwoUlps(const Device &device, Function function, Reference reference) {
  std::vector<double> x = doubles(), results = apply<double>(device, function, x);
  std::uint64_t worst = 0;
  std::size_t at = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    auto expected = static_cast<double>(reference(static_cast<long double>(x[i])));
    if (std::uint64_t steps = stepsBetween(results[i], expected); steps > worst) {
      worst = steps;
      at = i;
    }
  }
  EXPECT_LE(worst, 2u) << "at x = " << x[at] << ": " << results[at];
}

/// A function in every type; `ulps` and `absolute` bound that of float. `reference` takes and gives
/// double or long double.
template <class Function, class Reference>
void expectInEveryType(const Device &device, Function function, Reference reference,
                       std::uint64_t ulps, double absolute = 0) {
  {
    SCOPED_TRACE("float");
    expectWithin(device, floats(device), function, reference, {.ulps = ulps, .absolute = absolute});
  }
  {
    SCOPED_TRACE("bf16");
    expectWithin(device, everyHalf<bf16>(), function, reference, {.ulps = 1, .absolute = absolute});
  }
  {
    SCOPED_TRACE("f16");
    expectWithin(device, everyHalf<f16>(), function, reference, {.ulps = 1});
  }
  SCOPED_TRACE("double");
  expectDoublesWithinTwoUlps(device, function, reference);
}

#define FUNCTION(function) [](auto x) { return function(x); }
#define REFERENCE(function) [](auto x) { return std::function(x); }

TEST_P(Math, ExpIsWithinItsBounds) {
  expectInEveryType(device(), FUNCTION(exp), REFERENCE(exp), 2, leastNormal);
}
TEST_P(Math, Exp2IsWithinItsBounds) {
  expectInEveryType(device(), FUNCTION(exp2), REFERENCE(exp2), 2, leastNormal);
}
TEST_P(Math, LogIsWithinItsBounds) {
  expectInEveryType(device(), FUNCTION(log), REFERENCE(log), 2);
}
TEST_P(Math, Log2IsWithinItsBounds) {
  expectInEveryType(device(), FUNCTION(log2), REFERENCE(log2), 2);
}
TEST_P(Math, Log1pIsWithinItsBounds) {
  expectInEveryType(device(), FUNCTION(log1p), REFERENCE(log1p), 4);
}
TEST_P(Math, Expm1IsWithinItsBounds) {
  expectInEveryType(device(), FUNCTION(expm1), REFERENCE(expm1), 4);
}
TEST_P(Math, SinIsWithinItsBounds) {
  expectInEveryType(device(), FUNCTION(sin), REFERENCE(sin), 4);
}
TEST_P(Math, CosIsWithinItsBounds) {
  expectInEveryType(device(), FUNCTION(cos), REFERENCE(cos), 4);
}
TEST_P(Math, TanIsWithinItsBounds) {
  expectInEveryType(device(), FUNCTION(tan), REFERENCE(tan), 4);
}
TEST_P(Math, TanhIsWithinItsBounds) {
  expectInEveryType(device(), FUNCTION(tanh), REFERENCE(tanh), 2);
}
TEST_P(Math, ErfIsWithinItsBounds) {
  expectInEveryType(device(), FUNCTION(erf), REFERENCE(erf), 4);
}
TEST_P(Math, RsqrtIsWithinItsBounds) {
  expectInEveryType(device(), FUNCTION(rsqrt), [](auto x) { return 1 / std::sqrt(x); }, 4);
}
TEST_P(Math, SigmoidIsWithinItsBounds) {
  expectInEveryType(
      device(), FUNCTION(sigmoid),
      [](auto x) {
        decltype(x) power = std::exp(-std::fabs(x));
        return (x < 0 ? power : 1) / (1 + power);
      },
      2, leastNormal);
}

TEST_P(Math, SqrtIsCorrectlyRounded) {
  expectWithin(device(), floats(device()), FUNCTION(sqrt), REFERENCE(sqrt), {});
  expectWithin(device(), everyHalf<bf16>(), FUNCTION(sqrt), REFERENCE(sqrt), {});
  expectWithin(device(), everyHalf<f16>(), FUNCTION(sqrt), REFERENCE(sqrt), {});
}
TEST_P(Math, FloorCeilAndRoundAreExact) {
  auto expectExact = [&](auto function, auto reference) {
    expectWithin(device(), floats(device()), function, reference, {});
    expectWithin(device(), everyHalf<bf16>(), function, reference, {});
    expectWithin(device(), everyHalf<f16>(), function, reference, {});
    std::vector<double> x = doubles(), results = apply<double>(device(), function, x);
    for (std::size_t i = 0; i < x.size(); ++i)
      ASSERT_EQ(stepsBetween(results[i], reference(x[i])), 0u) << x[i];
  };
  expectExact(FUNCTION(floor), REFERENCE(floor));
  expectExact(FUNCTION(ceil), REFERENCE(ceil));
  expectExact(FUNCTION(round), REFERENCE(round));
}

TEST_P(Math, PowIsWithinItsBounds) {
  auto function = [](auto x, auto y) { return pow(x, y); };
  std::vector<float> x, y;
  const std::size_t count = device().isSimulator() ? 100000 : 4000000;
  for (std::size_t i = 0; i < count; ++i) {
    x.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(support::randomBits(5, i))));
    if (i % 3)
      x.back() = std::fabs(x.back());
    y.push_back(static_cast<float>(40 * (2 * support::randomUnit(6, i) - 1)));
    if (i % 5 == 0)
      y.back() = std::trunc(y.back());
    if (i % 7 == 0)
      x.back() = static_cast<float>(4 * support::randomUnit(7, i));
  }
  const float infinity = std::numeric_limits<float>::infinity();
  const auto [specialX, specialY] = allPairs<float>(
      {0.0f, -0.0f, 1.0f, -1.0f, infinity, -infinity, NAN, 2.0f, -2.0f, 0.5f, 3.0f, -3.0f, 1e-40f});
  x.insert(x.end(), specialX.begin(), specialX.end());
  y.insert(y.end(), specialY.begin(), specialY.end());
  std::vector<float> results = apply<float>(device(), function, x, y);
  for (std::size_t i = 0; i < x.size(); ++i)
    ASSERT_LE(support::ulpDistance(results[i], std::pow(double(x[i]), double(y[i]))), 4u)
        << "pow(" << x[i] << ", " << y[i] << ") gave " << results[i];

  std::vector<double> wideX(x.begin(), x.begin() + 50000), wideY(y.begin(), y.begin() + 50000);
  std::vector<double> wide = apply<double>(device(), function, wideX, wideY);
  for (std::size_t i = 0; i < wideX.size(); ++i)
    ASSERT_LE(stepsBetween(wide[i], static_cast<double>(
                                        std::pow(static_cast<long double>(wideX[i]), wideY[i]))),
              2u)
        << "pow(" << wideX[i] << ", " << wideY[i] << ") gave " << wide[i];
}

TEST_P(Math, FastFunctionsAreWithinTheirBounds) {
  // ulp that grow with the argument, by the rounding of x · log2 e.
  auto grows = [](double base) { return [base](double x) { return base + 1.16 * std::fabs(x); }; };
  std::vector<float> x;
  for (float value : support::uniform<float>(200000, -80, 80, 1))
    x.push_back(value);
  auto expectUlps = [&](auto function, auto reference, auto boundAt) {
    std::vector<float> results = apply<float>(device(), function, x);
    for (std::size_t i = 0; i < x.size(); ++i) {
      double expected = reference(double(x[i]));
      if (expected < leastNormal)
        continue;
      ASSERT_LE(static_cast<double>(support::ulpDistance(results[i], expected)), boundAt(x[i]))
          << x[i];
    }
  };
  expectUlps(FUNCTION(fast::exp), REFERENCE(exp), grows(2));
  expectUlps(FUNCTION(fast::exp2), REFERENCE(exp2), [](double) { return 2.0; });
  expectUlps(FUNCTION(fast::sigmoid), [](double v) { return 1 / (1 + std::exp(-v)); }, grows(4));

  auto expectAbsolute = [&](auto function, auto reference, double absolute, std::uint64_t ulps) {
    expectWithin(device(), x, function, reference, {.ulps = ulps, .absolute = absolute});
  };
  x = support::uniform<float>(200000, -3.14159, 3.14159, 2);
  expectAbsolute(FUNCTION(fast::sin), REFERENCE(sin), 0x1p-20 / 1.41, 0);
  expectAbsolute(FUNCTION(fast::cos), REFERENCE(cos), 0x1p-20 / 1.86, 0);
  std::vector<float> tanhs = apply<float>(device(), FUNCTION(fast::tanh), x);
  for (std::size_t i = 0; i < x.size(); ++i)
    ASSERT_LE(std::fabs(tanhs[i] - std::tanh(double(x[i]))), 0x1p-11 * std::fabs(std::tanh(x[i])))
        << x[i];
  x = support::uniform<float>(200000, 0.01, 100, 3);
  expectAbsolute(FUNCTION(fast::log2), REFERENCE(log2), 0x1p-22, 2);
  expectAbsolute(FUNCTION(fast::log), REFERENCE(log), 0x1p-22, 3);
  expectAbsolute(FUNCTION(fast::rsqrt), [](auto v) { return 1 / std::sqrt(v); }, 0, 2);
}

TEST_P(Math, LibraryFunctionsFollowFromTheirParts) {
  const double floatError = 0x1p-21;
  auto expectClose = [&](auto function, auto reference) {
    std::vector<float> x = support::uniform<float>(100000, -8, 8, 4);
    expectWithin(device(), x, function, reference, {.ulps = 6, .absolute = 8 * floatError});
    expectWithin(device(), support::uniform<bf16>(65536, -8, 8, 5), function, reference,
                 {.ulps = 1, .absolute = 8 * floatError});
  };
  expectClose(FUNCTION(silu), [](double v) { return v / (1 + std::exp(-v)); });
  expectClose(FUNCTION(gelu),
              [](double v) { return v * 0.5 * (1 + std::erf(v * std::sqrt(0.5))); });
  expectClose(FUNCTION(geluTanh), [](double v) {
    double slope = std::sqrt(2 / std::acos(-1.0)) * (v + 0.044715 * v * v * v);
    return 0.5 * v * (1 + std::tanh(slope));
  });
}

TEST_P(Math, ClampKeepsNaN) {
  std::vector<float> x{-1.0f, 0.5f, 7.0f, NAN};
  std::vector<float> y = apply<float>(device(), [](auto v) { return clamp(v, 0.0f, 6.0f); }, x);
  EXPECT_EQ(y[0], 0.0f);
  EXPECT_EQ(y[1], 0.5f);
  EXPECT_EQ(y[2], 6.0f);
  EXPECT_TRUE(std::isnan(y[3]));
}

TEST_P(Math, FmaRoundsOnce) {
  const std::size_t n = 20000;
  std::vector<float> a = support::uniform<float>(n, -2, 2, 1);
  std::vector<float> b = support::uniform<float>(n, -2, 2, 2), c(n);
  // Half of the sums cancel the product's leading bits, where a second rounding would show.
  for (std::size_t i = 0; i < n; ++i)
    c[i] = i % 2 ? -a[i] * b[i] : b[n - 1 - i];
  std::vector<float> results =
      apply<float>(device(), [](auto x, auto y, auto z) { return fma(x, y, z); }, a, b, c);
  for (std::size_t i = 0; i < n; ++i)
    ASSERT_EQ(results[i], std::fma(a[i], b[i], c[i])) << a[i] << " * " << b[i] << " + " << c[i];
}

} // namespace
