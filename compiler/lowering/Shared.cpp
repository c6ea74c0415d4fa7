// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program's shared memory: one array of bytes in address space 3, into which ops point.
//
// Up to 48 KiB are declared with their size, and the driver reserves them by itself. Beyond, CUDA
// wants the array open-ended and the size at the launch (the manifest's dynamicSharedBytes).
//
// Elements of 8 and 16 bits, and bools, take a word of 32 bits each. Two lanes may then write
// neighbours without sharing a word, and the count of banks is that of elements.

#include "compiler/lowering/Shared.h"

#include "dialect/TileDialect.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace trowel;
using namespace trowel::tile;

static constexpr llvm::StringLiteral memoryName{"tile_shared"};
static constexpr unsigned sharedSpace = static_cast<unsigned>(NVVM::NVVMMemorySpace::Shared);

void compiler::declareSharedMemory(ModuleOp module) {
  int64_t bytes = 0;
  module.walk([&](Operation *op) {
    if (auto shared = op->getAttrOfType<IntegerAttr>(TileDialect::sharedBytesAttr))
      bytes = std::max(bytes, shared.getInt());
  });
  if (bytes == 0)
    return;
  bool isStatic = bytes <= mostStaticSharedBytes;
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), isStatic ? bytes : 0);
  LLVM::GlobalOp::create(builder, module.getLoc(), type, /*isConstant=*/false,
                         isStatic ? LLVM::Linkage::Internal : LLVM::Linkage::External, memoryName,
                         /*value=*/Attribute(), /*alignment=*/16, sharedSpace);
}

Value compiler::scratchAddress(OpBuilder &builder, Operation *op, int64_t offset) {
  auto scratch = op->getAttrOfType<IntegerAttr>(TileDialect::scratchAttr);
  assert(scratch && "tile-allocate-shared has given the op its place");
  offset += scratch.getInt();
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext(), sharedSpace);
  Value base = LLVM::AddressOfOp::create(builder, op->getLoc(), pointer, memoryName);
  if (offset == 0)
    return base;
  return LLVM::GEPOp::create(builder, op->getLoc(), pointer, builder.getI8Type(), base,
                             ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(offset)},
                             LLVM::GEPNoWrapFlags::inbounds);
}

void compiler::synchronizeThreads(OpBuilder &builder, Location location) {
  Value zero = LLVM::ConstantOp::create(builder, location, builder.getI32IntegerAttr(0));
  LLVM::CallIntrinsicOp::create(
      builder, location, builder.getStringAttr("llvm.nvvm.barrier.cta.sync.aligned.all"), zero);
}

Type compiler::sharedType(Type element) {
  return element.getIntOrFloatBitWidth() < 32 ? IntegerType::get(element.getContext(), 32)
                                              : element;
}

Value compiler::toShared(OpBuilder &builder, Location location, Value element) {
  Type type = element.getType();
  unsigned bits = type.getIntOrFloatBitWidth();
  if (bits >= 32)
    return element;
  if (!type.isInteger())
    element = LLVM::BitcastOp::create(builder, location, builder.getIntegerType(bits), element);
  return LLVM::ZExtOp::create(builder, location, builder.getI32Type(), element);
}

Value compiler::fromShared(OpBuilder &builder, Location location, Value word, Type element) {
  unsigned bits = element.getIntOrFloatBitWidth();
  if (bits >= 32)
    return word;
  Value cut = LLVM::TruncOp::create(builder, location, builder.getIntegerType(bits), word);
  return element.isInteger() ? cut : LLVM::BitcastOp::create(builder, location, element, cut);
}
