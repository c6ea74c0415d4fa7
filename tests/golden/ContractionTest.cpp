// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a·b + c rounds once, and where twice.
//
// A product that goes nowhere else than into a sum of the same body becomes one fma; every other
// operation rounds on its own, and in exact(…) all do. The operands are chosen so that the two
// differ: of a = 1 + u, where u² is half an ulp of a², the sum a·a − (1 + 2u) is u² if the product
// is not rounded, and 0 or an ulp if it is. Each type has its own u.
#include "tests/golden/GuardedBuffer.h"
#include "tests/support/OnEveryDevice.h"

#include <trowel/trowel.h>

#include <cmath>

using namespace trowel;
using namespace trowel::golden;

namespace {

class Contraction : public support::OnEveryDevice {
protected:
  /// What an expression of a = b = 1 + u and c = 1 + 2u is, as tiles and as scalars, in each type:
  /// the part of u² that it keeps.
  template <class Expression> void expectSquareOfU(Expression expression, double share) {
    auto check = [&]<class T>(T, double u) {
      auto body = kernel("expression", [=](Ptr<const T> x, Ptr<T> y) {
        Tile<int32> i = iota(8);
        store(y + i, expression(load(x + i), load(x + 8 + i), load(x + 16 + i)));
        store(y + 8, expression(load(x), load(x + 8), load(x + 16)));
      });
      std::vector<T> host(24, static_cast<T>(static_cast<float>(1)));
      for (int i = 0; i < 24; ++i)
        host[i] =
            static_cast<T>(i < 16 ? 1 + static_cast<Host<T>>(u) : 1 + 2 * static_cast<Host<T>>(u));
      Device device = this->device();
      Buffer<T> x = device.upload(host);
      GuardedBuffer<T> y(device, 9);
      body.launch({1}, x, y.pointer());
      for (T result : y.download())
        ASSERT_EQ(static_cast<double>(result), share * u * u) << name(elementType<T>);
    };
    check(f16(), 0x1p-6), check(bf16(), 0x1p-5), check(float{}, 0x1p-12), check(double{}, 0x1p-28);
  }

private:
  template <class T> using Host = std::conditional_t<std::is_same_v<T, double>, double, float>;
};
TROWEL_ON_EVERY_DEVICE(Contraction);

TEST_P(Contraction, OfAProductWithoutOtherUseRoundsOnce) {
  expectSquareOfU([](auto a, auto b, auto c) { return a * b - c; }, 1);
  expectSquareOfU([](auto a, auto b, auto c) { return c - a * b; }, -1);
  expectSquareOfU([](auto a, auto b, auto c) { return -c + a * b; }, 1);
  expectSquareOfU([](auto a, auto b, auto c) { return fma(a, b, -c); }, 1);
  expectSquareOfU(
      [](auto a, auto b, auto c) {
        auto product = a * b; // a name is no use
        return product - c;
      },
      1);
}

TEST_P(Contraction, IsNotDoneToAProductThatGoesElsewhereToo) {
  expectSquareOfU(
      [](auto a, auto b, auto c) {
        auto product = a * b;
        return (product - c) + (product - product);
      },
      0);
  // Of two products the left one fuses: a·b − (a·b rounded) is what the rounding took away.
  expectSquareOfU([](auto a, auto b, auto c) { return a * b - b * a + (c - c); }, 1);
}

TEST_P(Contraction, IsSwitchedOffByExact) {
  expectSquareOfU([](auto a, auto b, auto c) { return exact(a * b - c); }, 0);
  expectSquareOfU([](auto a, auto b, auto c) { return exact(a * b) - c; }, 0);
  expectSquareOfU([](auto a, auto b, auto c) { return exact(abs(-(c - a * b))); }, 0);
  expectSquareOfU([](auto a, auto b, auto c) { return exact(a * b - b * a + (c - c)); }, 0);
  expectSquareOfU(
      [](auto a, auto b, auto c) {
        auto sum = a * b - c;
        return exact(sum);
      },
      0);
  // What is outside of it fuses as ever.
  expectSquareOfU([](auto a, auto b, auto c) { return a * exact(b) - exact(c); }, 1);
  // So does an explicit fma in it.
  expectSquareOfU([](auto a, auto b, auto c) { return exact(fma(a, b, -c)); }, 1);
}

TEST_P(Contraction, IsNotDoneAcrossRoundingsOfSmallTypes) {
  // Each operation of bf16 rounds to bf16, so 256 + 1 + 1 stays 256; in float it would be 258.
  auto body = kernel("chain", [](Ptr<const bf16> x, Ptr<const f16> h, Ptr<bf16> y, Ptr<f16> z) {
    Tile<int32> i = iota(16);
    Tile<bf16> a = load(x + i), one = load(x + 16 + i);
    store(y + i, a + one + one);
    store(y + 16 + i, cast<bf16>(cast<float>(a) + one + one));
    Tile<f16> b = load(h + i), unit = load(h + 16 + i);
    store(z + i, b + unit + unit);
    store(z + 16 + i, cast<f16>(cast<float>(b) + unit + unit));
  });
  Device device = this->device();
  std::vector<bf16> x(32, bf16(1.0f));
  std::vector<f16> h(32, f16(1.0f));
  std::fill_n(x.begin(), 16, bf16(256.0f));
  std::fill_n(h.begin(), 16, f16(2048.0f));
  Buffer<bf16> deviceX = device.upload(x);
  Buffer<f16> deviceH = device.upload(h);
  GuardedBuffer<bf16> y(device, 32);
  GuardedBuffer<f16> z(device, 32);
  body.launch({1}, deviceX, deviceH, y.pointer(), z.pointer());
  std::vector<bf16> sums = y.download();
  std::vector<f16> halves = z.download();
  for (int i = 0; i < 16; ++i) {
    EXPECT_EQ(static_cast<float>(sums[i]), 256.0f);
    EXPECT_EQ(static_cast<float>(sums[16 + i]), 258.0f);
    EXPECT_EQ(static_cast<float>(halves[i]), 2048.0f);
    EXPECT_EQ(static_cast<float>(halves[16 + i]), 2050.0f);
  }
}

} // namespace
