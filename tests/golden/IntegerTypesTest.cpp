// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every operator on every integer type, against plain C++.
//
// The expectation is computed in __int128, where nothing overflows, and cut to the type. Of 8 bits
// all pairs of numbers are tried, of the others all pairs of telling ones. One kernel a type writes
// the results of all operators side by side.
#include "tests/golden/ElementwiseKernel.h"
#include "tests/support/OnEveryDevice.h"

#include <algorithm>
#include <functional>
#include <limits>

using namespace trowel;
using namespace trowel::golden;

namespace {

class IntegerTypes : public support::OnEveryDevice {
protected:
  template <class Check> static void forEachType(Check check) {
    check(int8{});
    check(uint8{});
    check(int16{});
    check(uint16{});
    check(int32{});
    check(uint32{});
    check(int64{});
    check(uint64{});
  }
};
TROWEL_ON_EVERY_DEVICE(IntegerTypes);

using Wide = __int128;

template <class T> std::vector<T> tellingValues() {
  std::vector<T> values;
  if constexpr (sizeof(T) == 1) {
    for (int value = 0; value < 256; ++value)
      values.push_back(static_cast<T>(value));
    return values;
  }
  const T least = std::numeric_limits<T>::min(), largest = std::numeric_limits<T>::max();
  for (int value :
       {0, 1, 2, 3, 4, 5, 7, 8, 15, 16, 31, 32, 33, 63, 64, 65, 100, -1, -2, -3, -8, -100})
    values.push_back(static_cast<T>(value));
  for (T value : {largest, least, static_cast<T>(largest - 1), static_cast<T>(least + 1),
                  static_cast<T>(largest / 2), static_cast<T>(largest / 2 + 1)})
    values.push_back(value);
  return values;
}

template <class T> Wide quotient(T a, T b) { return b == 0 ? Wide(-1) : Wide(a) / Wide(b); }
template <class T> Wide remainder(T a, T b) { return b == 0 ? Wide(a) : Wide(a) % Wide(b); }
template <class T> Wide ceiling(T a, T b) {
  return b == 0 ? Wide(-1) : Wide(a) / b + (Wide(a) % b != 0 && (a < 0) == (b < 0));
}
/// The count of a shift, read as unsigned; beyond the width nothing changes any more.
template <class T> int places(T count) {
  auto natural = static_cast<std::make_unsigned_t<T>>(count);
  return static_cast<int>(std::min<uint64>(natural, 8 * sizeof(T)));
}

template <class T> constexpr T minusFour = static_cast<T>(-4);

/// The operators that give their operands' type: name, on the device, on the host.
#define TROWEL_OPERATORS(X)                                                                        \
  X("a + b", a + b, Wide(a) + b)                                                                   \
  X("a - b", a - b, Wide(a) - b)                                                                   \
  X("a * b", a *b, Wide(static_cast<uint64>(a) * static_cast<uint64>(b)))                          \
  X("a / b", a / b, quotient(a, b))                                                                \
  X("a % b", a % b, remainder(a, b))                                                               \
  X("cdiv(a, b)", cdiv(a, b), ceiling(a, b))                                                       \
  X("a & b", a &b, Wide(a) & b)                                                                    \
  X("a | b", a | b, Wide(a) | b)                                                                   \
  X("a ^ b", a ^ b, Wide(a) ^ b)                                                                   \
  X("a << b", a << b, Wide(a) * (Wide(1) << places(b)))                                            \
  X("a >> b", a >> b, Wide(a) >> places(b))                                                        \
  X("min(a, b)", min(a, b), std::min(a, b))                                                        \
  X("max(a, b)", max(a, b), std::max(a, b))                                                        \
  X("-a", -a, -Wide(a))                                                                            \
  X("a * -4", a *minusFour<T>, Wide(static_cast<uint64>(a) * static_cast<uint64>(-4)))             \
  X("~a", ~a, ~Wide(a))                                                                            \
  X("abs(a)", abs(a), a < 0 ? -Wide(a) : Wide(a))

#define TROWEL_COMPARISONS(X)                                                                      \
  X("a == b", a == b)                                                                              \
  X("a != b", a != b)                                                                              \
  X("a < b", a < b)                                                                                \
  X("a <= b", a <= b)                                                                              \
  X("a > b", a > b)                                                                                \
  X("a >= b", a >= b)

template <class T> std::string pairText(const char *name, T a, T b) {
  return std::string(name) + " of a = " + std::to_string(a) + ", b = " + std::to_string(b);
}

#define TROWEL_NAME(name, ...) name,
constexpr const char *operatorNames[] = {TROWEL_OPERATORS(TROWEL_NAME)};
#undef TROWEL_NAME

/// What C++ gives for each operator, in the order of their names.
template <class T> std::vector<T> resultsOfOperators(T a, T b) {
#define TROWEL_RESULT(name, device, host) static_cast<T>(host),
  return {TROWEL_OPERATORS(TROWEL_RESULT)};
#undef TROWEL_RESULT
}

TEST_P(IntegerTypes, EachOperatorIsThatOfCpp) {
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
    Device device = this->device();
    Buffer<T> x = device.upload(left), y = device.upload(right);
    GuardedBuffer<T> z(device, left.size() * std::size(operatorNames));
    body.launch(gridFor(left.size()), x, y, z.pointer(), n);
    std::vector<T> results = z.download();
    for (std::size_t i = 0; i < left.size(); ++i) {
      T a = left[i], b = right[i];
      const std::vector<T> expected = resultsOfOperators(a, b);
      for (std::size_t k = 0; k < std::size(operatorNames); ++k)
        ASSERT_EQ(results[k * left.size() + i], expected[k])
            << pairText(operatorNames[k], a, b) << " on " << name(elementType<T>);
    }
  });
}

