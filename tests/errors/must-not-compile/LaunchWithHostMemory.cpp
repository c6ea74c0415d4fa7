// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: launch: a Ptr<T> parameter takes a Buffer<T> (or a part of one) or a DevicePointer<T>;
// memory of the host goes through device.upload
#include <trowel/trowel.h>

using namespace trowel;

void f(const Kernel<Ptr<const float>> &k, std::vector<float> &x) { k.launch({1}, x); }
