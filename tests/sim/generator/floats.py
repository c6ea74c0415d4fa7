# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs of floating-point arithmetic and of the approximations."""
from fractions import Fraction

import exact
from exact import decode, encode, flushed
from programs import FLOAT_SPECIALS, columns_to_inputs, float_columns, pack, pairs, program


def float_values(fmt, columns, function, mode="rn", flush=False, saturate=False):
    result = []
    for vector in zip(*columns):
        operands = [decode(flushed(v, fmt) if flush else v, fmt) for v in vector]
        value = function(*operands)
        result.append(encode(exact.saturated(value) if saturate else value, fmt, mode, flush))
    return result


OPERATIONS = {
    "add": (2, lambda mode: lambda a, b: exact.add(a, b, mode)),
    "sub": (2, lambda mode: lambda a, b: exact.add(a, exact.negated(b), mode)),
    "mul": (2, lambda mode: exact.multiply),
    "fma": (3, lambda mode: lambda a, b, c: exact.add(exact.multiply(a, b), c, mode)),
    "div": (2, lambda mode: exact.divide),
    "sqrt": (1, lambda mode: exact.square_root),
    "rcp": (1, lambda mode: lambda a: exact.divide(("num", 0, Fraction(1)), a)),
}


def floats():
    for fmt in ("f32", "f64"):
        bits = f"b{exact.width(fmt)}"
        for op, (arity, make) in OPERATIONS.items():
            columns = float_columns(fmt, arity, seed=arity * 3)
            forms = [(mode, f"{op}.{mode}.{fmt}", mode, False, False) for mode in ("rn", "rz", "rm", "rp")]
            if op in ("add", "sub", "mul"):
                forms.append(("plain", f"{op}.{fmt}", "rn", False, False))
            if fmt == "f32":
                forms += [("ftz", f"{op}.rn.ftz.f32", "rn", True, False), ("rzftz", f"{op}.rz.ftz.f32", "rz", True, False)]
                if arity > 1 and op != "div":
                    forms += [("sat", f"{op}.rn.sat.f32", "rn", False, True),
                              ("ftzsat", f"{op}.rp.ftz.sat.f32", "rp", True, True)]
            operands = ", ".join(f"%{'abc'[i]}" for i in range(arity))
            program(f"{op}-{fmt}", f"{op} on {fmt} in every rounding mode.", columns_to_inputs(columns, bits),
                    [(name, bits, f"{opcode} %{name}, {operands};",
                      float_values(fmt, columns, make(mode), mode, flush, saturate))
                     for name, opcode, mode, flush, saturate in forms])
    half_arithmetic()
    signs_and_extrema()
    approximations()


def half_arithmetic():
    for fmt in ("f16", "bf16"):
        target, version = ("sm_90", "7.8")
        for op in ("add", "sub", "mul", "fma"):
            arity, make = OPERATIONS[op]
            columns = float_columns(fmt, arity, seed=40 + arity)
            operands = ", ".join(f"%{'abc'[i]}" for i in range(arity))
            forms = [("rn", f"{op}.rn.{fmt}", False, False, False)]
            if fmt == "f16":
                forms += [("ftz", f"{op}.rn.ftz.f16", True, False, False), ("sat", f"{op}.rn.sat.f16", False, True, False)]
            if op == "fma":
                forms += [("relu", f"fma.rn.relu.{fmt}", False, False, True)]

            def values(flush, saturate, relu):
                result = float_values(fmt, columns, make("rn"), "rn", flush, saturate)
                return [0 if relu and v >> 15 and decode(v, fmt) != exact.NAN else v for v in result]
            program(f"{op}-{fmt}", f"{op} on {fmt} rounds once.", columns_to_inputs(columns, "b16"),
                    [(name, "b16", f"{opcode} %{name}, {operands};", values(flush, saturate, relu))
                     for name, opcode, flush, saturate, relu in forms], target, version)
            # Pairs: the same vectors below, turned by one above.
            turned = [column[1:] + column[:1] for column in columns]
            inputs = columns_to_inputs([pack(*both) for both in zip(columns, turned)], "b32")
            outputs = []
            for name, opcode, flush, saturate, relu in forms:
                result = values(flush, saturate, relu)
                outputs.append((name, "b32", f"{opcode}x2 %{name}, {operands};", pack(result, result[1:] + result[:1])))
            program(f"{op}-{fmt}x2", f"{op} on pairs of {fmt}: the first value is in the lower half.", inputs, outputs,
                    target, version)


