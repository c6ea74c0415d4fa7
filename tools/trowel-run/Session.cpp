// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One PTX file on one device: load, launch, copy back.
//
// The file is read with the software device's own parser on every device, for the names and sizes
// of the entry's parameters and its .reqntid; so a file that does not parse is refused with its
// line before a GPU's assembler sees it. From there on everything goes through the driver's table,
// the same calls for a GPU and for the software device.

#include "Session.h"

#include "runtime/base/Records.h"
#include "runtime/device/DeviceState.h"
#include "runtime/sim/ptx/Parser.h"

#include <fmt/format.h>

#include <cstring>
#include <fstream>
#include <sstream>

namespace trowel::run {

using namespace trowel::driver;
using detail::CurrentContext;
using detail::deviceError;
using detail::DeviceState;

PtxFile readPtxFile(const std::string &path) {
  PtxFile file;
  file.path = path;
  std::ifstream stream(path, std::ios::binary);
  std::stringstream content;
  if (!stream || !(content << stream.rdbuf()))
    throw Error("cannot read '" + path + "': is it a file with PTX in it?");
  file.text = content.str();
  if (file.text.find("// trowel:") != std::string::npos) {
    Result<Manifest> manifest = manifestFromComment(file.text);
    if (!manifest)
      throw Error(path + ": " + manifest.error());
    file.manifest = *manifest;
  }
  return file;
}

ChosenEntry chooseEntry(const PtxFile &file, const LaunchShape &shape) {
  Result<sim::ptx::Module> module = sim::ptx::parse(file.text);
  if (!module)
    throw Error(file.path + ": " + module.error());
  std::string wanted = shape.entry;
  if (wanted.empty() && file.manifest)
    wanted = file.manifest->entry;
  const sim::ptx::Function *chosen = nullptr;
  std::string names;
  unsigned count = 0;
  for (const sim::ptx::Function &function : module->functions) {
    if (!function.isEntry)
      continue;
    ++count;
    names += (names.empty() ? "" : ", ") + std::string(function.name);
    if (wanted.empty() || function.name == wanted)
      chosen = &function;
  }
  if (!chosen)
    throw Error(file.path + (count == 0 ? ": the file has no .entry"
                                        : ": there is no entry '" + wanted + "', only " + names));
  if (wanted.empty() && count > 1)
    throw Error(file.path + ": the file has several entries, choose one with --entry: " + names);
  ChosenEntry entry;
  entry.name = chosen->name;
  for (const sim::ptx::Variable &parameter : chosen->parameters)
    entry.parameters.push_back({std::string(parameter.name), parameter.bytes});
  if (file.manifest && file.manifest->entry == entry.name && !entry.parameters.empty() &&
      file.manifest->parameters.size() == entry.parameters.size() &&
      file.manifest->parameters.back().kind == ParameterRecipe::Kind::Records) {
    entry.hasRecords = true;
    entry.parameters.pop_back();
  }
  for (unsigned axis = 0; axis < 3; ++axis)
    entry.requiredThreads[axis] = chosen->requiredThreads[axis];
  return entry;
}

namespace {

std::array<unsigned, 3> chooseBlock(const PtxFile &file, const ChosenEntry &entry,
                                    const LaunchShape &shape) {
  if (shape.block[0] != 0)
    return shape.block;
  if (file.manifest)
    return {static_cast<unsigned>(file.manifest->threads), 1, 1};
  if (entry.requiredThreads[0] != 0)
    return entry.requiredThreads;
  throw Error(file.path +
              ": say how many threads a block has, with --block: the file has neither a "
              "manifest nor .reqntid");
}

/// Refuses an integer that the code was not compiled for: it would give wrong numbers in silence.
void checkFacts(const PtxFile &file, const ParameterRecipe &recipe, const Argument &argument) {
  std::int64_t value = 0;
  if (argument.data.size() == sizeof(std::int32_t)) {
    std::int32_t narrow = 0;
    std::memcpy(&narrow, argument.data.data(), sizeof narrow);
    value = narrow;
  } else if (argument.data.size() == sizeof value) {
    std::memcpy(&value, argument.data.data(), sizeof value);
  } else {
    return;
  }
  std::string reliesOn;
  if (recipe.specialized && value != recipe.value)
    reliesOn = fmt::format("the value {}", recipe.value);
  else if (value % recipe.divisibleBy != 0)
    reliesOn = fmt::format("a multiple of {}", recipe.divisibleBy);
  else if (recipe.fits32 && value != static_cast<std::int32_t>(value))
    reliesOn = "a number of 32 bits";
  if (!reliesOn.empty())
    throw Error(fmt::format("{}: {} is {}, and the code relies on {} there, as its manifest says; "
                            "pass another value, or compile the kernel without that fact "
                            "(trowel-dump --assume=nothing)",
                            file.path, argument.name, value, reliesOn));
}

/// Refuses numbers of another type than the code takes, unless they are given as mere bits.
void checkType(const PtxFile &file, const ParameterRecipe &recipe, const Argument &argument) {
  if (!argument.element || argument.element->kind == NumberKind::Bits ||
      argument.element->name == name(recipe.type))
    return;
  throw Error(fmt::format("{}: {} is of {}, and the kernel takes {} there, as its manifest says; "
                          "give it that type, or b{} for bits of which you know what they are",
                          file.path, argument.name, argument.element->name, name(recipe.type),
                          8 * byteSize(recipe.type)));
}

void checkArguments(const PtxFile &file, const ChosenEntry &entry,
                    const std::vector<Argument> &arguments) {
  if (arguments.size() != entry.parameters.size())
    throw Error(fmt::format("{}: the entry '{}' has {} parameters, {} arguments were given",
                            file.path, entry.name, entry.parameters.size(), arguments.size()));
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    std::size_t bytes = arguments[i].isBuffer ? 8 : arguments[i].data.size();
    if (bytes != entry.parameters[i].bytes)
      throw Error(fmt::format("{}: {} has {} bytes, the parameter '{}' of the entry '{}' has {}",
                              file.path, arguments[i].name, bytes, entry.parameters[i].name,
                              entry.name, entry.parameters[i].bytes));
  }
  if (!file.manifest || file.manifest->entry != entry.name ||
      file.manifest->parameters.size() != arguments.size() + (entry.hasRecords ? 1 : 0))
    return;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const ParameterRecipe &recipe = file.manifest->parameters[i];
    bool isScalar = recipe.kind == ParameterRecipe::Kind::Scalar;
    if (arguments[i].isBuffer != isScalar)
      checkType(file, recipe, arguments[i]);
    if (!arguments[i].isBuffer && isScalar)
      checkFacts(file, recipe, arguments[i]);
  }
}

