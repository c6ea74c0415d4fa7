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
// Results below the least normal float may be flushed to zero where a function's text says so. Of
// pow, each f16 and bf16 is tried with some exponents, since all pairs are 2^32.
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

/// The bound is one for all arguments, or `bound(x)`.
template <class T, class Function, class Reference, class BoundOf = Bound>
void expectWithin(const Device &device, const std::vector<T> &x, Function function,
                  Reference reference, BoundOf bound) {
  std::vector<T> results = apply<T>(device, function, x);
  auto comparison = support::compare<T>(
      std::span<const T>(results),
      [&](std::size_t i) { return reference(static_cast<double>(x[i])); },
      [&](std::size_t i) {
        if constexpr (std::is_same_v<BoundOf, Bound>)
          return bound;
        else
          return bound(static_cast<double>(x[i]));
      });
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

/// `absolute` is a part of the argument.
template <class Function, class Reference>
void expectDoublesWithin(const Device &device, Function function, Reference reference,
                         std::uint64_t ulps, double absolute = 0) {
  std::vector<double> x = doubles(), results = apply<double>(device, function, x);
  std::uint64_t worst = 0;
  std::size_t at = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    auto expected = static_cast<double>(reference(static_cast<long double>(x[i])));
    if (std::fabs(results[i] - expected) <= absolute * std::fabs(x[i]))
      continue;
    if (std::uint64_t steps = stepsBetween(results[i], expected); steps > worst) {
      worst = steps;
      at = i;
    }
  }
  EXPECT_LE(worst, ulps) << "at x = " << x[at] << ": " << results[at];
}

/// Results up to which size may be 0.
struct Lost {
  double inFloat = 0;
  double inBFloat16 = inFloat;
};

/// A function in every type; `ulps` bounds that of float. `reference` takes and gives double or
/// long double.
template <class Function, class Reference>
void expectInEveryType(const Device &device, Function function, Reference reference,
                       std::uint64_t ulps, Lost lost = {}, std::uint64_t ulpsOfDouble = 2) {
  {
    SCOPED_TRACE("float");
    expectWithin(device, floats(device), function, reference,
                 Bound{.ulps = ulps, .absolute = lost.inFloat});
  }
  {
    SCOPED_TRACE("bf16");
    expectWithin(device, everyHalf<bf16>(), function, reference,
                 Bound{.ulps = 1, .absolute = lost.inBFloat16});
  }
  {
    SCOPED_TRACE("f16");
    expectWithin(device, everyHalf<f16>(), function, reference, Bound{.ulps = 1});
  }
  SCOPED_TRACE("double");
  expectDoublesWithin(device, function, reference, ulpsOfDouble);
}

#define FUNCTION(function) [](auto x) { return function(x); }
#define REFERENCE(function) [](auto x) { return std::function(x); }

TEST_P(Math, ExpIsWithinItsBounds) {
  expectInEveryType(device(), FUNCTION(exp), REFERENCE(exp), 2, {leastNormal});
}
TEST_P(Math, Exp2IsWithinItsBounds) {
  expectInEveryType(device(), FUNCTION(exp2), REFERENCE(exp2), 2,
                    {.inFloat = 0, .inBFloat16 = leastNormal});
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
  expectInEveryType(device(), FUNCTION(sigmoid),
                    [](auto x) {
                      decltype(x) power = std::exp(-std::fabs(x));
                      return (x < 0 ? power : 1) / (1 + power);
                    },
                    2, {leastNormal});
}

TEST_P(Math, KeepsTheSignOfZero) {
  auto expectSigns = [&]<class T>(T) {
    auto expectOf = [&](const char *function, auto apply1) {
      std::vector<T> results = apply<T>(device(), apply1, std::vector<T>{T(0.0f), T(-0.0f)});
      for (int i = 0; i < 2; ++i) {
        auto result = static_cast<double>(results[i]);
        EXPECT_TRUE(result == 0 && std::signbit(result) == (i == 1))
            << function << " of " << name(elementType<T>) << " gave " << result;
      }
    };
    expectOf("sin", FUNCTION(sin)), expectOf("tan", FUNCTION(tan));
    expectOf("tanh", FUNCTION(tanh)), expectOf("erf", FUNCTION(erf));
    expectOf("expm1", FUNCTION(expm1)), expectOf("log1p", FUNCTION(log1p));
    expectOf("sqrt", FUNCTION(sqrt)), expectOf("floor", FUNCTION(floor));
    expectOf("ceil", FUNCTION(ceil)), expectOf("round", FUNCTION(round));
  };
  expectSigns(f16()), expectSigns(bf16()), expectSigns(float()), expectSigns(double());
}

