#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Installs a build into a new folder and uses it as a stranger would, with g++ and with clang++-22.

Each project beside this script is configured against the installed package, built and run on the software
device. Then the installation is moved and used again, and so is one of the component `runtime` alone. Besides:
no installed file holds a path of this machine, the libraries export and need what they may, and a wrong
version or component is refused with a sentence.

Usage: install.py --build FOLDER --source FOLDER [--with-compiler] [--with-assertions]
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
COMPILERS = ("g++", "clang++-22")
ENVIRONMENT = {**{name: value for name, value in os.environ.items() if not name.startswith(("LD_", "CMAKE_", "TROWEL_"))},
               "TROWEL_DEVICE": "sim"}


class Failure(Exception):
    pass


def run(*command, status=0):
    """The command's output; its end in another status is a failure that shows all of it."""
    done = subprocess.run([str(part) for part in command], env=ENVIRONMENT, text=True, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if (done.returncode == 0) != (status == 0):
        raise Failure(f"{' '.join(map(str, command))}\nended with status {done.returncode}:\n{done.stdout}")
    return done.stdout


def install(build, prefix, *options):
    run("cmake", "--install", build, "--prefix", prefix, *options)
    return prefix


def use(prefix, project, compiler, folder, *arguments):
    """Configures, builds and runs a project against the installation."""
    run("cmake", "-G", "Ninja", "-S", HERE / project, "-B", folder, f"-DCMAKE_CXX_COMPILER={compiler}",
        f"-DCMAKE_PREFIX_PATH={prefix}")
    run("cmake", "--build", folder)
    program = next(path for path in folder.iterdir() if path.name in ("runs-ptx", "writes-kernels"))
    output = run(program, *arguments)
    if "scaled on Trowel software device (sim)" not in output:
        raise Failure(f"{project} with {compiler} said:\n{output}")


def refusal(prefix, folder, request):
    """What CMake says to a project that asks for what is not there."""
    folder.mkdir()
    (folder / "CMakeLists.txt").write_text(
        f"cmake_minimum_required(VERSION 3.25)\nproject(Asks LANGUAGES NONE)\nfind_package({request})\n")
    text = run("cmake", "-S", folder, "-B", folder / "build", f"-DCMAKE_PREFIX_PATH={prefix}", status=1)
    return " ".join(text.split())


def expect(sentence, text):
    if sentence not in text:
        raise Failure(f"expected: {sentence}\nin: {text}")


def check_paths(prefix, foreign, with_assertions):
    """An assertion names its source by its path, so those programs are held to their search paths alone."""
    for path in (path for path in prefix.rglob("*") if path.is_file() and not path.is_symlink()):
        content = path.read_bytes()
        is_program = content.startswith(b"\x7fELF")
        if is_program:
            for where in re.findall(r"\((?:RPATH|RUNPATH)\).*\[(.*?)\]", run("readelf", "-d", path)):
                if any(not part.startswith("$ORIGIN") for part in where.split(":")):
                    raise Failure(f"{path} looks for libraries in {where}")
        for name in foreign:
            if str(name).encode() in content and not (is_program and with_assertions):
                raise Failure(f"{path} holds the path {name}")
        if path.suffix == ".cmake" and re.search(rb"LLVM|MLIR", content.replace(b"WITH LLVM-exception", b"")):
            raise Failure(f"{path} sends users to LLVM")


def check_headers(prefix):
    """Each header compiles alone, so none includes one of the component that is not there."""
    for header in sorted((prefix / "include/trowel").glob("*.h")):
        run("g++", "-std=c++20", "-fsyntax-only", "-x", "c++", "-include", header, "-I", prefix / "include", "/dev/null")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--with-compiler", action="store_true")
    parser.add_argument("--with-assertions", action="store_true")
    arguments = parser.parse_args()
    arguments.build, arguments.source = arguments.build.resolve(), arguments.source.resolve()
    for compiler in COMPILERS:
        if not shutil.which(compiler):
            raise Failure(f"{compiler} was not found: tools/setup installs it")
    with tempfile.TemporaryDirectory(prefix="trowel-install-") as temporary:
        folder = pathlib.Path(temporary).resolve()
        prefix = install(arguments.build, folder / "first")
        ptx = HERE / "with-runtime/scale.ptx"
        projects = [("with-runtime", ptx)] + ([("with-compiler",)] if arguments.with_compiler else [])
        for compiler in COMPILERS:
            for project, *words in projects:
                use(prefix, project, compiler, folder / f"{project}-{compiler}", *words)

        check_paths(prefix, [arguments.source, arguments.build, folder], arguments.with_assertions)
        libraries = sorted(path for path in (prefix / "lib").glob("*.so") if path.is_symlink())
        if len(libraries) != len(projects):
            raise Failure(f"installed libraries: {libraries}")
        run(sys.executable, arguments.source / "tools/check/libraries.py", *libraries)

        moved = folder / "elsewhere/trowel"
        moved.parent.mkdir()
        prefix.rename(moved)
        for project, *words in projects:
            use(moved, project, "g++", folder / f"{project}-moved", *words)
        expect("0.5 1 1.5", run(moved / "bin/trowel-run", ptx, "--args", "f32[4]:iota,f32[4]:zeros,f32=0.5,i64=4", "--print"))
        if arguments.with_compiler:
            expect("vector_add", run(moved / "bin/trowel-dump", "--list"))
            expect("tile", (moved / "share/doc/trowel/tile.md").read_text())
        expect("Apache", (moved / "share/doc/trowel/LICENSE").read_text())
        expect('requested version "0.2"', refusal(moved, folder / "newer", "Trowel 0.2 REQUIRED"))
        expect("Trowel's component 'gpu' is not installed here",
               refusal(moved, folder / "unknown", "Trowel 0.1 REQUIRED COMPONENTS gpu"))

        alone = install(arguments.build, folder / "alone", "--component", "runtime")
        check_headers(alone)
        use(alone, "with-runtime", "g++", folder / "with-runtime-alone", ptx)
        expect("Trowel's component 'compiler' is not installed here",
               refusal(alone, folder / "needs-compiler", "Trowel 0.1 REQUIRED"))
    print(f"install: {2 * len(projects) + len(projects) + 1} projects built and run, 0 faults")


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        sys.exit(f"install: {failure}")
