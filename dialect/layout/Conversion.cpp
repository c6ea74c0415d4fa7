// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds, for each place of one layout, the nearest place of another that holds the same element.
//
// With F the old layout and T the new one, a place p of the new one may read any x with F x = T p.
// Where F holds elements more than once there is a choice, and a conversion that stays within a
// thread, or a warp, is cheaper by far than one through shared memory. Staying within a distance
// means that x agrees with p in the dims beyond it:
//
//   distance   x agrees with p in             free in x
//   None       register, lane, warp, block    -
//   Register   lane, warp, block              register
//   Lane       warp, block                    register, lane
//   Warp       block                          register, lane, warp
//   Block      -                              all
//
// For one distance let K be the bits that x keeps of p, and G the columns of F that are free. Then
// p can stay within it if T p + F K p lies in the image of G: a linear condition, so such places
// form a subspace, and the subspaces of growing distances are nested. A basis of the places that
// begins within the nearest subspace and grows outwards therefore serves all of them at once: each
// basis vector takes its own nearest source, and a sum of near ones is near. Written in that basis
// the sources are columns S, the basis is a matrix P, and the conversion is S P⁻¹.
//
// Held: F (source p) = T p for every p; and no place reads from farther than it must, which the
// tests compare with a search of all holders.
//
// Rejected: one choice for all, the owners. It sends elements through lane 0 that lie in the
// thread's own registers.
#include "dialect/layout/Conversion.h"

#include <cassert>

namespace trowel::layout {

namespace {

/// Dims are free from the register up to, and without, the dim that the distance ends at.
bool isFree(InputDim dim, Distance distance) {
  return static_cast<int>(dim) < static_cast<int>(distance);
}

Distance next(Distance distance) { return static_cast<Distance>(static_cast<int>(distance) + 1); }

/// The places of two layouts can be compared in the kept dims only if these have equal sizes.
bool isComparable(const LinearLayout &from, const LinearLayout &to, Distance distance) {
  for (InputDim dim : allInputDims)
    if (!isFree(dim, distance) && from.bitCount(dim) != to.bitCount(dim))
      return false;
  return true;
}

/// For each bit of a place of `to`, the same bit of a place of `from` if its dim is kept, else 0.
F2Matrix keptBits(const LinearLayout &from, const LinearLayout &to, Distance distance) {
  std::vector<BitVector> columns;
  int shift = 0;
  for (InputDim dim : allInputDims) {
    for (int bit = 0; bit < to.bitCount(dim); ++bit)
      columns.push_back(isFree(dim, distance) ? 0 : BitVector(1) << (shift + bit));
    shift += from.bitCount(dim);
  }
  return F2Matrix(shift, std::move(columns));
}

/// The columns of the free dims; they are the lowest of a place.
F2Matrix freeColumns(const LinearLayout &from, Distance distance) {
  std::vector<BitVector> columns;
  for (InputDim dim : allInputDims)
    for (int bit = 0; bit < from.bitCount(dim) && isFree(dim, distance); ++bit)
      columns.push_back(from.matrix().column(static_cast<int>(columns.size())));
  return F2Matrix(from.matrix().rowCount(), std::move(columns));
}

F2Matrix sum(const F2Matrix &a, const F2Matrix &b) {
  std::vector<BitVector> columns = a.columns();
  for (int column = 0; column < a.columnCount(); ++column)
    columns[column] ^= b.column(column);
  return F2Matrix(a.rowCount(), std::move(columns));
}

/// A basis of the places p for which `needed` p lies in the image that `free` describes.
std::vector<BitVector> placesServed(const F2Matrix &needed, const Echelon &free) {
  std::vector<BitVector> residues;
  for (BitVector column : needed.columns())
    residues.push_back(free.residue(column));
  return F2Matrix(needed.rowCount(), std::move(residues)).kernel();
}

} // namespace

std::optional<Conversion> convert(const LinearLayout &from, const LinearLayout &to) {
  assert(from.shape() == to.shape() && "a conversion is between layouts of one tile");
  int placeBits = to.matrix().columnCount();
  std::vector<BitVector> basis, sources;
  // Every distance from the first at which the places can be compared.
  Distance farthest = Distance::None;
  while (!isComparable(from, to, farthest))
    farthest = next(farthest);
  for (Distance distance = farthest; distance <= Distance::Block; distance = next(distance)) {
    F2Matrix kept = keptBits(from, to, distance);
    F2Matrix needed = sum(to.matrix(), from.matrix() * kept);
    Echelon free = freeColumns(from, distance).echelon();
    for (BitVector place : placesServed(needed, free)) {
      basis.push_back(place);
      if (F2Matrix(placeBits, basis).isInjective()) {
        sources.push_back(kept(place) ^ *free.solve(needed(place)));
        farthest = distance;
      } else {
        basis.pop_back();
      }
    }
  }
  if (static_cast<int>(basis.size()) < placeBits)
    return std::nullopt;
  F2Matrix inBasis = *F2Matrix(placeBits, std::move(basis)).inverse();
  return Conversion{F2Matrix(from.matrix().columnCount(), std::move(sources)) * inBasis, farthest};
}

bool isRenaming(const Conversion &conversion, const LinearLayout &from, const LinearLayout &to) {
  if (conversion.distance > Distance::Register)
    return false;
  for (InputDim dim : {InputDim::Lane, InputDim::Warp, InputDim::Block})
    for (int bit = 0; bit < to.bitCount(dim); ++bit) {
      Place place;
      (dim == InputDim::Lane   ? place.lane
       : dim == InputDim::Warp ? place.warp
                               : place.block) = 1 << bit;
      if (from.unflattenPlace(conversion.source(to.flatten(place))).reg != 0)
        return false;
    }
  return true;
}

} // namespace trowel::layout
