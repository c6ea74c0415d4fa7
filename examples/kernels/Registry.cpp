// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of the example kernels.
//
// A kernel is a template or takes a block size, and has a C++ type of its own; a tool that shows
// "the" bias_gelu wants one instance, and no type. So a row names a usual configuration and forgets
// the argument types. Adding a kernel to the tools is adding a row; nothing else lists them.
#include "examples/kernels/Registry.h"

#include "examples/kernels/BiasGelu.h"
#include "examples/kernels/VectorAdd.h"

namespace trowel::examples {

static const NamedKernel rows[] = {
    {"vector_add", "z = x + y in f32",
     "(Ptr<const float> x, Ptr<const float> y, Ptr<float> z, Index n), grid {ceil(n / 1024)}",
     []() -> AnyKernel { return vectorAdd(1024); }},
    {"bias_gelu", "y = gelu(x + bias) over rows, stored in bf16, computed in f32",
     "(Ptr<const bf16> x, Ptr<const bf16> bias, Ptr<bf16> y, Index cols), grid {rows, ceil(cols / "
     "4096)}",
     []() -> AnyKernel { return biasGelu<bf16>(4096); }},
    {"bias_gelu_f32", "the same, stored in f32",
     "(Ptr<const float> x, Ptr<const float> bias, Ptr<float> y, Index cols), grid {rows, ceil(cols "
     "/ 2048)}",
     []() -> AnyKernel { return biasGelu<float>(2048); }},
};

std::span<const NamedKernel> allKernels() { return rows; }

const NamedKernel *findKernel(std::string_view name) {
  for (const NamedKernel &row : rows)
    if (name == row.name)
      return &row;
  return nullptr;
}

} // namespace trowel::examples
