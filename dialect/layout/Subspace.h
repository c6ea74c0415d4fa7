// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Subspaces over GF(2): what a set of lanes or registers spans.
#pragma once

#include "dialect/layout/F2Matrix.h"

#include <span>
#include <vector>

namespace trowel::layout {

/// The sums of some vectors, grown one vector at a time.
///
///   Subspace plane(std::vector<BitVector>{0b001, 0b010});
///   plane.contains(0b011);   // true
///   plane.add(0b011);        // false: it is there already
class Subspace {
public:
  Subspace() = default;
  explicit Subspace(std::span<const BitVector> vectors) { addAll(vectors); }

  /// Adds a vector that is no sum of those before it; says whether it did.
  bool add(BitVector vector);
  void addAll(std::span<const BitVector> vectors);
  /// Adds those of `vectors` that are no sums of others, until `dimension` is reached or they end;
  /// returns what it added.
  std::vector<BitVector> extend(std::span<const BitVector> vectors, int dimension = 64);
  bool contains(BitVector vector) const { return residue(vector) == 0; }
  int dimension() const { return static_cast<int>(vectors.size()); }
  /// The vectors that were added, as they were.
  const std::vector<BitVector> &basis() const { return vectors; }

private:
  BitVector residue(BitVector vector) const;

  std::vector<BitVector> vectors;
  /// The same span with distinct leading bits, the highest first.
  std::vector<BitVector> rows;
};

/// The vectors in both.
Subspace intersection(const Subspace &a, const Subspace &b);
/// The sums of a vector of each.
Subspace sum(const Subspace &a, const Subspace &b);

} // namespace trowel::layout
