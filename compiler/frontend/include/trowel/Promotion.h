// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The types of results. Element types follow the promotion table:
//
//   integers               to the wider one
//   a float and an integer to the float
//   bf16 and float         to float
//   a number of the host   to the other side's type; a fraction with an integer gives float
//   bool in arithmetic     to int32, as in C++; `&`, `min`, `where` of two bools stay bool
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

constexpr bool isFloating(ElementType type) {
  return type == ElementType::BFloat16 || type == ElementType::Float32;
}
constexpr bool isInteger(ElementType type) {
  return type == ElementType::Int32 || type == ElementType::Int64;
}

/// The common type of two operands. ElementType lists its members in promotion order.
constexpr ElementType commonType(Typing a, Typing b) {
  if (a.weak == b.weak)
    return a.type > b.type ? a.type : b.type;
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
/// The type of exp, tanh, sqrt: an integer is converted to float first.
constexpr ElementType mathType(ElementType type) {
  return isFloating(type) ? type : ElementType::Float32;
}

constexpr Form largerForm(Form a, Form b) { return a > b ? a : b; }
constexpr Form largerForm(Typing a, Typing b) { return largerForm(a.form, b.form); }

template <ElementType type> struct CppType;
template <> struct CppType<ElementType::Bool> {
  using type = bool;
};
template <> struct CppType<ElementType::Int32> {
  using type = int32;
};
template <> struct CppType<ElementType::Int64> {
  using type = int64;
};
template <> struct CppType<ElementType::BFloat16> {
  using type = bf16;
};
template <> struct CppType<ElementType::Float32> {
  using type = float;
};

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
using BoolResult =
    typename Shell<largerForm(TypingOf<A>::value, TypingOf<B>::value), ElementType::Bool>::Result;

template <class> inline constexpr bool alwaysFalse = false;

} // namespace detail
} // namespace trowel
