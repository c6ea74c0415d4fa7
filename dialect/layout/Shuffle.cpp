// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the order in which the lanes of a warp exchange registers by shuffles.
//
// In a shuffle each lane offers one value and names one lane to receive from. A conversion gives
// the source of each place, linear in its bits: with r' a register of the new layout, l' a lane and
// w' the rest of a thread's number
//
//   source register = Srr r' + Srl l' + Srw w'        source lane = Slr r' + Sll l' + Slw w'
//
// If all lanes received the same r' in a round, lanes might ask one lane for different registers.
// So lane l' receives r' = k + R l' in round k, and R is chosen such that the lanes that are asked,
//
//   source lane = Slr k + B l' + Slw w'      with B = Sll + Slr R,
//
// name the register that they want: B x = 0 only where the source register of x, Srl x + Srr R x,
// is 0 too. Then it is a linear map C of B l', and each lane knows from its own number what it is
// asked for: before the round, lane l puts its register C l + (constant of k) + (map of w') at a
// place that is the same in all lanes, and after it lane l' moves value k to k + R l'. Both are
// sums of exchanges of a fixed distance in the lanes with some bit: one select a value.
//
//   two registers exchange a bit with two lanes      round 0      round 1
//   lane 0 has a b, shall have a c                   a  stays     receives c, sends b
//   lane 1 has c d, shall have b d                   d  stays     receives b, sends c
//
// R is chosen a basis vector x of the lanes at a time. Beyond R there is the choice of which
// replica to read: `free` vectors added to a source change nothing. Either
//
//   stay        B = 1 by solving Slr R + free = 1 + Sll: every round is a butterfly, round 0 stays
//   fewest      R = 0, but on the kernel of Sll: there B x becomes a free vector or a column of Slr
//               that B does not reach yet. Vectors x that want nothing but what lane 0 wants, with
//               R = 0 or with some R, may be set aside before: B x = 0. Those with some R take
//               selects but leave columns to others, so both ways are tried
//
// and the plan with the fewest issue slots is taken. Where columns run out (each warp has a whole
// tile and wants a part of it, which lies in few lanes), lanes also receive what their neighbour
// l' + x wants and select: a further bit of k, with the source of x as its column, that R x sets.
// With it the source of x is 0, so this never fails; and with all such x set aside, it happens only
// where no R exists.
//
// An element that stays in its thread is the case B = 1, R = 0 without a shuffle, so conversions
// between registers are plans as well.
//
// Rejected: packing two halves into a shuffle, which takes as many permutations as it saves slots.
#include "dialect/layout/Shuffle.h"

#include "dialect/layout/Conversion.h"
#include "dialect/layout/Subspace.h"

#include <algorithm>
#include <bit>
#include <set>

namespace trowel::layout {

namespace {

BitVector unit(int bit) { return BitVector(1) << bit; }
BitVector lowBits(int count) { return unit(count) - 1; }

std::vector<BitVector> slice(const std::vector<BitVector> &columns, int first, int count) {
  return {columns.begin() + first, columns.begin() + first + count};
}

/// Sources within a warp: register bits of the old layout, its lane bits above them.
struct Sources {
  int registerBits, laneBits;
  /// Of each bit of a round's number (a register of the new layout that repeats no other), of a
  /// lane, of a warp and block.
  std::vector<BitVector> round, lane, outer;
  /// Sums to a source that leave the element the same.
  std::vector<BitVector> free;

  BitVector registerOf(BitVector source) const { return source & lowBits(registerBits); }
  BitVector laneOf(BitVector source) const { return source >> registerBits; }
};

/// What one vector of lanes is given: R x and the source of (R x, x), free vectors added.
struct LaneChoice {
  BitVector lanes, round, source;
};

/// The choices of all lanes.
struct Order {
  /// Of each lane bit.
  std::vector<LaneChoice> lanes;
  /// The sources of further bits of a round's number.
  std::vector<BitVector> furtherRounds;
};

/// The choices in unit vectors from those in any basis of the lanes.
std::vector<LaneChoice> inUnits(const std::vector<LaneChoice> &basis, int laneBits) {
  std::vector<BitVector> lanes;
  for (const LaneChoice &choice : basis)
    lanes.push_back(choice.lanes);
  F2Matrix inverse = *F2Matrix(laneBits, std::move(lanes)).inverse();
  std::vector<LaneChoice> result;
  for (int bit = 0; bit < laneBits; ++bit) {
    LaneChoice sum{unit(bit), 0, 0};
    for (BitVector rest = inverse.column(bit); rest; rest &= rest - 1) {
      const LaneChoice &part = basis[std::countr_zero(rest)];
      sum.round ^= part.round;
      sum.source ^= part.source;
    }
    result.push_back(sum);
  }
  return result;
}

/// What may be added to a source: free vectors first, since they need no exchange, then rounds.
struct Additions {
  std::vector<BitVector> sources;
  int freeCount;

