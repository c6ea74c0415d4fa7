// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Comparison and selection: setp, set, selp, slct, testp.
//
// A comparison is computed for all 32 lanes as one mask, then combined with a third predicate where
// the instruction names one, and written to the lanes of the mask. An ordered comparison with a NaN
// is false, an unordered one (equ, neu, ltu, …) true. The second destination, p|q, gets the negated
// comparison combined with the same predicate.

#include "runtime/sim/exec/Numerics.h"
#include "runtime/sim/exec/Table.h"

namespace trowel::sim::exec {

using ptx::Operand;
using ptx::Type;

namespace {

enum class Relation : std::uint8_t {
  Eq,
  Ne,
  Lt,
  Le,
  Gt,
  Ge,
  Equ,
  Neu,
  Ltu,
  Leu,
  Gtu,
  Geu,
  Num,
  Nan
};
constexpr std::pair<std::string_view, Relation> relations[] = {
    {"eq", Relation::Eq},   {"ne", Relation::Ne},   {"lt", Relation::Lt},   {"le", Relation::Le},
    {"gt", Relation::Gt},   {"ge", Relation::Ge},   {"lo", Relation::Lt},   {"ls", Relation::Le},
    {"hi", Relation::Gt},   {"hs", Relation::Ge},   {"equ", Relation::Equ}, {"neu", Relation::Neu},
    {"ltu", Relation::Ltu}, {"leu", Relation::Leu}, {"gtu", Relation::Gtu}, {"geu", Relation::Geu},
    {"num", Relation::Num}, {"nan", Relation::Nan},
};

template <Relation R, class T> bool holds(T a, T b) {
  bool unordered = std::is_floating_point_v<T> && (a != a || b != b);
  switch (R) {
  case Relation::Eq:
    return a == b;
  case Relation::Ne:
    return !unordered && a != b;
  case Relation::Lt:
    return a < b;
  case Relation::Le:
    return a <= b;
  case Relation::Gt:
    return a > b;
  case Relation::Ge:
    return a >= b;
  case Relation::Equ:
    return unordered || a == b;
  case Relation::Neu:
    return a != b;
  case Relation::Ltu:
    return !(a >= b);
  case Relation::Leu:
    return !(a > b);
  case Relation::Gtu:
    return !(a <= b);
  case Relation::Geu:
    return !(a < b);
  case Relation::Num:
    return !unordered;
  case Relation::Nan:
    return unordered;
  }
  return false;
}

/// How a lane's word is read for comparing: f16 and bf16 are widened, exactly.
struct FlushedFloat {};
template <class T> struct Reading {
  using Value = T;
  static T read(Word<T> word) { return fromWord<T>(word); }
};
template <> struct Reading<Half> {
  using Value = float;
  static float read(std::uint32_t word) { return widen(fromWord<Half>(word)); }
};
template <> struct Reading<BFloat> {
  using Value = float;
  static float read(std::uint32_t word) { return widen(fromWord<BFloat>(word)); }
};
template <> struct Reading<FlushedFloat> {
  using Value = float;
  static float read(std::uint32_t word) { return flushed(std::bit_cast<float>(word)); }
};

/// Compares the sources in slots a and b of all lanes, each word shifted right first (for the upper
/// half of a pair).
using Comparison = Mask (*)(const Warp &warp, Slot a, Slot b, unsigned shift);

template <Relation R, class T> Mask compare(const Warp &warp, Slot a, Slot b, unsigned shift) {
  using Value = typename Reading<T>::Value;
  const auto *left = warp.at<Word<Value>>(a);
  const auto *right = warp.at<Word<Value>>(b);
  if constexpr (sizeof(Value) == 4 || sizeof(Value) == 2)
    return testLanes([&](unsigned lane) {
      return holds<R, Value>(Reading<T>::read(left[lane] >> shift),
                             Reading<T>::read(right[lane] >> shift));
    });
  else
    return testLanes([&](unsigned lane) {
      return holds<R, Value>(Reading<T>::read(left[lane]), Reading<T>::read(right[lane]));
    });
}

template <class T, std::size_t... R> constexpr auto comparisonsOf(std::index_sequence<R...>) {
  return std::array<Comparison, sizeof...(R)>{compare<static_cast<Relation>(R), T>...};
}
template <class T> Comparison comparisonFor(Relation relation) {
  static constexpr auto all = comparisonsOf<T>(std::make_index_sequence<14>());
  return all[static_cast<std::size_t>(relation)];
}

Comparison chooseComparison(Type type, Relation relation, bool flush) {
  if (!ptx::isFloat(type) && relation >= Relation::Equ)
    return nullptr;
  switch (type) {
  case Type::U16:
  case Type::B16:
    return comparisonFor<std::uint16_t>(relation);
  case Type::S16:
    return comparisonFor<std::int16_t>(relation);
  case Type::U32:
  case Type::B32:
    return comparisonFor<std::uint32_t>(relation);
  case Type::S32:
    return comparisonFor<std::int32_t>(relation);
  case Type::U64:
  case Type::B64:
    return comparisonFor<std::uint64_t>(relation);
  case Type::S64:
    return comparisonFor<std::int64_t>(relation);
  case Type::F16:
  case Type::F16x2:
    return comparisonFor<Half>(relation);
  case Type::BF16:
  case Type::BF16x2:
    return comparisonFor<BFloat>(relation);
  case Type::F32:
    return flush ? comparisonFor<FlushedFloat>(relation) : comparisonFor<float>(relation);
  case Type::F64:
    return comparisonFor<double>(relation);
  default:
    return nullptr;
  }
}

enum Combine : std::uint8_t { NoCombine, CombineAnd, CombineOr, CombineXor };
Mask combine(std::uint8_t how, Mask compared, Mask third) {
  switch (how) {
  case CombineAnd:
    return compared & third;
  case CombineOr:
    return compared | third;
  case CombineXor:
    return compared ^ third;
  default:
    return compared;
  }
}

Relation takeRelation(Decoder &decoder) {
  for (const auto &[name, relation] : relations)
    if (decoder.opcode.take(name))
      return relation;
  decoder.unknown("comparison");
}
std::uint8_t takeCombine(Decoder &decoder) {
  return decoder.opcode.take("and")   ? CombineAnd
         : decoder.opcode.take("or")  ? CombineOr
         : decoder.opcode.take("xor") ? CombineXor
                                      : NoCombine;
}

// The comparison's function is kept as the instruction's immediate. slots: p, q, a, b, c.
// choice[0]: how to combine; choice[1]: c is negated; choice[2]: compare halves of pairs.
void setPredicate(Warp &w, const Instruction &i, Mask m) {
  auto comparison = reinterpret_cast<Comparison>(i.immediate);
  Mask third =
      i.choice[0] == NoCombine ? 0 : w.predicate(i.slots[4]) ^ (i.choice[1] ? allLanes : 0);
  Mask first = comparison(w, i.slots[2], i.slots[3], 0);
  Mask second = i.choice[2] ? comparison(w, i.slots[2], i.slots[3], 16) : ~first;
  writePredicate(w, i.slots[0], m, combine(i.choice[0], first, third));
  writePredicate(w, i.slots[1], m, combine(i.choice[0], second, third));
}

void decodeSetPredicate(Decoder &decoder) {
  Relation relation = takeRelation(decoder);
  Instruction &instruction = decoder.instruction();
  instruction.choice[0] = takeCombine(decoder);
  bool flush = decoder.opcode.take("ftz");
  Type type = decoder.takeType();
  Comparison comparison = chooseComparison(type, relation, flush);
  if (!comparison)
    decoder.unknown("comparison of type ." + std::string(name(type)));
  instruction.immediate = static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(comparison));
  instruction.choice[2] = type == Type::F16x2 || type == Type::BF16x2;
  decoder.expectOperands(instruction.choice[0] == NoCombine ? 3 : 4);
  const Operand &destination = decoder.operand(0);
  Operand sink;
  sink.kind = Operand::Kind::Sink;
  bool pair = destination.kind == Operand::Kind::Pair;
  decoder.writePredicate(pair ? destination.parts[0] : destination);
  decoder.writePredicate(pair ? destination.parts[1] : sink);
  decoder.read(decoder.operand(1), type);
  decoder.read(decoder.operand(2), type);
  if (instruction.choice[0] != NoCombine)
    instruction.choice[1] = decoder.readPredicate(decoder.operand(3));
  decoder.finish(setPredicate);
}

// set: slots d, a, b, c. choice[3]: what true is.
enum TrueValue : std::uint8_t { AllOnes, OneF32, OneF16, OneBF16, PairF16, PairBF16 };

void setRegister(Warp &w, const Instruction &i, Mask m) {
  auto comparison = reinterpret_cast<Comparison>(i.immediate);
  Mask third =
      i.choice[0] == NoCombine ? 0 : w.predicate(i.slots[3]) ^ (i.choice[1] ? allLanes : 0);
  Mask low = combine(i.choice[0], comparison(w, i.slots[1], i.slots[2], 0), third);
  Mask high =
      i.choice[2] ? combine(i.choice[0], comparison(w, i.slots[1], i.slots[2], 16), third) : 0;
  constexpr std::uint32_t lowTrue[] = {0xffffffffu, 0x3f800000u, 0x3c00u,
                                       0x3f80u,     0x3c00u,     0x3f80u};
  constexpr std::uint32_t highTrue[] = {0, 0, 0, 0, 0x3c000000u, 0x3f800000u};
  std::uint32_t lowBits = lowTrue[i.choice[3]], highBits = highTrue[i.choice[3]];
  writeLanes<std::uint32_t>(w.at<std::uint32_t>(i.slots[0]), m, [&](unsigned lane) {
    return (low >> lane & 1 ? lowBits : 0u) | (high >> lane & 1 ? highBits : 0u);
  });
}

void decodeSet(Decoder &decoder) {
  Relation relation = takeRelation(decoder);
  Instruction &instruction = decoder.instruction();
  instruction.choice[0] = takeCombine(decoder);
  bool flush = decoder.opcode.take("ftz");
  Type result = decoder.takeType();
  Type type = decoder.takeType();
  Comparison comparison = chooseComparison(type, relation, flush);
  bool pair = type == Type::F16x2 || type == Type::BF16x2;
  if (!comparison || pair != (result == Type::F16x2 || result == Type::BF16x2))
    decoder.unknown("comparison of type ." + std::string(name(type)));
  switch (result) {
  case Type::U32:
  case Type::S32:
    instruction.choice[3] = AllOnes;
    break;
  case Type::F32:
    instruction.choice[3] = OneF32;
    break;
  case Type::F16:
    instruction.choice[3] = OneF16;
    break;
  case Type::BF16:
    instruction.choice[3] = OneBF16;
    break;
  case Type::F16x2:
    instruction.choice[3] = PairF16;
    break;
  case Type::BF16x2:
    instruction.choice[3] = PairBF16;
    break;
  default:
    decoder.unknown("result type ." + std::string(name(result)));
  }
  instruction.choice[2] = pair;
  instruction.immediate = static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(comparison));
  decoder.expectOperands(instruction.choice[0] == NoCombine ? 3 : 4);
  decoder.write(decoder.operand(0), result);
  decoder.read(decoder.operand(1), type);
  decoder.read(decoder.operand(2), type);
  if (instruction.choice[0] != NoCombine)
    instruction.choice[1] = decoder.readPredicate(decoder.operand(3));
  decoder.finish(setRegister);
}

