// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dialect's types, and the constraints on operands that its families share.

#ifndef TROWEL_DIALECT_TILETYPES
#define TROWEL_DIALECT_TILETYPES

include "dialect/TileBase.td"

def Tile_PtrType : Tile_Type<"Ptr", "ptr"> {
  let summary = "Address of elements in global memory";
  let description = [{
    `!tile.ptr<f32>` is the address of an element of global memory. The pointee is one of the element types;
    `!tile.ptr<i1>` points to bools, which are bytes of 0 or 1 in memory. Arithmetic is `tile.ptr_add`, in
    elements; a tile of pointers is a tensor of this type.
  }];
  let parameters = (ins "::mlir::Type":$pointee);
  let assemblyFormat = "`<` $pointee `>`";
  let genVerifyDecl = 1;
  let builders = [TypeBuilderWithInferredContext<(ins "::mlir::Type":$pointee), [{
    return $_get(pointee.getContext(), pointee);
  }]>];
}

class Tile_TileOf<Type element> : Type<
    And<[CPred<"::llvm::isa<::mlir::RankedTensorType>($_self)">,
         SubstLeaves<"$_self", "::llvm::cast<::mlir::RankedTensorType>($_self).getElementType()",
                     element.predicate>]>,
    "tile of " # element.summary, "::mlir::RankedTensorType">;

class Tile_ScalarOrTileOf<Type element> : Type<
    Or<[element.predicate, Tile_TileOf<element>.predicate]>,
    element.summary # " or tile of it">;

def Tile_Integer : AnyTypeOf<[I1, I8, I16, I32, I64], "integer">;
def Tile_IndexInteger : AnyTypeOf<[I32, I64], "i32 or i64">;
def Tile_Float : AnyTypeOf<[BF16, F16, F32, F64], "floating-point number">;
def Tile_Element : AnyTypeOf<[Tile_Integer, Tile_Float], "number or bool">;
def Tile_ElementOrPtr : AnyTypeOf<[Tile_Element, Tile_PtrType], "number, bool or pointer">;

def Tile_AnyTile : Tile_TileOf<Tile_ElementOrPtr>;
def Tile_Ptrs : Tile_ScalarOrTileOf<Tile_PtrType>;
def Tile_Offsets : Tile_ScalarOrTileOf<Tile_IndexInteger>;
def Tile_Bools : Tile_ScalarOrTileOf<I1>;
def Tile_Values : Tile_ScalarOrTileOf<Tile_Element>;
def Tile_Floats : Tile_ScalarOrTileOf<Tile_Float>;
def Tile_Integers : Tile_ScalarOrTileOf<Tile_Integer>;

#endif
