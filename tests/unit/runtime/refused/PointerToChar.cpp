// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Must not compile: char is not an element type.
#include <trowel/Buffer.h>

trowel::DevicePointer<const char> refused(trowel::Device device) { return {0, device}; }
