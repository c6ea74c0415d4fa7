// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Modules, functions and launches of the software device's driver.
//
// Loading a module is parsing and decoding its PTX; what an assembler would write in its log, the
// line and what was expected there, goes into the error log buffer of the caller. The module's
// global and constant variables become allocations of the device's memory, with their initial
// values in place (zeros without one), so that stray accesses to them are found like any other.
//
// A launch checks grid, block, shared memory and parameters as the driver does, then executes at
// once. Findings that do not end it go to the report and to the error stream, each once: programs
// launch a kernel a thousand times. The number of registers a thread is not asked of it: that is
// the assembler's decision for a chip, and a made-up figure would be worse than none.

#include "runtime/base/FindingText.h"
#include "runtime/sim/AddressSpaces.h"
#include "runtime/sim/Scheduler.h"
#include "runtime/sim/SimState.h"
#include "runtime/sim/ptx/Decoder.h"
#include "runtime/sim/ptx/Parser.h"

#include <fmt/format.h>

#include <cstdlib>
#include <cstring>

namespace trowel::sim {

using namespace driver;

namespace {

/// The caller's buffers for what an assembler has to say.
struct JitLog {
  char *errors = nullptr;
  std::size_t errorBytes = 0;
  char *info = nullptr;
  std::size_t infoBytes = 0;

