// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(EmptyName, "",
               "a kernel's name is empty: it becomes the name of the PTX entry, so give it one"
               " such as \"vector_add\"") {
  kernel("", [](Ptr<float> x) { store(x, 1.0f); }); // mistake
}
