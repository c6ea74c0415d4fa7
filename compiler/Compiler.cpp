// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A traced kernel in, a kernel image out.
//
// Everything that can go wrong on the way arrives as MLIR diagnostics or as a failure of the back
// end; both become one CompileFailure, at the first location that a user knows. The manifest is
// written here, from the kernel's signature before the passes and from what they decided.

#include "compiler/Compiler.h"

#include "compiler/Pipeline.h"
#include "compiler/Target.h"
#include "compiler/analysis/PointerOrigins.h"
#include "compiler/lowering/Shared.h"
#include "compiler/ptx/DebugScopes.h"
#include "compiler/ptx/EmitPtx.h"
#include "dialect/TileDialect.h"
#include "dialect/layout/Print.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "llvm/ADT/SetVector.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

using namespace mlir;
using namespace trowel;
using namespace trowel::compiler;
using namespace trowel::tile;

void compiler::registerDialects(DialectRegistry &registry) {
  registry.insert<TileDialect, arith::ArithDialect, math::MathDialect, func::FuncDialect,
                  scf::SCFDialect, cf::ControlFlowDialect, LLVM::LLVMDialect, NVVM::NVVMDialect>();
  registerBuiltinModels(registry);
  registerPtxTranslations(registry);
}

namespace {
/// Keeps the first error that is reported while it lives; nothing is printed.
class FirstError {
public:
  explicit FirstError(MLIRContext *context)
      : handler(context, [this](Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() == DiagnosticSeverity::Error && failure.text.empty()) {
            failure.text = diagnostic.str();
            if (FileLineColLoc line = sourceLine(diagnostic.getLocation())) {
              failure.file = line.getFilename().str();
              failure.line = line.getLine();
            }
          }
          return success();
        }) {}

  CompileFailure take(const std::string &kernel) {
    failure.kernel = kernel;
    if (failure.text.empty())
      failure.text = "the compiler failed without saying why; please report this kernel";
    return failure;
  }

private:
  CompileFailure failure;
  ScopedDiagnosticHandler handler;
};

/// The element type of a pointee or scalar; nothing for types that no launch passes. The integers
/// of MLIR have no sign; what the argument's attribute says decides.
std::optional<ElementType> elementType(Type type, bool isUnsigned) {
  struct Row {
    unsigned bits;
    ElementType isSigned, isUnsigned;
  };
  static constexpr Row integers[] = {{1, ElementType::Bool, ElementType::Bool},
                                     {8, ElementType::Int8, ElementType::UInt8},
                                     {16, ElementType::Int16, ElementType::UInt16},
                                     {32, ElementType::Int32, ElementType::UInt32},
                                     {64, ElementType::Int64, ElementType::UInt64}};
  for (const Row &row : integers)
    if (type.isInteger(row.bits))
      return isUnsigned ? row.isUnsigned : row.isSigned;
  if (type.isF16())
    return ElementType::Float16;
  if (type.isBF16())
    return ElementType::BFloat16;
  if (type.isF32())
    return ElementType::Float32;
  if (type.isF64())
    return ElementType::Float64;
  return std::nullopt;
}

/// The arguments through which the kernel may write: those that a store's address may be computed
/// from.
llvm::SmallSetVector<BlockArgument, 4> writtenArguments(func::FuncOp kernel) {
  llvm::SmallSetVector<BlockArgument, 4> written;
  kernel.walk([&](StoreOp store) { written.insert_range(argumentsBehind(store.getPointer())); });
  return written;
}

/// What the manifest says of a print or check.
RecordSite siteOf(RecordOp op) {
  RecordSite site;
  site.isCheck = op.getFailure();
  if (FileLineColLoc line = sourceLine(op.getLoc())) {
    site.file = line.getFilename().str();
    site.line = static_cast<int>(line.getLine());
  }
  if (op.getShapeType())
    for (int64_t extent : extentsOf(op.getShapeType()))
      site.extents.push_back(extent);
  std::optional<ArrayRef<bool>> isUnsigned = op.getUnsignedValues();
  for (auto [index, value] : llvm::enumerate(op.getValues()))
    site.types.push_back(
        *elementType(elementTypeOf(value.getType()), isUnsigned && (*isUnsigned)[index]));
  for (StringRef text : op.getTexts().getAsValueRange<StringAttr>())
    site.texts.push_back(text.str());
  return site;
}

