// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cross-entropy of long rows.
//
// A row is read once, as the first pass of the online softmax (Softmax.cpp) does it: for each place
// of the width the largest score so far and the sum of exponentials relative to it, which meet
// behind the loop. The label's score is loaded by itself. The memory is the limit, one read of the
// scores: an element costs one exponential, and one in `depth` for the correction.
//
// fast::exp is off by a factor that grows with the distance to the largest score, but the term
// shrinks faster: the sum is off by less than 2^-22 of itself.
#include "examples/kernels/CrossEntropy.h"

namespace trowel::examples {

template <class T>
Kernel<Ptr<const T>, Ptr<const int64>, Ptr<float>, Index> crossEntropyRows(int width, int depth,
                                                                           Options options) {
  auto body = [=](Ptr<const T> logits, Ptr<const int64> labels, Ptr<float> losses, Index cols) {
    Index row = programId(0);
    Ptr<const T> scores = logits + row * cols;
    Tile<int32> place = expand(iota(depth), Axis{1}) * width + expand(iota(width), Axis{0});
    Tile<float> largest = full<float>(width, -INFINITY), sums = zeros<float>(width);
    for (Index k : range(0, cols, depth * width)) {
      Tile<float> v = cast<float>(load(scores + k + place, k + place < cols, -INFINITY));
      Tile<float> next = max(largest, max(v, Axis{0}));
      Tile<float> base = where(next == -INFINITY, 0.0f, next);
      sums = sums * fast::exp(largest - base) + sum(fast::exp(v - base), Axis{0});
      largest = next;
    }
    Scalar<float> top = max(largest);
    Scalar<float> total = sum(sums * fast::exp(largest - top));
    Scalar<float> picked = cast<float>(load(scores + load(labels + row)));
    store(losses + row, log(total) + top - picked);
  };
  return kernel("cross_entropy", body, options);
}

template Kernel<Ptr<const bf16>, Ptr<const int64>, Ptr<float>, Index>
crossEntropyRows<bf16>(int, int, Options);
template Kernel<Ptr<const float>, Ptr<const int64>, Ptr<float>, Index>
crossEntropyRows<float>(int, int, Options);

} // namespace trowel::examples
