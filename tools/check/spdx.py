#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reports a source without the licence line.

C++ and tablegen start with it; scripts and CMake files have it in the first three lines, after `#!`. Test
inputs (.mlir, .ptx), pages and data carry none: their first lines belong to the tools that read them.
"""
import sources

TEXT = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"
FIRST_LINE = (".cpp", ".h", ".def", ".td", ".inc")
FIRST_THREE = (".py", ".sh", ".cmake", "CMakeLists.txt")


def is_script(lines):
    return bool(lines) and lines[0].startswith("#!")


def check(root):
    faults, count = [], 0
    for path in sources.project_files(root):
        lines = sources.lines_of(root, path)
        if not lines:
            continue
        if path.endswith(FIRST_LINE):
            count += 1
            if lines[0] != "// " + TEXT:
                faults.append(sources.fault(path, 1, f"the first line must be '// {TEXT}'"))
        elif path.endswith(FIRST_THREE) or is_script(lines):
            count += 1
            if "# " + TEXT not in lines[:3]:
                faults.append(sources.fault(path, 1, f"one of the first three lines must be '# {TEXT}'"))
    return faults, f"{count} sources"


if __name__ == "__main__":
    sources.main(check, __doc__.splitlines()[0])
