# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs of comparison and selection."""
import exact
from exact import decode, flushed
from programs import (FLOAT_SPECIALS, columns_to_inputs, float_columns, integer_specials, pack, pairs, program,
                      to_signed, view)


RELATIONS = {"eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "lt": lambda a, b: a < b, "le": lambda a, b: a <= b,
             "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b}


def as_bits(code, result):
    return f"{code}\nselp.b32 %{result}, 1, 0, %p0;"


def comparisons():
    for width in (16, 32, 64):
        columns = pairs(integer_specials(width), width, 8, width, 2)
        outputs = []
        for type_ in (f"u{width}", f"s{width}"):
            for relation, function in RELATIONS.items():
                name = f"{relation}{type_[0]}"
                outputs.append((name, "b32", as_bits(f"setp.{relation}.{type_} %p0, %a, %b;", name),
                                [int(function(view(a, type_), view(b, type_))) for a, b in zip(*columns)]))
        for name, relation in (("lo", "lt"), ("ls", "le"), ("hi", "gt"), ("hs", "ge")):
            outputs.append((name, "b32", as_bits(f"setp.{name}.u{width} %p0, %a, %b;", name),
                            [int(RELATIONS[relation](a, b)) for a, b in zip(*columns)]))
        outputs.append(("eqb", "b32", as_bits(f"setp.eq.b{width} %p0, %a, %b;", "eqb"),
                        [int(a == b) for a, b in zip(*columns)]))
        program(f"setp-{width}", f"Comparing {width}-bit integers.", columns_to_inputs(columns, f"b{width}"), outputs)
    for fmt in ("f32", "f64", "f16", "bf16"):
        bits = f"b{exact.width(fmt)}"
        columns = float_columns(fmt, 2, seed=70)

        def compare(relation, a, b, flush=False):
            x, y = (decode(flushed(v, fmt) if flush else v, fmt) for v in (a, b))
            unordered = exact.NAN in (x, y)
            if relation == "num":
                return not unordered
            if relation == "nan":
                return unordered
            if unordered:
                return relation.endswith("u")
            key = [exact.order(v)[0] for v in (x, y)]
            return RELATIONS[relation.removesuffix("u") if relation not in RELATIONS else relation](*key)
        outputs = []
        for relation in [*RELATIONS, "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"]:
            outputs.append((relation, "b32", as_bits(f"setp.{relation}.{fmt} %p0, %a, %b;", relation),
                            [int(compare(relation, a, b)) for a, b in zip(*columns)]))
        if fmt == "f32":
            outputs.append(("ltftz", "b32", as_bits("setp.lt.ftz.f32 %p0, %a, %b;", "ltftz"),
                            [int(compare("lt", a, b, True)) for a, b in zip(*columns)]))
            outputs.append(("setu", "b32", "set.gtu.u32.f32 %setu, %a, %b;",
                            [0xFFFFFFFF * compare("gtu", a, b) for a, b in zip(*columns)]))
            outputs.append(("setf", "b32", "set.le.f32.f32 %setf, %a, %b;",
                            [0x3F800000 * compare("le", a, b) for a, b in zip(*columns)]))
        program(f"setp-{fmt}", f"Comparing {fmt}: ordered relations with a NaN are false, unordered ones true.",
                columns_to_inputs(columns, bits), outputs, "sm_90" if fmt == "bf16" else "sm_80")
        if fmt in ("f16", "bf16"):
            turned = [column[1:] + column[:1] for column in columns]
            inputs = columns_to_inputs([pack(*both) for both in zip(columns, turned)], "b32")
            low = [int(compare("lt", a, b)) for a, b in zip(*columns)]
            high = [int(compare("lt", a, b)) for a, b in zip(*turned)]
            program(f"setp-{fmt}x2", "Comparing pairs gives a predicate for the lower and one for the upper half.", inputs,
                    [("y", "b32", f"setp.lt.{fmt}x2 %p0|%p1, %a, %b;\nselp.b32 %y, 1, 0, %p0;\nselp.b32 %t0, 2, 0, %p1;\n"
                                  "or.b32 %y, %y, %t0;", [h * 2 | l for l, h in zip(low, high)])],
                    "sm_90")
    combine = [(a, b, c) for a in (1, 2) for b in (1, 2) for c in (0, 1)]
    a, b, c = ([row[i] for row in combine] for i in range(3))
    outputs = []
    for op, function in (("and", lambda x, y: x and y), ("or", lambda x, y: x or y), ("xor", lambda x, y: x != y)):
        for negated in (False, True):
            name = op + ("n" if negated else "")
            code = (f"setp.ne.u32 %p2, %c, 0;\nsetp.lt.{op}.s32 %p0|%p1, %a, %b, {'!' if negated else ''}%p2;\n"
                    f"selp.b32 %{name}, 1, 0, %p0;\nselp.b32 %t0, 2, 0, %p1;\nor.b32 %{name}, %{name}, %t0;")
            outputs.append((name, "b32", code, [
                int(bool(function(x < y, bool(z) != negated))) | 2 * int(bool(function(not x < y, bool(z) != negated)))
                for x, y, z in combine]))
    program("setp-combine", "A third predicate is combined with the comparison and with its opposite.",
            columns_to_inputs([a, b, c], "b32"), outputs)
    for width in (16, 32, 64):
        columns = pairs(integer_specials(width), width, 8, width, 2)
        choice = [i % 3 for i in range(len(columns[0]))]
        program(f"selp-{width}", "The first operand where the predicate holds.",
                [*columns_to_inputs(columns, f"b{width}"), ("c", "b32", choice)],
                [("y", f"b{width}", f"setp.ne.u32 %p0, %c, 0;\nselp.b{width} %y, %a, %b, %p0;",
                  [x if z else y for x, y, z in zip(*columns, choice)])])
    columns = pairs(integer_specials(32), 32, 8, 44, 2)
    control = FLOAT_SPECIALS["f32"] * 4
    control = control[:len(columns[0])]
    program("slct", "The first operand where the third is at least zero; a NaN takes the second.",
            [*columns_to_inputs(columns, "b32"), ("c", "b32", control)],
            [("s", "b32", "slct.b32.s32 %s, %a, %b, %c;", [x if to_signed(z, 32) >= 0 else y for x, y, z in zip(*columns, control)]),
             ("f", "b32", "slct.b32.f32 %f, %a, %b, %c;",
              [x if decode(z, "f32") != exact.NAN and exact.order(decode(z, "f32"))[0] >= 0 else y
               for x, y, z in zip(*columns, control)]),
             ("ftz", "b32", "slct.ftz.b32.f32 %ftz, %a, %b, %c;",
              [x if decode(z, "f32") != exact.NAN and exact.order(decode(flushed(z, "f32"), "f32"))[0] >= 0 else y
               for x, y, z in zip(*columns, control)])])
    for fmt in ("f32", "f64"):
        values = float_columns(fmt, 1, seed=9)[0]

        def has(property_, v):
            value = decode(v, fmt)
            finite = value[0] == "num"
            subnormal = finite and value[2] != 0 and flushed(v, fmt) & ~(1 << (exact.width(fmt) - 1)) == 0
            return {"finite": finite, "infinite": value[0] == "inf", "number": value != exact.NAN,
                    "notanumber": value == exact.NAN, "normal": finite and value[2] != 0 and not subnormal,
                    "subnormal": subnormal}[property_]
        program(f"testp-{fmt}", "Classes of floats.", [("a", f"b{exact.width(fmt)}", values)],
                [(p, "b32", as_bits(f"testp.{p}.{fmt} %p0, %a;", p), [int(has(p, v)) for v in values])
                 for p in ("finite", "infinite", "number", "notanumber", "normal", "subnormal")])
