// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(
    ElseThatDoesNotFollowItsIf, "k",
    "else_: it must follow its if_ directly: if_(condition, [&] { … }).else_([&] { … })") {
  kernel("k", [](Ptr<float> x, Index n) {
    auto branch = if_(n > 0, [&] { store(x, 1.0f); });
    store(x, 2.0f);
    branch.else_([&] { store(x, 3.0f); }); // mistake
  }).ptx("sm_80");
}
