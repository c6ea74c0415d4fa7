// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Translate, check, optimise, emit; and whatever goes wrong on the way becomes one PtxFailure.
//
// There are four ways to fail. MLIR's translation emits a diagnostic on the MLIRContext. The check
// before the optimiser finds what NVPTX is known not to select. LLVM reports an error to its
// context, and goes on. LLVM gives up altogether, which arrives as a FatalBackEndError thrown
// through its frames. The first report is the cause, later ones are its echo, so the first is kept.
//
// After the fourth kind LLVM's objects are in no state that anybody knows: half-run passes, values
// still in use. Destroying them may crash, so the whole Compilation is abandoned, that is leaked on
// purpose, about 1 MB for each such failure; the next compile gets a new one. This is why the
// objects live in a struct on the heap and not in locals, whose destructors would run as the
// exception leaves.
//
// One pass of the back end is left out: straight line strength reduction walks whole expressions
// for each base that it might share. In unrolled integer arithmetic it took 10 s for 1000
// instructions, 30 s for 2000, and all else together 0.4 s. The PTX of the examples is the same.
//
// LLVM's texts hold addresses of its nodes ("0x55fbeaa010e0: f32 = fpow"). They mean nothing to a
// reader and change from run to run, so they are taken out.
#include "compiler/ptx/EmitPtx.h"

#include "compiler/ptx/CheckSelectable.h"
#include "compiler/ptx/DebugScopes.h"
#include "compiler/ptx/LlvmProcess.h"
#include "compiler/ptx/MathLibrary.h"
#include "compiler/ptx/OptimizeLlvm.h"
#include "compiler/ptx/PtxasFaults.h"
#include "compiler/ptx/TranslateToLlvm.h"

#include "mlir/IR/Diagnostics.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/OptBisect.h"
#include "llvm/Target/TargetMachine.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>

namespace trowel::compiler {

namespace {

/// The text without LLVM's addresses.
std::string withoutAddresses(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> words;
  text.split(words, ' ', -1, /*KeepEmpty=*/false);
  llvm::erase_if(words, [](llvm::StringRef word) { return word.starts_with("0x"); });
  return llvm::join(words, " ").substr(0, 300);
}

/// Takes ", file:line:column" off the end of a text, where LLVM prints the place of a node.
void takePlace(llvm::StringRef &text, std::string &file, int &line) {
  auto [message, place] = text.rsplit(", ");
  auto [fileAndLine, column] = place.rsplit(':');
  auto [name, row] = fileAndLine.rsplit(':');
  int number;
  if (name.empty() || !llvm::all_of(column, llvm::isDigit) || row.getAsInteger(10, number))
    return;
  text = message;
  file = name.str();
  line = number;
}

struct SkipStrengthReduction : llvm::OptPassGate {
  bool isEnabled() const override { return true; }
  bool shouldRunPass(llvm::StringRef pass, llvm::StringRef) const override {
    return pass != "slsr"; // the name that -opt-bisect-limit prints
  }
};

/// Everything that one compile makes of LLVM, so that it can be destroyed or abandoned as a whole.
struct Compilation {
  explicit Compilation(const Target &target) : target(target) {
    context.setDiagnosticHandlerCallBack(onLlvmDiagnostic, this);
    context.setOptPassGate(gate);
  }

  std::string emit(mlir::ModuleOp source, const PtxInspection &inspection);
  void fail(std::string file, int line, std::string text) {
    if (!failure)
      failure = PtxFailure{std::move(file), line, std::move(text)};
  }
  void failInLlvm(std::string file, int line, llvm::StringRef text) {
    text =
        text.split('\n').first; // what follows are the node's operands and a plea for a bug report
    if (line == 0)
      takePlace(text, file, line);
    fail(std::move(file), line,
         fmt::format("LLVM's back end refused the code for {}: {}", target.name,
                     withoutAddresses(text)));
  }

  static void onLlvmDiagnostic(const llvm::DiagnosticInfo *info, void *compilation);

