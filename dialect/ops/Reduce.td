// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reduce family: combinations of the elements along an axis.

#ifndef TROWEL_DIALECT_OPS_REDUCE
#define TROWEL_DIALECT_OPS_REDUCE

include "dialect/TileTypes.td"
include "dialect/TileInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

// The op's region says how two elements become one. It computes and does nothing else, so the op may move like
// one without a region.
def Tile_CombinesElements : NativeOpTrait<"CombinesElements"> {
  let cppNamespace = "::trowel::tile";
}

class Tile_CombiningOp<string mnemonic> : Tile_Op<mnemonic, [Pure, Tile_CombinesElements,
    SingleBlock,
    DeclareOpInterfaceMethods<Tile_LayoutInterface, ["resultLayout", "decidesLayout", "scratchBytes"]>]> {
  let regions = (region SizedRegion<1>:$combine);
  let hasVerifier = 1;
  let hasCustomAssemblyFormat = 1;
}

def Tile_ReduceOp : Tile_CombiningOp<"reduce"> {
  let summary = "Combines all elements along an axis into one";
  let description = [{
    The region takes one element of each operand and then another one of each, and yields what both are together. It
    must be associative and commutative; in which order elements meet is up to the layout, and the same in every
    run. Elements of padding take no part. The results lack the axis; those of tiles with one axis are scalars,
    the same in all threads of the program.

    ```mlir
    %sum = tile.reduce %x axis 1 : (tensor<8x128xf32>) -> tensor<8xf32> {
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      tile.yield %c : f32
    }
    ```
  }];
  let arguments = (ins Variadic<Tile_AnyTile>:$operands, I32Attr:$axis);
  let results = (outs Variadic<Tile_Values>:$results);
}

def Tile_ScanOp : Tile_CombiningOp<"scan"> {
  let summary = "Combines each element with all before it along an axis";
  let description = [{
    Element i of a result is the combination of the elements 0 to i, or with `reverse` of the last one down to i, of
    which the first argument of the region is always the one that comes earlier on that way. The region must be
    associative; it need not be commutative. Elements of padding take no part.

    ```mlir
    %sums = tile.scan %x axis 0 : (tensor<128xi32>) -> tensor<128xi32> {
    ^bb0(%a: i32, %b: i32):
      %c = arith.addi %a, %b : i32
      tile.yield %c : i32
    }
    ```
  }];
  let arguments = (ins Variadic<Tile_AnyTile>:$operands, I32Attr:$axis, UnitAttr:$reverse);
  let results = (outs Variadic<Tile_AnyTile>:$results);
}

def Tile_YieldOp : Tile_Op<"yield", [Pure, Terminator, ParentOneOf<["ReduceOp", "ScanOp"]>]> {
  let summary = "What two elements are together";
  let arguments = (ins Variadic<Tile_Element>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

#endif
