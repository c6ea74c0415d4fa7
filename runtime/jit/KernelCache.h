// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiled kernels of this process, shared by all Kernel objects with equal traces.
#pragma once

#include "compiler/frontend/TracedKernel.h"
#include "runtime/base/KernelImage.h"
#include "runtime/device/Module.h"
#include "runtime/jit/Facts.h"

#include <mutex>

namespace trowel::jit {

/// A trace and the lock under which a compilation may use its MLIR context.
struct SharedTrace {
  compiler::TracedKernel kernel;
  std::mutex compiling;
};

/// The image of a trace for a target and facts: from memory, or compiled now. Threads that ask for
/// one image at a time compile it once. Throws trowel::Error at the C++ line where the compiler
/// names one.
std::shared_ptr<const KernelImage> imageFor(SharedTrace &trace, const std::string &target,
                                            const Facts &facts);

/// The same, loaded on a device; loaded once as long as somebody holds it.
std::shared_ptr<const LoadedKernel> loadedFor(SharedTrace &trace, const Device &device,
                                              const Facts &facts);

} // namespace trowel::jit
