// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the files of must_not_compile do wrong, done right: it must compile.
#include <trowel/trowel.h>

using namespace trowel;

auto rightKernel(int block) {
  return kernel(
      "k",
      [=](Ptr<const float> x, Ptr<bf16> y, Ptr<int32> counts, Index n, const Scalar<float> &s) {
        Tile<int32> lane = iota(block);
        Tile<float> v = load(x + lane, lane < n, 0.5f);
        v *= where(v > 0.0f, s, 0.0f);
        store(y + lane, cast<bf16>(v), !(lane >= n) && n > 0);
        store(counts, load(counts) % 2 & 1);
        counts += n;
        store(counts, min(cast<int32>(fmin(load(x), 3)), 3));
        Scalar<int32> count = 3;
        for (Index row : range(0, n))
          for (Index column : range(count, n, 4u))
            v += load(x + row * n + column);
        if_(n > 0, [&] { count += 1; }).else_([=] { store(counts, count); });
        if_(!(n > 0), [&] { count -= 1; });
        while_([&] { return !(count > 8); }, [&] { count *= 2; });
        returnIf(n == 0 && count > 1);
        Scalar<float> half = 0.5;
        Index start = 3;
        store(y + start, cast<bf16>(fma(half, 2, s)));
      },
      Options{.warps = 4});
}

void launchRightly(const Device &device, const Buffer<float> &x, Buffer<bf16> &y,
                   DevicePointer<int32> counts) {
  auto k = rightKernel(64);
  Stream stream(device);
  k.launch({1}, x, y, counts, 64u, 0.5f);
  k.launch(stream, {1, 2, 3}, x, y, counts, x.size(), 0.5f);
}
