// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(NameThatIsNoIdentifier, "",
               "the name 'row sum' is not an identifier (character 4): it becomes the name of "
               "the PTX entry; use letters, digits and '_', and begin with no digit") {
  kernel("row sum", [](Ptr<float> x) { store(x, 1.0f); }); // mistake
}
