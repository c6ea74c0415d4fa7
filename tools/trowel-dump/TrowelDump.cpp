// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// trowel-dump: a kernel at any stop of its path.
//
//   trowel-dump --list                              the example kernels
//   trowel-dump vector_add --stage=ptx              PTX for sm_90a
//   trowel-dump bias_gelu --layouts                 which thread holds which element
//   trowel-dump kernel.mlir --stage=layout          the same for a file in the dialect
//
// A kernel of the examples is compiled as for a usual launch: aligned pointers, sizes that are
// multiples of 16. With --assume=nothing the code is that which serves any launch. Text goes to the
// standard output, reasons to the error stream; the exit status is 0, 1 for a kernel or file that
// cannot be shown, 2 for a wrong command line.
#include "examples/kernels/Registry.h"
#include "tools/trowel-dump/ModuleFile.h"

#include <CLI/CLI.hpp>

#include <cstdio>

using namespace trowel;

namespace {

struct Request {
  std::string subject;
  std::string stage = "ptx";
  std::string target = "sm_90a";
  std::string assume = "typical";
  bool layouts = false;
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

std::string shown(const Request &request) {
  if (request.subject.ends_with(".mlir"))
    return dump::stageOfFile(request.subject, request.layouts ? "layouts" : request.stage,
                             request.target);
  const examples::NamedKernel *row = examples::findKernel(request.subject);
  if (!row)
    throw Error("there is no example kernel '" + request.subject + "': the kernels are " +
                knownNames() + "; a file in the dialect ends in .mlir");
  AnyKernel kernel = row->make();
  Assume assume = request.assume == "nothing" ? Assume::Nothing : Assume::Typical;
  return request.layouts ? kernel.layouts(request.target, assume)
                         : kernel.stage(request.stage, request.target, assume);
}

} // namespace

int main(int argc, char **argv) {
  Request request;
  CLI::App app{"Shows a kernel at any stop of its path from C++ to PTX."};
  app.add_option("kernel", request.subject, "an example kernel (--list), or a .mlir file");
  app.add_flag("--list", request.list, "the example kernels, what they compute and what they take");
  app.add_option("--stage", request.stage, "what to show, from the traced ops to the PTX")
      ->check(CLI::IsMember({"tile", "layout", "llvm-dialect", "llvm", "ptx"}))
      ->capture_default_str();
  app.add_option("--target", request.target, "the machine that it is compiled for")
      ->capture_default_str();
  app.add_flag("--layouts", request.layouts,
               "which thread holds which element of each tile that is loaded or stored");
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
    std::string text = shown(request);
    std::fwrite(text.data(), 1, text.size(), stdout);
    if (text.empty() || text.back() != '\n')
      std::fputc('\n', stdout);
    return 0;
  } catch (const Error &error) {
    std::fprintf(stderr, "trowel-dump: %s\n", error.what());
    return 1;
  }
}
