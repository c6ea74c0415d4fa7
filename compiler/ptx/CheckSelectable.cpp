// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A back end that meets something it cannot select says "Cannot select: 0x55fb.. = fpow" and ends
// the process. The handlers in EmitPtx.cpp survive that, but they know neither the line nor a way
// out; this check does, and runs while every instruction still has the line of the op that it came
// from.
//
// The table below is not from a manual: each intrinsic was compiled by LLVM 22's llc for sm_80 and
// sm_90a in f16, bf16, f32, f64 and vectors, with and without `afn`, and stands here if that
// failed. It runs before the optimiser, so that nothing on the list is folded or rewritten with the
// host's libm first.
//
// Calls to functions that nobody defines compile to PTX, and the driver then refuses it with a link
// error that names no line; so they are refused here too. The few that the driver provides itself
// pass.
//
// Integers: LLVM splits widths up to 128 bits, beyond that only some; the language ends at 64.
#include "compiler/ptx/CheckSelectable.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace trowel::compiler {

namespace {

enum class Selects {
  Never,
  /// Except in f64.
  NotDouble,
  /// Except in f64, and only as the hardware's approximation, which the flag `afn` asks for.
  Approximately,
};

constexpr std::pair<llvm::Intrinsic::ID, Selects> mathIntrinsics[] = {
    {llvm::Intrinsic::acos, Selects::Never},         {llvm::Intrinsic::asin, Selects::Never},
    {llvm::Intrinsic::atan, Selects::Never},         {llvm::Intrinsic::atan2, Selects::Never},
    {llvm::Intrinsic::cos, Selects::Approximately},  {llvm::Intrinsic::cosh, Selects::Never},
    {llvm::Intrinsic::exp, Selects::Never},          {llvm::Intrinsic::exp10, Selects::Never},
    {llvm::Intrinsic::exp2, Selects::NotDouble},     {llvm::Intrinsic::llrint, Selects::Never},
    {llvm::Intrinsic::llround, Selects::Never},      {llvm::Intrinsic::log, Selects::Never},
    {llvm::Intrinsic::log10, Selects::Never},        {llvm::Intrinsic::log2, Selects::Never},
    {llvm::Intrinsic::lrint, Selects::Never},        {llvm::Intrinsic::lround, Selects::Never},
    {llvm::Intrinsic::modf, Selects::Never},         {llvm::Intrinsic::pow, Selects::Never},
    {llvm::Intrinsic::powi, Selects::Never},         {llvm::Intrinsic::sin, Selects::Approximately},
    {llvm::Intrinsic::sincos, Selects::Never},       {llvm::Intrinsic::sincospi, Selects::Never},
    {llvm::Intrinsic::sinh, Selects::Never},         {llvm::Intrinsic::tan, Selects::Never},
    {llvm::Intrinsic::tanh, Selects::Approximately},
};

std::string nameOf(const llvm::Type *type) {
  std::string name;
  llvm::raw_string_ostream(name) << *type;
  return name;
}

std::string refuseMath(const llvm::IntrinsicInst &call) {
  const auto *row = std::ranges::find(mathIntrinsics, call.getIntrinsicID(),
                                      &std::pair<llvm::Intrinsic::ID, Selects>::first);
  if (row == std::end(mathIntrinsics))
    return "";
  const llvm::Type *type = call.getArgOperand(0)->getType();
  bool isDouble = type->getScalarType()->isDoubleTy();
  std::string what =
      fmt::format("{} on {}", llvm::Intrinsic::getBaseName(row->first).str(), nameOf(type));
  if (row->second == Selects::Never || isDouble)
    return fmt::format(
        "{} has no PTX instruction, and a GPU has no libm to call: it must be expanded into "
        "other operations before PTX is emitted",
        what);
  if (row->second == Selects::Approximately && !call.hasApproxFunc())
    return fmt::format(
        "{} exists in PTX only as an approximation: give the call the flag afn, or expand it "
        "into other operations before PTX is emitted",
        what);
  return "";
}

std::string refuseCall(const llvm::CallBase &call) {
  const llvm::Function *callee = call.getCalledFunction();
  if (!callee || !callee->isDeclaration())
    return "";
  if (const auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call)) {
    if (callee->isTargetIntrinsic() && !callee->getName().starts_with("llvm.nvvm."))
      return fmt::format("{} belongs to another machine than NVPTX", callee->getName().str());
    return refuseMath(*intrinsic);
  }
  static const llvm::StringSet<> fromTheDriver{"vprintf", "malloc", "free", "__assertfail"};
  if (fromTheDriver.contains(callee->getName()))
    return "";
  return fmt::format(
      "calls '{}', which nothing in the module defines and no library on a GPU provides: "
      "define it, or expand the call before PTX is emitted",
      callee->getName().str());
}

std::string refuseType(llvm::Type *type) {
  llvm::Type *element = type->getScalarType();
  if (llvm::isa<llvm::ScalableVectorType>(type))
    return fmt::format("uses {}: a PTX vector has a fixed length", nameOf(type));
  if (element->isFP128Ty() || element->isX86_FP80Ty() || element->isPPC_FP128Ty())
    return fmt::format("uses {}: PTX has no floating type wider than f64", nameOf(type));
  if (element->isIntegerTy() && element->getIntegerBitWidth() > 128)
    return fmt::format("uses {}: PTX's integers have 64 bits, and LLVM splits at most 128",
                       nameOf(type));
  return "";
}

std::string refuseAtomic(const llvm::Instruction &instruction) {
  if (!instruction.isAtomic())
    return "";
  llvm::Type *type = instruction.getType();
  if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    type = store->getValueOperand()->getType();
  else if (const auto *swap = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
    type = swap->getNewValOperand()->getType();
  unsigned bits = type->getPrimitiveSizeInBits();
  return bits > 64 ? fmt::format("an atomic access of {} bits: PTX has at most 64", bits) : "";
}

std::string refuse(const llvm::Instruction &instruction) {
  if (std::string text = refuseType(instruction.getType()); !text.empty())
    return text;
  for (const llvm::Use &operand : instruction.operands())
    if (std::string text = refuseType(operand->getType()); !text.empty())
      return text;
  if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
    return refuseCall(*call);
  if (llvm::isa<llvm::IndirectBrInst>(instruction))
    return "branches to a computed address: PTX branches to labels only";
  return refuseAtomic(instruction);
}

} // namespace

std::optional<PtxFailure> findUnselectable(const llvm::Module &module, const Target &target) {
  for (const llvm::Function &function : module)
    for (const llvm::Instruction &instruction : llvm::instructions(function)) {
      std::string text = refuse(instruction);
      if (text.empty())
        continue;
      PtxFailure failure;
      if (const llvm::DILocation *line = instruction.getDebugLoc()) {
        failure.file = line->getFilename().str();
        failure.line = static_cast<int>(line->getLine());
      }
      failure.text = fmt::format("cannot compile '{}' for {}: {}", function.getName().str(),
                                 target.name, text);
      return failure;
    }
  return std::nullopt;
}

} // namespace trowel::compiler