  explicit Additions(const Sources &given)
      : sources(given.free), freeCount(static_cast<int>(given.free.size())) {
    sources.insert(sources.end(), given.round.begin(), given.round.end());
  }
  BitVector roundOf(BitVector chosen) const { return chosen >> freeCount; }
};

/// B = 1.
std::optional<Order> chooseToStay(const Sources &given) {
  Additions additions(given);
  std::vector<BitVector> lanes;
  for (BitVector source : additions.sources)
    lanes.push_back(given.laneOf(source));
  F2Matrix all(given.registerBits + given.laneBits, additions.sources);
  Echelon echelon = F2Matrix(given.laneBits, std::move(lanes)).echelon();
  Order result;
  for (int bit = 0; bit < given.laneBits; ++bit) {
    std::optional<BitVector> chosen = echelon.solve(given.laneOf(given.lane[bit]) ^ unit(bit));
    if (!chosen)
      return std::nullopt;
    result.lanes.push_back({unit(bit), additions.roundOf(*chosen), given.lane[bit] ^ all(*chosen)});
  }
  return result;
}

/// R = 0 but where it must not be; `repeating` are choices with source 0 that are made already.
Order chooseFewest(const Sources &given, std::vector<LaneChoice> repeating) {
  std::vector<LaneChoice> basis = std::move(repeating);
  Subspace lanes;
  for (const LaneChoice &choice : basis)
    lanes.add(choice.lanes);
  // Where the lane that is asked is new, R = 0; else note the sum of lanes that asks lane 0.
  Subspace reached;
  std::vector<BitVector> images, chosen, colliding;
  for (int bit = 0; bit < given.laneBits; ++bit) {
    if (!lanes.add(unit(bit)))
      continue;
    BitVector image = given.laneOf(given.lane[bit]);
    if (reached.add(image)) {
      basis.push_back({unit(bit), 0, given.lane[bit]});
      images.push_back(image);
      chosen.push_back(unit(bit));
      continue;
    }
    BitVector sum = unit(bit);
    BitVector parts = *F2Matrix(given.laneBits, images).solve(image);
    for (BitVector rest = parts; rest; rest &= rest - 1)
      sum ^= chosen[std::countr_zero(rest)];
    colliding.push_back(sum);
  }
  Additions additions(given);
  F2Matrix ofLanes(given.registerBits + given.laneBits, given.lane);
  std::vector<BitVector> furtherRounds;
  for (BitVector sum : colliding) {
    std::size_t next = 0;
    while (next < additions.sources.size() && !reached.add(given.laneOf(additions.sources[next])))
      ++next;
    if (next < additions.sources.size()) {
      basis.push_back({sum, additions.roundOf(unit(static_cast<int>(next))),
                       ofLanes(sum) ^ additions.sources[next]});
    } else {
      basis.push_back({sum, unit(static_cast<int>(given.round.size() + furtherRounds.size())), 0});
      furtherRounds.push_back(ofLanes(sum));
    }
  }
  return {inUnits(basis, given.laneBits), std::move(furtherRounds)};
}

/// The sums of lanes that want what lane 0 wants: those with R = 0, or all with the R and the free
/// vectors that they need.
std::vector<LaneChoice> chooseRepeating(const Sources &given, bool withAdditions) {
  Additions additions(given);
  std::vector<BitVector> columns = given.lane;
  if (withAdditions)
    columns.insert(columns.end(), additions.sources.begin(), additions.sources.end());
  std::vector<LaneChoice> result;
  Subspace lanes;
  for (BitVector relation :
       F2Matrix(given.registerBits + given.laneBits, std::move(columns)).kernel()) {
    LaneChoice choice{relation & lowBits(given.laneBits),
                      additions.roundOf(relation >> given.laneBits), 0};
    if (lanes.add(choice.lanes))
      result.push_back(choice);
  }
  return result;
}

/// Writes a linear map as a sum of exchanges: columns are distances, of the lanes first, then of
/// warps, then of blocks.
std::vector<ValueExchange> exchangesOf(const std::vector<BitVector> &columns, int laneBits,
                                       int warpBits) {
  std::vector<BitVector> distances = Subspace(columns).basis(), masks(distances.size(), 0);
  Echelon echelon = F2Matrix(64, distances).echelon();
  for (std::size_t column = 0; column < columns.size(); ++column)
    for (BitVector rest = *echelon.solve(columns[column]); rest; rest &= rest - 1)
      masks[std::countr_zero(rest)] |= unit(static_cast<int>(column));
  std::vector<ValueExchange> result;
  for (std::size_t i = 0; i < distances.size(); ++i)
    result.push_back({static_cast<std::int32_t>(distances[i]),
                      {static_cast<std::int32_t>(masks[i] & lowBits(laneBits)),
                       static_cast<std::int32_t>(masks[i] >> laneBits & lowBits(warpBits)),
                       static_cast<std::int32_t>(masks[i] >> (laneBits + warpBits))}});
  return result;
}

/// C, with C B x = the register of x's source; 0 beyond the lanes that B reaches.
F2Matrix registersByAskedLane(const Sources &given, const std::vector<LaneChoice> &choices) {
  Subspace reached;
  std::vector<BitVector> asked, registers;
  for (const LaneChoice &choice : choices)
    if (reached.add(given.laneOf(choice.source))) {
      asked.push_back(given.laneOf(choice.source));
      registers.push_back(given.registerOf(choice.source));
    }
  for (BitVector lane : reached.extend(F2Matrix::identity(given.laneBits).columns())) {
    asked.push_back(lane);
    registers.push_back(0);
  }
  return F2Matrix(given.registerBits, std::move(registers)) *
         *F2Matrix(given.laneBits, std::move(asked)).inverse();
}

ShufflePlan planOf(const Sources &given, const Order &order, int warpBits) {
  F2Matrix askedFor = registersByAskedLane(given, order.lanes);
  // What lane l of warp w is asked for in round k:
  //   C (l + Slw w + Slr k) + Srw w + Srr k
  auto sent = [&](BitVector source) {
    return given.registerOf(source) ^ askedFor(given.laneOf(source));
  };
  ShufflePlan plan;
  std::vector<BitVector> before = askedFor.columns(), after;
  for (BitVector source : given.outer)
    before.push_back(sent(source));
  for (const LaneChoice &choice : order.lanes) {
    after.push_back(choice.round);
    plan.laneBases.push_back(static_cast<std::int32_t>(given.laneOf(choice.source)));
  }
  for (std::size_t bit = 0; bit < given.outer.size(); ++bit)
    (static_cast<int>(bit) < warpBits ? plan.warpBases : plan.blockBases)
        .push_back(static_cast<std::int32_t>(given.laneOf(given.outer[bit])));
  plan.before = exchangesOf(before, given.laneBits, warpBits);
  plan.after = exchangesOf(after, given.laneBits, warpBits);
  std::vector<BitVector> columns = given.round;
  columns.insert(columns.end(), order.furtherRounds.begin(), order.furtherRounds.end());
  F2Matrix rounds(given.registerBits + given.laneBits, std::move(columns));
  for (BitVector round = 0; round < unit(rounds.columnCount()); ++round) {
    BitVector source = rounds(round);
    plan.rounds.push_back(
        {static_cast<std::int32_t>(sent(source)), static_cast<std::int32_t>(given.laneOf(source))});
  }
  return plan;
}

/// The round whose element each register of the new layout has; `pivots` are the register bits that
/// count rounds.
std::vector<std::int32_t> resultsOf(const LinearLayout &to, const std::vector<BitVector> &pivots) {
  Echelon echelon = F2Matrix(to.matrix().rowCount(), pivots).echelon();
  std::vector<std::int32_t> results;
  for (std::int32_t reg = 0; reg < to.registerCount(); ++reg)
    results.push_back(
        static_cast<std::int32_t>(*echelon.solve(to.flatIndex(static_cast<BitVector>(reg)))));
  return results;
}

template <class Number>
std::int32_t selected(const std::vector<std::int32_t> &words, Number number) {
  std::int32_t result = 0;
  for (auto rest = static_cast<std::uint32_t>(number); rest; rest &= rest - 1)
    result ^= words[std::countr_zero(rest)];
  return result;
}

} // namespace

std::optional<ShufflePlan> planShuffles(const LinearLayout &from, const LinearLayout &to) {
  std::optional<Conversion> conversion = convert(from, to);
  int registerBits = from.bitCount(InputDim::Register), laneBits = from.bitCount(InputDim::Lane);
  if (!conversion || conversion->distance > Distance::Lane ||
      to.bitCount(InputDim::Lane) != laneBits)
    return std::nullopt;

  // Warp and block of a source are those of the place that reads it.
  Sources given{registerBits, laneBits, {}, {}, {}, {}};
  std::vector<BitVector> sources = conversion->source.columns(), pivots;
  for (BitVector &source : sources)
    source &= lowBits(registerBits + laneBits);
  int toRegisters = to.bitCount(InputDim::Register);
  Subspace elements;
  for (int bit = 0; bit < toRegisters; ++bit)
    if (elements.add(to.matrix().column(bit))) {
      given.round.push_back(sources[bit]);
      pivots.push_back(to.matrix().column(bit));
    }
  given.lane = slice(sources, toRegisters, laneBits);
  given.outer.assign(sources.begin() + toRegisters + laneBits, sources.end());
  given.free =
      F2Matrix(from.matrix().rowCount(), slice(from.matrix().columns(), 0, registerBits + laneBits))
          .kernel();

  std::optional<ShufflePlan> best;
  std::vector<Order> orders = {chooseFewest(given, chooseRepeating(given, false)),
                               chooseFewest(given, chooseRepeating(given, true))};
  if (std::optional<Order> stay = chooseToStay(given))
    orders.insert(orders.begin(), std::move(*stay));
  for (const Order &order : orders) {
    ShufflePlan plan = planOf(given, order, to.bitCount(InputDim::Warp));
    plan.results = resultsOf(to, pivots);
    if (!best || issueSlots(plan, 4) < issueSlots(*best, 4))
      best = std::move(plan);
  }
  return best;
}

bool ThreadParity::operator()(std::int32_t lane, std::int32_t warp, std::int32_t block) const {
  auto bits = static_cast<std::uint32_t>((lane & lanes) ^ (warp & warps) ^ (block & blocks));
  return std::popcount(bits) % 2 == 1;
}

std::int32_t ShufflePlan::sourceLane(int round, std::int32_t lane, std::int32_t warp,
                                     std::int32_t block) const {
  return rounds[round].laneXor ^ selected(laneBases, lane) ^ selected(warpBases, warp) ^
         selected(blockBases, block);
}

bool ShufflePlan::isButterfly() const {
  for (std::size_t bit = 0; bit < laneBases.size(); ++bit)
    if (laneBases[bit] != std::int32_t(1) << bit)
      return false;
  auto isZero = [](std::int32_t word) { return word == 0; };
  return std::all_of(warpBases.begin(), warpBases.end(), isZero) &&
         std::all_of(blockBases.begin(), blockBases.end(), isZero);
}

int ShufflePlan::shuffleCount() const {
  int count = 0;
  for (int round = 0; round < static_cast<int>(rounds.size()); ++round)
    count += !staysInLane(round);
  return count;
}

/// The selects of exchanges of which only the values in `needed` are used later; these become the
/// ones that are used before.
static std::size_t countSelects(const std::vector<ValueExchange> &exchanges,
                                std::set<std::int32_t> &needed) {
  std::size_t count = 0;
  for (auto exchange = exchanges.rbegin(); exchange != exchanges.rend(); ++exchange) {
    count += needed.size();
    for (std::int32_t value : std::vector(needed.begin(), needed.end()))
      needed.insert(value ^ exchange->distance);
  }
  return count;
}

int ShufflePlan::selectCount() const {
  std::set<std::int32_t> received(results.begin(), results.end()), sent;
  std::size_t count = countSelects(after, received);
  for (const ShuffleRound &round : rounds)
    sent.insert(round.sent);
  return static_cast<int>(count + countSelects(before, sent));
}

int issueSlots(const ShufflePlan &plan, int elementBytes) {
  constexpr int shuffleSlots = 2, selectSlots = 1, predicateSlots = 1;
  int words = elementBytes == 8 ? 2 : 1;
  return words * (shuffleSlots * plan.shuffleCount() + selectSlots * plan.selectCount()) +
         predicateSlots * static_cast<int>(plan.before.size() + plan.after.size());
}

} // namespace trowel::layout
