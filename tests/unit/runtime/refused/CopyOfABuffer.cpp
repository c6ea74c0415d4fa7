// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Must not compile: a buffer owns its memory and does not copy.
#include <trowel/Buffer.h>

trowel::Buffer<float> refused(const trowel::Buffer<float> &buffer) { return buffer; }
