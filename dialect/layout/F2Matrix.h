// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrices over GF(2), the field of two elements: addition is xor, multiplication is and.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace trowel::layout {

/// A vector over GF(2): component i is bit i.
using BitVector = std::uint64_t;

/// What elimination learns about a matrix A.
///
/// Columns are visited in a given order, and a column that is no sum of pivots before it becomes a
/// pivot. So the pivots are a basis of the image, chosen to prefer early columns.
struct Echelon {
  /// The pivots of A, as a mask of columns.
  BitVector pivots = 0;
  /// One vector a column that is not a pivot, in the order of the visit; together a basis of { x :
  /// A x = 0 }.
  std::vector<BitVector> kernel;

  int rank() const { return static_cast<int>(rows.size()); }
  /// The one x with A x = y whose bits outside `pivots` are zero; nothing if y is not in the image.
  std::optional<BitVector> solve(BitVector y) const;
  /// What is left of y without vectors of the image: linear in y, and 0 exactly for the image.
  BitVector residue(BitVector y) const;

  /// A vector of the image with its highest bit, and the x that A maps to it.
  struct Row {
    BitVector value, preimage;
    int leadingBit;
  };
  std::vector<Row> rows;
};

/// A matrix of at most 64 × 64 bits, stored by columns.
///
///   F2Matrix swap(2, {0b10, 0b01});
///   swap(0b01);                      // 0b10
class F2Matrix {
public:
  F2Matrix() = default;
  /// A matrix from its columns; bit r of a column is the entry in row r.
  F2Matrix(int rowCount, std::vector<BitVector> columns);
  static F2Matrix identity(int size);
  static F2Matrix zero(int rowCount, int columnCount);

  int rowCount() const { return rows; }
  int columnCount() const { return static_cast<int>(columnVectors.size()); }
  BitVector column(int index) const { return columnVectors[index]; }
  const std::vector<BitVector> &columns() const { return columnVectors; }
  bool at(int row, int column) const { return columnVectors[column] >> row & 1; }

  /// The product with a vector: the xor of the columns that it selects.
  BitVector operator()(BitVector x) const;
  F2Matrix transposed() const;
  /// Visits the columns in `order`, or from 0 upwards without one; an order names every column
  /// once.
  Echelon echelon(std::span<const int> order = {}) const;

  int rank() const { return echelon().rank(); }
  bool isInjective() const { return rank() == columnCount(); }
  bool isSurjective() const { return rank() == rowCount(); }
  /// A basis of { x : A x = 0 }.
  std::vector<BitVector> kernel() const { return echelon().kernel; }
  std::optional<BitVector> solve(BitVector y) const { return echelon().solve(y); }
  /// The inverse of a square matrix of full rank, else nothing.
  std::optional<F2Matrix> inverse() const;
  /// B with A B = 1 for a surjective A, else nothing. Bits outside the pivots of `order` are zero.
  std::optional<F2Matrix> rightInverse(std::span<const int> order = {}) const;
  /// B with B A = 1 for an injective A, else nothing. On vectors outside the image it says nothing.
  std::optional<F2Matrix> leftInverse() const;

  friend F2Matrix operator*(const F2Matrix &a, const F2Matrix &b);
  friend bool operator==(const F2Matrix &, const F2Matrix &) = default;

private:
  int rows = 0;
  std::vector<BitVector> columnVectors;
};

} // namespace trowel::layout
