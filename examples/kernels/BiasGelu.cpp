// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bias and GELU in one pass.
//
// A linear layer ends with gelu(x + bias). As two kernels that is twice the memory traffic, and
// traffic should be all there is; as one, each element is read once and written once. GELU is taken
// in its tanh form, as GPT-2 and the libraries' "approximate" modes have it,
//   gelu(v) = v/2 (1 + tanh(z)),  z = sqrt(2/pi) (v + 0.044715 v^3).
// In bf16 a GPU has time for about thirty instructions an element before arithmetic takes longer
// than memory, and tanh is twenty of them. So z is written as v (0.7979 + 0.03568 v^2), and the end
// as h + h t with h = v/2, which become one fma less and one addition less than the formula above.
//
// A program takes `block` columns of one row. The row's offset is an Index, which has 64 bits,
// because rows times columns outgrows 32 bits long before the memory is full. In bf16 the
// arithmetic is still float: the element is widened after the load and rounded once, at the store.
//
// How exact is that? With u = 2^-24 each float operation is off by u at most. v is; the two terms
// of z / v have the same sign, so z is off by 7 u in relative terms. x (1 - tanh^2 x) is at most
// 0.45, so tanh is off by 3.2 u for that and by 2.5 u for being an approximation of 2 ulps. Times h
// = v/2 that is 2.9 u |v|; with the rounding of v, of h t and of the sum, 5.4 u |v|, and 6 u |v| is
// the bound. It is absolute: for v < -2 the sum h + h t cancels, and no bound in ulps of the result
// would hold.
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
    Tile<float> t = tanh(v * (0.7978845608f + 0.0356774081f * v * v));
    Tile<float> h = 0.5f * v;
    store(y + row + start + lane, cast<T>(h + h * t), inside);
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
  double computed = 6 * 0x1p-24 * std::fabs(x + bias);
  if (stored == ElementType::Float32)
    return computed;
  // bf16 has 8 bits, so rounding is off by 2^-8 of the value at most, for values just above a power
  // of two.
  return computed + 0x1p-8 * (std::fabs(biasGeluReference(x, bias)) + computed);
}

} // namespace trowel::examples
