// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The software device behind the driver's interface.
#pragma once

#include "runtime/driver/DriverApi.h"

namespace trowel::sim {

/// The table of the software device: one device, ordinal 0, whose `simulator` hooks are set.
TROWEL_API const driver::DriverApi &simulatorDriver();

} // namespace trowel::sim
