// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// trowel-dump: a kernel at any stop of its path.
//
//   trowel-dump --list                              the example kernels
//   trowel-dump vector_add --stage=ptx              PTX for sm_90a
//   trowel-dump bias_gelu --layouts                 which thread holds which element
//   trowel-dump bias_gelu --time                    what each step took
//   trowel-dump kernel.mlir --stage=layout          the same for a file in the dialect
//
// A kernel of the examples is compiled as for a usual launch: aligned pointers, sizes that are
// multiples of 16. With --assume=nothing the code is that which serves any launch. Text goes to the
// standard output, reasons to the error stream; the exit status is 0, 1 for a kernel or file that
// cannot be shown, 2 for a wrong command line.
#include "examples/kernels/Registry.h"
#include "tools/trowel-dump/ModuleFile.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <sstream>
#include <vector>

using namespace trowel;

namespace {

struct Request {
  std::string subject;
  std::string stage = "ptx";
  std::string target = "sm_90a";
  std::string assume = "typical";
  bool layouts = false;
  bool time = false;
  bool list = false;
};

void printList() {
  for (const examples::NamedKernel &row : examples::allKernels())
    std::printf("%-14s %s\n%-14s %s\n", row.name, row.description, "", row.signature);
}

std::string knownNames() {
  std::string names;
  for (const examples::NamedKernel &row : examples::allKernels())
    names += (names.empty() ? "" : ", ") + std::string(row.name);
  return names;
}

std::string stageOf(const Request &request, const std::string &stage) {
  if (request.subject.ends_with(".mlir"))
    return dump::stageOfFile(request.subject, request.layouts ? "layouts" : stage, request.target);
  const examples::NamedKernel *row = examples::findKernel(request.subject);
  if (!row)
    throw Error("there is no example kernel '" + request.subject + "': the kernels are " +
                knownNames() + "; a file in the dialect ends in .mlir");
  AnyKernel kernel = row->make();
  Assume assume = request.assume == "nothing" ? Assume::Nothing : Assume::Typical;
  return request.layouts ? kernel.layouts(request.target, assume)
                         : kernel.stage(stage, request.target, assume);
}

/// What the steps took, in milliseconds: the first time in this process, which includes what is set
/// up once, and in the middle of the times after it.
std::string timeTable(const Request &request) {
  constexpr int runs = 21;
  std::vector<std::string> steps;
  std::vector<std::vector<double>> times;
  for (int run = 0; run < runs; ++run) {
    std::istringstream lines(stageOf(request, "time"));
    std::string step, seconds;
    for (std::size_t row = 0; std::getline(lines, step, '\t') && std::getline(lines, seconds);
         ++row) {
      if (run == 0) {
        steps.push_back(step);
        times.emplace_back();
      }
      times.at(row).push_back(1000 * std::stod(seconds));
    }
  }
  std::string text;
  double firstTotal = 0, laterTotal = 0;
  auto line = [&](const std::string &step, const std::string &first, const std::string &later) {
    char buffer[128];
    std::snprintf(buffer, sizeof buffer, "%-28s %10s %10s\n", step.c_str(), first.c_str(),
                  later.c_str());
    text += buffer;
  };
  auto number = [](double milliseconds) {
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%.3f", milliseconds);
    return std::string(buffer);
  };
  line("step", "first, ms", "later, ms");
  for (std::size_t row = 0; row < steps.size(); ++row) {
    double first = times[row].front();
    std::sort(times[row].begin() + 1, times[row].end());
    double later = times[row][1 + (runs - 1) / 2];
    line(steps[row], number(first), number(later));
    firstTotal += first;
    laterTotal += later;
  }
  line("total", number(firstTotal), number(laterTotal));
  return text;
}

} // namespace

int main(int argc, char **argv) {
  Request request;
  CLI::App app{"Shows a kernel at any stop of its path from C++ to PTX."};
  app.add_option("kernel", request.subject, "an example kernel (--list), or a .mlir file");
  app.add_flag("--list", request.list, "the example kernels, what they compute and what they take");
  CLI::Option *stage =
      app.add_option("--stage", request.stage, "what to show, from the traced ops to the PTX")
          ->check(CLI::IsMember({"tile", "layout", "llvm-dialect", "llvm", "ptx"}))
          ->capture_default_str();
  app.add_option("--target", request.target, "the machine that it is compiled for")
      ->capture_default_str();
  CLI::Option *layouts =
      app.add_flag("--layouts", request.layouts,
                   "which thread holds which element of each tile that is loaded or stored")
          ->excludes(stage);
  app.add_flag("--time", request.time,
               "what each step of the compilation takes, the first time in a process and later")
      ->excludes(stage)
      ->excludes(layouts);
  app.add_option("--assume", request.assume,
                 "what is taken for granted of launch arguments: aligned pointers and round sizes "
                 "(typical), or nothing")
      ->check(CLI::IsMember({"typical", "nothing"}))
      ->capture_default_str();
  try {
    app.parse(argc, argv);
    if (!request.list && request.subject.empty())
      throw CLI::RequiredError("a kernel's name, a .mlir file, or --list");
  } catch (const CLI::ParseError &error) {
    return app.exit(error) == 0 ? 0 : 2;
  }

  if (request.list) {
    printList();
    return 0;
  }
  try {
    std::string text = request.time ? timeTable(request) : stageOf(request, request.stage);
    std::fwrite(text.data(), 1, text.size(), stdout);
    if (text.empty() || text.back() != '\n')
      std::fputc('\n', stdout);
    return 0;
  } catch (const Error &error) {
    std::fprintf(stderr, "trowel-dump: %s\n", error.what());
    return 1;
  }
}
