// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides on a device.
//
//   TROWEL_DEVICE   libcuda                        device
//   unset, empty    not found                      software device
//                   found, reports no GPU          software device
//                   found, does not start          error that quotes it
//                   found, has GPUs                cuda:0
//   sim             (not looked at)                software device
//   cuda, cuda:N    must be there and have it      that GPU
//   anything else                                  error that names these forms
//
// A driver that is installed but does not start is not taken for "no GPU": a job that silently ran
// a thousand times slower on the CPU, after a driver update without a reboot, would be found late.
// No GPU has two forms: cuInit says so, or it succeeds and counts none.
//
// The drivers come in as functions, so that tests can play machines that are not there.

#include "runtime/device/DeviceChoice.h"

#include "runtime/base/Logging.h"
#include "runtime/device/DeviceState.h"
#include "runtime/driver/DriverError.h"
#include "runtime/sim/SimDriver.h"

#include <charconv>
#include <string_view>

namespace trowel {

using namespace trowel::driver;

namespace {
constexpr const char *useSimulator = "set TROWEL_DEVICE=sim to run on the software device";

Device announced(Device device, const char *reason) {
  if (logs(LogTopic::Device))
    logLine(LogTopic::Device, device.describe() + ": " + reason);
  return device;
}

/// The number of GPUs; -1 is never returned. Throws where the driver does not start.
int countGpus(const DriverApi &api) {
  CUresult result = api.init(0);
  if (result == cudaErrorNoDevice)
    return 0;
  if (result != cudaSuccess)
    throw driverError(api, result, "start the CUDA driver (" + api.origin + ")");
  int count = 0;
  result = api.deviceGetCount(&count);
  if (result == cudaErrorNoDevice)
    return 0;
  if (result != cudaSuccess)
    throw driverError(api, result, "count the GPUs");
  return count;
}

Error unusable(const CudaLibrary &library) {
  return Error("the CUDA driver cannot be used: " + library.problem + "; repair it, or " +
               useSimulator);
}

Device chooseByWhatIsThere(const DriverSources &sources) {
  const CudaLibrary &library = sources.cuda();
  if (library.state == CudaLibrary::State::NotFound)
    return announced(openSimulator(sources), "no libcuda was found");
  if (library.state == CudaLibrary::State::Unusable)
    throw unusable(library);
  if (countGpus(library.api) == 0)
    return announced(openSimulator(sources), "the driver reports no GPU");
  return announced(Device(detail::openDevice(library.api, 0)), "the first GPU");
}
} // namespace

Device openCuda(int ordinal, const DriverSources &sources) {
  std::string wanted = "cuda:" + std::to_string(ordinal);
  const CudaLibrary &library = sources.cuda();
  if (library.state == CudaLibrary::State::NotFound)
    throw Error("there is no " + wanted + ": no CUDA driver was found (" + library.problem +
                "); install NVIDIA's driver, or " + useSimulator);
  if (library.state == CudaLibrary::State::Unusable)
    throw unusable(library);
  int count = countGpus(library.api);
  if (ordinal < 0 || ordinal >= count) {
    std::string there = count == 0   ? "reports no GPU"
                        : count == 1 ? "reports 1 GPU, cuda:0"
                                     : "reports " + std::to_string(count) +
                                           " GPUs, cuda:0 to cuda:" + std::to_string(count - 1);
    throw Error("there is no " + wanted + ": the CUDA driver " + there +
                "; name one that exists (CUDA_VISIBLE_DEVICES may hide some), or " + useSimulator);
  }
  return Device(detail::openDevice(library.api, ordinal));
}

Device openSimulator(const DriverSources &sources) {
  const DriverApi &api = sources.simulator();
  if (CUresult result = api.init(0); result != cudaSuccess)
    throw driverError(api, result, "start the software device");
  return Device(detail::openDevice(api, 0));
}

Device chooseDevice(const char *request, const DriverSources &sources) {
  std::string_view wanted = request ? request : "";
  if (wanted.empty())
    return chooseByWhatIsThere(sources);
  constexpr const char *reason = "TROWEL_DEVICE names it";
  if (wanted == "sim")
    return announced(openSimulator(sources), reason);
  if (wanted == "cuda")
    return announced(openCuda(0, sources), reason);
  if (wanted.starts_with("cuda:")) {
    std::string_view digits = wanted.substr(5);
    int ordinal = -1;
    auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), ordinal);
    if (status == std::errc{} && end == digits.data() + digits.size() && ordinal >= 0)
      return announced(openCuda(ordinal, sources), reason);
  }
  throw Error("TROWEL_DEVICE is '" + std::string(wanted) +
              "'; it must be 'sim' (the software device), 'cuda' (the first GPU) or 'cuda:N' (the "
              "GPU with ordinal N, such as cuda:1), or be unset");
}

const DriverSources &standardSources() {
  static const DriverSources sources{cudaLibrary, sim::simulatorDriver};
  return sources;
}

} // namespace trowel
