// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The last place that knows MLIR. MLIR's own translation does the work: `nvvm.kernel` becomes the
// calling convention ptx_kernel, `nvvm.reqntid` and its like function attributes, argument
// attributes parameter attributes. What it leaves open is decided here: triple and data layout come
// from the target machine, so that the optimiser and the back end cannot disagree, and locations
// get their scopes first. And checks for the software device, which stand in inline assembly that
// must stay, are said to leave all memory alone that a kernel can see; MLIR has no word for that,
// and LLVM would move no load past them.
//
// Before: only LLVM- and NVVM-dialect ops, each with its C++ line. After: a verified llvm::Module
// in which every instruction has the line of its op.
#include "compiler/ptx/TranslateToLlvm.h"

#include "compiler/ptx/DebugScopes.h"
#include "compiler/ptx/EmitPtx.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"

#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

namespace trowel::compiler {

void registerPtxTranslations(mlir::DialectRegistry &registry) {
  mlir::registerBuiltinDialectTranslation(registry);
  mlir::registerLLVMDialectTranslation(registry);
  mlir::registerNVVMDialectTranslation(registry);
}

static void leaveMemoryToChecks(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      auto *text = call ? llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand()) : nullptr;
      if (!text || !text->getAsmString().starts_with("//@sim "))
        continue;
      call->setMemoryEffects(llvm::MemoryEffects::inaccessibleMemOnly());
      call->setDoesNotThrow();
      call->addFnAttr(llvm::Attribute::WillReturn);
    }
}

std::unique_ptr<llvm::Module> translateToLlvm(mlir::ModuleOp module, llvm::LLVMContext &context,
                                              const llvm::TargetMachine &machine) {
  mlir::DialectRegistry registry;
  registerPtxTranslations(registry);
  module.getContext()->appendDialectRegistry(registry);

  attachDebugScopes(module);
  // MLIR would print what LLVM's verifier finds to the error stream; here it becomes a diagnostic.
  std::unique_ptr<llvm::Module> result =
      mlir::translateModuleToLLVMIR(module, context, "trowel", /*disableVerification=*/true);
  if (!result)
    return nullptr;
  leaveMemoryToChecks(*result);
  result->setTargetTriple(machine.getTargetTriple());
  result->setDataLayout(machine.createDataLayout());
  std::string fault;
  llvm::raw_string_ostream stream(fault);
  if (llvm::verifyModule(*result, &stream)) {
    module.emitError("LLVM's verifier says: ") << llvm::StringRef(fault).split('\n').first;
    return nullptr;
  }
  return result;
}

} // namespace trowel::compiler
