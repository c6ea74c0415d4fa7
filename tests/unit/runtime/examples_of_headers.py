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

ROOT = pathlib.Path(__file__).resolve().parents[3]
HEADERS = ROOT / "runtime/include"
LANGUAGE = ROOT / "compiler/frontend/include"
NAMES = ("Device", "Buffer", "PinnedBuffer", "Stream", "Launch", "Kernel", "AnyKernel", "Occupancy",
         "Benchmark", "PtxKernel", "Printed")
LINE = re.compile(r"^\s*///?   (\s*\S.*|)$")
PRELUDE = """
#include <trowel/trowel.h>
#include "runtime/base/KernelImage.h"
#include <cassert>
#include <cstdio>
using namespace trowel;
// What the examples take for granted: a kernel that is launched with whatever they have, the body of one, and a
// tensor of another library.
struct SomeKernel {
  template <class... Args> void launch(const Grid &grid, const Args &...args) {}
  template <class... Args> void launch(const Stream &stream, const Grid &grid, const Args &...args) {}
  std::string ptx(const std::string &, Assume = Assume::Typical) { return {}; }
  std::string stage(const std::string &, const std::string &, Assume = Assume::Typical) { return {}; }
  KernelImage image(const std::string &) { return {}; }
};
constexpr int block = 256;
inline auto body = [](Ptr<float> y) { store(y + iota(block), 1.0f); };
struct Tensor { void *data_ptr() const { return nullptr; } };
namespace c10::cuda { struct Current { void *stream() const { return nullptr; } }; Current getCurrentCUDAStream(); }
"""
PARAMETERS = {
    "device": "Device device", "host": "std::vector<float> host", "x": "Buffer<float> x", "y": "Buffer<float> y",
    "flags": "Buffer<bool> flags", "k": "SomeKernel k", "rows": "int64 rows", "columns": "int64 columns",
    "batch": "int64 batch", "offset": "int64 offset", "storage": "std::vector<float> storage",
    "stream": "const Stream &stream", "other": "const Stream &other", "begin": "Event &begin", "end": "Event &end",
    "copied": "Event &copied", "tensor": "Tensor tensor", "buffer": "const Buffer<float> &buffer",
    "pinned": "PinnedBuffer<float> &pinned", "n": "int64 n", "any": "AnyKernel any",
    "scale": "Kernel<Ptr<const float>, Ptr<float>, Scalar<float>> scale", "fill": "Kernel<Ptr<float>> fill",
    "timing": "BenchmarkResult timing", "count": "int64 count", "text": "std::string text",
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
    """Whether an example declares the name itself; a lambda's parameters are no names of the example's."""
    declaration = re.compile(rf"\b([A-Z]\w*(<[^>]*>)?|auto) (\w+(\(\w+\)| = [^;{{]*)?, )*{name}\b *[;=({{,]")
    return any(declaration.search(re.sub(r"\[[^]]*\]\([^)]*\)", "", line)) for line in block)


def main():
    text, count = PRELUDE, 0
    for name in NAMES:
        path = HEADERS / "trowel" / f"{name}.h"
        for start, block in examples(path):
            count += 1
            given = ", ".join(parameter for word, parameter in PARAMETERS.items() if not declares(block, word))
            text += f'void example{count}({given}) {{\n#line {start} "{path}"\n' + "\n".join(block) + "\n}\n"
    command = [sys.argv[1], "-std=c++20", "-fsyntax-only", "-Wall", "-Werror", "-Wno-unused", "-x", "c++",
               f"-I{HEADERS}", f"-I{LANGUAGE}", f"-I{ROOT}", "-"]
    status = subprocess.run(command, input=text, text=True).returncode
    print(f"{count} examples, compiled by {sys.argv[1]}: " + ("all do" if status == 0 else "not all do"))
    sys.exit(status or (0 if count else 1))


main()
