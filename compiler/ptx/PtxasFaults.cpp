// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ptxas 13.0 gets wrong, and the driver's own compiler with it (580.159), seen on an H200 and
// in its machine code:
//
//   neg.s16, abs.s16   of the least number is that number, by PTX and by the language; here it
//                      compares as +32768, and so it is widened and shifted right. Conversions to
//                      f32 and f64, min, max and stores see −32768
//   abs.s32, abs.s64   of the least number: "< 0" is false and ">= 0" true, decided while compiling
//   min, max of 16     compared for equality with a constant operand: taken from the predicates of
//   bits, s and u      VIMNMX.S16x2, of which there is one for each half of the register, and both
//                      go to the same one. max(x, 0) == 0 was false of x = −1
//
// Sums, differences, products, shifts and divisions that wrap are read rightly, as are neg.s32 and
// neg.s64, and min and max of 32 and 64 bits. So what has 16 bits is done in 32, where nothing
// wraps and the cut is said, and |x| of more bits is max(x, −x).
//
// It is done in the text, since LLVM makes these instructions as late as while it selects, from
// 0 − x, x · −4 or a choice between x and −x, whatever the IR says.

#include "compiler/ptx/PtxasFaults.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace trowel::compiler {

namespace {
using Operands = llvm::ArrayRef<llvm::StringRef>; ///< the result first

/// Puts a 16-bit operand, a register or a number, into a register of 32 bits.
std::string widened(char to, llvm::StringRef operand, char sign) {
  std::int64_t number = 0;
  if (operand.getAsInteger(0, number))
    return fmt::format("\tcvt.{0}32.{0}16 \t%{1}, {2};\n", sign, to, operand.str());
  number = sign == 's' ? static_cast<std::int16_t>(number) : static_cast<std::uint16_t>(number);
  return fmt::format("\tmov.b32 \t%{}, {};\n", to, number);
}

/// "max.s16 a, b" as the low half of max.s32.
std::string in32Bits(llvm::StringRef opcode, Operands operands) {
  auto [name, type] = opcode.split('.');
  char sign = type.front();
  bool isPair = operands.size() > 2;
  return fmt::format("\t{{\n"
                     "\t.reg .b32 \t%a, %b;\n"
                     "{}{}"
                     "\t{}.{}32 \t%a, %a{};\n"
                     "\tcvt.u16.u32 \t{}, %a;\n"
                     "\t}}\n",
                     widened('a', operands[1], sign), isPair ? widened('b', operands[2], sign) : "",
                     name.str(), sign, isPair ? ", %b" : "", operands[0].str());
}

/// "abs.s32 x" as max(x, −x).
std::string byMaximum(llvm::StringRef opcode, Operands operands) {
  return fmt::format("\t{{\n"
                     "\t.reg .b{0} \t%a;\n"
                     "\tneg.s{0} \t%a, {2};\n"
                     "\tmax.s{0} \t{1}, {2}, %a;\n"
                     "\t}}\n",
                     opcode.ends_with("64") ? 64 : 32, operands[0].str(), operands[1].str());
}

struct Replacement {
  llvm::StringRef opcode;
  std::string (*spell)(llvm::StringRef opcode, Operands operands);
};

constexpr Replacement replacements[] = {
    {"neg.s16", in32Bits}, {"abs.s16", in32Bits}, {"min.s16", in32Bits},  {"max.s16", in32Bits},
    {"min.u16", in32Bits}, {"max.u16", in32Bits}, {"abs.s32", byMaximum}, {"abs.s64", byMaximum},
};
} // namespace

std::string avoidPtxasFaults(const std::string &ptx) {
  std::string result;
  result.reserve(ptx.size());
  llvm::StringRef rest = ptx;
  while (!rest.empty()) {
    llvm::StringRef line = rest.take_until([](char c) { return c == '\n'; });
    rest = rest.drop_front(std::min(line.size() + 1, rest.size()));
    // "\tmax.s16 \t%rs3, %rs1, 0;"
    auto [opcode, operands] = line.trim().split(' ');
    const Replacement *found = std::find_if(std::begin(replacements), std::end(replacements),
                                            [&](const auto &row) { return row.opcode == opcode; });
    if (found == std::end(replacements) || !operands.consume_back(";")) {
      result.append(line).push_back('\n');
      continue;
    }
    llvm::SmallVector<llvm::StringRef, 3> list;
    operands.split(list, ',');
    for (llvm::StringRef &operand : list)
      operand = operand.trim();
    result += found->spell(found->opcode, list);
  }
  return result;
}

} // namespace trowel::compiler
