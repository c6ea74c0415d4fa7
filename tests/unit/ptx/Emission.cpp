// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each module gets its own MLIRContext without threads, as a compile has in the product, so that
// the tests that emit from several threads share only what the product shares.
#include "tests/unit/ptx/Emission.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

#include <sstream>

namespace trowel::compiler {

PtxResult emitText(const std::string &module, const char *target, PtxInspection inspection) {
  mlir::DialectRegistry registry;
  registry.insert<mlir::LLVM::LLVMDialect, mlir::NVVM::NVVMDialect>();
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  auto parsed = mlir::parseSourceString<mlir::ModuleOp>(module, &context);
  if (!parsed)
    return PtxFailure{"", 0, "the test's module does not parse"};
  return emitPtx(*parsed, **findTarget(target), inspection);
}

std::string ptxOf(const std::string &module, const char *target) {
  PtxResult result = emitText(module, target);
  if (auto *failure = std::get_if<PtxFailure>(&result)) {
    ADD_FAILURE() << failure->file << ":" << failure->line << ": " << failure->text;
    return "";
  }
  return std::get<std::string>(result);
}

PtxFailure failureOf(const std::string &module, const char *target) {
  PtxResult result = emitText(module, target);
  if (auto *ptx = std::get_if<std::string>(&result)) {
    ADD_FAILURE() << "expected a failure, got\n" << *ptx;
    return {};
  }
  return std::get<PtxFailure>(result);
}

std::string kernel(const std::string &body) {
  std::string text = "llvm.func @k(%p: !llvm.ptr<1>, %x: f32, %y: f32, %i: i32) "
                     "attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128>} {\n";
  std::istringstream lines(body);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    bool isLabel = line.ends_with(":");
    text +=
        isLabel ? line + "\n" : line + " loc(\"kernel.cpp\":" + std::to_string(number) + ":1)\n";
  }
  return text + "llvm.return\n} loc(\"kernel.cpp\":1:1)\n";
}

const char *const vectorAdd = R"(
llvm.func @vector_add(%a: !llvm.ptr<1> {llvm.align = 16 : i64}, %b: !llvm.ptr<1>, %c: !llvm.ptr<1>, %n: i64)
    attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128>} {
  %size = llvm.mlir.constant(128 : i32) : i32 loc("add.cpp":10:1)
  %thread = nvvm.read.ptx.sreg.tid.x : i32 loc("add.cpp":10:1)
  %block = nvvm.read.ptx.sreg.ctaid.x : i32 loc("add.cpp":10:1)
  %start = llvm.mul %block, %size : i32 loc("add.cpp":11:1)
  %index = llvm.add %start, %thread : i32 loc("add.cpp":11:1)
  %i = llvm.sext %index : i32 to i64 loc("add.cpp":11:1)
  %inside = llvm.icmp "slt" %i, %n : i64 loc("add.cpp":12:1)
  llvm.cond_br %inside, ^body, ^end loc("add.cpp":12:1)
^body:
  %pa = llvm.getelementptr %a[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32 loc("add.cpp":13:1)
  %pb = llvm.getelementptr %b[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32 loc("add.cpp":14:1)
  %pc = llvm.getelementptr %c[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32 loc("add.cpp":16:1)
  %x = llvm.load %pa : !llvm.ptr<1> -> f32 loc("add.cpp":13:1)
  %y = llvm.load %pb : !llvm.ptr<1> -> f32 loc("add.cpp":14:1)
  %z = llvm.fadd %x, %y : f32 loc("add.cpp":15:1)
  llvm.store %z, %pc : f32, !llvm.ptr<1> loc("add.cpp":16:1)
  llvm.br ^end loc("add.cpp":16:1)
^end:
  llvm.return loc("add.cpp":17:1)
} loc("add.cpp":9:1)
)";

} // namespace trowel::compiler
