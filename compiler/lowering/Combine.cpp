// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements that meet.
//
// A meeting is a copy of the op's region with two elements in place of its arguments; what its ops
// are lowered to is the business of their own patterns. Elements of padding take no part: where one
// of the two may be padding, both outcomes are there and a select decides. Whether it is padding
// follows from the coordinate, which is known where the tile is larger than what all threads' first
// registers cover, and needs no flag that travels with the element.
//
//   extent 3000, padded to 4096; 256 threads of 4 neighbours cover 1024 at a time: registers 0 to 7
//   exist in every thread, 8 to 11 where 2048 + 4 · thread < 3000, and 12 to 15 nowhere.

#include "compiler/lowering/Combine.h"

#include "compiler/lowering/PtxAsm.h"
#include "compiler/lowering/Shared.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace trowel;
using namespace trowel::tile;
using compiler::constant;
using compiler::laneBits;

//===- Combiner -------------------------------------------------------------------------------===//

/// Whether the region yields one commutative op of its two arguments.
static bool isOneCommutativeOp(Region &region) {
  Block &body = region.front();
  if (body.getNumArguments() != 2 || !llvm::hasNItems(body, 2))
    return false;
  Operation &op = body.front();
  return op.hasTrait<OpTrait::IsCommutative>() && op.getNumResults() == 1 &&
         body.back().getOperand(0) == op.getResult(0);
}

compiler::Combiner::Combiner(ConversionPatternRewriter &rewriter, Location location, Region &region)
    : rewriter(rewriter), location(location), region(region),
      commutative(isOneCommutativeOp(region)) {}

SmallVector<Value> compiler::Combiner::apply(const Partial &first, const Partial &second) {
  Block &body = region.front();
  IRMapping mapping;
  size_t count = first.values.size();
  for (size_t i = 0; i < count; ++i) {
    mapping.map(body.getArgument(i), first.values[i]);
    mapping.map(body.getArgument(count + i), second.values[i]);
  }
  for (Operation &op : body.without_terminator())
    rewriter.clone(op, mapping);
  return llvm::map_to_vector(body.getTerminator()->getOperands(),
                             [&](Value value) { return mapping.lookupOrDefault(value); });
}

compiler::Partial compiler::Combiner::select(Value condition, const Partial &a, const Partial &b) {
  Partial result;
  for (auto [x, y] : llvm::zip_equal(a.values, b.values))
    result.values.push_back(LLVM::SelectOp::create(rewriter, location, condition, x, y));
  if (a.exists || b.exists) {
    auto flagOf = [&](const Partial &partial) -> Value {
      return partial.exists
                 ? partial.exists
                 : LLVM::ConstantOp::create(rewriter, location, rewriter.getBoolAttr(true));
    };
    result.exists = LLVM::SelectOp::create(rewriter, location, condition, flagOf(a), flagOf(b));
  }
  return result;
}

compiler::Partial compiler::Combiner::combine(const Partial &first, const Partial &second) {
  Partial both{apply(first, second), {}};
  if (first.exists == second.exists) { // one flag for both, or none
    both.exists = first.exists;
    return both;
  }
  auto choose = [&](Value condition, const Partial &other) {
    for (auto [value, otherwise] : llvm::zip_equal(both.values, other.values))
      value = LLVM::SelectOp::create(rewriter, location, condition, value, otherwise);
  };
  if (second.exists)
    choose(second.exists, first);
  if (first.exists)
    choose(first.exists, second);
  if (first.exists && second.exists)
    both.exists = LLVM::OrOp::create(rewriter, location, first.exists, second.exists);
  return both;
}

Value compiler::Combiner::shuffle(Value value, int laneMask) {
  Type type = value.getType();
  unsigned bits = type.getIntOrFloatBitWidth();
  Type word = rewriter.getI32Type();
  if (bits == 64) {
    auto halves = VectorType::get(2, word);
    Value cut = LLVM::BitcastOp::create(rewriter, location, halves, value);
    Value joined = LLVM::UndefOp::create(rewriter, location, halves);
    for (int i = 0; i < 2; ++i) {
      Value index = constant(rewriter, location, i);
      Value half = LLVM::ExtractElementOp::create(rewriter, location, cut, index);
      joined =
          LLVM::InsertElementOp::create(rewriter, location, joined, shuffle(half, laneMask), index);
    }
    return LLVM::BitcastOp::create(rewriter, location, type, joined);
  }
  Value sent = toShared(rewriter, location, value);
  Value received =
      NVVM::ShflOp::create(rewriter, location, sent.getType(), constant(rewriter, location, -1),
                           sent, constant(rewriter, location, laneMask),
                           constant(rewriter, location, 31), NVVM::ShflKind::bfly, UnitAttr());
  return fromShared(rewriter, location, received, type);
}

