// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operators, against what the language says of them, at every pair of a few telling values.
//
// Two rules differ from C++: nothing is undefined (x / 0, x % 0 and the least integer divided by -1
// have values), and max and min propagate a NaN. The expectation is computed on the host in a type
// where it cannot overflow, or, for float, by the host's own correctly rounded operators.
#include "tests/golden/ElementwiseKernel.h"
#include "tests/support/Comparison.h"
#include "tests/support/OnEveryDevice.h"

#include <cmath>
#include <limits>

using namespace trowel;
using namespace trowel::golden;

namespace {

class Arithmetic : public support::OnEveryDevice {
protected:
  /// Compares `onDevice(a, b)` with `onHost(a, b)` for each pair of the values.
  template <class Out, class T, class OnDevice, class OnHost>
  void expectForAllPairs(const std::vector<T> &values, OnDevice onDevice, OnHost onHost) {
    auto [a, b] = allPairs(values);
    auto results = apply<Out>(device(), onDevice, a, b);
    for (std::size_t i = 0; i < a.size(); ++i) {
      Out expected = onHost(a[i], b[i]);
      auto got = static_cast<Out>(results[i]);
      if constexpr (std::is_same_v<Out, float> || std::is_same_v<Out, bf16>)
        ASSERT_TRUE(sameNumber(got, expected)) << text(a[i], b[i], got, expected);
      else
        ASSERT_EQ(got, expected) << text(a[i], b[i], got, expected);
    }
  }