// ---- selection ----

template <class W> LANE_HANDLER void selectByPredicate(Warp &w, const Instruction &i, Mask m) {
  const auto *a = w.at<W>(i.slots[1]);
  const auto *b = w.at<W>(i.slots[2]);
  Mask choose = w.predicate(i.slots[3]) ^ (i.choice[0] ? allLanes : 0);
  writeLanes<W>(w.at<W>(i.slots[0]), m,
                [&](unsigned lane) { return chosen(choose, lane, a[lane], b[lane]); });
}

void decodeSelect(Decoder &decoder) {
  Type type = decoder.takeType();
  unsigned width = ptx::bitWidth(type);
  if (width < 16 || width > 64 || type == Type::F16x2 || type == Type::BF16x2)
    decoder.unknown("type ." + std::string(name(type)));
  decoder.expectOperands(4);
  decoder.write(decoder.operand(0), type);
  decoder.read(decoder.operand(1), type);
  decoder.read(decoder.operand(2), type);
  decoder.instruction().choice[0] = decoder.readPredicate(decoder.operand(3));
  decoder.finish(width == 64 ? fastest<selectByPredicate<std::uint64_t>>()
                             : fastest<selectByPredicate<std::uint32_t>>());
}

/// slct: a where c >= 0, else b; a NaN chooses b.
template <class W, class C, bool Flush> void selectBySign(Warp &w, const Instruction &i, Mask m) {
  ternary<W, W, W, C>(w, i, m, [](W a, W b, C c) {
    if constexpr (Flush)
      c = flushed(c);
    return c >= 0 ? a : b;
  });
}

