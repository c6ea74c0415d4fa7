// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// exp, tanh, sqrt and fma against float64, within the bounds that the language states.
//
// The host's float64 functions are within one unit of their own last place, which is nothing beside
// a float. A float has too many values for a test, so they are sampled over all magnitudes and
// densely where the functions change; a bf16 has 65536, and all are tried. Results below the least
// normal float may be flushed to zero where a function's text says so, hence the absolute bound of
// one least normal for exp.
#include "tests/golden/ElementwiseKernel.h"
#include "tests/support/Comparison.h"
#include "tests/support/OnEveryDevice.h"
#include "tests/support/RandomData.h"

#include <cmath>
#include <limits>

using namespace trowel;
using namespace trowel::golden;
using trowel::support::Bound;

namespace {

class Math : public support::OnEveryDevice {};
TROWEL_ON_EVERY_DEVICE(Math);

std::vector<float> sampleOfFloats() {
  std::vector<float> values = support::anyFinite(50000, 1);
  for (double range : {0.01, 1.0, 10.0, 100.0})
    for (float value : support::uniform<float>(50000, -range, range, 2))
      values.push_back(value);
  const float infinity = std::numeric_limits<float>::infinity();
  for (float value : {0.0f, -0.0f, infinity, -infinity, NAN, 88.72283f, 88.72284f, -87.33654f,
                      -103.97208f, std::numeric_limits<float>::denorm_min()})
    values.push_back(value);
  return values;
}

std::vector<bf16> everyBf16() {
  std::vector<bf16> values(65536);
  for (std::size_t bits = 0; bits < values.size(); ++bits)
    values[bits] = bf16::fromBits(static_cast<std::uint16_t>(bits));
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

const auto deviceExp = [](auto x) { return exp(x); };
const auto deviceTanh = [](auto x) { return tanh(x); };
const auto deviceSqrt = [](auto x) { return sqrt(x); };
const auto hostExp = [](double x) { return std::exp(x); };
const auto hostTanh = [](double x) { return std::tanh(x); };
const auto hostSqrt = [](double x) { return std::sqrt(x); };
const double leastNormal = std::numeric_limits<float>::min();

TEST_P(Math, ExpOfFloatIsWithinTwoUlps) {
  expectWithin(device(), sampleOfFloats(), deviceExp, hostExp,
               {.ulps = 2, .absolute = leastNormal});
}

TEST_P(Math, ExpOfEveryBf16IsWithinOneUlp) {
  expectWithin(device(), everyBf16(), deviceExp, hostExp, {.ulps = 1, .absolute = leastNormal});
}

TEST_P(Math, TanhOfFloatIsWithinTwoUlps) {
  expectWithin(device(), sampleOfFloats(), deviceTanh, hostTanh, {.ulps = 2});
}

TEST_P(Math, TanhOfEveryBf16IsWithinOneUlp) {
  expectWithin(device(), everyBf16(), deviceTanh, hostTanh, {.ulps = 1});
}

TEST_P(Math, SqrtOfFloatIsCorrectlyRounded) {
  expectWithin(device(), sampleOfFloats(), deviceSqrt, hostSqrt, {});
}

TEST_P(Math, SqrtOfEveryBf16IsCorrectlyRounded) {
  expectWithin(device(), everyBf16(), deviceSqrt, hostSqrt, {});
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
