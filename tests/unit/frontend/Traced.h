// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Traces a lambda and shows what was recorded.
#pragma once

#include "compiler/frontend/TracedModule.h"
#include "trowel/Error.h"

#include <gtest/gtest.h>

// The kernels of these tests make values to look at the trace, not to use them.
#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma GCC diagnostic ignored "-Wunused-but-set-variable"

namespace trowel::test {

template <class Lambda>
compiler::TracedKernel traceOf(Lambda lambda,
                               std::source_location at = std::source_location::current()) {
  return compiler::trace(detail::makeSource("k", lambda, {}, at));
}

/// The module as text, without locations.
inline std::string textOf(const compiler::TracedKernel &kernel) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  mlir::ModuleOp(*kernel.module->op).print(stream);
  return text;
}

template <class Lambda> std::string tracedText(Lambda lambda) { return textOf(traceOf(lambda)); }

/// The ops of the kernel's body by name, in their order.
inline std::vector<std::string> opsOf(const compiler::TracedKernel &kernel) {
  std::vector<std::string> names;
  mlir::ModuleOp(*kernel.module->op).walk([&](mlir::Operation *op) {
    if (op->getParentOp() && op->getParentOp()->getParentOp())
      names.push_back(op->getName().getStringRef().str());
  });
  return names;
}

/// The C++ lines of the ops with a name, in their order.
inline std::vector<int> linesOf(const compiler::TracedKernel &kernel, llvm::StringRef opName) {
  std::vector<int> lines;
  mlir::ModuleOp(*kernel.module->op).walk([&](mlir::Operation *op) {
    if (op->getName().getStringRef() == opName)
      lines.push_back(static_cast<int>(llvm::cast<mlir::FileLineColLoc>(op->getLoc()).getLine()));
  });
  return lines;
}

/// How often a piece occurs in a text.
inline int count(const std::string &text, const std::string &piece) {
  int found = 0;
  for (std::size_t at = text.find(piece); at != std::string::npos; at = text.find(piece, at + 1))
    ++found;
  return found;
}

} // namespace trowel::test

/// Whether a text contains each of the pieces, in their order.
#define EXPECT_IN_ORDER(text, ...)                                                                 \
  do {                                                                                             \
    const std::string whole = (text);                                                              \
    std::size_t from = 0;                                                                          \
    for (const char *piece : {__VA_ARGS__}) {                                                      \
      std::size_t found = whole.find(piece, from);                                                 \
      EXPECT_NE(found, std::string::npos) << "missing: " << piece << "\nin:\n" << whole;           \
      from = found == std::string::npos ? from : found + 1;                                        \
    }                                                                                              \
  } while (false)