void decodeSelectBySign(Decoder &decoder) {
  bool flush = decoder.opcode.take("ftz");
  Type type = decoder.takeType(), control = decoder.takeType();
  unsigned width = ptx::bitWidth(type);
  if (width < 16 || width > 64 || (control != Type::S32 && control != Type::F32))
    decoder.unknown("type ." + std::string(name(type)));
  decoder.expectOperands(4);
  decoder.write(decoder.operand(0), type);
  decoder.read(decoder.operand(1), type);
  decoder.read(decoder.operand(2), type);
  decoder.read(decoder.operand(3), control);
  bool wide = width == 64;
  using W = std::uint32_t;
  using L = std::uint64_t;
  if (control == Type::S32)
    return decoder.finish(wide ? selectBySign<L, std::int32_t, false>
                               : selectBySign<W, std::int32_t, false>);
  if (flush)
    return decoder.finish(wide ? selectBySign<L, float, true> : selectBySign<W, float, true>);
  decoder.finish(wide ? selectBySign<L, float, false> : selectBySign<W, float, false>);
}

// ---- testp ----

enum Property : std::uint8_t { Finite, Infinite, Number, NotANumber, Normal, Subnormal };
constexpr std::pair<std::string_view, Property> properties[] = {
    {"finite", Finite},         {"infinite", Infinite}, {"number", Number},
    {"notanumber", NotANumber}, {"normal", Normal},     {"subnormal", Subnormal}};

