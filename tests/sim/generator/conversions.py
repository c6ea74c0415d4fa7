# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs of cvt."""
from fractions import Fraction

import exact
from exact import decode, encode, flushed
from programs import FLOAT_SPECIALS, clamp, float_columns, integer_specials, pairs, program, to_signed, view


def integral(value, mode):
    """A finite value rounded to an integer."""
    units = exact.rounded(value[2], value[1], mode)
    return -units if value[1] else units


def float_to_integer(bits, fmt, type_, mode):
    value = decode(bits, fmt)
    width = int(type_[1:])
    if value == exact.NAN:
        wide = fmt == "f64" or width == 64
        return 1 << (width - 1) if wide else 0
    low, high = clamp(-(1 << 70), type_), clamp(1 << 70, type_)
    if value[0] == "inf":
        return low if value[1] else high
    return clamp(integral(value, mode), type_)


def conversions():
    integer_to_integer()
    for fmt in ("f32", "f64", "f16", "bf16"):
        bits = f"b{exact.width(fmt)}"
        values = float_columns(fmt, 1, seed=90)[0]
        mantissa = exact.FORMATS[fmt][1]
        for power in (7, 8, 15, 16, 31, 32, 63, 64):  # around the ends of the integer types
            for sign in (0, 1):
                edge = encode(("num", sign, Fraction(2) ** power), fmt)
                values += [edge, edge - 1, edge + 1] if decode(edge, fmt)[0] == "num" else [edge]
        halves_ = [encode(exact.number(Fraction(n, 2)), fmt) for n in (1, -1, 3, -3, 5, -5, 7)]
        values += halves_
        types = ("u16", "s16", "u32", "s32", "u64", "s64", "u8", "s8")
        if fmt == "bf16":
            types = types[:6]
        for type_ in types:
            width = int(type_[1:])
            store = f"b{max(width, 16)}"

            def expected(mode):
                result = [float_to_integer(v, fmt, type_, mode) for v in values]
                return [v & ((1 << int(store[1:])) - 1) if type_[0] == "s" else v for v in result]
            program(f"cvt-{type_}-{fmt}", f"{fmt} to {type_} in every rounding mode, clamped to the range.",
                    [("a", bits, values)],
                    [(mode, store, f"cvt.{mode}i.{type_}.{fmt} %{mode}, %a;", expected(mode)) for mode in ("rn", "rz", "rm", "rp")],
                    "sm_90" if fmt == "bf16" else "sm_80")
            if width == 8:
                continue
            integers_ = pairs(integer_specials(width), width, 30, width, 1)[0]
            integers_ += [v & ((1 << width) - 1) for v in ((1 << 24) + 1, (1 << 25) + 3, (1 << 53) + 1, (1 << 62) + (1 << 30),
                                                           0x7FFFFFBF, 0x7FFFFFC0, 2049, 65519, 65520, 257)]
            program(f"cvt-{fmt}-{type_}", f"{type_} to {fmt} in every rounding mode.", [("a", f"b{width}", integers_)],
                    [(mode, bits, f"cvt.{mode}.{fmt}.{type_} %{mode}, %a;",
                      [encode(exact.number(Fraction(view(v, type_))), fmt, mode) for v in integers_])
                     for mode in ("rn", "rz", "rm", "rp")],
                    "sm_90" if fmt == "bf16" else "sm_80")
    float_to_float()


