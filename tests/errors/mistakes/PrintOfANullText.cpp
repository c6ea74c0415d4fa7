// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(PrintOfANullText, "k",
               "print: a text is a null pointer: write a text, or leave it out") {
  kernel("k", [](Ptr<const float> x) {
    const char *text = nullptr;
    print(text, load(x)); // mistake
  }).ptx("sm_80");
}
