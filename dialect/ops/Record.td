// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Record family: what a running kernel says to its author.

#ifndef TROWEL_DIALECT_OPS_RECORD
#define TROWEL_DIALECT_OPS_RECORD

include "dialect/TileTypes.td"
include "dialect/TileAttrs.td"
include "dialect/TileInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Tile_RecordOp : Tile_Op<"record", [AttrSizedOperandSegments, MemoryEffects<[MemWrite]>,
    Tile_LayoutInterface]> {
  let summary = "Tells the host the values of each element";
  let description = [{
    Prints, and checks that fail, are records in a buffer of the launch, which the host reads when it waits. One is
    written for each element of the operands, which all have one shape, where the mask holds; for scalars one a
    program. The texts stand before, between and behind the values, so there is one more of them. Where a layout
    holds an element in several threads, one of them writes it.

    The result says whether anything was recorded, and is the same in all threads of the program. With `failure`
    the record is that of a check that failed: its mask is where it did.

    `unsigned_values` says of each value whether its integers are read as unsigned; without it none is.
    `tile-number-records` gives the op its number in the manifest and the buffer. `layout` is as for `tile.load`,
    and counts only where no access prefers another.

    ```mlir
    %any = tile.record ["x = ", ""] (%x : tensor<128xf32>) mask %m : tensor<128xi1>
    %bad = tile.record failure ["the index is inside"] mask %outside : i1
    ```
  }];
  let arguments = (ins Variadic<Tile_Values>:$values, Optional<Tile_Bools>:$mask, Optional<Tile_PtrType>:$buffer,
                       StrArrayAttr:$texts, UnitAttr:$failure, OptionalAttr<DenseBoolArrayAttr>:$unsigned_values,
                       OptionalAttr<I32Attr>:$number, OptionalAttr<Tile_LayoutAttr>:$layout);
  let results = (outs I1:$any);
  let assemblyFormat = [{
    (`failure` $failure^)? $texts (`(` $values^ `:` type($values) `)`)? (`mask` $mask^ `:` type($mask))?
    (`to` $buffer^ `:` type($buffer))? attr-dict
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The type whose shape (and layout) all operands share; null for a record without operands.
    ::mlir::Type getShapeType();
    /// A record is written for each element alone.
    std::optional<uint32_t> getWidth() { return 1; }
  }];
}

#endif
