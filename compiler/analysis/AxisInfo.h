// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Axis facts of every value of a kernel.
#pragma once

#include "dialect/AxisFacts.h"

#include "mlir/Analysis/DataFlowFramework.h"

#include <memory>

namespace trowel::compiler {

/// Whether there is anything below the operation that the author promised (the IsHint trait).
bool hasHints(mlir::Operation *root);

/// The axis facts of the integers, bools and pointers below an operation. They describe the code as
/// it is when this is built; passes that change it build another.
///
///   AxisInfo info(kernel);
///   tile::AxisFacts facts = info.of(load.getPointer());
///   facts.contiguity[0];     // so many neighbours count up by one element
///   facts.divisibility[0];   // and the first of them lies at a multiple of so many bytes
class AxisInfo {
public:
  /// Whether promises count. Without it, facts are theorems.
  enum class Hints { Believed, Ignored };

  /// Analyses a function or a module of functions.
  explicit AxisInfo(mlir::Operation *root, Hints hints = Hints::Believed);

  /// The facts of the value; unknown for floating-point numbers, unreachable code and values from
  /// elsewhere.
  tile::AxisFacts of(mlir::Value value) const;

private:
  std::unique_ptr<mlir::DataFlowSolver> solver;
};

} // namespace trowel::compiler
