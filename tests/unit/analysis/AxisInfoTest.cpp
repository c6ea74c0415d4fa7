// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Facts at the ops of whole kernels: that each op asks the right rule, that arguments bring their
// promises, and that loops and branches keep what holds on every path.
//
// A kernel names the values it is about by an attribute: `{is = "mask"}`.
#include "compiler/analysis/AxisInfo.h"
#include "dialect/TileDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace mlir;
using trowel::compiler::AxisInfo;
using trowel::tile::AxisFacts;

namespace {

class AxisInfoOf : public testing::Test {
protected:
  AxisInfoOf() {
    DialectRegistry registry;
    registry.insert<trowel::tile::TileDialect, arith::ArithDialect, func::FuncDialect,
                    math::MathDialect, scf::SCFDialect>();
    trowel::tile::registerBuiltinModels(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  void analyse(StringRef body) {
    module = parseSourceString<ModuleOp>(body, &context);
    ASSERT_TRUE(module) << body.str();
    info.emplace(module->getOperation());
  }

  Operation *opCalled(StringRef name) {
    Operation *found = nullptr;
    module->walk([&](Operation *op) {
      if (auto is = op->getAttrOfType<StringAttr>("is"); is && is.getValue() == name)
        found = op;
    });
    EXPECT_TRUE(found) << "no op is called " << name.str();
    return found;
  }

  AxisFacts factsOf(StringRef name) { return info->of(opCalled(name)->getResult(0)); }

  void expect(StringRef name, ArrayRef<int64_t> contiguity, ArrayRef<int64_t> divisibility,
              ArrayRef<int64_t> constancy) {
    AxisFacts facts = factsOf(name);
    EXPECT_EQ(ArrayRef<int64_t>(facts.contiguity), contiguity) << name.str();
    EXPECT_EQ(ArrayRef<int64_t>(facts.divisibility), divisibility) << name.str();
    EXPECT_EQ(ArrayRef<int64_t>(facts.constancy), constancy) << name.str();
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  std::optional<AxisInfo> info;
};

TEST_F(AxisInfoOf, VectorAddProvesItsAccessesWide) {
  analyse(R"(
    func.func @add(%x: !tile.ptr<f32> {tile.divisibility = 16 : i64},
                   %n: i64 {tile.divisibility = 16 : i64}) attributes {tile.kernel} {
      %pid = tile.program_id 0 : i64
      %block = arith.constant 1024 : i64
      %start = arith.muli %pid, %block {is = "start"} : i64
      %lane = tile.iota : tensor<1024xi32>
      %wide = arith.extsi %lane : tensor<1024xi32> to tensor<1024xi64>
      %starts = tile.splat %start : i64 -> tensor<1024xi64>
      %i = arith.addi %starts, %wide {is = "index"} : tensor<1024xi64>
      %ns = tile.splat %n : i64 -> tensor<1024xi64>
      %mask = arith.cmpi slt, %i, %ns {is = "mask"} : tensor<1024xi64>
      %xs = tile.splat %x : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
      %p = tile.ptr_add %xs, %i {is = "pointer"} : tensor<1024x!tile.ptr<f32>>, tensor<1024xi64>
      %v = tile.load %p mask %mask {is = "value"} : tensor<1024x!tile.ptr<f32>>
      tile.store %p, %v mask %mask : tensor<1024x!tile.ptr<f32>>
      return
    })");
  expect("start", {1}, {1024}, {1});
  expect("index", {1024}, {1024}, {1});
  expect("mask", {1}, {1}, {16});
  expect("pointer", {1024}, {16}, {1});
  expect("value", {1}, {1}, {1});
  EXPECT_EQ(factsOf("pointer").step, 4);
  EXPECT_EQ(factsOf("index").minimum, 0);
}

TEST_F(AxisInfoOf, RowsAndColumnsOfAMatrix) {
  analyse(R"(
    func.func @matrix(%x: !tile.ptr<bf16> {tile.divisibility = 16 : i64},
                      %stride: i64 {tile.divisibility = 16 : i64}) attributes {tile.kernel} {
      %r = tile.iota : tensor<32xi32>
      %c = tile.iota : tensor<64xi32>
      %r1 = tile.expand %r axis 1 : tensor<32xi32> -> tensor<32x1xi32>
      %c1 = tile.expand %c axis 0 : tensor<64xi32> -> tensor<1x64xi32>
      %r2 = tile.broadcast %r1 {is = "rows"} : tensor<32x1xi32> -> tensor<32x64xi32>
      %c2 = tile.broadcast %c1 {is = "columns"} : tensor<1x64xi32> -> tensor<32x64xi32>
      %r3 = arith.extsi %r2 : tensor<32x64xi32> to tensor<32x64xi64>
      %c3 = arith.extsi %c2 : tensor<32x64xi32> to tensor<32x64xi64>
      %s = tile.splat %stride : i64 -> tensor<32x64xi64>
      %rs = arith.muli %r3, %s : tensor<32x64xi64>
      %o = arith.addi %rs, %c3 : tensor<32x64xi64>
      %xs = tile.splat %x : !tile.ptr<bf16> -> tensor<32x64x!tile.ptr<bf16>>
      %p = tile.ptr_add %xs, %o {is = "pointer"} : tensor<32x64x!tile.ptr<bf16>>, tensor<32x64xi64>
      return
    })");
  AxisFacts rows = factsOf("rows"), columns = factsOf("columns"), pointer = factsOf("pointer");
  EXPECT_EQ(rows.contiguity[0], 32);
  EXPECT_EQ(rows.constancy[1], 64);
  EXPECT_EQ(columns.constancy[0], 32);
  EXPECT_EQ(columns.contiguity[1], 64);
  EXPECT_EQ(pointer.contiguity[0], 1);
  EXPECT_EQ(pointer.contiguity[1], 64);
  EXPECT_EQ(pointer.divisibility[1], 16);
}

TEST_F(AxisInfoOf, ArgumentsBringTheirAttributes) {
  analyse(R"(
    func.func @arguments(%a: i64 {tile.divisibility = 48 : i64}, %b: i64 {tile.value = 7 : i64},
                         %c: i64 {tile.fits32}, %d: !tile.ptr<i32>) attributes {tile.kernel} {
      %zero = arith.constant {is = "zero"} 0 : i64
      %a1 = arith.addi %a, %zero {is = "a"} : i64
      %b1 = arith.addi %b, %zero {is = "b"} : i64
      %c1 = arith.addi %c, %zero {is = "c"} : i64
      %d1 = tile.ptr_add %d, %zero {is = "d"} : !tile.ptr<i32>, i64
      return
    })");
  expect("a", {1}, {16}, {1});
  EXPECT_EQ(factsOf("b").constant(), 7);
  EXPECT_EQ(factsOf("c").maximum, 2147483647);
  expect("d", {1}, {1}, {1});
  EXPECT_EQ(factsOf("d").step, 4);
}

TEST_F(AxisInfoOf, EachArithmeticOpAsksItsRule) {
  analyse(R"(
    func.func @ops(%x: tensor<64xi32>, %cond: i1) attributes {tile.kernel} {
      %i = tile.iota : tensor<64xi32>
      %c8 = arith.constant dense<8> : tensor<64xi32>
      %c7 = arith.constant dense<7> : tensor<64xi32>
      %neg = arith.subi %c8, %i {is = "descending"} : tensor<64xi32>
      %sub = arith.subi %i, %c8 {is = "sub"} : tensor<64xi32>
      %div = tile.div %i, %c8 {is = "div"} : tensor<64xi32>
      %rem = tile.rem %i, %c8 {is = "rem"} : tensor<64xi32>
      %and = arith.andi %i, %c7 {is = "and"} : tensor<64xi32>
      %or = arith.ori %and, %c8 {is = "or"} : tensor<64xi32>
      %xor = arith.xori %i, %c8 {is = "xor"} : tensor<64xi32>
      %min = arith.minsi %i, %c8 {is = "min"} : tensor<64xi32>
      %max = arith.maxsi %sub, %c8 {is = "max"} : tensor<64xi32>
      %abs = math.absi %sub {is = "abs"} : tensor<64xi32>
      %narrow = arith.trunci %i {is = "narrow"} : tensor<64xi32> to tensor<64xi8>
      %wide = arith.extui %i {is = "wide"} : tensor<64xi32> to tensor<64xi64>
      %select = arith.select %cond, %i, %sub {is = "select"} : tensor<64xi32>
      %ule = arith.cmpi ule, %i, %c7 {is = "ule"} : tensor<64xi32>
      %chosen = arith.select %ule, %i, %sub {is = "chosen"} : tensor<64xi1>, tensor<64xi32>
      %list = arith.constant {is = "list"} dense<[4, 5, 6, 7]> : tensor<4xi32>
      %unknown = arith.addi %x, %x {is = "unknown"} : tensor<64xi32>
      %true = arith.constant {is = "true"} true
      return
    })");
  constexpr int64_t any = AxisFacts::maxDivisibility;
  expect("descending", {1}, {1}, {1});
  expect("sub", {64}, {8}, {1});
  expect("div", {1}, {1}, {8});
  expect("rem", {8}, {8}, {1});
  expect("and", {8}, {8}, {1});
  expect("or", {8}, {8}, {1});
  expect("xor", {8}, {8}, {1});
  expect("min", {1}, {1}, {1});
  EXPECT_EQ(factsOf("min").maximum, 8);
  EXPECT_EQ(factsOf("max").minimum, 8);
  EXPECT_EQ(factsOf("abs").maximum, 55);
  expect("narrow", {64}, {any}, {1});
  expect("wide", {64}, {any}, {1});
  expect("select", {64}, {8}, {1});
  expect("ule", {1}, {1}, {8});
  expect("chosen", {8}, {8}, {1});
  expect("list", {4}, {4}, {1});
  EXPECT_EQ(factsOf("list").maximum, 7);
  expect("unknown", {1}, {1}, {1});
  EXPECT_EQ(factsOf("true").constant(), -1);
}

TEST_F(AxisInfoOf, ALoopKeepsWhatEachIterationKeeps) {
  analyse(R"(
    func.func @loop(%x: !tile.ptr<f32> {tile.divisibility = 16 : i64}, %n: i64) attributes {tile.kernel} {
      %zero = arith.constant 0 : i64
      %step = arith.constant 64 : i64
      %one = arith.constant 1 : i64
      %i = tile.iota : tensor<64xi32>
      %xs = tile.splat %x : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
      %p0 = tile.ptr_add %xs, %i : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
      %r:3 = scf.for %k = %zero to %n step %step iter_args(%p = %p0, %q = %p0, %count = %zero)
          -> (tensor<64x!tile.ptr<f32>>, tensor<64x!tile.ptr<f32>>, i64) : i64 {
        %k1 = arith.addi %k, %zero {is = "variable"} : i64
        %next = arith.constant dense<64> : tensor<64xi64>
        %odd = arith.constant dense<1> : tensor<64xi64>
        %p1 = tile.ptr_add %p, %next {is = "aligned"} : tensor<64x!tile.ptr<f32>>, tensor<64xi64>
        %q1 = tile.ptr_add %q, %odd {is = "odd"} : tensor<64x!tile.ptr<f32>>, tensor<64xi64>
        %count1 = arith.addi %count, %one {is = "count"} : i64
        scf.yield %p1, %q1, %count1 : tensor<64x!tile.ptr<f32>>, tensor<64x!tile.ptr<f32>>, i64
      }
      %after = arith.addi %r#2, %zero {is = "after"} : i64
      return
    })");
  expect("variable", {1}, {64}, {1});
  expect("aligned", {64}, {16}, {1});
  expect("odd", {64}, {4}, {1});
  expect("count", {1}, {1}, {1});
  expect("after", {1}, {1}, {1});
  EXPECT_FALSE(factsOf("after").constant());
}

TEST_F(AxisInfoOf, InductionVariableLiesBetweenItsBounds) {
  analyse(R"(
    func.func @loop(%n: i32) attributes {tile.kernel} {
      %lower = arith.constant 8 : i32
      %upper = arith.constant 100 : i32
      %step = arith.constant 4 : i32
      %one = arith.constant 1 : i32
      scf.for %k = %lower to %upper step %step : i32 {
        %k1 = arith.subi %k, %one {is = "bounded"} : i32
      }
      scf.for %k = %lower to %n step %step : i32 {
        %k1 = arith.subi %k, %one {is = "free"} : i32
      }
      scf.for unsigned %k = %lower to %upper step %step : i32 {
        %k1 = arith.subi %k, %one {is = "unsigned"} : i32
      }
      return
    })");
  EXPECT_EQ(factsOf("bounded").minimum, 7);
  EXPECT_EQ(factsOf("bounded").maximum, 95); // the variable is a multiple of 4
  // Nearly 2^31 as upper bound: the last step wraps.
  EXPECT_LT(factsOf("free").minimum, -2147483648ll);
  EXPECT_LT(factsOf("unsigned").minimum, -2147483648ll);
}

TEST_F(AxisInfoOf, BranchesMeet) {
  analyse(R"(
    func.func @branches(%cond: i1) attributes {tile.kernel} {
      %zero = arith.constant 0 : i32
      %r:2 = scf.if %cond -> (i32, i32) {
        %a = arith.constant 32 : i32
        %b = arith.constant 5 : i32
        scf.yield %a, %b : i32, i32
      } else {
        %a = arith.constant 48 : i32
        %b = arith.constant 5 : i32
        scf.yield %a, %b : i32, i32
      }
      %a1 = arith.addi %r#0, %zero {is = "a"} : i32
      %b1 = arith.addi %r#1, %zero {is = "b"} : i32
      return
    })");
  expect("a", {1}, {16}, {1});
  EXPECT_EQ(factsOf("a").constant(), std::nullopt);
  EXPECT_EQ(factsOf("b").constant(), 5);
}

TEST_F(AxisInfoOf, AFunctionAloneIsAnalysedToo) {
  analyse(R"(
    func.func @f(%n: i64 {tile.divisibility = 32 : i64}) attributes {tile.kernel} {
      %m = arith.addi %n, %n {is = "sum"} : i64
      return
    })");
  AxisInfo ofFunction(*module->getOps<func::FuncOp>().begin());
  EXPECT_EQ(ofFunction.of(opCalled("sum")->getResult(0)).divisibility[0], 32);
}

TEST_F(AxisInfoOf, ScalarsOfRankZeroAndOneElementTiles) {
  analyse(R"(
    func.func @small(%n: i64 {tile.divisibility = 8 : i64}) attributes {tile.kernel} {
      %s = tile.splat %n {is = "scalar"} : i64 -> tensor<i64>
      %e = tile.expand %s axis 0 {is = "expanded"} : tensor<i64> -> tensor<1xi64>
      %b = tile.broadcast %e {is = "row"} : tensor<1xi64> -> tensor<16xi64>
      return
    })");
  expect("scalar", {1}, {8}, {1});
  expect("expanded", {1}, {8}, {1});
  expect("row", {1}, {8}, {16});
}

TEST_F(AxisInfoOf, HintsCountUnlessTheyAreIgnored) {
  analyse(R"(
    func.func @hints(%n: i64, %p: !tile.ptr<f32>) attributes {tile.kernel} {
      %m = tile.multiple_of %n, 24 {is = "multiple"} : i64
      %k = tile.known %m multiple 16 from 0 to 100 {is = "known"} : i64
      %q = tile.multiple_of %p, 16 {is = "pointer"} : !tile.ptr<f32>
      return
    })");
  expect("multiple", {1}, {8}, {1});
  expect("known", {1}, {16}, {1});
  EXPECT_EQ(factsOf("known").maximum, 96);
  expect("pointer", {1}, {16}, {1});
  info.emplace(module->getOperation(), AxisInfo::Hints::Ignored);
  expect("multiple", {1}, {1}, {1});
  expect("known", {1}, {1}, {1});
  EXPECT_EQ(factsOf("known").minimum, std::numeric_limits<int64_t>::min());
  expect("pointer", {1}, {1}, {1});
}

} // namespace