  JitLog(unsigned count, const int *options, void *const *values) {
    for (unsigned i = 0; i < count; ++i) {
      auto size = static_cast<std::size_t>(
          static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(values[i])));
      if (options[i] == jitErrorLogBuffer)
        errors = static_cast<char *>(values[i]);
      else if (options[i] == jitErrorLogBufferBytes)
        errorBytes = size;
      else if (options[i] == jitInfoLogBuffer)
        info = static_cast<char *>(values[i]);
      else if (options[i] == jitInfoLogBufferBytes)
        infoBytes = size;
    }
    if (info && infoBytes != 0)
      info[0] = '\0';
    writeError("");
  }
  void writeError(const std::string &text) const {
    if (!errors || errorBytes == 0)
      return;
    std::size_t length = std::min(text.size(), errorBytes - 1);
    std::memcpy(errors, text.data(), length);
    errors[length] = '\0';
  }
};

/// Places the module's variables in memory. A failure's sentence names the line.
Result<Placement> placeVariables(SimState &state, const ptx::Module &parsed, Module &module) {
  Placement placement;
  auto failure = [](const ptx::Variable &variable, const std::string &text) {
    return Failure{fmt::format("PTX line {}: {}", variable.line, text)};
  };
  for (const ptx::Variable &variable : parsed.variables) {
    if (variable.space != ptx::Space::Global && variable.space != ptx::Space::Constant)
      continue;
    if (variable.isExtern)
      return failure(
          variable, fmt::format("the variable '{}' is .extern and defined nowhere", variable.name));
    std::uint64_t bytes = std::max<std::uint64_t>(variable.bytes, 1);
    std::uint64_t address =
        variable.alignment > 512 ? 0 : state.memory.allocate(bytes, std::string(variable.name));
    if (address == 0)
      return failure(variable,
                     fmt::format("the variable '{}' of {} bytes with alignment {} has no place on "
                                 "the software device",
                                 variable.name, bytes, variable.alignment));
    module.variables.push_back(address);
    placement[variable.name] = address;
    state.memory.fill(address, 0, bytes);
    if (!variable.initial.empty())
      state.memory.write(address, variable.initial.data(), variable.initial.size());
  }
  for (const ptx::Variable &variable : parsed.variables)
    for (const ptx::Relocation &relocation : variable.relocations) {
      auto target = placement.find(relocation.symbol);
      if (target == placement.end() || placement.count(variable.name) == 0)
        return failure(variable, fmt::format("the initial value of '{}' names '{}', which is no "
                                             "variable in global or constant memory",
                                             variable.name, relocation.symbol));
      std::uint64_t value = target->second + static_cast<std::uint64_t>(relocation.offset);
      state.memory.write(placement[variable.name] + relocation.at, &value,
                         std::min<std::size_t>(relocation.bytes, sizeof value));
    }
  return placement;
}

Result<std::unique_ptr<Module>> loadModule(SimState &state, const char *text) {
  Result<ptx::Module> parsed = ptx::parse(text);
  if (!parsed)
    return Failure{parsed.error()};
  auto module = std::make_unique<Module>();
  auto unload = [&](const std::string &why) {
    for (std::uint64_t address : module->variables)
      state.memory.free(address);
    return Failure{why};
  };
  Result<Placement> placement = placeVariables(state, *parsed, *module);
  if (!placement)
    return unload(placement.error());
  for (const ptx::Function &function : parsed->functions) {
    if (!function.isEntry)
      continue;
    Result<Program> program = decode(*parsed, function, *placement);
    if (!program)
      return unload(program.error());
    module->programs.push_back(std::move(*program));
  }
  return module;
}

CUresult wrongFunction() {
  return fail(cudaErrorInvalidHandle, "this is no function of the software device");
}

unsigned hostThreads() {
  if (const char *text = std::getenv("TROWEL_SIM_THREADS")) {
    int count = std::atoi(text);
    if (count > 0 && count <= 1024)
      return static_cast<unsigned>(count);
  }
  return 0;
}

using Extents = std::array<std::uint32_t, 3>;

CUresult checkExtents(const Function &function, const Extents &grid, const Extents &block) {
  constexpr Extents gridLimits{0x7fffffff, 65535, 65535}, blockLimits{1024, 1024, 64};
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (grid[axis] == 0 || grid[axis] > gridLimits[axis])
      return fail(cudaErrorInvalidValue,
                  fmt::format("the grid's {} extent is {}, it must be 1 to {}", "xyz"[axis],
                              grid[axis], gridLimits[axis]));
    if (block[axis] == 0 || block[axis] > blockLimits[axis])
      return fail(cudaErrorInvalidValue,
                  fmt::format("the block's {} extent is {}, it must be 1 to {}", "xyz"[axis],
                              block[axis], blockLimits[axis]));
  }
  std::uint64_t threads = std::uint64_t{block[0]} * block[1] * block[2];
  if (threads > 1024)
    return fail(cudaErrorInvalidValue,
                fmt::format("a block of {} threads, at most 1024 are possible", threads));
  const Program &program = *function.program;
  const Extents &required = program.requiredThreads, &most = program.maximumThreads;
  if (required[0] != 0 && required != block)
    return fail(cudaErrorInvalidValue,
                fmt::format("the kernel '{}' requires blocks of {}x{}x{} threads (.reqntid), not "
                            "{}x{}x{}",
                            program.kernel, required[0], required[1], required[2], block[0],
                            block[1], block[2]));
  if (most[0] != 0 && threads > std::uint64_t{most[0]} * most[1] * most[2])
    return fail(cudaErrorInvalidValue,
                fmt::format("the kernel '{}' allows blocks of {} threads (.maxntid), not {}",
                            program.kernel, std::uint64_t{most[0]} * most[1] * most[2], threads));
  return cudaSuccess;
}

void execute(SimState &state, const Function &function, LaunchConfiguration &configuration) {
  LaunchOutcome outcome = launch(*function.program, configuration, state.memory);
  for (Finding &finding : outcome.findings)
    if (state.told.emplace(function.program, finding.ptxLine).second) {
      fmt::print(stderr, "trowel: {}\n", findingLine(finding));
      state.findings.push_back(std::move(finding));
    }
  if (outcome.fault) {
    state.findings.push_back(outcome.fault->finding);
    state.pendingFault = std::move(outcome.fault->finding);
    state.pendingResult = outcome.fault->result;
    return;
  }
  state.totals.add(*function.program, outcome.counters);
}

} // namespace

