// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which device TROWEL_DEVICE, or its absence, means.
#pragma once

#include "runtime/driver/CudaLibrary.h"
#include "trowel/Device.h"

namespace trowel {

/// Where drivers come from; tests give their own.
struct DriverSources {
  const driver::CudaLibrary &(*cuda)();
  const driver::DriverApi &(*simulator)();
};

/// libcuda and the software device.
const DriverSources &standardSources();

/// The device that the value of TROWEL_DEVICE means; null or empty chooses by what is there. Throws
/// trowel::Error.
Device chooseDevice(const char *request, const DriverSources &sources);
/// The GPU with this ordinal.
Device openCuda(int ordinal, const DriverSources &sources);
/// The software device.
Device openSimulator(const DriverSources &sources);

} // namespace trowel
