// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Draws one program; what the parts of Generate.cpp share.
#pragma once

#include "tests/support/programs/Trees.h"

#include "tests/support/RandomData.h"

#include <initializer_list>

namespace trowel::programs {

class Dice {
public:
  explicit Dice(std::uint64_t seed) : seed(seed) {}
  /// 0 … count − 1.
  int below(int count) { return static_cast<int>(bits() % static_cast<std::uint64_t>(count)); }
  std::int64_t between(std::int64_t lowest, std::int64_t highest) {
    return lowest + below(static_cast<int>(highest - lowest + 1));
  }
  bool chance(int percent) { return below(100) < percent; }
  template <class T> const T &of(const std::vector<T> &values) {
    return values[below(static_cast<int>(values.size()))];
  }
  template <class T> T of(std::initializer_list<T> values) {
    return values.begin()[below(static_cast<int>(values.size()))];
  }
  std::uint64_t bits() { return support::randomBits(seed, index++); }

private:
  std::uint64_t seed, index = 0;
};

class Generator {
public:
  explicit Generator(std::uint64_t seed, int attempt)
      : dice(support::randomBits(seed, static_cast<std::uint64_t>(attempt) + 1000)) {
    program.seed = seed;
  }

  Program draw();

private:
  /// What a program is made of before its first statement.
  void drawFrame();
  static std::int64_t ceilPower(std::int64_t extent);

  int addBuffer(ElementType type, bool readOnly, bool approximate);

  void drawArgument();

  TileShape allAxes() const;
  /// Mostly all axes of the shape.
  TileShape someAxes(TileShape most);

  // Leaves.

  Expr typedNumber(ElementType type);
  /// A number of the host that the type holds.
  Expr hostNumber(ElementType type);

  /// An expression without operations, of the type and at most the shape.
  Expr leaf(ElementType type, TileShape most);
  /// Something of another type, converted; a truth is a comparison.
  Expr other(ElementType type, TileShape most);
  static bool fits(TileShape shape, TileShape most);
  Expr coordinate(TileShape most);
  static Expr coordinateOf(int axis);
  /// A buffer of the type that may be loaded from, or −1.
  int bufferOf(ElementType type);

  // Expressions.

  ElementType anyType();
  ElementType integerType();

  Expr draw(ElementType type, TileShape most, int depth);

  /// Two operands that meet in the type. One may be a number of the host.
  std::pair<Expr, Expr> operands(ElementType type, TileShape most, int depth);
  std::pair<Expr, Expr> order(Expr a, Expr b);

  Expr operation(ElementType type, TileShape most, int depth);

  Expr where(ElementType type, TileShape most, int depth);

  /// The bits of a NaN are nobody's business.
  Expr bitcast(ElementType type, TileShape most, int depth);

  Expr truth(TileShape most, int depth);

  /// position + lane < bound, as masks of tails are written; also near the ends of 32 bits.
  Expr bounded(TileShape most);
  /// A scalar of 64 bits that positions are made of.
  Expr index();
  std::int64_t bigNumber();

  Expr integer(ElementType type, TileShape most, int depth);

  Expr floating(ElementType type, TileShape most, int depth);

  // Accesses.

  /// Where this program's slice begins.
  Expr sliceStart();
  Expr start();

  /// A place of the slice for each element of a shape, all different.
  Expr ownPlaces(TileShape shape);
  /// A scalar of 0 … mask.
  Expr smallScalar(ElementType type, int mask);

  /// Any integers, brought into 0 … below the size of a slice or of all slices. May ask for a mask.
  Expr anyPlaces(TileShape shape, bool slice, int depth, Expr &mask);

  /// A mask for pointers of a shape: any bools, or bounds on coordinates, which cut what moves
  /// together at few places.
  Expr drawMask(TileShape shape, int depth);
  /// Adds what leads to the places, and the slice's start where there is one, as offsets.
  void addOffsets(std::vector<Expr> &operands, int &offsets, Expr places, bool inSlice);

  Expr load(int buffer, TileShape shape, int depth);

  Statement storeTo(int buffer, TileShape shape, Expr value, bool mayRepeat);

  // Statements.

  /// Float products in variables are left to sharedProduct().
  Expr withoutProduct(Expr expr);

  /// A variable that is set here, and read by what comes.
  Expr let(Expr value);
  Expr plainLet(Expr value);

  void statement();

  void assignment();

  int writableBuffer(ElementType type);

  void store();

  /// A product with one use, or with two.
  void sharedProduct();

  void approximation();

  /// Draws a block of statements, whose variables end with it.
  std::vector<Statement> inner(int most, int fixedVariable = -1);

  Expr clamped(std::int64_t least, std::int64_t most);

  void loop();

  void branch();

  void whileLoop();

  void earlyReturn();

  /// Stores what the variables hold in the end.
  void showVariables();

  Dice dice;
  Program program;
  std::vector<ElementType> types;
  std::vector<Statement> *block = nullptr;
  /// The variables that can be read here, and those that may not be assigned.
  std::vector<Expr> scope;
  std::vector<int> fixed;
  /// A variable with the beginning of the slice; a number where there is none.
  Expr knownStart;
  int depth = 0;
};

} // namespace trowel::programs
