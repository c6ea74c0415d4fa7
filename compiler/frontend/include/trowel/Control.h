// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops, branches and early returns on values of the device.
//
//   for (Index k : range(0, columns, block))
//     total += load(x + k + iota(block), k + iota(block) < columns);
//   if_(n > 0, [&] { store(y, 1.0f); }).else_([&] { store(y, 2.0f); });
//   while_([&] { return n > 0; }, [&] { n /= 2; });
//   returnIf(programId(0) >= rows);
//
// The body of each is traced once, whatever the device will do: a loop's body stands for all its
// trips, and both branches of an if_ are traced. Variables from outside are what they would be if
// the code ran on the device: a loop carries what its body assigns from trip to trip, and after an
// if_ a variable has the value of the branch that was taken. Loops of C++ over host values are
// another thing: they unroll while tracing.
#pragma once

#include "trowel/Value.h"

namespace trowel {

namespace detail {

/// A lambda for the time of a call.
struct Callback {
  void *object;
  void (*call)(void *object);
};
struct ConditionCallback {
  void *object;
  Value (*call)(void *object, std::source_location at);
};

/// The bounds of a loop, evaluated where range(…) was called, and the loop's line.
struct RangeBounds {
  Value begin, end, step;
  std::source_location at;
};
/// A loop whose body is being traced: its variable, and which scope of the trace it is.
struct OpenLoop {
  Value variable;
  std::uint32_t scope;
};

TROWEL_API RangeBounds rangeBounds(Operand begin, Operand end, Operand step,
                                   std::source_location at);
TROWEL_API OpenLoop openLoop(const RangeBounds &bounds);
TROWEL_API void closeLoop(const RangeBounds &bounds, OpenLoop loop);
/// For a loop that was left from inside.
TROWEL_API void abandonLoop(const RangeBounds &bounds, OpenLoop loop) noexcept;

/// Traces the first branch and returns the number by which its else_ names it.
TROWEL_API std::uint32_t ifThen(Operand condition, Callback then, std::source_location at);
TROWEL_API void ifElse(std::uint32_t serial, Callback otherwise, std::source_location at);
TROWEL_API void whileLoop(ConditionCallback condition, Callback body, std::source_location at);
TROWEL_API void returnIf(Operand condition, std::source_location at);

template <class Condition> constexpr void checkCondition() {
  static_assert(!AnyHost<Condition>, "this condition is a value of the host, which is known while "
                                     "tracing: use if or while of C++");
  if constexpr (!AnyHost<Condition>) {
    static_assert(!std::same_as<KindOf<Condition>, Tile<bool>>,
                  "this condition is a tile, but a program takes one path: choose element by "
                  "element with where(condition, a, b), or mask loads and stores");
    static_assert(std::same_as<KindOf<Condition>, Scalar<bool>> ||
                      std::same_as<KindOf<Condition>, Tile<bool>>,
                  "a condition is a Scalar<bool>: compare first, as in n > 0");
  }
}

template <class Body> constexpr void checkBody() {
  static_assert(
      requires(Body &body) { body(); }, "a body is a lambda without parameters: write "
                                        "[&] { … }");
  if constexpr (requires(Body &body) { body(); })
    static_assert(
        requires(Body &body) {
          { body() } -> std::same_as<void>;
        }, "a body returns nothing: assign to a variable from outside instead");
}

template <class Body> Callback callbackOf(Body &body) {
  checkBody<Body>();
  return {const_cast<std::remove_const_t<Body> *>(&body),
          [](void *object) { (*static_cast<Body *>(object))(); }};
}

/// What range(…) returns; for the head of a for loop.
class Range {
public:
  struct End {};
  class Iterator {
  public:
    explicit Iterator(Range &range) : range(&range) {}
    Index operator*() const { return Index(copied(range->loop.variable)); }
    Iterator &operator++() {
      range->isOpen = false;
      closeLoop(range->bounds, range->loop);
      return *this;
    }
    bool operator!=(End) const { return range->isOpen; }

  private:
    Range *range;
  };

