// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The public face of a device. Which device it is was decided in DeviceChoice.cpp, and what it is
// was found out in DeviceState.cpp; here are the calls that concern the device as a whole.
//
// Kernels run asynchronously, so a fault in one is known only later. It is thrown by the first call
// that waits for the kernel: synchronize() here, the copies of a buffer, a stream's or an event's
// synchronize().

#include "trowel/Device.h"

#include "runtime/device/DeviceChoice.h"
#include "runtime/device/DeviceState.h"
#include "runtime/device/RecordLog.h"

#include <cstdlib>

namespace trowel {

using namespace trowel::driver;

Device Device::best(std::source_location at) {
  detail::CallSite here(at);
  return chooseDevice(std::getenv("TROWEL_DEVICE"), standardSources());
}
Device Device::cuda(int ordinal, std::source_location at) {
  detail::CallSite here(at);
  return openCuda(ordinal, standardSources());
}
Device Device::simulator(std::source_location at) {
  detail::CallSite here(at);
  return openSimulator(standardSources());
}

const std::string &Device::name() const { return shared->name; }
const std::string &Device::describe() const { return shared->description; }
bool Device::isSimulator() const { return shared->api->simulator != nullptr; }
const std::string &Device::target() const { return shared->target; }
const DeviceLimits &Device::limits() const { return shared->limits; }

void Device::synchronize(std::source_location at) const {
  detail::CallSite here(at);
  detail::CurrentContext current(*shared);
  detail::endWait(*shared, shared->api->ctxSynchronize(), "wait for the work");
}

Report Device::report() const {
  return shared->api->simulator ? shared->api->simulator->report() : Report{};
}

void Device::resetReport() const {
  if (shared->api->simulator)
    shared->api->simulator->resetReport();
}

void Device::setWarpOrder(std::uint64_t seed, std::source_location at) const {
  detail::CallSite here(at);
  if (!shared->api->simulator)
    throw Error("the order of warps can be chosen on the software device only, this is " +
                describe() + ": use Device::simulator()");
  shared->api->simulator->setWarpOrder(seed);
}

void Device::setPrintSink(detail::PrintSink sink) const {
  detail::recordLogOf(*shared).setSink(sink);
}

std::uint64_t Device::warpOrder() const {
  return shared->api->simulator ? shared->api->simulator->warpOrder() : 0;
}

} // namespace trowel
