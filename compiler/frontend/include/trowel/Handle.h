// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stands behind the typed shells: a number of a value in a trace, a number of the host, and
// the C++ line at which an operand was handed over. Users meet none of these names.
#pragma once

#include "trowel/Export.h"
#include "trowel/Types.h"

#include <concepts>
#include <source_location>
#include <type_traits>

namespace trowel {

/// An axis of a tile, counted from 0; negative ones count from the end. Never a bare int, so that
/// `max(x, 0)` compares with zero and `max(x, Axis{0})` can only mean the axis.
///
///   Tile<int32> column = expand(iota(8), Axis{1});   // 8x1
///   Tile<int32> row = expand(iota(16), Axis{0});     // 1x16
struct Axis {
  int index;
};

namespace detail {

/// A variable of a trace: which trace, and its number there. Trace 0 means that nothing was
/// assigned.
struct Value {
  std::uint64_t trace = 0;
  std::uint32_t index = 0;
};

/// A number of the host that meets a traced value: a literal, or a variable that was captured. It
/// is weak: it takes the type of what it meets.
struct Number {
  enum class Kind : std::uint8_t { Bool, Signed, Unsigned, Fraction };
  Kind kind = Kind::Signed;
  union {
    std::int64_t integer = 0;
    std::uint64_t natural;
    double fraction;
  };
};

/// What an operation is given: a value of the trace or a number of the host.
struct Operand {
  Value value;
  Number number;
  bool isNumber = false;
  /// The elements of a value that is no pointer. The trace's integers have no sign of their own.
  ElementType type = ElementType::Bool;
};

// The kinds of host numbers stand as types where operators are chosen.
struct HostBool {};
struct HostInteger {};
struct HostFraction {};

template <class N> constexpr Number numberOf(N host) {
  Number number;
  if constexpr (std::same_as<N, bool>) {
    number.kind = Number::Kind::Bool;
    number.integer = host;
  } else if constexpr (!std::integral<N>) {
    number.kind = Number::Kind::Fraction;
    number.fraction = static_cast<double>(host);
  } else if constexpr (std::is_unsigned_v<N>) {
    number.kind = Number::Kind::Unsigned;
    number.natural = host;
  } else {
    number.kind = Number::Kind::Signed;
    number.integer = host;
  }
  return number;
}

/// Maps a C++ type to what it is as an operand; void for everything that is none. Value.h adds the
/// traced types.
template <class T> struct OperandKind {
  using type = void;
};
template <> struct OperandKind<bool> {
  using type = HostBool;
};
template <class T>
  requires(std::integral<T> && !std::same_as<T, bool>)
struct OperandKind<T> {
  using type = HostInteger;
};
template <> struct OperandKind<float> {
  using type = HostFraction;
};
template <> struct OperandKind<double> {
  using type = HostFraction;
};
template <> struct OperandKind<bf16> {
  using type = HostFraction;
};
template <> struct OperandKind<f16> {
  using type = HostFraction;
};
template <class T> using KindOf = typename OperandKind<std::remove_cvref_t<T>>::type;

template <class K>
inline constexpr bool isHost =
    std::same_as<K, HostBool> || std::same_as<K, HostInteger> || std::same_as<K, HostFraction>;
/// A type that can be an operand, and one that is a traced value.
template <class T>
concept AnyOperand = !std::same_as<KindOf<T>, void>;
template <class T>
concept AnyTraced = AnyOperand<T> && !isHost<KindOf<T>>;
template <class T>
concept AnyHost = isHost<KindOf<T>>;

// Kinds that stand for all tiles of numbers, for all scalars and the Index, for all host numbers.
struct AnyTileKind {};
struct AnyScalarKind {};
struct AnyHostKind {};
/// Whether an operand of the kind U serves where K is asked for.
template <class K, class U> inline constexpr bool servesAs = std::same_as<U, K>;
template <class U> inline constexpr bool servesAs<AnyHostKind, U> = isHost<U>;

/// The value of a variable, for a new variable. What has no value stays so.
TROWEL_API Value copied(Value source);
/// The same variable for another object; `source` has no value until it is assigned to.
TROWEL_API Value moved(Value source) noexcept;
TROWEL_API void assign(Value &target, Value source) noexcept;

/// The base of all traced variables. A variable is followed by its identity, so that loops and
/// branches see what is assigned to it: copying, moving, reading and assigning pass through here
/// and nowhere else. `Value` is the number of the variable, not of what it holds.
class Variable {
public:
  Variable() = default;
  explicit Variable(Value value) : current(value) {}
  Variable(const Variable &other) : current(copied(other.current)) {}
  Variable(Variable &&other) noexcept : current(moved(other.current)) {}
  // Assigning to a temporary is always a slip, so only lvalues can be assigned to.
  Variable &operator=(const Variable &other) & {
    assign(current, other.current);
    return *this;
  }
  Variable &operator=(Variable &&other) & noexcept {
    assign(current, other.current);
    return *this;
  }

  /// The variable as an operand of an operation.
  Value read() const { return current; }
  /// What it holds now, for a variable of another type.
  Value copy() const { return copied(current); }

private:
  Value current;
};

/// The result of `!`, which C++ gives no way to know its line: what receives it tells it.
template <class Self> struct Negated : Self {
  using IsNegated = void;
  explicit Negated(Value value) : Self(value) {}
  using Self::operator=;
};

/// Gives the operation behind a value, made without a line, the line of its receiver.
TROWEL_API Value locate(Value value, std::source_location at);

template <class U> Operand operandOf(const U &operand, std::source_location at) {
  Operand result;
  if constexpr (requires { ElementOf<typename U::Element>::type; })
    result.type = ElementOf<typename U::Element>::type;
  if constexpr (AnyHost<U>) {
    result.number = numberOf(operand);
    result.isNumber = true;
  } else if constexpr (requires { typename U::IsNegated; }) {
    result.value = locate(operand.read(), at);
  } else {
    result.value = operand.read();
  }
  return result;
}

/// The type of every operator's parameters. Its converting constructor is the only place at which
/// C++ lets an operator learn the line of its call. Both sides of an operator are Located: with one
/// side alone, `==` is ambiguous with its reversed form in C++20. K names the operand's kind
/// exactly, so a choice between operators never converts an operand and never completes a type.
template <class K> struct Located {
  Operand operand;
  std::source_location at;

  template <class U>
    requires(servesAs<K, KindOf<U>>)
  Located(const U &value, std::source_location at = std::source_location::current())
      : operand(operandOf(value, at)), at(at) {}
};

} // namespace detail
} // namespace trowel
