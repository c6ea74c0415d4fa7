// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layer normalisation and RMS normalisation of the rows of a matrix.
//
//   auto norm = layerNormRows<bf16>(4096);
//   norm.launch({rows}, x, weight, bias, y);
#pragma once

#include <trowel/trowel.h>

namespace trowel::examples {

/// y = (x − mean) / sqrt(variance + 1e-5) · weight + bias over rows of `cols` elements without
/// gaps. Reads T and writes T, and computes in float; T is bf16 or float. Launch one program a row.
template <class T>
Kernel<Ptr<const T>, Ptr<const T>, Ptr<const T>, Ptr<T>> layerNormRows(int cols,
                                                                       Options options = {});

/// y = x / sqrt(mean(x²) + 1e-5) · weight, in the same way.
template <class T>
Kernel<Ptr<const T>, Ptr<const T>, Ptr<T>> rmsNormRows(int cols, Options options = {});

extern template Kernel<Ptr<const bf16>, Ptr<const bf16>, Ptr<const bf16>, Ptr<bf16>>
layerNormRows<bf16>(int, Options);
extern template Kernel<Ptr<const float>, Ptr<const float>, Ptr<const float>, Ptr<float>>
layerNormRows<float>(int, Options);
extern template Kernel<Ptr<const bf16>, Ptr<const bf16>, Ptr<bf16>> rmsNormRows<bf16>(int, Options);
extern template Kernel<Ptr<const float>, Ptr<const float>, Ptr<float>> rmsNormRows<float>(int,
                                                                                          Options);

} // namespace trowel::examples
