// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PTX for one element, where the language has no word for an instruction.
//
//   Tile<int32> high = inlinePtx<int32>({"mul.hi.s32 $0, $1, $2;", Purity::Pure}, a, b);
#pragma once

#include "trowel/Value.h"

namespace trowel {

/// Whether a text does anything besides computing its result. What is pure may be computed once for
/// several uses, several times, or not at all.
enum class Purity : std::uint8_t { MayHaveEffects, Pure };

/// PTX and where it stands in the source.
///
///   Ptx lookup = {"prmt.b32 $0, $1, $2, 0x5410;", Purity::Pure};
///   Tile<uint32> pairs = inlinePtx<uint32>(lookup, low, high);
struct Ptx {
  Ptx(const char *text, Purity purity = Purity::MayHaveEffects,
      std::source_location at = std::source_location::current())
      : text(text), purity(purity), at(at) {}

  const char *text;
  Purity purity;
  std::source_location at;
};

namespace detail {
TROWEL_API Value inlinePtx(const Ptx &ptx, ElementType result, const Operand *operands,
                           std::size_t count);

template <class... X> constexpr Form formOfAll() {
  Form form = Form::Scalar;
  ((form = largerForm(form, typingOf<X>.form == Form::Tile ? Form::Tile : Form::Scalar)), ...);
  return form;
}
} // namespace detail

/// Executes PTX for each element of the operands, which broadcast as those of operators do. `$0` is
/// the result of type R, `$1`, `$2` … are the operands, all of which must occur. The registers have
/// the types of the elements: .pred for bool, .b16 to .b64 for integers, .b16 for f16 and bf16,
/// .f32 and .f64; int8 and uint8 are extended to 16 bits, and of a result of these the low bits
/// count. Without a tile among the operands, the result is a scalar.
///
/// The text may declare registers (`.reg .b32 t;`) and have labels and braces. Refused at this line
/// is what reaches beyond the element: registers of the kernel, addresses and memory, instructions
/// that end a thread or meet other threads. The assembler's complaints come when the kernel is
/// loaded. Unless it is pure, the text stays where it stands and is executed for each element that
/// a thread holds; several threads may hold one.
///
///   Tile<int32> high = inlinePtx<int32>({"mul.hi.s32 $0, $1, $2;", Purity::Pure}, a, b);
///   Tile<float> root = inlinePtx<float>({"sqrt.approx.f32 $0, $1;", Purity::Pure}, v);
template <class R, class... X>
  requires((detail::AnyNumber<X> && ...))
auto inlinePtx(const Ptx &ptx, const X &...operands) {
  static_assert(
      detail::ElementOf<R>::known && !std::is_const_v<R>,
      "inlinePtx<R>(…): R must be bool, an integer (int8 to int64, uint8 to uint64), f16, "
      "bf16, float or double");
  static_assert(!(detail::AnyHost<X> || ...),
                "an operand of inlinePtx is a number of the host, which has no width: write it in "
                "the text, or hand over a Scalar<T>");
  // One more than there are, since an array has at least one element.
  const detail::Operand all[] = {detail::operandOf(operands, ptx.at)..., detail::Operand()};
  return typename detail::Shell<detail::formOfAll<X...>(), elementType<R>>::Result(
      detail::inlinePtx(ptx, elementType<R>, all, sizeof...(X)));
}

} // namespace trowel
