// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How bits without a value pass through an instruction.
#pragma once

#include "runtime/sim/ptx/Opcode.h"
#include "runtime/sim/ptx/Program.h"

namespace trowel::sim {

/// Sets the rule of an instruction that is no memory access.
void chooseShadowRule(const ptx::Opcode &opcode, Operands &operands);

} // namespace trowel::sim
