#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs clang-tidy-22 with the project's settings (.clang-tidy: LLVM's names, and a few kinds of slips).

It needs a build folder, for how each file is compiled, and seconds a file, so it is no part of the test suite:
run it on what changed. By default that is what differs from HEAD; --since COMMIT takes what differs from
that commit, --all every source that the build folder compiles.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import shutil
import subprocess
import sys

import sources


def compiled_sources(root, build):
    """Relative paths of the sources in the build folder's compile_commands.json that belong to the project."""
    commands = json.loads((build / "compile_commands.json").read_text())
    own = set(sources.project_files(root))
    paths = (pathlib.Path(command["directory"], command["file"]).resolve() for command in commands)
    return sorted({path.relative_to(root).as_posix() for path in paths if path.is_relative_to(root)} & own)


def changed_since(root, commit):
    git = ["git", "-c", "safe.directory=*", "-C", str(root)]
    tracked = subprocess.run(git + ["diff", "--name-only", commit], capture_output=True, text=True, check=True)
    fresh = subprocess.run(git + ["ls-files", "--others", "--exclude-standard"], capture_output=True, text=True)
    return set(tracked.stdout.split()) | set(fresh.stdout.split())


def tidy(program, root, build, path):
    run = subprocess.run([program, "-p", str(build), "--quiet", path], cwd=root, capture_output=True, text=True)
    lines = [line for line in run.stdout.splitlines() if ": warning: " in line or ": error: " in line]
    return [line.replace(f"{root}/", "") for line in lines]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=sources.ROOT / "build" / "dev",
                        help="a build folder (default: build/dev)")
    parser.add_argument("--since", default="HEAD", metavar="COMMIT", help="files that differ from COMMIT (default: HEAD)")
    parser.add_argument("--all", action="store_true", help="every source that the build folder compiles")
    parser.add_argument("files", nargs="*", help="only these files")
    arguments = parser.parse_args()
    program = shutil.which("clang-tidy-22")
    if program is None:
        sys.exit("tidy: clang-tidy-22 was not found: tools/setup installs it")
    if not (arguments.build / "compile_commands.json").exists():
        sys.exit(f"tidy: {arguments.build} has no compile_commands.json: configure it with cmake --preset dev")
    root, build = sources.ROOT, arguments.build.resolve()
    files = arguments.files or compiled_sources(root, build)
    if not arguments.files and not arguments.all:
        changed = changed_since(root, arguments.since)
        files = [path for path in files if path in changed]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        reports = list(pool.map(lambda path: tidy(program, root, build, path), files))
    # A header's warning comes once for each source that includes it.
    faults = sorted({line for report in reports for line in report})
    print(*faults, sep="\n", end="\n" if faults else "")
    print(f"tidy: {len(files)} files, " + (f"{len(faults)} faults" if faults else "no fault"))
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
