// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hint family: what the author promises of values. A promise makes accesses wider and integers narrower; it
// never takes a mask away, and no op says more to LLVM because of it.

#ifndef TROWEL_DIALECT_OPS_HINT
#define TROWEL_DIALECT_OPS_HINT

include "dialect/TileTypes.td"
include "dialect/TileInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

// Facts of the result rest on the author's word.
def Tile_IsHint : NativeOpTrait<"IsHint"> { let cppNamespace = "::trowel::tile"; }

class Tile_HintOp<string mnemonic, list<Trait> traits = []>
    : Tile_Op<mnemonic, [Pure, Tile_IsHint, AllTypesMatch<["value", "result"]>,
                         DeclareOpInterfaceMethods<Tile_AxisFactsInterface>] # traits>;

def Tile_MultipleOfOp : Tile_HintOp<"multiple_of", [Tile_LayoutInterface] # ElementwiseMappable.traits> {
  let summary = "The value, each element of which is a multiple";
  let description = [{
    `%r = tile.multiple_of %v, 16 : i64` is `%v`. Pointers are multiples of so many bytes. The software device
    checks the elements for which the mask is true, all without one; `tile-pad-extents` masks padding.
  }];
  let arguments = (ins AnyTypeOf<[Tile_Ptrs, Tile_Integers]>:$value, Optional<Tile_Bools>:$mask,
                       I64Attr:$divisor);
  let results = (outs AnyTypeOf<[Tile_Ptrs, Tile_Integers]>:$result);
  let assemblyFormat = "$value `,` $divisor (`mask` $mask^ `:` type($mask))? attr-dict `:` type($value)";
  let hasVerifier = 1;
}

def Tile_AssumeOp : Tile_Op<"assume"> {
  let summary = "A condition that is true whenever the program gets here";
  let description = [{
    `tile.assume %c`. `tile-spread-assumptions` tells it to the values that the condition compares; the software
    device checks it.
  }];
  let arguments = (ins I1:$condition);
  let assemblyFormat = "$condition attr-dict";
  let hasCanonicalizer = 1;
}

def Tile_KnownOp : Tile_HintOp<"known"> {
  let summary = "The value, of which an assumption made something known";
  let description = [{
    `%r = tile.known %v multiple 16 from 0 to 1024 : i64` is `%v`; both bounds are inclusive. Set by
    `tile-spread-assumptions` behind the `tile.assume` that says so, which is what is checked.
  }];
  let arguments = (ins Tile_Integer:$value, I64Attr:$divisor, I64Attr:$minimum, I64Attr:$maximum);
  let results = (outs Tile_Integer:$result);
  let assemblyFormat = "$value `multiple` $divisor `from` $minimum `to` $maximum attr-dict `:` type($value)";
  let hasVerifier = 1;
}

#endif
