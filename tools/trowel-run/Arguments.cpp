// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launch arguments as written on the command line.
//
//   TYPE[COUNT]        a buffer filled with ones, that is with NaNs: for what the kernel writes
//   TYPE[COUNT]:FILL   a buffer; FILL is iota (0, 1, 2, …), zeros, ones (the number), random,
//                      poison (what stands for no FILL) or unwritten (allocated and nothing more)
//   TYPE=VALUE         a scalar
//
// Random values are the same on every machine: splitmix64 of the position, floats in [-1, 1).

#include "Arguments.h"

#include "trowel/Error.h"
#include "trowel/Types.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace trowel::run {

namespace {

constexpr ElementKind kinds[] = {
    {"b8", 1, NumberKind::Bits},       {"b16", 2, NumberKind::Bits},
    {"b32", 4, NumberKind::Bits},      {"b64", 8, NumberKind::Bits},
    {"bool", 1, NumberKind::Unsigned}, {"u8", 1, NumberKind::Unsigned},
    {"u16", 2, NumberKind::Unsigned},  {"u32", 4, NumberKind::Unsigned},
    {"u64", 8, NumberKind::Unsigned},  {"i8", 1, NumberKind::Signed},
    {"i16", 2, NumberKind::Signed},    {"i32", 4, NumberKind::Signed},
    {"i64", 8, NumberKind::Signed},    {"f16", 2, NumberKind::Half},
    {"bf16", 2, NumberKind::BFloat},   {"f32", 4, NumberKind::Float},
    {"f64", 8, NumberKind::Double},
};

std::string kindNames() {
  std::string names;
  for (const ElementKind &kind : kinds)
    names += (names.empty() ? "" : " ") + std::string(kind.name);
  return names;
}

constexpr std::uint64_t maximumElements = std::uint64_t{1} << 36;

/// f16 nearest to a small number; enough for fills and scalars on the command line.
std::uint16_t halfBits(double value) {
  if (std::isnan(value))
    return 0x7fff;
  std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  double magnitude = std::fabs(value);
  if (magnitude >= 65520)
    return static_cast<std::uint16_t>(sign | 0x7c00);
  int exponent = magnitude > 0 ? std::max(std::ilogb(magnitude), -14) : -14;
  double units = std::nearbyint(std::ldexp(magnitude, 10 - exponent)); // of 2^(exponent - 10)
  auto bits = static_cast<std::uint16_t>(units) + static_cast<std::uint16_t>((exponent + 14) << 10);
  return static_cast<std::uint16_t>(sign | bits);
}

double halfValue(std::uint16_t bits) {
  int exponent = bits >> 10 & 31, mantissa = bits & 1023;
  double value = exponent == 31  ? (mantissa != 0 ? NAN : INFINITY)
                 : exponent == 0 ? std::ldexp(mantissa, -24)
                                 : std::ldexp(1024 + mantissa, exponent - 25);
  return bits & 0x8000 ? -value : value;
}

void putNumber(const ElementKind &kind, double value, std::byte *to) {
  auto put = [&](auto typed) { std::memcpy(to, &typed, sizeof typed); };
  switch (kind.kind) {
  case NumberKind::Float:
    return put(static_cast<float>(value));
  case NumberKind::Double:
    return put(value);
  case NumberKind::BFloat:
    return put(bf16(static_cast<float>(value)).bits);
  case NumberKind::Half:
    return put(halfBits(value));
  default: {
    auto whole = static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
    std::memcpy(to, &whole, kind.bytes); // little-endian
  }
  }
}

std::uint64_t splitmix(std::uint64_t position) {
  std::uint64_t z = (position + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

bool isInteger(const ElementKind &kind) {
  return kind.kind == NumberKind::Bits || kind.kind == NumberKind::Signed ||
         kind.kind == NumberKind::Unsigned;
}

void fill(Argument &argument, std::string_view how, const std::string &text) {
  const ElementKind &kind = *argument.element;
  std::size_t count = argument.count();
  auto each = [&](auto value) {
    for (std::size_t i = 0; i < count; ++i)
      putNumber(kind, value(i), argument.data.data() + i * kind.bytes);
  };
  if (how == "poison" || how == "unwritten") {
    argument.unwritten = how == "unwritten";
    std::memset(argument.data.data(), 0xff, argument.data.size());
  } else if (how == "zeros") {
    std::memset(argument.data.data(), 0, argument.data.size());
  } else if (how == "ones") {
    each([](std::size_t) { return 1.0; });
  } else if (how == "iota") {
    each([](std::size_t i) { return static_cast<double>(i); });
  } else if (how == "random" && isInteger(kind)) {
    for (std::size_t i = 0; i < count; ++i) {
      std::uint64_t value = kind.name == "bool" ? splitmix(i) & 1 : splitmix(i);
      std::memcpy(argument.data.data() + i * kind.bytes, &value, kind.bytes);
    }
  } else if (how == "random") {
    each([](std::size_t i) {
      return static_cast<double>(static_cast<std::int64_t>(splitmix(i)) >> 40) / (1 << 23);
    });
  } else {
    throw Error("the argument '" + text + "' is filled with '" + std::string(how) +
                "'; it can be iota, zeros, ones, random, poison or unwritten");
  }
}

/// A scalar's value; hexadecimal bits after 0x, for any type.
void parseScalar(Argument &argument, std::string_view value, const std::string &text) {
  const ElementKind &kind = *argument.element;
  const char *end = value.data() + value.size();
  auto refuse = [&](const std::string &why) { throw Error("the argument '" + text + "' " + why); };
  if (value.starts_with("0x")) {
    std::uint64_t bits = 0;
    auto [stop, error] = std::from_chars(value.data() + 2, end, bits, 16);
    if (error != std::errc() || stop != end || (kind.bytes < 8 && bits >> (8 * kind.bytes) != 0))
      refuse("is not " + std::to_string(2 * kind.bytes) + " hexadecimal digits or less behind 0x");
    std::memcpy(argument.data.data(), &bits, kind.bytes);
    return;
  }
  if (!isInteger(kind)) {
    double number = 0;
    auto [stop, error] = std::from_chars(value.data(), end, number);
    if (error != std::errc() || stop != end)
      refuse("has no number behind '='");
    putNumber(kind, number, argument.data.data());
    return;
  }
  // Wide enough for both i64 and u64.
  bool negative = value.starts_with('-');
  std::uint64_t magnitude = 0;
  auto [stop, error] = std::from_chars(value.data() + negative, end, magnitude);
  if (error != std::errc() || stop != end || value.size() == negative)
    refuse("has no whole number behind '='");
  unsigned bits = 8 * kind.bytes;
  std::uint64_t most = kind.name == "bool" ? 1
                       : kind.kind == NumberKind::Signed
                           ? (std::uint64_t{1} << (bits - 1)) - (negative ? 0 : 1)
                           : ~std::uint64_t{0} >> (64 - bits);
  if (magnitude > most || (negative && kind.kind == NumberKind::Unsigned))
    refuse("does not fit " + std::string(kind.name));
  std::uint64_t word = negative ? 0 - magnitude : magnitude;
  std::memcpy(argument.data.data(), &word, kind.bytes);
}

Argument parseOne(const std::string &text, std::size_t position) {
  std::string_view rest = text;
  std::size_t nameEnd = rest.find_first_of("[=");
  Argument argument;
  argument.name = "argument " + std::to_string(position);
  argument.element = findElementKind(rest.substr(0, nameEnd));
  if (!argument.element || nameEnd == std::string_view::npos)
    throw Error("the argument '" + text +
                "' is neither TYPE=VALUE nor TYPE[COUNT]:FILL with a TYPE of " + kindNames());
  if (rest[nameEnd] == '=') {
    argument.data.resize(argument.element->bytes);
    parseScalar(argument, rest.substr(nameEnd + 1), text);
    return argument;
  }
  std::size_t close = rest.find(']');
  std::uint64_t count = 0;
  bool good = close != std::string_view::npos;
  if (good) {
    auto [stop, error] = std::from_chars(rest.data() + nameEnd + 1, rest.data() + close, count);
    good = error == std::errc() && stop == rest.data() + close && count >= 1 &&
           count <= maximumElements;
  }
  if (!good)
    throw Error("the argument '" + text + "' has no count of 1 to " +
                std::to_string(maximumElements) + " in brackets");
  argument.isBuffer = true;
  argument.data.resize(count * argument.element->bytes);
  std::string_view behind = rest.substr(close + 1);
  if (!behind.empty() && behind[0] != ':')
    throw Error("the argument '" + text + "' has '" + std::string(behind) +
                "' behind the bracket; write ':' and how to fill it");
  fill(argument, behind.empty() ? "poison" : behind.substr(1), text);
  return argument;
}

} // namespace

const ElementKind *findElementKind(std::string_view name) {
  for (const ElementKind &kind : kinds)
    if (kind.name == name)
      return &kind;
  return nullptr;
}

std::vector<Argument> parseArguments(const std::string &list) {
  std::vector<Argument> arguments;
  for (std::size_t begin = 0; begin < list.size();) {
    std::size_t comma = std::min(list.find(',', begin), list.size());
    arguments.push_back(parseOne(list.substr(begin, comma - begin), arguments.size()));
    begin = comma + 1;
  }
  return arguments;
}

double numberAt(const Argument &argument, std::size_t index) {
  const std::byte *from = argument.data.data() + index * argument.element->bytes;
  auto get = [&](auto typed) {
    std::memcpy(&typed, from, sizeof typed);
    return typed;
  };
  switch (argument.element->kind) {
  case NumberKind::Float:
    return get(float{});
  case NumberKind::Double:
    return get(double{});
  case NumberKind::BFloat:
    return bf16::fromBits(get(std::uint16_t{}));
  case NumberKind::Half:
    return halfValue(get(std::uint16_t{}));
  default: {
    std::uint64_t word = 0;
    std::memcpy(&word, from, argument.element->bytes);
    return static_cast<double>(word);
  }
  }
}

std::string valuesText(const Argument &argument, std::size_t limit) {
  std::string text;
  const ElementKind &kind = *argument.element;
  std::size_t shown = std::min(limit, argument.count());
  for (std::size_t i = 0; i < shown; ++i) {
    std::uint64_t word = 0;
    std::memcpy(&word, argument.data.data() + i * kind.bytes, kind.bytes);
    unsigned unused = 64 - 8 * kind.bytes;
    text += i == 0 ? "" : " ";
    switch (kind.kind) {
    case NumberKind::Bits:
      text += fmt::format("{:0{}x}", word, 2 * kind.bytes);
      break;
    case NumberKind::Unsigned:
      text += fmt::format("{}", word);
      break;
    case NumberKind::Signed:
      text += fmt::format("{}", static_cast<std::int64_t>(word << unused) >> unused);
      break;
    case NumberKind::Double:
      text += fmt::format("{}", numberAt(argument, i));
      break;
    default:
      text += fmt::format("{}", static_cast<float>(numberAt(argument, i)));
    }
  }
  return text + (shown < argument.count() ? " …" : "");
}

} // namespace trowel::run