compiler::Partial compiler::Combiner::fromLane(const Partial &own, int laneMask) {
  Partial other;
  for (Value value : own.values)
    other.values.push_back(shuffle(value, laneMask));
  return other;
}

//===- AxisBits -------------------------------------------------------------------------------===//

compiler::AxisBits::AxisBits(OpBuilder &builder, Location location, RankedTensorType tile, int axis)
    : builder(builder), location(location), linear(layoutOf(tile).linearLayout()), position(axis),
      extent(tile.getDimSize(axis)), indices(builder, location, linear) {
  for (layout::InputDim dim : layout::allInputDims) {
    SmallVector<int> &masks = alongAxis[static_cast<int>(dim)];
    for (int bit = 0; bit < linear.bitCount(dim); ++bit)
      if (int distance = linear.basis(dim, bit)[axis]) {
        masks.push_back(1 << bit);
        if (dim != layout::InputDim::Register)
          ofThreads |= distance;
      }
    llvm::stable_sort(masks, [&](int a, int b) { return distance(dim, a) < distance(dim, b); });
  }
}

int compiler::AxisBits::distance(layout::InputDim dim, int mask) const {
  return linear.basis(dim, llvm::countr_zero(static_cast<unsigned>(mask)))[position];
}

layout::Coordinates compiler::AxisBits::lineOf(int reg) const {
  layout::Coordinates index = linear(reg, 0, 0);
  index.erase(index.begin() + position);
  return index;
}

int compiler::AxisBits::ofRegister(int reg) const { return linear(reg, 0, 0)[position]; }

Value compiler::AxisBits::exists(int ofRegister, int cleared, int flipped) {
  // The extent is a multiple of `step`: an element exists if the first of its `step` neighbours
  // does, so neighbours share a flag.
  int step = static_cast<int>(extent & -extent);
  ofRegister &= -step;
  cleared |= step - 1;
  flipped &= ~cleared;
  if ((ofRegister | (ofThreads & ~cleared)) < extent)
    return {};
  Value &known = flags[{ofRegister, cleared, flipped}];
  if (known)
    return known;
  Value coordinate = indices.at(0, position);
  if (flipped)
    coordinate =
        LLVM::XOrOp::create(builder, location, coordinate, constant(builder, location, flipped));
  coordinate =
      LLVM::AndOp::create(builder, location, coordinate, constant(builder, location, ~cleared));
  coordinate =
      LLVM::AddOp::create(builder, location, coordinate, constant(builder, location, ofRegister));
  known = LLVM::ICmpOp::create(builder, location, LLVM::ICmpPredicate::slt, coordinate,
                               constant(builder, location, static_cast<int32_t>(extent)));
  return known;
}

compiler::ElementsOfLines compiler::elementsOfLines(const AxisBits &bits, RankedTensorType tile,
                                                    ArrayRef<ValueRange> registersOfOperands,
                                                    llvm::function_ref<Value(int)> exists) {
  int repeated = bits.layout().replicationMask(layout::InputDim::Register);
  ElementsOfLines elements;
  for (auto [position, reg] : llvm::enumerate(liveRegisters(tile))) {
    if (reg & repeated)
      continue;
    Partial element;
    for (ValueRange registers : registersOfOperands)
      element.values.push_back(registers[position]);
    int coordinate = bits.ofRegister(reg);
    element.exists = exists(coordinate);
    elements[bits.lineOf(reg)][coordinate] = std::move(element);
  }
  return elements;
}

//===- WarpExchange ---------------------------------------------------------------------------===//

