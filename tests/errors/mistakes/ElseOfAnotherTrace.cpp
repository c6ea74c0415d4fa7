// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

#include <optional>

TROWEL_MISTAKE(ElseOfAnotherTrace, "second",
               "else_: it must follow its if_ directly: if_(condition, [&] { … }).else_([&] { … "
               "})") {
  std::optional<trowel::detail::Branch> kept;
  kernel("first", [&](Ptr<float> x, Index n) {
    kept.emplace(if_(n > 0, [&] { store(x, 1.0f); }));
  }).ptx("sm_80");
  kernel("second", [&](Ptr<float> x, Index n) {
    if_(n > 0, [&] { store(x, 1.0f); });
    kept->else_([&] { store(x, 2.0f); }); // mistake
  }).ptx("sm_80");
}
