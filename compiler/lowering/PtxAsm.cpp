// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one place where inline PTX is formed.
//
// A masked access is one predicated instruction. LLVM has no predicated global access that NVPTX
// selects; the alternative, a branch round each access, makes a block of every load and leaves it
// to ptxas to merge them again before several can be in flight. It does so for short ones: on an
// H200 a vector add of 2^26 took 188.8 us either way, and of a program with 4 accesses a thread
// ptxas 13.0 made the same machine code of both, all loads ahead of the first use. What LLVM does
// to branches before is another matter, so the predicate is said here. The registers that a masked
// load leaves alone are tied to its results: the fallback is in them beforehand.
//
// 8-bit words travel in 16-bit registers, the smallest that PTX has.

#include "compiler/lowering/PtxAsm.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace trowel;
using compiler::AccessShape;

AccessShape compiler::accessShape(int64_t bytes, int64_t elementBytes) {
  int64_t wordBytes = elementBytes == 8 ? 8 : std::min<int64_t>(bytes, 4);
  return {wordBytes * 8, bytes / wordBytes};
}

/// "ld.global.v4.b32" and the like.
static std::string opcode(StringRef base, AccessShape shape) {
  std::string text = (base + ".global").str();
  if (shape.count > 1)
    text += ".v" + std::to_string(shape.count);
  return text + ".b" + std::to_string(shape.bits);
}

/// "{$0,$1,$2,$3}", or "$0" for a single word.
static std::string wordList(unsigned first, int64_t count) {
  std::string text;
  for (int64_t i = 0; i < count; ++i)
    text += (i ? ",$" : "$") + std::to_string(first + i);
  return count > 1 ? "{" + text + "}" : text;
}

static StringRef registerConstraint(AccessShape shape) {
  return shape.bits <= 16 ? "h" : shape.bits == 32 ? "r" : "l";
}

static Type registerType(OpBuilder &builder, AccessShape shape) {
  return builder.getIntegerType(std::max<int64_t>(shape.bits, 16));
}

static Value toRegister(OpBuilder &builder, Location location, AccessShape shape, Value word) {
  return shape.bits == 8
             ? LLVM::ZExtOp::create(builder, location, registerType(builder, shape), word)
             : word;
}

static LLVM::InlineAsmOp inlineAsm(OpBuilder &builder, Location location, Type result,
                                   ValueRange operands, const std::string &text,
                                   const std::string &constraints, bool hasSideEffects = true) {
  return LLVM::InlineAsmOp::create(builder, location, result ? TypeRange(result) : TypeRange(),
                                   operands, text, constraints, hasSideEffects,
                                   /*is_align_stack=*/false, LLVM::TailCallKind::None,
                                   /*asm_dialect=*/LLVM::AsmDialectAttr(),
                                   /*operand_attrs=*/ArrayAttr());
}

SmallVector<Value> compiler::predicatedLoad(OpBuilder &builder, Location location,
                                            AccessShape shape, Value pointer, Value predicate,
                                            ValueRange fallback) {
  unsigned count = shape.count;
  std::string text = "@$" + std::to_string(count + 1) + " " + opcode("ld", shape) + " " +
                     wordList(0, count) + ", [$" + std::to_string(count) + "];";
  std::string constraints;
  for (unsigned i = 0; i < count; ++i)
    constraints += ("=" + registerConstraint(shape) + ",").str();
  constraints += "l,b";
  for (unsigned i = 0; i < count; ++i)
    constraints += "," + std::to_string(i);

  SmallVector<Value> operands{pointer, predicate};
  for (Value word : fallback)
    operands.push_back(toRegister(builder, location, shape, word));
  Type word = registerType(builder, shape);
  Type result = count == 1 ? word
                           : LLVM::LLVMStructType::getLiteral(builder.getContext(),
                                                              SmallVector<Type>(count, word));
  Value loaded = inlineAsm(builder, location, result, operands, text, constraints).getResult(0);

  SmallVector<Value> words;
  for (unsigned i = 0; i < count; ++i) {
    Value value = count == 1 ? loaded : LLVM::ExtractValueOp::create(builder, location, loaded, i);
    if (shape.bits == 8)
      value = LLVM::TruncOp::create(builder, location, builder.getI8Type(), value);
    words.push_back(value);
  }
  return words;
}

void compiler::predicatedStore(OpBuilder &builder, Location location, AccessShape shape,
                               Value pointer, Value predicate, ValueRange words) {
  std::string text = "@$1 " + opcode("st", shape) + " [$0], " + wordList(2, shape.count) + ";";
  std::string constraints = "l,b";
  SmallVector<Value> operands{pointer, predicate};
  for (Value word : words) {
    constraints += ("," + registerConstraint(shape)).str();
    operands.push_back(toRegister(builder, location, shape, word));
  }
  // Side effects alone keep the optimiser from moving a load across; instruction selection's later
  // passes sink an ordinary load into the branch that uses it unless memory is said to change.
  constraints += ",~{memory}";
  inlineAsm(builder, location, Type(), operands, text, constraints);
}

Value compiler::moveBits16(OpBuilder &builder, Location location, Value bits) {
  return inlineAsm(builder, location, builder.getI16Type(), bits, "mov.b16 $0, $1;", "=h,h",
                   /*hasSideEffects=*/false)
      .getResult(0);
}
