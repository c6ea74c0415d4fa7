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
// A mask that may cut an instruction in two is another matter: its parts move alone where that
// happens, at most once in a tile, and a branch keeps the instructions for it out of the way of all
// other threads. It stands inside the text, with labels of its own scope, so that LLVM sees one
// operation and cannot spread it.
//
// 8-bit words travel in 16-bit registers, the smallest that PTX has. Parts of a word travel in
// registers of 32 bits, for bytes cannot be put together otherwise.
//
// Checks of hints are comments, which the software device executes ("//@sim"); an assembler skips
// them and then drops what was computed for them alone.

#include "compiler/lowering/PtxAsm.h"

#include "runtime/base/RecordFormat.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

#include <fmt/format.h>

using namespace mlir;
using namespace trowel;
using compiler::AccessShape;

AccessShape compiler::accessShape(int64_t bytes, int64_t elementBytes) {
  int64_t wordBytes = elementBytes == 8 ? 8 : std::min<int64_t>(bytes, 4);
  return {wordBytes * 8, bytes / wordBytes};
}

/// "ld.global.cg.v4.b32" and the like.
static std::string opcode(StringRef base, StringRef modifier, AccessShape shape) {
  std::string text = (base + ".global").str();
  if (!modifier.empty())
    text += ("." + modifier).str();
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

/// An inline text and its operands, in the order in which they are added. Results come first.
namespace {
struct AsmText {
  std::string text, constraints;
  SmallVector<Value> operands;
  unsigned count = 0;

  /// Adds a result or operand and returns how the text names it.
  std::string add(StringRef constraint, Value operand = {}) {
    constraints += (count ? "," : "") + constraint.str();
    if (operand)
      operands.push_back(operand);
    return "$" + std::to_string(count++);
  }
  std::string results(AccessShape shape, StringRef prefix) {
    for (int64_t i = 0; i < shape.count; ++i)
      add((prefix + registerConstraint(shape)).str());
    return wordList(0, shape.count);
  }
  /// Operands that are in the registers of the results beforehand.
  void tie(OpBuilder &builder, Location location, AccessShape shape, ValueRange words) {
    for (auto [i, word] : llvm::enumerate(words))
      add(std::to_string(i), toRegister(builder, location, shape, word));
  }
};

/// A part of a vector as instructions see it: which words it is, or where in a word.
struct Part {
  int64_t byte, firstWord, firstBit;
  AccessShape shape;
  bool isOfAWord;

  Part(AccessShape whole, int64_t index, int64_t parts) {
    int64_t bytes = whole.bytes() / parts, wordBytes = whole.bits / 8;
    byte = index * bytes;
    firstWord = byte / wordBytes;
    firstBit = byte % wordBytes * 8;
    isOfAWord = bytes < wordBytes;
    shape = isOfAWord ? AccessShape{bytes * 8, 1} : AccessShape{whole.bits, bytes / wordBytes};
  }
};
} // namespace

/// The words of a load, from the results of its text.
static SmallVector<Value> load(OpBuilder &builder, Location location, AccessShape shape,
                               const AsmText &text) {
  unsigned count = shape.count;
  Type word = registerType(builder, shape);
  Type result = count == 1 ? word
                           : LLVM::LLVMStructType::getLiteral(builder.getContext(),
                                                              SmallVector<Type>(count, word));
  Value loaded =
      inlineAsm(builder, location, result, text.operands, text.text, text.constraints).getResult(0);
  SmallVector<Value> words;
  for (unsigned i = 0; i < count; ++i) {
    Value value = count == 1 ? loaded : LLVM::ExtractValueOp::create(builder, location, loaded, i);
    if (shape.bits == 8)
      value = LLVM::TruncOp::create(builder, location, builder.getI8Type(), value);
    words.push_back(value);
  }
  return words;
}

static void store(OpBuilder &builder, Location location, const AsmText &text) {
  // Side effects alone keep the optimiser from moving a load across; instruction selection's later
  // passes sink an ordinary load into the branch that uses it unless memory is said to change.
  inlineAsm(builder, location, Type(), text.operands, text.text, text.constraints + ",~{memory}");
}

SmallVector<Value> compiler::maskedLoad(OpBuilder &builder, Location location, AccessShape shape,
                                        StringRef modifier, Value pointer, Value predicate,
                                        ValueRange fallback) {
  AsmText text;
  std::string words = text.results(shape, "=");
  std::string from = text.add("l", pointer);
  std::string guard = predicate ? "@" + text.add("b", predicate) + " " : "";
  if (predicate)
    text.tie(builder, location, shape, fallback);
  text.text = guard + opcode("ld", modifier, shape) + " " + words + ", [" + from + "];";
  return load(builder, location, shape, text);
}

void compiler::maskedStore(OpBuilder &builder, Location location, AccessShape shape,
                           StringRef modifier, Value pointer, Value predicate, ValueRange words) {
  AsmText text;
  std::string to = text.add("l", pointer);
  std::string guard = predicate ? "@" + text.add("b", predicate) + " " : "";
  unsigned first = text.count;
  for (Value word : words)
    text.add(registerConstraint(shape), toRegister(builder, location, shape, word));
  text.text = guard + opcode("st", modifier, shape) + " [" + to + "], " +
              wordList(first, shape.count) + ";";
  store(builder, location, text);
}

/// The frame of an access of which parts may move alone: `whole` where all do, else `parts`.
static std::string splitText(const std::string &all, const std::string &whole,
                             const std::string &parts) {
  return "{\n\t.reg .b32 part;\n\t@!" + all + " bra PARTS;\n\t" + whole +
         "\n\tbra DONE;\nPARTS:" + parts + "\nDONE:\n\t}";
}

SmallVector<Value> compiler::splitLoad(OpBuilder &builder, Location location, AccessShape shape,
                                       StringRef modifier, Value pointer, Value all,
                                       ValueRange predicates, ValueRange fallback) {
  AsmText text;
  // Written before the address is read for the last time.
  std::string words = text.results(shape, "=&");
  std::string from = text.add("l", pointer), whole = text.add("b", all), parts;
  for (auto [index, predicate] : llvm::enumerate(predicates)) {
    Part part(shape, index, predicates.size());
    std::string guard = "\n\t@" + text.add("b", predicate) + " ";
    std::string place = "[" + from + "+" + std::to_string(part.byte) + "];";
    std::string access = guard + opcode("ld", modifier, part.shape) + " ";
    if (!part.isOfAWord) {
      parts += access + wordList(part.firstWord, part.shape.count) + ", " + place;
      continue;
    }
    std::string word = "$" + std::to_string(part.firstWord);
    parts += access + "part, " + place + guard + "bfi.b32 " + word + ", part, " + word + ", " +
             std::to_string(part.firstBit) + ", " + std::to_string(part.shape.bits) + ";";
  }
  text.tie(builder, location, shape, fallback);
  text.text =
      splitText(whole, opcode("ld", modifier, shape) + " " + words + ", [" + from + "];", parts);
  return load(builder, location, shape, text);
}

void compiler::splitStore(OpBuilder &builder, Location location, AccessShape shape,
                          StringRef modifier, Value pointer, Value all, ValueRange predicates,
                          ValueRange words) {
  AsmText text;
  std::string to = text.add("l", pointer), whole = text.add("b", all), parts;
  unsigned first = text.count;
  for (Value word : words)
    text.add(registerConstraint(shape), word);
  for (auto [index, predicate] : llvm::enumerate(predicates)) {
    Part part(shape, index, predicates.size());
    std::string access = "\n\t@" + text.add("b", predicate) + " " +
                         opcode("st", modifier, part.shape) + " [" + to + "+" +
                         std::to_string(part.byte) + "], ";
    std::string word = wordList(first + part.firstWord, part.shape.count);
    if (part.firstBit == 0)
      parts += access + word + ";";
    else
      parts += "\n\tshr.b32 part, " + word + ", " + std::to_string(part.firstBit) + ";" + access +
               "part;";
  }
  text.text = splitText(
      whole, opcode("st", modifier, shape) + " [" + to + "], " + wordList(first, shape.count) + ";",
      parts);
  store(builder, location, text);
}

void compiler::storeShared(OpBuilder &builder, Location location, Value pointer, Value predicate,
                           Value word) {
  unsigned bits = word.getType().getIntOrFloatBitWidth();
  Type integer = builder.getIntegerType(bits);
  if (word.getType() != integer)
    word = LLVM::BitcastOp::create(builder, location, integer, word);
  AsmText text;
  std::string address = text.add("l", pointer), guard = text.add("b", predicate),
              value = text.add(bits == 32 ? "r" : "l", word);
  text.text = fmt::format("@{} st.shared.b{} [{}], {};", guard, bits, address, value);
  inlineAsm(builder, location, {}, text.operands, text.text, text.constraints + ",~{memory}");
}

void compiler::checkMultiple(OpBuilder &builder, Location location, Value value, int64_t divisor,
                             Value predicate) {
  AsmText text;
  if (auto integer = dyn_cast<IntegerType>(value.getType()); integer && integer.getWidth() < 32)
    value = LLVM::ZExtOp::create(builder, location, builder.getI32Type(), value);
  bool isNarrow = value.getType().isInteger(32);
  std::string number = text.add(isNarrow ? "r" : "l", value);
  std::string guard = predicate ? "@" + text.add("b", predicate) + " " : "";
  text.text = "//@sim " + guard + "promise.multiple." + (isNarrow ? "b32 " : "b64 ") + number +
              ", " + std::to_string(divisor) + ";";
  inlineAsm(builder, location, Type(), text.operands, text.text, text.constraints);
}

void compiler::checkTrue(OpBuilder &builder, Location location, Value condition) {
  inlineAsm(builder, location, Type(), condition, "//@sim promise.true $0;", "b");
}

/// How an element travels in inline PTX.
static StringRef constraintOf(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return integer.getWidth() == 1    ? "b"
           : integer.getWidth() <= 16 ? "h"
           : integer.getWidth() == 32 ? "r"
                                      : "l";
  return type.isF32() ? "f" : type.isF64() ? "d" : "h";
}

Value compiler::inlinePtx(OpBuilder &builder, Location location, Type result, ValueRange operands,
                          StringRef lines, bool isPure) {
  auto isHalf = [](Type type) { return type.isF16() || type.isBF16(); };
  Type held = isHalf(result) ? Type(builder.getI16Type()) : result;
  AsmText text;
  text.add(("=&" + constraintOf(held)).str());
  for (Value operand : operands) {
    if (isHalf(operand.getType()))
      operand = LLVM::BitcastOp::create(builder, location, builder.getI16Type(), operand);
    text.add(constraintOf(operand.getType()), operand);
  }
  text.text = ("{\n" + lines + "\n\t}").str();
  Value computed =
      inlineAsm(builder, location, held, text.operands, text.text, text.constraints, !isPure)
          .getResult(0);
  return held == result ? computed : LLVM::BitcastOp::create(builder, location, result, computed);
}

void compiler::writeRecord(OpBuilder &builder, Location location, Value buffer, Value predicate,
                           ValueRange words, bool isFailure) {
  int bytes = static_cast<int>(words.size()) * 4;
  // Lanes without a record compute with zeros: every register is written before it is read.
  std::string text = fmt::format("{{ .reg .pred fits, lost; .reg .b64 at, end, room; "
                                 "mov.b64 at, 0; mov.b64 room, 0; "
                                 "@$1 atom.global.add.u64 at, [$0+{}], {}; "
                                 "@$1 ld.global.u64 room, [$0+{}]; "
                                 "add.u64 end, at, {}; "
                                 "setp.le.and.u64 fits, end, room, $1; "
                                 "setp.gt.and.u64 lost, end, room, $1; "
                                 "add.u64 at, at, $0; ",
                                 records::usedOffset, bytes, records::roomOffset, bytes);
  std::string constraints = "l,b";
  SmallVector<Value> operands{buffer, predicate};
  for (std::size_t i = 0; i < words.size(); i += 2)
    text += fmt::format("@fits st.global.v2.b32 [at+{}], {{${},${}}}; ",
                        records::headerBytes + 4 * i, i + 2, i + 3);
  text += fmt::format("@lost red.global.add.u64 [$0+{}], 1; }}",
                      isFailure ? records::lostFailuresOffset : records::lostPrintsOffset);
  for (Value word : words) {
    constraints += ",r";
    operands.push_back(word);
  }
  constraints += ",~{memory}";
  inlineAsm(builder, location, Type(), operands, text, constraints);
}

Value compiler::moveBits16(OpBuilder &builder, Location location, Value bits) {
  return inlineAsm(builder, location, builder.getI16Type(), bits, "mov.b16 $0, $1;", "=h,h",
                   /*hasSideEffects=*/false)
      .getResult(0);
}
