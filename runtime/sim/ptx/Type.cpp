// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The types of PTX, one row each.

#include "runtime/sim/ptx/Type.h"

namespace trowel::sim::ptx {

namespace {
enum Class : std::uint8_t { Untyped, Unsigned, Signed, Float, Predicate };
struct Row {
  std::string_view name;
  unsigned bits;
  Class kind;
};
constexpr Row rows[] = {
    {"pred", 1, Predicate},  {"b8", 8, Untyped},     {"b16", 16, Untyped}, {"b32", 32, Untyped},
    {"b64", 64, Untyped},    {"b128", 128, Untyped}, {"u8", 8, Unsigned},  {"u16", 16, Unsigned},
    {"u32", 32, Unsigned},   {"u64", 64, Unsigned},  {"s8", 8, Signed},    {"s16", 16, Signed},
    {"s32", 32, Signed},     {"s64", 64, Signed},    {"f16", 16, Float},   {"f16x2", 32, Float},
    {"bf16", 16, Float},     {"bf16x2", 32, Float},  {"f32", 32, Float},   {"f64", 64, Float},
    {"u16x2", 32, Unsigned}, {"s16x2", 32, Signed},
};
const Row &row(Type type) { return rows[static_cast<int>(type)]; }
} // namespace

std::optional<Type> parseType(std::string_view name) {
  for (const Row &candidate : rows)
    if (candidate.name == name)
      return static_cast<Type>(&candidate - rows);
  return std::nullopt;
}

std::string_view name(Type type) { return row(type).name; }
unsigned bitWidth(Type type) { return row(type).bits; }
bool isSigned(Type type) { return row(type).kind == Signed; }
bool isFloat(Type type) { return row(type).kind == Float; }
bool isUntyped(Type type) { return row(type).kind == Untyped; }

} // namespace trowel::sim::ptx
