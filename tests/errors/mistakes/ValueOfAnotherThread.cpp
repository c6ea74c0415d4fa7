// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

#include <future>

TROWEL_MISTAKE(
    ValueOfAnotherThread, "second",
    "operator *: an operand belongs to the trace of kernel 'first', which another thread "
    "is recording: each trace must make its own values") {
  kernel("first", [&](Ptr<float> x) {
    Tile<float> mine = load(x + iota(8));
    std::async(std::launch::async, [&] {
      kernel("second", [&](Ptr<float> y) {
        store(y + iota(8), 2 * mine); // mistake
      }).ptx("sm_80");
    }).get();
  }).ptx("sm_80");
}
