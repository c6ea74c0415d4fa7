# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the checks share: which files belong to the project, and how a fault is reported.

The files are those that git tracks plus the untracked ones that it does not ignore; without git, all
below the root except build folders. A fault is one line "path:line: sentence", so that editors jump to it.
"""
import argparse
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def project_files(root):
    """Relative posix paths of the project's files, sorted."""
    try:
        listed = subprocess.run(
            ["git", "-c", "safe.directory=*", "-C", str(root), "ls-files", "-z", "--cached", "--others",
             "--exclude-standard"], capture_output=True, check=True).stdout
        paths = [os.fsdecode(path) for path in listed.split(b"\0") if path]
    except (OSError, subprocess.CalledProcessError):
        paths = [path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()]
        paths = [path for path in paths if not path.startswith(("build", ".git/"))]
    return sorted(path for path in set(paths) if (root / path).is_file())


def lines_of(root, path):
    """The lines of a text file; None for a binary one."""
    try:
        return (root / path).read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError:
        return None


def fault(path, line, sentence):
    return f"{path}:{line}: {sentence}" if line else f"{path}: {sentence}"


def main(check, description):
    """Runs check(root) -> (faults, summary) as a program."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--root", type=pathlib.Path, default=ROOT, help="the checkout (default: this one)")
    arguments = parser.parse_args()
    faults, summary = check(arguments.root.resolve())
    for line in faults:
        print(line)
    name = pathlib.Path(sys.argv[0]).stem
    print(f"{name}: {summary}, " + (f"{len(faults)} faults" if faults else "no fault"))
    sys.exit(1 if faults else 0)