def signs_and_extrema():
    for fmt in ("f32", "f64", "f16", "bf16"):
        bits = f"b{exact.width(fmt)}"
        columns = float_columns(fmt, 2, seed=60)
        target = "sm_90" if fmt in ("f16", "bf16") else "sm_80"
        forms = []
        for op, greater in (("min", False), ("max", True)):
            forms.append((op, f"{op}.{fmt}", lambda a, b, g=greater: exact.extremum(a, b, g), False))
            if fmt != "f64":
                forms.append((f"{op}nan", f"{op}.NaN.{fmt}", lambda a, b, g=greater: exact.extremum(a, b, g, True), False))
            if fmt == "f32":
                forms.append((f"{op}ftz", f"{op}.ftz.f32", lambda a, b, g=greater: exact.extremum(a, b, g), True))
        outputs = [(name, bits, f"{opcode} %{name}, %a, %b;", float_values(fmt, columns, function, "rn", flush))
                   for name, opcode, function, flush in forms]
        if fmt != "f64":
            top = 1 << (exact.width(fmt) - 1)
            for op, greater in (("min", False), ("max", True)):
                values = []
                for a, b in zip(*columns):
                    value = exact.extremum(decode(a & ~top, fmt), decode(b & ~top, fmt), greater)
                    result = encode(value, fmt)
                    values.append(result if value == exact.NAN else result | (a ^ b) & top)
                outputs.append((f"{op}xs", bits, f"{op}.xorsign.abs.{fmt} %{op}xs, %a, %b;", values))
        program(f"min-max-{fmt}", f"Extrema of {fmt} return the operand that is no NaN; -0 is below +0.",
                columns_to_inputs(columns, bits), outputs, "sm_90" if fmt != "f64" else target)
        one = [columns[0]]
        sign = 1 << (exact.width(fmt) - 1)
        flips = [("abs", lambda v: v & ~sign), ("neg", lambda v: v ^ sign)]

        def flip(function, flush):
            result = []
            for v in one[0]:
                v = flushed(v, fmt) if flush else v
                result.append(exact.NAN_BITS[fmt] if decode(v, fmt) == exact.NAN else function(v))
            return result
        outputs = [(op, bits, f"{op}.{fmt} %{op}, %a;", flip(function, False)) for op, function in flips]
        if fmt in ("f32", "f16"):
            outputs += [(f"{op}ftz", bits, f"{op}.ftz.{fmt} %{op}ftz, %a;", flip(function, True)) for op, function in flips]
        program(f"abs-neg-{fmt}", f"Signs of {fmt}.", columns_to_inputs(one, bits), outputs, target)
        if fmt in ("f32", "f64"):
            program(f"copysign-{fmt}", "The first operand's sign with the second's magnitude.",
                    columns_to_inputs(columns, bits),
                    [("y", bits, f"copysign.{fmt} %y, %a, %b;", [a & sign | b & ~sign for a, b in zip(*columns)])])
        else:
            turned = [column[1:] + column[:1] for column in columns]
            inputs = columns_to_inputs([pack(*both) for both in zip(columns, turned)], "b32")
            outputs = []
            for op, greater in (("min", False), ("max", True)):
                for name, propagate in ((op, False), (f"{op}nan", True)):
                    result = float_values(fmt, columns, lambda a, b, g=greater, p=propagate: exact.extremum(a, b, g, p))
                    outputs.append((name, "b32", f"{op}{'.NaN' if propagate else ''}.{fmt}x2 %{name}, %a, %b;",
                                    pack(result, result[1:] + result[:1])))
            for op, function in flips:
                result = flip(function, False)
                outputs.append((op, "b32", f"{op}.{fmt}x2 %{op}, %a;", pack(result, result[1:] + result[:1])))
            program(f"min-max-abs-neg-{fmt}x2", f"Extrema and signs of pairs of {fmt}.", inputs, outputs, "sm_90")


