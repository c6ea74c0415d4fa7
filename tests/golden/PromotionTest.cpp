// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What two operands of unlike types become, at each of the 13 × 13 pairs, on the device.
//
// The type of each result is checked where kernels are traced; here it is shown that the numbers
// follow: a sum of both operands, converted to the common type as a cast converts, and a
// comparison that is made in that type. So −1 of int8 is 255 beside a uint8, and 2^32 − 1 beside a
// uint32. A number of the host takes the tile's type instead.
#include "tests/golden/GuardedBuffer.h"
#include "tests/support/OnEveryDevice.h"

#include <trowel/trowel.h>

using namespace trowel;
using namespace trowel::golden;

namespace {

class Promotion : public support::OnEveryDevice {
protected:
  template <class Check> static void forEachType(Check check) {
    check(false);
    check(int8{}), check(uint8{}), check(int16{}), check(uint16{});
    check(int32{}), check(uint32{}), check(int64{}), check(uint64{});
    check(f16()), check(bf16()), check(float{}), check(double{});
  }
};
TROWEL_ON_EVERY_DEVICE(Promotion);

/// The number as a type holds it, for integers that every type of floats holds.
template <class T> double held(double value) {
  if constexpr (std::is_same_v<T, bool>)
    return value != 0;
  else if constexpr (std::is_integral_v<T>)
    return static_cast<double>(static_cast<T>(static_cast<__int128>(value)));
  else
    return value;
}
/// The sum in a type; of integers the bits of the exact one.
template <class T> double sum(double a, double b) { return held<T>(a + b); }

template <class T> std::vector<double> numbers() {
  if (std::is_same_v<T, bool>)
    return {0, 1, 1, 0};
  if (std::is_unsigned_v<T>)
    return {0, 3, 128, 100};
  return {0, 3, -1, -100};
}

/// The table: integers to the wider, then unsigned; any float beats any integer; f16 with bf16
/// gives float; a bool counts as an int32 in sums.
template <class A, class B> constexpr auto common() {
  if constexpr (std::is_same_v<A, B>)
    return A();
  else if constexpr (std::is_integral_v<A> && std::is_integral_v<B>) {
    if constexpr (sizeof(A) == sizeof(B) && !std::is_same_v<A, bool> && !std::is_same_v<B, bool>)
      return std::make_unsigned_t<A>();
    else if constexpr (std::is_same_v<A, bool> ||
                       (!std::is_same_v<B, bool> && sizeof(A) < sizeof(B)))
      return B();
    else
      return A();
  } else if constexpr (std::is_integral_v<A>)
    return B();
  else if constexpr (std::is_integral_v<B>)
    return A();
  else if constexpr (sizeof(A) == 2 && sizeof(B) == 2)
    return float();
  else
    return std::conditional_t<(sizeof(A) > sizeof(B)), A, B>();
}

TEST_P(Promotion, OfEveryPairOfTypesConvertsBothOperands) {
  Device device = this->device();
  forEachType([&]<class A>(A) {
    // All right sides in one kernel: sums and comparisons of 4 elements each.
    auto body = kernel("pairs", [=](Ptr<const A> x, Ptr<const double> numbersOfB, Ptr<double> sums,
                                    Ptr<bool> less) {
      Tile<int32> i = iota(4);
      Tile<A> a = load(x + i);
      int pair = 0;
      forEachType([&]<class B>(B) {
        Tile<B> b = cast<B>(load(numbersOfB + 4 * pair + i));
        store(sums + 8 * pair + i, cast<double>(a + b));
        store(sums + 8 * pair + 4 + i, cast<double>(max(b, a)));
        store(less + 4 * pair + i, a < b);
        ++pair;
      });
    });
    std::vector<double> left = numbers<A>(), right;
    std::vector<A> hostA;
    for (double value : left)
      hostA.push_back(static_cast<A>(static_cast<float>(value)));
    forEachType([&]<class B>(B) {
      // Against each other: the third number of A with the last of B, and so on.
      std::vector<double> own = numbers<B>();
      right.insert(right.end(), own.rbegin(), own.rend());
    });
    Buffer<A> x = device.upload(hostA);
    Buffer<double> numbersOfB = device.upload(right);
    GuardedBuffer<double> sums(device, 13 * 8);
    GuardedBuffer<bool> less(device, 13 * 4);
    body.launch({1}, x, numbersOfB, sums.pointer(), less.pointer());
    std::vector<double> gotSums = sums.download();
    std::vector<unsigned char> gotLess = less.download();
    int pair = 0;
    forEachType([&]<class B>(B) {
      using Common = decltype(common<A, B>());
      using Sum = std::conditional_t<std::is_same_v<Common, bool>, int32, Common>;
      for (int i = 0; i < 4; ++i) {
        double a = left[i], b = right[4 * pair + i];
        std::string which = std::string(name(elementType<A>)) + " " + std::to_string(a) + " and " +
                            name(elementType<B>) + " " + std::to_string(b);
        EXPECT_EQ(gotSums[8 * pair + i], sum<Sum>(a, b)) << which;
        EXPECT_EQ(gotSums[8 * pair + 4 + i], std::max(held<Common>(a), held<Common>(b))) << which;
        EXPECT_EQ(gotLess[4 * pair + i], held<Common>(a) < held<Common>(b)) << which;
      }
      ++pair;
    });
  });
}

TEST_P(Promotion, OfNumbersOfTheHostIsToTheTilesType) {
  Device device = this->device();
  auto body = kernel("weak", [](Ptr<const uint8> bytes, Ptr<const int32> ints,
                                Ptr<const bf16> halves, Ptr<const bool> bools, Ptr<double> y) {
    Tile<int32> i = iota(2);
    Tile<uint8> byte = load(bytes + i);
    Tile<int32> integer = load(ints + i);
    Tile<bf16> half = load(halves + i);
    Tile<bool> flag = load(bools + i);
    Ptr<double> results = y;
    auto keep = [&](const auto &tile) {
      store(results + i, cast<double>(tile));
      results += 2;
    };
    keep(byte + 200);        // wraps in uint8
    keep(byte * 0.5);        // a fraction makes a float
    keep(integer / 2);       // stays an integer
    keep(integer / 2.0);     // float
    keep(half + 1.00390625); // the number rounds to bf16 first: 1
    keep(half + 3);          // stays bf16: 256 + 3 is 260
    keep(flag + 1);          // int32
    keep(flag + true);       // int32, too
    keep(max(byte, std::int64_t{7}));
  });
  Buffer<uint8> bytes = device.upload({uint8{100}, uint8{3}});
  Buffer<int32> ints = device.upload({7, -7});
  Buffer<bf16> halves = device.upload(std::vector<bf16>{bf16(0.0f), bf16(256.0f)});
  Buffer<bool> bools = device.upload({false, true});
  GuardedBuffer<double> y(device, 18);
  body.launch({1}, bytes, ints, halves, bools, y.pointer());
  EXPECT_EQ(y.download(), (std::vector<double>{44, 203, 50, 1.5, 3, -3, 3.5, -3.5, 1, 256, 3, 260,
                                               1, 2, 1, 2, 100, 7}));
}

} // namespace
