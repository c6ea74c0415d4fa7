// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spans, and what two of them share.
//
// The span is kept twice. `vectors` are those that were added, since callers give them meaning: a
// register, a lane. `rows` span the same with distinct leading bits in falling order; then one walk
// reduces a vector, as x and x ^ row differ in the row's leading bit first and the smaller one
// lacks it.
//
// A vector of both a and b is a sum of a's basis that equals a sum of b's: an element of the kernel
// of the matrix whose columns are both bases. Bases are independent, so the parts in a of a basis
// of the kernel are independent too.
#include "dialect/layout/Subspace.h"

#include <algorithm>

namespace trowel::layout {

BitVector Subspace::residue(BitVector vector) const {
  for (BitVector row : rows)
    vector = std::min(vector, vector ^ row);
  return vector;
}

bool Subspace::add(BitVector vector) {
  BitVector rest = residue(vector);
  if (rest == 0)
    return false;
  vectors.push_back(vector);
  rows.insert(std::upper_bound(rows.begin(), rows.end(), rest, std::greater<>()), rest);
  return true;
}

void Subspace::addAll(std::span<const BitVector> added) {
  for (BitVector vector : added)
    add(vector);
}

std::vector<BitVector> Subspace::extend(std::span<const BitVector> candidates, int wanted) {
  std::vector<BitVector> added;
  for (BitVector vector : candidates)
    if (dimension() < wanted && add(vector))
      added.push_back(vector);
  return added;
}

Subspace intersection(const Subspace &a, const Subspace &b) {
  std::vector<BitVector> columns = a.basis();
  columns.insert(columns.end(), b.basis().begin(), b.basis().end());
  F2Matrix ofA(64, a.basis());
  BitVector inA = (BitVector(1) << a.dimension()) - 1;
  Subspace result;
  for (BitVector relation : F2Matrix(64, std::move(columns)).kernel())
    result.add(ofA(relation & inA));
  return result;
}

Subspace sum(const Subspace &a, const Subspace &b) {
  Subspace result = a;
  result.addAll(b.basis());
  return result;
}

} // namespace trowel::layout
