// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(NameTooLong, "",
               "the name 'kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk…' has 1025 characters: PTX takes names "
               "of at most 1024") {
  kernel(std::string(1025, 'k'), [](Ptr<float> x) { store(x, 1.0f); }); // mistake
}
