// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tells who waits where when nothing in a CTA can run.
//
// Every thread that has not exited then stands in one of three places: at a barrier of the CTA, at
// an instruction that waits for lanes of its warp, or at the end of a branch where lanes that took
// the other way are awaited. The finding is about the first warp of which lanes wait for lanes
// ("missing-lanes"), because such a mistake lies in one place; else about the barrier at which the
// first warp waits ("deadlock"). Behind it stands a list of all places, warps that wait alike in
// one entry:
//
//   warp 0, lanes 0-15 at bar.sync (a.cpp:7, PTX line 21), barrier 1: 32 of 64 threads have arrived

#include "runtime/sim/Deadlock.h"

#include "runtime/sim/Findings.h"

#include <fmt/format.h>

#include <algorithm>

namespace trowel::sim {

namespace {

/// Where lanes stand.
struct Place {
  std::uint32_t instruction = 0;
  Mask lanes = 0;
  enum { Barrier, Lanes, Meeting } what = Barrier;
  int barrier = 0;

  bool operator==(const Place &) const = default;
};

std::vector<Place> placesOf(const Warp &warp) {
  std::vector<Place> places;
  for (const WaitingLanes &group : warp.lanes.waiting())
    places.push_back({group.instruction, group.group.mask,
                      group.barrier == WaitingLanes::ofTheWarp ? Place::Lanes : Place::Barrier,
                      group.barrier});
  for (const LaneGroup &group : warp.lanes.atMeetings())
    places.push_back({group.pc, group.mask, Place::Meeting, 0});
  return places;
}

std::string text(const Cta &cta, const Place &place) {
  const InstructionInfo &info = cta.program->infos[place.instruction];
  std::string where = info.line != 0
                          ? fmt::format("{}:{}, PTX line {}", info.file, info.line, info.ptxLine)
                          : fmt::format("PTX line {}", info.ptxLine);
  std::string result =
      place.what == Place::Meeting
          ? fmt::format("{} behind a branch (before {})", lanesText(place.lanes), where)
          : fmt::format("{} at {} ({})", lanesText(place.lanes), info.opcode, where);
  if (place.what == Place::Barrier)
    result += fmt::format(", barrier {}: {}", place.barrier,
                          cta.barriers.progress(cta, static_cast<std::uint32_t>(place.barrier)));
  return result;
}

/// "warp 3", "warps 0-3, 5".
std::string warpsText(Mask warps) {
  std::string text = lanesText(warps); // "lane 3", "lanes 0-3, 5"
  return "warp" + text.substr(std::string_view("lane").size());
}

std::string listText(const Cta &cta) {
  struct Entry {
    Place place;
    Mask warps = 0;
  };
  std::vector<Entry> entries;
  for (const Warp &warp : cta.warps)
    for (const Place &place : placesOf(warp)) {
      auto same = std::find_if(entries.begin(), entries.end(),
                               [&](const Entry &entry) { return entry.place == place; });
      if (same == entries.end())
        same = entries.insert(same, {place, 0});
      same->warps |= Mask{1} << warp.index;
    }
  constexpr std::size_t most = 8;
  std::string list;
  for (std::size_t at = 0; at < entries.size() && at < most; ++at)
    list += fmt::format("{}{}, {}", at == 0 ? "" : "; ", warpsText(entries[at].warps),
                        text(cta, entries[at].place));
  if (entries.size() > most)
    list += fmt::format("; and {} more places", entries.size() - most);
  return list;
}

} // namespace

void reportDeadlock(Cta &cta) {
  const Warp *first = nullptr;
  const WaitingLanes *group = nullptr;
  for (const Warp &warp : cta.warps)
    for (const WaitingLanes &candidate : warp.lanes.waiting()) {
      bool better = !group || (group->barrier != WaitingLanes::ofTheWarp &&
                               candidate.barrier == WaitingLanes::ofTheWarp);
      if (better) {
        first = &warp;
        group = &candidate;
      }
    }
  const Instruction &instruction = cta.program->instructions[group->instruction];
  if (group->barrier != WaitingLanes::ofTheWarp)
    raise(*first, instruction, group->group.mask, driver::cudaErrorLaunchFailed, "deadlock",
          "waits and nothing can run any more", "waiting: " + listText(cta));
  Mask missing = group->members & first->lanes.alive() & ~group->group.mask;
  raise(*first, instruction, group->group.mask, driver::cudaErrorLaunchFailed, "missing-lanes",
        fmt::format("waits for {}, which its member mask {:#010x} names and which cannot come,",
                    lanesText(missing), group->members),
        "waiting: " + listText(cta));
}

} // namespace trowel::sim
