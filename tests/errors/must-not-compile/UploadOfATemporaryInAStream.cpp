// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: upload(stream, values): the copy is made later, when these temporary values are gone
#include <trowel/trowel.h>

using namespace trowel;

void f(Buffer<float> &x, const Stream &stream) { x.upload(stream, std::vector<float>(64)); }
