// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The promotion table, at every pair, as the C++ compiler sees it.
#include "tests/unit/frontend/Traced.h"

namespace trowel::test {
namespace {

template <class A, class B> using Sum = decltype(std::declval<A>() + std::declval<B>());
template <class A, class B> using Both = decltype(std::declval<A>() & std::declval<B>());
template <class A, class B> using Less = decltype(std::declval<A>() < std::declval<B>());
template <class A, class B> using Min = decltype(min(std::declval<A>(), std::declval<B>()));
template <class Result, class A, class B>
inline constexpr bool sumIs = std::same_as<Sum<A, B>, Result> && std::same_as<Sum<B, A>, Result>;

/// The row of the table for an element type A: its sums with all types in their order.
template <class A, class... Results> constexpr bool row() {
  std::size_t right = 0;
  auto check = [&]<class B, class Result>(std::type_identity<B>, std::type_identity<Result>) {
    right += sumIs<Tile<Result>, Tile<A>, Tile<B>> && sumIs<Tile<Result>, Tile<A>, Scalar<B>> &&
             sumIs<Tile<Result>, Scalar<A>, Tile<B>> && sumIs<Scalar<Result>, Scalar<A>, Scalar<B>>;
  };
  auto all = [&]<class... Bs>(std::type_identity<Bs>... bs) {
    (check(bs, std::type_identity<Results>()), ...);
  };
  all(std::type_identity<bool>(), std::type_identity<int8>(), std::type_identity<uint8>(),
      std::type_identity<int16>(), std::type_identity<uint16>(), std::type_identity<int32>(),
      std::type_identity<uint32>(), std::type_identity<int64>(), std::type_identity<uint64>(),
      std::type_identity<f16>(), std::type_identity<bf16>(), std::type_identity<float>(),
      std::type_identity<double>());
  return right == 13;
}
using i8 = int8;
using u8 = uint8;
using i16 = int16;
using u16 = uint16;
using i32 = int32;
using u32 = uint32;
using i64 = int64;
using u64 = uint64;
using f32 = float;
using f64 = double;
static_assert(row<bool, i32, i8, u8, i16, u16, i32, u32, i64, u64, f16, bf16, f32, f64>());
static_assert(row<i8, i8, i8, u8, i16, u16, i32, u32, i64, u64, f16, bf16, f32, f64>());
static_assert(row<u8, u8, u8, u8, i16, u16, i32, u32, i64, u64, f16, bf16, f32, f64>());
static_assert(row<i16, i16, i16, i16, i16, u16, i32, u32, i64, u64, f16, bf16, f32, f64>());
static_assert(row<u16, u16, u16, u16, u16, u16, i32, u32, i64, u64, f16, bf16, f32, f64>());
static_assert(row<i32, i32, i32, i32, i32, i32, i32, u32, i64, u64, f16, bf16, f32, f64>());
static_assert(row<u32, u32, u32, u32, u32, u32, u32, u32, i64, u64, f16, bf16, f32, f64>());
static_assert(row<i64, i64, i64, i64, i64, i64, i64, i64, i64, u64, f16, bf16, f32, f64>());
static_assert(row<u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, f16, bf16, f32, f64>());
static_assert(row<f16, f16, f16, f16, f16, f16, f16, f16, f16, f16, f16, f32, f32, f64>());
static_assert(
    row<bf16, bf16, bf16, bf16, bf16, bf16, bf16, bf16, bf16, bf16, f32, bf16, f32, f64>());
static_assert(row<f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f64>());
static_assert(row<f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64>());

// Shifts have the left side's type, as in C++.
template <class A, class B> using Shifted = decltype(std::declval<A>() << std::declval<B>());
static_assert(std::same_as<Shifted<Tile<u8>, Tile<i64>>, Tile<u8>>);
static_assert(std::same_as<Shifted<Scalar<i64>, Tile<u8>>, Tile<i64>>);
static_assert(std::same_as<Shifted<Index, Scalar<u64>>, Index>);
static_assert(std::same_as<Shifted<int, Tile<u16>>, Tile<u16>>);
static_assert(std::same_as<Shifted<Tile<bool>, int>, Tile<i32>>);
static_assert(std::same_as<decltype(~std::declval<Tile<u8>>()), Tile<u8>>);
static_assert(std::same_as<decltype(cdiv(std::declval<Index>(), 8)), Index>);
static_assert(cdiv(7, 2) == 4 && cdiv(-7, 2) == -3 && cdiv(-7, -2) == 4 && cdiv(8u, 2u) == 4);

// Numbers of the host take the other side's type; a fraction makes an integer a float.
static_assert(sumIs<Tile<int32>, Tile<int32>, int> && sumIs<Tile<int32>, Tile<int32>, long long>);
static_assert(sumIs<Tile<int32>, Tile<int32>, std::uint8_t> &&
              sumIs<Tile<int32>, Tile<int32>, bool>);
static_assert(sumIs<Tile<float>, Tile<int32>, double> && sumIs<Tile<float>, Tile<int64>, float>);
static_assert(sumIs<Tile<bf16>, Tile<bf16>, double> && sumIs<Tile<float>, Tile<float>, int>);
static_assert(sumIs<Tile<int32>, Tile<bool>, int> && sumIs<Tile<float>, Tile<bool>, float>);
static_assert(sumIs<Tile<float>, Tile<int32>, bf16> && sumIs<Scalar<bf16>, Scalar<bf16>, float>);

// An Index keeps its name as long as it stays an integer.
static_assert(sumIs<Index, Index, Index> && sumIs<Index, Index, int> && sumIs<Index, Index, bool>);
static_assert(sumIs<Index, Index, Scalar<int32>> && sumIs<Index, Index, Scalar<int64>>);
static_assert(sumIs<Tile<int64>, Index, Tile<int32>> && sumIs<Scalar<float>, Index, float>);
static_assert(sumIs<Scalar<bf16>, Index, Scalar<bf16>> && sumIs<Tile<bf16>, Index, Tile<bf16>>);

// Bools stay bools where that has a meaning.
static_assert(std::same_as<Both<Tile<bool>, Scalar<bool>>, Tile<bool>>);
static_assert(std::same_as<Min<Tile<bool>, Tile<bool>>, Tile<bool>>);
static_assert(std::same_as<Both<Tile<int32>, int>, Tile<int32>>);
static_assert(std::same_as<decltype(!std::declval<Tile<bool>>() && std::declval<Scalar<bool>>()),
                           Tile<bool>>);
static_assert(std::same_as<Less<Tile<float>, int>, Tile<bool>>);
static_assert(std::same_as<Less<Index, Index>, Scalar<bool>>);
static_assert(std::same_as<Less<Scalar<int32>, Tile<float>>, Tile<bool>>);
static_assert(std::same_as<Min<Index, int>, Index> && std::same_as<Min<int, Index>, Index>);

// Pointers.
static_assert(std::same_as<Sum<Ptr<float>, Tile<u8>>, Tile<Ptr<float>>>);
static_assert(std::same_as<Sum<Scalar<u32>, Ptr<float>>, Ptr<float>>);
static_assert(std::same_as<Sum<Ptr<const float>, Index>, Ptr<const float>>);
static_assert(std::same_as<Sum<Ptr<float>, Tile<int32>>, Tile<Ptr<float>>>);
static_assert(std::same_as<Sum<Tile<int64>, Ptr<float>>, Tile<Ptr<float>>>);
static_assert(std::same_as<Sum<Tile<Ptr<float>>, Index>, Tile<Ptr<float>>>);
static_assert(std::convertible_to<Ptr<float>, Ptr<const float>>);
static_assert(!std::convertible_to<Ptr<const float>, Ptr<float>>);
static_assert(std::convertible_to<Tile<Ptr<float>>, Tile<Ptr<const float>>>);
static_assert(std::same_as<decltype(load(std::declval<Tile<Ptr<const bf16>>>())), Tile<bf16>>);
static_assert(std::same_as<decltype(load(std::declval<Ptr<bool>>())), Scalar<bool>>);

// Functions of one operand, and where with two numbers of the host.
static_assert(std::same_as<decltype(exp(std::declval<Tile<bf16>>())), Tile<bf16>>);
static_assert(std::same_as<decltype(exp(std::declval<Tile<int32>>())), Tile<float>>);
static_assert(std::same_as<decltype(abs(std::declval<Index>())), Index>);
static_assert(std::same_as<decltype(-std::declval<Tile<bool>>()), Tile<int32>>);
static_assert(std::same_as<decltype(cast<bf16>(std::declval<Index>())), Scalar<bf16>>);
static_assert(
    std::same_as<decltype(where(std::declval<Tile<bool>>(), 1.0f, std::declval<Scalar<bf16>>())),
                 Tile<bf16>>);
static_assert(std::same_as<decltype(where(std::declval<Tile<bool>>(), 1, 0.5)), Tile<float>>);
static_assert(
    std::same_as<decltype(fma(std::declval<Tile<bf16>>(), 2, std::declval<Scalar<float>>())),
                 Tile<float>>);

// A value assigns to a variable only of its own type.
static_assert(!std::convertible_to<Tile<float>, Tile<int32>>);
static_assert(!std::convertible_to<Tile<int32>, Tile<float>>);
static_assert(!std::is_assignable_v<Tile<float>, Tile<float>>, "a temporary cannot be assigned to");
static_assert(std::is_assignable_v<Tile<float> &, Tile<float>>);
static_assert(std::is_nothrow_move_constructible_v<Tile<float>>);

TEST(Promotion, ConvertsEachOperandToTheCommonType) {
  std::string text = tracedText([](Ptr<float> x, Index n) {
    Tile<int32> i = iota(8);
    Tile<bf16> h = cast<bf16>(load(x + i));
    Tile<float> sum = h + load(x);
    Tile<int64> wide = i + n;
    Tile<int32> counted = (i < 3) + i;
    Tile<float> fraction = i * 0.5;
  });
  EXPECT_IN_ORDER(text, "arith.truncf", "arith.extf %4 : tensor<8xbf16> to tensor<8xf32>",
                  "arith.addf", "arith.extsi %1 : tensor<8xi32> to tensor<8xi64>", "arith.addi",
                  "arith.extui", "tensor<8xi1> to tensor<8xi32>", "arith.addi", "arith.sitofp",
                  "arith.mulf");
}

} // namespace
} // namespace trowel::test
