#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the arithmetic programs and those of warps of this folder: `tests/sim/generate.py` rewrites them in place.

Each program gives every lane one vector of inputs and stores one result for each form of an opcode. The expected bits
come from generator/exact.py and from Python's integers, never from a device. Programs about memory, control flow and
special registers are written by hand and not touched here.
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "generator"))

import comparisons  # noqa: E402
import conversions  # noqa: E402
import floats  # noqa: E402
import integers  # noqa: E402
import warps  # noqa: E402

if __name__ == "__main__":
    integers.integers()
    floats.floats()
    conversions.conversions()
    comparisons.comparisons()
    warps.warps()
