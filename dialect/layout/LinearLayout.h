// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which element of a tile is held where, as a linear map over GF(2).
#pragma once

#include "dialect/layout/F2Matrix.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace trowel::layout {

/// The inputs of a layout, the least significant first: a register of a lane of a warp of a block
/// (of a cluster).
enum class InputDim : std::uint8_t { Register, Lane, Warp, Block };
inline constexpr std::array<InputDim, 4> allInputDims{InputDim::Register, InputDim::Lane,
                                                      InputDim::Warp, InputDim::Block};
/// "register", "lane", "warp", "block".
const char *name(InputDim dim);

/// One coordinate an axis.
using Coordinates = std::vector<std::int32_t>;

/// Where an element is held.
struct Place {
  std::int32_t reg = 0, lane = 0, warp = 0, block = 0;
  std::int32_t operator[](InputDim dim) const;
  friend bool operator==(const Place &, const Place &) = default;
};

/// A linear map from the bits of (register, lane, warp, block) to the bits of a tile's index.
///
/// Each input bit has a basis: the index that it contributes. The index at a place is the xor of
/// the bases of the bits that are set there:   index(p) = ⊕ { basis(i) : bit i of p is set }.
///
/// Extents are powers of two, at most 2^62 elements. *Flat* forms pack a place (register bits
/// lowest) or an index (row-major: the last axis lowest) into one word; xor acts on them just the
/// same.
class LinearLayout {
public:
  /// The bases of each dim, the lowest bit first; in the order of InputDim.
  using Bases = std::array<std::vector<Coordinates>, 4>;

  /// The layout of a rank 0 tile in one register of one lane.
  LinearLayout();
  LinearLayout(std::vector<std::int64_t> shape, const Bases &bases);
  /// From flat columns; `bitCounts` says how many belong to each dim.
  LinearLayout(std::vector<std::int64_t> shape, std::array<int, 4> bitCounts, F2Matrix matrix);
  /// Why these make no layout, as a sentence; nothing if they do. For what users write.
  static std::optional<std::string> findFault(const std::vector<std::int64_t> &shape,
                                              const Bases &bases);

  int rank() const { return static_cast<int>(extents.size()); }
  const std::vector<std::int64_t> &shape() const { return extents; }
  std::int64_t extent(int axis) const { return extents[axis]; }
  std::int64_t elementCount() const { return std::int64_t(1) << map.rowCount(); }
  int bitCount(InputDim dim) const { return bitCounts[static_cast<int>(dim)]; }
  std::int32_t size(InputDim dim) const { return std::int32_t(1) << bitCount(dim); }
  int registerCount() const { return size(InputDim::Register); }
  /// Lanes times warps: the threads of one block.
  int threadCount() const { return size(InputDim::Lane) * size(InputDim::Warp); }
  /// All places, replicas included.
  std::int64_t inputCount() const { return std::int64_t(1) << map.columnCount(); }
  /// The index that one input bit contributes.
  Coordinates basis(InputDim dim, int bit) const;
  Bases bases() const;

  /// The index of the element at a place.
  Coordinates operator()(std::int32_t reg, std::int32_t lane, std::int32_t warp,
                         std::int32_t block = 0) const;
  Coordinates operator()(const Place &place) const;
  /// The same on flat words.
  BitVector flatIndex(BitVector flatPlace) const { return map(flatPlace); }
  const F2Matrix &matrix() const { return map; }

  BitVector flatten(const Place &place) const;
  BitVector flatten(const Coordinates &index) const;
  Place unflattenPlace(BitVector flatPlace) const;
  Coordinates unflattenIndex(BitVector flatIndex) const;

  bool isSurjective() const { return map.isSurjective(); }
  bool isInjective() const { return map.isInjective(); }

  // Replication. Where several places hold one element, the owner is the one whose redundant bits
  // are zero: it performs stores and atomics. A bit is redundant if its basis is a sum of bases of
  // bits that come earlier in: lane, warp, block, register. Registers come last as skipping one of
  // them costs nothing at run time.

  /// The bits of `dim` whose basis is zero: changing them changes nothing.
  std::int32_t replicationMask(InputDim dim) const;
  /// The bits of `dim` that are zero at an owner; contains the replicationMask.
  std::int32_t redundantMask(InputDim dim) const;
  /// A basis of the flat words whose xor to a place leaves its element the same.
  std::vector<BitVector> freeInputs() const;
  bool isOwner(std::int32_t reg, std::int32_t lane, std::int32_t warp,
               std::int32_t block = 0) const;
  /// The owner of an element; nothing if no place holds it.
  std::optional<Place> ownerOf(const Coordinates &index) const;
  /// From flat indices to the flat places of their owners; nothing unless isSurjective().
  std::optional<F2Matrix> inverse() const;

  /// In every thread, aligned runs of this many registers hold consecutive elements along `axis`:
  /// how wide an access may be. 1 if no two do.
  int contiguousRegisters(int axis) const;
  /// The axis along which that many registers in a row are neighbours; none if they are not.
  std::optional<int> axisOfRegisters(std::int64_t count) const;

  /// The layout that holds transform(index) where this one holds index: transposes, reshapes,
  /// swizzles.
  LinearLayout then(const F2Matrix &transform, std::vector<std::int64_t> newShape) const;
  /// Copies of this layout as `outer` arranges them: index = inner + shape(inner) · outer on each
  /// axis. The bits of `outer` follow those of this layout in each dim.
  LinearLayout product(const LinearLayout &outer) const;
  /// How copies of `tile` make up this layout: the one outer layout whose tile.product(outer) is
  /// this; nothing if there is none. So it tells whether an instruction that takes `tile` serves a
  /// whole tile that lies so.
  std::optional<LinearLayout> quotient(const LinearLayout &tile) const;
  /// The slice: this layout without the coordinate of `axis`. Register r of a tile that lies so
  /// holds what register r of the expanded tile needs.
  LinearLayout withAxisRemoved(int axis) const;
  /// With a new axis of extent 1 before axis `axis`: what expanding along it gives.
  LinearLayout withAxisInserted(int axis) const;
  /// With that axis shrunk to extent 1: what the operand of a broadcast along it holds.
  LinearLayout withAxisOfExtentOne(int axis) const;

  friend bool operator==(const LinearLayout &, const LinearLayout &) = default;
  /// The same on every host and in every run.
  std::size_t hash() const;

private:
  std::vector<std::int64_t> extents;
  std::array<int, 4> bitCounts{};
  F2Matrix map;
};

} // namespace trowel::layout
