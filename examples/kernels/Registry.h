// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The example kernels by name, for the programs that show or time any of them.
//
//   for (const NamedKernel &row : allKernels()) std::puts(row.name);
//   std::string ptx = findKernel("vector_add")->make().ptx("sm_90a");
#pragma once

#include <trowel/trowel.h>

#include <span>
#include <string_view>

namespace trowel::examples {

struct NamedKernel {
  const char *name;
  /// One line on what it computes.
  const char *description;
  /// The parameters and the grid as one writes them, and the configuration that `make` takes.
  const char *signature;
  /// An instance in a usual configuration.
  AnyKernel (*make)();
};

/// All rows, in the order of the lessons.
std::span<const NamedKernel> allKernels();

/// The row of that name, or null.
const NamedKernel *findKernel(std::string_view name);

} // namespace trowel::examples
