// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the tests of the emitter share: from the text of an LLVM-dialect module to PTX or a failure.
#pragma once

#include "compiler/ptx/EmitPtx.h"

#include <string>

namespace trowel::compiler {

/// Parses the module in an MLIRContext of its own and emits it. A text that does not parse is a
/// failure.
PtxResult emitText(const std::string &module, const char *target = "sm_80",
                   PtxInspection inspection = {});

/// The PTX; a failure is reported to GoogleTest and gives "".
std::string ptxOf(const std::string &module, const char *target = "sm_80");

/// The failure; PTX is reported to GoogleTest and gives an empty one.
PtxFailure failureOf(const std::string &module, const char *target = "sm_80");

/// A kernel `@k(%p: global pointer, %x: f32, %y: f32, %i: i32)` of 128 threads with that body, each
/// line of which is at "kernel.cpp" and a line of its own, counted from 1.
std::string kernel(const std::string &body);

/// c[i] = a[i] + b[i] for i < n, 128 threads, one element each.
extern const char *const vectorAdd;

} // namespace trowel::compiler
