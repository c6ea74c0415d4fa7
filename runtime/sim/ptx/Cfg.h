// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Basic blocks of a Program and where diverged lanes meet again.
#pragma once

#include "runtime/sim/ptx/Program.h"

namespace trowel::sim {

/// Fills in blocks, blockOf, post-dominators and the instructions' reconvergence points. Before:
/// each instruction has its flow and targets, and the last one does not fall through.
void buildControlFlow(Program &program);

} // namespace trowel::sim
