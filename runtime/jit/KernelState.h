// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all copies of a Kernel share: its source, its trace, and the variants that it has launched.
#pragma once

#include "runtime/jit/KernelCache.h"

#include <atomic>

namespace trowel::detail {

class KernelState {
public:
  explicit KernelState(KernelSource source);
  ~KernelState();
  KernelState(const KernelState &) = delete;

  const KernelSource source;
  std::atomic<int> owners{1};

  /// The trace; recorded on first use. `call` says what the user called, for messages.
  jit::SharedTrace &trace(const char *call);

  void launch(const Stream *stream, const Grid &grid, std::span<const LaunchArgument> arguments);
  std::shared_ptr<const KernelImage> image(const std::string &target, Assume assume);
  std::string stage(const std::string &stage, const std::string &target, Assume assume);
  std::string layouts(const std::string &target, Assume assume);
  Occupancy occupancy(const Device &device, int threads);
  std::span<const Parameter> parameters() const {
    return {source.parameters, source.parameterCount};
  }

private:
  /// One compiled and loaded form of the kernel. Variants form a list that only grows, so that a
  /// launch can read it without a lock.
  struct Variant {
    const DeviceState *device;
    jit::Facts facts;
    std::shared_ptr<const LoadedKernel> loaded;
    const Variant *next;
  };

  compiler::ArgumentFacts factsOf(Assume assume) const;
  const Variant *find(const DeviceState *device, const jit::Facts &facts) const;
  /// `call` says what the user called.
  const Variant *add(const Device &device, const jit::Facts &facts, const char *call);

  std::mutex tracing;
  std::unique_ptr<jit::SharedTrace> traced;
  std::atomic<const Variant *> variants{nullptr};
};

} // namespace trowel::detail