  /// Equal, with one kind of NaN and two kinds of zero.
  static bool sameNumber(float a, float b) {
    return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
  }
  template <class T, class Out> static std::string text(T a, T b, Out got, Out expected) {
    auto number = [](auto value) { return std::to_string(static_cast<double>(value)); };
    return "of " + number(a) + " and " + number(b) + ": " + number(got) + " instead of " +
           number(expected);
  }
};

TROWEL_ON_EVERY_DEVICE(Arithmetic);

template <class T> std::vector<T> integerValues() {
  const T least = std::numeric_limits<T>::min(), largest = std::numeric_limits<T>::max();
  return {0,
          1,
          -1,
          2,
          -2,
          3,
          -3,
          7,
          -8,
          100,
          -100,
          65535,
          65536,
          largest,
          least,
          static_cast<T>(largest - 1),
          static_cast<T>(least + 1)};
}

template <class T> std::vector<T> floatValues() {
  std::vector<T> values;
  const float infinity = std::numeric_limits<float>::infinity();
  for (float value :
       {0.0f, -0.0f, 1.0f, -1.0f, 1.5f, -2.25f, 3.0f, 1e-3f, 1e20f, -1e20f, 1e-30f, 3e38f, -3e38f,
        std::numeric_limits<float>::denorm_min(), infinity, -infinity, NAN})
    values.push_back(static_cast<T>(value));
  return values;
}

/// Two's complement arithmetic: what wraps on the device wraps here.
template <class T, class Operation> auto wrapping(Operation operation) {
  return [=](T a, T b) {
    using Unsigned = std::make_unsigned_t<T>;
    return static_cast<T>(operation(static_cast<Unsigned>(a), static_cast<Unsigned>(b)));
  };
}

template <class T> T quotient(T a, T b) {
  if (b == 0)
    return -1;
  return a == std::numeric_limits<T>::min() && b == -1 ? a : static_cast<T>(a / b);
}
template <class T> T remainder(T a, T b) {
  if (b == 0)
    return a;
  return b == -1 ? 0 : static_cast<T>(a % b);
}

TEST_P(Arithmetic, IntegersWrap) {
  auto checkType = [&]<class T>(T) {
    auto values = integerValues<T>();
    expectForAllPairs<T>(
        values, [](auto a, auto b) { return a + b; },
        wrapping<T>([](auto a, auto b) { return a + b; }));
    expectForAllPairs<T>(
        values, [](auto a, auto b) { return a - b; },
        wrapping<T>([](auto a, auto b) { return a - b; }));
    expectForAllPairs<T>(
        values, [](auto a, auto b) { return a * b; },
        wrapping<T>([](auto a, auto b) { return a * b; }));
    expectForAllPairs<T>(
        values, [](auto a, auto) { return -a; }, wrapping<T>([](auto a, auto) { return 0 - a; }));
    expectForAllPairs<T>(
        values, [](auto a, auto) { return abs(a); },
        wrapping<T>([](auto a, auto) { return static_cast<T>(a) < 0 ? 0 - a : a; }));
  };
  checkType(int32{});
  checkType(int64{});
}

TEST_P(Arithmetic, DivisionIsTotal) {
  auto checkType = [&]<class T>(T) {
    auto values = integerValues<T>();
    expectForAllPairs<T>(values, [](auto a, auto b) { return a / b; }, quotient<T>);
    expectForAllPairs<T>(values, [](auto a, auto b) { return a % b; }, remainder<T>);
  };
  checkType(int32{});
  checkType(int64{});
}

TEST_P(Arithmetic, DivisionByAConstantIsTheSame) {
  std::vector<int32> values = integerValues<int32>();
  for (int divisor : {0, 1, -1, 2, -2, 3, -3, 7, 16, 1000}) {
    auto quotients = apply<int32>(device(), [=](auto a) { return a / divisor; }, values);
    auto remainders = apply<int32>(device(), [=](auto a) { return a % divisor; }, values);
    for (std::size_t i = 0; i < values.size(); ++i) {
      EXPECT_EQ(quotients[i], quotient(values[i], divisor)) << values[i] << " / " << divisor;
      EXPECT_EQ(remainders[i], remainder(values[i], divisor)) << values[i] << " % " << divisor;
    }
  }
}

TEST_P(Arithmetic, IntegersCompareAsSigned) {
  auto checkType = [&]<class T>(T) {
    auto values = integerValues<T>();
    expectForAllPairs<bool>(
        values, [](auto a, auto b) { return a < b; }, [](T a, T b) { return a < b; });
    expectForAllPairs<bool>(
        values, [](auto a, auto b) { return a >= b; }, [](T a, T b) { return a >= b; });
    expectForAllPairs<bool>(
        values, [](auto a, auto b) { return a == b; }, [](T a, T b) { return a == b; });
    expectForAllPairs<T>(
        values, [](auto a, auto b) { return min(a, b); }, [](T a, T b) { return a < b ? a : b; });
    expectForAllPairs<T>(
        values, [](auto a, auto b) { return max(a, b); }, [](T a, T b) { return a < b ? b : a; });
  };
  checkType(int32{});
  checkType(int64{});
}

TEST_P(Arithmetic, BitsOfIntegersCombine) {
  auto values = integerValues<int32>();
  expectForAllPairs<int32>(
      values, [](auto a, auto b) { return a & b; }, [](int32 a, int32 b) { return a & b; });
  expectForAllPairs<int32>(
      values, [](auto a, auto b) { return a | b; }, [](int32 a, int32 b) { return a | b; });
  expectForAllPairs<int32>(
      values, [](auto a, auto b) { return a ^ b; }, [](int32 a, int32 b) { return a ^ b; });
}

TEST_P(Arithmetic, FloatsRoundOnce) {
  auto values = floatValues<float>();
  expectForAllPairs<float>(
      values, [](auto a, auto b) { return a + b; }, [](float a, float b) { return a + b; });
  expectForAllPairs<float>(
      values, [](auto a, auto b) { return a - b; }, [](float a, float b) { return a - b; });
  expectForAllPairs<float>(
      values, [](auto a, auto b) { return a * b; }, [](float a, float b) { return a * b; });
  expectForAllPairs<float>(
      values, [](auto a, auto) { return -a; }, [](float a, float) { return -a; });
}

TEST_P(Arithmetic, FloatDivisionIsWithinTwoUlps) {
  auto [a, b] = allPairs(floatValues<float>());
  auto results = apply<float>(device(), [](auto x, auto y) { return x / y; }, a, b);
  for (std::size_t i = 0; i < a.size(); ++i)
    EXPECT_LE(support::ulpDistance(results[i], static_cast<double>(a[i]) / b[i]), 2u)
        << a[i] << " / " << b[i] << " = " << results[i];
}

TEST_P(Arithmetic, Bf16RoundsEachOperation) {
  // A float holds sums and products of two bf16 exactly, or rounds them where bf16 does not look.
  auto values = floatValues<bf16>();
  expectForAllPairs<bf16>(
      values, [](auto a, auto b) { return a + b; },
      [](bf16 a, bf16 b) {
        return support::roundToBf16(static_cast<double>(a) + static_cast<double>(b));
      });
  expectForAllPairs<bf16>(
      values, [](auto a, auto b) { return a * b; },
      [](bf16 a, bf16 b) {
        return support::roundToBf16(static_cast<double>(a) * static_cast<double>(b));
      });
}

TEST_P(Arithmetic, MinAndMaxPropagateNaN) {
  auto smaller = [](float a, float b) {
    if (std::isnan(a) || std::isnan(b))
      return std::numeric_limits<float>::quiet_NaN();
    if (a == b)
      return std::signbit(a) ? a : b;
    return a < b ? a : b;
  };
  auto larger = [=](float a, float b) { return -smaller(-a, -b); };
  auto values = floatValues<float>();
  expectForAllPairs<float>(values, [](auto a, auto b) { return min(a, b); }, smaller);
  expectForAllPairs<float>(values, [](auto a, auto b) { return max(a, b); }, larger);
}

TEST_P(Arithmetic, FminAndFmaxIgnoreNaN) {
  auto sameNumberOf = [](float a, float b, bool first) {
    if (std::isnan(a))
      return b;
    return std::isnan(b) || first ? a : b;
  };
  // C leaves the sign of a zero open where two zeros are compared.
  std::vector<float> values;
  for (float value : floatValues<float>())
    if (value != 0 || !std::signbit(value))
      values.push_back(value);
  expectForAllPairs<float>(
      values, [](auto a, auto b) { return fmin(a, b); },
      [=](float a, float b) { return sameNumberOf(a, b, a < b); });
  expectForAllPairs<float>(
      values, [](auto a, auto b) { return fmax(a, b); },
      [=](float a, float b) { return sameNumberOf(a, b, a > b); });
}

TEST_P(Arithmetic, FloatsCompareAsInCpp) {
  auto values = floatValues<float>();
  expectForAllPairs<bool>(
      values, [](auto a, auto b) { return a < b; }, [](float a, float b) { return a < b; });
  expectForAllPairs<bool>(
      values, [](auto a, auto b) { return a <= b; }, [](float a, float b) { return a <= b; });
  expectForAllPairs<bool>(
      values, [](auto a, auto b) { return a == b; }, [](float a, float b) { return a == b; });
  expectForAllPairs<bool>(
      values, [](auto a, auto b) { return a != b; }, [](float a, float b) { return a != b; });
}

TEST_P(Arithmetic, WhereTakesOneSideOrTheOther) {
  auto values = floatValues<float>();
  expectForAllPairs<float>(
      values, [](auto a, auto b) { return where(a < b, a, b); },
      [](float a, float b) { return a < b ? a : b; });
}

TEST_P(Arithmetic, WhereKeepsTheSignOfZero) {
  // Against a constant a back end may take a choice for min or max, to which −0 is less than 0.
  auto values = floatValues<float>();
  auto expect = [&](auto choice, auto onHost) {
    auto results = apply<float>(device(), choice, values);
    for (std::size_t i = 0; i < values.size(); ++i)
      EXPECT_TRUE(sameNumber(results[i], onHost(values[i])))
          << "of " << values[i] << ": " << results[i];
  };
  expect([](auto x) { return where(x < 0.0f, x, 0.0f); },
         [](float x) { return x < 0.0f ? x : 0.0f; });
  expect([](auto x) { return where(x > 0.0f, x, 0.0f); },
         [](float x) { return x > 0.0f ? x : 0.0f; });
  expect([](auto x) { return where(x < -0.0f, x, -0.0f); },
         [](float x) { return x < -0.0f ? x : -0.0f; });
  expect([](auto x) { return where(x > -0.0f, x, -0.0f); },
         [](float x) { return x > -0.0f ? x : -0.0f; });
  expect([](auto x) { return where(x < 0.0f, 0.0f, x); },
         [](float x) { return x < 0.0f ? 0.0f : x; });
  expect([](auto x) { return where(x >= 0.0f, x, 0.0f); },
         [](float x) { return x >= 0.0f ? x : 0.0f; });
  // A number that is known not to be NaN, and may be 0.
  expect(
      [](auto x) { return where(x < cast<float>(cast<int32>(x)), x, cast<float>(cast<int32>(x))); },
      [](float x) {
        float whole = x != x || std::abs(x) > 2147483648.0f
                          ? (x > 0   ? 2147483648.0f
                             : x < 0 ? -2147483648.0f
                                     : 0.0f)
                          : static_cast<float>(static_cast<std::int64_t>(x));
        return x < whole ? x : whole;
      });
}

TEST_P(Arithmetic, ProgramsMeetNoUndefinedBehaviour) {
  // Lanes outside load a fill of 0 and divide by it; a compiler that takes division by zero for
  // impossible would conclude that the mask is always true, and load.
  const std::int64_t n = 5;
  auto body = kernel("divide_by_fill", [=](Ptr<const int32> x, Ptr<int32> y, Index count) {
    Tile<int32> i = iota(8);
    Tile<bool> inside = i < count;
    store(y + i, 100 / load(x + i, inside, 0), inside);
  });
  Device device = this->device();
  Buffer<int32> x = device.upload({1, 2, 4, 5, 10});
  GuardedBuffer<int32> y(device, n);
  body.launch({1}, x, y.pointer(), n);
  EXPECT_EQ(y.download(), (std::vector<int32>{100, 50, 25, 20, 10}));
}

TEST_P(Arithmetic, UndefinedBehaviourOfMaskedLanesStaysInThem) {
  // Each of the operations is undefined in C++ for the lanes outside, whose addresses are nowhere.
  const std::int64_t nowhere = std::int64_t{1} << 40;
  auto body = kernel("outside", [=](Ptr<const int32> x, Ptr<int32> y, Index count) {
    Tile<int32> i = iota(8);
    Tile<bool> inside = i < count;
    Tile<int64> place = where(inside, cast<int64>(i), nowhere);
    Tile<int32> v = load(x + place, inside, 0);
    Ptr<int32> results = y;
    auto keep = [&](const Tile<int32> &tile) {
      store(results + place, tile, inside);
      results += 8;
    };
    keep(100 / v);
    keep(100 % v);
    keep(std::numeric_limits<int32>::min() / (v - 1));
    keep(1 << (32 - v));
    keep(-1 >> (v + 31));
    keep(cast<int32>(1.0f / cast<float>(v)));
  });
  Device device = this->device();
  const std::vector<int32> host = {1, 2, 4, 5, 10};
  Buffer<int32> x = device.upload(host);
  GuardedBuffer<int32> y(device, 48);
  body.launch({1}, x, y.pointer(), 5);
  std::vector<int32> result = y.download();
  const int32 least = std::numeric_limits<int32>::min();
  for (int i = 0; i < 8; ++i)
    for (int k = 0; k < 6; ++k) {
      if (i >= 5) {
        EXPECT_TRUE(GuardedBuffer<int32>::isPoison(result[8 * k + i]));
        continue;
      }
      int32 v = host[i];
      int32 expected[] = {
          100 / v, 100 % v, v == 1 ? -1 : least / (v - 1), static_cast<int32>(1u << (32 - v)),
          -1,      v == 1};
      EXPECT_EQ(result[8 * k + i], expected[k]) << "operation " << k << " of " << v;
    }
}

TEST_P(Arithmetic, OfConstantsIsWhatItIsOfTiles) {
  // What the compiler folds follows the same rules as what the device computes.
  const int32 least = std::numeric_limits<int32>::min();
  auto body = kernel("folded", [=](Ptr<int32> y) {
    auto constant = [](int32 value) { return full<int32>(8, value); };
    Tile<int32> i = iota(8);
    Ptr<int32> results = y;
    auto keep = [&](const Tile<int32> &tile) {
      store(results + i, tile);
      results += 8;
    };
    for (int a = -8; a < 8; ++a)
      for (int b : {-3, 3, 1, -1, 0}) {
        keep(constant(a) / constant(b));
        keep(constant(a) % constant(b));
        keep(cdiv(constant(a), constant(b)));
      }
    keep(constant(least) / constant(-1));
    keep(constant(least) % constant(-1));
    keep(constant(5) << constant(32));
    keep(constant(5) << constant(-1));
    keep(constant(-5) >> constant(32));
    keep(constant(-5) >> constant(1000));
    keep(abs(constant(least)));
    keep(cast<int32>(full<float>(8, NAN)));
    keep(cast<int32>(full<float>(8, 1e20f)));
    keep(cast<int32>(full<float>(8, -1e20f)));
    keep(cast<int32>(full<float>(8, -2.9f)));
    keep(cast<int32>(cast<int8>(constant(200))));
  });
  std::vector<int32> expected;
  for (int a = -8; a < 8; ++a)
    for (int b : {-3, 3, 1, -1, 0})
      for (int32 value : {b == 0 ? -1 : a / b, b == 0 ? a : a % b, b == 0 ? -1 : cdiv(a, b)})
        expected.push_back(value);
  for (int32 value :
       {least, 0, 0, 0, -1, -1, least, 0, std::numeric_limits<int32>::max(), least, -2, -56})
    expected.push_back(value);
  GuardedBuffer<int32> y(device(), 8 * expected.size());
  body.launch({1}, y.pointer());
  std::vector<int32> result = y.download();
  for (std::size_t i = 0; i < result.size(); ++i)
    ASSERT_EQ(result[i], expected[i / 8]) << "result " << i / 8;
}

} // namespace
