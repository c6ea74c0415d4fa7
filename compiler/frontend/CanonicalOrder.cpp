// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An order of ops that does not depend on the C++ compiler.
//
// C++ leaves open in which order the operands of `a + b` and the arguments of `store(p, v)` are
// evaluated. Clang goes from left to right, GCC mostly from right to left, and a trace records what
// happens. The value is the same either way, since nothing that a kernel computes depends on that
// order, but the module's text, its key and the PTX would not be: a program built by one compiler
// would find nothing of what the other had cached.
//
// So the recorded order is replaced by one that follows from the module alone. Its roots are the
// ops that write memory and those that nobody uses, in the order of recording, which is that of
// statements; each root is preceded by what it needs, operand by operand, first operand first. For
// left-to-right code that is how an expression is read.
//
// A load must not pass a store. The block is therefore cut at the ops that write, an op stays in
// its piece, and the order is applied within each. Values are only used after they are made, so an
// operand lies in the same piece as its user or in an earlier one, and stays before it.
//
// The walk keeps its own stack: an expression may be a million operations deep.

#include "compiler/frontend/CanonicalOrder.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace trowel::compiler {

namespace {

bool writes(Operation &op) {
  return op.hasTrait<OpTrait::IsTerminator>() || hasEffect<MemoryEffects::Write>(&op);
}

/// Numbers ops in post-order of their operands.
class Ranks {
public:
  explicit Ranks(Block &block) : block(block) {}

  void visit(Operation *root) {
    enter(root);
    while (!stack.empty()) {
      auto &[op, next] = stack.back();
      if (next == op->getNumOperands()) {
        ranks[op] = count++;
        stack.pop_back();
        continue;
      }
      // `enter` may move the stack: `next` is not used after it.
      if (Operation *producer = op->getOperand(next++).getDefiningOp())
        if (producer->getBlock() == &block)
          enter(producer);
    }
  }
  unsigned operator[](Operation *op) const { return ranks.lookup(op); }

private:
  void enter(Operation *op) {
    if (ranks.try_emplace(op, 0).second)
      stack.push_back({op, 0});
  }

  Block &block;
  llvm::DenseMap<Operation *, unsigned> ranks;
  std::vector<std::pair<Operation *, unsigned>> stack;
  unsigned count = 0;
};

} // namespace

void orderCanonically(Block &block) {
  Ranks ranks(block);
  for (Operation &op : block)
    if (writes(op) || op.use_empty())
      ranks.visit(&op);

  std::vector<Operation *> ops, piece;
  for (Operation &op : block)
    ops.push_back(&op);
  for (Operation *op : ops) {
    if (!writes(*op)) {
      piece.push_back(op);
      continue;
    }
    llvm::sort(piece, [&](Operation *a, Operation *b) { return ranks[a] < ranks[b]; });
    for (Operation *earlier : piece)
      earlier->moveBefore(op);
    piece.clear();
  }
}

} // namespace trowel::compiler
