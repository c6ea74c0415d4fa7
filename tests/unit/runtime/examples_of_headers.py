#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles the examples in the comments of the runtime's public headers.

An example is a run of comment lines indented by three spaces. Each becomes the body of a function in which
the names that examples use (a device, buffers, a kernel) are declared; all of them are compiled once.

Usage: examples_of_headers.py COMPILER
"""
import pathlib
import re
import subprocess
import sys

HEADERS = pathlib.Path(__file__).resolve().parents[3] / "runtime/include"
NAMES = ("Device", "Buffer", "Stream", "Launch", "Benchmark", "PtxKernel")
LINE = re.compile(r"^\s*///?   (\S.*|)$")
PRELUDE = """
#include <trowel/Benchmark.h>
#include <trowel/Device.h>
#include <trowel/Launch.h>
#include <trowel/PtxKernel.h>
#include <trowel/Stream.h>
#include <cassert>
#include <cstdio>
using namespace trowel;
// What the examples take for granted: a kernel, and a tensor of another library.
struct AnyKernel {
  template <class... Args> void launch(const Grid &grid, const Args &...args) {}
  template <class... Args> void launch(const Stream &stream, const Grid &grid, const Args &...args) {}
};
struct Tensor { void *data_ptr() const { return nullptr; } };
namespace c10::cuda { struct Current { void *stream() const { return nullptr; } }; Current getCurrentCUDAStream(); }
"""
PARAMETERS = {
    "device": "Device device", "host": "std::vector<float> host", "x": "Buffer<float> x", "y": "Buffer<float> y",
    "flags": "Buffer<bool> flags", "k": "AnyKernel k", "rows": "int64 rows", "columns": "int64 columns",
    "batch": "int64 batch", "offset": "int64 offset", "storage": "std::vector<float> storage",
    "stream": "const Stream &stream", "begin": "Event &begin", "end": "Event &end", "tensor": "Tensor tensor",
    "buffer": "const Buffer<float> &buffer", "timing": "BenchmarkResult timing", "count": "int64 count",
    "scale": "const PtxKernel &scale", "text": "std::string text",
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


def declares(block, name):
    return any(re.search(rf"\b[A-Z]\w*(<[^>]*>)? (\w+(\(\w+\)| = [^;{{]*)?, )*{name}\b *[;=({{,]", line) for line in block)


def main():
    text, count = PRELUDE, 0
    for name in NAMES:
        path = HEADERS / "trowel" / f"{name}.h"
        for start, block in examples(path):
            count += 1
            given = ", ".join(parameter for word, parameter in PARAMETERS.items() if not declares(block, word))
            text += f'void example{count}({given}) {{\n#line {start} "{path}"\n' + "\n".join(block) + "\n}\n"
    command = [sys.argv[1], "-std=c++20", "-fsyntax-only", "-Wall", "-Werror", "-Wno-unused", "-x", "c++",
               f"-I{HEADERS}", "-"]
    status = subprocess.run(command, input=text, text=True).returncode
    print(f"{count} examples, compiled by {sys.argv[1]}: " + ("all do" if status == 0 else "not all do"))
    sys.exit(status or (0 if count else 1))


main()
