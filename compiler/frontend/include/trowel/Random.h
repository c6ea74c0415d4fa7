// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random numbers without a state: number `offset` of the stream of `seed`.
//
//   Tile<int32> i = iota(1024);
//   Tile<float> keep = where(randomUniform(seed, start + i) < 0.9f, v / 0.9f, 0.0f);
//
// The generator is Philox4x32-10 of Random123 (Salmon, Moraes, Dror and Shaw, 2011). A number
// depends on seed and offset alone: not on the device, the tile, the program or the version of
// Trowel. That is a promise; randomNormal alone, which takes a logarithm and a cosine, keeps it but
// for their last places.
//
// Each call computes a whole block of four words and uses one or two of them: about 10 multiply
// instructions of twice 32 bits a number. philox4x32 gives all four.
#pragma once

#include "trowel/Math.h"

#include <array>

namespace trowel {

namespace detail {

TROWEL_API void refuseEmptyRange(std::int64_t low, std::int64_t high, std::source_location at);

template <class... X> constexpr Form formOfWords() {
  Form form = Form::Scalar;
  ((form = typingOf<X>.form == Form::Tile ? Form::Tile : form), ...);
  return form;
}
template <class... X> using Word = typename Shell<formOfWords<X...>(), ElementType::UInt32>::Result;

template <class X> Operand wordOf(const X &x, std::source_location at) {
  static_assert(typingOf<X>.type == ElementType::UInt32 || typingOf<X>.weak == Weak::Integer,
                "the words of philox4x32 are uint32: convert with cast<uint32>(x)");
  return operandOf(x, at);
}

struct WordPair {
  Operand low, high;
};
/// The 64 bits of a seed or an offset; narrower integers are extended by their own kind.
template <class X> WordPair wordsOf(const X &x, std::source_location at) {
  static_assert(isInteger(typingOf<X>.type) && typingOf<X>.weak != Weak::Fraction,
                "seed and offset of a random number are integers");
  if constexpr (AnyHost<X>) {
    auto bits = static_cast<std::uint64_t>(x);
    return {operandOf(static_cast<std::uint32_t>(bits), at),
            operandOf(static_cast<std::uint32_t>(bits >> 32), at)};
  } else {
    using Wide = std::conditional_t<isUnsigned(typingOf<X>.type), uint64, int64>;
    constexpr ElementType wide = elementType<Wide>;
    Operand whole{convert(wide, operandOf(x, at), at), {}, false, wide};
    Operand upper{
        binary(BinaryOp::ShiftRight, wide, whole, operandOf(32, at), at), {}, false, wide};
    return {Operand{convert(ElementType::UInt32, whole, at), {}, false, ElementType::UInt32},
            Operand{convert(ElementType::UInt32, upper, at), {}, false, ElementType::UInt32}};
  }
}

/// The ten rounds, on words of whatever shapes; `counter` becomes the result.
inline void philoxRounds(Operand (&counter)[4], Operand (&key)[2], std::source_location at) {
  auto apply = [at](BinaryOp op, const Operand &a, const Operand &b) {
    return Operand{binary(op, ElementType::UInt32, a, b, at), {}, false, ElementType::UInt32};
  };
  const Operand multipliers[] = {operandOf(0xd2511f53u, at), operandOf(0xcd9e8d57u, at)};
  const Operand increments[] = {operandOf(0x9e3779b9u, at), operandOf(0xbb67ae85u, at)};
  for (int round = 0; round < 10; ++round) {
    if (round != 0)
      for (int i = 0; i < 2; ++i)
        key[i] = apply(BinaryOp::Add, key[i], increments[i]);
    Operand high0 = apply(BinaryOp::MultiplyHigh, counter[0], multipliers[0]);
    Operand low0 = apply(BinaryOp::Multiply, counter[0], multipliers[0]);
    Operand high1 = apply(BinaryOp::MultiplyHigh, counter[2], multipliers[1]);
    Operand low1 = apply(BinaryOp::Multiply, counter[2], multipliers[1]);
    counter[0] = apply(BinaryOp::Xor, apply(BinaryOp::Xor, high1, counter[1]), key[0]);
    counter[1] = low1;
    counter[2] = apply(BinaryOp::Xor, apply(BinaryOp::Xor, high0, counter[3]), key[1]);
    counter[3] = low0;
  }
}

template <class Seed, class Offset>
std::array<Word<Seed, Offset>, 4> randomBlock(const Seed &seed, const Offset &offset,
                                              std::source_location at) {
  WordPair position = wordsOf(offset, at), keys = wordsOf(seed, at);
  Value zero = scalar(ElementType::UInt32, operandOf(0, at), at);
  // One word is traced even where seed and offset are numbers of the host.
  Operand none{zero, {}, false, ElementType::UInt32};
  Operand counter[4] = {position.low, position.high, none, none}, key[2] = {keys.low, keys.high};
  philoxRounds(counter, key, at);
  using W = Word<Seed, Offset>;
  return {W(counter[0].value), W(counter[1].value), W(counter[2].value), W(counter[3].value)};
}

} // namespace detail

/// The four words of Philox4x32-10 for a counter of four words and a key of two, all uint32: tiles,
/// which broadcast, scalars, or integers of the host.
///
///   auto [a, b, c, d] = philox4x32(cast<uint32>(iota(256)), 0, 0, 0, 0xdeadbeefu, 0);
///   Tile<uint32> mixed = a ^ d;
template <class C0, class C1, class C2, class C3, class K0, class K1>
  requires(detail::AnyNumber<C0> && detail::AnyNumber<C1> && detail::AnyNumber<C2> &&
           detail::AnyNumber<C3> && detail::AnyNumber<K0> && detail::AnyNumber<K1>)
auto philox4x32(const C0 &c0, const C1 &c1, const C2 &c2, const C3 &c3, const K0 &k0, const K1 &k1,
                std::source_location at = std::source_location::current()) {
  detail::Operand given[] = {detail::wordOf(c0, at), detail::wordOf(c1, at),
                             detail::wordOf(c2, at), detail::wordOf(c3, at),
                             detail::wordOf(k0, at), detail::wordOf(k1, at)};
  for (detail::Operand &word : given)
    if (word.isNumber)
      word = {detail::scalar(ElementType::UInt32, word, at), {}, false, ElementType::UInt32};
  detail::Operand counter[4] = {given[0], given[1], given[2], given[3]},
                  key[2] = {given[4], given[5]};
  detail::philoxRounds(counter, key, at);
  using W = detail::Word<C0, C1, C2, C3, K0, K1>;
  return std::array<W, 4>{W(counter[0].value), W(counter[1].value), W(counter[2].value),
                          W(counter[3].value)};
}

/// 32 random bits: the first word of philox4x32 for the counter (offset, offset >> 32, 0, 0) and
/// the key (seed, seed >> 32). Seed and offset are integers, of which 64 bits count; each may be a
/// tile, a scalar or a number of the host, and they broadcast.
///
///   Tile<uint32> bits = randomBits(seed, iota(256));
///   Scalar<uint32> one = randomBits(42, programId(0));
template <class Seed, class Offset>
  requires(detail::AnyNumber<Seed> && detail::AnyNumber<Offset>)
auto randomBits(const Seed &seed, const Offset &offset,
                std::source_location at = std::source_location::current()) {
  return detail::randomBlock(seed, offset, at)[0];
}

/// A float of [0, 1): the upper 24 of randomBits(seed, offset), divided by 2^24. So all 2^24
/// results are as likely, the least is 0 and the greatest 1 − 2^−24.
///
///   Tile<float> u = randomUniform(seed, iota(256));
///   Tile<bool> keep = randomUniform(7, start + iota(256)) < 0.9f;
template <class Seed, class Offset>
  requires(detail::AnyNumber<Seed> && detail::AnyNumber<Offset>)
auto randomUniform(const Seed &seed, const Offset &offset,
                   std::source_location at = std::source_location::current()) {
  auto upper = detail::applyBinary(detail::BinaryOp::ShiftRight,
                                   detail::randomBlock(seed, offset, at)[0], 8, at);
  return detail::applyBinary(detail::BinaryOp::Multiply, cast<float>(upper, at), 0x1p-24f, at);
}

/// A float of the normal distribution with mean 0 and variance 1, by Box and Muller's method: with
/// the first two words a and b of the block of randomBits, √(−2 ln u) · cos(2π v) for
/// u = ((a >> 8) + 1) / 2^24 and v = (b >> 8) / 2^24. None is beyond ±5.77. Devices agree up to the
/// last places of log, sqrt and cos.
///
///   Tile<float> noise = randomNormal(seed, iota(256)) * 0.1f;
///   Tile<float> z = randomNormal(7, start + iota(256));
template <class Seed, class Offset>
  requires(detail::AnyNumber<Seed> && detail::AnyNumber<Offset>)
auto randomNormal(const Seed &seed, const Offset &offset,
                  std::source_location at = std::source_location::current()) {
  using detail::applyBinary, detail::BinaryOp;
  auto block = detail::randomBlock(seed, offset, at);
  auto upper = [at](const auto &word) { return applyBinary(BinaryOp::ShiftRight, word, 8, at); };
  auto scaled = [at](const auto &word, float by) {
    return applyBinary(BinaryOp::Multiply, cast<float>(word, at), by, at);
  };
  auto u = scaled(applyBinary(BinaryOp::Add, upper(block[0]), 1, at), 0x1p-24f);
  auto angle = scaled(upper(block[1]), 0x1.921fb6p-22f); // 2π / 2^24
  auto radius = sqrt(applyBinary(BinaryOp::Multiply, log(u, at), -2.0f, at), at);
  return exact(applyBinary(BinaryOp::Multiply, radius, cos(angle, at), at), at);
}

/// An int32 of [low, high): low + mulHigh(randomBits(seed, offset), high − low). Of a range of n
/// integers some are likelier than others by at most n / 2^32. `low` and `high` are integers of the
/// host or int32; where high is not greater than low, numbers of the host are refused, and those of
/// the device give `low` if they are equal and else any number.
///
///   Tile<int32> die = randomInt(seed, iota(256), 1, 7);
///   Tile<int32> column = randomInt(seed, iota(256), 0, columns);
template <class Seed, class Offset, class Low, class High>
  requires(detail::AnyNumber<Seed> && detail::AnyNumber<Offset> && detail::AnyNumber<Low> &&
           detail::AnyNumber<High>)
auto randomInt(const Seed &seed, const Offset &offset, const Low &low, const High &high,
               std::source_location at = std::source_location::current()) {
  constexpr auto fits = [](detail::Typing bound) {
    return bound.weak == detail::Weak::Integer || bound.type == ElementType::Int32;
  };
  static_assert(fits(detail::typingOf<Low>) && fits(detail::typingOf<High>),
                "the bounds of randomInt are integers of the host or int32: convert with "
                "cast<int32>(x)");
  if constexpr (detail::AnyHost<Low> && detail::AnyHost<High>)
    if (static_cast<std::int64_t>(low) >= static_cast<std::int64_t>(high))
      detail::refuseEmptyRange(static_cast<std::int64_t>(low), static_cast<std::int64_t>(high), at);
  auto whole = [at](const auto &bound) {
    if constexpr (detail::AnyHost<decltype(bound)>)
      return Scalar<int32>(bound, at);
    else
      return bound;
  };
  auto from = whole(low);
  auto to = whole(high);
  using detail::applyBinary, detail::BinaryOp;
  auto count = cast<uint32>(applyBinary(BinaryOp::Subtract, to, from, at), at);
  auto distance =
      applyBinary(BinaryOp::MultiplyHigh, detail::randomBlock(seed, offset, at)[0], count, at);
  return applyBinary(BinaryOp::Add, cast<int32>(distance, at), from, at);
}

} // namespace trowel
