// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every operation of the language × every element type × extents 1 to 17 and 3000 × axis.
//
// Layouts map powers of two, so each other extent has padding, which an operation must neither
// spill into memory nor be disturbed by; and which of them are padded differs from axis to axis.
// Each kernel writes the results of all operations of one type side by side, of a tile of one axis
// or of two. The second operand is a row or a column that broadcasts along the other axis. Numbers
// are small integers, so results are exact in each type, but for those that may be some ulps off.
#include "tests/golden/GuardedBuffer.h"
#include "tests/support/Comparison.h"
#include "tests/support/OnEveryDevice.h"

#include <trowel/trowel.h>

#include <algorithm>
#include <cmath>
#include <tuple>

using namespace trowel;
using namespace trowel::golden;

namespace {

class Operations : public support::OnEveryDevice {
protected:
  template <class Check> static void forEachType(Check check) {
    check(int8{}), check(uint8{}), check(int16{}), check(uint16{});
    check(int32{}), check(uint32{}), check(int64{}), check(uint64{});
    check(f16()), check(bf16()), check(float{}), check(double{});
  }
};
TROWEL_ON_EVERY_DEVICE(Operations);

template <class T> inline constexpr bool isFloat = !std::is_integral_v<T>;

/// A tile of `extent` elements, or of two axes of which the one that is looked at has `extent`.
struct Place {
  int extent;
  int other; // extent of the other axis; 0 for a tile of one axis
  int axis;

