// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// y = gelu(x + bias) over the rows of a matrix: what follows a linear layer, fused into one pass.
//
//   auto biasGeluRows = biasGelu<bf16>(4096);
//   biasGeluRows.launch({rows, (cols + 4095) / 4096}, x, bias, y, cols);
#pragma once

#include <trowel/trowel.h>

namespace trowel::examples {

/// Reads T and writes T, and computes in float; T is bf16 or float. `x` and `y` are rows of `cols`
/// elements without gaps, `bias` has `cols`. Launch {rows, ceil(cols / block)} programs.
template <class T>
Kernel<Ptr<const T>, Ptr<const T>, Ptr<T>, Index> biasGelu(int block, Options options = {});

extern template Kernel<Ptr<const bf16>, Ptr<const bf16>, Ptr<bf16>, Index> biasGelu<bf16>(int,
                                                                                          Options);
extern template Kernel<Ptr<const float>, Ptr<const float>, Ptr<float>, Index>
biasGelu<float>(int, Options);

/// The same function in float64, and how far a result that is stored as bf16 or float may be from
/// it.
double biasGeluReference(double x, double bias);
double biasGeluBound(double x, double bias, ElementType stored);

} // namespace trowel::examples