/// What a launch holds on the device, given back in the end.
class Launched {
public:
  explicit Launched(const DeviceState &device) : device(device), api(*device.api) {}
  ~Launched() {
    for (CUdeviceptr buffer : buffers)
      api.memFree(buffer);
    if (module)
      api.moduleUnload(module);
  }
  Launched(const Launched &) = delete;
  Launched &operator=(const Launched &) = delete;

  void load(const PtxFile &file) {
    constexpr std::size_t logBytes = 16384;
    std::string log(logBytes, '\0');
    int options[] = {jitErrorLogBuffer, jitErrorLogBufferBytes};
    void *values[] = {log.data(), reinterpret_cast<void *>(logBytes)};
    CUresult result = api.moduleLoadDataEx(&module, file.text.c_str(), 2, options, values);
    log.resize(std::min(log.find('\0'), log.size()));
    while (!log.empty() && log.back() == '\n')
      log.pop_back();
    if (result != cudaSuccess)
      throw deviceError(device, result, "load '" + file.path + "'", {}, log);
  }
  CUfunction find(const std::string &entry) {
    CUfunction function = nullptr;
    check(api.moduleGetFunction(&function, module, entry.c_str()),
          "find the entry '" + entry + "'");
    return function;
  }
  CUdeviceptr upload(const Argument &argument) {
    CUdeviceptr address = 0;
    check(api.memAlloc(&address, argument.data.size()),
          fmt::format("allocate {} bytes for {}", argument.data.size(), argument.name));
    buffers.push_back(address);
    if (!argument.unwritten)
      check(api.memcpyHtoD(address, argument.data.data(), argument.data.size()),
            "copy " + argument.name + " to the device");
    return address;
  }
  /// An empty buffer of the runtime's size for what a kernel prints.
  CUdeviceptr recordBuffer() {
    std::size_t bytes = records::bufferBytes();
    records::Header header;
    header.room = bytes - sizeof header;
    CUdeviceptr address = 0;
    check(api.memAlloc(&address, bytes), "allocate the buffer that the kernel prints to");
    buffers.push_back(address);
    check(api.memcpyHtoD(address, &header, sizeof header), "prepare that buffer");
    return address;
  }
  /// Prints the lines in a buffer; throws for a check that failed.
  void tell(const Manifest &manifest, CUdeviceptr buffer) {
    records::Header header;
    check(api.memcpyDtoH(&header, buffer, sizeof header), "read what the kernel printed");
    std::vector<std::byte> bytes(header.writtenBytes());
    if (!bytes.empty())
      check(api.memcpyDtoH(bytes.data(), buffer + sizeof header, bytes.size()),
            "read what the kernel printed");
    records::Told told = records::read(manifest, header, bytes);
    for (const Printed &line : told.prints)
      fmt::print("{}\n", line.toString());
    if (told.failure)
      throw Error(*told.failure);
  }
  void check(CUresult result, const std::string &attempt) {
    if (result != cudaSuccess)
      throw deviceError(device, result, attempt);
  }

private:
  const DeviceState &device;
  const DriverApi &api;
  CUmodule module = nullptr;
  std::vector<CUdeviceptr> buffers;
};

} // namespace