/// A result that wrapped is used as the number it became, whatever register it lies in.
TEST_P(IntegerTypes, ResultsThatWrappedCompareAndConvertAsWhatTheyAre) {
  forEachType([&]<class T>(T) {
    auto [left, right] = allPairs(tellingValues<T>());
    const auto n = static_cast<std::int64_t>(left.size());
    auto body = kernel("uses", [=](Ptr<const T> x, Ptr<const T> y, Ptr<bool> below,
                                   Ptr<int64> number, Index count) {
      Tile<int64> i = programId(0) * elementwiseBlock + iota(elementwiseBlock);
      Tile<bool> inside = i < count;
      Tile<T> a = load(x + i, inside), b = load(y + i, inside);
      Ptr<bool> signs = below;
      Ptr<int64> numbers = number;
#define TROWEL_STORE(name, device, host)                                                           \
  {                                                                                                \
    Tile<T> result = device;                                                                       \
    store(signs + i, result < b, inside);                                                          \
    store(numbers + i, cast<int64>(result), inside);                                               \
    signs += count;                                                                                \
    numbers += count;                                                                              \
  }
      TROWEL_OPERATORS(TROWEL_STORE)
#undef TROWEL_STORE
    });
    Device device = this->device();
    Buffer<T> x = device.upload(left), y = device.upload(right);
    GuardedBuffer<bool> below(device, left.size() * std::size(operatorNames));
    GuardedBuffer<int64> number(device, left.size() * std::size(operatorNames));
    body.launch(gridFor(left.size()), x, y, below.pointer(), number.pointer(), n);
    std::vector<unsigned char> signs = below.download();
    std::vector<int64> numbers = number.download();
    for (std::size_t i = 0; i < left.size(); ++i) {
      T a = left[i], b = right[i];
      const std::vector<T> expected = resultsOfOperators(a, b);
      for (std::size_t k = 0; k < std::size(operatorNames); ++k) {
        ASSERT_EQ(signs[k * left.size() + i], expected[k] < b)
            << "below b: " << pairText(operatorNames[k], a, b) << " on " << name(elementType<T>);
        ASSERT_EQ(numbers[k * left.size() + i], static_cast<int64>(expected[k]))
            << "as int64: " << pairText(operatorNames[k], a, b) << " on " << name(elementType<T>);
      }
    }
  });
}

