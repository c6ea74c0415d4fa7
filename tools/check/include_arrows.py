#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reports an #include (or a tablegen include) that points against the order of the folders.

The table LAYERS is the order: each row is a folder and the folders that it may include besides itself.
A public header belongs to the layer that implements it, whatever folder it lies in, which PUBLIC says.
A folder that no row covers is a fault too, so that a new one is placed deliberately.
"""
import re

import sources

BASE = ["runtime/base"]
RUNTIME = BASE + ["runtime/driver", "runtime/device", "runtime/sim", "runtime/cache", "runtime/capi"]
COMPILER = ["dialect/layout", "dialect", "compiler"]
PUBLIC_ALL = BASE + ["runtime/device", "compiler/frontend/include", "runtime/jit", "runtime/autotune"]
EVERYTHING = RUNTIME + COMPILER + ["compiler/frontend/include", "runtime/jit", "runtime/autotune",
                                   "examples/kernels", "tests/support", "tests/bench"]

# The longest matching folder decides. Order of rows: from what everyone may use to what uses everyone.
LAYERS = {
    "runtime/base": [],
    "runtime/driver": BASE,
    "runtime/device": BASE + ["runtime/driver", "runtime/sim/SimDriver.h"],
    "runtime/sim": BASE + ["runtime/driver"],
    "runtime/cache": BASE,
    "runtime/capi": RUNTIME,
    "dialect/layout": BASE,
    "dialect": BASE + ["dialect/layout"],
    "compiler/frontend/include": BASE,
    "compiler": BASE + ["dialect/layout", "dialect", "compiler/frontend/include"],
    "runtime/jit": RUNTIME + COMPILER + ["compiler/frontend/include"],
    "runtime/autotune": RUNTIME + COMPILER + ["compiler/frontend/include", "runtime/jit"],
    "examples/kernels": PUBLIC_ALL,
    "tests/support": PUBLIC_ALL,
    # Each lesson is also a test: it compares and times as the golden tests do.
    "examples": PUBLIC_ALL + ["examples/kernels", "tests/support"],
    # What the timing mode of the golden tests and trowel-bench time.
    "tests/bench": PUBLIC_ALL + ["examples/kernels", "tests/support"],
    "tests/golden": PUBLIC_ALL + ["examples/kernels", "tests/support", "tests/bench"],
    "tests": EVERYTHING,
    "tools": EVERYTHING,
    "cmake": [],
}

# Public headers of runtime/include/trowel and the layer each belongs to.
PUBLIC = {
    "Export": "runtime/base", "Error": "runtime/base", "Types": "runtime/base", "Report": "runtime/base",
    "Printed": "runtime/base",
    "Device": "runtime/device", "Buffer": "runtime/device", "Stream": "runtime/device",
    "Event": "runtime/device", "Launch": "runtime/device", "Benchmark": "runtime/device",
    "PinnedBuffer": "runtime/device", "Occupancy": "runtime/device",
    "PtxKernel": "runtime/device", "Kernel": "runtime/jit", "AnyKernel": "runtime/jit", "trowel": "runtime/jit",
    "Autotune": "runtime/autotune", "trowel_c": "runtime/capi",
}

# Folders in which neither LLVM nor MLIR exists.
WITHOUT_LLVM = ("runtime/base", "runtime/driver", "runtime/device", "runtime/sim", "runtime/cache",
                "runtime/capi", "runtime/include", "compiler/frontend/include", "dialect/layout",
                "examples", "tests/support", "tests/bench", "tests/golden")

# What users could have written: of the libraries they see the public headers only.
AS_A_USER = ("examples", "tests/support", "tests/bench", "tests/golden")
PUBLIC_FOLDERS = ("runtime/include/", "compiler/frontend/include/", "examples/kernels/", "tests/support/", "tests/bench/")

SUFFIXES = (".cpp", ".h", ".def", ".inc", ".td")
INCLUDE = re.compile(r'^\s*(?:#\s*include|include)\s*(["<])([^">]+)[">]')
TOP = ("compiler", "dialect", "runtime", "examples", "tests", "tools", "cmake")


def layer_of(path):
    """The row of LAYERS that a file belongs to, or None."""
    for folder in ("runtime/include/trowel/", "trowel/"):
        if path.startswith(folder):
            stem = path[len(folder):].rsplit(".", 1)[0]
            return PUBLIC.get(stem)
    parts = path.split("/")
    for length in range(len(parts) - 1, 0, -1):
        folder = "/".join(parts[:length])
        if folder in LAYERS:
            return folder
    return None


def resolve(root, path, kind, name):
    """The project's file that `name` means in `path`, or None if it is not of the project."""
    beside = path.rsplit("/", 1)[0] + "/" + name if "/" in path else name
    if name.startswith("trowel/"):
        for folder in ("compiler/frontend/include/", "runtime/include/"):
            if (root / folder / name).is_file():
                return folder + name
        return "runtime/include/" + name
    if name.split("/")[0] in TOP and "/" in name:
        return name
    if kind == '"' and (root / beside).is_file():
        return beside
    return None


def allowed(layer, target_layer, target):
    permitted = [layer] + LAYERS[layer]
    return target_layer in permitted or target in permitted


def check(root):
    faults, count = [], 0
    for path in sources.project_files(root):
        if not path.endswith(SUFFIXES) or path.split("/")[0] not in TOP:
            continue
        lines = sources.lines_of(root, path)
        if lines is None:
            continue
        count += 1
        layer = layer_of(path)
        if layer is None:
            faults.append(sources.fault(path, 0, "belongs to no layer: add its folder to LAYERS (or a public "
                                                 "header to PUBLIC) in tools/check/include_arrows.py"))
            continue
        for number, line in enumerate(lines, 1):
            found = INCLUDE.match(line)
            if not found:
                continue
            kind, name = found.groups()
            if name.startswith(("mlir/", "llvm/", "mlir-c/", "llvm-c/", "clang/")):
                if path.startswith(WITHOUT_LLVM):
                    faults.append(sources.fault(path, number, f"includes '{name}': this folder knows no LLVM; move "
                                                              "what needs it behind an interface in the compiler"))
                continue
            target = resolve(root, path, kind, name)
            if target is None:
                continue
            target_layer = layer_of(target)
            if target_layer is None:
                faults.append(sources.fault(path, number, f"includes '{name}', which belongs to no layer"))
            elif path.startswith(AS_A_USER) and target.rsplit("/", 1)[0] != path.rsplit("/", 1)[0] \
                    and not target.startswith(PUBLIC_FOLDERS):
                faults.append(sources.fault(path, number, f"includes '{name}', which is not a public header: "
                                                          f"{layer} is written as users write"))
            elif not allowed(layer, target_layer, target):
                permitted = ", ".join(LAYERS[layer]) or "nothing else"
                faults.append(sources.fault(path, number, f"includes '{name}' of {target_layer}: {layer} may include "
                                                          f"itself and {permitted}"))
    return faults, f"{count} files"


if __name__ == "__main__":
    sources.main(check, __doc__.splitlines()[0])
