// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Starts a kernel.
//
// The user's grid is the logical grid, and with one CTA a program it is the CUDA grid. The manifest
// has a recipe for each parameter of the entry; a recipe names the argument it is made from and
// what the code relies on. The parameters' values are the arguments' bits themselves, so the array
// that the driver wants is filled with addresses into the caller's list and nothing is copied.
//
// All checks are against values, before the driver is called: a wrong argument must not cost the
// context. They are comparisons of integers that are at hand; sentences are put together in
// functions of their own, which the successful path never enters. It allocates nothing up to 32
// parameters, takes no lock and asks the driver three things: push, launch, pop. A kernel that
// prints is launched with a buffer for that, at the cost of a lock and two more calls.
//
// Grid limits are checked for each axis alone. The product may exceed 32 bits; hardware counts the
// programs per axis.

#include "runtime/device/Launch.h"

#include "runtime/base/Logging.h"
#include "runtime/device/RecordLog.h"

#include <fmt/format.h>

#include <vector>

namespace trowel {

using namespace trowel::driver;
using detail::CurrentContext;
using detail::DeviceState;

namespace {
constexpr std::size_t parametersWithoutAllocation = 32;

[[noreturn]] void refuse(const LoadedKernel &kernel, std::string text) {
  throw Error({}, 0, kernel.manifest.kernel, std::move(text));
}

std::string describe(const ParameterRecipe &recipe) {
  if (recipe.kind == ParameterRecipe::Kind::Scalar)
    return fmt::format("a scalar of type {}", name(recipe.type));
  return fmt::format("a pointer to {}", name(recipe.type));
}

[[gnu::cold, noreturn]] void refuseAxis(const LoadedKernel &kernel, char axis, std::int64_t extent,
                                        std::int64_t limit) {
  const DeviceState &device = kernel.device.state();
  if (extent < 0)
    refuse(kernel, fmt::format("grid axis {} is {}; an extent is 0 or more", axis, extent));
  std::string wayOut =
      axis == 'x' ? std::string("split the launch")
                  : fmt::format("put the long extent on axis x (up to {})", device.limits.gridX);
  refuse(kernel, fmt::format("grid axis {} is {}; {} allows at most {}: {}, or let each program do "
                             "more",
                             axis, extent, device.description, limit, wayOut));
}

[[gnu::cold, noreturn]] void refuseCount(const LoadedKernel &kernel, std::size_t given) {
  refuse(kernel,
         fmt::format("the kernel takes {} argument{}, {} {} given", kernel.argumentCount,
                     kernel.argumentCount == 1 ? "" : "s", given, given == 1 ? "was" : "were"));
}

/// Says what is wrong with an argument that `isAccepted` did not accept.
[[gnu::cold, noreturn]] void refuseArgument(const LoadedKernel &kernel,
                                            const ParameterRecipe &recipe,
                                            const LaunchArgument &argument) {
  const DeviceState &device = kernel.device.state();
  std::string which = nameOfArgument(recipe.argument);
  bool isPointer = recipe.kind == ParameterRecipe::Kind::Pointer;
  if (isPointer != (argument.kind == LaunchArgument::Kind::Pointer) || argument.type != recipe.type)
    refuse(kernel, fmt::format("{} is {}; the kernel takes {} there", which, describe(argument),
                               describe(recipe)));
  if (isPointer) {
    if (argument.constant && recipe.writes)
      refuse(kernel, fmt::format("{} is {}, and the kernel writes through it; pass a "
                                 "pointer that is not const",
                                 which, describe(argument)));
    if (argument.device && argument.device != &device)
      refuse(kernel, fmt::format("{} lies on {}, the launch is on {}; upload it there, or "
                                 "launch on a stream of its own device",
                                 which, argument.device->description, device.description));
    if (argument.bits == 0)
      refuse(kernel, fmt::format("{} is a null pointer; pass a buffer or the address of "
                                 "device memory",
                                 which));
    std::string wayOut = recipe.alignment <= byteSize(recipe.type)
                             ? std::string("pass the address of a whole element")
                             : std::string("pass an aligned address, or compile the kernel without "
                                           "that fact");
    refuse(kernel, fmt::format("{} is the address {:#x}, which is not a multiple of the {} "
                               "bytes that the code relies on for {}; {}",
                               which, argument.bits, recipe.alignment, name(recipe.type), wayOut));
  }
  std::int64_t value = integerValue(argument);
  constexpr const char *wayOut = "compile the kernel for this value";
  if (recipe.specialized && value != recipe.value)
    refuse(kernel, fmt::format("{} is {}, and the code was compiled for {}; {}", which, value,
                               recipe.value, wayOut));
  if (value % recipe.divisibleBy != 0)
    refuse(kernel, fmt::format("{} is {}, which is not a multiple of the {} that the code "
                               "relies on; {}",
                               which, value, recipe.divisibleBy, wayOut));
  refuse(kernel, fmt::format("{} is {}, which does not fit the 32 bits that the code relies "
                             "on; {}",
                             which, value, wayOut));
}

bool isAccepted(const DeviceState &device, const ParameterRecipe &recipe,
                const LaunchArgument &argument, bool mayBeNull) {
  bool isPointer = recipe.kind == ParameterRecipe::Kind::Pointer;
  if (isPointer != (argument.kind == LaunchArgument::Kind::Pointer) || argument.type != recipe.type)
    return false;
  if (isPointer) {
    if (argument.bits == 0)
      return (mayBeNull || argument.bytes == 0) && (!argument.device || argument.device == &device);
    return !(argument.constant && recipe.writes) &&
           (!argument.device || argument.device == &device) &&
           (argument.bits & static_cast<std::uint64_t>(recipe.alignment - 1)) == 0;
  }
  if (!recipe.specialized && recipe.divisibleBy == 1 && !recipe.fits32)
    return true;
  std::int64_t value = integerValue(argument);
  return (!recipe.specialized || value == recipe.value) && value % recipe.divisibleBy == 0 &&
         (!recipe.fits32 || value == static_cast<std::int32_t>(value));
}

[[gnu::cold, noreturn]] void refuseStream(const LoadedKernel &kernel, const Stream &stream) {
  refuse(kernel,
         fmt::format("the stream is of {}, the kernel was loaded on {}; launch on a stream of "
                     "that device",
                     stream.device().describe(), kernel.device.describe()));
}

void start(const LoadedKernel &kernel, const Stream &stream, const Grid &grid, void **values) {
  const DeviceState &device = kernel.device.state();
  CUresult result = device.api->launchKernel(
      kernel.function, static_cast<unsigned>(grid.x), static_cast<unsigned>(grid.y),
      static_cast<unsigned>(grid.z), static_cast<unsigned>(kernel.manifest.threads), 1, 1,
      static_cast<unsigned>(kernel.manifest.dynamicSharedBytes),
      static_cast<CUstream>(stream.native(grid.at)), values, nullptr);
  if (result != cudaSuccess) [[unlikely]]
    throw detail::deviceError(device, result, "launch the kernel", kernel.manifest.kernel);
}

/// The same with a buffer for what the kernel prints, whose address `values` takes from `buffer`.
[[gnu::cold]] void startWithRecords(const LoadedKernel &kernel, const Stream &stream,
                                    const Grid &grid, void **values, CUdeviceptr &buffer) {
  detail::RecordLog &log = detail::recordLogOf(kernel.device.state());
  auto native = static_cast<CUstream>(stream.native(grid.at));
  std::lock_guard lock(log.mutex); // launches are read in the order in which they started
  detail::RecordLog::Slot slot = log.take(native);
  slot.manifest = kernel.records;
  buffer = slot.buffer;
  try {
    start(kernel, stream, grid, values);
  } catch (const Error &) {
    log.unused(std::move(slot));
    throw;
  }
  log.launched(std::move(slot), native);
}
} // namespace

std::int64_t integerValue(const LaunchArgument &argument) {
  int unused = 64 - 8 * byteSize(argument.type);
  std::uint64_t top = argument.bits << unused;
  if (argument.type == ElementType::Bool || isUnsigned(argument.type))
    return static_cast<std::int64_t>(top >> unused);
  return static_cast<std::int64_t>(top) >> unused;
}

std::string nameOfArgument(std::size_t index) {
  return fmt::format("argument {} (counted from 0)", index);
}

std::string describe(const LaunchArgument &argument) {
  if (argument.kind == LaunchArgument::Kind::Scalar)
    return fmt::format("a scalar of type {}", name(argument.type));
  return fmt::format("a pointer to {}{}", argument.constant ? "const " : "", name(argument.type));
}

void launch(const LoadedKernel &kernel, const Stream &stream, const Grid &grid,
            std::span<const LaunchArgument> arguments) {
  const DeviceState &device = kernel.device.state();
  if (&stream.device().state() != &device)
    refuseStream(kernel, stream);
  if (grid.x < 0 || grid.x > device.limits.gridX)
    refuseAxis(kernel, 'x', grid.x, device.limits.gridX);
  if (grid.y < 0 || grid.y > device.limits.gridY)
    refuseAxis(kernel, 'y', grid.y, device.limits.gridY);
  if (grid.z < 0 || grid.z > device.limits.gridZ)
    refuseAxis(kernel, 'z', grid.z, device.limits.gridZ);

  const std::vector<ParameterRecipe> &recipes = kernel.manifest.parameters;
  if (arguments.size() != static_cast<std::size_t>(kernel.argumentCount))
    refuseCount(kernel, arguments.size());
  void *few[parametersWithoutAllocation];
  std::vector<void *> many;
  void **values = few;
  if (recipes.size() > parametersWithoutAllocation) {
    many.resize(recipes.size());
    values = many.data();
  }
  CUdeviceptr recordBuffer = 0;
  for (std::size_t i = 0; i < recipes.size(); ++i) {
    if (recipes[i].kind == ParameterRecipe::Kind::Records) [[unlikely]] {
      values[i] = &recordBuffer;
      continue;
    }
    const LaunchArgument &argument = arguments[static_cast<std::size_t>(recipes[i].argument)];
    if (!isAccepted(device, recipes[i], argument, grid.isEmpty())) [[unlikely]]
      refuseArgument(kernel, recipes[i], argument);
    // The driver only reads through it.
    values[i] = const_cast<std::uint64_t *>(&argument.bits);
  }
  if (logs(LogTopic::Launch)) [[unlikely]]
    logLine(LogTopic::Launch,
            fmt::format(
                "kernel '{}' on {}: grid {}x{}x{}, {} threads, {} bytes of dynamic shared memory",
                kernel.manifest.kernel, device.description, grid.x, grid.y, grid.z,
                kernel.manifest.threads, kernel.manifest.dynamicSharedBytes));
  if (grid.isEmpty())
    return;

  CurrentContext current(device);
  if (kernel.records) [[unlikely]]
    return startWithRecords(kernel, stream, grid, values, recordBuffer);
  start(kernel, stream, grid, values);
}

} // namespace trowel
