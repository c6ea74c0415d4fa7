// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"
#include <optional>

TROWEL_MISTAKE(KernelThatStartsItself, "k",
               "ptx while kernel 'k' is being traced: a kernel cannot start another; call a "
               "C++ function that both use") {
  std::optional<Kernel<Ptr<float>>> self;
  self.emplace(kernel( // mistake
      "k", [&](Ptr<float> x) {
        self->ptx("sm_80");
        store(x, 1.0f);
      }));
  self->ptx("sm_80");
}
