// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One test body under many orders of warps: what a correct kernel computes depends on none.
//
//   underWarpOrders(device(), 20, [&] {
//     Buffer<int32> x = device().upload(counting());
//     body.launch({1}, x);
//     EXPECT_EQ(x.download(), reversed());
//   });
//
// The software device takes the seeds 0 to 19, each of which repeats exactly (TROWEL_SIM_SEED or
// Device::setWarpOrder). A GPU chooses its orders itself, and the body runs as often. The first
// order that fails is named and ends it.
#pragma once

#include <trowel/Device.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace trowel::support {

template <class Body> void underWarpOrders(const Device &device, std::uint64_t count, Body body) {
  struct Restored {
    const Device &device;
    std::uint64_t seed = device.warpOrder();
    ~Restored() {
      if (device.isSimulator())
        device.setWarpOrder(seed);
    }
  } restored{device};
  for (std::uint64_t seed = 0; seed < count && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE((device.isSimulator() ? "warp order of seed " : "run ") + std::to_string(seed));
    if (device.isSimulator())
      device.setWarpOrder(seed);
    body();
  }
}

} // namespace trowel::support
