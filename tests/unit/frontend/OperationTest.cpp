// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which op each word of the language becomes, for each kind of element.
#include "tests/unit/frontend/Traced.h"

#include <cmath>

namespace trowel::test {
namespace {

using Ops = std::vector<std::string>;

/// The last op before the return of a kernel.
template <class Lambda> std::string lastOp(Lambda lambda) {
  Ops ops = opsOf(traceOf(lambda));
  return ops.size() < 2 ? "" : ops[ops.size() - 2];
}
/// The op that a function of two tiles of T becomes.
template <class T, class F> std::string opOn(F function) {
  return lastOp([=](Scalar<T> a, Scalar<T> b) { function(a, b); });
}
/// The whole line of that op.
template <class T, class F> std::string lineOn(F function) {
  std::string text = tracedText([=](Scalar<T> a, Scalar<T> b) { function(a, b); });
  std::size_t end = text.find("\n    return");
  return text.substr(text.rfind('\n', end - 1) + 1, end - text.rfind('\n', end - 1) - 1);
}

TEST(Operation, ArithmeticOfIntegersWraps) {
  EXPECT_EQ(opOn<int32>([](auto a, auto b) { return a + b; }), "arith.addi");
  EXPECT_EQ(opOn<int32>([](auto a, auto b) { return a - b; }), "arith.subi");
  EXPECT_EQ(opOn<int64>([](auto a, auto b) { return a * b; }), "arith.muli");
  EXPECT_EQ(lineOn<int32>([](auto a, auto b) { return a + b; }).find("overflow"),
            std::string::npos);
  EXPECT_EQ(opOn<int32>([](auto a, auto b) { return -a; }), "arith.subi");
}

TEST(Operation, DivisionOfIntegersIsTheLanguagesOwn) {
  EXPECT_EQ(opOn<int32>([](auto a, auto b) { return a / b; }), "tile.div");
  EXPECT_EQ(opOn<int64>([](auto a, auto b) { return a % b; }), "tile.rem");
  EXPECT_EQ(opOn<float>([](auto a, auto b) { return a / b; }), "arith.divf");
}

TEST(Operation, MinAndMaxPropagateNaNAndFminAndFmaxIgnoreIt) {
  EXPECT_EQ(opOn<float>([](auto a, auto b) { return min(a, b); }), "arith.minimumf");
  EXPECT_EQ(opOn<bf16>([](auto a, auto b) { return max(a, b); }), "arith.maximumf");
  EXPECT_EQ(opOn<float>([](auto a, auto b) { return fmin(a, b); }), "arith.minnumf");
  EXPECT_EQ(opOn<float>([](auto a, auto b) { return fmax(a, b); }), "arith.maxnumf");
  EXPECT_EQ(opOn<int32>([](auto a, auto b) { return min(a, b); }), "arith.minsi");
  EXPECT_EQ(opOn<int64>([](auto a, auto b) { return max(a, b); }), "arith.maxsi");
  EXPECT_EQ(opOn<bool>([](auto a, auto b) { return min(a, b); }), "arith.andi");
  EXPECT_EQ(opOn<bool>([](auto a, auto b) { return max(a, b); }), "arith.ori");
}

TEST(Operation, BoolsAreComparedAsZeroAndOne) {
  auto less = [](auto a, auto b) { return a < b; };
  EXPECT_NE(lineOn<bool>(less).find("arith.cmpi ult"), std::string::npos);
  EXPECT_NE(lineOn<int32>(less).find("arith.cmpi slt"), std::string::npos);
  EXPECT_NE(lineOn<float>(less).find("arith.cmpf olt"), std::string::npos);
}

TEST(Operation, ANaNDiffersFromItselfAndIsInNoOrder) {
  EXPECT_NE(lineOn<float>([](auto a, auto b) { return a != b; }).find("cmpf une"),
            std::string::npos);
  EXPECT_NE(lineOn<float>([](auto a, auto b) { return a == b; }).find("cmpf oeq"),
            std::string::npos);
  EXPECT_NE(lineOn<float>([](auto a, auto b) { return a >= b; }).find("cmpf oge"),
            std::string::npos);
}

TEST(Operation, FunctionsAreOpsOfTheDialectOrExactOnes) {
  EXPECT_EQ(opOn<float>([](auto a, auto b) { return exp(a); }), "tile.exp");
  EXPECT_EQ(opOn<bf16>([](auto a, auto b) { return tanh(a); }), "tile.tanh");
  EXPECT_EQ(opOn<float>([](auto a, auto b) { return sqrt(a); }), "math.sqrt");
  EXPECT_EQ(opOn<bf16>([](auto a, auto b) { return exact(a); }), "tile.exact");
  EXPECT_EQ(opOn<float>([](auto a, auto b) { return abs(a); }), "math.absf");
  EXPECT_EQ(opOn<int32>([](auto a, auto b) { return abs(a); }), "math.absi");
  EXPECT_EQ(opOn<float>([](auto a, auto b) { return fma(a, b, a); }), "math.fma");
  EXPECT_EQ(opOn<float>([](auto a, auto b) { return -a; }), "arith.negf");
  EXPECT_EQ(opOn<float>([](auto a, auto b) { return where(a < b, a, b); }), "arith.select");
}

TEST(Operation, AScalarTakesASumWithAnIndex) {
  std::string text = tracedText([](Ptr<int64> x, Index n) {
    Scalar<int64> sum = load(x);
    sum += n;
    sum *= n;
    store(x, sum);
  });
  EXPECT_EQ(count(text, "arith.addi"), 1);
  EXPECT_EQ(count(text, "arith.muli"), 1);
}

TEST(Operation, CastsAreTotal) {
  EXPECT_EQ(opOn<float>([](auto a, auto b) { return cast<int32>(a); }), "tile.fp_to_int");
  EXPECT_EQ(opOn<float>([](auto a, auto b) { return cast<bf16>(a); }), "arith.truncf");
  EXPECT_EQ(opOn<bf16>([](auto a, auto b) { return cast<float>(a); }), "arith.extf");
  EXPECT_EQ(opOn<int32>([](auto a, auto b) { return cast<bf16>(a); }), "arith.sitofp");
  EXPECT_EQ(opOn<bool>([](auto a, auto b) { return cast<float>(a); }), "arith.uitofp");
  EXPECT_EQ(opOn<bool>([](auto a, auto b) { return cast<int64>(a); }), "arith.extui");
  EXPECT_EQ(opOn<int64>([](auto a, auto b) { return cast<int32>(a); }), "arith.trunci");
  EXPECT_EQ(opOn<int32>([](auto a, auto b) { return cast<int64>(a); }), "arith.extsi");
  EXPECT_NE(lineOn<float>([](auto a, auto b) { return cast<bool>(a); }).find("cmpf une"),
            std::string::npos);
  EXPECT_NE(lineOn<int32>([](auto a, auto b) { return cast<bool>(a); }).find("cmpi ne"),
            std::string::npos);
}

TEST(Operation, OpsReadUnsignedIntegersAsSuch) {
  EXPECT_EQ(opOn<uint8>([](auto a, auto b) { return a / b; }), "tile.div_u");
  EXPECT_EQ(opOn<uint64>([](auto a, auto b) { return a % b; }), "tile.rem_u");
  EXPECT_EQ(opOn<uint16>([](auto a, auto b) { return min(a, b); }), "arith.minui");
  EXPECT_EQ(opOn<uint32>([](auto a, auto b) { return max(a, b); }), "arith.maxui");
  EXPECT_EQ(opOn<uint32>([](auto a, auto b) { return cast<int64>(a); }), "arith.extui");
  EXPECT_EQ(opOn<uint32>([](auto a, auto b) { return cast<f16>(a); }), "arith.uitofp");
  EXPECT_EQ(opOn<double>([](auto a, auto b) { return cast<uint16>(a); }), "tile.fp_to_int_u");
  EXPECT_NE(lineOn<uint8>([](auto a, auto b) { return a < b; }).find("cmpi ult"),
            std::string::npos);
  // Between two kinds of one width, nothing happens to the bits.
  EXPECT_EQ(opOn<uint32>([](auto a, auto b) { return cast<int32>(a); }), "");
  EXPECT_EQ(opOn<uint32>([](auto a, auto b) { return abs(a); }), "");
}

TEST(Operation, ShiftsFollowTheLeftSidesType) {
  EXPECT_EQ(opOn<int32>([](auto a, auto b) { return a << b; }), "tile.shl");
  EXPECT_EQ(opOn<int32>([](auto a, auto b) { return a >> b; }), "tile.shr");
  EXPECT_EQ(opOn<uint32>([](auto a, auto b) { return a >> b; }), "tile.shr_u");
  EXPECT_EQ(opOn<uint8>([](auto a, auto b) { return ~a; }), "arith.xori");
  EXPECT_IN_ORDER(tracedText([](Scalar<uint8> a, Scalar<int64> n) { Scalar<uint8> b = a >> n; }),
                  "arith.constant 8 : i64", "arith.minui", "arith.trunci %0 : i64 to i8",
                  "tile.shr_u");
  EXPECT_IN_ORDER(tracedText([](Scalar<int64> a, Scalar<int8> n) { Scalar<int64> b = a << n; }),
                  "arith.extsi %arg1 : i8 to i64", "tile.shl");
}

TEST(Operation, ABitcastOfEqualTypesIsNone) {
  EXPECT_EQ(opOn<float>([](auto a, auto b) { return bitcast<uint32>(a); }), "arith.bitcast");
  EXPECT_EQ(opOn<uint32>([](auto a, auto b) { return bitcast<int32>(a); }), "");
}

TEST(Operation, OffsetsAreExtendedByTheirKind) {
  EXPECT_IN_ORDER(tracedText([](Ptr<float> x, Scalar<uint8> i) { store(x + i, 1.0f); }),
                  "arith.extui %arg1 : i8 to i32", "tile.ptr_add %arg0, %0 : !tile.ptr<f32>, i32");
  EXPECT_IN_ORDER(tracedText([](Ptr<float> x, Scalar<int16> i) { store(x + i, 1.0f); }),
                  "arith.extsi %arg1 : i16 to i32");
  EXPECT_IN_ORDER(tracedText([](Ptr<float> x, Scalar<uint32> i) { store(x + i, 1.0f); }),
                  "arith.extui %arg1 : i32 to i64", "tile.ptr_add %arg0, %0 : !tile.ptr<f32>, i64");
}

TEST(Operation, ArgumentsRememberThatTheyAreUnsigned) {
  EXPECT_IN_ORDER(tracedText([](Ptr<uint8> x, Scalar<uint32> n, Scalar<int32> m) { store(x, 1); }),
                  "!tile.ptr<i8>", "tile.unsigned", "%arg1: i32", "tile.unsigned", "%arg2: i32",
                  "tile.name = \"arg2\"}");
}

TEST(Operation, LogicWithABoolOfTheHostNeedsNoOp) {
  EXPECT_EQ(opsOf(traceOf([](Scalar<bool> a) {
              Scalar<bool> same = a && true;
              Scalar<bool> alsoSame = a || false;
            })),
            Ops{"func.return"});
  EXPECT_NE(lineOn<bool>([](auto a, auto b) { return a && false; }).find("false"),
            std::string::npos);
  EXPECT_NE(lineOn<bool>([](auto a, auto b) { return a || true; }).find("true"), std::string::npos);
}

TEST(Operation, SubtractingAnOffsetNegatesItInSixtyFourBits) {
  EXPECT_IN_ORDER(tracedText([](Ptr<float> x, Scalar<int32> i) { store(x - i, 1.0f); }),
                  "arith.extsi %arg1 : i32 to i64", "arith.subi %c0_i64, %0 : i64",
                  "tile.ptr_add %arg0, %1 : !tile.ptr<f32>, i64");
}

TEST(Operation, NarrowOffsetsStayNarrow) {
  EXPECT_IN_ORDER(tracedText([](Ptr<float> x, Scalar<int32> i) { store(x + i, 1.0f); }),
                  "tile.ptr_add %arg0, %arg1 : !tile.ptr<f32>, i32");
}

TEST(Operation, ShapesBroadcastAsInNumPy) {
  std::string text = tracedText([](Ptr<float> x) {
    Tile<int32> rows = expand(iota(4), Axis{1}), cols = iota(8);
    Tile<Ptr<float>> p = x + rows * 8 + cols;
    store(p, load(x + cols));
  });
  EXPECT_IN_ORDER(text, "tile.expand %1 axis 1 : tensor<4xi32> -> tensor<4x1xi32>",
                  "dense<8> : tensor<4x1xi32>", "tile.broadcast",
                  "tensor<4x1x!tile.ptr<f32>> -> tensor<4x8x!tile.ptr<f32>>",
                  "tile.expand %6 axis 0 : tensor<8xi32> -> tensor<1x8xi32>",
                  "tensor<1x8xi32> -> tensor<4x8xi32>", "tile.ptr_add");
  EXPECT_IN_ORDER(text, "tile.load", "tensor<8xf32> -> tensor<1x8xf32>",
                  "tensor<1x8xf32> -> tensor<4x8xf32>", "tile.store");
}

TEST(Operation, NegativeAxesCountFromTheEnd) {
  traceOf([](Ptr<float> x) {
    Tile<int32> row = expand(iota(8), Axis{-1});
    EXPECT_EQ(row.rank(), 2);
    EXPECT_EQ(row.extent(Axis{0}), 8);
    EXPECT_EQ(row.extent(Axis{-1}), 1);
    EXPECT_EQ(expand(iota(8), Axis{-2}).extent(Axis{0}), 1);
  });
}

TEST(Operation, AMaskOfTheHostIsNoMaskOrNoAccess) {
  EXPECT_EQ(count(tracedText([](Ptr<float> x) { store(x, load(x, true, 3.0f), true); }), "mask"),
            0);
  EXPECT_EQ(count(tracedText([](Ptr<float> x) { store(x, load(x, false, 3.0f), false); }), "mask"),
            2);
}

TEST(Operation, AFillTakesThePointersType) {
  EXPECT_IN_ORDER(tracedText([](Ptr<bf16> x, Scalar<bool> m) { store(x, load(x, m, -INFINITY)); }),
                  "arith.constant 0xFF80 : bf16", "tile.load %arg0 mask %arg1 fill %cst");
  EXPECT_IN_ORDER(tracedText([](Ptr<int64> x, Scalar<bool> m) { store(x, load(x, m, 7)); }),
                  "arith.constant 7 : i64");
  EXPECT_IN_ORDER(tracedText([](Ptr<bool> x, Scalar<bool> m) { store(x, load(x, m, true)); }),
                  "arith.constant true");
}

TEST(Operation, NumbersOfTheHostAreRoundedOnceStraightToTheType) {
  // 2^60 + 2^52 lies just above the middle of two bf16 neighbours of 2^60 and, taken through float,
  // exactly in the middle, from where it would go to the even one below.
  static constexpr std::int64_t aboveMiddle = (std::int64_t{1} << 60) + (std::int64_t{1} << 52) + 1;
  EXPECT_IN_ORDER(tracedText([](Scalar<bf16> x) { Scalar<bf16> y = x + aboveMiddle; }),
                  "arith.constant 1.161930e+18 : bf16");
  EXPECT_IN_ORDER(tracedText([](Scalar<float> x) { Scalar<float> y = x + 16777217; }),
                  "arith.constant 0x4B800000 : f32");
  EXPECT_IN_ORDER(tracedText([](Scalar<float> x) { Scalar<float> y = x + 0.1; }),
                  "arith.constant 1.000000e-01 : f32");
  EXPECT_IN_ORDER(tracedText([](Scalar<int64> x) { Scalar<int64> y = x + INT64_MIN; }),
                  "arith.constant -9223372036854775808 : i64");
  EXPECT_IN_ORDER(tracedText([](Scalar<float> x) { Scalar<float> y = x + UINT64_MAX; }),
                  "arith.constant 1.84467441E+19 : f32");
}

TEST(Operation, ScalarsAndIndicesAreMadeOfNumbersOfTheHost) {
  EXPECT_IN_ORDER(tracedText([](Ptr<float> x, Ptr<const int32> starts) {
                    Index i = 3;
                    Scalar<float> s = 2;
                    Index start = load(starts + i);
                    i += 1;
                    store(x + start + i, s);
                  }),
                  "arith.constant 3 : i64", "tile.load", "arith.extsi", "arith.addi",
                  "arith.constant 2.000000e+00 : f32", "tile.store");
}

} // namespace
} // namespace trowel::test
