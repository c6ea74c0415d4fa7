// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Programs.h"

#include "runtime/sim/ptx/Cfg.h"

#include <gmock/gmock.h>

#include <random>
#include <set>

namespace trowel::sim {
namespace {

using testing::ElementsAre;

/// For each block, the first instruction of its post-dominator.
std::vector<std::uint32_t> meetings(const std::string &body) {
  Program program = decoded(kernelText("", body));
  std::vector<std::uint32_t> result;
  for (const BasicBlock &block : program.blocks)
    result.push_back(program.instructions[block.end - 1].reconvergence);
  return result;
}

constexpr std::uint32_t none = noInstruction;

TEST(ControlFlow, IfElseMeetsBehindBoth) {
  // 0 bra, 1 mov 2 bra, 3 mov, 4 ret, and the return behind the text.
  EXPECT_THAT(meetings("@%p0 bra ELSE; mov.b32 %r0, 1; bra END; ELSE: mov.b32 %r0, 2; END: ret;"),
              ElementsAre(4, 4, 4, none, none));
}

TEST(ControlFlow, LoopMeetsAtItsExit) {
  EXPECT_THAT(meetings("LOOP: @%p0 bra END; @%p1 bra END; bra LOOP; END: ret;"),
              ElementsAre(3, 3, 0, none, none));
}

TEST(ControlFlow, EarlyReturnMeetsNowhere) {
  EXPECT_THAT(meetings("@%p0 ret; mov.b32 %r0, 1; ret;"), ElementsAre(none, none, none));
}

TEST(ControlFlow, EndlessLoopHasNoPostDominator) {
  EXPECT_THAT(meetings("@%p0 bra END; LOOP: bra LOOP; END: ret;"),
              ElementsAre(2, none, none, none));
}

TEST(ControlFlow, ScopesResolveLabelsInnermostFirst) {
  Program program =
      decoded(kernelText("", "{ L: bra L; } { L: bra L; { bra L; } } L: bra L; ret;"));
  std::vector<std::uint32_t> targets;
  for (const Instruction &instruction : program.instructions)
    if (instruction.flow == Flow::Branch)
      targets.push_back(instruction.target);
  EXPECT_THAT(targets, ElementsAre(0, 1, 1, 3));
}

// ---- post-dominators of random graphs against their definition ----

Program randomProgram(std::mt19937 &random, unsigned blocks) {
  std::string body;
  for (unsigned block = 0; block < blocks; ++block) {
    body += "L" + std::to_string(block) + ": mov.b32 %r0, 1;\n";
    auto target = [&] { return "L" + std::to_string(random() % blocks) + ";\n"; };
    switch (random() % 6) {
    case 0:
      body += "bra " + target();
      break;
    case 1:
      body += "ret;\n";
      break;
    case 2:
      body += "@%p0 ret;\n";
      break;
    case 3:
      body += "mov.b32 %r1, 2;\n";
      break;
    default:
      body += "@%p0 bra " + target();
    }
  }
  return decoded(kernelText("", body));
}

/// Blocks from which an exit can be reached without entering `without`.
std::set<std::uint32_t> reachingExit(const Program &program, std::uint32_t without) {
  std::set<std::uint32_t> reaching;
  for (bool grew = true; grew;) {
    grew = false;
    for (std::uint32_t block = 0; block < program.blocks.size(); ++block) {
      if (block == without || reaching.count(block))
        continue;
      const BasicBlock &shape = program.blocks[block];
      bool reaches = program.instructions[shape.end - 1].flow == Flow::Exit;
      for (std::uint32_t successor : shape.successors)
        reaches |= reaching.count(successor) != 0;
      if (reaches)
        grew |= reaching.insert(block).second;
    }
  }
  return reaching;
}

TEST(ControlFlow, PostDominatorsMatchTheirDefinition) {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    Program program = randomProgram(random, 1 + random() % 9);
    auto count = static_cast<std::uint32_t>(program.blocks.size());
    std::set<std::uint32_t> alive = reachingExit(program, none);
    for (std::uint32_t block = 0; block < count; ++block) {
      // d strictly post-dominates b if without d no exit can be reached from b.
      std::vector<std::uint32_t> dominators;
      for (std::uint32_t other = 0; other < count; ++other)
        if (other != block && alive.count(block) && alive.count(other) &&
            !reachingExit(program, other).count(block))
          dominators.push_back(other);
      std::uint32_t immediate = program.blocks[block].postDominator;
      if (dominators.empty()) {
        EXPECT_EQ(immediate, none);
        continue;
      }
      ASSERT_THAT(dominators, testing::Contains(immediate));
      // It is the nearest: all others post-dominate it too.
      for (std::uint32_t other : dominators)
        if (other != immediate)
          EXPECT_EQ(reachingExit(program, other).count(immediate), 0u);
    }
  }
}

} // namespace
} // namespace trowel::sim
