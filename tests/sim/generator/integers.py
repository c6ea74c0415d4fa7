# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs of integer arithmetic, logic and bit fields."""
import random

from programs import clamp, columns_to_inputs, integer_specials, pairs, program, to_signed, truncating, view


def integer_program(name, width, forms, arity, claim, extra=16, target="sm_80", version="7.8"):
    """forms: (name, opcode, type, function of views, result width)."""
    columns = pairs(integer_specials(width), width, extra, width * 7 + arity, arity)
    outputs = []
    for output, opcode, type_, function, result in forms:
        operands = ", ".join(f"%{'abc'[i]}" for i in range(arity))
        values = [function(*(view(v, type_) for v in vector)) & ((1 << result) - 1) for vector in zip(*columns)]
        outputs.append((output, f"b{result}", f"{opcode} %{output}, {operands};", values))
    program(name, claim, columns_to_inputs(columns, f"b{width}"), outputs, target, version)


def integers():
    for w in (16, 32, 64):
        u, s = f"u{w}", f"s{w}"
        mask = (1 << w) - 1
        integer_program(f"add-sub-{w}", w, [
            ("add", f"add.{s}", s, lambda a, b: a + b, w),
            ("sub", f"sub.{u}", u, lambda a, b: a - b, w),
            *([("addsat", "add.sat.s32", s, lambda a, b: clamp(a + b, "s32"), w),
               ("subsat", "sub.sat.s32", s, lambda a, b: clamp(a - b, "s32"), w)] if w == 32 else [])],
            2, f"{w}-bit sums and differences wrap; .sat clamps.")
        integer_program(f"mul-{w}", w, [
            ("lo", f"mul.lo.{s}", s, lambda a, b: a * b, w),
            ("his", f"mul.hi.{s}", s, lambda a, b: a * b >> w, w),
            ("hiu", f"mul.hi.{u}", u, lambda a, b: a * b >> w, w),
            *([("wides", f"mul.wide.{s}", s, lambda a, b: a * b, 2 * w),
               ("wideu", f"mul.wide.{u}", u, lambda a, b: a * b, 2 * w)] if w < 64 else [])],
            2, f"The lower, upper and whole product of {w}-bit integers.")
        integer_program(f"mad-{w}", w, [
            ("lo", f"mad.lo.{u}", u, lambda a, b, c: a * b + c, w),
            ("his", f"mad.hi.{s}", s, lambda a, b, c: (a * b >> w) + c, w),
            ("hiu", f"mad.hi.{u}", u, lambda a, b, c: (a * b >> w) + c, w),
            *([("hisat", "mad.hi.sat.s32", s, lambda a, b, c: clamp((a * b >> 32) + c, "s32"), w)] if w == 32 else [])],
            3, f"{w}-bit multiply-add, lower and upper half.")
        if w < 64:
            columns = pairs(integer_specials(w), w, 16, w, 2)
            wide = pairs(integer_specials(2 * w), 2 * w, len(columns[0]) - 3 * len(integer_specials(2 * w)), w, 1)[0]
            outputs = [(f"wide{t[0]}", f"b{2 * w}", f"mad.wide.{t} %wide{t[0]}, %a, %b, %c;",
                        [(view(a, t) * view(b, t) + c) & ((1 << 2 * w) - 1) for a, b, c in zip(*columns, wide)])
                       for t in (u, s)]
            program(f"mad-wide-{w}", f"The whole product of {w}-bit integers plus a {2 * w}-bit one.",
                    [*columns_to_inputs(columns, f"b{w}"), ("c", f"b{2 * w}", wide)], outputs)
        integer_program(f"div-rem-{w}", w, [
            ("divu", f"div.{u}", u, lambda a, b: a // b if b else mask, w),
            ("divs", f"div.{s}", s, lambda a, b: truncating(a, b) if b else -1, w),
            ("remu", f"rem.{u}", u, lambda a, b: a % b if b else a, w),
            ("rems", f"rem.{s}", s, lambda a, b: a - b * truncating(a, b) if b else a, w)],
            2, f"{w}-bit division truncates; by zero it gives all ones and the dividend.")
        integer_program(f"min-max-{w}", w, [
            ("minu", f"min.{u}", u, min, w), ("maxu", f"max.{u}", u, max, w),
            ("mins", f"min.{s}", s, min, w), ("maxs", f"max.{s}", s, max, w)],
            2, f"Signed and unsigned {w}-bit minimum and maximum.")
        integer_program(f"abs-neg-{w}", w, [
            ("abs", f"abs.{s}", s, abs, w), ("neg", f"neg.{s}", s, lambda a: -a, w)],
            1, f"{w}-bit absolute value and negation; the least number stays.")
        integer_program(f"sad-{w}", w, [
            ("u", f"sad.{u}", u, lambda a, b, c: abs(a - b) + c, w),
            ("s", f"sad.{s}", s, lambda a, b, c: abs(a - b) + c, w)],
            3, f"The {w}-bit absolute difference plus a third operand.")
        b = f"b{w}"
        integer_program(f"logic-{w}", w, [
            ("and", f"and.{b}", u, lambda a, b: a & b, w), ("or", f"or.{b}", u, lambda a, b: a | b, w),
            ("xor", f"xor.{b}", u, lambda a, b: a ^ b, w)], 2, f"{w}-bit logic.")
        integer_program(f"not-{w}", w, [
            ("not", f"not.{b}", u, lambda a: ~a, w), ("cnot", f"cnot.{b}", u, lambda a: int(a == 0), w)],
            1, f"{w}-bit complement and logical not.")
        amounts = [0, 1, w // 2, w - 1, w, w + 1, 255, 0x80000000, 0xFFFFFFFF]
        values = integer_specials(w)
        columns = list(zip(*[(v, amounts[(i * 4 + turn) % len(amounts)]) for turn in range(3) for i, v in enumerate(values)]))
        program(f"shift-{w}", f"{w}-bit shifts by the width or more give 0 or the sign.",
                [("a", b, list(columns[0])), ("b", "b32", list(columns[1]))],
                [("shl", b, f"shl.{b} %shl, %a, %b;", [x << n & mask if n < w else 0 for x, n in zip(*columns)]),
                 ("shru", b, f"shr.{u} %shru, %a, %b;", [x >> n if n < w else 0 for x, n in zip(*columns)]),
                 ("shrs", b, f"shr.{s} %shrs, %a, %b;",
                  [(to_signed(x, w) >> min(n, w - 1)) & mask for x, n in zip(*columns)])])
        if w > 16:
            integer_program(f"count-{w}", w, [
                ("popc", f"popc.{b}", u, lambda a: bin(a).count("1"), 32),
                ("clz", f"clz.{b}", u, lambda a: w - a.bit_length(), 32),
                ("topu", f"bfind.{u}", u, lambda a: a.bit_length() - 1 if a else -1, 32),
                ("tops", f"bfind.{s}", s, lambda a: (a if a >= 0 else ~a).bit_length() - 1 if a not in (0, -1) else -1, 32),
                ("topshift", f"bfind.shiftamt.{u}", u, lambda a: w - a.bit_length() if a else -1, 32),
                ("brev", f"brev.{b}", u, lambda a: int(f"{a:0{w}b}"[::-1], 2), w)],
                1, f"Counting and reversing {w} bits.")
            fields(w)
    packed()
    carries()
    permutes()
    small_integers()


def fields(w):
    mask = (1 << w) - 1
    positions = [0, 1, 5, w - 1, w, 40, 255, 256, 0, 8]
    lengths = [0, 1, 7, w, 8, w - 1, 255, 3, 33, 16]
    values = integer_specials(w)
    vectors = [(v, values[(i + 5) % len(values)], positions[(i + turn) % 10], lengths[(i * 3 + turn * 7) % 10])
               for turn in range(3) for i, v in enumerate(values)]

    def extract(a, position, length, is_signed):
        position, length = position & 255, length & 255
        top = min(position + length - 1, w - 1)
        sign = a >> top & 1 if is_signed and length else 0
        return sum((a >> position + i & 1 if i < length and position + i < w else sign) << i for i in range(w))

    def insert(a, b, position, length):
        position, length = position & 255, length & 255
        for i in range(length):
            if position + i < w:
                b = b & ~(1 << position + i) | (a >> i & 1) << position + i
        return b & mask

    a, b, c, d = (list(column) for column in zip(*vectors))
    bits = f"b{w}"
    program(f"bit-field-{w}", f"Extracting and inserting {w}-bit fields, positions and lengths taken modulo 256.",
            [("a", bits, a), ("b", bits, b), ("c", "b32", c), ("n", "b32", d)],
            [("bfeu", bits, f"bfe.u{w} %bfeu, %a, %c, %n;", [extract(v[0], v[2], v[3], False) for v in vectors]),
             ("bfes", bits, f"bfe.s{w} %bfes, %a, %c, %n;", [extract(v[0], v[2], v[3], True) for v in vectors]),
             ("bfi", bits, f"bfi.b{w} %bfi, %a, %b, %c, %n;", [insert(*v) for v in vectors])])


def halves(word):
    return word & 0xFFFF, word >> 16


def packed():
    columns = pairs(integer_specials(32), 32, 16, 5, 2)

    def each(function, sign):
        def apply(a, b):
            parts = [function(*(to_signed(x, 16) if sign else x for x in pair)) & 0xFFFF
                     for pair in zip(halves(a), halves(b))]
            return parts[1] << 16 | parts[0]
        return [apply(a, b) for a, b in zip(*columns)]
    program("packed-16", "Two 16-bit integers in a word do not disturb each other.", columns_to_inputs(columns, "b32"),
            [("add", "b32", "add.u16x2 %add, %a, %b;", each(lambda a, b: a + b, False)),
             ("minu", "b32", "min.u16x2 %minu, %a, %b;", each(min, False)),
             ("maxu", "b32", "max.u16x2 %maxu, %a, %b;", each(max, False)),
             ("mins", "b32", "min.s16x2 %mins, %a, %b;", each(min, True)),
             ("maxs", "b32", "max.s16x2 %maxs, %a, %b;", each(max, True)),
             ("minr", "b32", "min.relu.s16x2 %minr, %a, %b;", each(lambda a, b: max(min(a, b), 0), True))],
            "sm_90", "8.0")
    program("relu-32", ".relu clamps a signed minimum or maximum at zero.", columns_to_inputs(columns, "b32"),
            [(op, "b32", f"{op}.relu.s32 %{op}, %a, %b;",
              [max(f(to_signed(a, 32), to_signed(b, 32)), 0) for a, b in zip(*columns)])
             for op, f in (("min", min), ("max", max))], "sm_90", "8.0")


def carries():
    for w in (32, 64):
        mask = (1 << w) - 1
        columns = pairs(integer_specials(w), w, 16, 9 + w, 3)
        add, sub, mad_low, mad_high = [], [], [], []
        for a, b, c in zip(*columns):
            carry = a + b >> w
            add.append((c + a + carry) & mask)
            borrow = int(a < b)
            sub.append((c - a - borrow) & mask)
            carry = ((a * b & mask) + c) >> w
            mad_low.append((a * b + c) & mask)
            mad_high.append(((a * b >> w) + a + carry) & mask)
        type_, bits = f"u{w}", f"b{w}"
        temporary = "%t0" if w == 32 else "%d0"
        program(f"carry-{w}", f"Carries and borrows go from one {w}-bit word to the next.", columns_to_inputs(columns, bits),
                [("add", bits, f"add.cc.{type_} {temporary}, %a, %b;\naddc.{type_} %add, %c, %a;", add),
                 ("sub", bits, f"sub.cc.{type_} {temporary}, %a, %b;\nsubc.{type_} %sub, %c, %a;", sub),
                 ("low", bits, f"mad.lo.cc.{type_} %low, %a, %b, %c;", mad_low),
                 ("high", bits, f"mad.lo.cc.{type_} {temporary}, %a, %b, %c;\nmadc.hi.{type_} %high, %a, %b, %a;",
                  mad_high)])


def permutes():
    columns = pairs(integer_specials(32), 32, 16, 21, 2)
    generator = random.Random(3)
    selectors = [0x3210, 0x7654, 0x0123, 0xFEDC, 0x8888, 0x5410, 0x7632]
    selectors += [generator.getrandbits(16) for _ in range(len(columns[0]) - len(selectors))]

    def select(a, b, selector):
        source = b << 32 | a
        result = 0
        for i in range(4):
            nibble = selector >> 4 * i & 15
            byte = source >> 8 * (nibble & 7) & 255
            if nibble & 8:
                byte = 255 if byte & 128 else 0
            result |= byte << 8 * i
        return result

    tables = {  # result byte 3 to byte 0, as source bytes, for c = 0, 1, 2, 3
        "f4e": ["3210", "4321", "5432", "6543"], "b4e": ["5670", "6701", "7012", "0123"],
        "rc8": ["0000", "1111", "2222", "3333"], "ecl": ["3210", "3211", "3222", "3333"],
        "ecr": ["0000", "1110", "2210", "3210"], "rc16": ["1010", "3232", "1010", "3232"]}
    modes = [i & 3 for i in range(len(selectors))]
    inputs = [*columns_to_inputs(columns, "b32"), ("c", "b32", selectors), ("m", "b32", modes)]
    rows = list(zip(*columns, selectors, modes))
    program("prmt", "Bytes picked by selectors, with sign replication, and the named modes.", inputs,
            [("y", "b32", "prmt.b32 %y, %a, %b, %c;", [select(a, b, c) for a, b, c, _ in rows]),
             *[(mode, "b32", f"prmt.b32.{mode} %{mode}, %a, %b, %m;",
                [select(a, b, int(table[m], 16)) for a, b, _, m in rows]) for mode, table in tables.items()]])


def small_integers():
    columns = pairs(integer_specials(32), 32, 16, 31, 3)

    def low24(value, sign):
        value &= 0xFFFFFF
        return value - (1 << 24) if sign and value >> 23 else value
    rows = list(zip(*columns))
    program("mul24", "Products of the lower 24 bits, bits 0 to 31 and 16 to 47.", columns_to_inputs(columns, "b32"),
            [(f"{op}{half}{t[0]}", "b32",
              f"{op}.{half}.{t} %{op}{half}{t[0]}, %a, %b{', %c' if op == 'mad24' else ''};",
              [((low24(a, t == 's32') * low24(b, t == 's32') >> (16 if half == 'hi' else 0)) +
                (c if op == 'mad24' else 0)) & 0xFFFFFFFF for a, b, c in rows])
             for op in ("mul24", "mad24") for half in ("lo", "hi") for t in ("u32", "s32")])
    tables = [0x96, 0xE8, 0xCA, 0x00, 0xFF, 0x3C, 0x80, 0x01]
    program("lop3", "Any function of three bits by its table.", columns_to_inputs(columns, "b32"),
            [(f"lut{t:02x}", "b32", f"lop3.b32 %lut{t:02x}, %a, %b, %c, 0x{t:02x};",
              [sum((t >> ((a >> i & 1) << 2 | (b >> i & 1) << 1 | (c >> i & 1)) & 1) << i for i in range(32))
               for a, b, c in rows]) for t in tables])
    amounts = [0, 1, 31, 32, 33, 63, 255, 16, 7, 0xFFFFFFFF]
    n = [amounts[i % 10] for i in range(len(rows))]

    def funnel(a, b, amount, left, wrap):
        amount = amount & 31 if wrap else min(amount, 32)
        pair = b << 32 | a
        return (pair << amount >> 32 if left else pair >> amount) & 0xFFFFFFFF
    program("shf", "A 64-bit funnel shifted left keeps the upper half, right the lower.",
            [*columns_to_inputs(columns[:2], "b32"), ("n", "b32", n)],
            [(f"{d}{m}", "b32", f"shf.{d}.{m}.b32 %{d}{m}, %a, %b, %n;",
              [funnel(a, b, k, d == "l", m == "wrap") for (a, b, _), k in zip(rows, n)])
             for d in "lr" for m in ("wrap", "clamp")])

    def dot(a, b, c, ta, tb):
        total = c
        for i in range(4):
            x, y = a >> 8 * i & 255, b >> 8 * i & 255
            total += (to_signed(x, 8) if ta == "s32" else x) * (to_signed(y, 8) if tb == "s32" else y)
        return total & 0xFFFFFFFF
    program("dp4a", "The sum of four products of bytes.", columns_to_inputs(columns, "b32"),
            [(f"{ta[0]}{tb[0]}", "b32", f"dp4a.{ta}.{tb} %{ta[0]}{tb[0]}, %a, %b, %c;",
              [dot(a, b, c, ta, tb) for a, b, c in rows]) for ta in ("u32", "s32") for tb in ("u32", "s32")])
