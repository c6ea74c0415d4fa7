// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The same module gives the same bytes, whatever was compiled before, on whatever thread and host.
#include "tests/unit/ptx/Emission.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Parser/Parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <thread>
#include <vector>

namespace trowel::compiler {

using ::testing::HasSubstr;

TEST(Determinism, SameBytesTwice) { EXPECT_EQ(ptxOf(vectorAdd), ptxOf(vectorAdd)); }

TEST(Determinism, SameBytesFromTheSameModule) {
  // A dump tool emits one module for several targets; the locations that the first call attached
  // must not change what the second one prints.
  mlir::DialectRegistry registry;
  registry.insert<mlir::LLVM::LLVMDialect, mlir::NVVM::NVVMDialect>();
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(vectorAdd, &context);
  ASSERT_TRUE(module);
  for (const Target &target : knownTargets())
    EXPECT_EQ(std::get<std::string>(emitPtx(*module, target)), ptxOf(vectorAdd, target.name));
}

TEST(Determinism, SameBytesFromEveryThread) {
  const std::string expected = ptxOf(vectorAdd);
  std::vector<std::string> made(8);
  std::vector<std::thread> threads;
  for (std::string &ptx : made)
    threads.emplace_back([&ptx] { ptx = ptxOf(vectorAdd); });
  for (std::thread &thread : threads)
    thread.join();
  for (const std::string &ptx : made)
    EXPECT_EQ(ptx, expected);
}

TEST(Determinism, SameBytesAfterOtherKernelsAndFailures) {
  const std::string expected = ptxOf(vectorAdd);
  ptxOf(kernel("llvm.store %x, %p : f32, !llvm.ptr<1>"));
  failureOf(kernel(
      "%r = llvm.intr.pow(%x, %y) : (f32, f32) -> f32\nllvm.store %r, %p : f32, !llvm.ptr<1>"));
  EXPECT_EQ(ptxOf(vectorAdd), expected);
}

TEST(Determinism, ApproximationsOfConstantsAreLeftToTheDevice) {
  // Folded, each of these would hold the last bit of the host's libm.
  const char *approximations[][2] = {{"llvm.exp2.f32", "ex2.approx"},
                                     {"llvm.sin.f32", "sin.approx"},
                                     {"llvm.cos.f32", "cos.approx"},
                                     {"llvm.tanh.f32", "tanh.approx"},
                                     {"llvm.nvvm.ex2.approx.f32", "ex2.approx"},
                                     {"llvm.nvvm.lg2.approx.f", "lg2.approx"},
                                     {"llvm.nvvm.rcp.approx.ftz.f", "rcp.approx"},
                                     {"llvm.nvvm.rsqrt.approx.f", "rsqrt.approx"},
                                     {"llvm.nvvm.sqrt.approx.f", "sqrt.approx"}};
  for (auto [intrinsic, opcode] : approximations) {
    std::string text = kernel(fmt::format(R"(%c = llvm.mlir.constant(1.3 : f32) : f32
%r = llvm.call_intrinsic "{}"(%c) {{fastmathFlags = #llvm.fastmath<afn>}} : (f32) -> f32
llvm.store %r, %p : f32, !llvm.ptr<1>)",
                                          intrinsic));
    EXPECT_THAT(ptxOf(text), HasSubstr(opcode)) << intrinsic;
  }
}

} // namespace trowel::compiler
