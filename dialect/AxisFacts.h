// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known of a tile's integers or addresses along each axis, and how arithmetic changes it.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <limits>
#include <optional>

namespace trowel::tile {

/// Facts of an integer, bool or pointer value; theorems, never guesses.
///
/// Along each axis a *run* of length r is a stretch of r neighbours that starts at a multiple of r;
/// at the end of the axis it may be cut short. A scalar has one pseudo axis of extent 1. The lists
/// hold powers of two, and 1 means that nothing is known.
///
///   iota(128) · 4 + 64:  contiguity 1, divisibility 4, constancy 1, from 64 to 572
///   iota(128) + 64:      contiguity 128, divisibility 64, constancy 1, from 64 to 191
///
/// An integer of b bits is read as signed (true is −1), and counting up wraps modulo 2^b; an
/// address counts bytes modulo 2^64.
struct AxisFacts {
  /// In each run of this length, each element is its predecessor plus `step`.
  llvm::SmallVector<std::int64_t> contiguity;
  /// Divides the first element of each such run; at most maxDivisibility, as everything divides 0.
  llvm::SmallVector<std::int64_t> divisibility;
  /// In each run of this length, all elements are equal.
  llvm::SmallVector<std::int64_t> constancy;
  /// Bounds of the elements of an integer value, both inclusive; not kept for pointers.
  std::int64_t minimum = std::numeric_limits<std::int64_t>::min();
  std::int64_t maximum = std::numeric_limits<std::int64_t>::max();
  /// 1 for integers, the bytes of an element for pointers to it.
  std::int64_t step = 1;

  static constexpr std::int64_t maxDivisibility = std::int64_t(1) << 62;

  /// Nothing is known of a value of that rank.
  static AxisFacts unknown(unsigned rank, std::int64_t step = 1);
  unsigned rank() const { return static_cast<unsigned>(contiguity.size()); }
  /// The value of all elements, where known.
  std::optional<std::int64_t> constant() const;
  /// What divides every element.
  std::int64_t divisorOfAll() const;

  friend bool operator==(const AxisFacts &, const AxisFacts &) = default;
};

// Values from nothing. Extents are the tile's; a scalar has none.

/// Every element is `value`.
AxisFacts constantFacts(std::int64_t value, llvm::ArrayRef<std::int64_t> extents);
/// The elements are `values`, the last axis fastest: the strongest facts that hold.
AxisFacts elementsFacts(llvm::ArrayRef<std::int64_t> values, llvm::ArrayRef<std::int64_t> extents);
/// 0, 1, 2, … along the only axis.
AxisFacts iotaFacts(std::int64_t extent);
/// Nothing is known but the bounds, both inclusive.
AxisFacts rangeFacts(std::int64_t minimum, std::int64_t maximum, unsigned rank);

// Shapes.

AxisFacts splatFacts(const AxisFacts &scalar, llvm::ArrayRef<std::int64_t> extents);
/// A new axis of extent 1 before axis `axis`.
AxisFacts expandFacts(const AxisFacts &source, unsigned axis, unsigned sourceRank);
AxisFacts broadcastFacts(const AxisFacts &source, llvm::ArrayRef<std::int64_t> sourceExtents,
                         llvm::ArrayRef<std::int64_t> extents);

// Arithmetic modulo 2^bits, of operands of one shape.

AxisFacts addFacts(const AxisFacts &a, const AxisFacts &b, unsigned bits);
AxisFacts subFacts(const AxisFacts &a, const AxisFacts &b, unsigned bits);
AxisFacts mulFacts(const AxisFacts &a, const AxisFacts &b, unsigned bits);
/// The language's quotient: truncated, −1 for a divisor of 0, wrapping for the least number by −1.
AxisFacts divFacts(const AxisFacts &a, const AxisFacts &b, unsigned bits);
/// The language's remainder: the sign of the dividend, the dividend itself for a divisor of 0.
AxisFacts remFacts(const AxisFacts &a, const AxisFacts &b, unsigned bits);
/// The same of the bits read as unsigned; all ones, and the dividend, for a divisor of 0.
AxisFacts divUnsignedFacts(const AxisFacts &a, const AxisFacts &b, unsigned bits);
AxisFacts remUnsignedFacts(const AxisFacts &a, const AxisFacts &b, unsigned bits);
/// `a` shifted by `b` bits; by the width or more, the count read as unsigned, gives 0 or the sign.
AxisFacts shiftLeftFacts(const AxisFacts &a, const AxisFacts &b, unsigned bits);
AxisFacts shiftRightFacts(const AxisFacts &a, const AxisFacts &b, unsigned bits);
AxisFacts shiftRightUnsignedFacts(const AxisFacts &a, const AxisFacts &b, unsigned bits);
AxisFacts andFacts(const AxisFacts &a, const AxisFacts &b, unsigned bits);
AxisFacts orFacts(const AxisFacts &a, const AxisFacts &b, unsigned bits);
AxisFacts xorFacts(const AxisFacts &a, const AxisFacts &b, unsigned bits);
AxisFacts minSignedFacts(const AxisFacts &a, const AxisFacts &b, unsigned bits);
AxisFacts maxSignedFacts(const AxisFacts &a, const AxisFacts &b, unsigned bits);
AxisFacts minUnsignedFacts(const AxisFacts &a, const AxisFacts &b, unsigned bits);
AxisFacts maxUnsignedFacts(const AxisFacts &a, const AxisFacts &b, unsigned bits);
/// |a|; the least number is its own.
AxisFacts absFacts(const AxisFacts &a, unsigned bits);
AxisFacts signExtendFacts(const AxisFacts &a, unsigned fromBits);
AxisFacts zeroExtendFacts(const AxisFacts &a, unsigned fromBits);
AxisFacts truncateFacts(const AxisFacts &a, unsigned toBits);

enum class Comparison { Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual };
enum class Signedness { Signed, Unsigned };
AxisFacts compareFacts(Comparison comparison, Signedness signedness, const AxisFacts &a,
                       const AxisFacts &b, unsigned bits);
/// Integers or pointers; the condition has the shape of the operands.
AxisFacts selectFacts(const AxisFacts &condition, const AxisFacts &a, const AxisFacts &b);
/// The pointer plus so many elements; the offset is sign-extended from its bits, then scaled.
AxisFacts ptrAddFacts(const AxisFacts &pointer, const AxisFacts &offset, unsigned offsetBits);

/// What holds of either value; for merging control flow. Bounds that `next` exceeds are given up
/// rather than widened step by step, so that a loop settles in a few rounds.
AxisFacts joinFacts(const AxisFacts &previous, const AxisFacts &next);
/// The same values, each a multiple of `divisor`, and integers from `minimum` to `maximum`. Bounds
/// that leave no number change nothing.
AxisFacts multipleFacts(const AxisFacts &a, std::int64_t divisor);
AxisFacts withinFacts(const AxisFacts &a, std::int64_t minimum, std::int64_t maximum);

/// What the facts of an integer say of each other: bounds move to the next multiple of what divides
/// all elements, and one number is as constant as a value of these extents can be.
AxisFacts settleFacts(AxisFacts facts, llvm::ArrayRef<std::int64_t> extents);

} // namespace trowel::tile
