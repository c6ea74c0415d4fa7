// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the algebra of layouts to instructions.
//
// A coordinate is the xor of the bases of the bits that are set in (register, lane, warp). Lane and
// warp are the low five and the higher bits of one number, the thread's index in the CTA. Bits
// whose bases are the same distance away move together, so the thread's part is one masked shift
// for each distance: a blocked layout needs one or two. A register's part is a constant.
//
//   registers 4, lanes 32, warps 8 of a tile of 1024:   index = (thread << 2) | register
//
// Parts that share no bits are joined by `or disjoint` and thread indices have a known range, which
// lets LLVM split constants off addresses and prove that offsets are not negative.

#include "compiler/lowering/IndexMath.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

#include <map>

using namespace mlir;
using namespace trowel;
using compiler::constant;
using compiler::laneBits;

Value compiler::constant(OpBuilder &builder, Location location, int32_t value) {
  return LLVM::ConstantOp::create(builder, location, builder.getI32IntegerAttr(value));
}

/// a ^ b, as an `or` where `disjoint` says that no bit is set in both.
static Value join(OpBuilder &builder, Location location, Value a, Value b, bool disjoint) {
  if (!disjoint)
    return LLVM::XOrOp::create(builder, location, a, b);
  auto result = LLVM::OrOp::create(builder, location, a, b);
  result.setIsDisjoint(true);
  return result;
}

Value compiler::threadIndex(OpBuilder &builder, Location location, int64_t warps) {
  auto range = LLVM::ConstantRangeAttr::get(builder.getContext(), APInt(32, 0),
                                            APInt(32, warps << laneBits));
  return NVVM::ThreadIdXOp::create(builder, location, builder.getI32Type(), range);
}

compiler::ElementIndices::ElementIndices(OpBuilder &builder, Location location,
                                         const layout::LinearLayout &layout)
    : builder(builder), location(location), layout(layout) {
  Value thread = threadIndex(builder, location, layout.size(layout::InputDim::Warp));
  for (int axis = 0; axis < layout.rank(); ++axis) {
    // For each distance from a bit of the thread's index to a bit of the coordinate: the former
    // bits.
    std::map<int, uint32_t> moves;
    auto note = [&](layout::InputDim dim, int firstBit) {
      for (int bit = 0; bit < layout.bitCount(dim); ++bit)
        for (uint32_t basis = layout.basis(dim, bit)[axis]; basis != 0; basis &= basis - 1)
          moves[llvm::countr_zero(basis) - (firstBit + bit)] |= 1u << (firstBit + bit);
    };
    note(layout::InputDim::Lane, 0);
    note(layout::InputDim::Warp, laneBits);

    Value sum;
    uint32_t bits = 0;
    for (auto [distance, mask] : moves) {
      Value part =
          LLVM::AndOp::create(builder, location, thread, constant(builder, location, mask));
      if (distance > 0)
        part = LLVM::ShlOp::create(builder, location, part, constant(builder, location, distance));
      else if (distance < 0)
        part =
            LLVM::LShrOp::create(builder, location, part, constant(builder, location, -distance));
      uint32_t partBits = distance >= 0 ? mask << distance : mask >> -distance;
      sum = sum ? join(builder, location, sum, part, (bits & partBits) == 0) : part;
      bits |= partBits;
    }
    ofThread.push_back(sum ? sum : constant(builder, location, 0));
    bitsOfThread.push_back(bits);
  }
}

Value compiler::ElementIndices::at(int reg, int axis) {
  uint32_t ofRegister = layout(reg, 0, 0)[axis];
  if (ofRegister == 0)
    return ofThread[axis];
  Value part = constant(builder, location, ofRegister);
  if (bitsOfThread[axis] == 0)
    return part;
  return join(builder, location, ofThread[axis], part, (bitsOfThread[axis] & ofRegister) == 0);
}

Value compiler::ownsElements(OpBuilder &builder, Location location,
                             const layout::LinearLayout &layout) {
  uint32_t mask = layout.redundantMask(layout::InputDim::Lane) |
                  layout.redundantMask(layout::InputDim::Warp) << laneBits;
  if (mask == 0)
    return {};
  Value thread = threadIndex(builder, location, layout.size(layout::InputDim::Warp));
  Value bits = LLVM::AndOp::create(builder, location, thread, constant(builder, location, mask));
  return LLVM::ICmpOp::create(builder, location, LLVM::ICmpPredicate::eq, bits,
                              constant(builder, location, 0));
}
