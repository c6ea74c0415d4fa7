// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cross-entropy of long rows.
//
// A row is read once, as the first pass of the online softmax (Softmax.cpp) does it: each lane
// keeps the largest score that it has seen and the sum of exponentials relative to it, and lanes
// meet behind the loop. The label's score is loaded by itself. The memory is the limit, one read of
// the scores.
#include "examples/kernels/CrossEntropy.h"

namespace trowel::examples {

template <class T>
Kernel<Ptr<const T>, Ptr<const int64>, Ptr<float>, Index> crossEntropyRows(int block,
                                                                           Options options) {
  auto body = [=](Ptr<const T> logits, Ptr<const int64> labels, Ptr<float> losses, Index cols) {
    Index row = programId(0);
    Ptr<const T> scores = logits + row * cols;
    Tile<int32> lane = iota(block);
    Tile<float> largest = full<float>(block, -INFINITY), sums = zeros<float>(block);
    for (Index k : range(0, cols, block)) {
      Tile<float> v = cast<float>(load(scores + k + lane, k + lane < cols, -INFINITY));
      Tile<float> next = max(largest, v), base = where(next == -INFINITY, 0.0f, next);
      sums = sums * exp(largest - base) + exp(v - base);
      largest = next;
    }
    Scalar<float> top = max(largest);
    Scalar<float> total = sum(sums * exp(largest - top));
    Scalar<float> picked = cast<float>(load(scores + load(labels + row)));
    store(losses + row, log(total) + top - picked);
  };
  return kernel("cross_entropy", body, options);
}

template Kernel<Ptr<const bf16>, Ptr<const int64>, Ptr<float>, Index>
crossEntropyRows<bf16>(int, Options);
template Kernel<Ptr<const float>, Ptr<const int64>, Ptr<float>, Index>
crossEntropyRows<float>(int, Options);

} // namespace trowel::examples
