// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A traced kernel: the module that its lambda built, and what a launch needs to know of it.
//
// No MLIR header is included here, so that the launch path can hold traces without MLIR; the
// compiler sees the module through compiler/frontend/TracedModule.h.
#pragma once

#include "trowel/KernelSource.h"

#include <map>
#include <memory>
#include <string>

namespace trowel::compiler {

/// The parameters are those of its source, in their order.
class TracedKernel {
public:
  struct Module;

  TracedKernel();
  TracedKernel(TracedKernel &&other) noexcept;
  TracedKernel &operator=(TracedKernel &&other) noexcept;
  ~TracedKernel();

  std::string name;
  Options options;
  /// What recording took.
  double seconds = 0;
  /// The kernel's own line, as the C++ compiler spelled the file.
  std::string file;
  int line = 0;
  /// Equal for equal modules (locations included) and only for them, on every host; 64 hexadecimal
  /// digits.
  std::string key;
  /// Locations in the module name files as TROWEL_SOURCE_ROOT cuts them; this maps them back to
  /// what the C++ compiler wrote, for messages.
  std::map<std::string, std::string> fullFileNames;
  /// The MLIR context and module. One thread at a time may use them.
  std::unique_ptr<Module> module;
};

/// Calls the source's lambda once and returns what it recorded. Throws trowel::Error at the C++
/// line of a mistake, and passes on whatever the lambda throws; in both cases the trace is thrown
/// away and the thread can trace again.
TracedKernel trace(const detail::KernelSource &source);

/// Refuses a name or options that no kernel can have, at the line of kernel(…).
void checkSource(const detail::KernelSource &source);

/// The name of the kernel that this thread is tracing; null when it traces none.
const std::string *kernelBeingTraced();

} // namespace trowel::compiler
