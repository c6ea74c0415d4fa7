// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The opcodes that exist for integers and floats alike: the type says whose they are.
//
// The integer families and the three floating-point ones share no code, only names. This file is
// the fork: it takes the type modifier and hands over.

#include "runtime/sim/exec/Table.h"

namespace trowel::sim::exec {

using ptx::Type;

namespace {

void byType(Decoder &decoder) {
  Type type = decoder.takeType();
  if (type == Type::F32)
    decodeFloat32(decoder);
  else if (type == Type::F64)
    decodeFloat64(decoder);
  else if (ptx::isFloat(type))
    decodeHalf(decoder, type);
  else
    decodeInteger(decoder, type);
}

constexpr OpcodeRow rows[] = {
    {"add", byType},  {"sub", byType},  {"mul", byType},   {"mad", byType},   {"fma", byType},
    {"div", byType},  {"rem", byType},  {"abs", byType},   {"neg", byType},   {"min", byType},
    {"max", byType},  {"sad", byType},  {"mul24", byType}, {"mad24", byType}, {"addc", byType},
    {"subc", byType}, {"madc", byType}, {"sqrt", byType},  {"rcp", byType},   {"copysign", byType},
};

} // namespace

std::span<const OpcodeRow> arithmeticOpcodes() { return rows; }

} // namespace trowel::sim::exec
