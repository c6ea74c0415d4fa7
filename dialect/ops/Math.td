// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Math family: functions of floating-point numbers. They are not ops of `math`, whose canonicalization folds
// them by the library of the machine that compiles.
//
// Bounds are distances in units in the last place to the correctly rounded result. With `approximate` the
// hardware's approximation is taken; its bound is said by the function of the same name in trowel/Math.h.

#ifndef TROWEL_DIALECT_OPS_MATH
#define TROWEL_DIALECT_OPS_MATH

include "dialect/ops/Elementwise.td"

class Tile_FunctionOp<string mnemonic> : Tile_ElementwiseOp<mnemonic, [SameOperandsAndResultType]> {
  let arguments = (ins Tile_Floats:$operand, UnitAttr:$approximate);
  let results = (outs Tile_Floats:$result);
  let assemblyFormat = "(`approximate` $approximate^)? $operand attr-dict `:` type($result)";
}

def Tile_ExpOp : Tile_FunctionOp<"exp"> {
  let summary = "e to the power of x";
  let description = [{
    f32: at most 2 ulp; exp(−inf) = 0, exp(inf) = inf. Results below the least normal number may be
    flushed to 0. f64: at most 2 ulp. f16 and bf16: within 1 ulp of the type. NaN stays NaN.
  }];
}

def Tile_Exp2Op : Tile_FunctionOp<"exp2"> {
  let summary = "2 to the power of x";
  let description = [{
    f32: at most 2 ulp; exp2(−inf) = 0, exp2(inf) = inf. f64: at most 2 ulp. f16 and bf16: within 1 ulp
    of the type. NaN stays NaN.
  }];
}

def Tile_LogOp : Tile_FunctionOp<"log"> {
  let summary = "Natural logarithm";
  let description = [{
    f32: at most 2 ulp; log(±0) = −inf, log(inf) = inf, and NaN below 0. f64: at most 2 ulp. f16 and
    bf16: within 1 ulp of the type. NaN stays NaN.
  }];
}

def Tile_Log2Op : Tile_FunctionOp<"log2"> {
  let summary = "Logarithm to base 2";
  let description = [{
    f32: at most 2 ulp; log2(±0) = −inf, log2(inf) = inf, and NaN below 0. f64: at most 2 ulp. f16 and
    bf16: within 1 ulp of the type. NaN stays NaN.
  }];
}

def Tile_Log1pOp : Tile_FunctionOp<"log1p"> {
  let summary = "log(1 + x), exact near 0";
  let description = [{
    f32: at most 4 ulp; log1p(−1) = −inf, log1p(±0) = ±0, and NaN below −1. f64: at most 2 ulp. f16 and
    bf16: within 1 ulp of the type. NaN stays NaN.
  }];
}

def Tile_Expm1Op : Tile_FunctionOp<"expm1"> {
  let summary = "exp(x) − 1, exact near 0";
  let description = [{
    f32: at most 4 ulp; expm1(±0) = ±0, expm1(−inf) = −1. f64: at most 2 ulp. f16 and bf16: within 1 ulp
    of the type. NaN stays NaN.
  }];
}

def Tile_SinOp : Tile_FunctionOp<"sin"> {
  let summary = "Sine of an angle in radians";
  let description = [{
    f32: at most 4 ulp for angles of any size; sin(±0) = ±0, sin(±inf) is NaN. f64: at most 2 ulp. f16
    and bf16: within 1 ulp of the type. NaN stays NaN.
  }];
}

def Tile_CosOp : Tile_FunctionOp<"cos"> {
  let summary = "Cosine of an angle in radians";
  let description = [{
    f32: at most 4 ulp for angles of any size; cos(±inf) is NaN. f64: at most 2 ulp. f16 and bf16:
    within 1 ulp of the type. NaN stays NaN.
  }];
}

def Tile_TanOp : Tile_FunctionOp<"tan"> {
  let summary = "Tangent of an angle in radians";
  let description = [{
    f32: at most 4 ulp for angles of any size; tan(±0) = ±0, tan(±inf) is NaN. f64: at most 2 ulp. f16
    and bf16: within 1 ulp of the type. NaN stays NaN.
  }];
}

def Tile_TanhOp : Tile_FunctionOp<"tanh"> {
  let summary = "Hyperbolic tangent";
  let description = [{
    f32: at most 2 ulp; tanh(±inf) = ±1, tanh(±0) = ±0. f64: at most 2 ulp. f16 and bf16: within 1 ulp
    of the type. NaN stays NaN.
  }];
}

def Tile_ErfOp : Tile_FunctionOp<"erf"> {
  let summary = "Error function";
  let description = [{
    f32: at most 4 ulp; erf(±inf) = ±1, erf(±0) = ±0. f64: at most 2 ulp. f16 and bf16: within 1 ulp of
    the type. NaN stays NaN.
  }];
}

def Tile_RsqrtOp : Tile_FunctionOp<"rsqrt"> {
  let summary = "1 / sqrt(x)";
  let description = [{
    f32: at most 4 ulp; rsqrt(±0) = ±inf, rsqrt(inf) = 0, and NaN below 0. f64: at most 2 ulp. f16 and
    bf16: within 1 ulp of the type. NaN stays NaN.
  }];
}

def Tile_SigmoidOp : Tile_FunctionOp<"sigmoid"> {
  let summary = "1 / (1 + exp(−x))";
  let description = [{
    f32: at most 2 ulp; sigmoid(−inf) = 0, sigmoid(inf) = 1. Results below the least normal number may
    be flushed to 0. f64: at most 2 ulp. f16 and bf16: within 1 ulp of the type. NaN stays NaN.
  }];
}

def Tile_PowOp : Tile_ElementwiseOp<"pow", [SameOperandsAndResultType]> {
  let summary = "x to the power of y";
  let description = [{
    f32: at most 4 ulp. f64: at most 2 ulp. f16 and bf16: within 1 ulp of the type. Special values as C's pow
    has them: pow(x, 0) = pow(1, y) = 1 also for NaN, and NaN for a negative x unless y is an integer.
  }];
  let arguments = (ins Tile_Floats:$base, Tile_Floats:$exponent, UnitAttr:$approximate);
  let results = (outs Tile_Floats:$result);
  let assemblyFormat = "(`approximate` $approximate^)? $base `,` $exponent attr-dict `:` type($result)";
}

#endif
