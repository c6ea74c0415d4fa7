// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Softmax over rows.
//
// A row that fits the registers of a program is read once: its largest element, the sum and the
// quotients come from the same registers, and the two reductions cost a barrier each. So the memory
// is the limit, one read and one write of the matrix. The block is the row's own length, whatever
// it is; there is no mask and no fill.
//
// A longer row is read twice, `depth` times `width` elements at a time. For each place of the width
// the largest element so far is kept, and the sum of exponentials relative to it, which is
// corrected when a larger one comes:
//
//   largest' = max(largest, the largest of the depth)
//   sum'     = sum · exp(largest − largest') + sum over the depth of exp(v − largest')
//
// The depth lies in the registers of a thread, so nothing meets across threads until the end, and
// the correction costs one exponential in `depth`. A place whose elements are all −inf so far has
// no distance to measure; it counts from 0 until there is one.
#include "examples/kernels/Softmax.h"

namespace trowel::examples {

template <class T> Kernel<Ptr<const T>, Ptr<T>> softmaxRows(int cols, Options options) {
  auto body = [=](Ptr<const T> x, Ptr<T> y) {
    Index row = programId(0) * cols;
    Tile<int32> col = iota(cols);
    store(y + row + col, cast<T>(softmax(load(x + row + col))));
  };
  return kernel("softmax", body, options);
}

template <class T>
Kernel<Ptr<const T>, Ptr<T>, Index> onlineSoftmax(int width, int depth, Options options) {
  auto body = [=](Ptr<const T> x, Ptr<T> y, Index cols) {
    Index row = programId(0) * cols;
    Tile<int32> place = expand(iota(depth), Axis{1}) * width + expand(iota(width), Axis{0});
    Tile<float> largest = full<float>(width, -INFINITY), sums = zeros<float>(width);
    for (Index k : range(0, cols, depth * width)) {
      Tile<float> v = cast<float>(load(x + row + k + place, k + place < cols, -INFINITY));
      Tile<float> next = max(largest, max(v, Axis{0}));
      Tile<float> base = where(next == -INFINITY, 0.0f, next);
      sums = sums * fast::exp(largest - base) + sum(fast::exp(v - base), Axis{0});
      largest = next;
    }
    Scalar<float> top = max(largest);
    Scalar<float> scale = 1.0f / sum(sums * fast::exp(largest - top));
    for (Index k : range(0, cols, depth * width)) {
      Tile<bool> inside = k + place < cols;
      Tile<float> v = cast<float>(load(x + row + k + place, inside));
      store(y + row + k + place, cast<T>(fast::exp(v - top) * scale), inside);
    }
  };
  return kernel("online_softmax", body, options);
}

template Kernel<Ptr<const bf16>, Ptr<bf16>> softmaxRows<bf16>(int, Options);
template Kernel<Ptr<const float>, Ptr<float>> softmaxRows<float>(int, Options);
template Kernel<Ptr<const bf16>, Ptr<bf16>, Index> onlineSoftmax<bf16>(int, int, Options);
template Kernel<Ptr<const float>, Ptr<float>, Index> onlineSoftmax<float>(int, int, Options);

} // namespace trowel::examples
