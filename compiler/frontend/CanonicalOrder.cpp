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
// A loop or branch is a statement: nothing moves across it, so what was written behind a loop is
// not computed before it and kept in registers all the while. (Two of them in one expression
// therefore stay in the order in which the compiler evaluated them.) Nothing moves across an early
// return either: what is stored before it must be, and what comes after it must not. Bodies are
// ordered each for itself.
//
// The walk keeps its own stack: an expression may be as deep as a kernel is long.

#include "compiler/frontend/CanonicalOrder.h"

#include "dialect/TileDialect.h"

#include "mlir/IR/Operation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace trowel::compiler {

namespace {

/// Whether nothing may move across the op.
bool cuts(Operation &op) {
  bool isStructured = op.getNumRegions() != 0 && !op.hasTrait<tile::CombinesElements>();
  return op.hasTrait<OpTrait::IsTerminator>() || isStructured ||
         mightHaveEffect<MemoryEffects::Write>(&op);
}

/// What an op needs: its operands, then what the ops in its regions take from outside of them.
SmallVector<Value> needsOf(Operation *op) {
  SmallVector<Value> needs(op->getOperands());
  if (op->getNumRegions() != 0)
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (inner != op && !op->isAncestor(operand.getParentRegion()->getParentOp()))
          needs.push_back(operand);
    });
  return needs;
}

/// Numbers ops in post-order of what they need.
class Ranks {
public:
  explicit Ranks(Block &block) : block(block) {}

  void visit(Operation *root) {
    enter(root);
    while (!stack.empty()) {
      auto &[op, needs, next] = stack.back();
      if (next == needs.size()) {
        ranks[op] = count++;
        stack.pop_back();
        continue;
      }
      // `enter` may move the stack: nothing of it is used after it.
      if (Operation *producer = needs[next++].getDefiningOp())
        if (producer->getBlock() == &block)
          enter(producer);
    }
  }
  unsigned operator[](Operation *op) const { return ranks.lookup(op); }

private:
  struct Visit {
    Operation *op;
    SmallVector<Value> needs;
    std::size_t next = 0;
  };

  void enter(Operation *op) {
    if (ranks.try_emplace(op, 0).second)
      stack.push_back({op, needsOf(op)});
  }

  Block &block;
  llvm::DenseMap<Operation *, unsigned> ranks;
  std::vector<Visit> stack;
  unsigned count = 0;
};

} // namespace

void orderCanonically(Block &block) {
  std::vector<Operation *> ops, piece;
  for (Operation &op : block) {
    ops.push_back(&op);
    for (Region &region : op.getRegions())
      for (Block &inner : region)
        orderCanonically(inner);
  }

  Ranks ranks(block);
  for (Operation *op : ops)
    if (cuts(*op) || op->use_empty())
      ranks.visit(op);

  for (Operation *op : ops) {
    if (!cuts(*op)) {
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
