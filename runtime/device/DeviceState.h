// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all handles of one device share: the driver's table, the retained primary context, and the
// facts that were asked for once.
#pragma once

#include "runtime/driver/DriverApi.h"
#include "trowel/Device.h"
#include "trowel/Error.h"

#include <atomic>
#include <string>

namespace trowel::detail {

class RecordLog;

class DeviceState {
public:
  const driver::DriverApi *api = nullptr;
  driver::CUdevice handle = 0;
  int ordinal = 0;
  driver::CUcontext context = nullptr;
  std::string name;
  std::string description;
  std::string target;
  DeviceLimits limits;
  /// What kernels print; null until the first one does.
  std::atomic<RecordLog *> records{nullptr};
};

/// The one state of a device of `api`, opened on first use and kept until the process ends. `api`
/// is initialised. Throws trowel::Error.
DeviceState &openDevice(const driver::DriverApi &api, int ordinal);

/// The PTX target for a compute capability: the row of its own where there is one, else the newest
/// portable target that is not newer. Null below 8.0.
const char *targetForCapability(int major, int minor);

/// Makes the device's primary context current on this thread for a scope, and leaves the caller's
/// context as it was.
class CurrentContext {
public:
  explicit CurrentContext(const DeviceState &device);
  ~CurrentContext();
  CurrentContext(const CurrentContext &) = delete;
  CurrentContext &operator=(const CurrentContext &) = delete;

private:
  const driver::DriverApi &api;
};

/// Waits for all work of the device, whose context is current, before something is freed that the
/// work may use. The software device has none under way between two calls, and a fault that it has
/// to report stays for the next call of the user's.
void waitBeforeFreeing(const DeviceState &device);

/// The bytes of `count` elements; refuses more than a std::size_t holds.
std::size_t allocationBytes(std::size_t count, std::size_t elementBytes);

/// The error for a failed driver call on a device: see driver::driverError.
Error deviceError(const DeviceState &device, driver::CUresult result, const std::string &attempt,
                  const std::string &kernel = {}, const std::string &detail = {});

} // namespace trowel::detail
