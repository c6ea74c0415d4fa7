// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(NameThatStartsWithADigit, "",
               "the name '2nd' is not an identifier (character 1): it becomes the name of the "
               "PTX entry; use letters, digits and '_', and begin with no digit") {
  kernel( // mistake
      "2nd", [](Ptr<float> x) { store(x, 1.0f); })
      .ptx("sm_80");
}