def integer_to_integer():
    for width in (16, 32, 64):
        values = pairs(integer_specials(width), width, 12, width + 3, 1)[0]
        outputs = []
        for to in ("u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"):
            for source in (f"u{width}", f"s{width}"):
                if to == source:
                    continue
                to_width = int(to[1:])
                store = max(to_width, 16)
                name = f"{to}{source[0]}"
                values_plain = [view(view(v, source), to) & ((1 << store) - 1) for v in values]
                outputs.append((name, f"b{store}", f"cvt.{to}.{source} %{name}, %a;", values_plain))
                low, high = (clamp(x, to) for x in (clamp(-(1 << 70), source), clamp(1 << 70, source)))
                if (low, high) == (clamp(-(1 << 70), source), clamp(1 << 70, source)):
                    continue  # nothing to clamp: assemblers refuse .sat
                values_sat = [clamp(view(v, source), to) & ((1 << store) - 1) for v in values]
                outputs.append((f"{name}sat", f"b{store}", f"cvt.sat.{to}.{source} %{name}sat, %a;", values_sat))
        program(f"cvt-integer-{width}", f"{width}-bit integers to every width, cut, extended or clamped.",
                [("a", f"b{width}", values)], outputs)
    values = pairs(integer_specials(32), 32, 12, 3, 1)[0]
    program("cvt-integer-wide-registers", "A source is cut to its type, a result extended to its register.",
            [("a", "b32", values)],
            [("s8s", "b32", "cvt.s32.s8 %s8s, %a;", [to_signed(v, 8) & 0xFFFFFFFF for v in values]),
             ("u8s", "b32", "cvt.u32.u8 %u8s, %a;", [v & 255 for v in values]),
             ("s16s", "b64", "cvt.s64.s16 %s16s, %a;", [to_signed(v, 16) & 0xFFFFFFFFFFFFFFFF for v in values]),
             ("dst", "b32", "cvt.s8.s32 %dst, %a;", [to_signed(v, 8) & 0xFFFFFFFF for v in values]),
             ("dut", "b64", "cvt.u16.u32 %dut, %a;", [v & 0xFFFF for v in values])])


