// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elementwise family: what `arith` and `math` leave undefined for some input, or fold by the host's math
// library.

#ifndef TROWEL_DIALECT_OPS_ELEMENTWISE
#define TROWEL_DIALECT_OPS_ELEMENTWISE

include "dialect/TileTypes.td"
include "dialect/TileInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Tile_ElementwiseOp<string mnemonic, list<Trait> traits = []>
    : Tile_Op<mnemonic, [Pure, Tile_LayoutInterface] #
                        ElementwiseMappable.traits # traits>;

class Tile_UnaryFloatOp<string mnemonic> : Tile_ElementwiseOp<mnemonic, [SameOperandsAndResultType]> {
  let arguments = (ins Tile_Floats:$operand);
  let results = (outs Tile_Floats:$result);
  let assemblyFormat = "$operand attr-dict `:` type($result)";
}

def Tile_ExpOp : Tile_UnaryFloatOp<"exp"> {
  let summary = "e to the power of x";
  let description = [{
    f32: at most 2 ulp from the correctly rounded value; exp(−inf) = 0, exp(inf) = inf, NaN stays NaN; results
    below the least normal number may be flushed to 0. Smaller types: within 1 ulp of the type.
  }];
}

def Tile_TanhOp : Tile_UnaryFloatOp<"tanh"> {
  let summary = "Hyperbolic tangent";
  let description = [{
    f32: at most 2 ulp from the correctly rounded value; tanh(±inf) = ±1, tanh(±0) = ±0, NaN stays NaN.
    Smaller types: within 1 ulp of the type.
  }];
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

def Tile_FpToIntOp : Tile_ElementwiseOp<"fp_to_int", [SameOperandsAndResultShape]> {
  let summary = "Floating-point number to signed integer";
  let description = "Truncates toward zero and saturates; NaN becomes 0.";
  let arguments = (ins Tile_Floats:$operand);
  let results = (outs Tile_Integers:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `->` type($result)";
  let hasFolder = 1;
}

#endif