void runOnce(const Device &device, const PtxFile &file, const ChosenEntry &entry,
             const LaunchShape &shape, std::vector<Argument> &arguments) {
  checkArguments(file, entry, arguments);
  std::array<unsigned, 3> block = chooseBlock(file, entry, shape);
  long sharedBytes = shape.dynamicSharedBytes >= 0 ? shape.dynamicSharedBytes
                     : file.manifest               ? file.manifest->dynamicSharedBytes
                                                   : 0;
  const DeviceState &state = device.state();
  const DriverApi &api = *state.api;
  CurrentContext current(state);
  Launched launched(state);
  launched.load(file);
  CUfunction function = launched.find(entry.name);
  if (sharedBytes > 48 * 1024)
    launched.check(api.funcSetAttribute(function, functionMaxDynamicSharedBytes,
                                        static_cast<int>(sharedBytes)),
                   fmt::format("reserve {} bytes of shared memory", sharedBytes));
  std::vector<CUdeviceptr> addresses(arguments.size());
  std::vector<void *> values(arguments.size());
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    values[i] = arguments[i].data.data();
    if (arguments[i].isBuffer) {
      addresses[i] = launched.upload(arguments[i]);
      values[i] = &addresses[i];
    }
  }
  CUdeviceptr recordBuffer = 0;
  if (entry.hasRecords) {
    recordBuffer = launched.recordBuffer();
    values.push_back(&recordBuffer);
  }
  launched.check(api.launchKernel(function, shape.grid[0], shape.grid[1], shape.grid[2], block[0],
                                  block[1], block[2], static_cast<unsigned>(sharedBytes), nullptr,
                                  values.data(), nullptr),
                 "launch '" + entry.name + "'");
  launched.check(api.ctxSynchronize(), "execute '" + entry.name + "'");
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (arguments[i].isBuffer)
      launched.check(
          api.memcpyDtoH(arguments[i].data.data(), addresses[i], arguments[i].data.size()),
          "copy " + arguments[i].name + " from the device");
  if (entry.hasRecords)
    launched.tell(*file.manifest, recordBuffer);
}

} // namespace trowel::run
