// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The laws of bit matrices, on every matrix of up to 3 × 3 bits and on a thousand larger ones from
// a fixed seed. Small matrices are enumerated, so solutions and kernels are compared with a search
// of all vectors.
#include "dialect/layout/F2Matrix.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <random>
#include <set>

namespace trowel::layout {
namespace {

const std::vector<F2Matrix> &matrices() {
  static const std::vector<F2Matrix> all = [] {
    std::vector<F2Matrix> result;
    for (int rows = 0; rows <= 3; ++rows)
      for (int columns = 0; columns <= 3; ++columns)
        for (BitVector entries = 0; entries < BitVector(1) << rows * columns; ++entries) {
          std::vector<BitVector> vectors;
          for (int column = 0; column < columns; ++column)
            vectors.push_back(entries >> column * rows & ((1u << rows) - 1));
          result.emplace_back(rows, vectors);
        }
    std::mt19937 random(1);
    for (int i = 0; i < 1000; ++i) {
      int rows = 1 + static_cast<int>(random() % 8), columns = 1 + static_cast<int>(random() % 8);
      std::vector<BitVector> vectors(columns);
      for (BitVector &vector : vectors)
        vector = random() % (1u << rows);
      // Sums of earlier columns, so that low ranks occur.
      for (int column = 2; column < columns; ++column)
        if (random() % 3 == 0)
          vectors[column] = vectors[column - 1] ^ vectors[column - 2];
      result.emplace_back(rows, vectors);
    }
    return result;
  }();
  return all;
}

BitVector vectorCount(int bits) { return BitVector(1) << bits; }

TEST(F2Matrix, ApplyIsLinear) {
  for (const F2Matrix &a : matrices())
    for (BitVector x = 0; x < vectorCount(a.columnCount()); ++x) {
      BitVector y = x * 0x9e3779b9u % vectorCount(a.columnCount());
      ASSERT_EQ(a(x ^ y), a(x) ^ a(y));
    }
}

TEST(F2Matrix, ProductAppliesOneAfterTheOther) {
  const std::vector<F2Matrix> &all = matrices();
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = i % 13; j < all.size(); j += 13)
      if (all[i].columnCount() == all[j].rowCount()) {
        F2Matrix product = all[i] * all[j];
        for (BitVector x = 0; x < vectorCount(product.columnCount()); ++x)
          ASSERT_EQ(product(x), all[i](all[j](x)));
      }
}

TEST(F2Matrix, TransposeExchangesRowsAndColumns) {
  for (const F2Matrix &a : matrices()) {
    F2Matrix transposed = a.transposed();
    ASSERT_EQ(transposed.rowCount(), a.columnCount());
    ASSERT_EQ(transposed.transposed(), a);
    ASSERT_EQ(transposed.rank(), a.rank());
    for (int row = 0; row < a.rowCount(); ++row)
      for (int column = 0; column < a.columnCount(); ++column)
        ASSERT_EQ(transposed.at(column, row), a.at(row, column));
  }
}

TEST(F2Matrix, RankCountsTheImage) {
  for (const F2Matrix &a : matrices()) {
    std::set<BitVector> image;
    for (BitVector x = 0; x < vectorCount(a.columnCount()); ++x)
      image.insert(a(x));
    ASSERT_EQ(image.size(), vectorCount(a.rank()));
  }
}

TEST(F2Matrix, KernelSpansWhatMapsToZero) {
  for (const F2Matrix &a : matrices()) {
    std::vector<BitVector> kernel = a.kernel();
    ASSERT_EQ(static_cast<int>(kernel.size()) + a.rank(), a.columnCount());
    ASSERT_EQ(F2Matrix(a.columnCount(), kernel).rank(), static_cast<int>(kernel.size()));
    for (BitVector vector : kernel)
      ASSERT_EQ(a(vector), 0u);
  }
}

TEST(F2Matrix, SolveFindsTheOneSolutionWithinThePivots) {
  for (const F2Matrix &a : matrices()) {
    Echelon echelon = a.echelon();
    ASSERT_EQ(std::popcount(echelon.pivots), a.rank());
    for (BitVector y = 0; y < vectorCount(a.rowCount()); ++y) {
      std::vector<BitVector> solutions;
      for (BitVector x = 0; x < vectorCount(a.columnCount()); ++x)
        if (a(x) == y && (x & ~echelon.pivots) == 0)
          solutions.push_back(x);
      std::optional<BitVector> solution = echelon.solve(y);
      ASSERT_EQ(solution.has_value() ? 1u : 0u, solutions.size());
      if (solution) {
        ASSERT_EQ(*solution, solutions[0]);
      }
    }
  }
}

TEST(F2Matrix, PivotsPreferColumnsThatComeEarlierInTheOrder) {
  for (const F2Matrix &a : matrices()) {
    std::vector<int> order(a.columnCount());
    for (int i = 0; i < a.columnCount(); ++i)
      order[i] = a.columnCount() - 1 - i;
    // A column is a pivot just if it raises the rank of the columns visited before it.
    BitVector expected = 0;
    std::vector<BitVector> visited;
    for (int column : order) {
      int before = F2Matrix(a.rowCount(), visited).rank();
      visited.push_back(a.column(column));
      if (F2Matrix(a.rowCount(), visited).rank() > before)
        expected |= BitVector(1) << column;
    }
    ASSERT_EQ(a.echelon(order).pivots, expected);
  }
}

TEST(F2Matrix, InverseExistsForFullRankAndUndoesBothWays) {
  for (const F2Matrix &a : matrices()) {
    std::optional<F2Matrix> inverse = a.inverse();
    ASSERT_EQ(inverse.has_value(), a.isInjective() && a.isSurjective());
    if (inverse) {
      ASSERT_EQ(*inverse * a, F2Matrix::identity(a.columnCount()));
      ASSERT_EQ(a * *inverse, F2Matrix::identity(a.rowCount()));
    }
  }
}

TEST(F2Matrix, RightInverseExistsForSurjectiveMatrices) {
  for (const F2Matrix &a : matrices()) {
    std::optional<F2Matrix> right = a.rightInverse();
    ASSERT_EQ(right.has_value(), a.isSurjective());
    if (right) {
      ASSERT_EQ(a * *right, F2Matrix::identity(a.rowCount()));
    }
  }
}

TEST(F2Matrix, HoldsSixtyFourBitsEitherWay) {
  F2Matrix wide = F2Matrix::identity(64);
  EXPECT_EQ(wide(~BitVector(0)), ~BitVector(0));
  EXPECT_EQ(wide.rank(), 64);
  EXPECT_EQ(*wide.inverse(), wide);
}

TEST(F2Matrix, LeftInverseUndoesAnInjectiveMatrix) {
  for (const F2Matrix &a : matrices()) {
    std::optional<F2Matrix> left = a.leftInverse();
    ASSERT_EQ(left.has_value(), a.isInjective());
    if (left) {
      ASSERT_EQ(*left * a, F2Matrix::identity(a.columnCount()));
    }
  }
}

TEST(F2Matrix, ResidueIsLinearAndZeroExactlyInTheImage) {
  for (const F2Matrix &a : matrices()) {
    Echelon echelon = a.echelon();
    for (BitVector y = 0; y < vectorCount(a.rowCount()); ++y) {
      BitVector z = y * 0x9e3779b9u % vectorCount(a.rowCount());
      ASSERT_EQ(echelon.residue(y) == 0, a.solve(y).has_value());
      ASSERT_EQ(echelon.residue(y ^ z), echelon.residue(y) ^ echelon.residue(z));
      ASSERT_FALSE(y != 0 && !a.solve(y ^ echelon.residue(y)));
    }
  }
}

} // namespace
} // namespace trowel::layout
