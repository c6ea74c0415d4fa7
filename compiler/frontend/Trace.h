// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The trace that a thread is recording: its variables, the place where ops are inserted, and the
// way in which mistakes are reported.
#pragma once

#include "compiler/frontend/TracedModule.h"
#include "compiler/frontend/Variables.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"

#include <optional>

namespace trowel::compiler {

/// The operation that a user wrote, for messages: its C++ line, and its name as the user spelled
/// it.
struct Site {
  std::source_location at;
  const char *name;
};

/// The MLIR type of an element.
mlir::Type elementTypeIn(mlir::MLIRContext *context, ElementType type);

/// Counts the ops that a builder makes.
struct OpCounter : mlir::OpBuilder::Listener {
  std::int64_t count = 0;
  void notifyOperationInserted(mlir::Operation *, mlir::OpBuilder::InsertPoint) override {
    ++count;
  }
};

class Trace {
public:
  /// More ops than any kernel needs that loops on the device. A C++ loop is unrolled, and one that
  /// runs away would compile for minutes. 28000 ops of 4000 masked loads took 14 s, 16000 of 4000
  /// `where`s 4 s.
  static constexpr std::int64_t maxOps = 20000;

  explicit Trace(const detail::KernelSource &source);
  ~Trace();
  Trace(const Trace &) = delete;

  /// The trace of this thread; null outside a kernel.
  static Trace *currentOrNull();
  /// The trace of this thread; throws where there is none, and where it cannot go on.
  static Trace &current(const Site &site);

  /// The argument values of the kernel's function, as the lambda gets them.
  std::vector<detail::Value> arguments();
  /// The value of a variable; throws for an unset one and one of another trace.
  mlir::Value read(detail::Value handle, const Site &site);
  /// The same, null where `read` would throw.
  mlir::Value readOrNull(detail::Value handle);
  /// Whether the handle was made by this trace.
  bool owns(detail::Value handle) const;
  /// Makes a variable of a value.
  detail::Value record(mlir::Value value);

  detail::Value copied(detail::Value source);
  detail::Value moved(detail::Value source);
  void assign(detail::Value &target, detail::Value source);

  /// Starts the body of a loop or branch: what is recorded from now on goes there.
  mlir::Block *open(const Construct &construct);
  /// Ends the innermost one.
  ClosedScope close();
  Variables &variables() { return *vars; }

  /// An if_ whose else_ may still come; until then its assignments are not merged.
  struct PendingIf {
    std::uint32_t serial;
    mlir::Value condition;
    ClosedScope thenScope;
    std::optional<ClosedScope> elseScope;
    /// Variables that were copied since: for the else branch if there is one, else after the if_.
    llvm::SmallVector<std::pair<VariableId, VariableId>> copies;
  };
  std::optional<PendingIf> pendingIf;
  /// Ends the pending if_, if there is one. Called before anything is read or recorded.
  void settle();

  /// Notes that a body was left in a way that C++ allows and a trace does not; where nothing can be
  /// thrown. The next operation, or the end of the trace, throws it.
  void spoil(std::source_location at, std::string text);
  void throwIfSpoiled() const;

  /// A builder that inserts at the end of what was recorded.
  mlir::OpBuilder &builder() { return insertion; }
  mlir::Location location(std::source_location at);

  [[noreturn]] void fail(std::source_location at, std::string text) const;
  [[noreturn]] void fail(const Site &site, std::string text) const;
  /// At the line that made a value; at `otherwise` where it was not made by an operation.
  [[noreturn]] void fail(mlir::Value value, std::source_location otherwise, std::string text) const;

  /// Ends the function, checks it, and gives the result away. Nothing can be recorded afterwards.
  TracedKernel finish();

  const std::string &kernelName() const { return result.name; }

private:
  TracedKernel result;
  std::uint64_t serial;
  std::source_location kernelLine;
  OpCounter ops;
  mlir::OpBuilder insertion;
  std::unique_ptr<Variables> vars;
  std::optional<std::pair<std::source_location, std::string>> spoiled;
};

} // namespace trowel::compiler
