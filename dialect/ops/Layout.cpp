// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Data that moves between threads for the sake of its layout alone.
//
// A conversion costs nothing where elements only change registers, and otherwise shared memory for
// the whole tile and a barrier. Which of the three it is follows from the two layouts
// (layout::convert), so neither the op nor its author says it.

#include "dialect/TileDialect.h"

#include "dialect/layout/Conversion.h"

using namespace mlir;
using namespace trowel;
using namespace trowel::tile;

LogicalResult ConvertLayoutOp::verify() {
  Type source = getSource().getType(), result = getType();
  if (elementTypeOf(source) != elementTypeOf(result) || extentsOf(source) != extentsOf(result))
    return emitOpError("changes ") << source << " to " << result << "; only the layout may change";
  if (!layoutOf(source) || !layoutOf(result))
    return emitOpError("converts between two layouts; ")
           << (layoutOf(source) ? result : source) << " has none";
  return success();
}

OpFoldResult ConvertLayoutOp::fold(FoldAdaptor adaptor) {
  if (getSource().getType() == getType())
    return getSource();
  if (auto splat = dyn_cast_if_present<SplatElementsAttr>(adaptor.getSource()))
    return splat.resizeSplat(cast<ShapedType>(getType()));
  // What was converted before was the same tile.
  if (auto inner = getSource().getDefiningOp<ConvertLayoutOp>()) {
    getSourceMutable().assign(inner.getSource());
    return getResult();
  }
  return {};
}

std::optional<layout::LinearLayout> ConvertLayoutOp::resultLayout(const layout::LinearLayout &) {
  return layoutOf(getType()).linearLayout();
}

bool ConvertLayoutOp::decidesLayout() { return true; }

int64_t ConvertLayoutOp::scratchBytes() {
  layout::LinearLayout from = layoutOf(getSource().getType()).linearLayout(),
                       to = layoutOf(getType()).linearLayout();
  std::optional<layout::Conversion> conversion = layout::convert(from, to);
  if (conversion && layout::isRenaming(*conversion, from, to))
    return 0;
  // An element below a word takes one, so that no two lanes write parts of it.
  return from.elementCount() * std::max<int64_t>(memoryBytes(elementTypeOf(getType())), 4);
}
