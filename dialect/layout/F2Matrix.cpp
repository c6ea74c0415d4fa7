// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elimination over GF(2), one column at a time.
//
// Every question that a layout asks of its matrix (which inputs are redundant, who holds element y,
// does the layout cover its tile) is answered by one walk over the columns. The walk keeps a set of
// vectors of the image with distinct leading bits, each with a preimage. A new column is reduced by
// them: what is left is either a vector with a new leading bit, and the column is a pivot, or zero,
// and the sum that made it zero is a vector of the kernel.
//
//   A = | 1 1 0 |   column 0 -> pivot          rows   {01 <- e0}
//       | 0 0 1 |   column 1 -> 01 + 01 = 0    kernel {e0 + e1}
//                   column 2 -> pivot          rows   {10 <- e2}
//
// Preimages are sums of pivots only: a row is made of its own column and of earlier rows. Hence
// `solve` never sets a bit outside the pivots, which is what makes its answer canonical.
//
// A word holds a column, so sums are single instructions. Layouts have at most some thirty bits on
// either side; a general bit matrix would only cost clarity.
#include "dialect/layout/F2Matrix.h"

#include <bit>
#include <cassert>

namespace trowel::layout {

static BitVector unit(int index) { return BitVector(1) << index; }

F2Matrix::F2Matrix(int rowCount, std::vector<BitVector> columns)
    : rows(rowCount), columnVectors(std::move(columns)) {
  assert(rowCount >= 0 && rowCount <= 64 && columnVectors.size() <= 64 && "at most 64 x 64 bits");
  for ([[maybe_unused]] BitVector vector : columnVectors)
    assert((rowCount == 64 || vector >> rowCount == 0) && "a column has a bit below the last row");
}

F2Matrix F2Matrix::identity(int size) {
  F2Matrix result = zero(size, size);
  for (int i = 0; i < size; ++i)
    result.columnVectors[i] = unit(i);
  return result;
}

F2Matrix F2Matrix::zero(int rowCount, int columnCount) {
  return F2Matrix(rowCount, std::vector<BitVector>(columnCount, 0));
}

BitVector F2Matrix::operator()(BitVector x) const {
  assert((columnCount() == 64 || x >> columnCount() == 0) && "the vector is longer than a row");
  BitVector sum = 0;
  for (; x; x &= x - 1)
    sum ^= columnVectors[std::countr_zero(x)];
  return sum;
}

F2Matrix F2Matrix::transposed() const {
  F2Matrix result = zero(columnCount(), rows);
  for (int column = 0; column < columnCount(); ++column)
    for (int row = 0; row < rows; ++row)
      if (at(row, column))
        result.columnVectors[row] |= unit(column);
  return result;
}

/// Subtracts rows from `value` while its leading bits allow, and the same sums from `preimage`.
static void reduce(const std::vector<Echelon::Row> &rows, BitVector &value, BitVector &preimage) {
  // Rows come in order of discovery, not of leading bits: a subtraction may set a lower bit that an
  // earlier row leads, so the search starts over.
  for (bool changed = true; changed && value;) {
    changed = false;
    for (const Echelon::Row &row : rows)
      if (value >> row.leadingBit & 1) {
        value ^= row.value;
        preimage ^= row.preimage;
        changed = true;
      }
  }
}

Echelon F2Matrix::echelon(std::span<const int> order) const {
  assert((order.empty() || static_cast<int>(order.size()) == columnCount()) && "name every column");
  Echelon result;
  for (int step = 0; step < columnCount(); ++step) {
    int index = order.empty() ? step : order[step];
    BitVector value = columnVectors[index], preimage = unit(index);
    reduce(result.rows, value, preimage);
    if (!value) {
      result.kernel.push_back(preimage);
      continue;
    }
    result.pivots |= unit(index);
    result.rows.push_back({value, preimage, 63 - std::countl_zero(value)});
  }
  return result;
}

std::optional<BitVector> Echelon::solve(BitVector y) const {
  BitVector x = 0;
  reduce(rows, y, x);
  if (y)
    return std::nullopt;
  return x;
}

BitVector Echelon::residue(BitVector y) const {
  BitVector unused = 0;
  reduce(rows, y, unused);
  return y;
}

std::optional<F2Matrix> F2Matrix::rightInverse(std::span<const int> order) const {
  Echelon reduced = echelon(order);
  if (reduced.rank() != rows)
    return std::nullopt;
  std::vector<BitVector> preimages;
  for (int row = 0; row < rows; ++row)
    preimages.push_back(*reduced.solve(unit(row)));
  return F2Matrix(columnCount(), std::move(preimages));
}

std::optional<F2Matrix> F2Matrix::leftInverse() const {
  // B A = 1 is transpose(A) transpose(B) = 1.
  if (std::optional<F2Matrix> right = transposed().rightInverse())
    return right->transposed();
  return std::nullopt;
}

std::optional<F2Matrix> F2Matrix::inverse() const {
  if (rows != columnCount())
    return std::nullopt;
  return rightInverse();
}

F2Matrix operator*(const F2Matrix &a, const F2Matrix &b) {
  assert(a.columnCount() == b.rowCount() && "inner sizes differ");
  F2Matrix result = F2Matrix::zero(a.rowCount(), b.columnCount());
  for (int column = 0; column < b.columnCount(); ++column)
    result.columnVectors[column] = a(b.column(column));
  return result;
}

} // namespace trowel::layout
