// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vector addition.
//
// Nothing is computed to speak of: 12 bytes move for one addition, so the kernel is as fast as the
// memory or it is wrong. What decides is how the memory is asked. Each program takes `block`
// neighbouring elements; the compiler sees that the addresses are contiguous and gives each thread
// 16 bytes of them, four floats, so that a warp asks for 512 bytes in one instruction. A block of
// 1024 is 256 threads with one such access to each array.
//
// The last program may reach beyond n; `inside` masks those elements, which then touch no memory.
//
// Before: x, y and z hold n elements. After: z[i] is the correctly rounded sum; nothing else
// changed.
#include "examples/kernels/VectorAdd.h"

namespace trowel::examples {

Kernel<Ptr<const float>, Ptr<const float>, Ptr<float>, Index> vectorAdd(int block,
                                                                        Options options) {
  auto body = [=](Ptr<const float> x, Ptr<const float> y, Ptr<float> z, Index n) {
    Index start = programId(0) * block;
    Tile<int32> lane = iota(block);
    Tile<bool> inside = start + lane < n;
    Tile<float> a = load(x + start + lane, inside);
    Tile<float> b = load(y + start + lane, inside);
    store(z + start + lane, a + b, inside);
  };
  return kernel("vector_add", body, options);
}

} // namespace trowel::examples
