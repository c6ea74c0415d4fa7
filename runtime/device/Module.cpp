// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads a kernel image into a device.
//
// The driver assembles the PTX. Its log is always asked for, because the assembler tells there, and
// only there, that it gave up an optimisation that the code was written for (lines C75xx:
// serialised wgmma, ignored setmaxnreg). TROWEL_LOG=jit prints those as remarks. Where it refuses a
// line of the PTX, the C++ line is found by the `.loc` before it: inline PTX is checked by nobody
// else.
//
// Everything that a launch could get wrong for reasons of the kernel alone is checked here, once,
// so that a launch checks only its own arguments:
//  - the manifest's parameters are those of the PTX entry (EntryParameters.cpp);
//  - recipes and mappings that this runtime does not know how to launch are refused;
//  - shared memory and threads are within the device's and the kernel's limits.
//
// More than 48 KiB of dynamic shared memory must be opted into per function; that is done here too.

#include "runtime/device/Module.h"

#include "runtime/base/Logging.h"
#include "runtime/device/DeviceState.h"
#include "runtime/device/EntryParameters.h"
#include "runtime/driver/DriverError.h"

#include <algorithm>
#include <string_view>

namespace trowel {

using namespace trowel::driver;
using detail::CurrentContext;
using detail::DeviceState;

namespace {
constexpr std::size_t logBytes = 16 * 1024;

/// Calls `visit` with each line of a text.
template <class Visit> void forEachLineOf(std::string_view text, Visit visit) {
  while (!text.empty()) {
    std::size_t end = std::min(text.find('\n'), text.size());
    visit(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

/// A line of the source that PTX was made from.
struct SourceLine {
  std::string file;
  int line = 0;
};

/// The number behind `word` in a text; 0 where there is none.
std::size_t numberBehind(std::string_view text, std::string_view word) {
  std::size_t number = 0;
  for (std::size_t at = text.find(word); at != std::string_view::npos && number == 0;
       at = text.find(word, at + 1))
    for (std::size_t i = at + word.size(); i < text.size() && number < 100'000'000; ++i) {
      if (text[i] < '0' || text[i] > '9')
        break;
      number = 10 * number + static_cast<std::size_t>(text[i] - '0');
    }
  return number;
}

/// Where the code in a line of the PTX comes from, by the `.loc` before it; no line without one.
SourceLine sourceOfPtxLine(std::string_view ptx, std::size_t ptxLine) {
  constexpr std::string_view place = ".loc", declaration = ".file";
  std::size_t count = 0, file = 0;
  SourceLine source;
  forEachLineOf(ptx, [&](std::string_view line) {
    std::size_t start = std::min(line.find_first_not_of(" \t"), line.size());
    line.remove_prefix(start);
    if (++count <= ptxLine && line.starts_with(place)) {
      std::size_t blank = line.find_first_of(" \t", place.size() + 1);
      file = numberBehind(line, line.substr(0, place.size() + 1));
      source.line = blank == std::string_view::npos
                        ? 0
                        : static_cast<int>(numberBehind(line.substr(blank), line.substr(blank, 1)));
    }
  });
  // LLVM names the files at the end.
  forEachLineOf(ptx, [&](std::string_view line) {
    std::size_t start = std::min(line.find_first_not_of(" \t"), line.size());
    line.remove_prefix(start);
    if (!line.starts_with(declaration) || line.size() <= declaration.size() ||
        numberBehind(line, line.substr(0, declaration.size() + 1)) != file)
      return;
    std::size_t open = line.find('"'), close = line.rfind('"');
    if (open < close)
      source.file = line.substr(open + 1, close - open - 1);
  });
  return source.line == 0 || source.file.empty() ? SourceLine{} : source;
}

/// "8.0" of the line ".version 8.0"; "unknown" without one.
std::string ptxVersion(std::string_view ptx) {
  constexpr std::string_view directive = ".version ";
  std::size_t start = ptx.find(directive);
  if (start == std::string_view::npos)
    return "unknown";
  start += directive.size();
  return std::string(ptx.substr(start, ptx.find_first_of(" \r\n\t/", start) - start));
}

/// The manifest as a launch may rely on it. One that was made in memory is held to the rules of one
/// that was read from a file, by writing and reading it.
Manifest checkedManifest(const DeviceState &device, const KernelImage &image) {
  auto refuse = [&](const std::string &text) { throw Error({}, 0, image.manifest.kernel, text); };
  Result<Manifest> read = Manifest::fromJson(image.manifest.toJson());
  if (!read)
    refuse(read.error());
  const Manifest &manifest = *read;
  if (manifest.mapping != ProgramMapping::OneEach)
    refuse("the manifest maps programs to persistent CTAs; this version of Trowel launches one CTA "
           "a program");
  if (manifest.cluster != std::array<int, 3>{1, 1, 1})
    refuse("the manifest asks for clusters of " + std::to_string(manifest.cluster[0]) + "x" +
           std::to_string(manifest.cluster[1]) + "x" + std::to_string(manifest.cluster[2]) +
           " CTAs; this version of Trowel launches clusters of one");
  if (manifest.threads > device.limits.threads)
    refuse("a program has " + std::to_string(manifest.threads) + " threads; " + device.description +
           " allows at most " + std::to_string(device.limits.threads) + ": use fewer warps");
  std::int64_t shared =
      std::int64_t{manifest.staticSharedBytes} + std::int64_t{manifest.dynamicSharedBytes};
  if (shared > device.limits.sharedBytes)
    refuse("a program takes " + std::to_string(shared) + " bytes of shared memory; " +
           device.description + " has at most " + std::to_string(device.limits.sharedBytes) +
           ": use smaller tiles or fewer stages");

  Result<std::vector<int>> declared = entryParameterBytes(image.ptx, manifest.entry);
  if (!declared)
    refuse(declared.error() + "; PTX and manifest do not belong together");
  if (declared->size() != manifest.parameters.size())
    refuse("the PTX entry '" + manifest.entry + "' has " + std::to_string(declared->size()) +
           " parameters, the manifest has " + std::to_string(manifest.parameters.size()) +
           "; PTX and manifest do not belong together");
  for (std::size_t i = 0; i < declared->size(); ++i) {
    const ParameterRecipe &recipe = manifest.parameters[i];
    bool isScalar = recipe.kind == ParameterRecipe::Kind::Scalar;
    bool isBuffer = recipe.kind == ParameterRecipe::Kind::Records;
    int bytes = isScalar ? byteSize(recipe.type) : 8;
    if ((*declared)[i] != bytes)
      refuse("parameter " + std::to_string(i) + " of the PTX entry '" + manifest.entry + "' has " +
             std::to_string((*declared)[i]) + " bytes, the manifest's " +
             (isScalar   ? name(recipe.type)
              : isBuffer ? "buffer of records"
                         : "pointer") +
             " has " + std::to_string(bytes) + "; PTX and manifest do not belong together");
  }
  return manifest;
}

/// The module, or the error with the assembler's log.
CUmodule loadModule(const DeviceState &device, const KernelImage &image, std::string &log) {
  std::string errors(logBytes, '\0');
  log.assign(logBytes, '\0');
  int options[] = {jitInfoLogBuffer, jitInfoLogBufferBytes, jitErrorLogBuffer,
                   jitErrorLogBufferBytes, jitLogVerbose};
  void *values[] = {log.data(), reinterpret_cast<void *>(logBytes), errors.data(),
                    reinterpret_cast<void *>(logBytes), reinterpret_cast<void *>(1)};
  CUmodule module = nullptr;
  CUresult result = device.api->moduleLoadDataEx(
      &module, image.ptx.c_str(), static_cast<unsigned>(std::size(options)), options, values);
  log.resize(std::min(log.find('\0'), log.size()));
  errors.resize(std::min(errors.find('\0'), errors.size()));
  if (result == cudaSuccess)
    return module;

  std::string detail = "the PTX is of .version " + ptxVersion(image.ptx) + " for " +
                       image.manifest.target + ", the device is " + device.target +
                       ", the driver is of CUDA " + driverVersion(*device.api);
  while (!errors.empty() && errors.back() == '\n')
    errors.pop_back();
  if (!errors.empty())
    detail += "; its log: " + errors;
  Error error =
      detail::deviceError(device, result, "load the kernel", image.manifest.kernel, detail);
  // "ptxas application ptx input, line 31; error : …", "PTX line 31: …"
  SourceLine source = sourceOfPtxLine(image.ptx, numberBehind(errors, "line "));
  if (error.line() != 0 || source.line == 0)
    throw error;
  throw Error(source.file, source.line, image.manifest.kernel, error.text());
}

int attributeOr(const DeviceState &device, CUfunction function, int attribute, int otherwise) {
  int value = 0;
  return device.api->funcGetAttribute(&value, attribute, function) == cudaSuccess ? value
                                                                                  : otherwise;
}

void writeLog(const LoadedKernel &kernel) {
  const std::string &name = kernel.manifest.kernel;
  auto orUnknown = [](int value) { return value < 0 ? "unknown" : std::to_string(value); };
  logLine(LogTopic::Jit, "kernel '" + name + "' loaded on " + kernel.device.describe() +
                             ": registers " + orUnknown(kernel.registers) + ", local bytes " +
                             orUnknown(kernel.localBytes) + ", static shared bytes " +
                             orUnknown(kernel.staticSharedBytes));
  forEachLineOf(kernel.log, [&](std::string_view line) {
    if (line.find("C75") != std::string_view::npos)
      logLine(LogTopic::Jit, "kernel '" + name + "': remark: " + std::string(line));
  });
}
} // namespace

LoadedKernel::~LoadedKernel() {
  if (!module)
    return;
  const DeviceState &state = device.state();
  try {
    CurrentContext current(state);
    detail::waitBeforeFreeing(state);
    state.api->moduleUnload(module);
  } catch (const Error &) {
  }
}

std::shared_ptr<const LoadedKernel> Module::load(const Device &device, const KernelImage &image) {
  const DeviceState &state = device.state();
  auto kernel = std::make_shared<LoadedKernel>(device, checkedManifest(state, image));
  for (const ParameterRecipe &recipe : kernel->manifest.parameters)
    kernel->argumentCount = std::max(kernel->argumentCount, recipe.argument + 1);
  if (!kernel->manifest.records.empty())
    kernel->records = std::make_shared<const Manifest>(kernel->manifest);

  CurrentContext current(state);
  kernel->module = loadModule(state, image, kernel->log);
  const Manifest &manifest = kernel->manifest;
  if (CUresult result =
          state.api->moduleGetFunction(&kernel->function, kernel->module, manifest.entry.c_str());
      result != cudaSuccess)
    throw detail::deviceError(state, result, "find the entry '" + manifest.entry + "'",
                              manifest.kernel);
  kernel->registers = attributeOr(state, kernel->function, functionRegisters, -1);
  kernel->localBytes = attributeOr(state, kernel->function, functionLocalBytes, -1);
  kernel->staticSharedBytes = attributeOr(state, kernel->function, functionStaticSharedBytes, -1);

  kernel->mostThreads =
      attributeOr(state, kernel->function, functionMaxThreads, state.limits.threads);
  if (manifest.threads > kernel->mostThreads)
    throw Error({}, 0, manifest.kernel,
                "a program has " + std::to_string(manifest.threads) + " threads; with its " +
                    std::to_string(kernel->registers) + " registers a thread " + state.description +
                    " starts at most " + std::to_string(kernel->mostThreads) + ": use fewer warps");
  if (manifest.dynamicSharedBytes > 48 * 1024)
    if (CUresult result = state.api->funcSetAttribute(
            kernel->function, functionMaxDynamicSharedBytes, manifest.dynamicSharedBytes);
        result != cudaSuccess)
      throw detail::deviceError(state, result,
                                "reserve " + std::to_string(manifest.dynamicSharedBytes) +
                                    " bytes of shared memory",
                                manifest.kernel);
  if (logs(LogTopic::Jit))
    writeLog(*kernel);
  return kernel;
}

} // namespace trowel
