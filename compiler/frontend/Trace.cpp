// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recording a kernel.
//
// A kernel's lambda is ordinary C++ that runs once, on the host, on the calling thread. While it
// runs, the thread has a current trace; every operation on a Tile, Scalar, Index or Ptr appends an
// op to its function and hands back a number. The typed shells hold that number and the trace's
// serial, nothing else, so a shell that outlives its trace is harmless: serials are never reused,
// and a stale number is recognised before it is looked up. What the number stands for is a
// variable, whose content depends on the loop or branch that is being traced (Variables.cpp).
//
// Each trace has a context of its own (1.5 ms) without threads. A shared context would let traces
// of several threads meet in its locks, would keep every kernel's types alive for ever, and a back
// end that fails could leave it in a state that the next kernel inherits.
//
// Mistakes are thrown from the operation that makes them, at its line. No MLIR code is on the stack
// below a lambda or above a throw: the lambda is called from `trace` alone, and operations throw
// from their own frames before or after they use MLIR, never inside one of its callbacks.
//
// File names in locations end up in the PTX's `.file` lines, and PTX must be the same bytes in
// every build folder. A name therefore keeps only what lies below TROWEL_SOURCE_ROOT, or its last
// part, and columns are left out, on which C++ compilers disagree. Of two files with one name the
// second keeps its folder too, since messages find the full name by the short one.

#include "compiler/frontend/Trace.h"

#include "compiler/Digest.h"
#include "compiler/frontend/CanonicalOrder.h"
#include "compiler/frontend/FileNames.h"
#include "dialect/TileDialect.h"
#include "trowel/Error.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Verifier.h"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fmt/format.h>
#include <mutex>
#include <thread>

using namespace mlir;

namespace trowel::compiler {

namespace {

thread_local Trace *currentTrace = nullptr;

/// The traces being recorded in this process, so that a value of a wrong one can be told where it
/// comes from. Consulted only when a message is written.
struct LiveTraces {
  struct Entry {
    std::uint64_t serial;
    std::string kernel;
  };
  std::mutex mutex;
  std::vector<Entry> entries;

  static LiveTraces &get() {
    // Never destroyed: a thread may still trace while the process ends.
    static LiveTraces *traces = new LiveTraces;
    return *traces;
  }
  void add(std::uint64_t serial, const std::string &kernel) {
    std::lock_guard lock(mutex);
    entries.push_back({serial, kernel});
  }
  void remove(std::uint64_t serial) {
    std::lock_guard lock(mutex);
    std::erase_if(entries, [&](const Entry &entry) { return entry.serial == serial; });
  }
  std::string kernelOf(std::uint64_t serial) {
    std::lock_guard lock(mutex);
    for (const Entry &entry : entries)
      if (entry.serial == serial)
        return entry.kernel;
    return {};
  }
};

std::uint64_t nextSerial() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

Type typeOf(const detail::Parameter &parameter, MLIRContext *context) {
  Type element = elementTypeIn(context, parameter.type);
  return parameter.kind == detail::Parameter::Kind::Pointer ? tile::PtrType::get(element) : element;
}

std::string keyOf(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream, OpPrintingFlags().enableDebugInfo().printGenericOpForm());
  return digest(text);
}

} // namespace

Type elementTypeIn(MLIRContext *context, ElementType type) {
  switch (type) {
  case ElementType::Float16:
    return Float16Type::get(context);
  case ElementType::BFloat16:
    return BFloat16Type::get(context);
  case ElementType::Float32:
    return Float32Type::get(context);
  case ElementType::Float64:
    return Float64Type::get(context);
  case ElementType::Bool:
    return IntegerType::get(context, 1);
  default:
    return IntegerType::get(context, 8 * byteSize(type));
  }
}

std::unique_ptr<MLIRContext> makeTraceContext() {
  DialectRegistry registry;
  registry.insert<arith::ArithDialect, func::FuncDialect, math::MathDialect, scf::SCFDialect,
                  tile::TileDialect>();
  tile::registerBuiltinModels(registry);
  auto context = std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  context->loadAllAvailableDialects();
  return context;
}

