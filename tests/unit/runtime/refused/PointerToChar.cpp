// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Must not compile: short is not an element type.
#include <trowel/Buffer.h>

trowel::DevicePointer<const short> refused(trowel::Device device) { return {0, device}; }
