// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the software device's driver keeps between calls.
//
// There is one device with one context. All calls take one lock, and work is executed within the
// call that enqueues it, so streams are trivially in order and nothing here is concurrent but the
// CTAs of a launch. What stays asynchronous is the report of a fault, as on a GPU: the launch that
// faulted returns success, work enqueued behind it is dropped, and the next synchronising call, of
// whatever thread, returns the error once. Unlike on a GPU the device is usable again from there
// on.
//
// Failures carry a sentence that the thread may fetch with takeFault.

#include "runtime/sim/SimState.h"

#include <utility>

namespace trowel::sim {

namespace {
thread_local Finding lastFault;
// A thread's stack of current contexts; all entries are the one context there is.
thread_local int contextDepth = 0;
} // namespace

SimState &simState() {
  // Never destroyed: handles may be released by other static objects at the end of the process.
  static SimState &state = *new SimState;
  return state;
}

Call::Call(Needs needs) : state(simState()), lock(state.mutex) {
  if (needs >= Initialised && !state.initialised)
    result = fail(driver::cudaErrorNotInitialized, "the driver was not initialised: call cuInit");
  else if (needs >= Context && contextDepth == 0)
    result = fail(driver::cudaErrorInvalidContext,
                  "this thread has no current context: push the device's primary context");
}

CUresult fail(CUresult result, std::string text) {
  Finding finding;
  finding.kind = "invalid-call";
  finding.text = std::move(text);
  return failWithFinding(result, std::move(finding));
}

CUresult failWithFinding(CUresult result, Finding finding) {
  lastFault = std::move(finding);
  return result;
}

Finding takeFault() { return std::exchange(lastFault, {}); }

CUresult reportPending(SimState &state) {
  if (!state.pendingFault)
    return driver::cudaSuccess;
  Finding finding = std::move(*state.pendingFault);
  state.pendingFault.reset();
  return failWithFinding(state.pendingResult, std::move(finding));
}

namespace {
struct ResultRow {
  CUresult result;
  const char *name;
  const char *text;
};
constexpr ResultRow resultRows[] = {
    {0, "CUDA_SUCCESS", "no error"},
    {1, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {2, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {3, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
    {100, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
    {101, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
    {201, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
    {218, "CUDA_ERROR_INVALID_PTX", "a PTX JIT compilation failed"},
    {400, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"},
    {500, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    {700, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"},
    {715, "CUDA_ERROR_ILLEGAL_INSTRUCTION", "an illegal instruction was encountered"},
    {716, "CUDA_ERROR_MISALIGNED_ADDRESS", "misaligned address"},
    {719, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
};
const ResultRow *findResult(CUresult result) {
  for (const ResultRow &row : resultRows)
    if (row.result == result)
      return &row;
  return nullptr;
}
} // namespace

const char *resultName(CUresult result) {
  const ResultRow *row = findResult(result);
  return row ? row->name : nullptr;
}
const char *resultText(CUresult result) {
  const ResultRow *row = findResult(result);
  return row ? row->text : nullptr;
}

// ---- contexts ----

namespace calls {

CUresult primaryCtxRetain(CUcontext *context, CUdevice device) {
  Call call(Call::Initialised);
  if (!call)
    return call.result;
  if (!context)
    return fail(cudaErrorInvalidValue, "the pointer for the context is null");
  if (device != 0)
    return fail(cudaErrorInvalidDevice,
                "there is one software device, 0, not " + std::to_string(device));
  ++call.state.retains;
  *context = reinterpret_cast<CUcontext>(SimState::contextHandle);
  return cudaSuccess;
}

CUresult primaryCtxRelease(CUdevice device) {
  Call call(Call::Initialised);
  if (!call)
    return call.result;
  if (device != 0)
    return fail(cudaErrorInvalidDevice,
                "there is one software device, 0, not " + std::to_string(device));
  if (call.state.retains == 0)
    return fail(cudaErrorInvalidContext,
                "the primary context is released more often than retained");
  --call.state.retains;
  return cudaSuccess;
}

CUresult ctxPushCurrent(CUcontext context) {
  Call call(Call::Initialised);
  if (!call)
    return call.result;
  if (context != reinterpret_cast<CUcontext>(SimState::contextHandle) || call.state.retains == 0)
    return fail(cudaErrorInvalidContext, "this is no context of the software device");
  ++contextDepth;
  return cudaSuccess;
}

CUresult ctxPopCurrent(CUcontext *context) {
  Call call(Call::Context);
  if (!call)
    return call.result;
  --contextDepth;
  if (context)
    *context = reinterpret_cast<CUcontext>(SimState::contextHandle);
  return cudaSuccess;
}

CUresult ctxSynchronize() {
  Call call(Call::Context);
  return call ? reportPending(call.state) : call.result;
}

} // namespace calls

} // namespace trowel::sim