def approximations():
    """Expected are the correctly rounded values; a GPU may be off by the tolerance."""
    f32 = FLOAT_SPECIALS["f32"][:12] + [encode(exact.number(Fraction(n, d)), "f32") for n, d in (
        (1, 2), (3, 2), (-3, 4), (5, 1), (-7, 1), (10, 3), (22, 7), (1, 10), (-1, 3), (99, 100), (25, 8), (41, 16),
        (-126, 1), (127, 1), (-149, 1), (1, 1024), (100, 1), (12345, 1000), (-5, 2), (63, 64))]
    for op, function, tolerance in (("ex2", exact.exp2, 3), ("lg2", exact.log2, 140),
                                    ("rcp", lambda a: exact.divide(("num", 0, Fraction(1)), a), 1),
                                    ("rsqrt", lambda a: exact.divide(("num", 0, Fraction(1)), exact.square_root(a))
                                     if a[0] != "num" or a[2] != 0 else ("inf", a[1]), 2),
                                    ("sqrt", exact.square_root, 3), ("tanh", exact.tanh, 200)):
        forms = [("y", f"{op}.approx.f32", False)]
        if op != "tanh":
            forms.append(("ftz", f"{op}.approx.ftz.f32", True))
        program(f"{op}-approx-f32", f"{op}.approx is the correctly rounded value here.", [("a", "b32", f32)],
                [(name, "b32", f"{opcode} %{name}, %a;", float_values("f32", [f32], function, "rn", flush))
                 for name, opcode, flush in forms], tolerance=tolerance)
    angles = [0, 0x80000000, 0x7F800000, 0x7FC00000] + [encode(exact.number(Fraction(n, 8)), "f32") for n in
                                                       (1, -2, 3, 5, -7, 9, 11, -14, 16, 18, 21, -23)]
    program("sin-cos-approx-f32", "sin and cos near zero.", [("a", "b32", angles)],
            [(op, "b32", f"{op}.approx.f32 %{op}, %a;",
              float_values("f32", [angles], lambda a, c=op == "cos": exact.sine(a, c)))
             for op in ("sin", "cos")], tolerance=40)
    for fmt in ("f16", "bf16"):
        values = FLOAT_SPECIALS[fmt] + [encode(exact.number(Fraction(n, 16)), fmt) for n in (3, -5, 8, 17, -40, 100, 33)]
        turned = values[1:] + values[:1]
        flush = ".ftz" if fmt == "bf16" else ""
        ex2 = float_values(fmt, [values], exact.exp2)
        tanh = float_values(fmt, [values], exact.tanh)
        program(f"ex2-tanh-{fmt}", f"Approximations on {fmt} and pairs of it.",
                [("a", "b16", values), ("b", "b32", pack(values, turned))],
                [("ex", "b16", f"ex2.approx{flush}.{fmt} %ex, %a;", ex2),
                 ("th", "b16", f"tanh.approx.{fmt} %th, %a;", tanh),
                 ("ex2", "b32", f"ex2.approx{flush}.{fmt}x2 %ex2, %b;", pack(ex2, ex2[1:] + ex2[:1])),
                 ("th2", "b32", f"tanh.approx.{fmt}x2 %th2, %b;", pack(tanh, tanh[1:] + tanh[:1]))],
                "sm_90", tolerance=1)
    columns = float_columns("f32", 2, seed=77)

    def approximate(a, b):
        big = b[0] == "num" and b[2] > Fraction(2) ** 126
        if big and exact.NAN not in (a, b):
            return exact.NAN if a[0] == "inf" else ("num", a[1] ^ b[1], Fraction(0))
        return exact.divide(a, b)
    program("div-approx-f32", "div.full is the rounded quotient; div.approx too, but 0 for divisors above 2^126.",
            columns_to_inputs(columns, "b32"),
            [("full", "b32", "div.full.f32 %full, %a, %b;", float_values("f32", columns, exact.divide)),
             ("fullftz", "b32", "div.full.ftz.f32 %fullftz, %a, %b;", float_values("f32", columns, exact.divide, "rn", True)),
             ("approx", "b32", "div.approx.f32 %approx, %a, %b;", float_values("f32", columns, approximate)),
             ("approxftz", "b32", "div.approx.ftz.f32 %approxftz, %a, %b;",
              float_values("f32", columns, approximate, "rn", True))], tolerance=2)
    f64 = [v for v in float_columns("f64", 1)[0] if v >> 52 & 0x7FF]
    upper = 0xFFFFFFFF00000000

    def upper_half(function):
        values = [encode(function(decode(v, "f64")), "f64", "rn", True) for v in f64]
        return [f"{v & upper:016x}" for v in values]
    program("approx-f64", "rcp.approx.ftz.f64 gives the upper half of the reciprocal.", [("a", "b64", f64)],
            [("rcp", "b64", "rcp.approx.ftz.f64 %rcp, %a;",
              [f"{v}~34359738368" for v in upper_half(lambda a: exact.divide(("num", 0, Fraction(1)), a))])])
