#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reports file names and words that the project does not use.

Names: C++ and tablegen files are CamelCase, as LLVM's are, and say what they hold (no Utils, Helper, Manager).
A program's own file may carry the program's name (trowel-opt/trowel-opt.cpp). Folders and tests of lit are kebab-case.
Words: unfinished work is an issue, not a comment; a path of somebody's machine works for nobody else.
"""
import re

import sources

CODE = (".cpp", ".h", ".td", ".def")
CAMEL = re.compile(r"[A-Z][A-Za-z0-9]*\.(cpp|h|td|def)")
KEBAB = re.compile(r"[a-z0-9]+([-.][a-z0-9]+)*\.(mlir|ptx|ll|test|cpp)")
EMPTY_NOUNS = re.compile(r"(Utils?|Utilit(y|ies)|Helpers?|Managers?|Misc|Common)(?=[A-Z.]|$)")
PUBLIC_EXCEPTIONS = {"runtime/include/trowel/trowel.h", "runtime/include/trowel/trowel_c.h"}
# Small inputs: one file an instruction, a pass or a mistake, named as a sentence.
KEBAB_FOLDERS = ("tests/lit/", "tests/sim/", "tests/errors/", "tests/install/")

UNFINISHED = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b")
MACHINE_PATH = re.compile(r"(?<![\w.$}/])/(home|root|work|Users|mnt|tmp)/\w")
# Files that speak about these words, and scripts that make temporary files by name.
MAY_SPEAK = ("tools/check/names.py", "tools/check/self_test.py", "LICENSE")


def name_fault(path):
    folder, _, name = path.rpartition("/")
    if path in PUBLIC_EXCEPTIONS or not name.endswith(CODE + (".mlir", ".ptx")):
        return None
    if EMPTY_NOUNS.search(name):
        return f"'{name}' says nothing about what it holds: name the thing (no Utils, Helper, Manager)"
    stem = name.rsplit(".", 1)[0]
    if stem == folder.rpartition("/")[2] or CAMEL.fullmatch(name):
        return None
    if path.startswith(KEBAB_FOLDERS):
        return None if KEBAB.fullmatch(name) else f"'{name}' is neither kebab-case nor CamelCase"
    return f"'{name}' is not CamelCase, as the files of this project are"


def check(root):
    faults, count = [], 0
    here = f"{root.parent}/" if root.parent != root.parent.parent else None
    for path in sources.project_files(root):
        count += 1
        sentence = name_fault(path)
        if sentence:
            faults.append(sources.fault(path, 0, sentence))
        if path in MAY_SPEAK:
            continue
        for number, line in enumerate(sources.lines_of(root, path) or [], 1):
            word = UNFINISHED.search(line)
            if word:
                faults.append(sources.fault(path, number, f"'{word.group()}': finish it, or file an issue"))
            if MACHINE_PATH.search(line) or (here and here in line):
                faults.append(sources.fault(path, number, "a path of one machine: make it relative to the project"))
    return faults, f"{count} files"


if __name__ == "__main__":
    sources.main(check, __doc__.splitlines()[0])
