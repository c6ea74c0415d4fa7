// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dialect's attributes.

#ifndef TROWEL_DIALECT_TILEATTRS
#define TROWEL_DIALECT_TILEATTRS

include "dialect/TileBase.td"
include "mlir/IR/TensorEncoding.td"

def Tile_LayoutAttr : Tile_Attr<"Layout", "layout",
    [DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let summary = "Which thread holds which element of a tile";
  let description = [{
    A linear map over GF(2) from the bits of (register, lane, warp, block) to the bits of a tile's index (see
    `dialect/layout`). It is printed as the shortest builder that makes it,

    ```mlir
    #tile.layout<blocked<registers = [1, 4], lanes = [8, 4], warps = [4, 1], order = [1, 0]>>
    #tile.layout<slice<axis = 1, extent = 16, blocked<registers = [1, 4], lanes = [8, 4], warps = [4, 1], order = [1, 0]>>>
    ```

    and by its bases only where no builder does:

    ```mlir
    #tile.layout<bases<register = [[0, 1]], lane = [[1, 1], [0, 2]], warp = [], block = []>, extents = [2, 4]>
    ```

    A builder covers as many elements as it has registers, lanes and warps. Where the tile has more or fewer, its
    extents follow: `#tile.layout<blocked<…>, extents = [8, 128]>`. More elements take further registers, fewer are
    held several times.
  }];
  let parameters = (ins
    ArrayRefParameter<"int64_t", "extent of each axis">:$extents,
    ArrayRefParameter<"int64_t", "bases of the register bits, one coordinate an axis each">:$registers,
    ArrayRefParameter<"int64_t", "bases of the lane bits">:$lanes,
    ArrayRefParameter<"int64_t", "bases of the warp bits">:$warps,
    ArrayRefParameter<"int64_t", "bases of the block bits">:$blocks
  );
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    static LayoutAttr get(::mlir::MLIRContext *context, const ::trowel::layout::LinearLayout &layout);
    ::trowel::layout::LinearLayout linearLayout() const;
  }];
}

#endif
