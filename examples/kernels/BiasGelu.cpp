// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bias and GELU in one pass.
//
// A linear layer ends with gelu(x + bias). As two kernels that is twice the memory traffic, and
// traffic is all there is; as one, each element is read once and written once. GELU is taken in its
// tanh form,
//   gelu(v) = v/2 (1 + tanh(sqrt(2/pi) (v + 0.044715 v^3))),
// as GPT-2 and the libraries' "approximate" modes have it.
//
// A program takes `block` columns of one row. The row's offset is an Index, which has 64 bits,
// because rows times columns outgrows 32 bits long before the memory is full. In bf16 the
// arithmetic is still float: the element is widened after the load and rounded once, at the store.
//
// How exact is that? With u = 2^-24 each float operation is off by u at most. The argument of tanh
// is off by 10 u in relative terms (its cube triples the error of v), and x (1 - tanh^2 x) is at
// most 0.45, so tanh is off by 4.5 u for that and by 2.5 u for being an approximation of 2 ulps. 1
// + tanh rounds once more: 8 u. Halved and times |v|, with the rounding of v and of the product: 6
// u |v|. This is an absolute bound: for v < -2 the sum 1 + tanh cancels, and no bound in ulps of
// the result would hold.
#include "examples/kernels/BiasGelu.h"

#include <cmath>

namespace trowel::examples {

template <class T> Kernel<Ptr<const T>, Ptr<const T>, Ptr<T>, Index> biasGelu(int block) {
  return kernel("bias_gelu", [=](Ptr<const T> x, Ptr<const T> bias, Ptr<T> y, Index cols) {
    Index row = programId(0) * cols;
    Index start = programId(1) * block;
    Tile<int32> lane = iota(block);
    Tile<bool> inside = start + lane < cols;
    Tile<float> v = cast<float>(load(x + row + start + lane, inside)) +
                    cast<float>(load(bias + start + lane, inside));
    Tile<float> t = tanh(0.7978845608f * (v + 0.044715f * v * v * v));
    store(y + row + start + lane, cast<T>(0.5f * v * (1.0f + t)), inside);
  });
}

template Kernel<Ptr<const bf16>, Ptr<const bf16>, Ptr<bf16>, Index> biasGelu<bf16>(int);
template Kernel<Ptr<const float>, Ptr<const float>, Ptr<float>, Index> biasGelu<float>(int);

double biasGeluReference(double x, double bias) {
  double v = x + bias;
  return 0.5 * v *
         (1.0 + std::tanh(std::sqrt(2.0 / 3.14159265358979323846) * (v + 0.044715 * v * v * v)));
}

double biasGeluBound(double x, double bias) { return 6 * 0x1p-24 * std::fabs(x + bias); }

} // namespace trowel::examples
