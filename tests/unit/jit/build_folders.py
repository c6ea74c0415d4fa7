#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds one program in two folders and with two compilers, and compares the PTX that each prints.

PTX names source files, and C++ leaves the order of evaluation to the compiler; neither may show. With
TROWEL_SOURCE_ROOT the names keep what lies below each build's own root.

Usage: build_folders.py LIBRARY_FOLDER COMPILER...
"""
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
HEADER = """
#pragma once
#include <trowel/trowel.h>
inline trowel::Tile<float> halved(const trowel::Tile<float> &x) { return tanh(x) * 0.5f; }
"""
PROGRAM = """
#include "library/Halved.h"
#include <cstdio>
using namespace trowel;
int main() {
  auto k = kernel("mean", [](Ptr<const float> x, Ptr<const float> y, Ptr<float> z, Index n) {
    Tile<int64> i = programId(0) * 256 + iota(256);
    for (Index k : range(0, n, 64))
      store(z + i + k, halved(load(x + i, i < n) + load(y + i, i < n)) - exp(load(x + k)), i + k < n);
  });
  std::fputs(k.ptx("sm_90a").c_str(), stdout);
}
"""


def printed(folder, compiler, libraries):
    """The PTX of the program, built below `folder` with the compiler, without and with a source root."""
    source = folder / "project"
    (source / "library").mkdir(parents=True, exist_ok=True)
    (source / "library/Halved.h").write_text(HEADER)
    (source / "Mean.cpp").write_text(PROGRAM)
    program = folder / "program"
    subprocess.run([compiler, "-std=c++20", "-O0", "-I", source, "-I", ROOT / "runtime/include", "-I",
                    ROOT / "compiler/frontend/include", source / "Mean.cpp", "-L", libraries, "-ltrowel",
                    "-ltrowel_runtime", "-o", program], check=True)
    environment = {**os.environ, "LD_LIBRARY_PATH": str(libraries)}
    environment.pop("TROWEL_SOURCE_ROOT", None)
    rooted = {**environment, "TROWEL_SOURCE_ROOT": str(source)}
    return [subprocess.run([program], env=env, check=True, capture_output=True, text=True).stdout
            for env in (environment, rooted)]


def main():
    libraries, compilers = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2:]
    with tempfile.TemporaryDirectory() as scratch:
        builds = [(pathlib.Path(scratch) / folder, compiler)
                  for compiler, folder in zip([compilers[0], *compilers], ["here", "there/deep", "other"])]
        texts = [printed(folder, compiler, libraries) for folder, compiler in builds]
        for (folder, compiler), text in zip(builds, texts):
            assert text == texts[0], f"{folder} with {compiler} prints other PTX than {builds[0][0]}"
        plain, rooted = texts[0]
        assert scratch not in plain + rooted, "the PTX names the folder of the build"
        assert '.file\t1 "Mean.cpp"' in plain and '"Halved.h"' in plain, plain
        assert '"library/Halved.h"' in rooted, rooted
    print(f"build_folders: {len(texts)} builds print the same PTX")


if __name__ == "__main__":
    main()