compiler::WarpExchange::WarpExchange(ConversionPatternRewriter &rewriter, Operation *op,
                                     const AxisBits &bits, ArrayRef<int> warpBits, int64_t groups)
    : rewriter(rewriter), location(op->getLoc()), bits(bits),
      lines(bits.layout().withAxisRemoved(bits.axis())), warpBits(warpBits), groups(groups) {
  int64_t slots = warps() * groups * lines.elementCount(), offset = 0;
  for (Value operand : op->getOperands()) {
    elements.push_back(elementTypeOf(operand.getType()));
    bases.push_back(scratchAddress(rewriter, op, offset));
    offset += slots * std::max<int64_t>(memoryBytes(elements.back()), 4);
  }

  Value thread = threadIndex(rewriter, location, lines.size(layout::InputDim::Warp));
  own = constant(rewriter, location, 0);
  for (auto [place, mask] : llvm::enumerate(warpBits)) {
    int from = laneBits + llvm::countr_zero(static_cast<unsigned>(mask));
    Value bit = LLVM::LShrOp::create(rewriter, location, thread,
                                     constant(rewriter, location, from - static_cast<int>(place)));
    bit = LLVM::AndOp::create(rewriter, location, bit, constant(rewriter, location, 1 << place));
    own = LLVM::OrOp::create(rewriter, location, own, bit);
  }

  // The bits of the thread's number that tell lines apart, without gaps; runs of them move at once.
  auto distinctOf = [&](layout::InputDim dim) {
    return ~static_cast<unsigned>(lines.redundantMask(dim)) &
           static_cast<unsigned>(lines.size(dim) - 1);
  };
  unsigned distinct = distinctOf(layout::InputDim::Lane) | distinctOf(layout::InputDim::Warp)
                                                               << laneBits;
  threadsWithLines = int64_t(1) << llvm::popcount(distinct);
  threadNumber = constant(rewriter, location, 0);
  for (int place = 0; distinct != 0;) {
    int from = llvm::countr_zero(distinct), length = llvm::countr_one(distinct >> from);
    unsigned run = (1u << length) - 1;
    Value part =
        LLVM::LShrOp::create(rewriter, location, thread, constant(rewriter, location, from));
    part = LLVM::AndOp::create(rewriter, location, part,
                               constant(rewriter, location, static_cast<int32_t>(run)));
    part = LLVM::ShlOp::create(rewriter, location, part, constant(rewriter, location, place));
    threadNumber = LLVM::OrOp::create(rewriter, location, threadNumber, part);
    place += length;
    distinct &= ~(run << from);
  }

  // One lane of each warp stores, and of several warps that hold the same, one.
  int repeatedWarps = lines.redundantMask(layout::InputDim::Warp);
  for (int mask : warpBits)
    repeatedWarps &= ~mask;
  int repeated = lines.redundantMask(layout::InputDim::Lane) | repeatedWarps << laneBits;
  Value rest =
      LLVM::AndOp::create(rewriter, location, thread, constant(rewriter, location, repeated));
  stores = LLVM::ICmpOp::create(rewriter, location, LLVM::ICmpPredicate::eq, rest,
                                constant(rewriter, location, 0));
}

int64_t compiler::WarpExchange::firstOf(int64_t warp) const {
  int64_t coordinate = 0;
  for (auto [place, mask] : llvm::enumerate(warpBits))
    if (warp >> place & 1)
      coordinate |= bits.distance(layout::InputDim::Warp, mask);
  return coordinate;
}

Value compiler::WarpExchange::slotOf(const layout::Coordinates &line, int64_t group) {
  auto ofLine = static_cast<int64_t>(order.try_emplace(line, order.size()).first->second);
  int64_t before = group * lines.elementCount() + ofLine * threadsWithLines;
  return LLVM::AddOp::create(rewriter, location, threadNumber,
                             constant(rewriter, location, static_cast<int32_t>(before)));
}

Value compiler::WarpExchange::address(Value slot, int operand) {
  return LLVM::GEPOp::create(rewriter, location, bases[operand].getType(),
                             sharedType(elements[operand]), bases[operand],
                             ArrayRef<LLVM::GEPArg>{slot}, LLVM::GEPNoWrapFlags::inbounds);
}

void compiler::WarpExchange::store(const layout::Coordinates &line, int64_t group,
                                   const Partial &partial) {
  Value ofWarp = LLVM::MulOp::create(
      rewriter, location, own,
      constant(rewriter, location, static_cast<int32_t>(groups * lines.elementCount())));
  Value slot = LLVM::AddOp::create(rewriter, location, ofWarp, slotOf(line, group));
  for (auto [operand, value] : llvm::enumerate(partial.values))
    storeShared(rewriter, location, address(slot, operand), stores,
                toShared(rewriter, location, value));
}

void compiler::WarpExchange::synchronize() { synchronizeThreads(rewriter, location); }

compiler::Partial compiler::WarpExchange::load(const layout::Coordinates &line, int64_t group,
                                               int64_t warp) {
  Value slot = slotOf(line, group + warp * groups);
  Partial partial;
  for (auto [operand, element] : llvm::enumerate(elements)) {
    Value word =
        LLVM::LoadOp::create(rewriter, location, sharedType(element), address(slot, operand));
    partial.values.push_back(fromShared(rewriter, location, word, element));
  }
  return partial;
}
