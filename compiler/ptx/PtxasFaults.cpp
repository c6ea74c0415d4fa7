// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The negative and the absolute value of the least integer are that integer, by PTX and by the
// language. But ptxas 13.0, and the driver's own compiler with it (580.159), assume of the results
// what holds for all other numbers. On an H200, of the least number:
//
//   neg.s16, abs.s16   compares as +32768, and so it is widened and shifted right
//   abs.s32, abs.s64   "< 0" is false and ">= 0" true, decided while compiling
//
// while cvt to f32 or f64, min, max and stores saw −32768. Additions, subtractions from other
// constants than 0, products, shifts and divisions that wrap to the same number are read rightly,
// as are neg.s32 and neg.s64. So the four are written otherwise: 16 bits in 32, where nothing
// wraps and the cut is said, and |x| of more bits as max(x, −x).
//
// It is done in the text, since LLVM makes these instructions as late as while it selects, from
// 0 − x, x · −4 or a choice between x and −x, whatever the IR says.

#include "compiler/ptx/SignedResults.h"

#include "llvm/ADT/StringRef.h"

#include <fmt/format.h>

#include <algorithm>

namespace trowel::compiler {

namespace {
struct Replacement {
  llvm::StringRef opcode;
  const char *text; ///< {0} is the result, {1} the operand
};

constexpr Replacement replacements[] = {
    {"neg.s16", "\t{{\n"
                "\t.reg .b32 \t%wide;\n"
                "\tcvt.s32.s16 \t%wide, {1};\n"
                "\tneg.s32 \t%wide, %wide;\n"
                "\tcvt.u16.u32 \t{0}, %wide;\n"
                "\t}}\n"},
    {"abs.s16", "\t{{\n"
                "\t.reg .b32 \t%wide;\n"
                "\tcvt.s32.s16 \t%wide, {1};\n"
                "\tabs.s32 \t%wide, %wide;\n"
                "\tcvt.u16.u32 \t{0}, %wide;\n"
                "\t}}\n"},
    {"abs.s32", "\t{{\n"
                "\t.reg .b32 \t%negative;\n"
                "\tneg.s32 \t%negative, {1};\n"
                "\tmax.s32 \t{0}, {1}, %negative;\n"
                "\t}}\n"},
    {"abs.s64", "\t{{\n"
                "\t.reg .b64 \t%negative;\n"
                "\tneg.s64 \t%negative, {1};\n"
                "\tmax.s64 \t{0}, {1}, %negative;\n"
                "\t}}\n"},
};
} // namespace

std::string keepSigns(const std::string &ptx) {
  std::string result;
  result.reserve(ptx.size());
  llvm::StringRef rest = ptx;
  while (!rest.empty()) {
    llvm::StringRef line = rest.take_until([](char c) { return c == '\n'; });
    rest = rest.drop_front(std::min(line.size() + 1, rest.size()));
    // "\tabs.s32 \t%r2, %r1;"
    auto [opcode, operands] = line.trim().split(' ');
    const Replacement *found = std::find_if(std::begin(replacements), std::end(replacements),
                                            [&](const auto &row) { return row.opcode == opcode; });
    if (found == std::end(replacements) || !operands.consume_back(";")) {
      result.append(line).push_back('\n');
      continue;
    }
    auto [to, from] = operands.trim().split(", ");
    result += fmt::format(fmt::runtime(found->text), to.str(), from.str());
  }
  return result;
}

} // namespace trowel::compiler
