// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints and checks in a running kernel.
//
//   print("v =", v, "of row", programId(0));
//   printWhere(isnan, "NaN in column", column);
//   check(column < columns, "the column is inside", column);
//
// Both tell the host of each element once, with the C++ line, the program, the element's indices
// and values; the host reads when it next waits (Printed.h says when, and where it goes).
#pragma once

#include "trowel/Value.h"

#include <string>
#include <string_view>

namespace trowel {

namespace detail {

/// What print is given: a text, or a value of the trace. A number of the host is a text.
class PrintArgument {
public:
  PrintArgument(std::string_view text, std::source_location at = std::source_location::current())
      : text(text), at(at) {}
  PrintArgument(const char *text, std::source_location at = std::source_location::current())
      : text(text ? std::string_view(text) : std::string_view()), isNull(!text), at(at) {}
  PrintArgument(const std::string &text, std::source_location at = std::source_location::current())
      : text(text), at(at) {}
  template <AnyOperand X>
  PrintArgument(const X &value, std::source_location at = std::source_location::current())
      : operand(operandOf(value, at)), isText(false), at(at) {
    static_assert(AnyNumber<X>, "a pointer cannot be printed: print the offset that was added to "
                                "it, or what it points to with load");
  }

  std::string_view text;
  Operand operand;
  bool isText = true;
  /// The text is a null pointer, which the trace refuses.
  bool isNull = false;
  std::source_location at;
};

/// `count` arguments; `mask` is null where there is none.
TROWEL_API void print(const PrintArgument *arguments, std::size_t count, const Operand *mask,
                      std::source_location at);
TROWEL_API void check(Operand condition, const PrintArgument *arguments, std::size_t count,
                      std::source_location at);

} // namespace detail

/// Prints texts and values, with spaces between, a line for each element of the values, which
/// broadcast to one shape; scalars are one line. At most 16 values of the device.
///
///   print("a =", a, "b =", b);   // k.cpp:7: kernel 'k' (2, 0, 0) [17]: a = 1.5 b = 2
///   print("row", programId(0));  // k.cpp:8: kernel 'k' (2, 0, 0): row 2
template <class... Rest> void print(detail::PrintArgument first, const Rest &...rest) {
  detail::PrintArgument arguments[] = {first, detail::PrintArgument(rest, first.at)...};
  detail::print(arguments, 1 + sizeof...(rest), nullptr, first.at);
}

/// The same for those elements alone where `mask`, a bool or a tile of bools that broadcasts with
/// the values, is true.
///
///   printWhere(v != v, "not a number:", v);
///   printWhere(programId(0) == 0, "sum =", sum);
template <class M, class... Rest>
  requires(detail::TracedNumber<M>)
void printWhere(const M &mask, detail::PrintArgument first, const Rest &...rest) {
  static_assert(detail::typingOf<M>.type == ElementType::Bool,
                "the mask of printWhere is a bool or a tile of bools: compare first, as in v > 0");
  detail::PrintArgument arguments[] = {first, detail::PrintArgument(rest, first.at)...};
  detail::Operand maskOperand = detail::operandOf(mask, first.at);
  detail::print(arguments, 1 + sizeof...(rest), &maskOperand, first.at);
}

/// Ends the program where `condition`, a bool or a tile of bools, is false for some element: the
/// call that next waits for the kernel throws an Error at this line with the texts and values of
/// the first such element. What the program stored before stands, and all other programs, and
/// launches that are under way, run on as if nothing had happened; device and process stay usable.
///
///   check(column < columns, "the column is inside, not", column);
///   check(rows > 0, "there is a row");
template <class C, class... Rest>
  requires(detail::AnyNumber<C>)
void check(const C &condition, detail::PrintArgument text, const Rest &...rest) {
  static_assert(!detail::AnyHost<C>, "this condition is a value of the host, which is known while "
                                     "tracing: use if and throw");
  if constexpr (!detail::AnyHost<C>) {
    static_assert(detail::typingOf<C>.type == ElementType::Bool,
                  "a condition is a bool or a tile of bools: compare first, as in n > 0");
    detail::PrintArgument arguments[] = {text, detail::PrintArgument(rest, text.at)...};
    detail::check(detail::operandOf(condition, text.at), arguments, 1 + sizeof...(rest), text.at);
  }
}

} // namespace trowel
