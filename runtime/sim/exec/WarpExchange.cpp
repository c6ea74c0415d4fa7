// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values that lanes of a warp exchange: shuffles, votes, matches, reductions, elections.
//
// WarpSync.cpp has brought the lanes together; here they exchange. A shuffle lets each lane read
// another's register. Its third operand cuts the warp into segments (bits 8-12, the bits of a
// lane's number that stay) and clamps (bits 0-4); a lane whose source lies outside reads itself:
//
//   mode   source        within if        for segments of 8, c =
//   up     lane - b      source >= max    0x1800
//   down   lane + b      source <= max    0x181f
//   bfly   lane ^ b      source <= max    0x181f
//   idx    min | b       source <= max    0x181f     min = lane & segment,
//                                                    max = min | (clamp & ~segment)
//
// To read from a lane that does not take part, because it has exited, is not in the mask or was
// never there, is undefined on hardware: a finding here.
//
// elect.sync may choose any lane as long as it is the same for the same mask. By default it is the
// lowest; under a seed another one, so that a kernel that takes the leader for lane 0 is caught.

#include "runtime/sim/Findings.h"
#include "runtime/sim/exec/Table.h"
#include "runtime/sim/exec/WarpSync.h"

#include <fmt/format.h>

namespace trowel::sim::exec {

using ptx::Operand;
using ptx::Type;

namespace {

void decodeSync(Decoder &decoder) {
  if (!decoder.opcode.take("sync"))
    decoder.unknown("form without .sync");
}

Mask membersOf(const Warp &w, const Instruction &i, Mask lanes) {
  return w.at<std::uint32_t>(i.slots[i.choice[memberSlotChoice]])[__builtin_ctz(lanes)];
}

// ---- shfl: slots d, p, a, b, c, members; choice[0]: p is asked for ----

enum class Shuffle { Up, Down, Butterfly, Index };

[[noreturn]] void refuseSource(Warp &w, const Instruction &i, Mask lanes, Mask outside,
                               const std::uint32_t *source) {
  std::uint32_t from = source[__builtin_ctz(outside)];
  Mask bit = Mask{1} << from;
  Mask members = membersOf(w, i, outside);
  const char *why = (members & bit) == 0           ? "that lane is not in the member mask"
                    : (w.lanes.alive() & bit) == 0 ? "that lane has exited or was never there"
                                                   : "that lane does not take part";
  raise(w, i, outside, driver::cudaErrorLaunchFailed, "inactive-source",
        fmt::format("reads from lane {}, which does not execute it (lanes that do: {:#010x}),",
                    from, lanes),
        fmt::format("{}, so the value is undefined on a GPU; let all lanes that are read from take "
                    "part",
                    why));
}

template <Shuffle mode> LANE_HANDLER void shuffle(Warp &w, const Instruction &i, Mask lanes) {
  const auto *a = w.at<std::uint32_t>(i.slots[2]);
  const auto *b = w.at<std::uint32_t>(i.slots[3]), *c = w.at<std::uint32_t>(i.slots[4]);
  alignas(64) std::uint32_t source[lanesPerWarp];
  alignas(64) std::uint32_t within[lanesPerWarp];
  TROWEL_EACH_LANE {
    const std::uint32_t by = b[lane] & 31, clamp = c[lane] & 31, segment = c[lane] >> 8 & 31;
    const std::uint32_t least = lane & segment, most = least | (clamp & ~segment);
    std::uint32_t from = 0;
    bool inside = false;
    if constexpr (mode == Shuffle::Up) {
      from = lane - by;
      inside = static_cast<std::int32_t>(from) >= static_cast<std::int32_t>(most);
    } else {
      from = mode == Shuffle::Down        ? lane + by
             : mode == Shuffle::Butterfly ? lane ^ by
                                          : least | (by & ~segment);
      inside = from <= most;
    }
    source[lane] = inside ? from : lane;
    within[lane] = inside;
  }
  if (lanes != allLanes) {
    const Mask outside =
        lanes & ~testLanes([&](unsigned lane) LANE_FUNCTION { return lanes >> source[lane] & 1; });
    if (outside != 0)
      refuseSource(w, i, lanes, outside, source);
  }
  if (i.choice[0])
    writePredicate(w, i.slots[1], lanes,
                   testLanes([&](unsigned lane) LANE_FUNCTION { return within[lane] != 0; }));
  writeLanes<std::uint32_t>(w.at<std::uint32_t>(i.slots[0]), lanes,
                            [&](unsigned lane) LANE_FUNCTION { return a[source[lane]]; });
}

template <Shuffle mode> LANE_HANDLER void shuffleTogether(Warp &w, const Instruction &i, Mask m) {
  together<shuffle<mode>>(w, i, m);
}

struct ShuffleRow {
  const char *modifier;
  Handler (*handler)();
};
constexpr ShuffleRow shuffles[] = {
    {"up", fastest<shuffleTogether<Shuffle::Up>>},
    {"down", fastest<shuffleTogether<Shuffle::Down>>},
    {"bfly", fastest<shuffleTogether<Shuffle::Butterfly>>},
    {"idx", fastest<shuffleTogether<Shuffle::Index>>},
};

const Operand &sink() {
  static const Operand operand = [] {
    Operand made;
    made.kind = Operand::Kind::Sink;
    return made;
  }();
  return operand;
}

/// d or d|p: a value and a predicate.
void writeBoth(Decoder &decoder) {
  const Operand &destination = decoder.operand(0);
  bool pair = destination.kind == Operand::Kind::Pair;
  decoder.write(pair ? destination.parts[0] : destination, Type::B32);
  decoder.writePredicate(pair ? destination.parts[1] : sink());
}

/// shfl.sync.bfly.b32 d|p, a, b, c, members
void decodeShuffle(Decoder &decoder) {
  decodeSync(decoder);
  const ShuffleRow *row = nullptr;
  for (const ShuffleRow &candidate : shuffles)
    if (decoder.opcode.take(candidate.modifier))
      row = &candidate;
  if (!row || decoder.takeType() != Type::B32)
    decoder.unknown("form");
  decoder.expectOperands(5);
  writeBoth(decoder);
  decoder.instruction().choice[0] = decoder.operand(0).kind == Operand::Kind::Pair;
  for (unsigned source = 1; source <= 3; ++source)
    decoder.read(decoder.operand(source), Type::B32);
  readMembers(decoder, decoder.operand(4));
  decoder.finish(row->handler(), Flow::Block);
}

// ---- vote: slots d, a, members; choice[0]: what; choice[1]: a is negated ----

enum Vote : std::uint8_t { All, Any, Uniform, Ballot };

void vote(Warp &w, const Instruction &i, Mask lanes) {
  Mask holds = (w.predicate(i.slots[1]) ^ (i.choice[1] ? allLanes : 0)) & lanes;
  if (i.choice[0] == Ballot) {
    writeLanes<std::uint32_t>(w.at<std::uint32_t>(i.slots[0]), lanes,
                              [holds](unsigned) { return holds; });
    return;
  }
  bool result = i.choice[0] == All   ? holds == lanes
                : i.choice[0] == Any ? holds != 0
                                     : holds == lanes || holds == 0;
  writePredicate(w, i.slots[0], lanes, result ? allLanes : 0);
}

struct VoteRow {
  const char *modifier;
  Vote vote;
};
constexpr VoteRow votes[] = {{"all", All}, {"any", Any}, {"uni", Uniform}, {"ballot", Ballot}};

/// vote.sync.any.pred p, a, members; vote.sync.ballot.b32 d, a, members
void decodeVote(Decoder &decoder) {
  decodeSync(decoder);
  const VoteRow *row = nullptr;
  for (const VoteRow &candidate : votes)
    if (decoder.opcode.take(candidate.modifier))
      row = &candidate;
  if (!row || decoder.takeType() != (row->vote == Ballot ? Type::B32 : Type::Pred))
    decoder.unknown("form");
  decoder.expectOperands(3);
  Instruction &instruction = decoder.instruction();
  instruction.choice[0] = row->vote;
  if (row->vote == Ballot)
    decoder.write(decoder.operand(0), Type::B32);
  else
    decoder.writePredicate(decoder.operand(0));
  instruction.choice[1] = decoder.readPredicate(decoder.operand(1));
  readMembers(decoder, decoder.operand(2));
  decoder.finish(together<vote>, Flow::Block);
}

// ---- match: slots d, p, a, members ----

template <class T> void matchAny(Warp &w, const Instruction &i, Mask lanes) {
  const T *a = w.at<T>(i.slots[2]);
  alignas(64) std::uint32_t equal[lanesPerWarp] = {};
  for (Mask left = lanes; left != 0;) {
    const T value = a[__builtin_ctz(left)];
    const Mask same = left & testLanes([&](unsigned lane) { return a[lane] == value; });
    left &= ~same;
    for (Mask each = same; each != 0; each &= each - 1)
      equal[__builtin_ctz(each)] = same;
  }
  writeLanes<std::uint32_t>(w.at<std::uint32_t>(i.slots[0]), lanes,
                            [&](unsigned lane) { return equal[lane]; });
}

template <class T> void matchAll(Warp &w, const Instruction &i, Mask lanes) {
  const T *a = w.at<T>(i.slots[2]);
  const T value = a[__builtin_ctz(lanes)];
  const bool all = (lanes & ~testLanes([&](unsigned lane) { return a[lane] == value; })) == 0;
  writePredicate(w, i.slots[1], lanes, all ? allLanes : 0);
  writeLanes<std::uint32_t>(w.at<std::uint32_t>(i.slots[0]), lanes,
                            [&](unsigned) { return all ? lanes : 0; });
}

/// match.any.sync.b32 d, a, members; match.all.sync.b64 d|p, a, members
void decodeMatch(Decoder &decoder) {
  decodeSync(decoder);
  bool all = decoder.opcode.take("all");
  if (!all && !decoder.opcode.take("any"))
    decoder.unknown("form");
  Type type = decoder.takeType();
  if (type != Type::B32 && type != Type::B64)
    decoder.unknown("type");
  bool wide = type == Type::B64;
  decoder.expectOperands(3);
  if (!all && decoder.operand(0).kind == Operand::Kind::Pair)
    decoder.fail("match.any gives no predicate, expected one register");
  writeBoth(decoder);
  decoder.read(decoder.operand(1), type);
  readMembers(decoder, decoder.operand(2));
  if (all)
    decoder.finish(wide ? together<matchAll<std::uint64_t>> : together<matchAll<std::uint32_t>>,
                   Flow::Block);
  else
    decoder.finish(wide ? together<matchAny<std::uint64_t>> : together<matchAny<std::uint32_t>>,
                   Flow::Block);
}

// ---- redux: slots d, a, members ----

template <class T, T (*combine)(T, T)> void reduce(Warp &w, const Instruction &i, Mask lanes) {
  const auto *a = w.at<std::uint32_t>(i.slots[1]);
  T result = static_cast<T>(a[__builtin_ctz(lanes)]);
  for (Mask left = lanes & (lanes - 1); left != 0; left &= left - 1)
    result = combine(result, static_cast<T>(a[__builtin_ctz(left)]));
  writeLanes<std::uint32_t>(w.at<std::uint32_t>(i.slots[0]), lanes,
                            [&](unsigned) { return static_cast<std::uint32_t>(result); });
}

template <class T> T sumOf(T a, T b) {
  return static_cast<T>(static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b));
}
template <class T> T leastOf(T a, T b) { return b < a ? b : a; }
template <class T> T mostOf(T a, T b) { return a < b ? b : a; }
std::uint32_t bothOf(std::uint32_t a, std::uint32_t b) { return a & b; }
std::uint32_t eitherOf(std::uint32_t a, std::uint32_t b) { return a | b; }
std::uint32_t differenceOf(std::uint32_t a, std::uint32_t b) { return a ^ b; }

struct ReductionRow {
  const char *modifier;
  Type type;
  Handler handler;
};
template <class T, T (*combine)(T, T)> constexpr Handler reduction = together<reduce<T, combine>>;
using U = std::uint32_t;
using S = std::int32_t;
constexpr ReductionRow reductions[] = {
    {"add", Type::U32, reduction<U, sumOf<U>>},     {"add", Type::S32, reduction<S, sumOf<S>>},
    {"min", Type::U32, reduction<U, leastOf<U>>},   {"min", Type::S32, reduction<S, leastOf<S>>},
    {"max", Type::U32, reduction<U, mostOf<U>>},    {"max", Type::S32, reduction<S, mostOf<S>>},
    {"and", Type::B32, reduction<U, bothOf>},       {"or", Type::B32, reduction<U, eitherOf>},
    {"xor", Type::B32, reduction<U, differenceOf>},
};

/// redux.sync.add.s32 d, a, members
void decodeReduction(Decoder &decoder) {
  decodeSync(decoder);
  Type type = decoder.takeType();
  const ReductionRow *row = nullptr;
  for (const ReductionRow &candidate : reductions)
    if (candidate.type == type && decoder.opcode.take(candidate.modifier))
      row = &candidate;
  if (!row)
    decoder.unknown("operation or type");
  decoder.expectOperands(3);
  decoder.write(decoder.operand(0), type);
  decoder.read(decoder.operand(1), type);
  readMembers(decoder, decoder.operand(2));
  decoder.finish(row->handler, Flow::Block);
}

// ---- elect: slots d, p, members ----

unsigned leaderOf(const Warp &w, const Instruction &i, Mask lanes) {
  const std::uint64_t seed = w.cta->configuration->seed;
  if (seed == 0)
    return static_cast<unsigned>(__builtin_ctz(lanes));
  const std::uint64_t mixed =
      (seed * 0x9e3779b97f4a7c15u ^ membersOf(w, i, lanes)) * 0xbf58476d1ce4e5b9u;
  Mask left = lanes;
  for (auto skip = (mixed >> 32) % static_cast<unsigned>(__builtin_popcount(lanes)); skip != 0;
       --skip)
    left &= left - 1;
  return static_cast<unsigned>(__builtin_ctz(left));
}

void elect(Warp &w, const Instruction &i, Mask lanes) {
  const unsigned leader = leaderOf(w, i, lanes);
  writeLanes<std::uint32_t>(w.at<std::uint32_t>(i.slots[0]), lanes,
                            [leader](unsigned) { return leader; });
  writePredicate(w, i.slots[1], lanes, Mask{1} << leader);
}

/// elect.sync d|p, members
void decodeElection(Decoder &decoder) {
  decodeSync(decoder);
  decoder.expectOperands(2);
  if (decoder.operand(0).kind != Operand::Kind::Pair)
    decoder.fail("expected a pair 'd|p' behind elect.sync: the predicate is its result");
  writeBoth(decoder);
  readMembers(decoder, decoder.operand(1));
  decoder.finish(together<elect>, Flow::Block);
}

constexpr OpcodeRow rows[] = {
    {"shfl", decodeShuffle},    {"vote", decodeVote},      {"match", decodeMatch},
    {"redux", decodeReduction}, {"elect", decodeElection},
};

} // namespace

std::span<const OpcodeRow> warpOpcodes() { return rows; }

} // namespace trowel::sim::exec
