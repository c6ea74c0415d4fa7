#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles the examples in the comments of the public headers.

An example is a run of comment lines indented by three spaces. Each becomes the body of a function whose
parameters are the names that examples take for granted (a device, buffers, a tile); an example may declare
them anew. All examples of a side are compiled at once.

Usage: examples_of_headers.py (runtime|language) COMPILER
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
RUNTIME = ROOT / "runtime/include"
LANGUAGE = ROOT / "compiler/frontend/include"
LINE = re.compile(r"^\s*///?   (\s*\S.*|)$")

PRELUDE = """
#include <trowel/trowel.h>
#include "runtime/base/KernelImage.h"
#include <cassert>
#include <cmath>
#include <cstdio>
using namespace trowel;
constexpr int block = 256;
inline auto body = [](Ptr<float> y) { store(y + iota(block), 1.0f); };
// A kernel that is launched with whatever an example has, and a tensor of another library.
struct SomeKernel {
  template <class... Args> void launch(const Grid &grid, const Args &...args) {}
  template <class... Args> void launch(const Stream &stream, const Grid &grid, const Args &...args) {}
  std::string ptx(const std::string &, Assume = Assume::Typical) { return {}; }
  std::string stage(const std::string &, const std::string &, Assume = Assume::Typical) { return {}; }
  KernelImage image(const std::string &) { return {}; }
};
struct Tensor { void *data_ptr() const { return nullptr; } };
namespace c10::cuda { struct Current { void *stream() const { return nullptr; } }; Current getCurrentCUDAStream(); }
"""

RUNTIME_HEADERS = ("Device", "Buffer", "PinnedBuffer", "Stream", "Launch", "Kernel", "AnyKernel", "Occupancy",
                   "Benchmark", "PtxKernel", "Printed")
RUNTIME_NAMES = {
    "device": "Device", "host": "std::vector<float>", "x": "Buffer<float>", "y": "Buffer<float>",
    "flags": "Buffer<bool>", "k": "SomeKernel", "rows": "int64", "columns": "int64", "batch": "int64",
    "offset": "int64", "storage": "std::vector<float>", "stream": "const Stream &", "other": "const Stream &",
    "begin": "Event &", "end": "Event &", "copied": "Event &", "tensor": "Tensor", "buffer": "const Buffer<float> &",
    "pinned": "PinnedBuffer<float> &", "n": "int64", "any": "AnyKernel",
    "scale": "Kernel<Ptr<const float>, Ptr<float>, Scalar<float>>", "fill": "Kernel<Ptr<float>>",
    "timing": "BenchmarkResult", "count": "int64", "text": "std::string",
}

LANGUAGE_HEADERS = ("Control", "Elementwise", "Handle", "Hint", "InlinePtx", "KernelSource", "Library", "Math",
                    "Memory", "Operations", "Print", "Program", "Random", "Shape", "Value")
LANGUAGE_NAMES = {
    "v": "Tile<float>", "a": "Tile<float>", "b": "Tile<float>", "c": "Tile<float>", "d": "Tile<float>",
    "t": "Tile<float>", "sum": "Tile<float>", "total": "Tile<float>", "half": "Tile<bf16>",
    "s": "Scalar<float>", "scale": "Scalar<float>", "slope": "Scalar<float>", "largest": "Scalar<float>",
    "x": "Ptr<const float>", "y": "Ptr<float>", "scales": "Ptr<const float>", "rowStarts": "Ptr<const int64>",
    "n": "Index", "row": "Index", "rows": "Index", "columns": "Index", "start": "Index",
    "column": "Tile<int32>", "last": "Scalar<int32>", "count": "Scalar<int32>", "seed": "Scalar<int64>",
    "inside": "Tile<bool>", "isnan": "Tile<bool>", "low": "Tile<uint32>", "high": "Tile<uint32>",
    "word": "Tile<uint32>", "key": "Tile<uint32>",
}
# Where a header's examples mean something else.
LANGUAGE_EXCEPTIONS = {
    "InlinePtx": {"a": "Tile<int32>", "b": "Tile<int32>"},
    "Random": {"columns": "Scalar<int32>"},
}

SIDES = {
    "runtime": (RUNTIME, RUNTIME_HEADERS, RUNTIME_NAMES, {}),
    "language": (LANGUAGE, LANGUAGE_HEADERS, LANGUAGE_NAMES, LANGUAGE_EXCEPTIONS),
}


def examples(path):
    block, start = [], 0
    for number, line in enumerate(path.read_text().splitlines() + [""], 1):
        found = LINE.match(line)
        if found and (block or found.group(1)):
            start = start if block else number
            block.append(found.group(1))
        elif block:
            yield start, block
            block = []


def main():
    folder, headers, names, exceptions = SIDES[sys.argv[1]]
    compiler = sys.argv[2]
    text, count = PRELUDE, 0
    for header in headers:
        path = folder / "trowel" / f"{header}.h"
        given = ", ".join(f"{type} {name}" for name, type in {**names, **exceptions.get(header, {})}.items())
        for start, block in examples(path):
            count += 1
            # The inner block lets an example declare a parameter's name.
            text += f'void example{count}({given}) {{ {{\n#line {start} "{path}"\n' + "\n".join(block) + "\n} }\n"
    command = [compiler, "-std=c++20", "-fsyntax-only", "-Wall", "-Werror", "-Wno-unused", "-x", "c++",
               f"-I{RUNTIME}", f"-I{LANGUAGE}", f"-I{ROOT}", "-"]
    status = subprocess.run(command, input=text, text=True).returncode
    print(f"{count} examples, compiled by {compiler}: " + ("all do" if status == 0 else "not all do"))
    sys.exit(status or (0 if count else 1))


main()
