// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tells who waits where when nothing in a CTA can run.
#pragma once

#include "runtime/sim/Machine.h"

namespace trowel::sim {

/// Throws the Fault for a CTA of which some threads wait and none can run.
[[noreturn]] void reportDeadlock(Cta &cta);

} // namespace trowel::sim
