// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bias and GELU in one pass.
//
// A linear layer ends with gelu(x + bias). As two kernels that is twice the memory traffic, and
// traffic should be all there is; as one, each element is read once and written once. GELU is taken
// in its tanh form, as GPT-2 and the libraries' "approximate" modes have it,
//   gelu(v) = v/2 (1 + tanh(z)),  z = sqrt(2/pi) (v + 0.044715 v^3).
// In bf16 a GPU has time for about thirty instructions an element before arithmetic takes longer
// than memory, and tanh is twenty of them. Since (1 + tanh z) / 2 = sigmoid(2 z), the same function
// is v sigmoid(v (1.5958 + 0.07135 v^2)); the hardware's approximation of sigmoid takes four.
//
// A program takes `block` columns of one row. The row's offset is an Index, which has 64 bits,
// because rows times columns outgrows 32 bits long before the memory is full. In bf16 the
// arithmetic is still float: the element is widened after the load and rounded once, at the store.
//
// How exact is that? With u = 2^-24 each float operation is off by u at most. v is; the two terms
// of y = 2 z over v have the same sign, so y is off by 7 u in relative terms. fast::sigmoid takes
// t = e^-y, off by (8 |y| + 4) u with the error of y in it, and 1 / (1 + t) by 3 u more. What comes
// of t is weighted with t / (1 + t), and |y| sigmoid(-|y|) is at most 0.28: in all 2.2 u + 2 u + 3
// u, and 2.2 u for v and the last product. 10 u |v| is the bound. It is absolute, though far below
// 0, where tanh + 1 would cancel, the relative error grows only with |y|.
#include "examples/kernels/BiasGelu.h"

#include <cmath>

namespace trowel::examples {

template <class T>
Kernel<Ptr<const T>, Ptr<const T>, Ptr<T>, Index> biasGelu(int block, Options options) {
  auto body = [=](Ptr<const T> x, Ptr<const T> bias, Ptr<T> y, Index cols) {
    Index row = programId(0) * cols;
    Index start = programId(1) * block;
    Tile<int32> lane = iota(block);
    Tile<bool> inside = start + lane < cols;
    Tile<float> v = cast<float>(load(x + row + start + lane, inside)) +
                    cast<float>(load(bias + start + lane, inside));
    Tile<float> gate = fast::sigmoid(v * (1.5957691216f + 0.0713548163f * v * v));
    store(y + row + start + lane, cast<T>(v * gate), inside);
  };
  return kernel("bias_gelu", body, options);
}

template Kernel<Ptr<const bf16>, Ptr<const bf16>, Ptr<bf16>, Index> biasGelu<bf16>(int, Options);
template Kernel<Ptr<const float>, Ptr<const float>, Ptr<float>, Index> biasGelu<float>(int,
                                                                                       Options);

double biasGeluReference(double x, double bias) {
  double v = x + bias;
  return 0.5 * v *
         (1.0 + std::tanh(std::sqrt(2.0 / 3.14159265358979323846) * (v + 0.044715 * v * v * v)));
}

double biasGeluBound(double x, double bias, ElementType stored) {
  double computed = 10 * 0x1p-24 * std::fabs(x + bias);
  if (stored == ElementType::Float32)
    return computed;
  // bf16 has 8 bits, so rounding is off by 2^-8 of the value at most, for values just above a power
  // of two.
  return computed + 0x1p-8 * (std::fabs(biasGeluReference(x, bias)) + computed);
}

} // namespace trowel::examples
