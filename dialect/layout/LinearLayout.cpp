// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A layout is one bit matrix; this file gives its rows and columns their names.
//
// Columns are input bits: register bits first, then lane, warp and block bits. Rows are bits of the
// row-major index: the bits of the last axis first. As extents are powers of two, the coordinates
// of an index are fields of bits of the flat index, so one xor of flat words is an xor on every
// axis at once.
//
//   4 × 8 tile, lanes 0-7 along axis 1, registers 0-3 along axis 0
//
//            reg0 reg1 | lane0 lane1 lane2
//   axis 1   000  000  | 001   010   100        flat columns  01000 10000 | 00001 00010 00100
//   axis 0    01   10  |  00    00    00
//
// Held throughout: no column has a bit beyond the tile, so apply never leaves it; a size that is no
// power of two is refused where it enters (`findFault` for what users write, assertions for
// ourselves).
//
// Rejected: one matrix a dim and axis, as papers draw it. Every operation would loop over blocks,
// and elimination needs them side by side anyway.
#include "dialect/layout/LinearLayout.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cassert>

namespace trowel::layout {

static constexpr int maxBits = 62;

static bool isPowerOfTwo(std::int64_t value) { return value > 0 && (value & (value - 1)) == 0; }
static int log2Exact(std::int64_t value) {
  return std::countr_zero(static_cast<std::uint64_t>(value));
}
static BitVector lowBits(int count) { return (BitVector(1) << count) - 1; }

static int totalBits(const std::vector<std::int64_t> &shape) {
  int bits = 0;
  for (std::int64_t extent : shape)
    bits += log2Exact(extent);
  return bits;
}

/// The position of the lowest bit of `axis` in a flat index.
static int axisShift(const std::vector<std::int64_t> &shape, int axis) {
  int bits = 0;
  for (int later = axis + 1; later < static_cast<int>(shape.size()); ++later)
    bits += log2Exact(shape[later]);
  return bits;
}

static BitVector flattenIndex(const std::vector<std::int64_t> &shape, const Coordinates &index) {
  assert(index.size() == shape.size() && "one coordinate an axis");
  BitVector flat = 0;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    assert(index[axis] >= 0 && index[axis] < shape[axis] && "the index lies outside the tile");
    flat = flat << log2Exact(shape[axis]) | static_cast<BitVector>(index[axis]);
  }
  return flat;
}

const char *name(InputDim dim) {
  static constexpr const char *names[] = {"register", "lane", "warp", "block"};
  return names[static_cast<int>(dim)];
}

std::int32_t Place::operator[](InputDim dim) const {
  const std::int32_t values[] = {reg, lane, warp, block};
  return values[static_cast<int>(dim)];
}

LinearLayout::LinearLayout() : map(F2Matrix::zero(0, 0)) {}

LinearLayout::LinearLayout(std::vector<std::int64_t> shape, std::array<int, 4> counts,
                           F2Matrix matrix)
    : extents(std::move(shape)), bitCounts(counts), map(std::move(matrix)) {
  assert(map.rowCount() == totalBits(extents) && "a row for each bit of the index");
  assert(map.columnCount() == counts[0] + counts[1] + counts[2] + counts[3] &&
         "a column for each bit of the input");
}

LinearLayout::LinearLayout(std::vector<std::int64_t> shape, const Bases &bases)
    : extents(std::move(shape)) {
  assert(!findFault(extents, bases) && "check what users write with findFault first");
  std::vector<BitVector> columns;
  for (InputDim dim : allInputDims) {
    const auto &ofDim = bases[static_cast<int>(dim)];
    bitCounts[static_cast<int>(dim)] = static_cast<int>(ofDim.size());
    for (const Coordinates &basis : ofDim)
      columns.push_back(flattenIndex(extents, basis));
  }
  map = F2Matrix(totalBits(extents), std::move(columns));
}

std::optional<std::string> LinearLayout::findFault(const std::vector<std::int64_t> &shape,
                                                   const Bases &bases) {
  int bits = 0;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    if (!isPowerOfTwo(shape[axis]))
      return fmt::format("extent {} of axis {} is not a power of two", shape[axis], axis);
    if (shape[axis] > std::int64_t(1) << 31)
      return fmt::format("extent {} of axis {} is above 2^31", shape[axis], axis);
    bits += log2Exact(shape[axis]);
  }
  if (bits > maxBits)
    return fmt::format("the tile has 2^{} elements, at most 2^{} can be laid out", bits, maxBits);
  std::size_t inputs = 0;
  for (InputDim dim : allInputDims) {
    const auto &ofDim = bases[static_cast<int>(dim)];
    if (ofDim.size() > 30)
      return fmt::format("{} {} bases, at most 30 are possible", ofDim.size(), name(dim));
    inputs += ofDim.size();
    for (std::size_t bit = 0; bit < ofDim.size(); ++bit) {
      const Coordinates &basis = ofDim[bit];
      if (basis.size() != shape.size())
        return fmt::format("basis {} of {} has {} coordinates, the tile has {} axes", bit,
                           name(dim), basis.size(), shape.size());
      for (std::size_t axis = 0; axis < shape.size(); ++axis)
        if (basis[axis] < 0 || basis[axis] >= shape[axis])
          return fmt::format("basis {} of {} is {} on axis {}, outside the extent {}", bit,
                             name(dim), basis[axis], axis, shape[axis]);
    }
  }
  if (inputs > maxBits)
    return fmt::format("{} bases in all, at most {} are possible", inputs, maxBits);
  return std::nullopt;
}

