// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A driver that runs nothing: memory is the host's, launches are written down, and any call can be
// told to fail. It plays machines that are not there.
#pragma once

#include "runtime/driver/CudaLibrary.h"
#include "runtime/driver/DriverApi.h"
#include "trowel/Device.h"

#include <array>
#include <map>
#include <string>
#include <vector>

namespace trowel::test {

struct FakeLaunch {
  std::array<unsigned, 3> grid{};
  std::array<unsigned, 3> block{};
  unsigned dynamicSharedBytes = 0;
  driver::CUstream stream = nullptr;
  /// The first eight bytes behind each parameter pointer.
  std::vector<std::uint64_t> parameters;
};

/// What the fake shows and what it saw. One for all tables; a test resets it.
struct FakeDriver {
  int gpuCount = 1;
  std::string deviceName = "Fake GPU";
  int major = 9, minor = 0;
  /// The result of a function, by its exported name; success where there is none.
  std::map<std::string, driver::CUresult> results;
  /// Parameters that a launched function reads.
  std::size_t parameterCount = 0;
  /// What the assembler writes.
  std::string infoLog, errorLog;
  std::size_t freeBytes = 1000, totalBytes = 2000;

  /// What it says of a multiprocessor's programs, and the threads that it was asked about.
  int occupancy = 1, occupancyThreads = 0;

  std::vector<FakeLaunch> launches;
  std::map<int, int> functionAttributes;
  int contextDepth = 0;
  std::uint64_t warpOrder = 0;
  int liveAllocations = 0, livePinned = 0, liveStreams = 0, liveEvents = 0, liveModules = 0;
  /// The streams of asynchronous copies and fills, in order.
  std::vector<driver::CUstream> copyStreams;
  /// Destination and source context of the latest copy between devices.
  std::array<driver::CUcontext, 2> peers{};
  /// Names of all calls, in order.
  std::vector<std::string> calls;
};

extern FakeDriver fake;

/// A new table, so that a device of it is opened anew. Lives until the process ends.
driver::DriverApi &newFakeApi();
/// A device of a new table, over a reset fake.
Device newFakeDevice();
/// The same with a fake software device's hooks, which report the fault that `nextFault` holds.
driver::DriverApi &newFakeSimulatorApi();
extern Finding nextFault;

} // namespace trowel::test
