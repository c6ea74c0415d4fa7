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
// Within a CTA warps take turns in the order of their numbers. A turn ends when the warp is done or
// waits, and after 4096 instructions, so that a warp that loops until another has written something
// sees it. When no warp can run and some are left, the CTA is dead-locked.
//
// That is one of many orders that hardware may choose. A seed gives another: a few CTAs are at work
// at once, drawn from all in a shuffled order, and in each turn a random warp of a random CTA
// executes a random number of instructions, most often a handful and sometimes hundreds. One host
// thread does it all, so the order is a function of the seed and the program. A kernel whose
// results differ between seeds lacks a barrier or an atomic.

#include "runtime/sim/Scheduler.h"

#include "runtime/sim/Deadlock.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <new>
#include <numeric>
#include <system_error>
#include <thread>

namespace trowel::sim {

namespace {

constexpr std::uint64_t turn = 4096;

/// One turn of a warp that is ready.
void runWarp(Cta &cta, Warp &warp, std::uint64_t most) {
  const Mask before = warp.lanes.alive();
  cta.run(warp, most);
  if (warp.lanes.alive() != before)
    cta.barriers.lookAgain(cta);
}

void runCta(Cta &cta) {
  for (;;) {
    bool anyLeft = false, anyRan = false;
    for (Warp &warp : cta.warps) {
      if (warp.state == WarpState::Ready) {
        runWarp(cta, warp, turn);
        anyRan = true;
      }
      anyLeft |= warp.state != WarpState::Done;
    }
    if (!anyLeft)
      return;
    if (!anyRan)
      reportDeadlock(cta);
  }
}

/// A sequence of numbers that is the same on every host (splitmix64).
class Random {
public:
  explicit Random(std::uint64_t seed) : state(seed) {}
  std::uint64_t below(std::uint64_t bound) {
    state += 0x9e3779b97f4a7c15u;
    std::uint64_t z = state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (z ^ (z >> 31)) % bound;
  }
  /// 1 to 256, each power of two as likely as the next.
  std::uint64_t turnLength() { return 1 + below(std::uint64_t{1} << below(9)); }

private:
  std::uint64_t state;
};

/// The numbers below `total`, each once, in an order of its own: k -> a·k + b modulo total with a
/// and total coprime. For two and three CTAs all orders are among them.
class ShuffledNumbers {
public:
  ShuffledNumbers(std::uint64_t total, Random &random) : total(total) {
    do
      factor = 1 + random.below(total);
    while (std::gcd(factor, total) != 1);
    position = random.below(total);
  }
  std::optional<std::uint64_t> draw() {
    if (drawn == total)
      return std::nullopt;
    ++drawn;
    // The sum may exceed 64 bits only where the total does nearly.
    std::uint64_t room = total - factor;
    position = position >= room ? position - room : position + factor;
    return position;
  }

private:
  std::uint64_t total;
  std::uint64_t factor = 1;
  std::uint64_t position = 0;
  std::uint64_t drawn = 0;
};

bool isDone(const Cta &cta) {
  return std::all_of(cta.warps.begin(), cta.warps.end(),
                     [](const Warp &warp) { return warp.state == WarpState::Done; });
}

/// A warp that can run, the first from a random one on; null if there is none.
Warp *chooseWarp(Cta &cta, Random &random) {
  std::size_t count = cta.warps.size(), first = random.below(count);
  for (std::size_t step = 0; step < count; ++step)
    if (Warp &warp = cta.warps[(first + step) % count]; warp.state == WarpState::Ready)
      return &warp;
  return nullptr;
}

class Launch {
public:
  Launch(const Program &program, const LaunchConfiguration &configuration, DeviceMemory &memory)
      : program(program), configuration(configuration), memory(memory),
        total(std::uint64_t{configuration.grid[0]} * configuration.grid[1] * configuration.grid[2]),
        outcome{std::nullopt, LaunchCounters(program.accesses.size()), {}} {}

  LaunchOutcome run() {
    std::uint64_t count = configuration.hostThreads;
    if (count == 0)
      count = std::max(1u, std::thread::hardware_concurrency());
    if (program.ordered || configuration.seed != 0)
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
    for (auto &[access, read] : unwrittenReads)
      if (read.cta <= firstFault)
        outcome.findings.push_back(std::move(read.finding));
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
  /// By access, that of the lowest CTA.
  std::map<std::uint32_t, UnwrittenRead> unwrittenReads;

  void work() {
    std::optional<Cta> cta;
    try {
      if (configuration.seed != 0)
        runShuffled();
      else
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
    collectFindings(*cta);
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

  /// All CTAs in the order of the seed; the first fault that comes up ends it.
  void runShuffled() {
    constexpr std::uint64_t ctasAtOnce = 4;
    Random random(configuration.seed);
    ShuffledNumbers numbers(total, random);
    std::vector<std::unique_ptr<Cta>> atWork;
    while (atWork.size() < std::min(total, ctasAtOnce)) {
      atWork.push_back(std::make_unique<Cta>(program, configuration, memory));
      atWork.back()->start(*numbers.draw());
    }
    try {
      while (!atWork.empty()) {
        std::size_t chosen = random.below(atWork.size());
        Cta &cta = *atWork[chosen];
        if (Warp *warp = chooseWarp(cta, random)) {
          runWarp(cta, *warp, random.turnLength());
          continue;
        }
        if (!isDone(cta))
          reportDeadlock(cta);
        if (std::optional<std::uint64_t> number = numbers.draw()) {
          cta.start(*number);
          continue;
        }
        outcome.counters.add(cta.counters);
        collectFindings(cta);
        atWork.erase(atWork.begin() + static_cast<std::ptrdiff_t>(chosen));
      }
    } catch (Fault &fault) {
      for (const std::unique_ptr<Cta> &cta : atWork)
        collectFindings(*cta);
      outcome.fault = std::move(fault);
    }
  }

  void collectFindings(Cta &cta) {
    for (auto &[access, read] : cta.unwrittenReads) {
      auto [known, isNew] = unwrittenReads.try_emplace(access, read);
      if (!isNew && read.cta < known->second.cta)
        known->second = std::move(read);
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
