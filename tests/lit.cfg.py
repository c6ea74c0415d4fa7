# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""lit's settings for every suite under tests/.

`lit tests/lit` uses the programs of build/dev; `lit --param build=DIR tests/lit` those of another build
folder. A test may ask for a feature: `REQUIRES: compiler` (trowel-opt was built), `REQUIRES: gpu` (an NVIDIA
device is present).
"""
import os

import lit.formats

source = os.path.dirname(os.path.abspath(__file__))
build = os.path.abspath(lit_config.params.get("build", os.path.join(source, "..", "build", "dev")))
programs = os.path.join(build, "bin")

config.name = "trowel"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".ptx", ".ll", ".test"]
config.excludes = ["inputs", "Inputs"]
config.test_source_root = source
config.test_exec_root = os.path.join(build, "tests")

llvm = next((folder for folder in ("/usr/lib/llvm-22/bin",) if os.path.isdir(folder)), "")
config.environment["PATH"] = os.pathsep.join([programs, llvm, os.environ.get("PATH", "")])
# Results do not depend on the machine: a test that wants the GPU says so in its own RUN line.
config.environment["TROWEL_DEVICE"] = os.environ.get("TROWEL_DEVICE", "sim")
for name in ("HOME", "ASAN_OPTIONS", "TROWEL_LOG"):
    if name in os.environ:
        config.environment[name] = os.environ[name]

if os.path.exists(os.path.join(programs, "trowel-opt")):
    config.available_features.add("compiler")
if os.path.exists("/dev/nvidiactl"):
    config.available_features.add("gpu")
