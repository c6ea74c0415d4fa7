#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reports a page that points to a file of the project which is not there.

Read are the links of Markdown pages, and the paths between backquotes that begin with a folder of the project
and name a file (`compiler/Pipeline.cpp`); a path with capitals alone (`PASS.cpp`), a pattern or a blank is an
example and not a path.
"""
import re

import sources

LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]+)(?:#[^)]*)?\)")
QUOTED = re.compile(r"`((?:compiler|dialect|runtime|examples|tests|tools|cmake)/[\w./+-]*\.(?:cpp|h|td|def|py|md|txt|map|mlir|ptx))`")
EXAMPLE = re.compile(r"(?:^|/)[A-Z]{3,}(?:\.\w+)?(?:/|$)")


def check(root):
    faults, count = [], 0
    files = sources.project_files(root)
    folders = {"/".join(path.split("/")[:length]) for path in files for length in range(1, path.count("/") + 1)}
    known = set(files) | folders
    for page in files:
        if not page.endswith(".md"):
            continue
        count += 1
        for number, line in enumerate(sources.lines_of(root, page) or [], 1):
            targets = [target for target in LINK.findall(line) if "://" not in target and not target.startswith("mailto:")]
            folder = page.rpartition("/")[0]
            resolved = [normal(f"{folder}/{target}" if folder else target) for target in targets]
            resolved += [path for path in QUOTED.findall(line) if not EXAMPLE.search(path)]
            for path in resolved:
                if path not in known:
                    faults.append(sources.fault(page, number, f"points to '{path}', which is not there"))
    return faults, f"{count} pages"


def normal(path):
    parts = []
    for part in path.split("/"):
        if part == "..":
            parts = parts[:-1]
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


if __name__ == "__main__":
    sources.main(check, __doc__.splitlines()[0])
