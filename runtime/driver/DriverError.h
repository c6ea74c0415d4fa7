// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A failed driver call as a sentence.
#pragma once

#include "runtime/driver/DriverApi.h"
#include "trowel/Error.h"

#include <string>

namespace trowel::driver {

/// The error for `result`: what was tried, `detail` where there is some, the driver's own name and
/// text for the code, and the way out where one is known. A fault that the software device explains
/// becomes the error with its own file, line and kernel. `attempt` begins with a verb: "allocate 16
/// bytes on NVIDIA H200 (cuda:0, sm_90a)".
TROWEL_API Error driverError(const DriverApi &api, CUresult result, const std::string &attempt,
                             const std::string &kernel = {}, const std::string &detail = {});

/// The driver's name and text for a code: "CUDA_ERROR_OUT_OF_MEMORY (out of memory)".
TROWEL_API std::string describeResult(const DriverApi &api, CUresult result);

/// The driver's version as people write it: "12.4"; "unknown" if it does not say.
TROWEL_API std::string driverVersion(const DriverApi &api);

} // namespace trowel::driver
