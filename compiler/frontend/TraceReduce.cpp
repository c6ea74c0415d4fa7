// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions and scans: one op each, whose region says how two elements become one.
//
// The region of a sum or a maximum is one op, made here. A user's function is traced into a block
// of its own, as a branch is: what it reads from outside it simply uses, what it makes is gone
// afterwards. It stands for every meeting of two elements, in an order that nobody promises, so it
// must not do anything but compute: assigning to variables from outside, memory, prints and early
// returns are refused.
//
// Without an axis a tile of several axes is reduced along one after the other, the last one first,
// where neighbours lie in memory.

#include "compiler/frontend/TraceOperands.h"

#include "dialect/TileDialect.h"
#include "trowel/Reduce.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <fmt/format.h>

using namespace mlir;

namespace trowel::detail {

using namespace compiler;

namespace {

/// How users spell a combination, and which operation of two elements it is.
struct CombinationRow {
  const char *reduction, *scan;
  BinaryOp op;
};
// In the order of Combination.
constexpr CombinationRow combinationRows[] = {
    {"sum", "cumsum", BinaryOp::Add},    {"product", "cumprod", BinaryOp::Multiply},
    {"max", nullptr, BinaryOp::Maximum}, {"min", nullptr, BinaryOp::Minimum},
    {"xorSum", nullptr, BinaryOp::Xor},
};

/// Makes the region of an op from its operands.
using FillRegion = llvm::function_ref<void(Region &)>;

/// The axis, counted from the front; refused where the tile lacks it.
int axisOf(Trace &trace, const Site &site, Axis axis, mlir::Value tile) {
  int axes = static_cast<int>(tile::extentsOf(tile.getType()).size());
  if (axes == 0)
    trace.fail(site, fmt::format("Axis{{{}}} of a single number: it has no axes", axis.index));
  return checkedAxis(trace, site, axis, axes, tile);
}

/// Refuses tiles of several shapes.
void checkShapes(Trace &trace, const Site &site, ArrayRef<mlir::Value> tiles) {
  for (mlir::Value tile : tiles)
    if (tile::extentsOf(tile.getType()) != tile::extentsOf(tiles[0].getType()))
      trace.fail(site, fmt::format("the tiles have the shapes {} and {}: what is combined together "
                                   "has one shape",
                                   spellShape(tile::extentsOf(tiles[0].getType())),
                                   spellShape(tile::extentsOf(tile.getType()))));
}

SmallVector<mlir::Value> reduceAlong(Trace &trace, const Site &site, ArrayRef<mlir::Value> tiles,
                                     int axis, FillRegion fill) {
  OpBuilder &builder = trace.builder();
  SmallVector<Type> types;
  for (mlir::Value tile : tiles) {
    SmallVector<std::int64_t> extents(tile::extentsOf(tile.getType()));
    extents.erase(extents.begin() + axis);
    Type element = tile::elementTypeOf(tile.getType());
    types.push_back(extents.empty() ? element : RankedTensorType::get(extents, element));
  }
  auto op = tile::ReduceOp::create(builder, trace.location(site.at), types, tiles, axis);
  fill(op.getCombine());
  return SmallVector<mlir::Value>(op.getResults());
}

/// Reduces along an axis, or along all of them.
SmallVector<mlir::Value> reduceTiles(Trace &trace, const Site &site, ArrayRef<mlir::Value> tiles,
                                     const Axis *axis, FillRegion fill) {
  checkShapes(trace, site, tiles);
  if (axis) {
    int position = axisOf(trace, site, *axis, tiles[0]);
    if (tile::extentsOf(tiles[0].getType()).size() == 1)
      trace.fail(site, fmt::format("the tile of shape {} has one axis, so along it there is one "
                                   "number: leave the axis out, {}(x), which gives a Scalar",
                                   spellShape(tile::extentsOf(tiles[0].getType())), site.name));
    return reduceAlong(trace, site, tiles, position, fill);
  }
  SmallVector<mlir::Value> values(tiles);
  while (std::size_t axes = tile::extentsOf(values[0].getType()).size())
    values = reduceAlong(trace, site, values, static_cast<int>(axes) - 1, fill);
  return values;
}

SmallVector<mlir::Value> scanTiles(Trace &trace, const Site &site, ArrayRef<mlir::Value> tiles,
                                   Axis axis, Direction direction, FillRegion fill) {
  checkShapes(trace, site, tiles);
  int position = axisOf(trace, site, axis, tiles[0]);
  SmallVector<Type> types;
  for (mlir::Value tile : tiles)
    types.push_back(tile.getType());
  auto op = tile::ScanOp::create(trace.builder(), trace.location(site.at), types, tiles, position,
                                 direction == Direction::reverse);
  fill(op.getCombine());
  return SmallVector<mlir::Value>(op.getResults());
}

/// A user's function, traced once; copies of its block fill regions.
class TracedCombine {
public:
  TracedCombine(Trace &trace, const Site &site, const CombineCallback &combine,
                ArrayRef<mlir::Value> tiles) {
    Location at = trace.location(site.at);
    Block *body = trace.open({Construct::Kind::Combine, site.at});
    std::uint32_t scope = trace.variables().innermost();
    SmallVector<Value> elements, results(tiles.size());
    SmallVector<mlir::Value> yielded;
    for (int side = 0; side < 2; ++side)
      for (mlir::Value tile : tiles)
        elements.push_back(
            trace.record(body->addArgument(tile::elementTypeOf(tile.getType()), at)));
    try {
      combine.call(combine.object, elements.data(), results.data());
    } catch (...) {
      trace.spoil(site.at, "a combining function was left by an exception, which the kernel has "
                           "caught: catch it inside the function, or outside the kernel");
      throw;
    }
    trace.settle();
    if (trace.variables().innermost() != scope)
      trace.spoil(site.at, "a loop of the combining function is left from inside");
    trace.throwIfSpoiled();
    for (Value result : results)
      yielded.push_back(trace.read(result, site));
    checkBody(trace, site, *body);
    tile::YieldOp::create(trace.builder(), at, yielded);
    scope_ = trace.close();
    if (!scope_.assignments.empty())
      trace.fail(site, "the combining function assigns to a variable from outside: it stands for "
                       "every meeting of two elements, in any order, so it may only return what "
                       "the two are together");
  }

