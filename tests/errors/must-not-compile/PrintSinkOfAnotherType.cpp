// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: onPrint takes a function of a const Printed &, or nullptr
#include <trowel/trowel.h>

using namespace trowel;

void silence() {
  Device::best().onPrint([](int) {});
}
