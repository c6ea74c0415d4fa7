// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every operator on every floating-point type, bit for bit where the language promises one
// rounding.
//
// f16 and bf16 have few enough bits that a double holds their sums and products, or rounds them
// where the narrow type does not look; float and double are the host's own. Division of anything
// but doubles may be off by what the language allows.
#include "tests/golden/ElementwiseKernel.h"
#include "tests/support/Comparison.h"
#include "tests/support/OnEveryDevice.h"

#include <cmath>
#include <cstring>
#include <limits>

using namespace trowel;
using namespace trowel::golden;

namespace {

class FloatTypes : public support::OnEveryDevice {
protected:
  template <class Check> static void forEachType(Check check) {
    check(f16());
    check(bf16());
    check(float{});
    check(double{});
  }
};
TROWEL_ON_EVERY_DEVICE(FloatTypes);

/// The type in which the host computes, and the rounding of its result.
template <class T> using Host = std::conditional_t<std::is_same_v<T, float>, float, double>;
float rounded(float value, float) { return value; }
double rounded(double value, double) { return value; }
bf16 rounded(double value, bf16) { return support::roundToBf16(value); }
f16 rounded(double value, f16) { return support::roundToF16(value); }

template <class T> std::vector<T> tellingValues() {
  std::vector<T> values;
  for (double value : {0.0,
                       -0.0,
                       1.0,
                       -1.0,
                       1.5,
                       -2.25,
                       3.0,
                       0.1,
                       -0.3,
                       1e-3,
                       1e-4,
                       5.9e-8,
                       -6e-8,
                       2049.0,
                       65504.0,
                       -65504.0,
                       1e20,
                       -1e20,
                       1e-30,
                       3e38,
                       -3e38,
                       1e-39,
                       1.4e-45,
                       1e300,
                       -1e300,
                       1e-310,
                       5e-324,
                       1.0 + 0x1p-10,
                       1.0 + 0x1p-7,
                       1.0 + 0x1p-23,
                       1.0 + 0x1p-52,
                       double(INFINITY),
                       -double(INFINITY),
                       double(NAN)})
    values.push_back(rounded(static_cast<Host<T>>(value), T()));
  return values;
}

template <class H> H smaller(H a, H b) {
  if (std::isnan(a) || std::isnan(b))
    return std::numeric_limits<H>::quiet_NaN();
  if (a == b)
    return std::signbit(a) ? a : b;
  return a < b ? a : b;
}
template <class H> H larger(H a, H b) { return -smaller(-a, -b); }

/// Equal, with one kind of NaN and two kinds of zero.
template <class T> bool sameNumber(T a, T b) {
  auto x = static_cast<double>(a), y = static_cast<double>(b);
  return (std::isnan(x) && std::isnan(y)) || (x == y && std::signbit(x) == std::signbit(y));
}

/// The operators that give their operands' type: name, on the device, on the host. The device's
/// product is used twice where it must not become an fma.
#define TROWEL_OPERATORS(X)                                                                        \
  X("a + b", a + b, a + b)                                                                         \
  X("a - b", a - b, a - b)                                                                         \
  X("a * b", a *b, a *b)                                                                           \
  X("fma(a, b, a)", fma(a, b, a), std::fma(a, b, a))                                               \
  X("a * b + b", a *b + b, std::fma(a, b, b))                                                      \
  X("-a", -a, -a)                                                                                  \
  X("abs(a)", abs(a), std::abs(a))                                                                 \
  X("min(a, b)", min(a, b), smaller(a, b))                                                         \
  X("max(a, b)", max(a, b), larger(a, b))                                                          \
  X("where(a < b, a, b)", where(a < b, a, b), a < b ? a : b)                                       \
  X("sqrt(a)", sqrt(a), std::sqrt(a))

TEST_P(FloatTypes, EachOperatorRoundsOnce) {
  forEachType([&]<class T>(T) {
    auto [left, right] = allPairs(tellingValues<T>());
    const auto n = static_cast<std::int64_t>(left.size());
    auto body = kernel("operators", [=](Ptr<const T> x, Ptr<const T> y, Ptr<T> z, Index count) {
      Tile<int64> i = programId(0) * elementwiseBlock + iota(elementwiseBlock);
      Tile<bool> inside = i < count;
      Tile<T> a = load(x + i, inside), b = load(y + i, inside);
      Ptr<T> results = z;
#define TROWEL_STORE(name, device, host)                                                           \
  store(results + i, device, inside);                                                              \
  results += count;
      TROWEL_OPERATORS(TROWEL_STORE)
#undef TROWEL_STORE
    });
#define TROWEL_NAME(name, ...) name,
    const char *names[] = {TROWEL_OPERATORS(TROWEL_NAME)};
#undef TROWEL_NAME
    Device device = this->device();
    Buffer<T> x = device.upload(left), y = device.upload(right);
    GuardedBuffer<T> z(device, left.size() * std::size(names));
    body.launch(gridFor(left.size()), x, y, z.pointer(), n);
    std::vector<T> results = z.download();
    for (std::size_t i = 0; i < left.size(); ++i) {
      Host<T> a = left[i], b = right[i];
#define TROWEL_EXPECT(name, device, host) rounded(host, T()),
      T expected[] = {TROWEL_OPERATORS(TROWEL_EXPECT)};
#undef TROWEL_EXPECT
      for (std::size_t k = 0; k < std::size(names); ++k) {
        T got = results[k * left.size() + i];
        ASSERT_TRUE(sameNumber(got, expected[k]))
            << names[k] << " of a = " << a << ", b = " << b << " is " << static_cast<double>(got)
            << " instead of " << static_cast<double>(expected[k]) << " on " << name(elementType<T>);
      }
    }
  });
}

TEST_P(FloatTypes, DivisionIsWithinTheLanguagesBound) {
  forEachType([&]<class T>(T) {
    auto [a, b] = allPairs(tellingValues<T>());
    auto results = apply<T>(device(), [](auto x, auto y) { return x / y; }, a, b);
    for (std::size_t i = 0; i < a.size(); ++i) {
      Host<T> x = a[i], y = b[i];
      if constexpr (std::is_same_v<T, double>) {
        ASSERT_TRUE(sameNumber(results[i], x / y)) << x << " / " << y << " = " << results[i];
      } else {
        std::uint64_t allowed = std::is_same_v<T, float> ? 2 : 1;
        ASSERT_LE(support::ulpDistance(results[i], static_cast<double>(x) / y), allowed)
            << x << " / " << y << " = " << static_cast<double>(results[i]) << " on "
            << name(elementType<T>);
      }
    }
  });
}

TEST_P(FloatTypes, EachComparisonIsThatOfCpp) {
  forEachType([&]<class T>(T) {
    auto [left, right] = allPairs(tellingValues<T>());
    // One bit an operator, so that one kernel shows all.
    auto bits = apply<int32>(
        device(),
        [](auto a, auto b) {
          return cast<int32>(a == b) | (cast<int32>(a != b) << 1) | (cast<int32>(a < b) << 2) |
                 (cast<int32>(a <= b) << 3) | (cast<int32>(a > b) << 4) |
                 (cast<int32>(a >= b) << 5);
        },
        left, right);
    for (std::size_t i = 0; i < left.size(); ++i) {
      double a = left[i], b = right[i];
      int expected =
          (a == b) | (a != b) << 1 | (a < b) << 2 | (a <= b) << 3 | (a > b) << 4 | (a >= b) << 5;
      ASSERT_EQ(bits[i], expected) << a << " and " << b << " on " << name(elementType<T>);
    }
  });
}

TEST_P(FloatTypes, FminAndFmaxIgnoreNaN) {
  forEachType([&]<class T>(T) {
    std::vector<T> values;
    for (T value : tellingValues<T>()) // C leaves the sign of a zero open
      if (static_cast<double>(value) != 0 || !std::signbit(static_cast<double>(value)))
        values.push_back(value);
    auto [left, right] = allPairs(values);
    auto least = apply<T>(device(), [](auto a, auto b) { return fmin(a, b); }, left, right);
    auto most = apply<T>(device(), [](auto a, auto b) { return fmax(a, b); }, left, right);
    for (std::size_t i = 0; i < left.size(); ++i) {
      double a = left[i], b = right[i];
      ASSERT_TRUE(sameNumber(static_cast<double>(least[i]), std::fmin(a, b))) << a << ' ' << b;
      ASSERT_TRUE(sameNumber(static_cast<double>(most[i]), std::fmax(a, b))) << a << ' ' << b;
    }
  });
}

TEST_P(FloatTypes, PromoteToTheOneThatHoldsBoth) {
  // 1 + 2^-10 is an f16 and no bf16, 2^100 a bf16 and no f16; float holds both.
  std::vector<f16> narrow = {f16(1.0f + 0x1p-10f), f16(0.0f)};
  std::vector<bf16> wide = {bf16(0.0f), bf16(0x1p100f)};
  auto sums = apply<float>(device(), [](auto a, auto b) { return a + b; }, narrow, wide);
  EXPECT_EQ(sums, (std::vector<float>{1.0f + 0x1p-10f, 0x1p100f}));
  auto withInteger = apply<f16>(
      device(), [](auto a, auto b) { return a + b; }, narrow, std::vector<uint64>{2, 70000});
  EXPECT_EQ(static_cast<float>(withInteger[0]), 3.0f);
  EXPECT_TRUE(std::isinf(static_cast<float>(withInteger[1])));
  auto withFraction = apply<float>(device(), [](auto a) { return a * 0.5; }, std::vector<int8>{-3});
  EXPECT_EQ(withFraction, std::vector<float>{-1.5f});
  auto ofDoubles =
      apply<double>(device(), [](auto a) { return a + 0.1; }, std::vector<double>{0.2});
  EXPECT_EQ(ofDoubles, std::vector<double>{0.2 + 0.1});
}

} // namespace
