// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// trowel-bench: how fast the example kernels are on a GPU, as JSON lines.
//
//   trowel-bench                      all cases, and what a launch and a first call cost
//   trowel-bench --only=add,launch    some
//   trowel-bench --list               what there is
//
// A line has the keys of tests/bench/peers.py, so that figures of Trowel and of its peers go into
// one file. Figures go to the standard output; what each configuration took goes to the error
// stream. The exit status is 0, 1 where there is no GPU or a case failed, 2 for a wrong command
// line.
#include "tests/bench/TimedCases.h"
#include "tools/trowel-bench/Overheads.h"
#include "tools/trowel-bench/Resources.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>

using namespace trowel;

namespace {

/// Every operation once, in the order of the tables.
std::vector<std::string> operations() {
  std::vector<std::string> names;
  for (const bench::Overhead &row : bench::allOverheads())
    names.push_back(row.op);
  for (const bench::TimedCase &row : bench::allTimedCases())
    if (std::find(names.begin(), names.end(), row.op) == names.end())
      names.push_back(row.op);
  return names;
}

void printList() {
  for (const bench::Overhead &row : bench::allOverheads())
    std::printf("%-13s %s\n", row.op, row.description);
  for (const bench::TimedCase &row : bench::allTimedCases())
    std::printf("%-13s %s %s, in %s\n", row.op.c_str(), row.size.c_str(), row.dtype.c_str(),
                row.unit.c_str());
}

void printLine(const std::string &line) {
  std::puts(line.c_str());
  std::fflush(stdout);
}

} // namespace

int main(int argc, char **argv) {
  std::vector<std::string> only;
  bool list = false;
  CLI::App app{"Times the example kernels on a GPU and prints one JSON line a case."};
  app.add_option("--only", only, "operations, separated by commas; all where left out")
      ->delimiter(',')
      ->check(CLI::IsMember(operations()));
  app.add_flag("--list", list, "the operations and their cases");
  bool resources = false;
  app.add_flag("--resources", resources,
               "what the example kernels take instead: registers, local and shared memory");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  if (list) {
    printList();
    return 0;
  }

  auto wanted = [&](std::string_view op) {
    return only.empty() || std::find(only.begin(), only.end(), op) != only.end();
  };
  try {
    Device device = Device::best();
    if (resources) {
      for (const examples::NamedKernel &kernel : examples::allKernels())
        printLine(bench::resourcesLine(device, kernel, "sm_90a"));
      return 0;
    }
    if (device.isSimulator()) {
      std::fprintf(stderr, "trowel-bench: needs a GPU; this is %s, which has no speed\n",
                   device.describe().c_str());
      return 1;
    }
    // First calls first: what a process has done before makes later ones cheaper.
    for (const bench::Overhead &row : bench::allOverheads())
      if (wanted(row.op))
        printLine(row.measure(device));
    for (const bench::TimedCase &row : bench::allTimedCases())
      if (wanted(row.op))
        printLine(bench::jsonLine(row, row.time(device)));
    return 0;
  } catch (const Error &error) {
    std::fprintf(stderr, "trowel-bench: %s\n", error.what());
    return 1;
  }
}
