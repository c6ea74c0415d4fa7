// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Links libclc's mathematical functions into a kernel.
//
// A GPU has no libm. Debian's libclc has one for NVPTX as LLVM bitcode, exact to 1 ulp in f64 and
// to 3 in f32 (measured over 17 million numbers; tests hold the language's bounds). The functions
// that Trowel uses are extracted when it is built, about 70 kB, and lie in the library as data: a
// user's machine needs no file.
//
// The bitcode is read lazily and only what is called is linked, so a kernel without such a function
// pays nothing, and one with `sin` about a millisecond. Everything is inlined: a call costs a PTX
// function its registers, and the software device executes none.
//
// Two things are changed on the way in. `fmuladd` may become one instruction or two by the back
// end's choice; it is made an fma, which is what the bounds were measured with. The functions'
// target attributes name an old PTX version, and would forbid inlining.
//
// Rejected: NVIDIA's libdevice (its licence, and it is not there without a CUDA toolkit); libclc
// for exp, exp2, log, log2 and tanh of f32, which our own sequences compute faster and without
// tables.
#include "compiler/ptx/MathLibrary.h"

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/MemoryBuffer.h"

namespace trowel::compiler {

static constexpr unsigned char bitcode[] = {
#embed "libclc-functions.bc"
};

static std::unique_ptr<llvm::Module> readLibrary(llvm::LLVMContext &context) {
  llvm::StringRef bytes(reinterpret_cast<const char *>(bitcode), sizeof bitcode);
  return llvm::cantFail(
      llvm::getLazyBitcodeModule(llvm::MemoryBufferRef(bytes, "libclc"), context));
}

static bool needsLibrary(const llvm::Module &module) {
  return llvm::any_of(module, [](const llvm::Function &function) {
    return function.isDeclaration() && function.getName().starts_with("_Z");
  });
}

static void fuseMultiplyAdds(llvm::Function &function) {
  for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    if (!call || call->getIntrinsicID() != llvm::Intrinsic::fmuladd)
      continue;
    llvm::IRBuilder<> builder(call);
    llvm::Value *fused = builder.CreateIntrinsic(
        llvm::Intrinsic::fma, {call->getType()},
        {call->getArgOperand(0), call->getArgOperand(1), call->getArgOperand(2)});
    call->replaceAllUsesWith(fused);
    call->eraseFromParent();
  }
}

void linkMathLibrary(llvm::Module &module) {
  if (!needsLibrary(module))
    return;
  llvm::SmallPtrSet<const llvm::Function *, 8> own;
  for (const llvm::Function &function : module)
    if (!function.isDeclaration())
      own.insert(&function);

  std::unique_ptr<llvm::Module> library = readLibrary(module.getContext());
  library->setTargetTriple(module.getTargetTriple());
  library->setDataLayout(module.getDataLayout());
  [[maybe_unused]] bool failed =
      llvm::Linker::linkModules(module, std::move(library), llvm::Linker::LinkOnlyNeeded);
  assert(!failed && "libclc's bitcode and the module agree on target and names");

  for (llvm::Function &function : module) {
    if (function.isDeclaration() || own.contains(&function))
      continue;
    function.setLinkage(llvm::GlobalValue::InternalLinkage);
    function.setVisibility(llvm::GlobalValue::DefaultVisibility);
    function.setAttributes(llvm::AttributeList());
    function.addFnAttr(llvm::Attribute::AlwaysInline);
    fuseMultiplyAdds(function);
  }
  for (llvm::GlobalVariable &table : module.globals())
    if (table.hasInitializer()) {
      table.setLinkage(llvm::GlobalValue::InternalLinkage);
      table.setVisibility(llvm::GlobalValue::DefaultVisibility);
    }
}

} // namespace trowel::compiler