  void fill(Region &region) {
    IRMapping mapping;
    scope_.region->cloneInto(&region, mapping);
  }

private:
  static void checkBody(Trace &trace, const Site &site, Block &body) {
    body.walk([&](Operation *op) {
      bool makesTile = llvm::any_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>);
      if (makesTile)
        trace.fail(site, "the combining function makes a tile: it gets two elements, and computes "
                         "with scalars");
      if (!op->hasTrait<OpTrait::IsTerminator>() && !isMemoryEffectFree(op))
        trace.fail(site, "the combining function loads, stores, prints or returns early: it stands "
                         "for every meeting of two elements, and may only compute");
    });
  }

  ClosedScope scope_;
};

/// Combines a tile by one op. `combineTiles(trace, values, fill)` makes the results.
template <class CombineTiles>
Value combineByOp(const Site &site, BinaryOp op, ElementType type, Operand tile,
                  CombineTiles combineTiles) {
  Trace &trace = Trace::current(site);
  Operands operands(trace, site);
  OpBuilder &builder = operands.builder;
  Location at = operands.at;
  mlir::Value value = operands.numeric(tile, type);
  Type element = tile::elementTypeOf(value.getType());
  auto fill = [&](Region &region) {
    OpBuilder::InsertionGuard guard(builder);
    Block *body = builder.createBlock(&region, region.end(), {element, element}, {at, at});
    tile::YieldOp::create(
        builder, at, makeBinary(op, type, builder, at, body->getArgument(0), body->getArgument(1)));
  };
  return trace.record(combineTiles(trace, ArrayRef(value), fill)[0]);
}

/// Combines several tiles by a user's function.
template <class CombineTiles>
void combineByFunction(const Site &site, const CombineCallback &combine, const Value *tiles,
                       Value *results, int count, CombineTiles combineTiles) {
  Trace &trace = Trace::current(site);
  SmallVector<mlir::Value> values;
  for (int i = 0; i < count; ++i)
    values.push_back(trace.read(tiles[i], site));
  TracedCombine traced(trace, site, combine, values);
  SmallVector<mlir::Value> made =
      combineTiles(trace, ArrayRef(values), [&](Region &region) { traced.fill(region); });
  for (int i = 0; i < count; ++i)
    results[i] = trace.record(made[i]);
}

} // namespace