TEST_P(IntegerTypes, EachComparisonIsThatOfCpp) {
  forEachType([&]<class T>(T) {
    auto [left, right] = allPairs(tellingValues<T>());
    const auto n = static_cast<std::int64_t>(left.size());
    auto body =
        kernel("comparisons", [=](Ptr<const T> x, Ptr<const T> y, Ptr<bool> z, Index count) {
          Tile<int64> i = programId(0) * elementwiseBlock + iota(elementwiseBlock);
          Tile<bool> inside = i < count;
          Tile<T> a = load(x + i, inside), b = load(y + i, inside);
          Ptr<bool> results = z;
#define TROWEL_STORE(name, comparison)                                                             \
  store(results + i, comparison, inside);                                                          \
  results += count;
          TROWEL_COMPARISONS(TROWEL_STORE)
#undef TROWEL_STORE
        });
#define TROWEL_NAME(name, ...) name,
    const char *names[] = {TROWEL_COMPARISONS(TROWEL_NAME)};
#undef TROWEL_NAME
    Device device = this->device();
    Buffer<T> x = device.upload(left), y = device.upload(right);
    GuardedBuffer<bool> z(device, left.size() * std::size(names));
    body.launch(gridFor(left.size()), x, y, z.pointer(), n);
    std::vector<unsigned char> results = z.download();
    for (std::size_t i = 0; i < left.size(); ++i) {
      T a = left[i], b = right[i];
#define TROWEL_EXPECT(name, comparison) comparison,
      bool expected[] = {TROWEL_COMPARISONS(TROWEL_EXPECT)};
#undef TROWEL_EXPECT
      for (std::size_t k = 0; k < std::size(names); ++k)
        ASSERT_EQ(results[k * left.size() + i], expected[k])
            << pairText(names[k], a, b) << " on " << name(elementType<T>);
    }
  });
}

/// Quotient, remainder, ceiling and shifts of `a` and `b` as they come: tiles, scalars, numbers.
template <class A, class B> auto fiveOf(A a, B b) {
  return std::tuple{a / b, a % b, cdiv(a, b), a << (b & 7), a >> (b & 7)};
}

TEST_P(IntegerTypes, DivisionIsTheSameForConstantsScalarsAndTiles) {
  forEachType([&]<class T>(T) {
    std::vector<T> left, right;
    for (int a = -8; a < 8; ++a)
      left.push_back(static_cast<T>(a));
    for (int b : {-3, 3, 1, -1, 0, 2, 7, 16})
      right.push_back(static_cast<T>(b));
    auto body = kernel("forms", [=](Ptr<const T> x, Ptr<const T> y, Ptr<T> z) {
      Tile<int32> i = iota(16);
      Tile<T> tile = load(x + i);
      Ptr<T> results = z;
      auto keep = [&](auto values) {
        std::apply(
            [&](auto... each) {
              ((store(results + i, full<T>(16, 0) + each), results += 16), ...);
            },
            values);
      };
      for (std::size_t k = 0; k < right.size(); ++k) {
        T constant = right[k];
        Scalar<T> scalar = load(y + k);
        keep(fiveOf(tile, constant));
        keep(fiveOf(tile, scalar));
        keep(fiveOf(tile, full<T>(16, scalar)));
      }
    });
    Device device = this->device();
    Buffer<T> x = device.upload(left), y = device.upload(right);
    GuardedBuffer<T> z(device, right.size() * 3 * 5 * 16);
    body.launch({1}, x, y, z.pointer());
    std::vector<T> results = z.download();
    std::size_t at = 0;
    for (T b : right)
      for (const char *form : {"constant", "scalar", "tile"})
        for (int k = 0; k < 5; ++k)
          for (T a : left) {
            int count = static_cast<int>(b & 7);
            Wide expected[] = {quotient(a, b), remainder(a, b), ceiling(a, b), Wide(a) << count,
                               Wide(a) >> count};
            ASSERT_EQ(results[at++], static_cast<T>(expected[k]))
                << pairText("/ % cdiv << >>", a, b) << ", operation " << k << " with a " << form
                << " of " << name(elementType<T>);
          }
  });
}

TEST_P(IntegerTypes, DivisionOfScalarsIsTheSame) {
  forEachType([&]<class T>(T) {
    auto body = kernel("scalars", [=](Ptr<T> z, Scalar<T> a, Scalar<T> b) {
      Ptr<T> results = z;
      std::apply([&](auto... each) { ((store(results, each), results += 1), ...); }, fiveOf(a, b));
    });
    Device device = this->device();
    for (int left : {-8, -7, 7, 5})
      for (int right : {-3, 3, 1, -1, 0}) {
        T a = static_cast<T>(left), b = static_cast<T>(right);
        GuardedBuffer<T> z(device, 5);
        body.launch({1}, z.pointer(), a, b);
        int count = static_cast<int>(b & 7);
        std::vector<T> expected;
        for (Wide value :
             {quotient(a, b), remainder(a, b), ceiling(a, b), Wide(a) << count, Wide(a) >> count})
          expected.push_back(static_cast<T>(value));
        ASSERT_EQ(z.download(), expected) << pairText("/ % cdiv << >>", a, b);
      }
  });
}