  int count() const { return extent * std::max(other, 1); }
  /// The position of element i of the tile along the axis.
  int along(int i) const { return other == 0 ? i : axis == 0 ? i / other : i % extent; }
  /// A tile of the axis' extent, and 1 along the other.
  template <class T> Tile<T> spread(const Tile<T> &line) const {
    return other == 0 ? line : expand(line, Axis{1 - axis});
  }
  /// The number of each element in memory.
  Tile<int32> index() const {
    if (other == 0)
      return iota(extent);
    Tile<int32> row = expand(iota(axis == 0 ? extent : other), Axis{1});
    Tile<int32> column = expand(iota(axis == 0 ? other : extent), Axis{0});
    return row * (axis == 0 ? other : extent) + column;
  }
  std::string text() const {
    if (other == 0)
      return "extent " + std::to_string(extent);
    return "extent " + std::to_string(extent) + " of axis " + std::to_string(axis) + " beside " +
           std::to_string(other);
  }
};

/// Tiles of two axes for one type of each size and kind, to keep the time of the tests short.
template <class T> std::vector<Place> places() {
  constexpr bool both = std::is_same_v<T, uint8> || std::is_same_v<T, f16> ||
                        std::is_same_v<T, int32> || std::is_same_v<T, float> ||
                        std::is_same_v<T, int64>;
  std::vector<Place> all;
  for (int extent : {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 3000}) {
    all.push_back({extent, 0, 0});
    for (int axis = 0; both && axis < 2; ++axis)
      all.push_back({extent, extent == 3000 ? 2 : 3, axis});
  }
  return all;
}

// Operands: a of the whole tile, b along the axis; signed where the type is.
template <class T> T operandA(int i) {
  int value = i * 7 % 13;
  return static_cast<T>(static_cast<float>(std::is_unsigned_v<T> ? value : value - 6));
}
template <class T> T operandB(int i) { return static_cast<T>(static_cast<float>(i * 3 % 5)); }

// Name, on the device, on the host (where all numbers are exact), ulps that it may be off.
#define TROWEL_OF_ALL(X)                                                                           \
  X("a + b", a + b, a + b, 0)                                                                      \
  X("a - b", a - b, a - b, 0)                                                                      \
  X("a * b", a *b, a *b, 0)                                                                        \
  X("a * b + a", a *b + a, a * b + a, 0)                                                           \
  X("-a", -a, -a, 0)                                                                               \
  X("abs(a)", abs(a), a < 0 ? -a : a, 0)                                                           \
  X("min(a, b)", min(a, b), std::min(a, b), 0)                                                     \
  X("max(a, b)", max(a, b), std::max(a, b), 0)                                                     \
  X("a + 3", a + 3, a + 3, 0)                                                                      \
  X("5 - a", 5 - a, 5 - a, 0)                                                                      \
  X("where(a < b, a, b + 1)", where(a < b, a, b + 1), a < b ? a : b + 1, 0)                        \
  X("where(true of the device, a, 1)", where(yes, a, 1), a, 0)

#define TROWEL_OF_INTEGERS(X)                                                                      \
  X("a / b", a / b, b == 0 ? -1 : a / b, 0)                                                        \
  X("a % b", a % b, b == 0 ? a : a % b, 0)                                                         \
  X("a / 3", a / 3, a / 3, 0)                                                                      \
  X("a % 4", a % 4, a % 4, 0)                                                                      \
  X("cdiv(a, 4)", cdiv(a, 4), cdiv(a, 4), 0)                                                       \
  X("a & b", a &b, a &b, 0)                                                                        \
  X("a | b", a | b, a | b, 0)                                                                      \
  X("a ^ b", a ^ b, a ^ b, 0)                                                                      \
  X("~a", ~a, ~a, 0)                                                                               \
  X("a << b", a << b, a * (1 << b), 0)                                                             \
  X("a >> b", a >> b, a >> b, 0)                                                                   \
  X("3 << b", 3 << b, 3 << b, 0)

#define TROWEL_OF_FLOATS(X)                                                                        \
  X("a / b", a / b, a / b, 2)                                                                      \
  X("fma(a, b, a)", fma(a, b, a), a *b + a, 0)                                                     \
  X("exact(a * b - a)", exact(a *b - a), a *b - a, 0)                                              \
  X("fmin(a, b)", fmin(a, b), std::fmin(a, b), 0)                                                  \
  X("fmax(a, b)", fmax(a, b), std::fmax(a, b), 0)                                                  \
  X("sqrt(b)", sqrt(b), std::sqrt(b), 0)                                                           \
  X("a * 0.5", a * 0.5, a * 0.5, 0)

#define TROWEL_OF_SHORT_FLOATS(X)                                                                  \
  X("exp(a)", exp(a), std::exp(a), 2)                                                              \
  X("tanh(a)", tanh(a), std::tanh(a), 2)

#define TROWEL_BOOLS(X)                                                                            \
  X("a == b", a == b, a == b, 0)                                                                   \
  X("a != b", a != b, a != b, 0)                                                                   \
  X("a < b", a < b, a < b, 0)                                                                      \
  X("a <= b", a <= b, a <= b, 0)                                                                   \
  X("a > b", a > b, a > b, 0)                                                                      \
  X("a >= b", a >= b, a >= b, 0)                                                                   \
  X("!(a < b) && b > 1", !(a < b) && b > 1, !(a < b) && b > 1, 0)                                  \
  X("a < b || a == 2", a < b || a == 2, a < b || a == 2, 0)                                        \
  X("(a < b) ^ (b > 1)", (a < b) ^ (b > 1), (a < b) != (b > 1), 0)                                 \
  X("cast<bool>(a)", cast<bool>(a), a != 0, 0)

#define TROWEL_NAME(name, device, host, ulps) name,
#define TROWEL_DEVICE(name, device, host, ulps) keep(device);
#define TROWEL_HOST(name, device, host, ulps) expect(host, ulps);

/// What a result in memory must be: integers with the bits that are left of the exact one, floats
/// within some ulps.
template <class T> bool isRight(T result, double expected, unsigned ulps) {
  if constexpr (std::is_same_v<T, double>)
    return result == expected || (std::isnan(result) && std::isnan(expected)) ||
           (ulps > 0 && std::abs(result / expected - 1) < ulps * 0x1p-52);
  else if constexpr (isFloat<T>)
    return support::ulpDistance(result, expected) <= ulps;
  else
    return result == static_cast<T>(static_cast<std::int64_t>(expected));
}

template <class T> std::vector<const char *> namesFor() {
  std::vector<const char *> names = {TROWEL_OF_ALL(TROWEL_NAME)};
  auto add = [&](std::initializer_list<const char *> more) { names.insert(names.end(), more); };
  if constexpr (isFloat<T>)
    add({TROWEL_OF_FLOATS(TROWEL_NAME)});
  else
    add({TROWEL_OF_INTEGERS(TROWEL_NAME)});
  if constexpr (isFloat<T> && !std::is_same_v<T, double>)
    add({TROWEL_OF_SHORT_FLOATS(TROWEL_NAME)});
  return names;
}

TEST_P(Operations, OfEachTypeAreRightAtEveryExtent) {
  Device device = this->device();
  forEachType([&]<class T>(T) {
    const std::vector<const char *> names = namesFor<T>();
    for (const Place &place : places<T>()) {
      const int count = place.count();
      auto body = kernel("operations", [=](Ptr<const T> x, Ptr<const T> y, Ptr<T> z) {
        Tile<int32> i = place.index();
        Tile<T> a = load(x + i), b = place.spread(load(y + iota(place.extent)));
        Scalar<bool> yes = programId(0) == 0;
        Ptr<T> results = z;
        auto keep = [&](const Tile<T> &tile) {
          store(results + i, tile);
          results += count;
        };
        TROWEL_OF_ALL(TROWEL_DEVICE)
        if constexpr (isFloat<T>) {
          TROWEL_OF_FLOATS(TROWEL_DEVICE)
        } else {
          TROWEL_OF_INTEGERS(TROWEL_DEVICE)
        }
        if constexpr (isFloat<T> && !std::is_same_v<T, double>) {
          TROWEL_OF_SHORT_FLOATS(TROWEL_DEVICE)
        }
      });
      std::vector<T> hostA, hostB;
      for (int i = 0; i < count; ++i)
        hostA.push_back(operandA<T>(i));
      for (int i = 0; i < place.extent; ++i)
        hostB.push_back(operandB<T>(i));
      Buffer<T> x = device.upload(hostA), y = device.upload(hostB);
      GuardedBuffer<T> z(device, names.size() * static_cast<std::size_t>(count));
      body.launch({1}, x, y, z.pointer());
      std::vector<T> results = z.download();
      for (int i = 0; i < count; ++i) {
        // Integers as such, because of / and the bits; floats in double.
        using Host = std::conditional_t<isFloat<T>, double, int>;
        auto a = static_cast<Host>(hostA[i]), b = static_cast<Host>(hostB[place.along(i)]);
        std::size_t which = 0;
        auto expect = [&](auto host, unsigned ulps) {
          T result = results[which * count + i];
          EXPECT_TRUE(isRight(result, static_cast<double>(host), ulps))
              << names[which] << " of " << name(elementType<T>) << " at element " << i << " of "
              << place.text() << ", a = " << +a << ", b = " << +b << ", is "
              << static_cast<double>(result) << " instead of " << static_cast<double>(host);
          ++which;
        };
        TROWEL_OF_ALL(TROWEL_HOST)
        if constexpr (isFloat<T>) {
          TROWEL_OF_FLOATS(TROWEL_HOST)
        } else {
          TROWEL_OF_INTEGERS(TROWEL_HOST)
        }
        if constexpr (isFloat<T> && !std::is_same_v<T, double>) {
          TROWEL_OF_SHORT_FLOATS(TROWEL_HOST)
        }
        if (HasFailure())
          return;
      }
    }
  });
}

TEST_P(Operations, ThatMakeBoolsAreRightAtEveryExtent) {
  Device device = this->device();
  forEachType([&]<class T>(T) {
    const std::vector<const char *> names = {TROWEL_BOOLS(TROWEL_NAME)};
    for (const Place &place : places<T>()) {
      const int count = place.count();
      auto body = kernel("bools", [=](Ptr<const T> x, Ptr<const T> y, Ptr<bool> z) {
        Tile<int32> i = place.index();
        Tile<T> a = load(x + i), b = place.spread(load(y + iota(place.extent)));
        Ptr<bool> results = z;
        auto keep = [&](const Tile<bool> &tile) {
          store(results + i, tile);
          results += count;
        };
        TROWEL_BOOLS(TROWEL_DEVICE)
      });
      std::vector<T> hostA, hostB;
      for (int i = 0; i < count; ++i)
        hostA.push_back(operandA<T>(i));
      for (int i = 0; i < place.extent; ++i)
        hostB.push_back(operandB<T>(i));
      Buffer<T> x = device.upload(hostA), y = device.upload(hostB);
      GuardedBuffer<bool> z(device, names.size() * static_cast<std::size_t>(count));
      body.launch({1}, x, y, z.pointer());
      std::vector<unsigned char> results = z.download();
      for (int i = 0; i < count; ++i) {
        auto a = static_cast<double>(hostA[i]), b = static_cast<double>(hostB[place.along(i)]);
        std::size_t which = 0;
        auto expect = [&](bool host, unsigned) {
          ASSERT_EQ(results[which * count + i], host)
              << names[which] << " of " << name(elementType<T>) << " at element " << i << " of "
              << place.text() << ", a = " << a << ", b = " << b;
          ++which;
        };
        TROWEL_BOOLS(TROWEL_HOST)
        if (HasFatalFailure())
          return;
      }
    }
  });
}

// One kernel casts to all types, and on to double, so that it has one output.
TEST_P(Operations, ThatCastAreRightAtEveryExtent) {
  Device device = this->device();
  forEachType([&]<class T>(T) {
    for (const Place &place : places<T>()) {
      const int count = place.count();
      auto body = kernel("casts", [=](Ptr<const T> x, Ptr<double> z) {
        Tile<int32> i = place.index();
        Tile<T> a = load(x + i);
        Ptr<double> results = z;
        auto keep = [&]<class To>(To) {
          store(results + i, cast<double>(cast<To>(a)));
          results += count;
        };
        forEachType(keep);
      });
      std::vector<T> host;
      for (int i = 0; i < count; ++i)
        host.push_back(operandA<T>(i));
      Buffer<T> x = device.upload(host);
      GuardedBuffer<double> z(device, 12 * static_cast<std::size_t>(count));
      body.launch({1}, x, z.pointer());
      std::vector<double> results = z.download();
      std::size_t at = 0;
      forEachType([&]<class To>(To) {
        for (int i = 0; i < count; ++i) {
          auto value = static_cast<double>(host[i]), expected = value;
          if constexpr (!isFloat<To>) {
            if (isFloat<T> && value < 0 && std::is_unsigned_v<To>)
              expected = 0; // saturates
            else
              expected = static_cast<double>(static_cast<To>(static_cast<std::int64_t>(value)));
          }
          ASSERT_EQ(results[at++], expected)
              << name(elementType<T>) << " to " << name(elementType<To>) << " at element " << i
              << " of " << place.text();
        }
      });
    }
  });
}

TEST_P(Operations, OnMemoryAreRightAtEveryExtent) {
  Device device = this->device();
  const std::int64_t nowhere = std::int64_t{1} << 40;
  forEachType([&]<class T>(T) {
    for (const Place &place : places<T>()) {
      const int count = place.count();
      auto body = kernel("memory", [=](Ptr<const T> x, Ptr<T> z, Scalar<T> s) {
        Tile<int32> i = place.index(), line = place.spread(iota(place.extent));
        Tile<bool> some = line % 3 != 1;
        Tile<int64> there = where(some, cast<int64>(i), nowhere);
        Ptr<T> results = z;
        store(results + i, load(x + there, some)), results += count;
        store(results + i, load(x + there, some, 5)), results += count;
        store(results + i, load(x + i, line < 2, s)), results += count;
        store(results + there, load(x + (count - 1 - i)), some), results += count;
        store(results + (count - 1 - i), load(x + i)), results += count;
        store(results + i, load(x)), results += count;
        store(results + i, full<T>(line.rank() == 1 ? Shape{place.extent} : Shape{1, 1}, s)),
            results += count;
        store(results + i, cast<T>(line)), results += count;
        store(results + i, bitcast<T>(load(x + i)), programId(0) == 0), results += count;
        store(results + i, s, programId(0) != 0);
      });
      std::vector<T> host;
      for (int i = 0; i < count; ++i)
        host.push_back(operandA<T>(i));
      Buffer<T> x = device.upload(host);
      GuardedBuffer<T> z(device, 10 * static_cast<std::size_t>(count));
      body.launch({1}, x, z.pointer(), static_cast<T>(9.0f));
      std::vector<T> results = z.download();
      for (int i = 0; i < count; ++i) {
        int line = place.along(i);
        bool some = line % 3 != 1;
        auto number = [](T value) { return static_cast<double>(value); };
        const double poison = -1e9; // stands for poison
        double expected[] = {some ? number(host[i]) : 0,
                             some ? number(host[i]) : 5,
                             line < 2 ? number(host[i]) : 9,
                             some ? number(host[count - 1 - i]) : poison,
                             number(host[count - 1 - i]),
                             number(host[0]),
                             9,
                             number(static_cast<T>(static_cast<float>(line))),
                             number(host[i]),
                             poison};
        for (std::size_t k = 0; k < std::size(expected); ++k) {
          T result = results[k * count + i];
          if (expected[k] == poison)
            ASSERT_TRUE(GuardedBuffer<T>::isPoison(result))
                << "access " << k << ", element " << i << " of " << place.text() << " of "
                << name(elementType<T>);
          else
            ASSERT_EQ(static_cast<double>(result), expected[k])
                << "access " << k << ", element " << i << " of " << place.text() << " of "
                << name(elementType<T>);
        }
      }
    }
  });
}

} // namespace
