// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Basic blocks of a Program and where diverged lanes meet again.
//
// Lanes that part at a branch should meet where all ways out of it join: at the immediate
// post-dominator of the branch's block. Post-dominators are dominators of the graph with every edge
// turned round, rooted in a virtual exit behind all blocks that end a thread. They are found by the
// iterative method of Cooper, Harvey and Kennedy: number blocks so that a block comes after those
// it can go to, then intersect until nothing changes. PTX functions have tens to hundreds of
// blocks; a faster algorithm would not be noticed.
//
//        A            post-dominator of A is D, of B and C is D,
//       / \           of D the virtual exit, which is written as noInstruction:
//      B   C          lanes that part in a block without one meet nowhere.
//       \ /
//        D
//
// A loop without a way out cannot reach the exit. Its blocks get no post-dominator either, so lanes
// that enter it at different times stay apart, which is slower and not wrong.

#include "runtime/sim/ptx/Cfg.h"

#include <algorithm>

namespace trowel::sim {

namespace {

void findLeaders(const Program &program, std::vector<char> &leader) {
  const auto &instructions = program.instructions;
  leader.assign(instructions.size() + 1, 0);
  leader[0] = 1;
  for (const Instruction &instruction : instructions) {
    if (instruction.flow != Flow::Next)
      leader[instruction.index + 1] = 1;
    if (instruction.flow == Flow::Branch)
      leader[instruction.target] = 1;
    if (instruction.flow == Flow::Table)
      for (std::uint32_t target : program.branchTables[instruction.target])
        leader[target] = 1;
  }
}

void addSuccessors(Program &program, BasicBlock &block) {
  const Instruction &last = program.instructions[block.end - 1];
  auto add = [&](std::uint32_t instruction) {
    std::uint32_t successor = program.blockOf[instruction];
    if (std::find(block.successors.begin(), block.successors.end(), successor) ==
        block.successors.end())
      block.successors.push_back(successor);
  };
  if (last.flow == Flow::Branch)
    add(last.target);
  if (last.flow == Flow::Table)
    for (std::uint32_t target : program.branchTables[last.target])
      add(target);
  bool always = last.guard == noGuard && last.flow != Flow::Next && last.flow != Flow::Block;
  if (!always && block.end < program.instructions.size())
    add(block.end);
}

class PostDominators {
public:
  explicit PostDominators(Program &program)
      : blocks(program.blocks), exit(static_cast<std::uint32_t>(blocks.size())),
        predecessors(blocks.size() + 1), number(blocks.size() + 1, unreached),
        dominator(blocks.size() + 1, unreached) {
    for (std::uint32_t block = 0; block < exit; ++block) {
      for (std::uint32_t successor : blocks[block].successors)
        predecessors[successor].push_back(block);
      const Instruction &last = program.instructions[blocks[block].end - 1];
      if (last.flow == Flow::Exit)
        predecessors[exit].push_back(block);
    }
  }

  void run() {
    numberFromExit();
    dominator[exit] = exit;
    for (bool changed = true; changed;) {
      changed = false;
      // Reverse post-order of the turned graph, the exit first.
      for (auto block = postOrder.rbegin(); block != postOrder.rend(); ++block)
        if (*block != exit)
          changed |= update(*block);
    }
    for (std::uint32_t block = 0; block < exit; ++block)
      if (dominator[block] != unreached && dominator[block] != exit)
        blocks[block].postDominator = dominator[block];
  }

private:
  static constexpr std::uint32_t unreached = ~0u;
  std::vector<BasicBlock> &blocks;
  std::uint32_t exit;
  std::vector<std::vector<std::uint32_t>> predecessors;
  std::vector<std::uint32_t> number;
  std::vector<std::uint32_t> dominator;
  std::vector<std::uint32_t> postOrder;

  void numberFromExit() {
    std::vector<char> seen(blocks.size() + 1, 0);
    std::vector<std::pair<std::uint32_t, std::size_t>> stack{{exit, 0}};
    seen[exit] = 1;
    while (!stack.empty()) {
      auto &[block, next] = stack.back();
      if (next < predecessors[block].size()) {
        std::uint32_t predecessor = predecessors[block][next++];
        if (!seen[predecessor]) {
          seen[predecessor] = 1;
          stack.emplace_back(predecessor, 0);
        }
      } else {
        number[block] = static_cast<std::uint32_t>(postOrder.size());
        postOrder.push_back(block);
        stack.pop_back();
      }
    }
  }

  bool update(std::uint32_t block) {
    std::uint32_t meet = unreached;
    auto include = [&](std::uint32_t successor) {
      if (dominator[successor] != unreached)
        meet = meet == unreached ? successor : intersect(successor, meet);
    };
    for (std::uint32_t successor : blocks[block].successors)
      include(successor);
    if (std::find(predecessors[exit].begin(), predecessors[exit].end(), block) !=
        predecessors[exit].end())
      include(exit);
    bool changed = meet != dominator[block];
    dominator[block] = meet;
    return changed;
  }

  std::uint32_t intersect(std::uint32_t a, std::uint32_t b) const {
    while (a != b) {
      while (number[a] < number[b])
        a = dominator[a];
      while (number[b] < number[a])
        b = dominator[b];
    }
    return a;
  }
};

} // namespace

void buildControlFlow(Program &program) {
  std::vector<char> leader;
  findLeaders(program, leader);
  auto count = static_cast<std::uint32_t>(program.instructions.size());
  program.blockOf.resize(count);
  for (std::uint32_t index = 0; index < count; ++index) {
    if (leader[index]) {
      if (!program.blocks.empty())
        program.blocks.back().end = index;
      program.blocks.emplace_back().begin = index;
    }
    program.blockOf[index] = static_cast<std::uint32_t>(program.blocks.size() - 1);
  }
  program.blocks.back().end = count;
  for (BasicBlock &block : program.blocks)
    addSuccessors(program, block);
  PostDominators(program).run();
  for (const BasicBlock &block : program.blocks)
    if (block.postDominator != noInstruction)
      program.instructions[block.end - 1].reconvergence = program.blocks[block.postDominator].begin;
}

} // namespace trowel::sim
