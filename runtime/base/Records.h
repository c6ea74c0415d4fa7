// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The records of one launch, from bytes to what users read.
#pragma once

#include "runtime/base/KernelImage.h"
#include "runtime/base/RecordFormat.h"
#include "trowel/Error.h"
#include "trowel/Printed.h"

#include <cstddef>
#include <optional>
#include <span>

namespace trowel::records {

/// The first bytes of a buffer.
struct Header {
  std::uint64_t used = 0;
  std::uint64_t lostPrints = 0;
  std::uint64_t lostFailures = 0;
  std::uint64_t room = 0;

  /// Bytes of the records that are there.
  std::size_t writtenBytes() const { return static_cast<std::size_t>(used < room ? used : room); }
};
static_assert(sizeof(Header) == headerBytes);

/// What a launch told.
struct Told {
  std::vector<Printed> prints;
  /// For the checks that failed; nothing where none did.
  std::optional<Error> failure;
};

/// Reads and sorts the records. `bytes` are those behind the header; what cannot be a record of
/// this kernel, because something else wrote there, ends the reading.
TROWEL_API Told read(const Manifest &manifest, const Header &header,
                     std::span<const std::byte> bytes);

/// Bytes of a buffer, header included: TROWEL_PRINT_BYTES and the header. Throws trowel::Error
/// where that is no such number.
TROWEL_API std::size_t bufferBytes();

} // namespace trowel::records
