#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles each public header alone, with g++ and clang++-22, and what is written as users write with g++.

A header that compiles only after another one is a trap for users; so is one that drags in the standard
library's heavy headers. Examples and golden tests are built with clang; here g++ reads them too. The umbrella may preprocess to LINE_LIMIT lines. Its compile time with g++ -O0 is printed
beside the aim (0.6 s) but is no fault, because a busy machine would make one.
"""
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import time

import sources

FOLDERS = ("runtime/include", "compiler/frontend/include")
HEAVY = {"functional", "iostream", "ranges", "regex", "filesystem"}
UMBRELLA = "runtime/include/trowel/trowel.h"
USERS = ("examples/", "tests/golden/")
LINE_LIMIT = 60000
INCLUDE = re.compile(r"^\s*#\s*include\s*<([\w/]+)>")
OPTIONS = ["-std=c++20", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"]


def public_headers(root):
    return [path for path in sources.project_files(root)
            if path.endswith(".h") and path.startswith(tuple(folder + "/" for folder in FOLDERS))]


def spelled(path):
    return next(path[len(folder) + 1:] for folder in FOLDERS if path.startswith(folder + "/"))


def heavy_includes(root, path):
    for number, line in enumerate(sources.lines_of(root, path) or [], 1):
        found = INCLUDE.match(line)
        if found and found.group(1) in HEAVY:
            yield sources.fault(path, number, f"includes <{found.group(1)}>, which costs every user compile time")


def compile_alone(root, compiler, header):
    include = [option for folder in FOLDERS for option in ("-I", str(root / folder))]
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "alone.cpp"
        source.write_text(f"#include <{header}>\n#include <{header}>\n")
        return subprocess.run([compiler, *OPTIONS, *include, str(source)], capture_output=True, text=True)


def compile_as_user(root, source):
    """What examples and golden tests include besides the public headers is found from the root."""
    include = [option for folder in (*FOLDERS, "") for option in ("-I", str(root / folder))]
    return subprocess.run(["g++", *OPTIONS, "-Wno-unused-parameter", *include, str(root / source)],
                          capture_output=True, text=True)


def umbrella_cost(root, header):
    """(lines after preprocessing, seconds with g++ -O0) of a file that includes one header."""
    include = [option for folder in FOLDERS for option in ("-I", str(root / folder))]
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "user.cpp"
        source.write_text(f"#include <{header}>\nint main() {{}}\n")
        command = ["g++", "-std=c++20", *include, str(source)]
        text = subprocess.run(command + ["-E", "-P"], capture_output=True, text=True).stdout
        times = []
        for _ in range(3):
            start = time.monotonic()
            subprocess.run(command + ["-O0", "-c", "-o", os.devnull], capture_output=True)
            times.append(time.monotonic() - start)
    return text.count("\n"), min(times)


def check(root):
    faults, notes = [], []
    headers = public_headers(root)
    compilers = [name for name in ("g++", "clang++-22") if shutil.which(name)]
    for missing in {"g++", "clang++-22"} - set(compilers):
        faults.append(f"{missing} was not found: tools/setup installs it")
    def report(path, compiler, run):
        first = next((line for line in run.stderr.splitlines() if "error" in line), run.stderr.strip())
        return sources.fault(path, 1, f"does not compile {compiler}: {first}") if run.returncode else None

    for path in headers:
        faults.extend(heavy_includes(root, path))
    users = []
    if UMBRELLA in headers and "g++" in compilers:
        users = [path for path in sources.project_files(root) if path.startswith(USERS) and path.endswith(".cpp")]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = [pool.submit(lambda path=path, compiler=compiler: report(
            path, f"alone with {compiler}", compile_alone(root, compiler, spelled(path))))
            for path in headers for compiler in compilers]
        jobs += [pool.submit(lambda path=path: report(path, "with g++", compile_as_user(root, path))) for path in users]
        faults.extend(fault for fault in (job.result() for job in jobs) if fault)
    if UMBRELLA in headers and "g++" in compilers and not faults:
        lines, seconds = umbrella_cost(root, "trowel/trowel.h")
        notes.append(f"<trowel/trowel.h> preprocesses to {lines} lines (limit {LINE_LIMIT}) and costs "
                     f"{seconds:.2f} s with g++ -O0 (aim 0.60)")
        if lines > LINE_LIMIT:
            faults.append(sources.fault(UMBRELLA, 1, f"preprocesses to {lines} lines, more than {LINE_LIMIT}"))
    print(*notes, sep="\n", end="\n" if notes else "")
    return faults, f"{len(headers)} headers x {len(compilers)} compilers, {len(users)} users' sources"


if __name__ == "__main__":
    sources.main(check, __doc__.splitlines()[0])
