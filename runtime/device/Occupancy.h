// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How full a loaded kernel makes a multiprocessor.
#pragma once

#include "runtime/device/Module.h"
#include "trowel/Occupancy.h"

namespace trowel {

/// The occupancy of a kernel's code with programs of `threads` threads; 0 means those that it is
/// launched with. Throws trowel::Error where the code cannot run with so many.
TROWEL_API Occupancy occupancyOf(const LoadedKernel &kernel, int threads);

} // namespace trowel
