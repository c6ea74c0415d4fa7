// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one launch path: everything about the kernel comes from its manifest.
#pragma once

#include "runtime/device/Module.h"
#include "trowel/Launch.h"
#include "trowel/Stream.h"

namespace trowel {

/// Checks grid and arguments against the manifest and the device's limits and starts the kernel. A
/// grid with an extent of 0 is a success that runs nothing. Returns before the kernel has run: a
/// fault in it is thrown by the next call that waits. Throws trowel::Error.
TROWEL_API void launch(const LoadedKernel &kernel, const Stream &stream, const Grid &grid,
                       std::span<const LaunchArgument> arguments);

/// Which argument a message is about: "argument 1 (counted from 0)".
TROWEL_API std::string nameOfArgument(std::size_t index);
/// What an argument is, for messages: "a pointer to const f32", "a scalar of type i64".
TROWEL_API std::string describe(const LaunchArgument &argument);
/// The value of an integer scalar, signed: a uint64 beyond int64 is read as the negative number
/// with its bits.
TROWEL_API std::int64_t integerValue(const LaunchArgument &argument);

} // namespace trowel
