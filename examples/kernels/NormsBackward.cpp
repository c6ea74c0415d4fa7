// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gradients of normalisations.
//
// With n = (x − mean) · r, r = 1 / sqrt(variance + epsilon), y = n · weight + bias and g = dy ·
// weight:
//
//   dx      = r · (g − mean(g) − n · mean(g · n))      over each row
//   dweight = sum(dy · n), dbias = sum(dy)             over all rows
//
// and for RMS normalisation n = x · r, r = 1 / sqrt(mean(x²) + epsilon), without mean(g) and bias.
//
// Mean and r are computed again from the row, which must be read anyway. A program takes a few rows
// one after the other and keeps what they contribute to dweight and dbias in registers; a second
// kernel adds the programs' contributions. So the sums have one order and are the same in every
// run, which they would not be with atomics. The memory is the limit: two reads and one write of
// the matrix.
#include "examples/kernels/NormsBackward.h"

namespace trowel::examples {

static constexpr float epsilon = 1e-5f;

template <class T>
Kernel<Ptr<const T>, Ptr<const T>, Ptr<const T>, Ptr<T>, Ptr<float>, Ptr<float>, Index>
layerNormBackward(int cols, int depth, Options options) {
  auto body = [=](Ptr<const T> x, Ptr<const T> weight, Ptr<const T> dy, Ptr<T> dx,
                  Ptr<float> weightParts, Ptr<float> biasParts, Index rows) {
    Tile<int32> col = iota(cols);
    Tile<float> w = cast<float>(load(weight + col));
    Tile<float> dweight = zeros<float>(cols), dbias = zeros<float>(cols);
    Index first = programId(0) * depth;
    for (Index row : range(first, min(first + depth, rows))) {
      Tile<float> v = cast<float>(load(x + row * cols + col));
      Tile<float> d = cast<float>(load(dy + row * cols + col));
      Tile<float> centered = v - sum(v) / cols;
      Scalar<float> r = rsqrt(sum(centered * centered) / cols + epsilon);
      Tile<float> n = centered * r, g = d * w;
      Tile<float> back = (g - sum(g) / cols - n * (sum(g * n) / cols)) * r;
      store(dx + row * cols + col, cast<T>(back));
      dweight += d * n;
      dbias += d;
    }
    store(weightParts + programId(0) * cols + col, dweight);
    store(biasParts + programId(0) * cols + col, dbias);
  };
  return kernel("layernorm_backward", body, options);
}

template <class T>
Kernel<Ptr<const T>, Ptr<const T>, Ptr<const T>, Ptr<T>, Ptr<float>, Index>
rmsNormBackward(int cols, int depth, Options options) {
  auto body = [=](Ptr<const T> x, Ptr<const T> weight, Ptr<const T> dy, Ptr<T> dx,
                  Ptr<float> weightParts, Index rows) {
    Tile<int32> col = iota(cols);
    Tile<float> w = cast<float>(load(weight + col)), dweight = zeros<float>(cols);
    Index first = programId(0) * depth;
    for (Index row : range(first, min(first + depth, rows))) {
      Tile<float> v = cast<float>(load(x + row * cols + col));
      Tile<float> d = cast<float>(load(dy + row * cols + col));
      Scalar<float> r = rsqrt(sum(v * v) / cols + epsilon);
      Tile<float> n = v * r, g = d * w;
      store(dx + row * cols + col, cast<T>((g - n * (sum(g * n) / cols)) * r));
      dweight += d * n;
    }
    store(weightParts + programId(0) * cols + col, dweight);
  };
  return kernel("rmsnorm_backward", body, options);
}

Kernel<Ptr<const float>, Ptr<float>, Index, Index> columnSums(int block, Options options) {
  auto body = [=](Ptr<const float> x, Ptr<float> s, Index rows, Index cols) {
    Index start = programId(0) * block;
    Tile<int32> lane = iota(block);
    Tile<bool> inside = start + lane < cols;
    Tile<float> sums = zeros<float>(block);
    for (Index row : range(0, rows))
      sums += load(x + row * cols + start + lane, inside);
    store(s + start + lane, sums, inside);
  };
  return kernel("column_sums", body, options);
}

template Kernel<Ptr<const bf16>, Ptr<const bf16>, Ptr<const bf16>, Ptr<bf16>, Ptr<float>,
                Ptr<float>, Index>
layerNormBackward<bf16>(int, int, Options);
template Kernel<Ptr<const float>, Ptr<const float>, Ptr<const float>, Ptr<float>, Ptr<float>,
                Ptr<float>, Index>
layerNormBackward<float>(int, int, Options);
template Kernel<Ptr<const bf16>, Ptr<const bf16>, Ptr<const bf16>, Ptr<bf16>, Ptr<float>, Index>
rmsNormBackward<bf16>(int, int, Options);
template Kernel<Ptr<const float>, Ptr<const float>, Ptr<const float>, Ptr<float>, Ptr<float>, Index>
rmsNormBackward<float>(int, int, Options);

} // namespace trowel::examples