Value reduce(Combination combination, ElementType type, Operand tile, const Axis *axis,
             std::source_location at) {
  const CombinationRow &row = combinationRows[static_cast<int>(combination)];
  Site site{at, row.reduction};
  return combineByOp(site, row.op, type, tile, [&](Trace &trace, auto values, auto fill) {
    return reduceTiles(trace, site, values, axis, fill);
  });
}

Value scan(Combination combination, ElementType type, Operand tile, Axis axis, Direction direction,
           std::source_location at) {
  const CombinationRow &row = combinationRows[static_cast<int>(combination)];
  Site site{at, row.scan};
  return combineByOp(site, row.op, type, tile, [&](Trace &trace, auto values, auto fill) {
    return scanTiles(trace, site, values, axis, direction, fill);
  });
}

void reduceWith(const CombineCallback &combine, const Value *tiles, Value *results, int count,
                const Axis *axis, const char *name, std::source_location at) {
  Site site{at, name};
  combineByFunction(site, combine, tiles, results, count,
                    [&](Trace &trace, auto values, auto fill) {
                      return reduceTiles(trace, site, values, axis, fill);
                    });
}

void scanWith(const CombineCallback &combine, const Value *tiles, Value *results, int count,
              Axis axis, Direction direction, std::source_location at) {
  Site site{at, "scan"};
  combineByFunction(site, combine, tiles, results, count,
                    [&](Trace &trace, auto values, auto fill) {
                      return scanTiles(trace, site, values, axis, direction, fill);
                    });
}

Value positions(Value tile, const Axis *axis, const char *name, std::source_location at) {
  Site site{at, name};
  Trace &trace = Trace::current(site);
  Operands operands(trace, site);
  OpBuilder &builder = operands.builder;
  mlir::Value value = trace.read(tile, site);
  ArrayRef<std::int64_t> extents = tile::extentsOf(value.getType());
  auto whole = RankedTensorType::get(extents, builder.getI32Type());
  /// The position along one axis, times a distance.
  auto along = [&](int position, std::int64_t distance) {
    auto line = RankedTensorType::get(extents[position], builder.getI32Type());
    mlir::Value index = tile::IotaOp::create(builder, operands.at, line);
    if (distance != 1) {
      auto factor = DenseElementsAttr::get(
          line, builder.getI32IntegerAttr(static_cast<std::int32_t>(distance)));
      index = arith::MulIOp::create(builder, operands.at, index,
                                    arith::ConstantOp::create(builder, operands.at, factor));
    }
    SmallVector<std::int64_t> shape{extents[position]};
    for (int other = 0; other < static_cast<int>(extents.size()); ++other)
      if (other != position) {
        shape.insert(shape.begin() + other, 1);
        index = tile::ExpandOp::create(
            builder, operands.at, RankedTensorType::get(shape, builder.getI32Type()), index, other);
      }
    return index.getType() == whole
               ? index
               : tile::BroadcastOp::create(builder, operands.at, whole, index).getResult();
  };
  if (axis)
    return trace.record(along(axisOf(trace, site, *axis, value), 1));
  std::int64_t distance = 1;
  mlir::Value flat;
  for (int position = static_cast<int>(extents.size()) - 1; position >= 0; --position) {
    mlir::Value part = along(position, distance);
    flat = flat ? arith::AddIOp::create(builder, operands.at, flat, part).getResult() : part;
    distance *= extents[position];
  }
  if (!flat) // a single number is its own first
    flat = arith::ConstantOp::create(builder, operands.at, builder.getI32IntegerAttr(0));
  return trace.record(flat);
}

} // namespace trowel::detail
