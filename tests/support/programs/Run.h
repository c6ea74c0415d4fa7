// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs on devices.
#pragma once

#include "tests/support/programs/Evaluate.h"

#include <trowel/trowel.h>

#include <functional>

namespace trowel::programs {

/// Traces, compiles and launches the program, and compares each element of each buffer with what
/// the evaluation left there. Empty if all agree; else where they differ, or the error.
std::string disagreement(const Program &program, const Device &device);
/// The same for what is expected of it.
std::string disagreement(const Program &program, const Evaluation &expected, const Device &device);

/// The PTX of the program for the device's target.
std::string ptxOf(const Program &program, const Device &device);

/// A smaller program for which `fails` still holds: without statements, branches and operands, with
/// smaller tiles and numbers, as long as anything can go.
Program shrink(Program program, const std::function<bool(const Program &)> &fails);

} // namespace trowel::programs
