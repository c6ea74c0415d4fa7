# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What PTX arithmetic should give, computed with integers and fractions.

Independent of the software device on purpose: no float of Python takes part. A value is ('nan',), ('inf', sign) or
('num', sign, magnitude) with a Fraction; `encode` rounds it once to a format in a given mode.
"""
from decimal import Decimal, getcontext
from fractions import Fraction
from math import isqrt

getcontext().prec = 80

FORMATS = {"f16": (5, 10), "bf16": (8, 7), "f32": (8, 23), "f64": (11, 52)}
NAN_BITS = {"f16": 0x7FFF, "bf16": 0x7FFF, "f32": 0x7FFFFFFF, "f64": 0xFFF8000000000000}
NAN = ("nan",)


def width(fmt):
    exponent, mantissa = FORMATS[fmt]
    return 1 + exponent + mantissa


def decode(bits, fmt):
    exponent_bits, mantissa_bits = FORMATS[fmt]
    sign = bits >> (exponent_bits + mantissa_bits) & 1
    exponent = bits >> mantissa_bits & ((1 << exponent_bits) - 1)
    mantissa = bits & ((1 << mantissa_bits) - 1)
    bias = (1 << (exponent_bits - 1)) - 1
    if exponent == (1 << exponent_bits) - 1:
        return NAN if mantissa else ("inf", sign)
    if exponent == 0:
        return ("num", sign, Fraction(mantissa) * Fraction(2) ** (1 - bias - mantissa_bits))
    return ("num", sign, Fraction(mantissa | 1 << mantissa_bits) * Fraction(2) ** (exponent - bias - mantissa_bits))


def rounded(fraction, sign, mode):
    """A non-negative fraction as an integer."""
    whole, rest = divmod(fraction.numerator, fraction.denominator)
    rest = Fraction(rest, fraction.denominator)
    up = {"rn": rest > Fraction(1, 2) or (rest == Fraction(1, 2) and whole & 1),
          "rz": False, "rm": rest != 0 and sign == 1, "rp": rest != 0 and sign == 0}[mode]
    return whole + bool(up)


def log2_floor(fraction):
    power = fraction.numerator.bit_length() - fraction.denominator.bit_length()
    while Fraction(2) ** power > fraction:
        power -= 1
    while Fraction(2) ** (power + 1) <= fraction:
        power += 1
    return power


def encode(value, fmt, mode="rn", flush=False):
    exponent_bits, mantissa_bits = FORMATS[fmt]
    infinity = ((1 << exponent_bits) - 1) << mantissa_bits
    top = exponent_bits + mantissa_bits
    if value[0] == "nan":
        return NAN_BITS[fmt]
    sign = value[1]
    if value[0] == "inf":
        return sign << top | infinity
    magnitude = value[2]
    if magnitude == 0:
        return sign << top
    bias = (1 << (exponent_bits - 1)) - 1
    exponent = max(log2_floor(magnitude), 1 - bias)
    units = rounded(magnitude / Fraction(2) ** (exponent - mantissa_bits), sign, mode)
    # With the hidden bit in place, adding to the exponent field carries by itself.
    bits = units + ((exponent + bias - 1) << mantissa_bits)
    if bits >= infinity:
        toward_zero = mode == "rz" or (mode == "rm" and sign == 0) or (mode == "rp" and sign == 1)
        bits = infinity - 1 if toward_zero else infinity
    if flush and bits < 1 << mantissa_bits:
        bits = 0
    return sign << top | bits


def flushed(bits, fmt):
    exponent_bits, mantissa_bits = FORMATS[fmt]
    if bits >> mantissa_bits & ((1 << exponent_bits) - 1):
        return bits
    return bits & 1 << (exponent_bits + mantissa_bits)


def signed(value):
    return -value[2] if value[1] else value[2]


def negated(value):
    return value if value[0] == "nan" else (value[0], 1 - value[1]) + value[2:]


def number(fraction, zero_sign=0):
    return ("num", zero_sign if fraction == 0 else int(fraction < 0), abs(fraction))


def add(a, b, mode="rn"):
    if NAN in (a, b):
        return NAN
    if a[0] == "inf" or b[0] == "inf":
        if a[0] == b[0] and a[1] != b[1]:
            return NAN
        return a if a[0] == "inf" else b
    total = signed(a) + signed(b)
    if total == 0:
        same = a[2] == 0 and b[2] == 0 and a[1] == b[1]
        return ("num", a[1] if same else int(mode == "rm"), Fraction(0))
    return number(total)


def multiply(a, b):
    if NAN in (a, b):
        return NAN
    sign = a[1] ^ b[1]
    if a[0] == "inf" or b[0] == "inf":
        other = b if a[0] == "inf" else a
        return NAN if other[0] == "num" and other[2] == 0 else ("inf", sign)
    return ("num", sign, a[2] * b[2])


def divide(a, b):
    if NAN in (a, b):
        return NAN
    sign = a[1] ^ b[1]
    if a[0] == "inf":
        return NAN if b[0] == "inf" else ("inf", sign)
    if b[0] == "inf":
        return ("num", sign, Fraction(0))
    if b[2] == 0:
        return NAN if a[2] == 0 else ("inf", sign)
    return ("num", sign, a[2] / b[2])


def square_root(a):
    if a == NAN:
        return NAN
    if a[0] == "num" and a[2] == 0:
        return a
    if a[1]:
        return NAN
    if a[0] == "inf":
        return a
    shift = 2400
    scaled = (a[2].numerator << shift) // a[2].denominator
    root = isqrt(scaled)
    exact = root * root == scaled and (scaled * a[2].denominator == a[2].numerator << shift)
    return ("num", 0, Fraction(root * 2 + (not exact), 2 << (shift // 2)))


def saturated(value):
    if value == NAN or value[1] or value == ("num", 0, 0):
        return ("num", 0, Fraction(0))
    if value[0] == "inf" or value[2] > 1:
        return ("num", 0, Fraction(1))
    return value


def order(value):
    """A key by which -0 is below +0 and infinities are at the ends."""
    if value[0] == "inf":
        return (Fraction(2) ** 2000 * (-1 if value[1] else 1), 0)
    return (signed(value), 0 if value[1] else 1)


def extremum(a, b, greater, propagate=False):
    if a == NAN or b == NAN:
        if propagate or a == b:
            return NAN
        return b if a == NAN else a
    return (max if greater else min)(a, b, key=order)


def to_decimal(fraction):
    return Decimal(fraction.numerator) / Decimal(fraction.denominator)


def from_decimal(value):
    return number(Fraction(value))


def exp2(a):
    if a == NAN:
        return NAN
    if a[0] == "inf":
        return ("num", 0, Fraction(0)) if a[1] else a
    if a[2] > 5000:
        return ("num", 0, Fraction(2) ** (-3000 if a[1] else 3000))
    return from_decimal(Decimal(2) ** to_decimal(signed(a)))


def log2(a):
    if a == NAN:
        return NAN
    if a[0] == "num" and a[2] == 0:
        return ("inf", 1)
    if a[1]:
        return NAN
    if a[0] == "inf":
        return a
    return from_decimal(to_decimal(a[2]).ln() / Decimal(2).ln())


def tanh(a):
    if a == NAN:
        return NAN
    if a[0] == "inf" or a[2] > 60:
        return ("num", a[1], Fraction(1)) if a[0] == "inf" else ("num", a[1], 1 - Fraction(1, 2 ** 90))
    if a[2] == 0:
        return a
    x = to_decimal(a[2])
    if a[2] < Fraction(1, 10 ** 20):  # x - x^3/3
        return ("num", a[1], a[2] * (1 - a[2] * a[2] / 3))
    power = (2 * x).exp()
    return ("num", a[1], Fraction((power - 1) / (power + 1)))


def sine(a, cosine=False):
    if a == NAN or a[0] == "inf":
        return NAN
    if a[2] == 0:
        return ("num", 0, Fraction(1)) if cosine else a
    x = to_decimal(signed(a))
    term = Decimal(1) if cosine else x
    total, k = term, 0 if cosine else 1
    while abs(term) > Decimal(10) ** -70:
        term = -term * x * x / ((k + 1) * (k + 2))
        total += term
        k += 2
    return from_decimal(total)
