#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that libtrowel_runtime.so needs nothing but libc, libm, libstdc++ and libgcc, and exports
only trowel's names, the type information of trowel::Error among them.

Usage: library.py libtrowel_runtime.so
"""
import re
import subprocess
import sys

NEEDED = {"libc.so.6", "libm.so.6", "libstdc++.so.6", "libgcc_s.so.1", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}
OWN = re.compile(r"(typeinfo for |typeinfo name for |vtable for )?trowel::|trowel_")


def output_of(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def main():
    library = sys.argv[1]
    needed = re.findall(r"\(NEEDED\).*\[(.*?)\]", output_of("readelf", "-d", library))
    symbols = [line.split(maxsplit=2)[2] for line in output_of("nm", "-DC", "--defined-only", library).splitlines()]
    faults = [f"needs {name}" for name in needed if name not in NEEDED]
    faults += [f"exports {symbol}" for symbol in symbols if not OWN.match(symbol)]
    faults += [f"does not export {wanted}" for wanted in ("typeinfo for trowel::Error", "trowel::Device::best(std::source_location)")
               if wanted not in symbols]
    print(*faults, sep="\n", end="\n" if faults else "")
    print(f"{len(symbols)} symbols, needs {' '.join(needed)}: {len(faults)} faults")
    sys.exit(1 if faults else 0)


main()