template <class T> bool hasProperty(T value, Property property) {
  int kind = std::fpclassify(value);
  switch (property) {
  case Finite:
    return kind != FP_INFINITE && kind != FP_NAN;
  case Infinite:
    return kind == FP_INFINITE;
  case Number:
    return kind != FP_NAN;
  case NotANumber:
    return kind == FP_NAN;
  case Normal:
    return kind == FP_NORMAL;
  case Subnormal:
    return kind == FP_SUBNORMAL;
  }
  return false;
}

template <class T> void testProperty(Warp &w, const Instruction &i, Mask m) {
  const auto *a = w.at<Word<T>>(i.slots[1]);
  auto property = static_cast<Property>(i.choice[0]);
  Mask result = 0;
  for (unsigned lane = 0; lane < lanesPerWarp; ++lane)
    result |= Mask{hasProperty(fromWord<T>(a[lane]), property)} << lane;
  writePredicate(w, i.slots[0], m, result);
}

void decodeTest(Decoder &decoder) {
  bool found = false;
  for (const auto &[name, property] : properties)
    if (decoder.opcode.take(name)) {
      decoder.instruction().choice[0] = property;
      found = true;
    }
  if (!found)
    decoder.unknown("property");
  Type type = decoder.takeType();
  decoder.expectOperands(2);
  decoder.writePredicate(decoder.operand(0));
  decoder.read(decoder.operand(1), type);
  if (type == Type::F32)
    return decoder.finish(testProperty<float>);
  if (type == Type::F64)
    return decoder.finish(testProperty<double>);
  decoder.unknown("type ." + std::string(name(type)));
}

constexpr OpcodeRow rows[] = {
    {"setp", decodeSetPredicate}, {"set", decodeSet},    {"selp", decodeSelect},
    {"slct", decodeSelectBySign}, {"testp", decodeTest},
};

} // namespace

std::span<const OpcodeRow> compareOpcodes() { return rows; }

} // namespace trowel::sim::exec
