// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Program family: where in the grid a program is.

#ifndef TROWEL_DIALECT_OPS_PROGRAM
#define TROWEL_DIALECT_OPS_PROGRAM

include "dialect/TileTypes.td"
include "dialect/TileInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Tile_ProgramOp<string mnemonic>
    : Tile_Op<mnemonic, [Pure, DeclareOpInterfaceMethods<Tile_AxisFactsInterface>]> {
  let arguments = (ins I32Attr:$axis);
  let results = (outs I64:$result);
  let assemblyFormat = "$axis attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Tile_ProgramIdOp : Tile_ProgramOp<"program_id"> {
  let summary = "Index of this program along an axis of the logical grid";
  let description = [{
    `%0 = tile.program_id 0 : i64` is at least 0 and less than `tile.program_count` of the same axis. The grid
    is the logical one that the user gave, however programs are mapped to CTAs.
  }];
}

def Tile_ProgramCountOp : Tile_ProgramOp<"program_count"> {
  let summary = "Extent of the logical grid along an axis";
  let description = "`%0 = tile.program_count 1 : i64` is at least 1.";
}

def Tile_BarrierOp : Tile_Op<"barrier"> {
  let summary = "All threads of the program wait for each other";
  let description = [{
    What any thread of the program wrote before is there for every thread afterwards. Set by
    `tile-order-memory`; a kernel as it is written has none, since its steps happen in order.
  }];
  let assemblyFormat = "attr-dict";
}

def Tile_ReturnIfOp : Tile_Op<"return_if"> {
  let summary = "Ends the program where a condition is true";
  let description = [{
    `tile.return_if %done` may stand anywhere in a kernel, also in loops and branches. The condition is a scalar
    and so the same in all threads of a program. What comes after is not executed; what came before stands.
  }];
  let arguments = (ins I1:$condition);
  let assemblyFormat = "$condition attr-dict";
  let hasCanonicalizer = 1;
}

#endif
