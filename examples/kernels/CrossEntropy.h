// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cross-entropy loss of rows of scores, as over the vocabulary of a language model.
//
//   auto loss = crossEntropyRows<bf16>(1024, 4);
//   loss.launch({rows}, logits, labels, losses, vocabulary);
#pragma once

#include <trowel/trowel.h>

namespace trowel::examples {

/// losses[r] = log(sum(exp(logits[r]))) − logits[r][labels[r]]. Reads T, `block` elements at a
/// time, and writes float; T is bf16 or float. `logits` has rows of `cols` elements without gaps; a
/// label is at least 0 and less than `cols`. Launch one program a row.
template <class T>
Kernel<Ptr<const T>, Ptr<const int64>, Ptr<float>, Index> crossEntropyRows(int width, int depth,
                                                                           Options options = {});

extern template Kernel<Ptr<const bf16>, Ptr<const int64>, Ptr<float>, Index>
crossEntropyRows<bf16>(int, int, Options);
extern template Kernel<Ptr<const float>, Ptr<const int64>, Ptr<float>, Index>
crossEntropyRows<float>(int, int, Options);

} // namespace trowel::examples
