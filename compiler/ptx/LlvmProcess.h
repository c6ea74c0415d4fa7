// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What LLVM keeps once per process: the NVPTX target, global options, the fatal-error handler.
#pragma once

#include "compiler/Target.h"

#include <memory>
#include <string>

namespace llvm {
class TargetMachine;
}

namespace trowel::compiler {

/// What LLVM said as it gave up. Thrown through LLVM's frames, so its objects are in no known
/// state: whoever catches it must abandon them, not destroy them.
struct FatalBackEndError {
  std::string text;
};

/// While one lives, a fatal error of LLVM on this thread is a FatalBackEndError; elsewhere it still
/// ends the process, as LLVM intends.
class CatchFatalErrors {
public:
  CatchFatalErrors();
  ~CatchFatalErrors();
  CatchFatalErrors(const CatchFatalErrors &) = delete;
  CatchFatalErrors &operator=(const CatchFatalErrors &) = delete;

private:
  const void *stackOfNotes;
};

/// Prepares LLVM; all calls but the first in a process return at once.
void initializeLlvm();

/// The machine that optimises and emits for `target` in a PTX `.version`, times ten. Requires
/// initializeLlvm().
std::unique_ptr<llvm::TargetMachine> createTargetMachine(const Target &target, int ptxVersion);

} // namespace trowel::compiler
