#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plants one fault of each kind in a small tree and sees that the check reports it, and nothing else.

A check that stays silent is worth less than none: it is believed. So each test starts from a tree without
faults, adds one, and compares the report with that one line.
"""
import pathlib
import shutil
import subprocess
import tempfile
import unittest

import format as formatting
import include_arrows
import libraries
import links
import names
import public_headers
import spdx

SPDX = "// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n"


class Tree(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.folder.name)
        self.write("runtime/base/Result.h", SPDX + "#pragma once\n")
        self.write("runtime/include/trowel/Error.h", SPDX + "#pragma once\n#include <exception>\n")
        self.write("dialect/layout/LinearLayout.h", SPDX + '#pragma once\n#include "runtime/base/Result.h"\n')
        self.write("compiler/Pipeline.cpp", SPDX + '#include "dialect/layout/LinearLayout.h"\n#include "mlir/IR/Builders.h"\n')

    def tearDown(self):
        self.folder.cleanup()

    def write(self, path, text):
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)

    def expect(self, check, *parts):
        """One fault, which contains all the parts; none if there are no parts."""
        faults, _ = check(self.root)
        self.assertEqual(len(faults), 1 if parts else 0, faults)
        for part in parts:
            self.assertIn(part, faults[0])


class IncludeArrows(Tree):
    def test_a_tree_in_order_has_no_fault(self):
        self.expect(include_arrows.check)

    def test_simulator_that_includes_the_dialect(self):
        self.write("runtime/sim/Machine.cpp", SPDX + '#include "dialect/layout/LinearLayout.h"\n')
        self.expect(include_arrows.check, "runtime/sim/Machine.cpp:2", "dialect/layout")

    def test_base_that_includes_the_driver(self):
        self.write("runtime/base/Chips.cpp", SPDX + '\n#include "runtime/driver/DriverApi.h"\n')
        self.expect(include_arrows.check, "runtime/base/Chips.cpp:3", "nothing else")

    def test_device_may_include_only_one_header_of_the_simulator(self):
        self.write("runtime/device/Device.cpp", SPDX + '#include "runtime/sim/SimDriver.h"\n')
        self.expect(include_arrows.check)
        self.write("runtime/device/Device.cpp", SPDX + '#include "runtime/sim/Machine.h"\n')
        self.expect(include_arrows.check, "runtime/device/Device.cpp:2")

    def test_public_header_that_includes_mlir(self):
        self.write("compiler/frontend/include/trowel/Value.h", SPDX + '#include "mlir/IR/Value.h"\n')
        self.expect(include_arrows.check, "Value.h:2", "knows no LLVM")

    def test_front_end_header_that_includes_devices(self):
        self.write("runtime/include/trowel/Device.h", SPDX)
        self.write("compiler/frontend/include/trowel/Tile.h", SPDX + "#include <trowel/Device.h>\n")
        self.expect(include_arrows.check, "Tile.h:2", "runtime/device")

    def test_example_that_includes_an_internal_header(self):
        self.write("examples/01-first/Main.cpp", SPDX + '#include "runtime/base/Result.h"\n')
        self.expect(include_arrows.check, "examples/01-first/Main.cpp:2", "not a public header")

    def test_tablegen_include_that_points_back(self):
        self.write("dialect/TileOps.td", SPDX + 'include "compiler/transforms/Passes.td"\n')
        self.expect(include_arrows.check, "dialect/TileOps.td:2", "compiler")

    def test_folder_without_a_row(self):
        self.write("runtime/novelty/Thing.h", SPDX)
        self.expect(include_arrows.check, "runtime/novelty/Thing.h", "belongs to no layer")


class Spdx(Tree):
    def test_complete_tree(self):
        self.expect(spdx.check)

    def test_source_without_the_line(self):
        self.write("compiler/Options.h", "#pragma once\n")
        self.expect(spdx.check, "compiler/Options.h:1")

    def test_script_without_the_line(self):
        self.write("tools/build", "#!/bin/sh\necho\n")
        self.expect(spdx.check, "tools/build:1")


class Names(Tree):
    def test_complete_tree(self):
        self.expect(names.check)

    def test_file_that_is_not_camel_case(self):
        self.write("compiler/insert_barriers.cpp", SPDX)
        self.expect(names.check, "compiler/insert_barriers.cpp", "CamelCase")

    def test_file_named_after_nothing(self):
        self.write("compiler/LayoutUtils.cpp", SPDX)
        self.expect(names.check, "LayoutUtils.cpp", "says nothing")

    def test_program_named_as_its_folder(self):
        self.write("tools/trowel-opt/trowel-opt.cpp", SPDX)
        self.expect(names.check)

    def test_unfinished_work(self):
        self.write("compiler/Target.cpp", SPDX + "// TO" + "DO: more\n")
        self.expect(names.check, "compiler/Target.cpp:2")

    def test_path_of_a_machine(self):
        self.write("README.md", "see /ho" + "me/somebody/notes\n")
        self.expect(names.check, "README.md:1", "one machine")


class Links(Tree):
    def test_page_that_points_to_what_is_there(self):
        self.write("README.md", "See [the passes](compiler/Pipeline.cpp), `runtime/base/Result.h`, [web](https://x.org/).\n")
        self.write("compiler/README.md", "See [the page](../README.md) and `compiler/lowering/FAMILY.cpp`.\n")
        self.expect(links.check)

    def test_link_to_a_file_that_is_not_there(self):
        self.write("compiler/README.md", "\nSee [the passes](Passes.td).\n")
        self.expect(links.check, "compiler/README.md:2", "compiler/Passes.td")

    def test_quoted_path_that_is_not_there(self):
        self.write("README.md", "See `compiler/Passes.td`.\n")
        self.expect(links.check, "README.md:1", "compiler/Passes.td")


class PublicHeaders(Tree):
    def test_complete_tree(self):
        self.expect(public_headers.check)

    def test_heavy_standard_header(self):
        self.write("runtime/include/trowel/Device.h", SPDX + "#pragma once\n#include <functional>\n")
        self.expect(public_headers.check, "Device.h:3", "<functional>")

    @unittest.skipUnless(shutil.which("clang++-22"), "clang++-22 was not found")
    def test_header_that_needs_another_one_first(self):
        self.write("runtime/include/trowel/Device.h", SPDX + "#pragma once\nstd::string name();\n")
        faults, _ = public_headers.check(self.root)
        self.assertEqual(len(faults), 2, faults)

    @unittest.skipUnless(shutil.which("clang++-22"), "clang++-22 was not found")
    def test_example_that_only_clang_would_compile(self):
        self.write("runtime/include/trowel/trowel.h", SPDX + "#pragma once\n")
        self.write("examples/01-first/First.cpp", SPDX + "#include <trowel/trowel.h>\nint a = __builtin_bit_reverse(1);\n")
        self.expect(public_headers.check, "examples/01-first/First.cpp", "with g++")


@unittest.skipUnless(formatting.formatter(), "clang-format-22 was not found")
class Format(Tree):
    def test_line_that_is_too_long(self):
        self.write(".clang-format", "BasedOnStyle: LLVM\n")
        self.write("compiler/Options.cpp", SPDX + "int   a;\n")
        faults = formatting.check(self.root, formatting.formatter(), ["compiler/Options.cpp"], False)
        self.assertEqual(len(faults), 1, faults)
        self.assertIn("compiler/Options.cpp:2", faults[0])


class Libraries(unittest.TestCase):
    def library(self, folder, text):
        source, target = pathlib.Path(folder) / "a.cpp", pathlib.Path(folder) / "a.so"
        source.write_text(text)
        subprocess.run(["g++", "-shared", "-fPIC", "-fvisibility=hidden", "-o", target, source], check=True)
        return str(target)

    def test_leaked_symbol(self):
        shown = '__attribute__((visibility("default"))) '
        with tempfile.TemporaryDirectory() as folder:
            faults, _ = libraries.check(self.library(folder, f"namespace trowel {{ {shown}void f() {{}} }}"))
            self.assertEqual(faults, [])
            text = f"namespace trowel {{ {shown}void f() {{}} }} namespace llvm {{ {shown}void g() {{}} }}"
            faults, _ = libraries.check(self.library(folder, text))
            self.assertEqual(len(faults), 1, faults)
            self.assertIn("llvm::g()", faults[0])


if __name__ == "__main__":
    unittest.main()
