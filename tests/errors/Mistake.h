// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The frame of a file that makes one mistake:
//
//   TROWEL_MISTAKE(NameOfTheMistake, "k", "the whole sentence") {
//     kernel("k", [](Ptr<float> x) {
//       store(x + iota(3), 1.0f); // mistake
//     }).ptx("sm_80");
//   }
//
// The error must name this file, the line that ends with the comment `// mistake`, the kernel, and
// must have exactly this sentence. An empty kernel name means that the error belongs to none; a
// file without the comment, that it belongs to no line.
#pragma once

#include <trowel/trowel.h>

#include <gtest/gtest.h>

#include <string>

// A mistake leaves its variables unused.
#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma GCC diagnostic ignored "-Wunused-but-set-variable"

namespace trowel::test {

/// Runs the mistake and compares the error.
void expectMistake(void (*mistake)(), const char *file, const std::string &kernel,
                   const std::string &text);

} // namespace trowel::test

#define TROWEL_MISTAKE(name, kernel, text)                                                         \
  static void name();                                                                              \
  TEST(Mistake, name) { trowel::test::expectMistake(name, __FILE__, kernel, text); }               \
  static void name()

using namespace trowel;
