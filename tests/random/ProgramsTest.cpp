// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a run of random programs relies on: programs follow from their seeds, a wrong result is
// seen, and what fails is made small. The rules of single elements are looked at where double
// rounding would show.
#include "tests/support/programs/Evaluate.h"
#include "tests/support/programs/Run.h"

#include <gtest/gtest.h>

#include <bit>

namespace trowel::programs {
namespace {

bool contains(const Expr &expr, Op op) {
  if (expr.op == op)
    return true;
  for (const Expr &operand : expr.operands)
    if (contains(operand, op))
      return true;
  return false;
}
bool contains(const std::vector<Statement> &block, Op op) {
  for (const Statement &statement : block) {
    for (const Expr &operand : statement.operands)
      if (contains(operand, op))
        return true;
    if (contains(statement.body, op) || contains(statement.otherwise, op))
      return true;
  }
  return false;
}

TEST(Programs, FollowFromTheirSeeds) {
  for (std::uint64_t seed : {1, 2, 3})
    EXPECT_EQ(sourceOf(generate(seed)), sourceOf(generate(seed)));
  EXPECT_NE(sourceOf(generate(1)), sourceOf(generate(2)));
}

TEST(Programs, AreMadeSmall) {
  int found = 0;
  for (std::uint64_t seed = 1; found < 5; ++seed) {
    auto fails = [](const Program &program) { return contains(program.statements, Op::Remainder); };
    Program program = generate(seed);
    if (!fails(program))
      continue;
    ++found;
    Program least = shrink(program, fails);
    EXPECT_TRUE(fails(least));
    EXPECT_LE(statementCount(least.statements), 2) << sourceOf(least);
    for (std::int64_t extent : least.extents)
      EXPECT_EQ(extent, 1);
  }
}

TEST(Programs, ThatComputeSomethingElseAreSeen) {
  // What the device runs and what is expected differ in one operation.
  Device device = Device::simulator();
  int seen = 0, tried = 0;
  for (std::uint64_t seed = 1; tried < 10; ++seed) {
    Program program = generate(seed);
    Statement *store = nullptr;
    for (Statement &statement : program.statements)
      if (statement.kind == Statement::Kind::Store && !statement.hasMask &&
          isInteger(statement.operands.back().type) && statement.operands.back().op != Op::Number)
        store = &statement;
    if (!store)
      continue;
    ++tried;
    Program other = program;
    std::size_t position = static_cast<std::size_t>(store - program.statements.data());
    Expr &value = other.statements[position].operands.back();
    Expr complement = value;
    complement.op = Op::Complement;
    complement.operands = {value};
    value = complement;
    seen += !disagreement(program, evaluate(other), device).empty();
  }
  // A store behind an early return, or under another one, shows nothing.
  EXPECT_GE(seen, 6);
}

TEST(Elements, OfHalvesAreRoundedOnce) {
  auto bits = [](auto value) { return static_cast<Bits>(value.bits); };
  // 1·(1 + 2^-8) is a tie of bf16; what is added decides, however small.
  Bits one = bits(bf16(1.0f)), tiny = bits(bf16(0x1p-100f));
  Bits a = bits(bf16(1.0f + 0x1p-7f)), b = bits(bf16(0.5f));
  Elements tie = applyFma(ElementType::BFloat16, {one}, {one}, {bits(bf16(0x1p-8f))});
  EXPECT_EQ(tie, Elements{one});
  Elements product = applyFma(ElementType::BFloat16, {a}, {b}, {bits(bf16(0.5f))});
  EXPECT_EQ(product, Elements{one}); // 1 + 2^-8: to even
  Elements above = applyFma(ElementType::BFloat16, {bits(bf16(0x1.02p0f))}, {bits(bf16(0x1.02p0f))},
                            {tiny}); // 1 + 2^-6 + 2^-14
  EXPECT_EQ(above, Elements{bits(bf16(0x1.04p0f))});
  EXPECT_EQ(
      convert(ElementType::BFloat16, ElementType::Int64, {(Bits(1) << 62) + (Bits(1) << 54) + 1}),
      Elements{bits(bf16(0x1.02p62f))});
  EXPECT_EQ(convert(ElementType::BFloat16, ElementType::Int64, {(Bits(1) << 62) + (Bits(1) << 54)}),
            Elements{bits(bf16(0x1p62f))});
}

TEST(Elements, OfIntegersHaveAResultForEachOperand) {
  const ElementType type = ElementType::Int8;
  EXPECT_EQ(applyBinary(Op::Divide, type, {0x80, 7, 0xf9}, {0xff, 0, 2}),
            (Elements{0x80, 0xff, 0xfd}));
  EXPECT_EQ(applyBinary(Op::Remainder, type, {0x80, 7, 0xf9}, {0xff, 0, 2}),
            (Elements{0, 7, 0xff}));
  EXPECT_EQ(applyBinary(Op::CeilDivide, type, {7, 0xf9, 7}, {2, 2, 0}), (Elements{4, 0xfd, 0xff}));
  EXPECT_EQ(applyShift(Op::ShiftRight, type, {0x80, 0x80, 1}, type, {8, 0xff, 0}),
            (Elements{0xff, 0xff, 1}));
  EXPECT_EQ(applyShift(Op::ShiftLeft, type, {1, 1, 1}, type, {7, 8, 0xff}), (Elements{0x80, 0, 0}));
}

} // namespace
} // namespace trowel::programs
