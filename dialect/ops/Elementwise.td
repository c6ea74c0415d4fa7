// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elementwise family: what `arith` leaves undefined for some input. Integers have no sign of their own; an op
// reads them as signed unless its name ends in _u.

#ifndef TROWEL_DIALECT_OPS_ELEMENTWISE
#define TROWEL_DIALECT_OPS_ELEMENTWISE

include "dialect/TileTypes.td"
include "dialect/TileInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Tile_ElementwiseOp<string mnemonic, list<Trait> traits = []>
    : Tile_Op<mnemonic, [Pure, Tile_LayoutInterface] #
                        ElementwiseMappable.traits # traits>;

def Tile_ExactOp : Tile_ElementwiseOp<"exact", [SameOperandsAndResultType]> {
  let summary = "The operand, with every operation rounded on its own";
  let description = [{
    Keeps products from fusing with sums: in the op that makes the operand, and in all that go into that one and
    nowhere else, within one block. `tile-combine`, which decides what fuses, removes it.
  }];
  let arguments = (ins Tile_Floats:$operand);
  let results = (outs Tile_Floats:$result);
  let assemblyFormat = "$operand attr-dict `:` type($result)";
}

class Tile_IntegerDivisionOp<string mnemonic> : Tile_ElementwiseOp<mnemonic, [SameOperandsAndResultType,
    DeclareOpInterfaceMethods<Tile_AxisFactsInterface>]> {
  let arguments = (ins Tile_Integers:$lhs, Tile_Integers:$rhs);
  let results = (outs Tile_Integers:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
  let hasFolder = 1;
}

def Tile_DivOp : Tile_IntegerDivisionOp<"div"> {
  let summary = "Quotient of signed integers, truncated toward zero";
  let description = "Total: x / 0 is −1 (all ones), and the least number divided by −1 is itself.";
}

def Tile_RemOp : Tile_IntegerDivisionOp<"rem"> {
  let summary = "Remainder of signed integers, with the sign of the dividend";
  let description = "Total: x % 0 is x, and the least number modulo −1 is 0.";
}

def Tile_DivUOp : Tile_IntegerDivisionOp<"div_u"> {
  let summary = "Quotient of unsigned integers, rounded down";
  let description = "Total: x / 0 is the largest number (all ones).";
}

def Tile_RemUOp : Tile_IntegerDivisionOp<"rem_u"> {
  let summary = "Remainder of unsigned integers";
  let description = "Total: x % 0 is x.";
}

class Tile_HighProductOp<string mnemonic> : Tile_ElementwiseOp<mnemonic, [SameOperandsAndResultType]> {
  let arguments = (ins Tile_Integers:$lhs, Tile_Integers:$rhs);
  let results = (outs Tile_Integers:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
  let hasFolder = 1;
}

def Tile_MulHighOp : Tile_HighProductOp<"mul_high"> {
  let summary = "Upper half of the product of signed integers";
  let description = "The product of twice the width, shifted right by the width.";
}

def Tile_MulHighUOp : Tile_HighProductOp<"mul_high_u"> {
  let summary = "Upper half of the product of unsigned integers";
  let description = "The product of twice the width, shifted right by the width.";
}

// The count is read as unsigned, so that a negative one is a large one.
class Tile_ShiftOp<string mnemonic> : Tile_ElementwiseOp<mnemonic, [SameOperandsAndResultType,
    DeclareOpInterfaceMethods<Tile_AxisFactsInterface>]> {
  let arguments = (ins Tile_Integers:$value, Tile_Integers:$count);
  let results = (outs Tile_Integers:$result);
  let assemblyFormat = "$value `,` $count attr-dict `:` type($result)";
  let hasFolder = 1;
}

def Tile_ShlOp : Tile_ShiftOp<"shl"> {
  let summary = "Bits moved towards the highest, zeros below";
  let description = "Total: a count, read as unsigned, of the width or more gives 0.";
}

def Tile_ShrOp : Tile_ShiftOp<"shr"> {
  let summary = "Bits of a signed integer moved towards the lowest, copies of the sign above";
  let description = "Total: a count, read as unsigned, of the width or more gives 0 or −1, by the sign.";
}

def Tile_ShrUOp : Tile_ShiftOp<"shr_u"> {
  let summary = "Bits moved towards the lowest, zeros above";
  let description = "Total: a count, read as unsigned, of the width or more gives 0.";
}

class Tile_FpToIntegerOp<string mnemonic> : Tile_ElementwiseOp<mnemonic, [SameOperandsAndResultShape]> {
  let arguments = (ins Tile_Floats:$operand);
  let results = (outs Tile_Integers:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `->` type($result)";
  let hasFolder = 1;
}

def Tile_FpToIntOp : Tile_FpToIntegerOp<"fp_to_int"> {
  let summary = "Floating-point number to signed integer";
  let description = "Truncates toward zero and saturates; NaN becomes 0.";
}

def Tile_FpToIntUOp : Tile_FpToIntegerOp<"fp_to_int_u"> {
  let summary = "Floating-point number to unsigned integer";
  let description = "Truncates toward zero and saturates: negative numbers become 0, and so does NaN.";
}

def Tile_InlinePtxOp : Tile_Op<"inline_ptx", [Tile_LayoutInterface,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>] # ElementwiseMappable.traits> {
  let summary = "PTX that the author wrote for one element";
  let description = [{
    `$0` is the result, `$1` and so on are the operands. The text is closed: it names nothing that it does not
    declare, does not touch memory and meets no other thread (`dialect/PtxText.h`). Without `pure` it may have
    effects that nobody knows: it is executed for each element of its layout, once a thread, where it stands.

    ```mlir
    %r = tile.inline_ptx "mul.hi.u32 $0, $1, $2;" pure (%a, %b) : (tensor<128xi32>, tensor<128xi32>) -> tensor<128xi32>
    ```

    Bools are predicates. There are no registers of 8 bits: such elements are extended first.
  }];
  let arguments = (ins StrAttr:$text, UnitAttr:$pure, Variadic<Tile_Values>:$operands);
  let results = (outs Tile_Values:$result);
  let assemblyFormat = "$text (`pure` $pure^)? `(` $operands `)` attr-dict `:` functional-type($operands, $result)";
  let hasVerifier = 1;
}

#endif
