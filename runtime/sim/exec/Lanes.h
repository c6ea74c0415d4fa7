// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Applies a function of one thread's values to the 32 lanes of a warp.
//
//   binary<float, float, float>(warp, instruction, mask, [](float a, float b) { return a + b; });
//
// A handler is such a line. Values are stored as words (Program.h): Word<T> is the storage of a T
// in a lane, fromWord and toWord go between the two. The loops have a fixed count and no branch, so
// that the compiler turns them into vector code. All lanes are computed, also those outside the
// mask, whose results are dropped: the functions must be total.
#pragma once

#include "runtime/sim/Machine.h"

#include <bit>
#include <type_traits>

#if defined(__clang__)
#define TROWEL_EACH_LANE                                                                           \
  _Pragma("clang loop vectorize(enable)") for (unsigned lane = 0;                                  \
                                               lane < ::trowel::sim::lanesPerWarp; ++lane)
#else
#define TROWEL_EACH_LANE for (unsigned lane = 0; lane < ::trowel::sim::lanesPerWarp; ++lane)
#endif

/// Before a handler that `fastest` may compile a second time, and what it must take along.
#define LANE_HANDLER [[gnu::always_inline]] inline
/// Behind the parameters of a lambda that such a handler applies to each lane: a call would end the
/// hope for vector code.
#define LANE_FUNCTION __attribute__((always_inline))

namespace trowel::sim::exec {

/// Bits of an f16, a bf16 or two of them; distinct types so that functions can overload on them.
template <class Tag, class Bits> struct RawFloat {
  Bits bits;
};
using Half = RawFloat<struct HalfTag, std::uint16_t>;
using BFloat = RawFloat<struct BFloatTag, std::uint16_t>;

template <class T> using Word = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;

template <class T> inline T fromWord(Word<T> word) {
  if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat>)
    return T{static_cast<std::uint16_t>(word)};
  else if constexpr (std::is_floating_point_v<T>)
    return std::bit_cast<T>(word);
  else
    return static_cast<T>(word);
}
template <class T> inline Word<T> toWord(T value) {
  if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat>)
    return value.bits;
  else if constexpr (std::is_floating_point_v<T>)
    return std::bit_cast<Word<T>>(value);
  else
    return static_cast<std::make_unsigned_t<T>>(value); // narrow values are zero-extended
}

template <class W> inline W chosen(Mask mask, unsigned lane, W yes, W no) {
  return (mask >> lane & 1) != 0 ? yes : no;
}

/// Writes compute(lane) to the lanes of `mask`.
template <class T, class F>
[[gnu::always_inline]] inline void writeLanes(Word<T> *destination, Mask mask, F compute) {
  // The destination may be a source too. Results are collected first, so that the compiler need not
  // fear that a store changes a later load.
  alignas(64) Word<T> results[lanesPerWarp];
  TROWEL_EACH_LANE
  results[lane] = toWord<T>(compute(lane));
  if (mask == allLanes) {
    TROWEL_EACH_LANE
    destination[lane] = results[lane];
  } else {
    TROWEL_EACH_LANE
    destination[lane] = chosen(mask, lane, results[lane], destination[lane]);
  }
}

template <class R, class A, class F>
[[gnu::always_inline]] inline void unary(Warp &warp, const Instruction &instruction, Mask mask,
                                         F function) {
  const auto *a = warp.at<Word<A>>(instruction.slots[1]);
  writeLanes<R>(warp.at<Word<R>>(instruction.slots[0]), mask,
                [&](unsigned lane) LANE_FUNCTION { return function(fromWord<A>(a[lane])); });
}

template <class R, class A, class B, class F>
[[gnu::always_inline]] inline void binary(Warp &warp, const Instruction &instruction, Mask mask,
                                          F function) {
  const auto *a = warp.at<Word<A>>(instruction.slots[1]);
  const auto *b = warp.at<Word<B>>(instruction.slots[2]);
  writeLanes<R>(warp.at<Word<R>>(instruction.slots[0]), mask, [&](unsigned lane) LANE_FUNCTION {
    return function(fromWord<A>(a[lane]), fromWord<B>(b[lane]));
  });
}

template <class R, class A, class B, class C, class F>
[[gnu::always_inline]] inline void ternary(Warp &warp, const Instruction &instruction, Mask mask,
                                           F function) {
  const auto *a = warp.at<Word<A>>(instruction.slots[1]);
  const auto *b = warp.at<Word<B>>(instruction.slots[2]);
  const auto *c = warp.at<Word<C>>(instruction.slots[3]);
  writeLanes<R>(warp.at<Word<R>>(instruction.slots[0]), mask, [&](unsigned lane) LANE_FUNCTION {
    return function(fromWord<A>(a[lane]), fromWord<B>(b[lane]), fromWord<C>(c[lane]));
  });
}

/// The mask of lanes for which compute(lane) holds.
template <class F> inline Mask testLanes(F compute) {
  Mask result = 0;
  TROWEL_EACH_LANE
  result |= (compute(lane) ? Mask{1} : Mask{0}) << lane;
  return result;
}

inline void writePredicate(Warp &warp, Slot slot, Mask mask, Mask value) {
  Mask *predicate = warp.at<Mask>(slot);
  *predicate = (*predicate & ~mask) | (value & mask);
}

// ---- the host's vector instructions ----

/// Whether the host has 256-bit vectors and fused multiply-add.
bool hostHasAvx2();

#if defined(__x86_64__)
/// The handler again, compiled for such a host. Results are the same: no operation is fused that
/// the handler does not fuse itself.
template <Handler handler>
__attribute__((target("avx2,fma,bmi,bmi2,f16c"))) void
onAvx2(Warp &warp, const Instruction &instruction, Mask mask) {
  handler(warp, instruction, mask);
}
/// `forFma`, compiled for a host with these instructions, or else `portable`.
template <Handler forFma, Handler portable> Handler byHost() {
  return hostHasAvx2() ? onAvx2<forFma> : portable;
}
#else
template <Handler, Handler portable> Handler byHost() { return portable; }
#endif
/// The handler, compiled for the host at hand.
template <Handler handler> Handler fastest() { return byHost<handler, handler>(); }

/// One lane's value.
template <class T> inline T laneValue(const Warp &warp, Slot slot, unsigned lane) {
  return fromWord<T>(warp.at<Word<T>>(slot)[lane]);
}

} // namespace trowel::sim::exec