namespace calls {

CUresult moduleLoadDataEx(CUmodule *module, const void *image, unsigned optionCount, int *options,
                          void **values) {
  Call call(Call::Context);
  if (!call)
    return call.result;
  if (!module || !image || (optionCount != 0 && (!options || !values)))
    return fail(cudaErrorInvalidValue,
                "the pointer for the module, its text or its options is null");
  JitLog log(optionCount, options, values);
  const char *text = static_cast<const char *>(image);
  takeFault(); // a load's reason is its log
  if (std::strncmp(text, "\177ELF", 4) == 0 || std::strncmp(text, "\120\355\125\272", 4) == 0) {
    log.writeError("the software device loads PTX text, this is machine code for a GPU");
    return cudaErrorInvalidPtx;
  }
  Result<std::unique_ptr<Module>> loaded = loadModule(call.state, text);
  if (!loaded) {
    log.writeError(loaded.error());
    return cudaErrorInvalidPtx;
  }
  *module = call.state.modules.add<CUmodule>(std::move(*loaded));
  return cudaSuccess;
}

CUresult moduleUnload(CUmodule module) {
  Call call(Call::Context);
  if (!call)
    return call.result;
  Module *found = call.state.modules.find(module);
  if (!found)
    return fail(cudaErrorInvalidHandle, "this is no module of the software device");
  call.state.functions.removeIf([&](const Function &function) { return function.module == found; });
  for (std::uint64_t address : found->variables)
    call.state.memory.free(address);
  for (const Program &program : found->programs)
    std::erase_if(call.state.told, [&](const auto &entry) { return entry.first == &program; });
  call.state.modules.remove(module);
  return cudaSuccess;
}

CUresult moduleGetFunction(CUfunction *function, CUmodule module, const char *name) {
  Call call(Call::Context);
  if (!call)
    return call.result;
  if (!function || !name)
    return fail(cudaErrorInvalidValue, "the pointer for the function or its name is null");
  Module *found = call.state.modules.find(module);
  if (!found)
    return fail(cudaErrorInvalidHandle, "this is no module of the software device");
  for (const Program &program : found->programs)
    if (program.kernel == name) {
      auto made = std::make_unique<Function>();
      made->module = found;
      made->program = &program;
      made->maximumDynamicSharedBytes =
          static_cast<int>(defaultSharedBytesPerBlock) -
          static_cast<int>(std::min(program.staticSharedBytes, defaultSharedBytesPerBlock));
      *function = call.state.functions.add<CUfunction>(std::move(made));
      return cudaSuccess;
    }
  return fail(cudaErrorNotFound, fmt::format("the module has no entry '{}'", name));
}

CUresult funcGetAttribute(int *value, int attribute, CUfunction function) {
  Call call(Call::Context);
  if (!call)
    return call.result;
  if (!value)
    return fail(cudaErrorInvalidValue, "the pointer for the attribute is null");
  Function *found = call.state.functions.find(function);
  if (!found)
    return wrongFunction();
  const Program &program = *found->program;
  switch (attribute) {
  case functionMaxThreads: {
    const auto &limit =
        program.requiredThreads[0] != 0 ? program.requiredThreads : program.maximumThreads;
    *value = limit[0] == 0 ? 1024 : static_cast<int>(limit[0] * limit[1] * limit[2]);
    return cudaSuccess;
  }
  case functionStaticSharedBytes:
    *value = static_cast<int>(program.staticSharedBytes);
    return cudaSuccess;
  case functionLocalBytes:
    *value = static_cast<int>(program.localBytesPerThread);
    return cudaSuccess;
  case functionMaxDynamicSharedBytes:
    *value = found->maximumDynamicSharedBytes;
    return cudaSuccess;
  case functionRegisters:
    return fail(cudaErrorNotFound,
                "the software device allocates no registers; their number is the assembler's "
                "decision for a chip");
  default:
    return fail(cudaErrorInvalidValue,
                fmt::format("functions of the software device have no attribute {}", attribute));
  }
}

CUresult funcSetAttribute(CUfunction function, int attribute, int value) {
  Call call(Call::Context);
  if (!call)
    return call.result;
  Function *found = call.state.functions.find(function);
  if (!found)
    return wrongFunction();
  if (attribute != functionMaxDynamicSharedBytes)
    return fail(cudaErrorInvalidValue, fmt::format("attribute {} cannot be set", attribute));
  auto limit = static_cast<int>(maximumSharedBytesPerBlock) -
               static_cast<int>(found->program->staticSharedBytes);
  if (value < 0 || value > limit)
    return fail(cudaErrorInvalidValue,
                fmt::format("{} bytes of dynamic shared memory, the kernel '{}' can have {}", value,
                            found->program->kernel, limit));
  found->maximumDynamicSharedBytes = value;
  return cudaSuccess;
}

CUresult occupancyMaxActiveBlocks(int *blocks, CUfunction function, int, std::size_t) {
  Call call(Call::Context);
  if (!call)
    return call.result;
  if (!blocks)
    return fail(cudaErrorInvalidValue, "the pointer for the number of blocks is null");
  if (!call.state.functions.find(function))
    return wrongFunction();
  return fail(cudaErrorNotFound,
              "the software device allocates no registers, and how many blocks a multiprocessor "
              "holds depends on their number");
}

CUresult launchKernel(CUfunction function, unsigned gridX, unsigned gridY, unsigned gridZ,
                      unsigned blockX, unsigned blockY, unsigned blockZ,
                      unsigned dynamicSharedBytes, CUstream stream, void **parameters,
                      void **extra) {
  Call call(Call::Context);
  if (!call)
    return call.result;
  Function *found = call.state.functions.find(function);
  if (!found)
    return wrongFunction();
  if (reinterpret_cast<std::uintptr_t>(stream) > 2 && !call.state.streams.find(stream))
    return fail(cudaErrorInvalidHandle, "this is no stream of the software device");
  LaunchConfiguration configuration;
  configuration.grid = {gridX, gridY, gridZ};
  configuration.block = {blockX, blockY, blockZ};
  configuration.hostThreads = hostThreads();
  configuration.seed = call.state.warpOrder;
  configuration.dynamicSharedBytes = dynamicSharedBytes;
  if (CUresult result = checkExtents(*found, configuration.grid, configuration.block))
    return result;
  const Program &program = *found->program;
  if (dynamicSharedBytes > static_cast<unsigned>(found->maximumDynamicSharedBytes))
    return fail(cudaErrorInvalidValue,
                fmt::format("{} bytes of dynamic shared memory, the kernel '{}' has a limit of {} "
                            "(attribute MAX_DYNAMIC_SHARED_SIZE_BYTES raises it to {})",
                            dynamicSharedBytes, program.kernel, found->maximumDynamicSharedBytes,
                            maximumSharedBytesPerBlock - program.staticSharedBytes));
  if (extra)
    return fail(cudaErrorInvalidValue, "parameters are passed one by one, not as a buffer");
  configuration.parameters.resize(program.parameterBytes);
  for (std::size_t i = 0; i < program.parameters.size(); ++i) {
    const Parameter &parameter = program.parameters[i];
    if (!parameters || !parameters[i])
      return fail(
          cudaErrorInvalidValue,
          fmt::format("the kernel '{}' takes {} parameters, the pointer to number {} is null",
                      program.kernel, program.parameters.size(), i));
    std::memcpy(configuration.parameters.data() + parameter.offset, parameters[i], parameter.bytes);
  }
  // Work behind a fault that nobody has seen yet is dropped.
  if (!call.state.pendingFault)
    execute(call.state, *found, configuration);
  return cudaSuccess;
}

} // namespace calls

} // namespace trowel::sim
