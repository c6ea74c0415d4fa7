// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a run of random programs was asked for.
#pragma once

#include <cstdint>

namespace trowel::random {

struct Settings {
  /// Programs on the software device and on a GPU.
  int programs = 1200;
  int programsOnGpu = 1000;
  std::uint64_t firstSeed = 1;
  int threads = 2;
  /// A failure is made small before it is shown.
  bool shrinks = true;
  /// Says each seed before its program runs.
  bool isVerbose = false;
};

extern Settings settings;

} // namespace trowel::random