TracedKernel::TracedKernel() = default;
TracedKernel::TracedKernel(TracedKernel &&other) noexcept = default;
TracedKernel &TracedKernel::operator=(TracedKernel &&other) noexcept = default;
TracedKernel::~TracedKernel() = default;

Trace::Trace(const detail::KernelSource &source)
    : serial(nextSerial()), kernelLine(source.at), insertion(static_cast<MLIRContext *>(nullptr)) {
  result.name = source.name;
  result.options = source.options;
  result.file = source.at.file_name();
  result.line = static_cast<int>(source.at.line());
  result.module = std::make_unique<TracedKernel::Module>();
  result.module->context = makeTraceContext();
  MLIRContext *context = result.module->context.get();

  insertion = OpBuilder(context, &ops);
  Location at = location(source.at);
  result.module->op = ModuleOp::create(at);
  insertion.setInsertionPointToEnd(result.module->op->getBody());

  SmallVector<Type> types;
  for (std::size_t i = 0; i < source.parameterCount; ++i) {
    const detail::Parameter &parameter = source.parameters[i];
    types.push_back(typeOf(parameter, context));
  }
  auto function = func::FuncOp::create(insertion, at, result.name,
                                       FunctionType::get(context, types, TypeRange()));
  function->setAttr(tile::TileDialect::kernelAttr, insertion.getUnitAttr());
  for (std::size_t i = 0; i < types.size(); ++i) {
    function.setArgAttr(i, tile::TileDialect::nameAttr,
                        insertion.getStringAttr(fmt::format("arg{}", i)));
    if (isUnsigned(source.parameters[i].type))
      function.setArgAttr(i, tile::TileDialect::unsignedAttr, insertion.getUnitAttr());
  }
  Block *entry = function.addEntryBlock();
  insertion.setInsertionPointToStart(entry);
  vars = std::make_unique<Variables>(entry);

  LiveTraces::get().add(serial, result.name);
  currentTrace = this;
}

Trace::~Trace() {
  currentTrace = nullptr;
  pendingIf.reset(); // its code uses values of the open scopes'
  LiveTraces::get().remove(serial);
}

Trace *Trace::currentOrNull() { return currentTrace; }

Trace &Trace::current(const Site &site) {
  if (!currentTrace)
    throw Error(site.at.file_name(), static_cast<int>(site.at.line()), "",
                fmt::format("{} outside a kernel: values of the device exist only while the lambda "
                            "given to kernel(…) is traced",
                            site.name));
  currentTrace->settle();
  currentTrace->throwIfSpoiled();
  if (currentTrace->ops.count > maxOps)
    currentTrace->fail(site,
                       fmt::format("the kernel has {} operations up to here, and a kernel has "
                                   "at most {}: a C++ loop is unrolled while the kernel is "
                                   "traced; loop on the device with range",
                                   currentTrace->ops.count, maxOps));
  return *currentTrace;
}

std::vector<detail::Value> Trace::arguments() {
  std::vector<detail::Value> handles;
  for (BlockArgument argument : insertion.getBlock()->getArguments())
    handles.push_back(record(argument));
  return handles;
}

bool Trace::owns(detail::Value handle) const {
  return handle.trace == serial && handle.index < vars->count();
}

mlir::Value Trace::readOrNull(detail::Value handle) {
  settle();
  return owns(handle) ? vars->read(handle.index).value : mlir::Value();
}

mlir::Value Trace::read(detail::Value handle, const Site &site) {
  settle();
  if (owns(handle) || handle.trace == 0) {
    Content content = owns(handle) ? vars->read(handle.index) : Content();
    if (!content.value)
      fail(site, vars->explain(content, site.at));
    return content.value;
  }
  std::string other = LiveTraces::get().kernelOf(handle.trace);
  if (!other.empty())
    fail(site,
         fmt::format("an operand belongs to the trace of kernel '{}', which another thread is "
                     "recording: each trace must make its own values",
                     other));
  fail(site,
       "an operand belongs to a trace that has ended: values live only inside the call of the "
       "lambda that made them, so declare the variable inside the lambda");
}

detail::Value Trace::record(mlir::Value value) { return {serial, vars->make({value})}; }

