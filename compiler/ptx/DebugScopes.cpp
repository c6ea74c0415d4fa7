// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PTX names the C++ line of each instruction by `.file` and `.loc`; profilers, the software
// device's findings and our own error messages live on them. LLVM keeps the line of an instruction
// only inside a DISubprogram, and MLIR translates a location only if its function carries one.
//
// So each function gets a subprogram in a compile unit of kind DebugDirectivesOnly: `.file` and
// `.loc` without debug sections. (LineTablesOnly would print `.target sm_90a, debug`, and with that
// ptxas drops setmaxnreg and serialises wgmma.) An instruction has no file of its own in LLVM, only
// its scope has one; ops of another file, such as a library function's header, therefore get a
// lexical-block-file scope.
//
// The directory of every file stays empty: `.file` then prints exactly the name in the
// FileLineColLoc, and the PTX is the same bytes on every machine.
//
// Rejected: MLIR's pass ensure-debug-info-scope-on-llvm-func. It splits the name into a directory
// and a file, gives all ops of a function the function's file, and a compile unit per function.
#include "compiler/ptx/DebugScopes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/BinaryFormat/Dwarf.h"

namespace trowel::compiler {

using namespace mlir;

FileLineColLoc sourceLine(Location location) {
  return llvm::TypeSwitch<LocationAttr, FileLineColLoc>(location)
      .Case([](FileLineColLoc line) { return line; })
      .Case([](NameLoc named) { return sourceLine(named.getChildLoc()); })
      .Case([](CallSiteLoc call) { return sourceLine(call.getCallee()); })
      .Case([](OpaqueLoc opaque) { return sourceLine(opaque.getFallbackLocation()); })
      .Case([](FusedLoc fused) -> FileLineColLoc {
        for (Location part : fused.getLocations())
          if (FileLineColLoc line = sourceLine(part))
            return line;
        return nullptr;
      })
      .Default([](LocationAttr) -> FileLineColLoc { return nullptr; });
}

namespace {

/// The function's own line, or that of the first op in it that has one.
FileLineColLoc lineOfFunction(LLVM::LLVMFuncOp function) {
  FileLineColLoc found = sourceLine(function.getLoc());
  if (!found)
    function.walk([&](Operation *op) {
      found = sourceLine(op->getLoc());
      return found ? WalkResult::interrupt() : WalkResult::advance();
    });
  return found;
}

LLVM::DIFileAttr fileOf(FileLineColLoc line) {
  return LLVM::DIFileAttr::get(line.getContext(), line.getFilename(),
                               StringAttr::get(line.getContext(), ""));
}

void attachTo(LLVM::LLVMFuncOp function, FileLineColLoc start, LLVM::DICompileUnitAttr unit) {
  MLIRContext *context = function.getContext();
  LLVM::DIFileAttr file = fileOf(start);
  StringAttr name = StringAttr::get(context, function.getName());
  auto type = LLVM::DISubroutineTypeAttr::get(context, llvm::dwarf::DW_CC_normal, {});
  auto flags = LLVM::DISubprogramFlags::Definition | LLVM::DISubprogramFlags::Optimized;
  auto subprogram = LLVM::DISubprogramAttr::get(
      context, DistinctAttr::create(UnitAttr::get(context)), unit, file, name, name, file,
      start.getLine(), start.getLine(), flags, type, /*retainedNodes=*/{}, /*annotations=*/{});

  llvm::DenseMap<StringAttr, Attribute> blocks;
  function.walk([&](Operation *op) {
    if (op == function)
      return;
    FileLineColLoc line = sourceLine(op->getLoc());
    if (!line) {
      op->setLoc(UnknownLoc::get(context));
    } else if (line.getFilename() == start.getFilename()) {
      op->setLoc(line);
    } else {
      Attribute &block = blocks[line.getFilename()];
      if (!block)
        block = LLVM::DILexicalBlockFileAttr::get(context, subprogram, fileOf(line), 0);
      op->setLoc(FusedLoc::get(context, {line}, block));
    }
  });
  function->setLoc(FusedLoc::get(context, {start}, subprogram));
}

} // namespace

void attachDebugScopes(ModuleOp module) {
  LLVM::DICompileUnitAttr unit;
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
    if (function.isExternal())
      continue;
    FileLineColLoc start = lineOfFunction(function);
    if (!start)
      continue;
    MLIRContext *context = module.getContext();
    if (!unit)
      unit = LLVM::DICompileUnitAttr::get(DistinctAttr::create(UnitAttr::get(context)),
                                          llvm::dwarf::DW_LANG_C_plus_plus_14, fileOf(start),
                                          StringAttr::get(context, "trowel"), /*isOptimized=*/true,
                                          LLVM::DIEmissionKind::DebugDirectivesOnly);
    attachTo(function, start, unit);
  }
}

} // namespace trowel::compiler
