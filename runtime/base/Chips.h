// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Published figures of the chips that reports can be made for without having one.
#pragma once

#include "trowel/Export.h"

#include <span>
#include <string>
#include <string_view>

namespace trowel {

struct Chip {
  std::string_view name;
  /// The PTX target that kernels are compiled for.
  std::string_view target;
  int multiprocessors;
  /// Resident threads, programs (CTAs) and registers of one multiprocessor.
  int threadsPerMultiprocessor;
  int blocksPerMultiprocessor;
  int registersPerMultiprocessor;
  int sharedBytesPerMultiprocessor;
  /// Most shared memory of one program, after opting in.
  int sharedBytesPerBlock;
  int l2Bytes;
  /// Boost clock.
  int clockMegahertz;
  double bandwidthGigabytes;
  /// Dense (no sparsity) bf16 with f32 accumulation, and plain f32.
  double bf16Teraflops;
  double f32Teraflops;
};

/// All chips: the data-centre ones by age, then the others.
TROWEL_API std::span<const Chip> chips();
/// The chip with this name ("H200", "rtx4090"; case and spaces do not matter); null if there is
/// none.
TROWEL_API const Chip *findChip(std::string_view name);
/// The names, for a message: "A100, H100, H200, B200, RTX 4090".
TROWEL_API std::string chipNames();

} // namespace trowel
