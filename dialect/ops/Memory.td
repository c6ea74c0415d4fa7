// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory family: address arithmetic, loads and stores through pointers and tiles of pointers.

#ifndef TROWEL_DIALECT_OPS_MEMORY
#define TROWEL_DIALECT_OPS_MEMORY

include "dialect/TileTypes.td"
include "dialect/TileAttrs.td"
include "dialect/TileInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Tile_PtrAddOp : Tile_Op<"ptr_add", [Pure, SameOperandsAndResultShape,
    AllTypesMatch<["pointer", "result"]>,
    DeclareOpInterfaceMethods<Tile_AxisFactsInterface>,
    Tile_LayoutInterface]> {
  let summary = "Pointer plus a number of elements";
  let description = [{
    The offset counts elements and is signed; an i32 offset is sign-extended before it is scaled. The sum wraps.

    ```mlir
    %q = tile.ptr_add %p, %i : tensor<128x!tile.ptr<f32>>, tensor<128xi32>
    ```
  }];
  let arguments = (ins Tile_Ptrs:$pointer, Tile_Offsets:$offset);
  let results = (outs Tile_Ptrs:$result);
  let assemblyFormat = "$pointer `,` $offset attr-dict `:` type($pointer) `,` type($offset)";
  let hasFolder = 1;
}

def Tile_LoadOp : Tile_Op<"load", [AttrSizedOperandSegments,
    InferTypeOpAdaptor,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    Tile_LayoutInterface]> {
  let summary = "Elements behind pointers";
  let description = [{
    Where the mask is false, memory is not touched and the result is the fill, or 0 without a fill. A fill needs
    a mask. `width` is what `tile-coalesce` proved: so many consecutive elements along the fastest axis may be
    read by one instruction. `layout` is the layout it prefers for the access. `mask_run`, where it is less than
    `width`, is how many neighbours have one mask for certain; with `mask_promised`, the author's word stands for
    the rest. `modifier` is the cache operator or eviction priority of the instruction.

    ```mlir
    %v = tile.load %p mask %m fill %f : tensor<128x!tile.ptr<f32>>
    ```
  }];
  let arguments = (ins Tile_Ptrs:$pointer, Optional<Tile_Bools>:$mask, Optional<Tile_Values>:$fill,
                       OptionalAttr<I32Attr>:$width, OptionalAttr<I32Attr>:$mask_run, UnitAttr:$mask_promised,
                       OptionalAttr<StrAttr>:$modifier, OptionalAttr<Tile_LayoutAttr>:$layout);
  let results = (outs Tile_Values:$result);
  let assemblyFormat = [{
    $pointer (`mask` $mask^)? (`fill` $fill^)? attr-dict `:` custom<AccessTypes>(
      type($pointer), ref($mask), type($mask), ref($fill), type($fill))
  }];
  let builders = [
    OpBuilder<(ins "::mlir::Value":$pointer, "::mlir::Value":$mask, "::mlir::Value":$fill,
                   CArg<"::mlir::StringAttr", "{}">:$modifier)>
  ];
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

def Tile_StoreOp : Tile_Op<"store", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    Tile_LayoutInterface]> {
  let summary = "Writes elements through pointers";
  let description = [{
    Where the mask is false, memory is not touched. If two elements are written to one address, one of the two
    values is there afterwards. Where a layout holds an element in several threads, one of them writes it.
    The attributes are those of `tile.load`.

    ```mlir
    tile.store %p, %v mask %m : tensor<128x!tile.ptr<f32>>
    ```
  }];
  let arguments = (ins Tile_Ptrs:$pointer, Tile_Values:$value, Optional<Tile_Bools>:$mask,
                       OptionalAttr<I32Attr>:$width, OptionalAttr<I32Attr>:$mask_run, UnitAttr:$mask_promised,
                       OptionalAttr<StrAttr>:$modifier, OptionalAttr<Tile_LayoutAttr>:$layout);
  let assemblyFormat = [{
    $pointer `,` $value (`mask` $mask^)? attr-dict `:` custom<AccessTypes>(
      type($pointer), ref($mask), type($mask), ref($value), type($value))
  }];
  let builders = [
    OpBuilder<(ins "::mlir::Value":$pointer, "::mlir::Value":$value, "::mlir::Value":$mask,
                   CArg<"::mlir::StringAttr", "{}">:$modifier)>
  ];
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

#endif
