// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// GoogleTest's main, and what a run by hand asks for:
//
//   random_tests --programs=10000                          on each device
//   random_tests --programs=1 --first-seed=4711 --print    one program, with its source and PTX
//   TROWEL_DEVICE=sim random_tests                         not on a GPU
#include "tests/random/Settings.h"
#include "tests/support/OnEveryDevice.h"
#include "tests/support/programs/Run.h"

#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <cstdio>

trowel::random::Settings trowel::random::settings;

static void print(const trowel::random::Settings &settings) {
  using namespace trowel;
  Device device = Device::best();
  for (int i = 0; i < settings.programs; ++i) {
    programs::Program program =
        programs::generate(settings.firstSeed + static_cast<std::uint64_t>(i));
    std::printf("%s%s\n", programs::sourceOf(program).c_str(),
                programs::ptxOf(program, device).c_str());
  }
}

int main(int argc, char **argv) {
  testing::InitGoogleTest(&argc, argv);
  trowel::random::Settings &settings = trowel::random::settings;
  CLI::App app("Random programs against their evaluation in plain C++.");
  bool prints = false, leavesWhole = false;
  int programs = 0;
  app.add_option("--programs", programs, "how many programs on each device");
  app.add_option("--first-seed", settings.firstSeed, "the first program's number");
  app.add_option("--threads", settings.threads, "how many programs run at a time");
  app.add_flag("--no-shrink", leavesWhole, "show failures as they were drawn");
  app.add_flag("--verbose", settings.isVerbose, "say each seed before its program runs");
  app.add_flag("--print", prints, "print the programs and their PTX instead of running them");
  CLI11_PARSE(app, argc, argv);
  settings.shrinks = !leavesWhole;
  if (programs > 0)
    settings.programs = settings.programsOnGpu = programs;
  if (prints) {
    print(settings);
    return 0;
  }
  return RUN_ALL_TESTS();
}
