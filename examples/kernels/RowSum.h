// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// s = the sums of the rows of a matrix, whose rows may be longer than a program holds.
//
//   auto sums = rowSum<float>(4096);
//   sums.launch({rows}, x, s, cols);
#pragma once

#include <trowel/trowel.h>

namespace trowel::examples {

/// Reads T, `block` elements of a row at a time, and writes the row's sum as float; T is bf16 or
/// float. `x` has rows of `cols` elements without gaps. Launch one program a row.
template <class T> Kernel<Ptr<const T>, Ptr<float>, Index> rowSum(int block, Options options = {});

extern template Kernel<Ptr<const bf16>, Ptr<float>, Index> rowSum<bf16>(int, Options);
extern template Kernel<Ptr<const float>, Ptr<float>, Index> rowSum<float>(int, Options);

} // namespace trowel::examples
