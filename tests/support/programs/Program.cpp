// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What follows from a program alone: sizes, types of results, the contents of buffers.
//
// The table of promotions stands here a second time, written from the language's rules and not from
// the front end's header, so that a slip in one of the two shows as a difference of results or
// types. Contents of buffers are functions of the seed and the element's number; a fifth are the
// numbers at which arithmetic goes wrong (both zeros, infinities, NaN, subnormals, extremes), most
// of the rest are of moderate size, so that results are not all infinite.
#include "tests/support/programs/Program.h"

#include "tests/support/Comparison.h"
#include "tests/support/RandomData.h"

#include <bit>
#include <cmath>
#include <limits>

namespace trowel::programs {

std::int64_t Program::elementsOf(unsigned axes) const {
  std::int64_t count = 1;
  for (std::size_t axis = 0; axis < extents.size(); ++axis)
    if (axes >> axis & 1)
      count *= extents[axis];
  return count;
}

std::int64_t Program::valueOf(const SizeSymbol &symbol) const {
  auto power = [](std::int64_t value) {
    return static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(value)));
  };
  std::int64_t value = 0;
  switch (symbol.of) {
  case SizeSymbol::Of::Extents:
    value = elementsOf(symbol.axes);
    break;
  case SizeSymbol::Of::Power:
    value = static_cast<std::int64_t>(
        std::bit_ceil(static_cast<std::uint64_t>(elementsOf(symbol.axes))));
    break;
  case SizeSymbol::Of::Slice:
    value = slice();
    break;
  case SizeSymbol::Of::AllSlices:
    value = slice() * gridSize();
    break;
  case SizeSymbol::Of::PowerBelowSlice:
    value = power(slice());
    break;
  case SizeSymbol::Of::PowerBelowAll:
    value = power(slice() * gridSize());
    break;
  }
  return symbol.scale * value + symbol.extra;
}

TileShape effective(const Program &program, TileShape shape) {
  for (std::size_t axis = 0; axis < program.extents.size(); ++axis)
    if (program.extents[axis] == 1)
      shape.axes &= ~(1u << axis);
  return shape;
}

TileShape unionOf(TileShape a, TileShape b) {
  return {a.rank > b.rank ? a.rank : b.rank, a.axes | b.axes};
}

static ElementType strongerType(ElementType a, ElementType b) {
  if (a == b)
    return a;
  if (isFloating(a) && isFloating(b)) {
    if (byteSize(a) == byteSize(b))
      return ElementType::Float32; // f16 with bf16
    return byteSize(a) > byteSize(b) ? a : b;
  }
  if (isFloating(a) || isFloating(b))
    return isFloating(a) ? a : b;
  if (a == ElementType::Bool || b == ElementType::Bool)
    return a == ElementType::Bool ? b : a;
  if (byteSize(a) != byteSize(b))
    return byteSize(a) > byteSize(b) ? a : b;
  return isUnsigned(a) ? a : b;
}

ElementType commonType(const Expr &a, const Expr &b) {
  if (!a.isHost() && !b.isHost())
    return strongerType(a.type, b.type);
  const Expr &host = a.isHost() ? a : b, &traced = a.isHost() ? b : a;
  if (traced.isHost())
    return host.number.kind == HostNumber::Kind::Fraction ||
                   traced.number.kind == HostNumber::Kind::Fraction
               ? ElementType::Float32
               : ElementType::Int32;
  if (host.op == Op::Number && host.number.kind == HostNumber::Kind::Fraction)
    return isFloating(traced.type) ? traced.type : ElementType::Float32;
  bool isInteger = host.op == Op::Size || host.number.kind == HostNumber::Kind::Integer;
  return isInteger && traced.type == ElementType::Bool ? ElementType::Int32 : traced.type;
}

ElementType arithmeticType(const Expr &a, const Expr &b) {
  ElementType type = commonType(a, b);
  return type == ElementType::Bool ? ElementType::Int32 : type;
}

bool isComparison(Op op) { return op >= Op::Equal && op <= Op::GreaterEqual; }

bool isApproximate(const Expr &expr) {
  return expr.op == Op::Exp || expr.op == Op::Tanh ||
         (expr.op == Op::Divide && isFloating(expr.type) && expr.type != ElementType::Float64);
}

int statementCount(const std::vector<Statement> &statements) {
  int count = 0;
  for (const Statement &statement : statements)
    count += 1 + statementCount(statement.body) + statementCount(statement.otherwise);
  return count;
}

static Bits floatBits(ElementType type, double value) {
  switch (type) {
  case ElementType::Float16:
    return support::roundToF16(value).bits;
  case ElementType::BFloat16:
    return support::roundToBf16(value).bits;
  case ElementType::Float32:
    return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  default:
    return std::bit_cast<std::uint64_t>(value);
  }
}

std::vector<Bits> initialContents(const Program &program, int buffer) {
  ElementType type = program.buffers[buffer].type;
  const int width = 8 * byteSize(type);
  const Bits mask = width == 64 ? ~Bits(0) : (Bits(1) << width) - 1;
  const std::uint64_t seed = program.seed * 64 + static_cast<std::uint64_t>(buffer) + 1;
  std::vector<Bits> contents(static_cast<std::size_t>(program.bufferElements()));
  static const double specials[] = {
      0.0,          -0.0,   INFINITY, -INFINITY, NAN,    1.0,     -1.0,   1e-40,   -1e-41,
      1.4e-45,      6e-8,   65504,    -65504,    3.4e38, -3.4e38, 5e-324, 1.7e308, 2147483648.0,
      4294967296.0, 9.3e18, -9.3e18,  1.8e19,    255.5,  -128.5,  0.5,    1.5};
  for (std::size_t i = 0; i < contents.size(); ++i) {
    std::uint64_t bits = support::randomBits(seed, 2 * i),
                  dice = support::randomBits(seed, 2 * i + 1);
    auto choice = static_cast<int>(dice % 100);
    std::uint64_t pick = dice >> 32;
    Bits value = bits & mask;
    if (type == ElementType::Bool) {
      value = bits & 1;
    } else if (isFloating(type)) {
      if (choice < 20)
        value = floatBits(type, specials[pick % std::size(specials)]);
      else if (choice < 45)
        value = floatBits(type, static_cast<double>(static_cast<std::int64_t>(bits % 33) - 16));
      else if (choice < 90)
        value = floatBits(
            type, std::ldexp(support::randomUnit(bits, 0) - 0.5, static_cast<int>(pick % 12) - 4));
    } else {
      const Bits extremes[] = {0, 1, mask, mask >> 1, (mask >> 1) + 1, mask - 1, (mask >> 1) + 2,
                               2};
      if (choice < 20)
        value = extremes[pick % std::size(extremes)];
      else if (choice < 60)
        value = (bits % 41 - 20) & mask;
      else
        value >>= pick % static_cast<std::uint64_t>(width);
    }
    contents[i] = value;
  }
  return contents;
}

} // namespace trowel::programs
