// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The stock O3 pipeline, with seven decisions that are not stock.
//
// - The PassBuilder gets the TargetMachine. Without it the passes believe in a machine without
//   divergence, and jump threading may re-route edges round a reconvergence point: shuffles and
//   barriers then hang or read the wrong lanes.
// - No library function exists. A GPU has no libm, so nothing may become a call to one, and no call
//   may be folded by the host's.
// - No vectoriser. Lanes are the vectors here; what is packed (bf16x2) was packed by the lowering.
// - Loops stay loops unless their metadata says otherwise. Loops that the author wanted unrolled
//   were plain C++ loops and never got here, and ptxas unrolls by its own knowledge of the
//   pipeline.
// - No `contract`. Which products fuse with an addition was decided before, by rules that the user
//   can read; with the flag gone every add, sub and mul prints `.rn` and ptxas leaves it alone.
// - Sums that an address truncates are hidden from the back end, which takes constants out of
//   addresses: of sext(trunc(a - 3)) it makes sext(trunc(a)) - 3, since a - 3 does not wrap. But
//   the truncations may: of 128 to 8 bits, -128 - 3 is not 125. (LLVM 22; reported as
//   github.com/llvm/llvm-project/pull/221381.) What is frozen it does not look into, and `freeze`
//   is no instruction. Rejected: leaving that pass out, which keeps an address in one register.
// - Comparisons of two numbers of the same sign are signed. LLVM prefers the unsigned one, and
//   ptxas 13.0 (with it the driver, 580.159) then compares a loop's counter after the step instead
//   of before it, with the constant moved by the step, though the counter passes 0 by that step:
//
//     for (i = −4; i < −1; i += 2)   i <u −3, then i += 2   becomes   i += 2, then i <u −1
//
//   which is true of 0, and the loop never ends. Signed, −2 + 2 < −1 is false as it must be.
#include "compiler/ptx/OptimizeLlvm.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"

namespace trowel::compiler {

static void forbidContraction(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (llvm::isa<llvm::FPMathOperator>(instruction))
        instruction.setHasAllowContract(false);
}

/// Whether instruction selection, which takes (a < b ? a : b) for min.f32, changes the sign of a
/// zero by it: the comparison calls −0 and 0 equal, min.f32 does not.
static bool losesSignOfZero(llvm::SelectInst &select, llvm::FCmpInst &compare) {
  llvm::Value *a = nullptr, *b = nullptr;
  auto flavor = llvm::matchSelectPattern(&select, a, b).Flavor;
  if (flavor != llvm::SPF_FMINNUM && flavor != llvm::SPF_FMAXNUM)
    return false;
  const llvm::APFloat *bound = nullptr;
  if (!llvm::PatternMatch::match(compare.getOperand(1), llvm::PatternMatch::m_APFloat(bound)))
    return true;
  if (!bound->isZero())
    return false;
  // (a > 0 ? a : 0) and (a < −0 ? a : −0) give the zero that max and min give.
  bool boundIsKept = select.getFalseValue() == compare.getOperand(1);
  return !boundIsKept || bound->isNegative() != (flavor == llvm::SPF_FMINNUM);
}

/// Spells such choices by the inverse comparison, which is selected as it stands.
static void keepSignsOfZeros(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      auto *select = llvm::dyn_cast<llvm::SelectInst>(&instruction);
      auto *compare = select ? llvm::dyn_cast<llvm::FCmpInst>(select->getCondition()) : nullptr;
      if (!compare || !losesSignOfZero(*select, *compare))
        continue;
      auto *inverse = llvm::cast<llvm::Instruction>(compare->clone());
      llvm::cast<llvm::FCmpInst>(inverse)->setPredicate(compare->getInversePredicate());
      inverse->insertBefore(select->getIterator());
      select->setCondition(inverse);
      select->swapValues();
      select->swapProfMetadata();
    }
}

/// The truncations in the sums that make an index.
static void findTruncations(llvm::Value *index, llvm::SmallSetVector<llvm::Value *, 16> &seen) {
  llvm::SmallVector<llvm::Value *> work{index};
  while (!work.empty()) {
    auto *user = llvm::dyn_cast<llvm::Instruction>(work.pop_back_val());
    if (!user || !seen.insert(user))
      continue;
    switch (user->getOpcode()) {
    case llvm::Instruction::Add:
    case llvm::Instruction::Sub:
    case llvm::Instruction::Or:
    case llvm::Instruction::Xor:
    case llvm::Instruction::SExt:
    case llvm::Instruction::ZExt:
    case llvm::Instruction::Trunc:
      llvm::append_range(work, user->operands());
      break;
    default:
      break;
    }
  }
}

static void freezeTruncatedSums(llvm::Module &module) {
  llvm::SmallSetVector<llvm::Value *, 16> seen;
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction))
        for (llvm::Value *index : address->indices())
          findTruncations(index, seen);
  for (llvm::Value *value : seen)
    if (auto *truncation = llvm::dyn_cast<llvm::TruncInst>(value);
        truncation && llvm::isa<llvm::BinaryOperator, llvm::CastInst>(truncation->getOperand(0)))
      truncation->setOperand(
          0, new llvm::FreezeInst(truncation->getOperand(0), "", truncation->getIterator()));
}

static void compareWithSigns(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *compare = llvm::dyn_cast<llvm::ICmpInst>(&instruction);
          compare && compare->hasSameSign()) {
        compare->setPredicate(compare->getSignedPredicate());
        compare->setSameSign(false);
      }
}

void optimizeLlvm(llvm::Module &module, llvm::TargetMachine &machine) {
  forbidContraction(module);

  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = false;
  tuning.LoopInterleaving = false;
  tuning.SLPVectorization = false;
  tuning.LoopUnrolling = false;
  llvm::PassBuilder builder(&machine, tuning);

  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  // The first registration of an analysis wins, so this one goes before the builder's.
  llvm::TargetLibraryInfoImpl noLibrary(machine.getTargetTriple());
  noLibrary.disableAllFunctions();
  functions.registerPass([&] { return llvm::TargetLibraryAnalysis(noLibrary); });
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);

  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3).run(module, modules);
  // Last, for the optimiser prefers the other spelling.
  keepSignsOfZeros(module);
  freezeTruncatedSums(module);
  compareWithSigns(module);
}

} // namespace trowel::compiler
