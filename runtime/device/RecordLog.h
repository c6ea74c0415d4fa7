// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The buffers that launches print to, and what is read from them.
#pragma once

#include "runtime/base/Records.h"
#include "runtime/device/DeviceState.h"

#include <deque>
#include <memory>
#include <mutex>

namespace trowel::detail {

/// Of one device; made with its first launch that has records, and kept. The device's context is
/// current in all calls.
class RecordLog {
public:
  explicit RecordLog(DeviceState &device) : device(device) {}

  /// A buffer on the device, and what marks the end of the launch that uses it.
  struct Slot {
    driver::CUdeviceptr buffer = 0;
    driver::CUevent done = nullptr;
    std::shared_ptr<const Manifest> manifest;
  };
  /// An empty buffer for a launch in `stream`; waits for an earlier launch if there are many. The
  /// caller holds `mutex`, launches, and gives the slot to `launched` or back to `unused`.
  Slot take(driver::CUstream stream);
  void launched(Slot slot, driver::CUstream stream);
  void unused(Slot slot) { free.push_back(std::move(slot)); }
  std::mutex mutex;

  /// Prints what the launches that have ended told.
  void print();
  /// The error for the checks that failed in launches that have ended, unless it was taken before.
  std::optional<Error> takeFailure();

  void setSink(PrintSink sink);

private:
  void collect(const Slot &slot);
  void collectEnded();
  void require(driver::CUresult result, const char *attempt);

  DeviceState &device;
  std::deque<Slot> underWay;
  std::vector<Slot> free;
  std::vector<Printed> prints;
  std::vector<Error> failures;
  std::shared_ptr<const PrintSink> sink;
};

/// The log of a device, made if there is none.
RecordLog &recordLogOf(DeviceState &device);

/// What every call that waits ends with: throws if it failed, and for a check that failed; before
/// that, prints what launches told. `attempt` says what was tried, and of how many bytes where it
/// was a copy. The device's context is current.
void endWait(DeviceState &device, driver::CUresult result, const char *attempt,
             std::size_t bytes = 0);

} // namespace trowel::detail
