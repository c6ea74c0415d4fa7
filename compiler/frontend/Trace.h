// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The trace that a thread is recording: values by number, the place where ops are inserted, and the
// way in which mistakes are reported.
#pragma once

#include "compiler/frontend/TracedModule.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"

namespace trowel::compiler {

/// The operation that a user wrote, for messages: its C++ line, and its name as the user spelled
/// it.
struct Site {
  std::source_location at;
  const char *name;
};

/// The MLIR type of an element.
mlir::Type elementTypeIn(mlir::MLIRContext *context, ElementType type);

class Trace {
public:
  explicit Trace(const detail::KernelSource &source);
  ~Trace();
  Trace(const Trace &) = delete;

  /// The trace of this thread; null outside a kernel.
  static Trace *currentOrNull();
  /// The trace of this thread; throws where there is none.
  static Trace &current(const Site &site);

  /// The argument values of the kernel's function, as the lambda gets them.
  std::vector<detail::Value> arguments();
  /// The value behind a handle; throws for an unset one and one of another trace.
  mlir::Value read(detail::Value handle, const Site &site);
  /// Whether `read` would succeed.
  bool owns(detail::Value handle) const;
  detail::Value record(mlir::Value value);

  /// A builder that inserts at the end of what was recorded.
  mlir::OpBuilder &builder() { return insertion; }
  mlir::Location location(std::source_location at);

  [[noreturn]] void fail(std::source_location at, std::string text) const;
  [[noreturn]] void fail(const Site &site, std::string text) const;

  /// Ends the function, checks it, and gives the result away. Nothing can be recorded afterwards.
  TracedKernel finish();

  const std::string &kernelName() const { return result.name; }

private:
  TracedKernel result;
  std::uint64_t serial;
  std::source_location kernelLine;
  std::string sourceRoot;
  mlir::OpBuilder insertion;
  std::vector<mlir::Value> values;
  // Keyed by the address of the compiler's string, never iterated.
  llvm::DenseMap<const char *, mlir::StringAttr> fileNames;
};

} // namespace trowel::compiler
