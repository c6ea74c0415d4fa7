// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of the example kernels.
//
// A kernel is a template or takes a block size, and has a C++ type of its own; a tool that shows
// "the" bias_gelu wants one instance, and no type. So a row names a usual configuration and forgets
// the argument types. Adding a kernel to the tools is adding a row; nothing else lists them.
#include "examples/kernels/Registry.h"

#include "examples/kernels/BiasGelu.h"
#include "examples/kernels/CrossEntropy.h"
#include "examples/kernels/Norms.h"
#include "examples/kernels/RowSum.h"
#include "examples/kernels/Softmax.h"
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
    {"softmax", "y = softmax(x) over rows of 4096, stored in bf16, computed in f32",
     "(Ptr<const bf16> x, Ptr<bf16> y), grid {rows}",
     []() -> AnyKernel { return softmaxRows<bf16>(4096); }},
    {"row_sum", "s = the sums of rows of any length, in f32",
     "(Ptr<const float> x, Ptr<float> s, Index cols), grid {rows}",
     []() -> AnyKernel { return rowSum<float>(4096); }},
    {"online_softmax", "softmax over rows of any length, stored in bf16, computed in f32",
     "(Ptr<const bf16> x, Ptr<bf16> y, Index cols), grid {rows}",
     []() -> AnyKernel { return onlineSoftmax<bf16>(1024, 4); }},
    {"layernorm", "layer normalisation of rows of 4096, stored in bf16, computed in f32",
     "(Ptr<const bf16> x, Ptr<const bf16> weight, Ptr<const bf16> bias, Ptr<bf16> y), grid {rows}",
     []() -> AnyKernel { return layerNormRows<bf16>(4096); }},
    {"rmsnorm", "RMS normalisation of rows of 4096, stored in bf16, computed in f32",
     "(Ptr<const bf16> x, Ptr<const bf16> weight, Ptr<bf16> y), grid {rows}",
     []() -> AnyKernel { return rmsNormRows<bf16>(4096); }},
    {"cross_entropy", "the loss of rows of bf16 scores of any length, in f32",
     "(Ptr<const bf16> logits, Ptr<const int64> labels, Ptr<float> losses, Index cols), grid "
     "{rows}",
     []() -> AnyKernel { return crossEntropyRows<bf16>(1024, 4); }},
};

std::span<const NamedKernel> allKernels() { return rows; }

const NamedKernel *findKernel(std::string_view name) {
  for (const NamedKernel &row : rows)
    if (name == row.name)
      return &row;
  return nullptr;
}

} // namespace trowel::examples
