// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CUDA driver as a table of functions, filled from libcuda or by the software device.
//
// The types and numbers are those of the driver's binary interface, declared here so that neither
// the toolkit's headers nor its libraries are needed to build or to run.
#pragma once

#include "trowel/Export.h"
#include "trowel/Report.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace trowel::driver {

using CUresult = int;
using CUdevice = int;
using CUdeviceptr = std::uint64_t;
using CUcontext = struct CUcontextOpaque *;
using CUmodule = struct CUmoduleOpaque *;
using CUfunction = struct CUfunctionOpaque *;
using CUstream = struct CUstreamOpaque *;
using CUevent = struct CUeventOpaque *;

// Constants of the driver's interface, spelled like variables to tell them from Trowel's own types.
// NOLINTBEGIN(readability-identifier-naming)

/// The results that Trowel tells apart; the rest are quoted from the driver.
enum : CUresult {
  cudaSuccess = 0,
  cudaErrorInvalidValue = 1,
  cudaErrorOutOfMemory = 2,
  cudaErrorNotInitialized = 3,
  cudaErrorNoDevice = 100,
  cudaErrorInvalidDevice = 101,
  cudaErrorInvalidContext = 201,
  cudaErrorInvalidPtx = 218,
  cudaErrorInvalidHandle = 400,
  cudaErrorNotFound = 500,
  cudaErrorNotReady = 600,
  cudaErrorIllegalAddress = 700,
  cudaErrorMisalignedAddress = 716,
  cudaErrorIllegalInstruction = 715,
  cudaErrorLaunchFailed = 719,
};

/// CU_MEMHOSTALLOC_PORTABLE.
constexpr unsigned hostAllocPortable = 1;

/// CUdevice_attribute values in use.
enum DeviceAttribute : int {
  maxThreadsPerBlock = 1,
  maxGridX = 5,
  maxGridY = 6,
  maxGridZ = 7,
  maxSharedBytesPerBlock = 8,
  warpSize = 10,
  clockRateKilohertz = 13,
  multiprocessorCount = 16,
  memoryClockKilohertz = 36,
  memoryBusBits = 37,
  l2CacheBytes = 38,
  maxThreadsPerMultiprocessor = 39,
  computeCapabilityMajor = 75,
  computeCapabilityMinor = 76,
  maxSharedBytesPerMultiprocessor = 81,
  maxRegistersPerMultiprocessor = 82,
  maxSharedBytesPerBlockOptin = 97,
  maxBlocksPerMultiprocessor = 106,
  reservedSharedBytesPerBlock = 111,
};

/// CUfunction_attribute values in use.
enum FunctionAttribute : int {
  functionMaxThreads = 0,
  functionStaticSharedBytes = 1,
  functionLocalBytes = 3,
  functionRegisters = 4,
  functionMaxDynamicSharedBytes = 8,
};

/// CUjit_option values in use.
enum JitOption : int {
  jitInfoLogBuffer = 3,
  jitInfoLogBufferBytes = 4,
  jitErrorLogBuffer = 5,
  jitErrorLogBufferBytes = 6,
  jitGenerateLineInfo = 13,
  jitLogVerbose = 12,
};

// NOLINTEND(readability-identifier-naming)

/// What only the software device can tell.
struct SimulatorHooks {
  /// Everything counted and found since the last reset.
  Report (*report)();
  void (*resetReport)();
  /// The sentence behind the last failed call on this thread, such as an out-of-bounds access with
  /// its C++ line; empty if there is none. Reading it clears it.
  Finding (*takeFault)();
  /// The order in which launches from here on interleave warps and programs.
  void (*setWarpOrder)(std::uint64_t seed);
  std::uint64_t (*warpOrder)();
};

struct DriverApi {
#define TROWEL_DRIVER_FUNCTION(member, symbol, parameters) CUresult(*member) parameters = nullptr;
#include "runtime/driver/DriverFunctions.def"

  /// "libcuda.so.1" or "software device".
  std::string origin;
  /// Null for libcuda.
  const SimulatorHooks *simulator = nullptr;
};

} // namespace trowel::driver
