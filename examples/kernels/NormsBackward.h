// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What layer and RMS normalisation give back: gradients of the rows, of the weight and of the bias.
//
//   auto backward = layerNormBackward<bf16>(4096, 16);
//   backward.launch({cdiv(rows, 16)}, x, weight, dy, dx, weightParts, biasParts, rows);
//   auto add = columnSums(1024);
//   add.launch({cdiv(4096, 1024)}, weightParts, dweight, cdiv(rows, 16), 4096);
#pragma once

#include <trowel/trowel.h>

namespace trowel::examples {

/// For y = layerNorm(x, weight, bias) over rows of `cols` elements and the gradient `dy` of a loss:
/// writes the gradient of x, and for each program what its `depth` rows contribute to the gradients
/// of weight and bias, a row of `cols` floats each. Launch ceil(rows / depth) programs.
template <class T>
Kernel<Ptr<const T>, Ptr<const T>, Ptr<const T>, Ptr<T>, Ptr<float>, Ptr<float>, Index>
layerNormBackward(int cols, int depth, Options options = {});

/// The same for y = rmsNorm(x, weight), which has no bias.
template <class T>
Kernel<Ptr<const T>, Ptr<const T>, Ptr<const T>, Ptr<T>, Ptr<float>, Index>
rmsNormBackward(int cols, int depth, Options options = {});

/// s[c] = the sum of column c of a matrix of `rows` times `cols` floats. Launch ceil(cols / block)
/// programs.
Kernel<Ptr<const float>, Ptr<float>, Index, Index> columnSums(int block, Options options = {});

extern template Kernel<Ptr<const bf16>, Ptr<const bf16>, Ptr<const bf16>, Ptr<bf16>, Ptr<float>,
                       Ptr<float>, Index>
layerNormBackward<bf16>(int, int, Options);
extern template Kernel<Ptr<const float>, Ptr<const float>, Ptr<const float>, Ptr<float>, Ptr<float>,
                       Ptr<float>, Index>
layerNormBackward<float>(int, int, Options);
extern template Kernel<Ptr<const bf16>, Ptr<const bf16>, Ptr<const bf16>, Ptr<bf16>, Ptr<float>,
                       Index>
rmsNormBackward<bf16>(int, int, Options);
extern template Kernel<Ptr<const float>, Ptr<const float>, Ptr<const float>, Ptr<float>, Ptr<float>,
                       Index>
rmsNormBackward<float>(int, int, Options);

} // namespace trowel::examples