/// The only kernel of a module.
FailureOr<func::FuncOp> findKernel(ModuleOp module) {
  func::FuncOp kernel;
  for (func::FuncOp function : module.getOps<func::FuncOp>())
    if (function->hasAttr(TileDialect::kernelAttr)) {
      if (kernel)
        return function.emitError("is a second kernel beside '")
               << kernel.getName() << "'; a module has one";
      kernel = function;
    }
  if (!kernel)
    return module.emitError("has no kernel: no func.func with the attribute tile.kernel");
  return kernel;
}

/// Notes what each pass takes. A pass that only runs others, on the functions of the module, has no
/// name of its own.
class PassClock : public PassInstrumentation {
public:
  explicit PassClock(std::vector<StepTime> &times) : times(times) {}
  void runBeforePass(Pass *, Operation *) override { start = std::chrono::steady_clock::now(); }
  void runAfterPass(Pass *pass, Operation *) override {
    if (!pass->getArgument().empty())
      times.push_back({pass->getArgument().str(), secondsSince(start)});
  }

  static double secondsSince(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }

private:
  std::vector<StepTime> &times;
  std::chrono::steady_clock::time_point start;
};

/// One compilation: a copy of the module and the stages that it goes through.
class Compilation {
public:
  Compilation(ModuleOp traced, const CompileOptions &options)
      : options(options), errors(traced.getContext()), module(traced.clone()) {}

  /// Finds kernel and target and records the signature.
  LogicalResult begin() {
    FailureOr<func::FuncOp> only = findKernel(*module);
    if (failed(only))
      return failure();
    kernel = *only;
    name = kernel.getName().str();
    if (!kernel.getBody().hasOneBlock())
      return kernel.emitError("has ")
             << kernel.getBody().getBlocks().size()
             << " blocks, but a kernel has one; write loops and branches as scf ops";
    Result<const Target *> found = findTarget(options.target);
    if (!found)
      return kernel.emitError(found.error());
    target = *found;
    manifest.kernel = manifest.entry = name;
    manifest.target = target->name;
    return recordParameters();
  }

  LogicalResult assignLayouts() {
    PassManager manager(module->getContext());
    if (times)
      manager.addInstrumentation(std::make_unique<PassClock>(*times));
    buildLayoutPipeline(manager, options);
    if (failed(manager.run(*module)))
      return failure();
    recordDecisions();
    return success();
  }

  LogicalResult lower() {
    PassManager manager(module->getContext());
    if (times)
      manager.addInstrumentation(std::make_unique<PassClock>(*times));
    buildLoweringPipeline(manager, options);
    return manager.run(*module);
  }

  /// The PTX; `llvmText` receives the optimised LLVM IR where it is wanted.
  std::variant<std::string, CompileFailure> emit(std::string *llvmText = nullptr) {
    PtxInspection inspection;
    PtxTimes ptxTimes;
    inspection.llvmText = llvmText;
    inspection.times = times ? &ptxTimes : nullptr;
    PtxResult result = emitPtx(*module, *target, inspection);
    if (auto *failure = std::get_if<PtxFailure>(&result))
      return CompileFailure{failure->file, failure->line, name, failure->text};
    if (times) {
      times->push_back({"translate to LLVM IR", ptxTimes.translate});
      times->push_back({"optimise LLVM IR", ptxTimes.optimize});
      times->push_back({"select and print PTX", ptxTimes.emit});
    }
    return std::get<std::string>(std::move(result));
  }

  CompileFailure takeFailure() { return errors.take(name); }

