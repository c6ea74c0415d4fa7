#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reports C++ that clang-format-22 would print differently; --fix prints it so.

By default every C++ file is read, which takes seconds; --changed [COMMIT] reads those that differ from a
commit (HEAD). Older clang-format versions break these sources differently, so only version 22 is accepted.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys

import sources

FAULT = re.compile(r"^(.*?):(\d+):\d+: error: ")


def formatter():
    for name in ("clang-format-22", "clang-format"):
        path = shutil.which(name)
        if path and " 22." in subprocess.run([path, "--version"], capture_output=True, text=True).stdout:
            return path
    return None


def changed_since(root, commit):
    git = ["git", "-c", "safe.directory=*", "-C", str(root)]
    tracked = subprocess.run(git + ["diff", "--name-only", commit], capture_output=True, text=True, check=True)
    fresh = subprocess.run(git + ["ls-files", "--others", "--exclude-standard"], capture_output=True, text=True)
    return set(tracked.stdout.split()) | set(fresh.stdout.split())


def check(root, program, files, fix):
    def one(path):
        options = ["-i"] if fix else ["--dry-run", "--Werror"]
        run = subprocess.run([program, "--style=file", *options, path], cwd=root, capture_output=True, text=True)
        lines = sorted({int(found.group(2)) for found in map(FAULT.match, run.stderr.splitlines()) if found})
        if lines:
            return sources.fault(path, lines[0], f"{len(lines)} lines are not as clang-format prints them: "
                                                 "run tools/check/format.py --fix")
        return sources.fault(path, 0, run.stderr.strip()) if run.returncode else None
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return [sentence for sentence in pool.map(one, files) if sentence]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=pathlib.Path, default=sources.ROOT, help="the checkout (default: this one)")
    parser.add_argument("--changed", nargs="?", const="HEAD", metavar="COMMIT", help="only files that differ from COMMIT")
    parser.add_argument("--fix", action="store_true", help="rewrite the files instead of reporting them")
    parser.add_argument("files", nargs="*", help="only these files")
    arguments = parser.parse_args()
    program = formatter()
    if program is None:
        sys.exit("format: clang-format-22 was not found: tools/setup installs it")
    root = arguments.root.resolve()
    files = [path for path in arguments.files or sources.project_files(root) if path.endswith((".cpp", ".h"))]
    if arguments.changed:
        changed = changed_since(root, arguments.changed)
        files = [path for path in files if path in changed]
    faults = check(root, program, files, arguments.fix)
    print(*faults, sep="\n", end="\n" if faults else "")
    print(f"format: {len(files)} files, " + (f"{len(faults)} faults" if faults else "no fault"))
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
