// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes' constructors and options, generated from Passes.td.
#pragma once

#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace trowel::compiler {

/// An access of fewer bytes has one mask: parts are put together in registers of 32 bits.
inline constexpr int64_t leastSplitBytes = 4;

#define GEN_PASS_DECL
#include "compiler/transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "compiler/transforms/Passes.h.inc"

} // namespace trowel::compiler