Coordinates LinearLayout::basis(InputDim dim, int bit) const {
  assert(bit < bitCount(dim));
  int column = bit;
  for (int earlier = 0; earlier < static_cast<int>(dim); ++earlier)
    column += bitCounts[earlier];
  return unflattenIndex(map.column(column));
}

LinearLayout::Bases LinearLayout::bases() const {
  Bases result;
  for (InputDim dim : allInputDims)
    for (int bit = 0; bit < bitCount(dim); ++bit)
      result[static_cast<int>(dim)].push_back(basis(dim, bit));
  return result;
}

BitVector LinearLayout::flatten(const Place &place) const {
  BitVector flat = 0;
  int shift = 0;
  for (InputDim dim : allInputDims) {
    assert(place[dim] >= 0 && place[dim] < size(dim) && "the place lies outside the layout");
    flat |= static_cast<BitVector>(place[dim]) << shift;
    shift += bitCount(dim);
  }
  return flat;
}

BitVector LinearLayout::flatten(const Coordinates &index) const {
  return flattenIndex(extents, index);
}

/// The bits of `dim` in a flat place.
static std::int32_t fieldOf(BitVector flatPlace, const std::array<int, 4> &bitCounts,
                            InputDim dim) {
  for (int earlier = 0; earlier < static_cast<int>(dim); ++earlier)
    flatPlace >>= bitCounts[earlier];
  return static_cast<std::int32_t>(flatPlace & lowBits(bitCounts[static_cast<int>(dim)]));
}

Place LinearLayout::unflattenPlace(BitVector flatPlace) const {
  return {fieldOf(flatPlace, bitCounts, InputDim::Register),
          fieldOf(flatPlace, bitCounts, InputDim::Lane),
          fieldOf(flatPlace, bitCounts, InputDim::Warp),
          fieldOf(flatPlace, bitCounts, InputDim::Block)};
}

Coordinates LinearLayout::unflattenIndex(BitVector flatIndex) const {
  Coordinates index(extents.size());
  for (int axis = rank() - 1; axis >= 0; --axis) {
    index[axis] = static_cast<std::int32_t>(flatIndex & static_cast<BitVector>(extents[axis] - 1));
    flatIndex >>= log2Exact(extents[axis]);
  }
  return index;
}

Coordinates LinearLayout::operator()(const Place &place) const {
  return unflattenIndex(map(flatten(place)));
}

Coordinates LinearLayout::operator()(std::int32_t reg, std::int32_t lane, std::int32_t warp,
                                     std::int32_t block) const {
  return (*this)(Place{reg, lane, warp, block});
}

/// The columns in the order in which they are preferred for owners: lane, warp, block, register.
static std::vector<int> ownershipOrder(const std::array<int, 4> &bitCounts, int columnCount) {
  std::vector<int> order;
  for (int column = bitCounts[0]; column < columnCount; ++column)
    order.push_back(column);
  for (int column = 0; column < bitCounts[0]; ++column)
    order.push_back(column);
  return order;
}

std::int32_t LinearLayout::replicationMask(InputDim dim) const {
  BitVector zeroColumns = 0;
  for (int column = 0; column < map.columnCount(); ++column)
    if (map.column(column) == 0)
      zeroColumns |= BitVector(1) << column;
  return fieldOf(zeroColumns, bitCounts, dim);
}

std::int32_t LinearLayout::redundantMask(InputDim dim) const {
  Echelon echelon = map.echelon(ownershipOrder(bitCounts, map.columnCount()));
  return fieldOf(~echelon.pivots & lowBits(map.columnCount()), bitCounts, dim);
}

std::vector<BitVector> LinearLayout::freeInputs() const {
  return map.echelon(ownershipOrder(bitCounts, map.columnCount())).kernel;
}

bool LinearLayout::isOwner(std::int32_t reg, std::int32_t lane, std::int32_t warp,
                           std::int32_t block) const {
  Echelon echelon = map.echelon(ownershipOrder(bitCounts, map.columnCount()));
  return (flatten(Place{reg, lane, warp, block}) & ~echelon.pivots) == 0;
}

std::optional<Place> LinearLayout::ownerOf(const Coordinates &index) const {
  Echelon echelon = map.echelon(ownershipOrder(bitCounts, map.columnCount()));
  if (std::optional<BitVector> flatPlace = echelon.solve(flatten(index)))
    return unflattenPlace(*flatPlace);
  return std::nullopt;
}