def float_to_float():
    modes = ("rn", "rz", "rm", "rp")
    f32 = float_columns("f32", 1, seed=3)[0]
    for fmt in ("f16", "bf16"):  # ties, and the ends of the ranges
        for bits in FLOAT_SPECIALS[fmt][:10] + [0x3C01, 0x03FF, 0x0002, 0x7BFE]:
            value = decode(bits, fmt)
            if value[0] != "num":
                continue
            mantissa = exact.FORMATS[fmt][1]
            step = (decode(bits + 1, fmt)[2] if decode(bits + 1, fmt)[0] == "num" else value[2] * 2) - value[2]
            for part in (Fraction(1, 2), Fraction(1, 2) + Fraction(1, 2 ** 8), Fraction(1, 4)):
                f32.append(encode(("num", value[1], value[2] + abs(step) * part), "f32"))
    f32 = f32[:160]
    f64 = float_columns("f64", 1, seed=4)[0]
    f64 += [encode(("num", s, Fraction(n, d) * Fraction(2) ** e), "f64") for s in (0, 1) for n, d, e in (
        (2 ** 25 + 1, 2 ** 25, 0), (2 ** 25 + 3, 2 ** 25, 0), (2 ** 50 + 2 ** 25 + 1, 2 ** 50, 3), (1, 1, -149), (1, 1, -150),
        (3, 2, -150), (1, 1, 128), (2 ** 25 - 1, 2 ** 25, 128), (1, 1, -127), (1, 3, 5))]
    outputs = [(mode, "b32", f"cvt.{mode}.f32.f64 %{mode}, %a;", [encode(decode(v, "f64"), "f32", mode) for v in f64])
               for mode in modes]
    outputs += [("sat", "b32", "cvt.rn.sat.f32.f64 %sat, %a;",
                 [encode(exact.saturated(decode(v, "f64")), "f32") for v in f64]),
                ("half", "b16", "cvt.rn.f16.f64 %half, %a;", [encode(decode(v, "f64"), "f16") for v in f64])]
    program("cvt-f32-f64", "f64 to f32 rounds once, in every mode.", [("a", "b64", f64)], outputs)
    # Ties of bf16 that a stop at f32 would make or break.
    ties = [encode(("num", s, (1 + Fraction(n, 2 ** 8) + Fraction(m, 2 ** 40)) * Fraction(2) ** e), "f64")
            for s in (0, 1) for n in (1, 3) for m in (-1, 0, 1) for e in (0, -126, -130, 127, 20)]
    program("cvt-bf16-f64", "f64 to bf16 rounds once.", [("a", "b64", f64 + ties)],
            [("y", "b16", "cvt.rn.bf16.f64 %y, %a;", [encode(decode(v, "f64"), "bf16") for v in f64 + ties])], "sm_90")
    plain = [v for v in f32 if decode(v, "f32") != exact.NAN]
    program("cvt-f64-f32", "f32 to f64 is exact.", [("a", "b32", plain)],
            [("y", "b64", "cvt.f64.f32 %y, %a;", [encode(decode(v, "f32"), "f64") for v in plain]),
             ("ftz", "b64", "cvt.ftz.f64.f32 %ftz, %a;", [encode(decode(flushed(v, "f32"), "f32"), "f64") for v in plain])])
    for fmt in ("f16", "bf16"):
        outputs = [(mode, "b16", f"cvt.{mode}.{fmt}.f32 %{mode}, %a;", [encode(decode(v, "f32"), fmt, mode) for v in f32])
                   for mode in (modes if fmt == "f16" else ("rn", "rz"))]

        def relu(value):
            return value if value == exact.NAN or not value[1] else ("num", 0, Fraction(0))
        outputs.append(("relu", "b16", f"cvt.rn.relu.{fmt}.f32 %relu, %a;",
                        [encode(relu(decode(v, "f32")), fmt) for v in f32]))
        program(f"cvt-{fmt}-f32", f"f32 to {fmt} rounds once, in every mode.", [("a", "b32", f32)], outputs)
        turned = f32[5:] + f32[:5]
        program(f"cvt-{fmt}x2-f32", "The first source goes to the upper half.", [("a", "b32", f32), ("b", "b32", turned)],
                [(name, "b32", f"cvt.{modifiers}.{fmt}x2.f32 %{name}, %a, %b;",
                  [encode(f(decode(a, "f32")), fmt, mode) << 16 | encode(f(decode(b, "f32")), fmt, mode)
                   for a, b in zip(f32, turned)])
                 for name, modifiers, mode, f in (("rn", "rn", "rn", lambda v: v), ("rz", "rz", "rz", lambda v: v),
                                                  ("relu", "rn.relu", "rn", relu))])
        every = FLOAT_SPECIALS[fmt][:10] + FLOAT_SPECIALS[fmt][12:] + [i * 2731 & 0xFFFF for i in range(40)]
        every = [v for v in every if decode(v, fmt) != exact.NAN]
        program(f"cvt-f32-{fmt}", f"{fmt} to f32 is exact.", [("a", "b16", every)],
                [("y", "b32", f"cvt.f32.{fmt} %y, %a;", [encode(decode(v, fmt), "f32") for v in every]),
                 *([("double", "b64", f"cvt.f64.{fmt} %double, %a;", [encode(decode(v, fmt), "f64") for v in every])]
                   if fmt == "f16" else [])])
    for fmt in ("f32", "f64", "f16"):
        bits = f"b{exact.width(fmt)}"
        values = float_columns(fmt, 1, seed=5)[0]
        values += [encode(exact.number(Fraction(n, 4)), fmt) for n in range(-13, 14)]

        def to_integral(v, mode, flush=False):
            value = decode(flushed(v, fmt) if flush else v, fmt)
            if value[0] != "num":
                return encode(value, fmt)
            return encode(("num", value[1], Fraction(abs(integral(value, mode)))), fmt)
        outputs = [(mode, bits, f"cvt.{mode}i.{fmt}.{fmt} %{mode}, %a;", [to_integral(v, mode) for v in values])
                   for mode in modes]
        if fmt == "f32":
            outputs += [("ftz", bits, "cvt.rpi.ftz.f32.f32 %ftz, %a;", [to_integral(v, "rp", True) for v in values]),
                        ("sat", bits, "cvt.sat.f32.f32 %sat, %a;",
                         [encode(exact.saturated(decode(v, fmt)), fmt) for v in values])]
        program(f"cvt-integral-{fmt}", f"{fmt} rounded to an integral value keeps the sign of zero.", [("a", bits, values)],
                outputs)
