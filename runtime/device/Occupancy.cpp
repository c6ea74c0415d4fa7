// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many programs a multiprocessor holds, and what limits them.
//
// The number is the driver's: only it knows all rules by which its chips allocate. Which resource
// is to blame it does not say, so the programs that fit by each resource alone are worked out here,
// by the rules that hold for compute capability 8.0 to 12.x:
//
//   threads    whole warps, of the most threads of a multiprocessor
//   registers  32 times those of a thread, rounded up to 256 a warp; the warps are spread over four
//              partitions, so their number is a multiple of 4
//   shared     static + dynamic + what the system keeps of each program, rounded up to 128 bytes
//   programs   the most that a multiprocessor counts
//
//   128 threads, 40 registers: 1280 a warp, 65536 / 1280 = 51 warps, 48 in fours, 12 programs
//
// To blame are those that allow no more than the driver's number, or the tightest ones should the
// rules of a new chip be others. The software device allocates no registers and says so; there the
// number is the least of the others, and registers stay unknown.

#include "runtime/device/Occupancy.h"

#include "runtime/device/DeviceState.h"

#include <fmt/format.h>

#include <algorithm>

namespace trowel {

using namespace trowel::driver;
using detail::CurrentContext;
using detail::DeviceState;

namespace {
constexpr int lanesPerWarp = 32;
constexpr int registersPerAllocation = 256;
constexpr int partitions = 4;
constexpr int sharedBytesPerAllocation = 128;

int roundUp(int value, int unit) { return (value + unit - 1) / unit * unit; }

struct Limit {
  const char *name;
  int programs;
};

/// The names of the limits at or below `programs`: "threads and registers".
std::string namesOfLimits(std::initializer_list<Limit> limits, int programs) {
  std::string names;
  for (const Limit &limit : limits)
    if (limit.programs != Occupancy::unknown && limit.programs <= programs)
      names += (names.empty() ? "" : " and ") + std::string(limit.name);
  return names;
}
} // namespace

Occupancy occupancyOf(const LoadedKernel &kernel, int threads) {
  const DeviceState &device = kernel.device.state();
  const Manifest &manifest = kernel.manifest;
  if (threads < 0 || threads > kernel.mostThreads)
    throw Error(
        {}, 0, manifest.kernel,
        fmt::format("occupancy: {} threads were asked about; on {} this code runs with 1 to "
                    "{}: compile the kernel with other Options{{.warps}} and ask again",
                    threads, device.description, kernel.mostThreads));
  CurrentContext current(device);
  auto attribute = [&](DeviceAttribute which) {
    int value = 0;
    if (CUresult result = device.api->deviceGetAttribute(&value, which, device.handle);
        result != cudaSuccess)
      throw detail::deviceError(device, result, "ask for a property", manifest.kernel);
    return value;
  };

  Occupancy use;
  use.threads = threads == 0 ? manifest.threads : threads;
  use.warps = roundUp(use.threads, lanesPerWarp) / lanesPerWarp;
  use.registers = kernel.registers;
  use.localBytes = kernel.localBytes;
  use.sharedBytes = manifest.staticSharedBytes + manifest.dynamicSharedBytes;
  use.mostWarps = attribute(maxThreadsPerMultiprocessor) / lanesPerWarp;

  use.byThreads = use.mostWarps / use.warps;
  use.byPrograms = attribute(maxBlocksPerMultiprocessor);
  use.bySharedBytes = attribute(maxSharedBytesPerMultiprocessor) /
                      std::max(1, roundUp(use.sharedBytes + attribute(reservedSharedBytesPerBlock),
                                          sharedBytesPerAllocation));
  if (use.registers > 0) {
    int ofWarp = roundUp(use.registers * lanesPerWarp, registersPerAllocation);
    int warps = attribute(maxRegistersPerMultiprocessor) / ofWarp / partitions * partitions;
    use.byRegisters = warps / use.warps;
  }

  int tightest = std::min({use.byThreads, use.byPrograms, use.bySharedBytes});
  CUresult result =
      device.api->occupancyMaxActiveBlocks(&use.programs, kernel.function, use.threads,
                                           static_cast<std::size_t>(manifest.dynamicSharedBytes));
  if (result == cudaErrorNotFound && use.registers == Occupancy::unknown) {
    if (device.api->simulator)
      device.api->simulator->takeFault();
    use.programs = tightest;
  } else if (result != cudaSuccess) {
    throw detail::deviceError(device, result, "ask for the occupancy", manifest.kernel);
  }
  if (use.byRegisters != Occupancy::unknown)
    tightest = std::min(tightest, use.byRegisters);
  use.limitedBy = namesOfLimits({{"threads", use.byThreads},
                                 {"registers", use.byRegisters},
                                 {"shared memory", use.bySharedBytes},
                                 {"the number of programs", use.byPrograms}},
                                std::max(use.programs, tightest));
  return use;
}

std::string Occupancy::text() const {
  bool known = registers != unknown;
  return fmt::format("{}{} program{} a multiprocessor, {} of {} warps, limited by {}; {} threads "
                     "and {} bytes of shared memory a program, {} registers a thread",
                     known ? "" : "at most ", programs, programs == 1 ? "" : "s", programs * warps,
                     mostWarps, limitedBy, threads, sharedBytes,
                     known ? std::to_string(registers) : "an unknown number of");
}

} // namespace trowel