TEST_P(Math, SqrtIsCorrectlyRounded) {
  expectWithin(device(), floats(device()), FUNCTION(sqrt), REFERENCE(sqrt), Bound{});
  expectWithin(device(), everyHalf<bf16>(), FUNCTION(sqrt), REFERENCE(sqrt), Bound{});
  expectWithin(device(), everyHalf<f16>(), FUNCTION(sqrt), REFERENCE(sqrt), Bound{});
  // The host's root of a double is the reference: one by way of long double would round twice.
  expectDoublesWithin(
      device(), FUNCTION(sqrt), [](long double x) { return std::sqrt(static_cast<double>(x)); }, 0);
}
TEST_P(Math, FloorCeilAndRoundAreExact) {
  auto expectExact = [&](auto function, auto reference) {
    expectWithin(device(), floats(device()), function, reference, Bound{});
    expectWithin(device(), everyHalf<bf16>(), function, reference, Bound{});
    expectWithin(device(), everyHalf<f16>(), function, reference, Bound{});
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

template <class T> void expectPowWithinOneUlp(const Device &device) {
  std::vector<T> x, y;
  for (double exponent : {2.0, 0.5, -1.0, -2.5, 3.0, 7.25, 0.0, -40.0, 1000.0})
    for (T base : everyHalf<T>()) {
      x.push_back(base);
      y.push_back(T(static_cast<float>(exponent)));
    }
  std::vector<T> results = apply<T>(device, [](auto a, auto b) { return pow(a, b); }, x, y);
  for (std::size_t i = 0; i < x.size(); ++i) {
    auto base = static_cast<double>(x[i]), exponent = static_cast<double>(y[i]);
    ASSERT_LE(support::ulpDistance(results[i], std::pow(base, exponent)), 1u)
        << "pow(" << base << ", " << exponent << ") gave " << static_cast<double>(results[i]);
  }
}

TEST_P(Math, PowOfNarrowTypesIsWithinOneUlp) {
  expectPowWithinOneUlp<f16>(device());
  expectPowWithinOneUlp<bf16>(device());
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
    expectWithin(device(), x, function, reference, Bound{.ulps = ulps, .absolute = absolute});
  };
  x = support::uniform<float>(200000, -3.14159, 3.14159, 2);
  expectAbsolute(FUNCTION(fast::sin), REFERENCE(sin), 0x1p-20 / 1.41, 0);
  expectAbsolute(FUNCTION(fast::cos), REFERENCE(cos), 0x1p-20 / 1.86, 0);
  expectWithin(device(), x, FUNCTION(fast::tan), REFERENCE(tan), [](double v) {
    double square = std::tan(v) * std::tan(v);
    return Bound{.absolute = square > 1e6 ? HUGE_VAL : 0x1p-19 * (1 + square)};
  });
  std::vector<float> tanhs = apply<float>(device(), FUNCTION(fast::tanh), x);
  for (std::size_t i = 0; i < x.size(); ++i)
    ASSERT_LE(std::fabs(tanhs[i] - std::tanh(double(x[i]))), 0x1p-11 * std::fabs(std::tanh(x[i])))
        << x[i];
  x = support::uniform<float>(200000, 0.01, 100, 3);
  expectAbsolute(FUNCTION(fast::log2), REFERENCE(log2), 0x1p-22, 2);
  expectAbsolute(FUNCTION(fast::log), REFERENCE(log), 0x1p-22, 3);
  expectAbsolute(FUNCTION(fast::rsqrt), [](auto v) { return 1 / std::sqrt(v); }, 0, 2);
}

TEST_P(Math, FastPowIsWithinItsBounds) {
  std::vector<float> x = support::uniform<float>(200000, 0.001, 100, 4),
                     y = support::uniform<float>(200000, -10, 10, 5);
  std::vector<float> results =
      apply<float>(device(), [](auto a, auto b) { return fast::pow(a, b); }, x, y);
  for (std::size_t i = 0; i < x.size(); ++i) {
    double bound = 2 + 4 * std::fabs(y[i]) * (1 + std::fabs(std::log2(double(x[i]))));
    ASSERT_LE(support::ulpDistance(results[i], std::pow(double(x[i]), double(y[i]))), bound)
        << "pow(" << x[i] << ", " << y[i] << ") gave " << results[i];
  }
}

TEST_P(Math, SiluIsWithinItsBounds) {
  expectInEveryType(
      device(), FUNCTION(silu), [](auto x) { return x / (1 + std::exp(-x)); }, 4, {1.1e-36}, 4);
}

/// Within 2^−22 of the argument, and in narrow types within 1 ulp of what is so.
template <class Function, class Reference>
void expectWithinPartOfArgument(const Device &device, Function function, Reference reference) {
  auto bound = [](std::uint64_t ulps) {
    return [=](double x) { return Bound{.ulps = ulps, .absolute = 0x1p-22 * std::fabs(x)}; };
  };
  expectWithin(device, floats(device), function, reference, bound(0));
  expectWithin(device, everyHalf<bf16>(), function, reference, bound(1));
  expectWithin(device, everyHalf<f16>(), function, reference, bound(1));
  expectDoublesWithin(device, function, reference, 0, 0x1p-51);
}

TEST_P(Math, GeluIsWithinItsBounds) {
  expectWithinPartOfArgument(device(), FUNCTION(gelu), [](auto x) {
    return x * (1 + std::erf(x / std::sqrt(decltype(x)(2)))) / 2;
  });
}

TEST_P(Math, GeluTanhIsWithinItsBounds) {
  expectWithinPartOfArgument(device(), FUNCTION(geluTanh), [](auto x) {
    decltype(x) pi = std::acos(decltype(x)(-1));
    decltype(x) slope = std::sqrt(2 / pi) * (x + decltype(x)(0.044715L) * x * x * x);
    return x * (1 + std::tanh(slope)) / 2;
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
