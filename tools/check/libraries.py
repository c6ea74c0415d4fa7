#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reports symbols that a shared library exports, or libraries that it needs, beyond what is agreed.

libtrowel.so carries a whole LLVM inside. If one of LLVM's symbols leaked, a process with another LLVM (a
graphics driver, a second compiler) would mix the two. And each library that it needs at run time is one
that a user's machine may lack, or have in another version.

Usage: libraries.py LIBRARY...
"""
import pathlib
import re
import subprocess
import sys

# Names as readelf prints them, without version: what Debian's base, a C++ program and LLVM's compression need.
NEEDED = {"libc.so", "libm.so", "libstdc++.so", "libgcc_s.so", "libz.so", "libzstd.so", "libtrowel_runtime.so",
          "ld-linux-x86-64.so", "ld-linux-aarch64.so"}
# trowel's own names, their type information, and instances of std templates on trowel's types (weak in each user too).
OWN = re.compile(r"^(typeinfo (name )?for |vtable for |guard variable for |VTT for |construction vtable for )?"
                 r"(non-virtual thunk to )?(\S.* )?trowel(::|_)")
FOREIGN = re.compile(r"\b(llvm|mlir|LLVM|fmt|nlohmann)\b|^LLVM|^mlir|^llvm")


def output_of(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def exported(library):
    for line in output_of("nm", "-D", "-C", "--defined-only", library).splitlines():
        parts = line.split(maxsplit=2)
        if len(parts) == 3 and parts[1] != "A":
            yield parts[2]


def needed(library):
    for name in re.findall(r"\(NEEDED\).*\[(.*?)\]", output_of("readelf", "-d", library)):
        yield name


def check(library):
    faults = []
    symbols = list(exported(library))
    for symbol in symbols:
        if FOREIGN.search(symbol.split("(")[0]) or not OWN.search(symbol):
            faults.append(f"{library}: exports '{symbol}', which is not trowel's: mark it hidden or fix the version script")
    if not any(symbol.startswith("trowel::") for symbol in symbols):
        faults.append(f"{library}: exports nothing of trowel's")
    names = list(needed(library))
    for name in names:
        if name.split(".so")[0] + ".so" not in NEEDED:
            faults.append(f"{library}: needs {name}, which a user's machine may not have")
    return faults, f"{pathlib.Path(library).name}: {len(symbols)} symbols, needs {' '.join(names)}"


def main():
    if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help"):
        sys.exit(__doc__)
    total = []
    for library in sys.argv[1:]:
        faults, summary = check(library)
        total += faults
        print(*faults[:20], sep="\n", end="\n" if faults else "")
        print(f"libraries: {summary}, " + (f"{len(faults)} faults" if faults else "no fault"))
    sys.exit(1 if total else 0)


if __name__ == "__main__":
    main()
