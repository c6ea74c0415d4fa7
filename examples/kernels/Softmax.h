// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// y = softmax(x) over the rows of a matrix, of rows that fit one program and of longer ones.
//
//   auto rowSoftmax = softmaxRows<bf16>(3000);
//   rowSoftmax.launch({rows}, x, y);
#pragma once

#include <trowel/trowel.h>

namespace trowel::examples {

/// Reads T and writes T, and computes in float; T is bf16 or float. `x` and `y` are rows of `cols`
/// elements without gaps. Launch one program a row. A row has at most 262144 elements.
template <class T> Kernel<Ptr<const T>, Ptr<T>> softmaxRows(int cols, Options options = {});

/// The same for rows of any length, read twice, `width` times `depth` elements at a time: once for
/// the largest element and the sum, once for the quotients. A width of 16 bytes a thread is best.
template <class T>
Kernel<Ptr<const T>, Ptr<T>, Index> onlineSoftmax(int width, int depth, Options options = {});

extern template Kernel<Ptr<const bf16>, Ptr<bf16>> softmaxRows<bf16>(int, Options);
extern template Kernel<Ptr<const float>, Ptr<float>> softmaxRows<float>(int, Options);
extern template Kernel<Ptr<const bf16>, Ptr<bf16>, Index> onlineSoftmax<bf16>(int, int, Options);
extern template Kernel<Ptr<const float>, Ptr<float>, Index> onlineSoftmax<float>(int, int, Options);

} // namespace trowel::examples
