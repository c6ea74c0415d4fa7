// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Masks the padding of tiles whose extents are not powers of two.
//
// Layouts are linear maps of bits, so they map 4096 elements where a user writes a tile of 3000.
// The type keeps the 3000; the elements beyond are padding. Elementwise work on padding is
// harmless, as every op is total, and registers that hold nothing else are never made (3000
// elements over 512 lanes are 6 registers). What must not happen is that padding reaches memory, so
// here each access of such a tile gets the mask "inside the extent along every axis", joined with
// its own. So do records, and hints, whose promise is about elements.
//
//   tensor<3000xf32>, layout of 4096:   mask of element i is i < 3000
//
// Before: no layouts. After: no access touches memory for padding. The axis facts of the mask keep
// accesses wide: 3000 is a multiple of 8, so masks are the same for 8 elements in a row. Rejected:
// rounding the tile's type up, which would make messages speak of extents that nobody wrote.

#include "compiler/transforms/Passes.h"
#include "dialect/TileDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

namespace trowel::compiler {
#define GEN_PASS_DEF_PADEXTENTS
#include "compiler/transforms/Passes.h.inc"
} // namespace trowel::compiler

using namespace mlir;
using namespace trowel;
using namespace trowel::tile;

/// Which elements of a tile of these extents lie inside them along `axis`, as a tile of bools.
static Value insideAlong(OpBuilder &builder, Location location, ArrayRef<int64_t> extents,
                         unsigned axis) {
  auto line = RankedTensorType::get(extents[axis], builder.getI32Type());
  Value index = IotaOp::create(builder, location, line);
  Value extent = arith::ConstantOp::create(
      builder, location,
      DenseElementsAttr::get(line, builder.getI32IntegerAttr(static_cast<int32_t>(extents[axis]))));
  Value inside = arith::CmpIOp::create(builder, location, arith::CmpIPredicate::slt, index, extent);
  SmallVector<int64_t> shape{extents[axis]};
  for (unsigned other = 0; other < extents.size(); ++other) {
    if (other == axis)
      continue;
    shape.insert(shape.begin() + other, 1);
    inside = ExpandOp::create(builder, location, RankedTensorType::get(shape, builder.getI1Type()),
                              inside, other);
  }
  auto whole = RankedTensorType::get(extents, builder.getI1Type());
  return inside.getType() == whole ? inside : BroadcastOp::create(builder, location, whole, inside);
}

/// Joins the mask of an op on the elements of `tile` with its extents.
template <class Op> static void maskPadding(Op access, Type tile) {
  ArrayRef<int64_t> extents = extentsOf(tile);
  if (!hasPadding(extents))
    return;
  OpBuilder builder(access);
  Value mask = access.getMask();
  for (unsigned axis = 0; axis < extents.size(); ++axis) {
    if (!hasPadding(extents[axis]))
      continue;
    Value inside = insideAlong(builder, access.getLoc(), extents, axis);
    mask = mask ? arith::AndIOp::create(builder, access.getLoc(), mask, inside) : inside;
  }
  access.getMaskMutable().assign(mask);
}

namespace {
struct PadExtents : compiler::impl::PadExtentsBase<PadExtents> {
  void runOnOperation() override {
    getOperation().walk([](Operation *op) {
      if (auto load = dyn_cast<LoadOp>(op))
        maskPadding(load, load.getPointer().getType());
      else if (auto store = dyn_cast<StoreOp>(op))
        maskPadding(store, store.getPointer().getType());
      else if (auto hint = dyn_cast<MultipleOfOp>(op))
        maskPadding(hint, hint.getValue().getType());
      else if (auto record = dyn_cast<RecordOp>(op); record && record.getShapeType())
        maskPadding(record, record.getShapeType());
    });
  }
};
} // namespace
