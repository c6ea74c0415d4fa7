// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shape family: tiles from nothing, from scalars, and from tiles of other shapes.

#ifndef TROWEL_DIALECT_OPS_SHAPE
#define TROWEL_DIALECT_OPS_SHAPE

include "dialect/TileTypes.td"
include "dialect/TileInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Tile_ShapeOp<string mnemonic, list<Trait> traits = [Tile_LayoutInterface]>
    : Tile_Op<mnemonic, [Pure, DeclareOpInterfaceMethods<Tile_AxisFactsInterface>] # traits>;

// A shape op whose operand's layout differs from its result's.
class Tile_ReshapingOp<string mnemonic>
    : Tile_ShapeOp<mnemonic, [DeclareOpInterfaceMethods<Tile_LayoutInterface, ["operandLayout"]>]>;

def Tile_IotaOp : Tile_ShapeOp<"iota"> {
  let summary = "0, 1, 2, … along the only axis";
  let description = "`%0 = tile.iota : tensor<128xi32>`";
  let results = (outs Tile_TileOf<I32>:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Tile_SplatOp : Tile_ShapeOp<"splat"> {
  let summary = "A tile of equal elements";
  let description = "`%0 = tile.splat %x : f32 -> tensor<8x128xf32>`";
  let arguments = (ins Tile_ElementOrPtr:$scalar);
  let results = (outs Tile_AnyTile:$result);
  let assemblyFormat = "$scalar attr-dict `:` type($scalar) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_ExpandOp : Tile_ReshapingOp<"expand"> {
  let summary = "Inserts an axis of extent 1";
  let description = [{
    `%0 = tile.expand %x axis 0 : tensor<128xf32> -> tensor<1x128xf32>`: the axis of the result that is new.
  }];
  let arguments = (ins Tile_AnyTile:$source, I32Attr:$axis);
  let results = (outs Tile_AnyTile:$result);
  let assemblyFormat = "$source `axis` $axis attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_BroadcastOp : Tile_ReshapingOp<"broadcast"> {
  let summary = "Repeats elements along axes of extent 1";
  let description = [{
    `%0 = tile.broadcast %x : tensor<1x128xf32> -> tensor<8x128xf32>`: the ranks are equal, and each extent of
    the source is that of the result or 1.
  }];
  let arguments = (ins Tile_AnyTile:$source);
  let results = (outs Tile_AnyTile:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

#endif
