// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A malformed text is refused or loaded; it never crashes or hangs.

#include "Programs.h"

#include <gtest/gtest.h>

namespace trowel::sim {
namespace {

/// Loads, and executes what loads: with no memory to reach and a small limit.
void loadAndRun(const std::string &text) {
  if (!loadError(text).empty())
    return;
  Program program = decoded(text);
  Trial run;
  run.instructionLimit = 2000;
  run.block = {4, 1, 1};
  run.buffers.assign(program.parameterBytes / 8 + 1, {1, 2, 3, 4});
  run(program);
}

TEST(Robustness, EveryTruncationIsRefusedOrLoads) {
  std::string whole = llvmText();
  for (std::size_t length = 0; length < whole.size(); ++length)
    loadAndRun(whole.substr(0, length));
}

TEST(Robustness, EveryTruncationInsideTheEntryNamesALine) {
  std::string whole = llvmText();
  std::size_t begin = whole.find("$L__func_begin0"), end = whole.find("\tret;");
  for (std::size_t length = begin; length < end; ++length)
    EXPECT_EQ(loadError(whole.substr(0, length)).rfind("PTX line ", 0), 0u) << length;
}

TEST(Robustness, FlippedBytesAreRefusedOrRun) {
  std::string whole = llvmText();
  std::uint64_t state = 88172645463325252u;
  auto next = [&state] {
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
  };
  for (int round = 0; round < 4000; ++round) {
    std::string text = whole;
    for (unsigned flips = 1 + round % 3; flips > 0; --flips)
      text[next() % text.size()] =
          static_cast<char>(next() % 4 == 0 ? next() % 256 : 32 + next() % 95);
    loadAndRun(text);
  }
}

TEST(Robustness, TokensThatVanishOrDoubleAreRefusedOrRun) {
  std::string whole = llvmText();
  std::vector<std::size_t> cuts;
  for (std::size_t i = 0; i < whole.size(); ++i)
    if (std::string_view(" \t\n,;[]{}").find(whole[i]) != std::string_view::npos)
      cuts.push_back(i);
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
    std::string piece = whole.substr(cuts[i], cuts[i + 1] - cuts[i]);
    loadAndRun(whole.substr(0, cuts[i]) + whole.substr(cuts[i + 1]));
    loadAndRun(whole.substr(0, cuts[i]) + piece + whole.substr(cuts[i]));
  }
}

TEST(Robustness, DeepNestingIsRefused) {
  std::string deep(100000, '{');
  EXPECT_EQ(loadError(kernelText("", "mov.b64 " + deep)),
            "PTX line 9: expected an operand (operands nest at most 4 deep), found '{'");
  EXPECT_EQ(loadError(kernelText("", deep + std::string(100000, '}') + "ret;")), "");
  EXPECT_EQ(loadError(".version 8.0\n.target sm_80\n.global .b8 x[4] = " + deep),
            "PTX line 3: expected a value (initial values nest at most 8 deep), found '{'");
}

} // namespace
} // namespace trowel::sim