  const CompileOptions &options;
  FirstError errors;
  OwningOpRef<ModuleOp> module;
  func::FuncOp kernel;
  std::string name;
  const Target *target = nullptr;
  Manifest manifest;
  /// Receives what the steps take, where it is wanted.
  std::vector<StepTime> *times = nullptr;

private:
  LogicalResult recordParameters() {
    llvm::SmallSetVector<BlockArgument, 4> written = writtenArguments(kernel);
    for (BlockArgument argument : kernel.getArguments()) {
      Type type = argument.getType();
      bool isPointer = isa<PtrType>(type);
      std::optional<ElementType> element = elementType(
          isPointer ? cast<PtrType>(type).getPointee() : type,
          static_cast<bool>(kernel.getArgAttr(argument.getArgNumber(), TileDialect::unsignedAttr)));
      if (!element)
        return kernel.emitError("has argument ")
               << argument.getArgNumber() << " of type " << type << ", which no launch can pass";
      ParameterRecipe recipe;
      recipe.kind = isPointer ? ParameterRecipe::Kind::Pointer : ParameterRecipe::Kind::Scalar;
      recipe.argument = argument.getArgNumber();
      recipe.type = *element;
      recipe.writes = written.contains(argument);
      recipe.alignment = isPointer ? byteSize(*element) : 1;
      manifest.parameters.push_back(recipe);
    }
    return success();
  }

  /// Adds what the passes decided and what the code therefore relies on.
  void recordDecisions() {
    manifest.threads = 32 * kernel->getAttrOfType<IntegerAttr>(TileDialect::warpsAttr).getInt();
    for (auto [index, recipe] : llvm::enumerate(manifest.parameters)) {
      auto number = [&, index = index](StringRef name) {
        return kernel.getArgAttrOfType<IntegerAttr>(index, name);
      };
      if (IntegerAttr divisibility = number(TileDialect::divisibilityAttr)) {
        if (recipe.kind == ParameterRecipe::Kind::Pointer)
          recipe.alignment = std::max<int>(recipe.alignment, divisibility.getInt());
        else
          recipe.divisibleBy = divisibility.getInt();
      }
      recipe.fits32 = static_cast<bool>(kernel.getArgAttr(index, TileDialect::fits32Attr));
      if (IntegerAttr value = number(TileDialect::valueAttr)) {
        recipe.specialized = true;
        recipe.value = value.getInt();
      }
    }
    kernel.walk([&](RecordOp op) { manifest.records.push_back(siteOf(op)); });
    if (!manifest.records.empty()) {
      ParameterRecipe buffer;
      buffer.kind = ParameterRecipe::Kind::Records;
      buffer.argument = -1;
      manifest.parameters.push_back(buffer);
    }
    if (auto shared = kernel->getAttrOfType<IntegerAttr>(TileDialect::sharedBytesAttr))
      (shared.getInt() <= mostStaticSharedBytes ? manifest.staticSharedBytes
                                                : manifest.dynamicSharedBytes) = shared.getInt();
  }
};

std::string print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream);
  return text;
}
} // namespace

CompileResult compiler::compile(ModuleOp traced, const CompileOptions &options) {
  Compilation compilation(traced, options);
  if (failed(compilation.begin()) || failed(compilation.assignLayouts()) ||
      failed(compilation.lower()))
    return compilation.takeFailure();
  std::variant<std::string, CompileFailure> ptx = compilation.emit();
  if (auto *failure = std::get_if<CompileFailure>(&ptx))
    return *failure;
  return KernelImage{std::get<std::string>(std::move(ptx)), std::move(compilation.manifest)};
}

StageResult compiler::compileToStage(ModuleOp traced, const CompileOptions &options, Stage stage) {
  Compilation compilation(traced, options);
  if (failed(compilation.begin()))
    return compilation.takeFailure();
  if (stage == Stage::Tile)
    return print(*compilation.module);
  if (failed(compilation.assignLayouts()))
    return compilation.takeFailure();
  if (stage == Stage::Layout)
    return print(*compilation.module);
  if (failed(compilation.lower()))
    return compilation.takeFailure();
  if (stage == Stage::LlvmDialect)
    return print(*compilation.module);
  std::string llvmText;
  std::variant<std::string, CompileFailure> ptx = compilation.emit(&llvmText);
  if (stage == Stage::Llvm && !llvmText.empty())
    return llvmText;
  if (auto *failure = std::get_if<CompileFailure>(&ptx))
    return *failure;
  return withManifestComment(std::get<std::string>(ptx), compilation.manifest);
}

