// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libcuda, found and bound at run time.
#pragma once

#include "runtime/base/Result.h"
#include "runtime/driver/DriverApi.h"

namespace trowel::driver {

struct CudaLibrary {
  enum class State {
    Loaded,
    /// No such file: a machine without NVIDIA's driver.
    NotFound,
    /// There is one, but it cannot be used.
    Unusable,
  };
  State state = State::NotFound;
  /// Why it is not loaded, quoting the loader or naming the missing symbol.
  std::string problem;
  /// Filled where loaded. Nothing has been initialised.
  DriverApi api;
};

/// libcuda.so.1, opened by the first caller; safe to call from any thread.
TROWEL_API const CudaLibrary &cudaLibrary();

/// Opens a library of another name, for tests.
TROWEL_API CudaLibrary openCudaLibrary(const char *fileName);

/// The table of libcuda.so.1, or the sentence that says why there is none.
TROWEL_API Result<const DriverApi *> loadCuda();

} // namespace trowel::driver
