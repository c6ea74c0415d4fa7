// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What calls cost the CPU, beside what they make the GPU do.
//
//   for (const Overhead &row : allOverheads()) std::puts(row.measure(device).c_str());
#pragma once

#include <trowel/trowel.h>

#include <span>
#include <string>

namespace trowel::bench {

struct Overhead {
  const char *op;
  const char *description;
  /// Measures and gives a JSON line.
  std::string (*measure)(const Device &device);
};

std::span<const Overhead> allOverheads();

} // namespace trowel::bench