  explicit Range(const RangeBounds &bounds) : bounds(bounds) {}
  Range(const Range &) = delete;
  ~Range() {
    if (isOpen)
      abandonLoop(bounds, loop);
  }

  Iterator begin() {
    // One that is looped over again inside its own loop has been left open.
    if (isOpen)
      abandonLoop(bounds, loop);
    loop = openLoop(bounds);
    isOpen = true;
    return Iterator(*this);
  }
  End end() const { return {}; }

private:
  RangeBounds bounds;
  OpenLoop loop{};
  bool isOpen = false;
};

/// What if_ returns; for the else_ that follows.
class Branch {
public:
  explicit Branch(std::uint32_t serial) : serial(serial) {}

  /// Traces what is done where the condition of the if_ is false.
  ///
  ///   if_(n > 0, [&] { total += v; }).else_([&] { total -= v; });
  template <class Body>
  void else_(Body &&body, std::source_location at = std::source_location::current()) {
    ifElse(serial, callbackOf(body), at);
  }

private:
  std::uint32_t serial;
};

} // namespace detail

/// A loop on the device over begin, begin + step, … below end: none if end is not greater. Bounds
/// and step are integers of the host, Index or integer scalars, evaluated once, before the loop. A
/// step of the host below 1 is refused; with a step of the device below 1 the loop makes no trip.
///
///   for (Index k : range(0, columns, block))
///     total += load(x + k + iota(block), k + iota(block) < columns);
template <class Begin, class End, class Step = int>
detail::Range range(const Begin &begin, const End &end, const Step &step = 1,
                    std::source_location at = std::source_location::current()) {
  constexpr bool areIntegers = std::is_convertible_v<const Begin &, Index> &&
                               std::is_convertible_v<const End &, Index> &&
                               std::is_convertible_v<const Step &, Index>;
  static_assert(areIntegers,
                "the bounds and the step of a range are integers of the host, Index or "
                "integer scalars");
  if constexpr (areIntegers)
    return detail::Range(detail::rangeBounds(
        detail::operandOf(begin, at), detail::operandOf(end, at), detail::operandOf(step, at), at));
}

/// Does something where a condition holds, and something else, if that is given, where it does not.
/// The condition is one bool of the program; for elements, use where(condition, a, b).
///
///   Scalar<float> limit = 1.0f;
///   if_(n > 100, [&] { limit = load(x); }).else_([&] { limit *= 2.0f; });
template <class Condition, class Body>
detail::Branch if_(const Condition &condition, Body &&body,
                   std::source_location at = std::source_location::current()) {
  detail::checkCondition<Condition>();
  return detail::Branch(
      detail::ifThen(detail::operandOf(condition, at), detail::callbackOf(body), at));
}

/// Repeats the body as long as the condition, which is computed before each trip, holds. A loop
/// that does not end blocks the device.
///
///   Index digits = 1;
///   while_([&] { return n >= 10; }, [&] { n /= 10, digits += 1; });
template <class Condition, class Body>
void while_(Condition &&condition, Body &&body,
            std::source_location at = std::source_location::current()) {
  using Computes = std::remove_reference_t<Condition>;
  constexpr bool isLambda = requires(Computes &computes) { computes(); };
  static_assert(isLambda, "the condition of a while_ is computed before each trip: write it as a "
                          "lambda, [&] { return n > 0; }");
  if constexpr (isLambda) {
    detail::checkCondition<decltype(condition())>();
    detail::ConditionCallback callback{
        const_cast<std::remove_const_t<Computes> *>(&condition),
        [](void *object, std::source_location at) {
          return detail::operandOf((*static_cast<Computes *>(object))(), at).value;
        }};
    detail::whileLoop(callback, detail::callbackOf(body), at);
  }
}

/// Ends the program where a condition holds. What was stored before stands.
///
///   Index row = programId(0);
///   returnIf(row >= rows);
template <class Condition>
void returnIf(const Condition &condition,
              std::source_location at = std::source_location::current()) {
  detail::checkCondition<Condition>();
  detail::returnIf(detail::operandOf(condition, at), at);
}

} // namespace trowel
