// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The special registers by name.
#pragma once

#include "runtime/sim/ptx/Program.h"

namespace trowel::sim::ptx {

struct SpecialRow {
  std::string_view name;
  Special special;
  unsigned width;
};

/// The row of "%tid.x" and its like; null if there is none.
const SpecialRow *findSpecialRegister(std::string_view name);

} // namespace trowel::sim::ptx