TimesResult compiler::timeSteps(ModuleOp traced, const CompileOptions &options) {
  auto start = std::chrono::steady_clock::now();
  std::vector<StepTime> times;
  Compilation compilation(traced, options);
  compilation.times = &times;
  if (failed(compilation.begin()) || failed(compilation.assignLayouts()) ||
      failed(compilation.lower()))
    return compilation.takeFailure();
  std::variant<std::string, CompileFailure> ptx = compilation.emit();
  if (auto *failure = std::get_if<CompileFailure>(&ptx))
    return *failure;
  double rest = PassClock::secondsSince(start);
  for (const StepTime &each : times)
    rest -= each.seconds;
  times.push_back({"between the steps", rest});
  return times;
}

std::string compiler::timesText(const std::vector<StepTime> &times) {
  std::string text;
  for (const StepTime &each : times)
    text += fmt::format("{}\t{:.9f}\n", each.step, each.seconds);
  return text;
}

StageResult compiler::describeLayouts(ModuleOp traced, const CompileOptions &options) {
  Compilation compilation(traced, options);
  if (failed(compilation.begin()) || failed(compilation.assignLayouts()))
    return compilation.takeFailure();
  std::string text = "kernel '" + compilation.name +
                     "': " + std::to_string(compilation.manifest.threads / 32) +
                     (compilation.manifest.threads == 32 ? " warp\n" : " warps\n");
  auto describe = [&](Operation *op, Value pointer, std::optional<uint32_t> width) {
    LayoutAttr layout = layoutOf(pointer.getType());
    if (!layout)
      return;
    if (FileLineColLoc line = sourceLine(op->getLoc()))
      text += "\n" + line.getFilename().str() + ":" + std::to_string(line.getLine()) + ": ";
    else
      text += "\n";
    text += std::string(isa<LoadOp>(op) ? "load" : "store") + " of " +
            describeExtents(extentsOf(pointer.getType())) + ", " +
            std::to_string(width.value_or(1)) + " elements an instruction\n";
    layout::LinearLayout linear = layout.linearLayout();
    text += layout::table(linear);
  };
  compilation.kernel.walk([&](Operation *op) {
    if (auto load = dyn_cast<LoadOp>(op))
      describe(op, load.getPointer(), load.getWidth());
    else if (auto store = dyn_cast<StoreOp>(op))
      describe(op, store.getPointer(), store.getWidth());
  });
  return text;
}

/// More than kernels have, whose loops and branches nest at most 128 deep.
static constexpr int maxBrackets = 256;

/// The line where more brackets are open than that; 0 if none is. MLIR's parser and verifier walk
/// by recursion, and have no limit but the stack.
static int lineNestedTooDeep(StringRef text) {
  int line = 1, open = 0;
  bool inString = false, inComment = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    char c = text[at];
    line += c == '\n';
    if (inString || inComment) {
      at += inString && c == '\\';
      inString = inString && c != '"' && c != '\n';
      inComment = inComment && c != '\n';
      continue;
    }
    inString = c == '"';
    inComment = c == '/' && text.substr(at).starts_with("//");
    // The '>' of an arrow or a comparison closes nothing.
    bool closes = StringRef(")]}").contains(c) ||
                  (c == '>' && at > 0 && text[at - 1] != '-' && text[at - 1] != '=');
    open = StringRef("([{<").contains(c) ? open + 1 : std::max(open - closes, 0);
    if (open > maxBrackets)
      return line;
  }
  return 0;
}

compiler::ParseResult compiler::parseModule(MLIRContext &context, const std::string &text,
                                            const std::string &fileName) {
  if (int line = lineNestedTooDeep(text))
    return CompileFailure{
        fileName, line, "",
        fmt::format("more than {} brackets stand inside each other: write fewer nested regions, "
                    "types or attributes",
                    maxBrackets)};
  FirstError errors(&context);
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(text, ParserConfig(&context), fileName);
  if (!module)
    return errors.take("");
  return module;
}
