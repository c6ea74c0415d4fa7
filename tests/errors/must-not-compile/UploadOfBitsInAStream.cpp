// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: upload(stream, values): values must be contiguous memory of the host
#include <trowel/trowel.h>

using namespace trowel;

void f(Buffer<bool> &x, const Stream &stream, std::vector<bool> &values) {
  x.upload(stream, values);
}