TEST_P(IntegerTypes, CountsOfAnyTypeShiftAllBitsOut) {
  // A count of another type is not cut to the value's before it is compared with the width.
  std::vector<int32> counts = {0, 1, 7, 8, 31, 32, 255, 256, 257, 65536, -1, -256, 2147483647};
  std::vector<uint8> values(counts.size(), 0x81);
  auto left = apply<uint8>(device(), [](auto v, auto n) { return v << n; }, values, counts);
  auto right = apply<uint8>(device(), [](auto v, auto n) { return v >> n; }, values, counts);
  auto negative =
      apply<int8>(device(), [](auto v, auto n) { return cast<int8>(v) >> n; }, values, counts);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    int places = counts[i] < 0 || counts[i] > 8 ? 8 : counts[i];
    EXPECT_EQ(left[i], static_cast<uint8>(0x81 << places)) << counts[i];
    EXPECT_EQ(right[i], 0x81 >> places) << counts[i];
    EXPECT_EQ(negative[i], static_cast<int8>(0x81) >> places) << counts[i];
  }
  // A narrow count is extended by its own kind: 255 is 255, and -1 is more than any width.
  std::vector<int64> wide(3, -8);
  auto byUnsigned = apply<int64>(
      device(), [](auto v, auto n) { return v >> n; }, wide, std::vector<uint8>{1, 62, 255});
  EXPECT_EQ(byUnsigned, (std::vector<int64>{-4, -1, -1}));
  auto bySigned = apply<int64>(
      device(), [](auto v, auto n) { return v << n; }, wide, std::vector<int8>{1, 2, -1});
  EXPECT_EQ(bySigned, (std::vector<int64>{-16, -32, 0}));
}

TEST_P(IntegerTypes, NarrowShiftsWrap) {
  auto there = [](auto x) { return (x << 4) >> 4; };
  EXPECT_EQ(apply<uint8>(device(), there, std::vector<uint8>{48}), std::vector<uint8>{0});
  EXPECT_EQ(apply<int8>(device(), there, std::vector<int8>{8}), std::vector<int8>{-8});
}

TEST_P(IntegerTypes, UnsignedNumbersAreNotReadAsSigned) {
  Device device = this->device();
  EXPECT_EQ(apply<uint32>(
                device, [](auto x) { return x / 2; }, std::vector<uint32>{0xffffffffu}),
            std::vector<uint32>{0x7fffffffu});
  EXPECT_EQ(apply<uint32>(
                device, [](auto x) { return min(x, 0xffffffffu); }, std::vector<uint32>{1}),
            std::vector<uint32>{1});
  EXPECT_EQ(apply<bool>(
                device, [](auto x) { return x < 100; }, std::vector<uint8>{200}),
            std::vector<unsigned char>{0});
}

TEST_P(IntegerTypes, BitsStayThroughABitcast) {
  std::vector<float> values = {1.0f, -0.0f, INFINITY, 1e-40f};
  std::vector<uint32> bits = {0x3f800000u, 0x80000000u, 0x7f800000u, 0x000116c2u};
  EXPECT_EQ(apply<uint32>(device(), [](auto x) { return bitcast<uint32>(x); }, values), bits);
  EXPECT_EQ(apply<float>(device(), [](auto x) { return bitcast<float>(x); }, bits), values);
  EXPECT_EQ(apply<int16>(
                device(), [](auto x) { return bitcast<int16>(x); }, std::vector<f16>{f16(-2.0f)}),
            std::vector<int16>{static_cast<int16>(0xc000)});
  EXPECT_EQ(apply<double>(
                device(), [](auto x) { return bitcast<double>(x); },
                std::vector<int64>{0x3ff8000000000000}),
            std::vector<double>{1.5});
  EXPECT_EQ(apply<uint8>(
                device(), [](auto x) { return bitcast<uint8>(x); }, std::vector<int8>{-1}),
            std::vector<uint8>{255});
}

} // namespace
