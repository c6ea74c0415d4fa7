// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where things lie in the device's 64-bit generic address space.
#pragma once

#include <cstdint>

namespace trowel::sim {

/// All device addresses have bit 47 set and the bits above clear. Such an address is not canonical
/// on x86-64: a host program that follows a device pointer by mistake stops there instead of
/// reading something else.
constexpr std::uint64_t globalBase = 0x0000'D000'0000'0000;
/// Each window is 4 GiB; an address in it is its base plus the offset that the space's own
/// instructions use.
constexpr std::uint64_t windowBytes = std::uint64_t{1} << 32;
constexpr std::uint64_t sharedWindow = 0x0000'E000'0000'0000;
constexpr std::uint64_t localWindow = 0x0000'E100'0000'0000;
constexpr std::uint64_t parameterWindow = 0x0000'E200'0000'0000;

/// Shared memory that one CTA may have: 227 KiB as on compute capability 9.0.
constexpr std::uint64_t maximumSharedBytesPerBlock = 227 * 1024;
/// What a launch may ask for without raising the function's limit first.
constexpr std::uint64_t defaultSharedBytesPerBlock = 48 * 1024;
constexpr std::uint32_t multiprocessors = 132;

} // namespace trowel::sim
