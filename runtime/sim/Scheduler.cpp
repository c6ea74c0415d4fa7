// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executes a launch: which CTA on which host thread, which warp of a CTA next.
//
// CTAs are independent unless they use atomics, so host threads draw CTA numbers in rising order
// and work side by side. Everything a worker counts is its own and is added up in the end. Programs
// with atomics run their CTAs one after the other in order: the order of float additions and the
// old values that atomics return would otherwise depend on the host.
//
// The fault that is reported is that of the lowest-numbered CTA with one. Numbers are drawn in
// rising order, so when CTA n faults every lower one is already being executed and will finish;
// higher ones are no longer begun. What memory holds after a fault is unspecified, as on a GPU.
//
// Within a CTA warps take turns: each runs until it is done or waits at a barrier. When none can
// run, all that are not done wait; if they wait at one barrier it is complete and they go on, else
// the CTA is dead-locked.

#include "runtime/sim/Scheduler.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>

namespace trowel::sim {

namespace {

/// Lets all waiting warps go on if they wait at the same barrier.
bool completeBarrier(Cta &cta) {
  const Warp *first = nullptr;
  for (const Warp &warp : cta.warps)
    if (warp.state == WarpState::Blocked) {
      if (first && first->barrier != warp.barrier)
        return false;
      first = &warp;
    }
  for (Warp &warp : cta.warps)
    if (warp.state == WarpState::Blocked)
      warp.state = WarpState::Ready;
  return true;
}

void runCta(Cta &cta) {
  for (;;) {
    bool anyLeft = false, anyRan = false;
    for (Warp &warp : cta.warps) {
      if (warp.state == WarpState::Ready) {
        cta.run(warp);
        anyRan = true;
      }
      anyLeft |= warp.state != WarpState::Done;
    }
    if (!anyLeft)
      return;
    if (!anyRan && !completeBarrier(cta))
      for (Warp &warp : cta.warps)
        if (warp.state == WarpState::Blocked) {
          const Instruction &waiting = cta.program->instructions[warp.lanes.pc() - 1];
          raise(warp, waiting, warp.lanes.mask(), driver::cudaErrorLaunchFailed, "deadlock",
                "waits", "other warps of the program wait at another barrier");
        }
  }
}

class Launch {
public:
  Launch(const Program &program, const LaunchConfiguration &configuration, DeviceMemory &memory)
      : program(program), configuration(configuration), memory(memory),
        total(std::uint64_t{configuration.grid[0]} * configuration.grid[1] * configuration.grid[2]),
        outcome{std::nullopt, LaunchCounters(program.accesses.size())} {}

  LaunchOutcome run() {
    std::uint64_t count = configuration.hostThreads;
    if (count == 0)
      count = std::max(1u, std::thread::hardware_concurrency());
    if (program.ordered)
      count = 1;
    count = std::min(count, total);
    chunk = std::clamp<std::uint64_t>(total / (count * 32), 1, 256);
    std::vector<std::thread> threads;
    try {
      for (std::uint64_t started = 1; started < count; ++started)
        threads.emplace_back([this] { work(); });
    } catch (const std::system_error &) {
      // The host gives no more threads: those that started do the work.
    }
    work();
    for (std::thread &thread : threads)
      thread.join();
    return std::move(outcome);
  }

private:
  const Program &program;
  const LaunchConfiguration &configuration;
  DeviceMemory &memory;
  std::uint64_t total;
  std::uint64_t chunk = 1;
  std::atomic<std::uint64_t> next{0};
  /// The lowest CTA with a fault so far.
  std::atomic<std::uint64_t> firstFault{~std::uint64_t{0}};
  std::mutex merging;
  LaunchOutcome outcome;

  void work() {
    std::optional<Cta> cta;
    try {
      drawAndRun(cta);
    } catch (const std::bad_alloc &) {
      Fault fault;
      fault.result = driver::cudaErrorOutOfMemory;
      fault.finding.kind = "out-of-memory";
      fault.finding.kernel = program.kernel;
      fault.finding.text = "the host has no memory for the registers, the shared and the local "
                           "memory of a CTA of this kernel";
      std::lock_guard lock(merging);
      firstFault = 0;
      outcome.fault = std::move(fault);
    }
    if (!cta)
      return;
    std::lock_guard lock(merging);
    outcome.counters.add(cta->counters);
  }

  void drawAndRun(std::optional<Cta> &cta) {
    for (;;) {
      std::uint64_t begin = next.fetch_add(chunk);
      std::uint64_t end = std::min(begin + chunk, total);
      if (begin >= total || begin > firstFault)
        break;
      if (!cta)
        cta.emplace(program, configuration, memory);
      for (std::uint64_t position = begin; position < end && position < firstFault; ++position)
        if (!runOne(*cta, position))
          break;
    }
  }

  bool runOne(Cta &cta, std::uint64_t position) {
    try {
      cta.start(position);
      runCta(cta);
      return true;
    } catch (Fault &fault) {
      std::lock_guard lock(merging);
      if (position < firstFault) {
        firstFault = position;
        outcome.fault = std::move(fault);
      }
      return false;
    }
  }
};

} // namespace

LaunchOutcome launch(const Program &program, const LaunchConfiguration &configuration,
                     DeviceMemory &memory) {
  return Launch(program, configuration, memory).run();
}

} // namespace trowel::sim
