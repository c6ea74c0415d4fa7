// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Normalisation of rows.
//
// A row is read once and stays in registers: the mean, then the variance of what is left when the
// mean is taken off (which loses nothing where the mean is large), then the result. The memory is
// the limit, one read and one write of the matrix; weight and bias stay in the cache. They are
// loaded before the reductions, since no load passes the barriers in these.
#include "examples/kernels/Norms.h"

namespace trowel::examples {

template <class T>
Kernel<Ptr<const T>, Ptr<const T>, Ptr<const T>, Ptr<T>> layerNormRows(int cols, Options options) {
  auto body = [=](Ptr<const T> x, Ptr<const T> weight, Ptr<const T> bias, Ptr<T> y) {
    Index row = programId(0) * cols;
    Tile<int32> col = iota(cols);
    Tile<T> v = load(x + row + col), w = load(weight + col), b = load(bias + col);
    store(y + row + col, cast<T>(layerNorm(v, w, b)));
  };
  return kernel("layernorm", body, options);
}

template <class T>
Kernel<Ptr<const T>, Ptr<const T>, Ptr<T>> rmsNormRows(int cols, Options options) {
  auto body = [=](Ptr<const T> x, Ptr<const T> weight, Ptr<T> y) {
    Index row = programId(0) * cols;
    Tile<int32> col = iota(cols);
    Tile<T> v = load(x + row + col), w = load(weight + col);
    store(y + row + col, cast<T>(rmsNorm(v, w)));
  };
  return kernel("rmsnorm", body, options);
}

template Kernel<Ptr<const bf16>, Ptr<const bf16>, Ptr<const bf16>, Ptr<bf16>>
layerNormRows<bf16>(int, Options);
template Kernel<Ptr<const float>, Ptr<const float>, Ptr<const float>, Ptr<float>>
layerNormRows<float>(int, Options);
template Kernel<Ptr<const bf16>, Ptr<const bf16>, Ptr<bf16>> rmsNormRows<bf16>(int, Options);
template Kernel<Ptr<const float>, Ptr<const float>, Ptr<float>> rmsNormRows<float>(int, Options);

} // namespace trowel::examples
