// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel as data: statements and expressions of the language, with what it is launched on.
//
//   Program program = generate(seed);          // Generate.cpp
//   std::puts(sourceOf(program).c_str());      // Print.cpp: the C++ that a user would have written
//   Outcome outcome = run(program, device);    // Run.cpp: on a device, against evaluate(program)
//   Program least = shrink(program, fails);    // Shrink.cpp
//
// All tiles of a program have their extents from one list, so that any two of them broadcast: axes
// are counted from the last, and along each a tile has either the program's extent or 1. Numbers
// that follow from the extents (strides, the size of a slice) are symbols in the tree, so that a
// program stays in bounds when its extents shrink.
#pragma once

#include "trowel/Types.h"

#include <cstdint>
#include <string>
#include <vector>

namespace trowel::programs {

/// An element's bits in the low bytes, the rest 0.
using Bits = std::uint64_t;

/// How many axes a tile has; bit k of `axes` says that axis k, from the last, has its full extent.
struct TileShape {
  int rank = 0;
  unsigned axes = 0;
  bool operator==(const TileShape &) const = default;
};

enum class Op : std::uint8_t {
  // Leaves.
  Number,    // of the host; takes the type of what it meets
  Size,      // a number of the host that follows from the extents
  Argument,  // a Scalar<T> or Index parameter
  ProgramId, // `which` is the axis of the grid
  ProgramCount,
  Coordinate, // iota along axis `which`
  Variable,
  // From other values.
  Scalar, // Scalar<T>(number)
  Full,
  Expand, // by a leading axis of extent 1
  Load,
  Cast,
  Bitcast,
  // One operand.
  Negate,
  Complement,
  Not,
  Abs,
  Sqrt,
  Exp,
  Tanh,
  // Two.
  Add,
  Subtract,
  Multiply,
  Divide,
  Remainder,
  CeilDivide,
  And,
  Or,
  Xor,
  ShiftLeft,
  ShiftRight,
  Minimum,
  Maximum,
  MinimumNumber,
  MaximumNumber,
  Equal,
  NotEqual,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  // Three.
  Fma,
  Where
};

/// A number of the host.
struct HostNumber {
  enum class Kind : std::uint8_t { Bool, Integer, Fraction };
  Kind kind = Kind::Integer;
  std::int64_t integer = 0;
  double fraction = 0;
};

/// scale · (product of the extents of `axes`, of all for ~0) + extra, after one of these steps.
struct SizeSymbol {
  enum class Of : std::uint8_t { Extents, Slice, AllSlices, PowerBelowSlice, PowerBelowAll, Power };
  Of of = Of::Extents;
  unsigned axes = 0;
  std::int64_t scale = 1;
  std::int64_t extra = 0;
};

struct Expr {
  Op op = Op::Number;
  ElementType type = ElementType::Int32;
  TileShape shape;
  HostNumber number;
  SizeSymbol size;
  /// The variable, argument, axis or buffer.
  int which = 0;
  /// Of a load: the first operands are added to the buffer's pointer, then come mask and fill.
  int offsets = 0;
  bool hasMask = false, hasFill = false;
  std::vector<Expr> operands;

  bool isHost() const { return op == Op::Number || op == Op::Size; }
};

struct Statement {
  enum class Kind : std::uint8_t { Let, Assign, Store, For, If, While, ReturnIf };
  Kind kind = Kind::Let;
  /// Let, Assign: what gets the value; For: the loop's variable.
  int variable = 0;
  /// Let, Assign: the value; For: begin, end, step; If, While, ReturnIf: the condition; Store: as
  /// of a load, with the value in the fill's place, which is the last.
  std::vector<Expr> operands;
  int buffer = 0, offsets = 0;
  bool hasMask = false;
  std::vector<Statement> body, otherwise;
};

struct BufferInfo {
  ElementType type;
  /// A Ptr<const T>, which all programs of the grid load from. A program owns one slice of others.
  bool readOnly;
  /// Stored only, and compared within bounds: what functions that are not exact give.
  bool approximate;
  /// Elements by which the pointer lies behind an aligned address.
  int misalignment;
};

struct ArgumentInfo {
  ElementType type;
  bool isIndex;
  Bits value;
};

struct Program {
  std::uint64_t seed = 0;
  /// From the last axis.
  std::vector<std::int64_t> extents;
  std::int64_t grid[3] = {1, 1, 1};
  int warps = 0, elementsPerThread = 0;
  std::int64_t sliceScale = 2, sliceExtra = 128;
  std::vector<BufferInfo> buffers;
  std::vector<ArgumentInfo> arguments;
  int variables = 0;
  std::vector<Statement> statements;

  std::int64_t elementsOf(unsigned axes) const;
  std::int64_t gridSize() const { return grid[0] * grid[1] * grid[2]; }
  /// Elements of a buffer that a program of the grid owns.
  std::int64_t slice() const { return sliceScale * elementsOf(~0u) + sliceExtra; }
  /// Elements of each buffer; the last ones are nobody's.
  std::int64_t bufferElements() const { return slice() * gridSize() + guardElements; }
  static constexpr std::int64_t guardElements = 64;
  std::int64_t valueOf(const SizeSymbol &symbol) const;
};

/// A shape without the axes whose extent is 1 anyway.
TileShape effective(const Program &program, TileShape shape);
TileShape unionOf(TileShape a, TileShape b);

/// The type in which two operands meet, by the language's table of promotions; Weak operands are
/// numbers of the host.
ElementType commonType(const Expr &a, const Expr &b);
/// The type of `+ - * / %` and, for two operands, of the rest.
ElementType arithmeticType(const Expr &a, const Expr &b);

bool isComparison(Op op);
bool isApproximate(const Expr &expr);
int statementCount(const std::vector<Statement> &statements);

/// What a buffer holds before the launch: numbers of all kinds, special ones among them.
std::vector<Bits> initialContents(const Program &program, int buffer);

Program generate(std::uint64_t seed);
std::string sourceOf(const Program &program);

} // namespace trowel::programs
