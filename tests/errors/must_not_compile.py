#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles each file of must-not-compile/ and checks that it fails with the sentence it expects.

A file says what it expects in a comment `// expected: SENTENCE`. With no file named, all are tried. Each is compiled by
g++ and by clang++-22; a compiler that is missing is a failure, since users have either. `Control.cpp` beside this
script does the same things rightly and must compile, so that a broken header does not pass for a refusal.
"""
import argparse
import concurrent.futures
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
COMPILERS = ("g++", "clang++-22")
EXPECTED = re.compile(r"^// expected: (.+(?:\n// .+)*)$", re.MULTILINE)
# Lines that any reader must see without scrolling: the sentence is one of the first errors.
FIRST_ERRORS = 2


def compile_file(compiler, path):
    command = [compiler, "-std=c++20", "-fsyntax-only", "-I", str(ROOT / "runtime/include"),
               "-I", str(ROOT / "compiler/frontend/include"), str(path)]
    return subprocess.run(command, capture_output=True, text=True)


def complaint(compiler, path):
    """What is wrong with how the file fails; empty if nothing is."""
    if not shutil.which(compiler):
        return f"{compiler} was not found: tools/setup installs it"
    run = compile_file(compiler, path)
    if path.parent == HERE:
        return "" if run.returncode == 0 else f"does not compile:\n{run.stderr}"
    comment = EXPECTED.search(path.read_text())
    if not comment:
        return "has no comment `// expected: SENTENCE`"
    expected = comment.group(1).replace("\n// ", " ")
    if run.returncode == 0:
        return f"compiles, but should fail with: {expected}"
    errors = [line for line in run.stderr.splitlines() if re.search(r"\berror:", line)]
    if not any(expected in line for line in errors[:FIRST_ERRORS]):
        return f"expected: {expected}\namong the first {FIRST_ERRORS} errors of:\n" + "\n".join(errors)
    return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    everything = [HERE / "Control.cpp", *sorted(HERE.glob("must-not-compile/*.cpp"))]
    files = [path.resolve() for path in arguments.files] or everything
    cases = [(compiler, path) for path in files for compiler in COMPILERS]
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        complaints = list(pool.map(lambda case: complaint(*case), cases))
    failed = 0
    for (compiler, path), text in zip(cases, complaints):
        if text:
            failed += 1
            print(f"{path.relative_to(ROOT)}: {compiler}: {text}\n")
    print(f"must_not_compile: {len(cases) - failed} passed, {failed} failed, 0 skipped")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