detail::Value Trace::copied(detail::Value source) {
  if (!owns(source))
    return source;
  if (!pendingIf)
    return {serial, vars->make(vars->read(source.index))};
  VariableId copy = vars->make({});
  pendingIf->copies.push_back({copy, source.index});
  return {serial, copy};
}

detail::Value Trace::moved(detail::Value source) {
  return owns(source) ? detail::Value{serial, vars->move(source.index)} : source;
}

void Trace::assign(detail::Value &target, detail::Value source) {
  settle();
  Content content = owns(source) ? vars->read(source.index) : Content();
  if (!owns(target))
    target = {serial, vars->declare()};
  target.index = vars->assign(target.index, content);
  // What belongs to nobody, or to another trace, is told by its number.
  if (!owns(source))
    target = source;
}

Block *Trace::open(const Construct &construct) {
  Block *block = vars->open(construct);
  insertion.setInsertionPointToEnd(block);
  return block;
}

ClosedScope Trace::close() {
  ClosedScope scope = vars->close();
  insertion.setInsertionPointToEnd(vars->block());
  return scope;
}

void Trace::spoil(std::source_location at, std::string text) {
  if (!spoiled)
    spoiled.emplace(at, std::move(text));
}

void Trace::throwIfSpoiled() const {
  if (spoiled)
    fail(spoiled->first, spoiled->second);
}

Location Trace::location(std::source_location at) {
  return FileLineColLoc::get(insertion.getContext(), at.file_name(), at.line(), 0);
}

void Trace::fail(std::source_location at, std::string text) const {
  throw Error(at.file_name(), static_cast<int>(at.line()), result.name, std::move(text));
}

void Trace::fail(const Site &site, std::string text) const {
  fail(site.at, fmt::format("{}: {}", site.name, text));
}

void Trace::fail(mlir::Value value, std::source_location otherwise, std::string text) const {
  auto line = dyn_cast<FileLineColLoc>(value.getLoc());
  if (!value.getDefiningOp() || !line)
    fail(otherwise, std::move(text));
  throw Error(line.getFilename().str(), static_cast<int>(line.getLine()), result.name,
              std::move(text));
}

TracedKernel Trace::finish() {
  settle();
  throwIfSpoiled();
  assert(vars->depth() == 1 && "a loop that is left open spoils the trace");
  func::ReturnOp::create(insertion, location(kernelLine));
  orderCanonically(*insertion.getBlock());
  ModuleOp module = *result.module->op;
  const char *root = std::getenv("TROWEL_SOURCE_ROOT");
  result.fullFileNames = shortenFileNames(module, root ? root : "");

  std::string complaint;
  {
    ScopedDiagnosticHandler handler(result.module->context.get(), [&](Diagnostic &diagnostic) {
      complaint += diagnostic.str();
      return success();
    });
    if (failed(verify(module)))
      fail(kernelLine,
           fmt::format("the trace is not valid IR, which is a fault of Trowel's: {}", complaint));
  }

  result.key = keyOf(module);
  return std::move(result);
}

} // namespace trowel::compiler

namespace trowel::detail {

// An operation reports what is wrong; these are where C++ gives no line.
Value copied(Value source) {
  return compiler::currentTrace ? compiler::currentTrace->copied(source) : source;
}

Value moved(Value source) noexcept {
  return compiler::currentTrace ? compiler::currentTrace->moved(source) : source;
}

void assign(Value &target, Value source) noexcept {
  if (compiler::currentTrace)
    compiler::currentTrace->assign(target, source);
  else
    target = source;
}

} // namespace trowel::detail

namespace trowel::compiler {

const std::string *kernelBeingTraced() {
  return currentTrace ? &currentTrace->kernelName() : nullptr;
}

TracedKernel trace(const detail::KernelSource &source) {
  checkSource(source);
  if (const std::string *outer = kernelBeingTraced())
    currentTrace->fail(source.at,
                       fmt::format("kernel '{}' is started while kernel '{}' is being traced: a "
                                   "kernel cannot start another; call a C++ function instead",
                                   source.name, *outer));
  auto start = std::chrono::steady_clock::now();
  Trace recording(source);
  std::vector<detail::Value> arguments = recording.arguments();
  source.body(arguments.data());
  TracedKernel traced = recording.finish();
  traced.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return traced;
}

} // namespace trowel::compiler