  const Target &target;
  std::optional<PtxFailure> failure;
  SkipStrengthReduction gate;
  llvm::LLVMContext context;
  std::unique_ptr<llvm::TargetMachine> machine;
  std::unique_ptr<llvm::Module> module;
  llvm::SmallString<0> ptx;
  llvm::raw_svector_ostream stream{ptx};
  llvm::legacy::PassManager passes;
};

void Compilation::onLlvmDiagnostic(const llvm::DiagnosticInfo *info, void *compilation) {
  if (info->getSeverity() != llvm::DS_Error)
    return;
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (const auto *unsupported = llvm::dyn_cast<llvm::DiagnosticInfoUnsupported>(info)) {
    stream << unsupported->getMessage(); // its print() would add the place once more
  } else {
    llvm::DiagnosticPrinterRawOStream printer(stream);
    info->print(printer);
  }
  std::string file;
  int line = 0;
  // The base class of all that have a place is no part of LLVM's own class hierarchy.
  if (const auto *located = dynamic_cast<const llvm::DiagnosticInfoWithLocationBase *>(info);
      located && located->isLocationAvailable()) {
    file = located->getLocation().getRelativePath().str();
    line = static_cast<int>(located->getLocation().getLine());
  }
  static_cast<Compilation *>(compilation)->failInLlvm(file, line, text);
}

std::string Compilation::emit(mlir::ModuleOp source, const PtxInspection &inspection) {
  using Clock = std::chrono::steady_clock;
  auto start = Clock::now();
  auto lap = [&](double PtxTimes::*step) {
    auto now = Clock::now();
    if (inspection.times)
      inspection.times->*step = std::chrono::duration<double>(now - start).count();
    start = now;
  };

  int version = target.ptxVersion;
  if (auto needed = source->getAttrOfType<mlir::IntegerAttr>(ptxVersionAttr))
    version = std::max(version, static_cast<int>(needed.getInt()));
  machine = createTargetMachine(target, version);
  {
    mlir::ScopedDiagnosticHandler handler(source.getContext(), [&](mlir::Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() != mlir::DiagnosticSeverity::Error)
        return;
      mlir::FileLineColLoc line = sourceLine(diagnostic.getLocation());
      fail(line ? line.getFilename().str() : "", line ? static_cast<int>(line.getLine()) : 0,
           fmt::format("the kernel does not translate to LLVM IR: {}", diagnostic.str()));
    });
    module = translateToLlvm(source, context, *machine);
  }
  if (module)
    linkMathLibrary(*module);
  if (!module)
    fail("", 0, "the kernel does not translate to LLVM IR");
  else if (std::optional<PtxFailure> found = findUnselectable(*module, target))
    failure = found;
  lap(&PtxTimes::translate);
  if (failure)
    return "";

  optimizeLlvm(*module, *machine);
  if (inspection.llvmText) {
    llvm::raw_string_ostream text(*inspection.llvmText = "");
    module->print(text, nullptr);
  }
  lap(&PtxTimes::optimize);
  if (failure)
    return "";

  if (machine->addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::AssemblyFile))
    fail("", 0, "LLVM's NVPTX back end does not print assembly");
  else
    passes.run(*module);
  std::string text = failure ? "" : avoidPtxasFaults(std::string(ptx));
  lap(&PtxTimes::emit);
  return text;
}

} // namespace

PtxResult emitPtx(mlir::ModuleOp module, const Target &target, const PtxInspection &inspection) {
  initializeLlvm();
  auto compilation = std::make_unique<Compilation>(target);
  try {
    CatchFatalErrors here;
    std::string ptx = compilation->emit(module, inspection);
    if (compilation->failure)
      return *compilation->failure;
    return ptx;
  } catch (const FatalBackEndError &error) {
    compilation->failInLlvm("", 0, error.text);
    return *compilation.release()->failure;
  }
}

} // namespace trowel::compiler
