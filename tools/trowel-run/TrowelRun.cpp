// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// trowel-run: runs a .ptx file on the software device or a GPU.
//
//   trowel-run add.ptx --grid 8 --args f32[1024]:iota,f32[1024]:ones,f32[1024],i64=1024 --print
//   trowel-run --check tests/sim/*.ptx --device cuda:0
//
// With --schedules=N the launch is repeated under N orders of warps, which must agree
// (Schedules.cpp). With --check the arguments and the expected results come from the file's
// comments (Check.cpp), and grid and block from its RUN line unless they are given; several files
// may be checked in one process, because starting a GPU's context takes longer than hundreds of
// such programs.
//
// Exit status: 0 done, 1 something failed, differed or was found by the software device, 2 the
// command line is wrong. A failure is one line on the error stream.

#include "Check.h"
#include "Schedules.h"
#include "Session.h"

#include "trowel/Error.h"
#include "trowel/Report.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <charconv>
#include <cstdio>
#include <limits>

namespace trowel::run {

namespace {

struct Options {
  std::vector<std::string> files;
  std::vector<unsigned> grid;
  std::vector<unsigned> block;
  std::string arguments;
  std::string device;
  std::string entry;
  long dynamicSharedBytes = -1;
  std::optional<std::uint64_t> seed;
  std::uint64_t schedules = 0;
  bool counters = false;
  bool print = false;
  bool check = false;
};

// CLI11 reads -1 as the greatest unsigned number, and its own checks of signs quote the range of
// double. What is no number at all it says itself.
std::string positive(const std::string &text) {
  return text.find_first_not_of('0') == std::string::npos ? text + " is not 1 or more" : "";
}
std::string notNegative(const std::string &text) {
  return text.starts_with('-') ? text + " is not 0 or more" : "";
}

void addLaunchOptions(CLI::App &app, Options &options) {
  app.add_option("--grid", options.grid, "Programs along each axis: X[,Y[,Z]]")
      ->delimiter(',')
      ->expected(1, 3);
  app.add_option("--block", options.block,
                 "Threads of a program: X[,Y[,Z]]; default: the manifest's, or .reqntid")
      ->delimiter(',')
      ->expected(1, 3)
      ->check(positive);
  app.add_option("--entry", options.entry, "The entry; default: the manifest's, or the only one");
  app.add_option("--shared", options.dynamicSharedBytes, "Bytes of dynamic shared memory")
      ->check(CLI::Range(0l, long{std::numeric_limits<int>::max()}));
}

std::array<unsigned, 3> extents(const std::vector<unsigned> &given, unsigned otherwise) {
  std::array<unsigned, 3> result{otherwise, otherwise, otherwise};
  if (!given.empty())
    result = {1, 1, 1};
  for (std::size_t axis = 0; axis < given.size() && axis < 3; ++axis)
    result[axis] = given[axis];
  return result;
}

LaunchShape shapeOf(const Options &options) {
  LaunchShape shape;
  shape.grid = extents(options.grid, 1);
  shape.block = extents(options.block, 0);
  shape.dynamicSharedBytes = options.dynamicSharedBytes;
  shape.entry = options.entry;
  return shape;
}

Device openDevice(const std::string &name) {
  if (name.empty())
    return Device::best();
  if (name == "sim")
    return Device::simulator();
  int ordinal = -1;
  if (name == "cuda")
    ordinal = 0;
  if (name.starts_with("cuda:")) {
    const char *end = name.data() + name.size();
    auto [stop, error] = std::from_chars(name.data() + 5, end, ordinal);
    if (error != std::errc() || stop != end)
      ordinal = -1;
  }
  if (ordinal < 0)
    throw Error("--device is '" + name + "'; it must be sim or cuda:N");
  return Device::cuda(ordinal);
}

void complain(const std::string &text) { fmt::print(stderr, "trowel-run: {}\n", text); }

/// The file's own options below those of the command line.
Options withFileOptions(const Options &given, const PtxFile &file) {
  Options merged;
  CLI::App app("RUN line");
  addLaunchOptions(app, merged);
  std::vector<std::string> words = checkOptions(file);
  std::reverse(words.begin(), words.end()); // as CLI11 wants them
  try {
    app.parse(words);
  } catch (const CLI::ParseError &error) {
    throw Error(file.path + ": its RUN line: " + error.what());
  }
  if (!given.grid.empty())
    merged.grid = given.grid;
  if (!given.block.empty())
    merged.block = given.block;
  if (!given.entry.empty())
    merged.entry = given.entry;
  if (given.dynamicSharedBytes >= 0)
    merged.dynamicSharedBytes = given.dynamicSharedBytes;
  return merged;
}

/// Launches once, or under the orders that are asked for; a sentence if these do not agree.
std::string launch(const Device &device, const PtxFile &file, const ChosenEntry &entry,
                   const LaunchShape &shape, const Options &options,
                   std::vector<Argument> &arguments) {
  if (options.schedules != 0)
    return runSchedules(device, file, entry, shape, {options.seed.value_or(0), options.schedules},
                        arguments);
  if (options.seed)
    device.setWarpOrder(*options.seed);
  runOnce(device, file, entry, shape, arguments);
  return {};
}

enum class Verdict { Passed, Failed, Skipped };

Verdict checkFile(const Device &device, const Options &given, const std::string &path) {
  PtxFile file = readPtxFile(path);
  if (given.files.size() > 1 && checkOptions(file).empty() &&
      file.text.find("// out:") == std::string::npos)
    return Verdict::Skipped; // a test of messages among others
  LaunchShape shape = shapeOf(withFileOptions(given, file));
  ChosenEntry entry = chooseEntry(file, shape);
  CheckLines lines = readCheckLines(file, entry);
  std::vector<Argument> results = lines.arguments;
  std::size_t findings = device.report().findings.size();
  std::string disagreement = launch(device, file, entry, shape, given, results);
  if (!disagreement.empty())
    throw Error(file.path + ": " + disagreement);
  std::vector<std::string> differences = compare(file, lines, results, !device.isSimulator());
  for (const std::string &difference : differences)
    complain(difference);
  // The device has told its findings itself.
  bool good = differences.empty() && device.report().findings.size() == findings;
  return good ? Verdict::Passed : Verdict::Failed;
}

int checkFiles(const Device &device, const Options &options) {
  unsigned counts[3] = {};
  for (const std::string &path : options.files) {
    Verdict verdict = Verdict::Failed;
    try {
      verdict = checkFile(device, options, path);
    } catch (const Error &error) {
      complain(error.what());
    }
    ++counts[static_cast<int>(verdict)];
  }
  fmt::print("{}: {} passed, {} failed, {} skipped{}\n", device.describe(), counts[0], counts[1],
             counts[2], counts[2] == 0 ? "" : " (nothing to check in them)");
  return counts[1] == 0 ? 0 : 1;
}

int runFile(const Device &device, const Options &options) {
  if (options.files.size() != 1)
    throw Error("several files were given; only --check takes more than one");
  PtxFile file = readPtxFile(options.files[0]);
  LaunchShape shape = shapeOf(options);
  std::vector<Argument> arguments = parseArguments(options.arguments);
  ChosenEntry entry = chooseEntry(file, shape);
  std::string disagreement = launch(device, file, entry, shape, options, arguments);
  if (!disagreement.empty())
    throw Error(file.path + ": " + disagreement);
  if (options.print)
    for (const Argument &argument : arguments)
      if (argument.isBuffer)
        fmt::print("{} ({}[{}]): {}\n", argument.name, argument.element->name, argument.count(),
                   valuesText(argument, 32));
  if (!device.report().findings.empty())
    return 1;
  if (!options.print && !options.counters)
    fmt::print("{}: '{}' ran, {} by {} by {} programs; --print shows its buffers\n",
               device.describe(), entry.name, shape.grid[0], shape.grid[1], shape.grid[2]);
  return 0;
}

int run(const Options &options) {
  Device device = openDevice(options.device);
  if (options.counters && !device.isSimulator())
    throw Error("--counters needs the software device, this is " + device.describe() +
                ": add --device sim");
  if ((options.seed || options.schedules != 0) && !device.isSimulator())
    throw Error("--seed and --schedules need the software device, this is " + device.describe() +
                ": add --device sim");
  int status = options.check ? checkFiles(device, options) : runFile(device, options);
  if (options.counters)
    fmt::print("{}", device.report().text());
  return status;
}

} // namespace

} // namespace trowel::run

