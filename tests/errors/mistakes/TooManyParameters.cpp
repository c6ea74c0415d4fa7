// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"
#include <utility>

template <std::size_t> using Number = Index;
template <std::size_t... i> static auto manyParameters(std::index_sequence<i...>) {
  return kernel("k", [](Number<i>... n) {}); // mistake
}

TROWEL_MISTAKE(TooManyParameters, "k",
               "the kernel has 513 parameters, and a kernel has at most 512: put values into a"
               " buffer and load them") {
  auto k = manyParameters(std::make_index_sequence<513>());
  k.ptx("sm_80");
}
