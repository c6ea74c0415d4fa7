// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cvt: between any two of the integer and float types.
//
// Four kinds, by what the source and the destination are:
//
//   integer to integer   extend or truncate; .sat clamps to the destination's range
//   integer to float     rounded by .rn, .rz, .rm or .rp
//   float to integer     rounded to an integer by .rni, .rzi, .rmi or .rpi, then clamped to the
//                        destination's range; a NaN gives 0, or 2^(bits-1) where either side has 64
//                        bits
//   float to float       exact, or rounded once by .rn, .rz, .rm or .rp; .rni and its like round to
//   an
//                        integral value of the same type
//
// Integers pass through 64-bit words and floats through double, which holds every f16, bf16, f32
// and 32-bit integer exactly; 64-bit integers are brought there rounded to odd, so that the second
// rounding is right. An integer operand may sit in a wider register: a source is cut to its type, a
// result is extended to the register by its type's sign. cvt.rn.bf16x2.f32 d, a, b packs a above b.

#include "runtime/sim/exec/Numerics.h"
#include "runtime/sim/exec/Table.h"

#include <algorithm>

namespace trowel::sim::exec {

using ptx::Type;

namespace {

// choice[0]: Rounding. choice[1]: flags below. choice[2]: bits and sign of an integer source.
// choice[3]: bits and sign of an integer destination. immediate: the mask of the destination
// register.
enum Flag : std::uint8_t { Flush = 1, Saturate = 2, Relu = 4, ToIntegral = 8 };
constexpr std::uint8_t signBit = 0x80;

std::uint8_t encode(Type type) {
  return static_cast<std::uint8_t>(ptx::bitWidth(type) | (ptx::isSigned(type) ? signBit : 0));
}

/// An integer type as amounts to shift by: a value is cut and extended by going left and right.
struct IntegerShape {
  unsigned shift;
  bool isSigned;

