// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums of rows.
//
// The loop adds block to block, element by element, and the lanes meet once, behind it. The memory
// is the limit: one read of the matrix. So what counts is how many bytes are in flight, which is
// the block times the programs of a multiprocessor.
//
// A sum of n elements of a row passes through ceil(n / block) additions in a lane and log2(block)
// between lanes, so its error is at most that many times 2^-24 of the sum of absolute values.
#include "examples/kernels/RowSum.h"

namespace trowel::examples {

template <class T> Kernel<Ptr<const T>, Ptr<float>, Index> rowSum(int block, Options options) {
  auto body = [=](Ptr<const T> x, Ptr<float> s, Index cols) {
    Index row = programId(0);
    Tile<int32> lane = iota(block);
    Tile<float> sums = zeros<float>(block);
    for (Index k : range(0, cols, block))
      sums += cast<float>(load(x + row * cols + k + lane, k + lane < cols));
    store(s + row, sum(sums));
  };
  return kernel("row_sum", body, options);
}

template Kernel<Ptr<const bf16>, Ptr<float>, Index> rowSum<bf16>(int, Options);
template Kernel<Ptr<const float>, Ptr<float>, Index> rowSum<float>(int, Options);

} // namespace trowel::examples
