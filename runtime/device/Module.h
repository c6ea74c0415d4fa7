// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel image that the driver of one device has loaded.
#pragma once

#include "runtime/base/KernelImage.h"
#include "runtime/driver/DriverApi.h"
#include "trowel/Device.h"

#include <memory>
#include <string>

namespace trowel {

/// A kernel that is ready to be launched. It is unloaded with its last owner; launches that are
/// still under way are finished first.
class TROWEL_API LoadedKernel {
public:
  LoadedKernel(const Device &device, Manifest manifest)
      : device(device), manifest(std::move(manifest)) {}
  LoadedKernel(const LoadedKernel &) = delete;
  LoadedKernel &operator=(const LoadedKernel &) = delete;
  ~LoadedKernel();

  Device device;
  Manifest manifest;
  driver::CUmodule module = nullptr;
  driver::CUfunction function = nullptr;
  /// The manifest again where the kernel prints or checks, for whoever reads that after the kernel
  /// is gone; else null.
  std::shared_ptr<const Manifest> records;
  /// Launch arguments that the manifest's recipes name.
  int argumentCount = 0;
  /// Most threads of a program with this code.
  int mostThreads = 0;
  /// Resources as the driver reports them; -1 where it does not know (the software device has no
  /// register allocation).
  int registers = -1;
  int localBytes = -1;
  int staticSharedBytes = -1;
  /// What the driver's assembler said.
  std::string log;
};

struct Module {
  /// Loads a kernel. Throws trowel::Error: PTX that the driver refuses (with its log), a manifest
  /// that does not fit the PTX or the device.
  TROWEL_API static std::shared_ptr<const LoadedKernel> load(const Device &device,
                                                             const KernelImage &image);
};

} // namespace trowel