  explicit IntegerShape(std::uint8_t encoded)
      : shift(64u - (encoded & 0x7fu)), isSigned((encoded & signBit) != 0) {}
  std::uint64_t extend(std::uint64_t word) const {
    std::uint64_t top = word << shift;
    return isSigned ? static_cast<std::uint64_t>(static_cast<std::int64_t>(top) >> shift)
                    : top >> shift;
  }
  __int128 lowest() const { return isSigned ? -(static_cast<__int128>(1) << (63 - shift)) : 0; }
  __int128 highest() const {
    return (static_cast<__int128>(1) << (isSigned ? 63 - shift : 64 - shift)) - 1;
  }
};

Rounding roundingOf(const Instruction &i) { return static_cast<Rounding>(i.choice[0]); }

// ---- integer to integer ----

template <class D, class S>
LANE_HANDLER void integerToInteger(Warp &w, const Instruction &i, Mask m) {
  const auto *a = w.at<S>(i.slots[1]);
  IntegerShape from(i.choice[2]), to(i.choice[3]);
  auto registerMask = static_cast<std::uint64_t>(i.immediate);
  if (from.isSigned || to.isSigned)
    return writeLanes<D>(w.at<D>(i.slots[0]), m, [&](unsigned lane) {
      return static_cast<D>(to.extend(from.extend(a[lane])) & registerMask);
    });
  std::uint64_t keep = (~std::uint64_t{0} >> from.shift) & (~std::uint64_t{0} >> to.shift);
  keep &= registerMask;
  writeLanes<D>(w.at<D>(i.slots[0]), m,
                [&](unsigned lane) { return static_cast<D>(a[lane] & keep); });
}

template <class D, class S> void integerSaturating(Warp &w, const Instruction &i, Mask m) {
  const auto *a = w.at<S>(i.slots[1]);
  IntegerShape from(i.choice[2]), to(i.choice[3]);
  auto registerMask = static_cast<std::uint64_t>(i.immediate);
  writeLanes<D>(w.at<D>(i.slots[0]), m, [&](unsigned lane) {
    std::uint64_t word = from.extend(a[lane]);
    __int128 value = from.isSigned ? static_cast<__int128>(static_cast<std::int64_t>(word))
                                   : static_cast<__int128>(word);
    value = std::clamp(value, to.lowest(), to.highest());
    return static_cast<D>(static_cast<std::uint64_t>(value) & registerMask);
  });
}

// ---- integer to float ----

/// A 64-bit integer as a double, rounded to odd.
double oddDouble(std::uint64_t word, bool isSigned) {
  bool negative = isSigned && static_cast<std::int64_t>(word) < 0;
  std::uint64_t magnitude = negative ? 0 - word : word;
  unsigned cut = 0;
  if (magnitude >> 53 != 0) {
    cut = 11u - static_cast<unsigned>(__builtin_clzll(magnitude));
    bool inexact = (magnitude & ((std::uint64_t{1} << cut) - 1)) != 0;
    magnitude = magnitude >> cut | inexact;
  }
  double value = std::ldexp(static_cast<double>(magnitude), static_cast<int>(cut));
  return negative ? -value : value;
}

template <class R> R toFloat(double odd, Rounding rounding) {
  if constexpr (std::is_same_v<R, float>)
    return narrow(odd, rounding);
  else if constexpr (std::is_same_v<R, Half>)
    return toHalf(narrowOdd(odd), rounding);
  else
    return toBFloat(narrowOdd(odd), rounding);
}

double integerToDouble(std::uint64_t word, bool isSigned, Rounding rounding) {
  double value =
      isSigned ? static_cast<double>(static_cast<std::int64_t>(word)) : static_cast<double>(word);
  __int128 exact = isSigned ? static_cast<__int128>(static_cast<std::int64_t>(word))
                            : static_cast<__int128>(word);
  __int128 error = exact - static_cast<__int128>(value);
  if (rounding == Rounding::Nearest || error == 0)
    return value;
  bool up = rounding == Rounding::Up || (rounding == Rounding::Zero && exact < 0);
  if (up == (error < 0)) // already on the wanted side
    return value;
  return std::nextafter(value, up ? HUGE_VAL : -HUGE_VAL);
}

template <class R, class S> void integerToFloat(Warp &w, const Instruction &i, Mask m) {
  const auto *a = w.at<S>(i.slots[1]);
  IntegerShape from(i.choice[2]);
  Rounding rounding = roundingOf(i);
  bool saturate = (i.choice[1] & Saturate) != 0;
  writeLanes<R>(w.at<Word<R>>(i.slots[0]), m, [&](unsigned lane) {
    std::uint64_t word = from.extend(a[lane]);
    if constexpr (std::is_same_v<R, double>) {
      double value = integerToDouble(word, from.isSigned, rounding);
      return saturate ? saturated(value) : value;
    } else {
      double value = oddDouble(word, from.isSigned);
      return toFloat<R>(saturate ? saturated(value) : value, rounding);
    }
  });
}
/// The common case, as vector code.
template <class T>
LANE_HANDLER void integerToFloat32Nearest(Warp &w, const Instruction &i, Mask m) {
  unary<float, T>(w, i, m, [](T a) LANE_FUNCTION { return static_cast<float>(a); });
}

// ---- float to integer ----

double wide(float value) { return value; }
double wide(double value) { return value; }
double wide(Half value) { return widen(value); }
double wide(BFloat value) { return widen(value); }

double roundToIntegral(double value, Rounding rounding) {
  switch (rounding) {
  case Rounding::Nearest:
    return std::nearbyint(value); // ties to even: the host's mode is nearest
  case Rounding::Zero:
    return std::trunc(value);
  case Rounding::Down:
    return std::floor(value);
  case Rounding::Up:
    return std::ceil(value);
  }
  return value;
}

template <class D, class T>
LANE_HANDLER void floatToInteger(Warp &w, const Instruction &i, Mask m) {
  const auto *a = w.at<Word<T>>(i.slots[1]);
  IntegerShape to(i.choice[3]);
  auto registerMask = static_cast<std::uint64_t>(i.immediate);
  Rounding rounding = roundingOf(i);
  bool flush = (i.choice[1] & Flush) != 0;
  // The bounds as doubles: 2^63 - 1 and 2^64 - 1 become 2^63 and 2^64, from where on all is
  // clamped.
  auto lowest = static_cast<double>(to.lowest()), highest = static_cast<double>(to.highest());
  auto lowWord = static_cast<std::uint64_t>(to.lowest());
  auto highWord = static_cast<std::uint64_t>(to.highest());
  bool eitherWide = sizeof(T) == 8 || to.shift == 0;
  std::uint64_t forNaN = eitherWide ? std::uint64_t{1} << (63 - to.shift) : 0;
  writeLanes<D>(w.at<D>(i.slots[0]), m, [&](unsigned lane) {
    T value = fromWord<T>(a[lane]);
    if constexpr (std::is_same_v<T, float>)
      value = flush ? flushed(value) : value;
    double rounded = roundToIntegral(wide(value), rounding);
    std::uint64_t word;
    if (rounded != rounded)
      word = to.extend(forNaN);
    else if (rounded <= lowest)
      word = lowWord;
    else if (rounded >= highest)
      word = highWord;
    else
      word = rounded < 0 ? static_cast<std::uint64_t>(static_cast<std::int64_t>(rounded))
                         : static_cast<std::uint64_t>(rounded);
    return static_cast<D>(word & registerMask);
  });
}
/// f32 to s32 towards zero, the common case, as vector code.
LANE_HANDLER void truncateToInt32(Warp &w, const Instruction &i, Mask m) {
  unary<std::int32_t, float>(w, i, m, [](float a) LANE_FUNCTION {
    bool inside = a > -0x1p31f && a < 0x1p31f;
    std::int32_t limit = a > 0 ? 0x7fffffff : static_cast<std::int32_t>(0x80000000u);
    auto truncated = static_cast<std::int32_t>(inside ? a : 0.0f);
    return inside ? truncated : a != a ? 0 : limit;
  });
}

// ---- float to float ----

template <class R> R finishFloat(R value, const Instruction &i) {
  if (i.choice[1] & Saturate)
    value = saturated(value);
  if (i.choice[1] & Relu)
    value = value > 0 || value != value ? value : R(0);
  return canonical(value);
}

/// `value` in format R, which is exact or rounded once.
template <class R> R convertTo(double value, const Instruction &i) {
  if constexpr (std::is_same_v<R, double>) {
    return finishFloat(value, i);
  } else if constexpr (std::is_same_v<R, float>) {
    float narrowed = narrow(value, roundingOf(i));
    if (i.choice[1] & Flush)
      narrowed = flushed(narrowed);
    return finishFloat(narrowed, i);
  } else {
    if (i.choice[1] & (Saturate | Relu))
      value = finishFloat(value, i);
    return toFloat<R>(value, roundingOf(i));
  }
}

template <class R, class T> void floatToFloat(Warp &w, const Instruction &i, Mask m) {
  unary<R, T>(w, i, m, [&](T a) LANE_FUNCTION {
    if constexpr (std::is_same_v<T, float>)
      a = i.choice[1] & Flush ? flushed(a) : a;
    double value = wide(a);
    if (i.choice[1] & ToIntegral)
      value = roundToIntegral(value, roundingOf(i));
    return convertTo<R>(value, i);
  });
}
/// bf16 is the upper half of f32; a NaN keeps its bits.
LANE_HANDLER void bfloatToFloat32(Warp &w, const Instruction &i, Mask m) {
  unary<float, BFloat>(w, i, m, [](BFloat a) LANE_FUNCTION { return widen(a); });
}
LANE_HANDLER void float32ToBFloat(Warp &w, const Instruction &i, Mask m) {
  unary<BFloat, float>(w, i, m, [](float a) LANE_FUNCTION { return toBFloat(a); });
}
template <class T> void packPair(Warp &w, const Instruction &i, Mask m) {
  binary<std::uint32_t, float, float>(w, i, m, [&](float high, float low) LANE_FUNCTION {
    std::uint32_t top = convertTo<T>(high, i).bits, bottom = convertTo<T>(low, i).bits;
    return top << 16 | bottom;
  });
}
LANE_HANDLER void packBFloatNearest(Warp &w, const Instruction &i, Mask m) {
  binary<std::uint32_t, float, float>(w, i, m, [](float high, float low) LANE_FUNCTION {
    return static_cast<std::uint32_t>(toBFloat(high).bits) << 16 | toBFloat(low).bits;
  });
}

// ---- decoding ----

struct Form {
  std::optional<Rounding> toFloat;    // .rn .rz .rm .rp
  std::optional<Rounding> toIntegral; // .rni .rzi .rmi .rpi
  std::uint8_t flags = 0;
};

Form takeForm(Decoder &decoder) {
  Form form;
  constexpr std::pair<std::string_view, Rounding> modes[] = {{"rn", Rounding::Nearest},
                                                             {"rz", Rounding::Zero},
                                                             {"rm", Rounding::Down},
                                                             {"rp", Rounding::Up}};
  for (const auto &[name, mode] : modes) {
    if (decoder.opcode.take(name))
      form.toFloat = mode;
    if (decoder.opcode.take(std::string(name) + "i"))
      form.toIntegral = mode;
  }
  form.flags |= decoder.opcode.take("ftz") ? Flush : 0;
  form.flags |= decoder.opcode.take("sat") ? Saturate : 0;
  form.flags |= decoder.opcode.take("relu") ? Relu : 0;
  return form;
}

/// The handler `Make<type>` of a float type.
template <class Choose> Handler forFloat(Type type, Choose choose) {
  switch (type) {
  case Type::F16:
    return choose(Half{});
  case Type::BF16:
    return choose(BFloat{});
  case Type::F32:
    return choose(float{});
  case Type::F64:
    return choose(double{});
  default:
    return nullptr;
  }
}

Handler chooseIntegerToFloat(Type to, Type from, bool wideRegister, const Form &form) {
  if (to == Type::F32 && form.toFloat == Rounding::Nearest && !(form.flags & Saturate)) {
    if (from == Type::S32 && !wideRegister)
      return fastest<integerToFloat32Nearest<std::int32_t>>();
    if (from == Type::U32 && !wideRegister)
      return fastest<integerToFloat32Nearest<std::uint32_t>>();
  }
  return forFloat(to, [&](auto sample) -> Handler {
    using R = decltype(sample);
    return wideRegister ? integerToFloat<R, std::uint64_t> : integerToFloat<R, std::uint32_t>;
  });
}

Handler chooseFloatToInteger(Type to, Type from, bool wideRegister, const Form &form) {
  if (to == Type::S32 && from == Type::F32 && !wideRegister && form.toIntegral == Rounding::Zero &&
      !(form.flags & Flush))
    return fastest<truncateToInt32>();
  return forFloat(from, [&](auto sample) -> Handler {
    using T = decltype(sample);
    return wideRegister ? fastest<floatToInteger<std::uint64_t, T>>()
                        : fastest<floatToInteger<std::uint32_t, T>>();
  });
}

Handler chooseFloatToFloat(Type to, Type from, const Form &form) {
  if (form.flags == 0 && !form.toIntegral) {
    if (to == Type::F32 && from == Type::BF16)
      return fastest<bfloatToFloat32>();
    if (to == Type::BF16 && from == Type::F32 && form.toFloat == Rounding::Nearest)
      return fastest<float32ToBFloat>();
  }
  return forFloat(to, [&](auto toSample) -> Handler {
    return forFloat(from, [&](auto fromSample) -> Handler {
      return floatToFloat<decltype(toSample), decltype(fromSample)>;
    });
  });
}

void decodePack(Decoder &decoder, Type to, const Form &form) {
  Instruction &instruction = decoder.instruction();
  if (!form.toFloat || form.toIntegral || decoder.takeType() != Type::F32)
    decoder.unknown("form of packing conversion");
  decoder.expectOperands(3);
  decoder.write(decoder.operand(0), to);
  decoder.read(decoder.operand(1), Type::F32);
  decoder.read(decoder.operand(2), Type::F32);
  instruction.choice[0] = static_cast<std::uint8_t>(*form.toFloat);
  if (to == Type::F16x2)
    return decoder.finish(packPair<Half>);
  bool plain = *form.toFloat == Rounding::Nearest && form.flags == 0;
  decoder.finish(plain ? fastest<packBFloatNearest>() : packPair<BFloat>);
}

std::uint64_t registerMask(unsigned width) {
  return width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
}

/// Significant bits of a float type, for telling which conversions lose some.
unsigned precision(Type type) {
  return type == Type::F64 ? 53 : type == Type::F32 ? 24 : type == Type::F16 ? 11 : 8;
}

void decodeConvert(Decoder &decoder) {
  Form form = takeForm(decoder);
  Instruction &instruction = decoder.instruction();
  instruction.choice[1] =
      static_cast<std::uint8_t>(form.flags | (form.toIntegral ? ToIntegral : 0));
  Type to = decoder.takeType();
  if (to == Type::F16x2 || to == Type::BF16x2)
    return decodePack(decoder, to, form);
  Type from = decoder.takeType();
  auto isInteger = [](Type type) { return type >= Type::U8 && type <= Type::S64; };
  auto isPlainFloat = [](Type type) {
    return type == Type::F16 || type == Type::BF16 || type == Type::F32 || type == Type::F64;
  };
  if ((!isInteger(to) && !isPlainFloat(to)) || (!isInteger(from) && !isPlainFloat(from)))
    decoder.unknown("types ." + std::string(name(to)) + " and ." + std::string(name(from)));
  decoder.expectOperands(2);
  unsigned toWidth = ptx::bitWidth(to), fromWidth = ptx::bitWidth(from);
  if (isInteger(to))
    toWidth = decoder.writeWide(decoder.operand(0), to);
  else
    decoder.write(decoder.operand(0), to);
  if (isInteger(from))
    fromWidth = decoder.readWide(decoder.operand(1), from);
  else
    decoder.read(decoder.operand(1), from);
  if (toWidth > 64 || fromWidth > 64)
    decoder.unknown("128-bit operand");
  instruction.choice[2] = encode(from);
  instruction.choice[3] = encode(to);
  instruction.immediate = static_cast<std::int64_t>(registerMask(toWidth));
  auto rounding = form.toIntegral ? form.toIntegral : form.toFloat;
  instruction.choice[0] = static_cast<std::uint8_t>(rounding.value_or(Rounding::Nearest));

  bool wideTo = toWidth == 64, wideFrom = fromWidth == 64;
  std::string types = "'" + std::string(decoder.statement().opcode) + "' needs ";
  if (isInteger(to) && isInteger(from)) {
    if (rounding)
      decoder.fail("'" + std::string(decoder.statement().opcode) +
                   "' has a rounding mode, but converts between integers");
    using W = std::uint32_t;
    using L = std::uint64_t;
    bool saturate = (form.flags & Saturate) != 0;
    if (saturate)
      return decoder.finish(wideTo
                                ? (wideFrom ? integerSaturating<L, L> : integerSaturating<L, W>)
                                : (wideFrom ? integerSaturating<W, L> : integerSaturating<W, W>));
    return decoder.finish(
        wideTo
            ? (wideFrom ? fastest<integerToInteger<L, L>>() : fastest<integerToInteger<L, W>>())
            : (wideFrom ? fastest<integerToInteger<W, L>>() : fastest<integerToInteger<W, W>>()));
  }
  if (isInteger(from)) {
    if (!form.toFloat)
      decoder.fail(types + "one of .rn, .rz, .rm and .rp");
    return decoder.finish(chooseIntegerToFloat(to, from, wideFrom, form));
  }
  if (isInteger(to)) {
    if (!form.toIntegral)
      decoder.fail(types + "one of .rni, .rzi, .rmi and .rpi");
    return decoder.finish(chooseFloatToInteger(to, from, wideTo, form));
  }
  if (form.toIntegral && to != from)
    decoder.unknown("rounding to an integral value of another type");
  bool loses = precision(to) < precision(from) || (to == Type::F16 && from == Type::BF16);
  if (loses && !form.toFloat)
    decoder.fail(types + "one of .rn, .rz, .rm and .rp");
  decoder.finish(chooseFloatToFloat(to, from, form));
}

constexpr OpcodeRow rows[] = {{"cvt", decodeConvert}};

} // namespace

std::span<const OpcodeRow> convertOpcodes() { return rows; }

} // namespace trowel::sim::exec
