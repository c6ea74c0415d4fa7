# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes one program, and the vectors of values that programs are given."""
import pathlib
import random

import exact
from exact import decode

FOLDER = pathlib.Path(__file__).resolve().parent.parent
BITS = {"b8": 8, "b16": 16, "b32": 32, "b64": 64, "pred": 1}


def lines(kind, name, type_, values, suffix=""):
    digits = BITS[type_] // 4
    words = [v if isinstance(v, str) else f"{v:0{digits}x}{suffix}" for v in values]
    step = {2: 32, 4: 16, 8: 8, 16: 5}[digits]
    return [f"// {kind}: {name} {type_} " + " ".join(words[i:i + step]) for i in range(0, len(words), step)]


def program(name, claim, inputs, outputs, target="sm_80", version="7.8", tolerance=0):
    """inputs: (name, type, values); outputs: (name, type, code, values)."""
    count = len(inputs[0][2])
    assert 1 <= count <= 1024
    text = ["// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception", f"// {claim}",
            f"// RUN: trowel-run %s --block {count} --check"]
    for operand, type_, values in inputs:
        assert len(values) == count
        text += lines("in", operand, type_, values)
    for operand, type_, _, values in outputs:
        assert len(values) == count, name
        text += lines("out", operand, type_, values, f"~{tolerance}" if tolerance else "")
    text += [f".version {version}", f".target {target}", ".address_size 64", "", ".visible .entry k("]
    text.append(",\n".join(f"  .param .u64 {operand[0]}" for operand in [*inputs, *outputs]))
    text += [")", "{", "  .reg .pred %p<4>;", "  .reg .b16 %h<4>;", "  .reg .b32 %t<8>;", "  .reg .b64 %d<8>;",
             "  .reg .b32 %thread;", "  .reg .b64 %base, %at;"]
    for operand in [*inputs, *outputs]:
        text.append(f"  .reg .{operand[1]} %{operand[0]};")
    text.append("  mov.u32 %thread, %tid.x;")
    for operand, type_, _ in inputs:
        text += [f"  ld.param.u64 %base, [{operand}];", f"  mad.wide.u32 %at, %thread, {BITS[type_] // 8}, %base;",
                 f"  ld.global.{type_} %{operand}, [%at];"]
    for operand, type_, code, _ in outputs:
        text += [f"  {line.strip()}" for line in code.strip().split("\n")]
        text += [f"  ld.param.u64 %base, [{operand}];", f"  mad.wide.u32 %at, %thread, {BITS[type_] // 8}, %base;",
                 f"  st.global.{type_} [%at], %{operand};"]
    text += ["  ret;", "}"]
    (FOLDER / f"{name}.ptx").write_text("\n".join(text) + "\n")


def pairs(specials, width, extra, seed, arity=2):
    """Columns of vectors: specials against rotations of themselves, then random bits."""
    generator = random.Random(seed)
    columns = [[] for _ in range(arity)]
    for turn in range(3):
        for i in range(len(specials)):
            for column in range(arity):
                columns[column].append(specials[(i + turn * column * (column + 1) + turn * column) % len(specials)])
    for _ in range(extra):
        for column in columns:
            column.append(generator.getrandbits(width))
    return columns


def integer_specials(width):
    top = 1 << (width - 1)
    mask = 2 * top - 1
    return [0, 1, 2, 3, mask, mask - 1, top, top - 1, top + 1, 0x5555555555555555 & mask, 10, mask // 3, 1 << (width // 2)]


FLOAT_SPECIALS = {
    "f32": [0, 0x80000000, 0x3F800000, 0xBF800000, 0x00000001, 0x807FFFFF, 0x00800000, 0x7F7FFFFF, 0x7F800000,
            0xFF800000, 0x7FC00000, 0xFF812345, 0x40490FDB, 0xBEAAAAAB, 0x33800001, 0x4B800001],
    "f64": [0, 1 << 63, 0x3FF0000000000000, 0xBFF0000000000000, 1, 0x800FFFFFFFFFFFFF, 0x0010000000000000,
            0x7FEFFFFFFFFFFFFF, 0x7FF0000000000000, 0xFFF0000000000000, 0x400921FB54442D18, 0xBFD5555555555555,
            0x3CA0000000000001, 0x4340000000000001],
    "f16": [0, 0x8000, 0x3C00, 0xBC00, 0x0001, 0x83FF, 0x0400, 0x7BFF, 0x7C00, 0xFC00, 0x7E00, 0xFD23, 0x4248, 0xB555,
            0x1401, 0x6401],
    "bf16": [0, 0x8000, 0x3F80, 0xBF80, 0x0001, 0x807F, 0x0080, 0x7F7F, 0x7F80, 0xFF80, 0x7FC0, 0xFF93, 0x4049, 0xBEAB,
             0x3B81, 0x4381],
}


def float_columns(fmt, arity, extra=24, seed=1):
    """Specials, then random values of which half are within a few powers of two of each other, so that sums round."""
    width = exact.width(fmt)
    columns = pairs(FLOAT_SPECIALS[fmt], width, extra // 2, seed, arity)
    generator = random.Random(seed + 100)
    mantissa = exact.FORMATS[fmt][1]
    bias = (1 << (exact.FORMATS[fmt][0] - 1)) - 1
    for _ in range(extra):
        for column in columns:
            column.append(generator.getrandbits(1) << (width - 1) | (bias + generator.randint(-4, 4)) << mantissa |
                          generator.getrandbits(mantissa))
    if fmt == "f64":  # payloads of f64 NaNs are not part of what is promised
        columns = [[v if decode(v, fmt) != exact.NAN else 0x4008000000000000 for v in column] for column in columns]
    return columns


def columns_to_inputs(columns, type_):
    return [("abc"[i], type_, column) for i, column in enumerate(columns)]


def to_signed(value, width):
    value &= (1 << width) - 1
    return value - (1 << width) if value >> (width - 1) else value


def view(value, type_):
    width = int(type_[1:])
    return to_signed(value, width) if type_[0] == "s" else value & ((1 << width) - 1)


def clamp(value, type_):
    width = int(type_[1:])
    low, high = (-(1 << (width - 1)), (1 << (width - 1)) - 1) if type_[0] == "s" else (0, (1 << width) - 1)
    return max(low, min(high, value))


def truncating(a, b):
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def pack(low, high):
    return [h << 16 | l for l, h in zip(low, high)]
