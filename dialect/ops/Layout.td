// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layout family: data that moves between threads for the sake of its layout alone.

#ifndef TROWEL_DIALECT_OPS_LAYOUT
#define TROWEL_DIALECT_OPS_LAYOUT

include "dialect/TileTypes.td"
include "dialect/TileInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Tile_ConvertLayoutOp : Tile_Op<"convert_layout", [Pure,
    DeclareOpInterfaceMethods<Tile_LayoutInterface, ["resultLayout", "decidesLayout", "scratchBytes"]>]> {
  let summary = "The same tile in another layout";
  let description = [{
    Elements move between registers, lanes or warps, whatever is cheapest. A kernel as it is written has none;
    `tile-assign-layouts` adds them where one op decides a layout that another cannot use.

    `%1 = tile.convert_layout %0 : tensor<64xf32, #a> -> tensor<64xf32, #b>`
  }];
  let arguments = (ins Tile_AnyTile:$source);
  let results = (outs Tile_AnyTile:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

#endif
