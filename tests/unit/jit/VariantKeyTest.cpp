// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A variant's key names all that its PTX depends on, each visibly.
#include "runtime/jit/VariantKey.h"

#include <gtest/gtest.h>

namespace trowel::jit {
namespace {

std::string keyOf(const std::string &trace, Options options = {},
                  const std::string &target = "sm_80", Assume assume = Assume::Typical) {
  static constexpr detail::Parameter parameters[] = {
      {detail::Parameter::Kind::Pointer, ElementType::Float32, false}};
  return variantKey(trace, options, target, Facts(parameters, assume));
}

TEST(VariantKey, IsEqualForEqualVariants) {
  EXPECT_EQ(keyOf("abc", {.warps = 4}), keyOf("abc", {.warps = 4}));
  EXPECT_EQ(keyOf("abc", {.stages = 1}), keyOf("abc"));
}

TEST(VariantKey, ChangesWithEachThingThatThePtxDependsOn) {
  const std::string key = keyOf("abc");
  EXPECT_NE(keyOf("abd"), key);
  EXPECT_NE(keyOf("abc", {.warps = 4}), key);
  EXPECT_NE(keyOf("abc", {.elementsPerThread = 4}), key);
  EXPECT_NE(keyOf("abc", {}, "sm_90a"), key);
  EXPECT_NE(keyOf("abc", {}, "sm_80", Assume::Nothing), key);
  EXPECT_NE(keyOf("abc", {.warps = 4}), keyOf("abc", {.elementsPerThread = 4}));
}

TEST(VariantKey, NamesTheVersionsOfThoseWhoCompile) {
  EXPECT_EQ(keyOf("abc"), "trowel=" TROWEL_VERSION " llvm=" TROWEL_LLVM_VERSION
                          " trace=abc target=sm_80 warps=0 elements=0 stages=1 "
                          "facts=1");
}

} // namespace
} // namespace trowel::jit
