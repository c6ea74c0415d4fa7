// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM has state per process. Trowel links LLVM statically and exports none of it, so this state is
// Trowel's alone even in a process that holds another LLVM, and it may be set without asking.
//
// Fatal errors. What the back end cannot handle ends in report_fatal_error, whose default is to end
// the process: out of the question in a library. LLVM calls a handler first, and the handler may
// throw: LLVM's frames have unwind tables and no destructors run in them, so memory leaks and
// nothing else happens. The handler is one per process while compiles are many, so it throws only
// on threads that are inside emitPtx; a flag of the thread says so. Locks: report_fatal_error holds
// none while the handler runs.
//
// Constant folding. LLVM folds calls such as llvm.exp2(1.5) with the host's libm, which differs
// between hosts and from the device's instruction. One option, off by default and reachable only by
// name, turns off the folding of every call on floating values, exact ones too; MLIR's folders did
// those already.
//
// Contraction. `Strict` forbids the back end to fuse a multiply and an add. Each prints with `.rn`,
// which forbids it to ptxas as well.
#include "compiler/ptx/LlvmProcess.h"

#include "llvm-c/Target.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Triple.h"

#include <fmt/format.h>

#include <cassert>
#include <mutex>

extern "C" {
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
}

namespace trowel::compiler {

namespace {

thread_local int fatalErrorsCaught = 0;

void throwFatalError(void *, const char *reason, bool) {
  if (fatalErrorsCaught > 0)
    throw FatalBackEndError{reason};
}

void disableFoldingByHostMath() {
  auto &options = llvm::cl::getRegisteredOptions();
  auto found = options.find("disable-fp-call-folding");
  assert(found != options.end() && "LLVM renamed the option; determinism depends on it");
  static_cast<llvm::cl::opt<bool> *>(found->second)->setValue(true);
}

} // namespace

// LLVM's passes note what they are doing in a list that runs through their stack frames, for a
// crash report. Frames that an exception skips do not take their notes off, so the head of the list
// is put back here.
CatchFatalErrors::CatchFatalErrors() : stackOfNotes(llvm::SavePrettyStackState()) {
  ++fatalErrorsCaught;
}
CatchFatalErrors::~CatchFatalErrors() {
  --fatalErrorsCaught;
  llvm::RestorePrettyStackState(stackOfNotes);
}

void initializeLlvm() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    disableFoldingByHostMath();
    llvm::install_fatal_error_handler(throwFatalError);
  });
}

std::unique_ptr<llvm::TargetMachine> createTargetMachine(const Target &target, int ptxVersion) {
  llvm::Triple triple("nvptx64-nvidia-cuda");
  std::string error;
  const llvm::Target *nvptx = llvm::TargetRegistry::lookupTarget(triple, error);
  assert(nvptx && "initializeLlvm registers it");
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
  return std::unique_ptr<llvm::TargetMachine>(nvptx->createTargetMachine(
      triple, target.name, fmt::format("+ptx{}", ptxVersion), options, llvm::Reloc::PIC_,
      std::nullopt, llvm::CodeGenOptLevel::Aggressive));
}

} // namespace trowel::compiler
