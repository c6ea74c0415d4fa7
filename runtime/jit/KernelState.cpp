// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launching.
//
// What a launch costs on the CPU is what a caller in a loop pays every time, so the path of a
// launch that was seen before is short: look at the arguments (Facts.h), walk a list of the few
// variants that this kernel has, and hand over to the device layer. No lock, no allocation, no
// string. The list is prepended to under a lock and never shortened while the kernel lives, so
// readers need only an acquiring load of its head.
//
// Everything else happens at most once per variant: trace, compile, load (KernelCache.cpp).
//
// The device is the one where the first pointer argument lives, or the stream's. The device layer
// refuses arguments that live elsewhere, with both devices named.
//
// A kernel used inside another kernel's lambda is refused before any lock is taken: the lambda runs
// under the outer kernel's lock, and a kernel that launched itself would wait for ever.

#include "runtime/jit/KernelState.h"

#include "runtime/base/Logging.h"
#include "runtime/device/Launch.h"
#include "runtime/device/Occupancy.h"
#include "runtime/jit/CompileTrace.h"
#include "trowel/Error.h"

#include <chrono>
#include <fmt/format.h>

namespace trowel::detail {

namespace {

[[gnu::cold, noreturn]] void refuseNested(const KernelSource &source, const char *call,
                                          const std::string &outer) {
  throw Error(
      source.at.file_name(), static_cast<int>(source.at.line()), source.name,
      fmt::format("{} while kernel '{}' is being traced: a kernel cannot start another; call "
                  "a C++ function that both use",
                  call, outer));
}

Device deviceOf(std::span<const LaunchArgument> arguments) {
  for (const LaunchArgument &argument : arguments)
    if (argument.device)
      return Device(*argument.device);
  return Device::best();
}

} // namespace

KernelState::KernelState(KernelSource given) : source(std::move(given)) {
  compiler::checkSource(source);
  if (source.parameterCount > jit::Facts::maxArguments)
    throw Error(source.at.file_name(), static_cast<int>(source.at.line()), source.name,
                fmt::format("the kernel has {} parameters, and a kernel has at most {}: put values "
                            "into a buffer and load them",
                            source.parameterCount, jit::Facts::maxArguments));
}

KernelState::~KernelState() {
  const Variant *variant = variants.load(std::memory_order_acquire);
  while (variant)
    delete std::exchange(variant, variant->next);
}

jit::SharedTrace &KernelState::trace(const char *call) {
  if (const std::string *outer = compiler::kernelBeingTraced())
    refuseNested(source, call, *outer);
  std::lock_guard lock(tracing);
  if (!traced) {
    auto start = std::chrono::steady_clock::now();
    auto recorded = std::make_unique<jit::SharedTrace>();
    recorded->kernel = compiler::trace(source);
    traced = std::move(recorded);
    if (logs(LogTopic::Jit)) {
      std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
      logLine(LogTopic::Jit, fmt::format("trace '{}' (key {:.16}): {:.2f} ms", source.name,
                                         traced->kernel.key, time.count()));
    }
  }
  return *traced;
}

const KernelState::Variant *KernelState::find(const DeviceState *device,
                                              const jit::Facts &facts) const {
  for (const Variant *variant = variants.load(std::memory_order_acquire); variant;
       variant = variant->next)
    if (variant->device == device && variant->facts == facts)
      return variant;
  return nullptr;
}

const KernelState::Variant *KernelState::add(const Device &device, const jit::Facts &facts,
                                             const char *call) {
  std::shared_ptr<const LoadedKernel> loaded = jit::loadedFor(trace(call), device, facts);
  // Two threads may come here with one variant. Both have the same module, and a second entry in
  // the list is never reached, so nothing need be undone.
  auto *variant = new Variant{&device.state(), facts, std::move(loaded),
                              variants.load(std::memory_order_relaxed)};
  while (!variants.compare_exchange_weak(variant->next, variant, std::memory_order_release,
                                         std::memory_order_relaxed)) {
  }
  return variant;
}

void KernelState::launch(const Stream *stream, const Grid &grid,
                         std::span<const LaunchArgument> arguments) {
  if (const std::string *outer = compiler::kernelBeingTraced()) [[unlikely]]
    refuseNested(source, "launch", *outer);
  Device device = stream ? stream->device() : deviceOf(arguments);
  jit::Facts facts(parameters(), arguments);
  const Variant *variant = find(&device.state(), facts);
  if (!variant) [[unlikely]]
    variant = add(device, facts, "launch");
  if (stream)
    trowel::launch(*variant->loaded, *stream, grid, arguments);
  else
    trowel::launch(*variant->loaded, Stream::defaultOf(device), grid, arguments);
}

std::shared_ptr<const KernelImage> KernelState::image(const std::string &target, Assume assume) {
  return jit::imageFor(trace("ptx"), target, jit::Facts(parameters(), assume));
}

std::string KernelState::stage(const std::string &stage, const std::string &target, Assume assume) {
  jit::SharedTrace &shared = trace("stage");
  std::lock_guard lock(shared.compiling);
  return jit::stageOfTrace(shared.kernel, jit::optionsFor(shared.kernel, target, factsOf(assume)),
                           stage);
}

std::string KernelState::layouts(const std::string &target, Assume assume) {
  jit::SharedTrace &shared = trace("layouts");
  std::lock_guard lock(shared.compiling);
  return jit::layoutsOfTrace(shared.kernel,
                             jit::optionsFor(shared.kernel, target, factsOf(assume)));
}

Occupancy KernelState::occupancy(const Device &device, int threads) {
  jit::Facts facts(parameters(), Assume::Typical);
  const Variant *variant = find(&device.state(), facts);
  if (!variant)
    variant = add(device, facts, "occupancy");
  return occupancyOf(*variant->loaded, threads);
}

compiler::ArgumentFacts KernelState::factsOf(Assume assume) const {
  return jit::Facts(parameters(), assume).unpacked();
}

} // namespace trowel::detail
