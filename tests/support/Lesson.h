// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What lessons have in common: telling how a comparison came out, and ending.
//
//   return runLesson([](const Device &device) { return tell("is", compareOn(device)); });
#pragma once

#include "tests/support/Comparison.h"

#include <trowel/trowel.h>

#include <cstdio>

namespace trowel::support {

/// Prints one line, such as "  is right: 1024 elements, …", and returns whether all agree.
inline bool tell(const char *what, const Comparison &comparison) {
  std::printf("  %s %s: %s\n", what, comparison.agrees() ? "right" : "WRONG",
              comparison.text().c_str());
  return comparison.agrees();
}

/// The exit code of a lesson: 0 if `lesson(device)` says that everything is right.
template <class Lesson> int runLesson(const Lesson &lesson) {
  try {
    return lesson(Device::best()) ? 0 : 1;
  } catch (const Error &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}

} // namespace trowel::support