std::optional<F2Matrix> LinearLayout::inverse() const {
  return map.rightInverse(ownershipOrder(bitCounts, map.columnCount()));
}

int LinearLayout::contiguousRegisters(int axis) const {
  // Register bit i must contribute 2^i along the axis, and nobody else may touch the bits below the
  // width: else some thread would hold the run in another order.
  int shift = axisShift(extents, axis);
  int axisBits = log2Exact(extents[axis]);
  int bits = 0;
  while (bits < bitCount(InputDim::Register) && bits < axisBits &&
         map.column(bits) == BitVector(1) << (shift + bits))
    ++bits;
  for (int column = bits; column < map.columnCount(); ++column)
    if (BitVector onAxis = map.column(column) >> shift & lowBits(axisBits))
      bits = std::min(bits, std::countr_zero(onAxis));
  return 1 << bits;
}

std::optional<int> LinearLayout::axisOfRegisters(std::int64_t count) const {
  for (int axis = rank() - 1; axis >= 0; --axis)
    if (contiguousRegisters(axis) >= count)
      return axis;
  return std::nullopt;
}

LinearLayout LinearLayout::then(const F2Matrix &transform,
                                std::vector<std::int64_t> newShape) const {
  return LinearLayout(std::move(newShape), bitCounts, transform * map);
}

LinearLayout LinearLayout::product(const LinearLayout &outer) const {
  assert(rank() == outer.rank() && "a product needs equal ranks; insert axes of extent 1 first");
  Bases result = bases(), outerBases = outer.bases();
  std::vector<std::int64_t> shape = extents;
  for (int axis = 0; axis < rank(); ++axis)
    shape[axis] *= outer.extents[axis];
  for (InputDim dim : allInputDims)
    for (Coordinates basis : outerBases[static_cast<int>(dim)]) {
      for (int axis = 0; axis < rank(); ++axis)
        basis[axis] *= static_cast<std::int32_t>(extents[axis]);
      result[static_cast<int>(dim)].push_back(std::move(basis));
    }
  return LinearLayout(std::move(shape), result);
}

std::optional<LinearLayout> LinearLayout::quotient(const LinearLayout &tile) const {
  if (rank() != tile.rank())
    return std::nullopt;
  std::vector<std::int64_t> shape = extents;
  for (int axis = 0; axis < rank(); ++axis) {
    if (extents[axis] < tile.extents[axis])
      return std::nullopt;
    shape[axis] /= tile.extents[axis];
  }
  // In each dim the lowest bases are the tile's, and the rest step over whole tiles.
  Bases result = bases(), tileBases = tile.bases();
  for (InputDim dim : allInputDims) {
    auto &ofDim = result[static_cast<int>(dim)];
    const auto &ofTile = tileBases[static_cast<int>(dim)];
    if (ofDim.size() < ofTile.size() || !std::equal(ofTile.begin(), ofTile.end(), ofDim.begin()))
      return std::nullopt;
    ofDim.erase(ofDim.begin(), ofDim.begin() + static_cast<std::ptrdiff_t>(ofTile.size()));
    for (Coordinates &basis : ofDim)
      for (int axis = 0; axis < rank(); ++axis) {
        if (basis[axis] % tile.extents[axis] != 0)
          return std::nullopt;
        basis[axis] /= static_cast<std::int32_t>(tile.extents[axis]);
      }
  }
  return LinearLayout(std::move(shape), result);
}

LinearLayout LinearLayout::withAxisRemoved(int axis) const {
  Bases result = bases();
  for (auto &ofDim : result)
    for (Coordinates &basis : ofDim)
      basis.erase(basis.begin() + axis);
  std::vector<std::int64_t> shape = extents;
  shape.erase(shape.begin() + axis);
  return LinearLayout(std::move(shape), result);
}

LinearLayout LinearLayout::withAxisInserted(int axis) const {
  // An axis of extent 1 has no bits, so the matrix stays as it is.
  std::vector<std::int64_t> shape = extents;
  shape.insert(shape.begin() + axis, 1);
  return LinearLayout(std::move(shape), bitCounts, map);
}

LinearLayout LinearLayout::withAxisOfExtentOne(int axis) const {
  return withAxisRemoved(axis).withAxisInserted(axis);
}

std::size_t LinearLayout::hash() const {
  // FNV-1a over the words that equality compares.
  std::uint64_t state = 0xcbf29ce484222325u;
  auto mix = [&](std::uint64_t word) {
    for (int byte = 0; byte < 8; ++byte)
      state = (state ^ (word >> 8 * byte & 0xff)) * 0x100000001b3u;
  };
  mix(extents.size());
  for (std::int64_t extent : extents)
    mix(static_cast<std::uint64_t>(extent));
  for (int count : bitCounts)
    mix(static_cast<std::uint64_t>(count));
  for (BitVector column : map.columns())
    mix(column);
  return static_cast<std::size_t>(state);
}

} // namespace trowel::layout