int main(int argc, char **argv) {
  using namespace trowel::run;
  Options options;
  CLI::App app("Runs a .ptx file on the software device or a GPU.", "trowel-run");
  app.add_option("FILE", options.files, "PTX files; more than one only with --check")->required();
  addLaunchOptions(app, options);
  app.add_option(
      "--args", options.arguments,
      "Arguments: TYPE[COUNT]:FILL for a buffer, TYPE=VALUE for a scalar, with commas between. "
      "FILL: iota zeros ones random poison unwritten. Messages count them from 0");
  app.add_option("--device", options.device,
                 "sim or cuda:N; default: TROWEL_DEVICE, else a GPU where there is one");
  app.add_option("--seed", options.seed,
                 "Interleave warps and programs in the order of this number; 0 for none")
      ->check(notNegative);
  app.add_option("--schedules", options.schedules,
                 "Repeat the launch under this many orders, from --seed or 0 on, and fail if the "
                 "results differ or an order finds a fault")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1000000}));
  app.add_flag("--counters", options.counters,
               "Print what the software device counted for each access");
  app.add_flag("--print", options.print, "Print the first elements of each buffer afterwards");
  app.add_flag(
      "--check", options.check,
      "Take the arguments from the file's '// in:' lines, compare with its '// out:' lines");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  try {
    return run(options);
  } catch (const trowel::Error &error) {
    complain(error.what());
  } catch (const std::bad_alloc &) {
    complain("the host's memory does not suffice for the arguments");
  }
  return 1;
}
