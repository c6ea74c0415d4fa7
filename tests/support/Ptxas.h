// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The vendor's assembler as a judge of our PTX, where one is found. Never required.
//
//   if (!findPtxas()) GTEST_SKIP() << noPtxas;
//   EXPECT_TRUE(assemble(ptx, "sm_80").accepted);
#pragma once

#include <optional>
#include <string>

namespace trowel::testing {

/// Why a test that wants ptxas is skipped.
inline constexpr const char *noPtxas =
    "no ptxas in PATH, $CUDA_HOME/bin or /usr/local/cuda/bin: PTX is not assembled";

/// The path of ptxas: from PATH, else from $CUDA_HOME, else from the toolkit's usual folder.
std::optional<std::string> findPtxas();

struct Assembly {
  bool accepted = false;
  /// All that ptxas printed, with registers and spills of each kernel (`-v`).
  std::string log;
};

/// Assembles a PTX text for a target such as "sm_90a". Requires findPtxas().
Assembly assemble(const std::string &ptx, const std::string &target);

} // namespace trowel::testing
