// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Softmax over rows.
//
// A row that fits the registers of a program is read once: its largest element, the sum and the
// quotients come from the same registers, and the two reductions cost a barrier each. So the memory
// is the limit, one read and one write of the matrix. The block is the row's own length, whatever
// it is; there is no mask and no fill.
//
// A longer row is read twice. Each lane keeps the largest element that it has seen and the sum of
// exponentials relative to it, and corrects the sum when a larger one comes:
//
//   largest' = max(largest, v)
//   sum'     = sum · exp(largest − largest') + exp(v − largest')
//
// Only at the end lanes meet. A lane whose elements are all −inf so far has no distance to measure;
// it counts from 0 until there is one.
#include "examples/kernels/Softmax.h"

namespace trowel::examples {

template <class T> Kernel<Ptr<const T>, Ptr<T>> softmaxRows(int cols, Options options) {
  auto body = [=](Ptr<const T> x, Ptr<T> y) {
    Index row = programId(0) * cols;
    Tile<int32> col = iota(cols);
    Tile<float> v = cast<float>(load(x + row + col));
    store(y + row + col, cast<T>(softmax(v)));
  };
  return kernel("softmax", body, options);
}

template <class T> Kernel<Ptr<const T>, Ptr<T>, Index> onlineSoftmax(int block, Options options) {
  auto body = [=](Ptr<const T> x, Ptr<T> y, Index cols) {
    Index row = programId(0) * cols;
    Tile<int32> lane = iota(block);
    Tile<float> largest = full<float>(block, -INFINITY), sums = zeros<float>(block);
    for (Index k : range(0, cols, block)) {
      Tile<float> v = cast<float>(load(x + row + k + lane, k + lane < cols, -INFINITY));
      Tile<float> next = max(largest, v), base = where(next == -INFINITY, 0.0f, next);
      sums = sums * exp(largest - base) + exp(v - base);
      largest = next;
    }
    Scalar<float> top = max(largest);
    Scalar<float> scale = 1.0f / sum(sums * exp(largest - top));
    for (Index k : range(0, cols, block)) {
      Tile<bool> inside = k + lane < cols;
      Tile<float> v = cast<float>(load(x + row + k + lane, inside));
      store(y + row + k + lane, cast<T>(exp(v - top) * scale), inside);
    }
  };
  return kernel("online_softmax", body, options);
}

template Kernel<Ptr<const bf16>, Ptr<bf16>> softmaxRows<bf16>(int, Options);
template Kernel<Ptr<const float>, Ptr<float>> softmaxRows<float>(int, Options);
template Kernel<Ptr<const bf16>, Ptr<bf16>, Index> onlineSoftmax<bf16>(int, Options);
template Kernel<Ptr<const float>, Ptr<float>, Index> onlineSoftmax<float>(int, Options);

} // namespace trowel::examples
