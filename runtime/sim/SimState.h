// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the software device's driver keeps between calls.
#pragma once

#include "runtime/driver/DriverApi.h"
#include "runtime/sim/Counters.h"
#include "runtime/sim/Memory.h"
#include "runtime/sim/ptx/Program.h"

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <unordered_map>

namespace trowel::sim {

using driver::CUresult;

// The driver's functions, one for each row of the table.
namespace calls {
using namespace driver;
#define TROWEL_DRIVER_FUNCTION(member, symbol, parameters) CUresult member parameters;
#include "runtime/driver/DriverFunctions.def"
} // namespace calls

/// Objects behind opaque handles. A handle is a number that this device made; anything else, also a
/// handle of the real driver or of an object that is gone, finds nothing.
template <class Object, std::uint64_t tag> class HandleTable {
public:
  template <class Handle> Handle add(std::unique_ptr<Object> object) {
    std::uint64_t number = (tag << 32) + 16 * ++made;
    objects.emplace(number, std::move(object));
    return reinterpret_cast<Handle>(number);
  }
  template <class Handle> Object *find(Handle handle) const {
    auto found = objects.find(reinterpret_cast<std::uint64_t>(handle));
    return found == objects.end() ? nullptr : found->second.get();
  }
  template <class Handle> bool remove(Handle handle) {
    return objects.erase(reinterpret_cast<std::uint64_t>(handle)) != 0;
  }
  template <class Test> void removeIf(Test test) {
    std::erase_if(objects, [&](const auto &entry) { return test(*entry.second); });
  }

private:
  std::unordered_map<std::uint64_t, std::unique_ptr<Object>> objects;
  std::uint64_t made = 0;
};

struct Module {
  std::vector<Program> programs;
  /// Device addresses of its variables.
  std::vector<std::uint64_t> variables;
};

struct Function {
  Module *module = nullptr;
  const Program *program = nullptr;
  int maximumDynamicSharedBytes = 0;
};

struct Stream {};

struct Event {
  std::optional<std::chrono::steady_clock::time_point> recorded;
};

struct SimState {
  // Tags have bit 47 of the handle set, so that no handle is a pointer that could be followed.
  static constexpr std::uint64_t contextHandle = 0x0000'F100'0000'0010;

  std::mutex mutex;
  bool initialised = false;
  int retains = 0;
  DeviceMemory memory;
  /// Host memory that was asked for as page-locked.
  std::unordered_map<void *, std::unique_ptr<std::byte[]>> hostAllocations;
  HandleTable<Module, 0xF200> modules;
  HandleTable<Function, 0xF300> functions;
  HandleTable<Stream, 0xF400> streams;
  HandleTable<Event, 0xF500> events;
  /// Of launches from here on; 0 for the order of numbers.
  std::uint64_t warpOrder = 0;
  CounterTotals totals;
  std::vector<Finding> findings;
  /// Findings that did not end a launch, by program and PTX line: each is told once.
  std::set<std::pair<const Program *, int>> told;
  /// A fault of a launch that no synchronising call has reported yet.
  std::optional<Finding> pendingFault;
  CUresult pendingResult = driver::cudaSuccess;
};

SimState &simState();

/// Takes the lock and checks what every call but a few requires: that the driver was initialised
/// and this thread has the device's context. `result` is the failure, or success.
class Call {
public:
  enum Needs { Nothing, Initialised, Context };
  explicit Call(Needs needs);
  SimState &state;
  CUresult result = driver::cudaSuccess;
  explicit operator bool() const { return result == driver::cudaSuccess; }

private:
  std::lock_guard<std::mutex> lock;
};

/// Records the sentence behind a failing call, for takeFault, and returns `result`.
CUresult fail(CUresult result, std::string text);
CUresult failWithFinding(CUresult result, Finding finding);
/// The last failure of this thread, which is cleared.
Finding takeFault();
/// Reports and clears a pending fault; the answer of every synchronising call.
CUresult reportPending(SimState &state);

/// The driver's name of a result, such as "CUDA_ERROR_INVALID_VALUE", and its text; null if
/// unknown.
const char *resultName(CUresult result);
const char *resultText(CUresult result);

} // namespace trowel::sim
