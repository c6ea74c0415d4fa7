// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns a failed driver call into a sentence: what was tried, the driver's own words, the way out.
//
//   cannot allocate 99999999999 bytes on NVIDIA H200 (cuda:0, sm_90a): 150 of 151 GB are free; the
//   driver says CUDA_ERROR_OUT_OF_MEMORY (out of memory); free other buffers or use smaller ones
//
// The driver's name and text come from the driver, so codes that are newer than this file are
// quoted like all others. The table below holds only what the driver does not say: what to do. Some
// advice is the same for a family of codes: after an illegal access the context is lost for the
// whole process, and every later call returns the same code, so the error must not read as if the
// call that reports it were at fault.
//
// The software device knows more than a code: the access, the lanes, the C++ line. Its finding
// replaces the sentence, and gives the error its file, line and kernel.

#include "runtime/driver/DriverError.h"

namespace trowel::driver {

namespace {
struct Advice {
  CUresult result;
  const char *text;
};

constexpr const char *contextIsLost =
    "the fault is in a kernel that was launched earlier, and the GPU takes no further work from "
    "this "
    "process; run with TROWEL_DEVICE=sim to have the access and its C++ line named";
constexpr const char *driverCannotStart =
    "the driver is installed but does not work; `nvidia-smi` and the kernel log say more, and "
    "TROWEL_DEVICE=sim runs on the software device";

// Codes without a name in DriverApi.h are told apart here only.
constexpr Advice table[] = {
    {cudaErrorOutOfMemory, "free other buffers or use smaller ones"},
    {34, "this libcuda is the toolkit's stub, which is only for linking; put the directory of the "
         "driver's libcuda.so.1 first in the library path"},
    {46, "another process holds the GPU in exclusive mode, or the GPU is being reset"},
    {cudaErrorNoDevice,
     "check that the GPU is visible (`nvidia-smi`, CUDA_VISIBLE_DEVICES), or set "
     "TROWEL_DEVICE=sim to run on the software device"},
    {cudaErrorInvalidDevice, "set TROWEL_DEVICE to a GPU that exists, or to sim"},
    {209, "the kernel was compiled for another target; compile it for this device"},
    {cudaErrorInvalidPtx, "the driver's assembler refused the PTX"},
    {222, "the driver is older than the PTX; update the driver, or compile for a lower target"},
    {304, driverCannotStart},
    {cudaErrorIllegalAddress, contextIsLost},
    {701,
     "the program needs more registers or shared memory than the device has; use fewer warps or "
     "a smaller tile"},
    {702, "the GPU drives a display and its watchdog ended the kernel; use a smaller grid"},
    {cudaErrorIllegalInstruction, contextIsLost},
    {cudaErrorMisalignedAddress, contextIsLost},
    {717, contextIsLost},
    {718, contextIsLost},
    {cudaErrorLaunchFailed, contextIsLost},
    {802, driverCannotStart},
    {803, "the kernel module of the driver and libcuda are of different versions; reboot after a "
          "driver update, or set TROWEL_DEVICE=sim to run on the software device"},
    {804,
     "this libcuda (forward compatibility) does not support the GPU; take its directory out of "
     "LD_LIBRARY_PATH"},
    {999, driverCannotStart},
};

const char *adviceFor(CUresult result) {
  for (const Advice &row : table)
    if (row.result == result)
      return row.text;
  return nullptr;
}
} // namespace

std::string describeResult(const DriverApi &api, CUresult result) {
  const char *name = nullptr;
  const char *text = nullptr;
  if (!api.getErrorName || api.getErrorName(result, &name) != cudaSuccess || !name)
    return "code " + std::to_string(result);
  std::string description = name;
  if (api.getErrorString && api.getErrorString(result, &text) == cudaSuccess && text)
    description += " (" + std::string(text) + ")";
  return description;
}

std::string driverVersion(const DriverApi &api) {
  int version = 0;
  if (!api.driverGetVersion || api.driverGetVersion(&version) != cudaSuccess || version <= 0)
    return "unknown";
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

Error driverError(const DriverApi &api, CUresult result, const std::string &attempt,
                  const std::string &kernel, const std::string &detail) {
  if (api.simulator) {
    Finding fault = api.simulator->takeFault();
    if (!fault.text.empty()) {
      bool isKernelFault = !fault.kernel.empty();
      return Error(fault.file, fault.line, isKernelFault ? fault.kernel : kernel,
                   isKernelFault ? fault.text : "cannot " + attempt + ": " + fault.text);
    }
  }
  std::string text = "cannot " + attempt + ": ";
  if (!detail.empty())
    text += detail + "; ";
  text += "the driver says " + describeResult(api, result);
  if (const char *advice = adviceFor(result))
    text += std::string("; ") + advice;
  return Error({}, 0, kernel, text);
}

} // namespace trowel::driver
