#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts the cases of a ctest run and prints failures, skips with their reasons, and the last line.

ctest knows one test a program. A GoogleTest program and lit write a report with one entry a case, which replaces
the program in the count; a program that died without a report, or failed although each of its cases passed, counts
as one failure more. A skip without a reason is a failure of the test's author and is listed as such.

Usage: summary.py BUILD_FOLDER CTEST_STATUS      reads BUILD_FOLDER/reports
"""
import collections
import json
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

Case = collections.namedtuple("Case", "name outcome text")


def programs(build):
    """ctest's test names and the base name of the program each runs."""
    text = subprocess.run(["ctest", "--test-dir", str(build), "--show-only=json-v1"], capture_output=True, text=True).stdout
    tests = json.loads(text).get("tests", []) if text else []
    return {test["name"]: pathlib.Path(test["command"][0]).name for test in tests if test.get("command")}


def cases_of(report):
    """The cases of one JUnit report of GoogleTest or lit."""
    for case in ElementTree.parse(report).iter("testcase"):
        name = ".".join(part for part in (case.get("classname"), case.get("name")) if part)
        failure, skip = case.find("failure"), case.find("skipped")
        if case.find("error") is not None and failure is None:
            failure = case.find("error")
        if failure is not None:
            yield Case(name, "failed", (failure.get("message") or failure.text or "").strip())
        elif skip is not None:
            yield Case(name, "skipped", (skip.get("message") or skip.text or "").strip())
        elif case.get("status") == "notrun" or case.get("result") == "suppressed":
            yield Case(name, "skipped", "disabled in the source")
        else:
            yield Case(name, "passed", "")


def died_in(output):
    """Which case a GoogleTest program was in when it ended; else the last line of its output."""
    running = re.findall(r"^\[ RUN      \] (.*)$", output, re.MULTILINE)
    if running:
        return f"ended while in {running[-1]}"
    lines = output.splitlines()
    return lines[-1] if lines else "ended without a word"


def collect(build):
    reports = build / "reports"
    program_of = programs(build)
    cases, tails = [], []
    for test in ElementTree.parse(reports / "ctest.junit").iter("testcase"):
        name, status = test.get("name"), test.get("status")
        output = (test.findtext("system-out") or "").strip()
        report = next((path for path in (reports / f"{name}.xml", reports / f"{program_of.get(name)}.xml")
                       if path.exists()), None)
        try:
            inner = list(cases_of(report)) if report else []
        except ElementTree.ParseError:
            inner = []
        cases += [case._replace(name=f"{name}: {case.name}") for case in inner]
        skip = test.find("skipped")
        if status == "fail":
            if not any(case.outcome == "failed" for case in inner):
                cases.append(Case(name, "failed", died_in(output)))
                tails.append((name, output))
        elif status == "disabled" or (skip is not None and "SKIP_" in (skip.get("message") or "")):
            cases.append(Case(name, "skipped", output.splitlines()[-1] if output else "disabled in CMake"))
        elif status == "notrun":
            cases.append(Case(name, "failed", (skip.get("message") if skip is not None else "") or "was not run"))
        elif not inner:
            cases.append(Case(name, "passed", ""))
    return cases, tails


def without_place(text):
    """GoogleTest puts "file:line" in a line of its own before the reason."""
    lines = text.strip().splitlines()
    return "\n".join(lines[1:]) if len(lines) > 1 and re.fullmatch(r"\S+:\d+", lines[0]) else text.strip()


def one_line(text, limit=160):
    text = " ".join(text.split())
    return text if len(text) <= limit else text[:limit - 1] + "…"


def indented(text, limit):
    lines = text.splitlines()
    return "\n".join("    " + line for line in lines[-limit:])


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    build, ctest_status = pathlib.Path(sys.argv[1]).resolve(), int(sys.argv[2])
    if not (build / "reports" / "ctest.junit").exists():
        print((build / "reports" / "ctest.log").read_text()[-2000:])
        print("ctest wrote no report\n0 passed, 1 failed, 0 skipped")
        sys.exit(1)
    cases, tails = collect(build)
    count = collections.Counter(case.outcome for case in cases)
    for name, output in tails:
        print(f"-- the end of what {name} said:\n{indented(output, 40)}")
    for case in cases:
        if case.outcome == "failed":
            print(f"failed: {case.name}")
            print(indented(case.text, 30))
    skips = collections.defaultdict(list)
    for case in cases:
        if case.outcome == "skipped":
            skips[one_line(without_place(case.text)) or "no reason given"].append(case.name)
    for reason, names in skips.items():
        print(f"skipped: {names[0]}" + (f" and {len(names) - 1} more" if len(names) > 1 else "") + f": {reason}")
    if ctest_status and not count["failed"]:
        print(f"failed: ctest ended with status {ctest_status}, see build/{build.name}/reports/ctest.log")
        count["failed"] += 1
    print(f"{count['passed']} passed, {count['failed']} failed, {count['skipped']} skipped")
    sys.exit(1 if count["failed"] or not cases else 0)


if __name__ == "__main__":
    main()
