// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The types of results. Element types follow the promotion table:
//
//   integers               to the wider one, of equally wide ones to the unsigned one
//   a float and an integer to the float
//   floats                 to the wider one; f16 and bf16 to float, which holds both
//   a number of the host   to the other side's type; a fraction with an integer gives float
//   bool in arithmetic     to int32, as in C++; `&`, `min`, `where` of two bools stay bool
//   shifts                 to the left side's type, as in C++
//
// and the form of a result is the larger one: Tile, then Index, then Scalar.
#pragma once

#include "trowel/Handle.h"

namespace trowel {

template <class T> class Tile;
template <class T> class Scalar;
template <class T> class Ptr;
class Index;

namespace detail {

enum class Form : std::uint8_t { Host, Scalar, Index, Tile, Pointer, PointerTile };
enum class Weak : std::uint8_t { No, Bool, Integer, Fraction };

/// What the promotion table needs to know of an operand.
struct Typing {
  Form form;
  ElementType type;
  Weak weak;
};

template <class K> struct TypingOf;
template <class T> struct TypingOf<Tile<T>> {
  static constexpr Typing value{Form::Tile, ElementOf<T>::type, Weak::No};
};
template <class T> struct TypingOf<Scalar<T>> {
  static constexpr Typing value{Form::Scalar, ElementOf<T>::type, Weak::No};
};
template <> struct TypingOf<Index> {
  static constexpr Typing value{Form::Index, ElementType::Int64, Weak::No};
};
template <class T> struct TypingOf<Ptr<T>> {
  static constexpr Typing value{Form::Pointer, ElementOf<T>::type, Weak::No};
};
template <class T> struct TypingOf<Tile<Ptr<T>>> {
  static constexpr Typing value{Form::PointerTile, ElementOf<T>::type, Weak::No};
};
template <> struct TypingOf<HostBool> {
  static constexpr Typing value{Form::Host, ElementType::Bool, Weak::Bool};
};
template <> struct TypingOf<HostInteger> {
  static constexpr Typing value{Form::Host, ElementType::Int32, Weak::Integer};
};
template <> struct TypingOf<HostFraction> {
  static constexpr Typing value{Form::Host, ElementType::Float32, Weak::Fraction};
};
template <class T> inline constexpr Typing typingOf = TypingOf<KindOf<T>>::value;

/// The common type of two operands. ElementType lists its members in the order of promotion.
constexpr ElementType commonType(Typing a, Typing b) {
  if (a.weak == b.weak) {
    ElementType later = a.type > b.type ? a.type : b.type;
    ElementType other = a.type > b.type ? b.type : a.type;
    bool bothHalf = later == ElementType::BFloat16 && other == ElementType::Float16;
    return bothHalf ? ElementType::Float32 : later;
  }
  if (a.weak != Weak::No && b.weak != Weak::No)
    return a.weak > b.weak ? a.type : b.type;
  const Typing &weak = a.weak != Weak::No ? a : b;
  const Typing &strong = a.weak != Weak::No ? b : a;
  if (weak.weak == Weak::Fraction && !isFloating(strong.type))
    return ElementType::Float32;
  if (weak.weak == Weak::Integer && strong.type == ElementType::Bool)
    return ElementType::Int32;
  return strong.type;
}
constexpr ElementType afterBool(ElementType type) {
  return type == ElementType::Bool ? ElementType::Int32 : type;
}
/// The type of `+ - * / %`.
constexpr ElementType arithmeticType(Typing a, Typing b) { return afterBool(commonType(a, b)); }
/// The type of `<<` and `>>`: the left side's. A number of the host there takes the right side's.
constexpr ElementType shiftType(Typing a, Typing b) {
  return afterBool(a.weak == Weak::No ? a.type : commonType(a, b));
}
/// The type of exp, tanh, sqrt: an integer is converted to float first.
constexpr ElementType mathType(ElementType type) {
  return isFloating(type) ? type : ElementType::Float32;
}

constexpr Form largerForm(Form a, Form b) { return a > b ? a : b; }
constexpr Form largerForm(Typing a, Typing b) { return largerForm(a.form, b.form); }

/// The C++ type of a result with a form and an element type. Index keeps its name only while its
/// elements stay 64-bit integers.
template <Form form, ElementType type> struct Shell {
  using Result = Scalar<typename CppType<type>::type>;
};
template <> struct Shell<Form::Index, ElementType::Int64> {
  using Result = Index;
};
template <ElementType type> struct Shell<Form::Tile, type> {
  using Result = Tile<typename CppType<type>::type>;
};

template <class A, class B>
using ArithmeticResult =
    typename Shell<largerForm(TypingOf<A>::value, TypingOf<B>::value),
                   arithmeticType(TypingOf<A>::value, TypingOf<B>::value)>::Result;
template <class A, class B>
using CommonResult = typename Shell<largerForm(TypingOf<A>::value, TypingOf<B>::value),
                                    commonType(TypingOf<A>::value, TypingOf<B>::value)>::Result;
template <class A, class B>
using ShiftResult = typename Shell<largerForm(TypingOf<A>::value, TypingOf<B>::value),
                                   shiftType(TypingOf<A>::value, TypingOf<B>::value)>::Result;
template <class A, class B>
using BoolResult =
    typename Shell<largerForm(TypingOf<A>::value, TypingOf<B>::value), ElementType::Bool>::Result;

template <class T> inline constexpr bool isPointerKind = false;
template <class T> inline constexpr bool isPointerKind<Ptr<T>> = true;
template <class T> inline constexpr bool isPointerKind<Tile<Ptr<T>>> = true;

/// A traced or a host number, not a pointer; and a traced one.
template <class T>
concept AnyNumber = AnyOperand<T> && !isPointerKind<KindOf<T>>;
template <class T>
concept TracedNumber = AnyNumber<T> && AnyTraced<T>;
template <class T>
concept AnyPointer = isPointerKind<KindOf<T>>;

template <class T> inline constexpr bool servesAs<AnyTileKind, Tile<T>> = true;
template <class T> inline constexpr bool servesAs<AnyTileKind, Tile<Ptr<T>>> = false;
template <class T> inline constexpr bool servesAs<AnyScalarKind, Scalar<T>> = true;
template <> inline constexpr bool servesAs<AnyScalarKind, Index> = true;

/// A pointer that is moved by a count; by a tile of counts it is a tile of pointers.
template <class P, Form count> struct OffsetOf {
  using Result = P;
};
template <class T> struct OffsetOf<Ptr<T>, Form::Tile> {
  using Result = Tile<Ptr<T>>;
};
template <class P, class Count>
using OffsetResult = typename OffsetOf<P, TypingOf<Count>::value.form>::Result;

template <class> inline constexpr bool alwaysFalse = false;

} // namespace detail
} // namespace trowel
