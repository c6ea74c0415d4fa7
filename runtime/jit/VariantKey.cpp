// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The key of a variant.
//
// A key must change with everything that can change the PTX, or a stale kernel is launched; and it
// should not change with anything else, or nothing is ever found. The trace has a key of its own,
// a digest of its module as text: the kernel's name, its parameters, each captured constant, each
// C++ function that the lambda called, by what it recorded, and the lines. What the compiler is
// asked for comes beside it, and the versions of those who compile. The driver's version is not
// part of it: PTX does not depend on the driver. 0 and 1 stages are the same: none overlap.
//
// It is text rather than another digest, so that a log or a cache's folder can be read.

#include "runtime/jit/VariantKey.h"

#include <fmt/format.h>

#include <algorithm>

namespace trowel::jit {

std::string variantKey(const std::string &traceKey, const Options &options,
                       const std::string &target, const Facts &facts) {
  return fmt::format("trowel={} llvm={} trace={} target={} warps={} elements={} stages={} facts={}",
                     TROWEL_VERSION, TROWEL_LLVM_VERSION, traceKey, target, options.warps,
                     options.elementsPerThread, std::max(options.stages, 1), facts.text());
}

} // namespace trowel::jit
