// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The buffer that prints and failed checks of a launch go to. The compiler's code writes it, the
// runtime reads it; this is all that both know of it.
//
//   byte  0   bytes that records have asked for, also those that did not fit
//   byte  8   prints that did not fit
//   byte 16   failed checks that did not fit
//   byte 24   bytes for records that the buffer has: what the code may write
//   byte 32   records, one behind the other
//
// A record is an even number of 32-bit words: the number of the print or check in the manifest, how
// many were executed before it in its program, the program's x, its y with its z in the upper half,
// the element's row-major index in its tile (0 for a scalar), and the values, of which those of 64
// bits take two words, the lower one first. Narrower integers are in the lower bits; what is above
// them is zero.
#pragma once

#include <cstdint>

namespace trowel::records {

constexpr int usedOffset = 0;
constexpr int lostPrintsOffset = 8;
constexpr int lostFailuresOffset = 16;
constexpr int roomOffset = 24;
constexpr int headerBytes = 32;

/// Words of a record before its values.
constexpr int fixedWords = 5;
/// The bytes of a record whose values take this many words.
constexpr int recordBytes(int valueWords) { return (fixedWords + valueWords + 1) / 2 * 8; }

/// Most values of one print or check.
constexpr int mostValues = 16;

} // namespace trowel::records
