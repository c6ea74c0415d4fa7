// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels at the edges of what can be launched, kernels in lists, and how full they make a
// multiprocessor.
#include "tests/support/OnEveryDevice.h"

#include <trowel/trowel.h>

#include <numeric>

using namespace trowel;

namespace {

class Launches : public support::OnEveryDevice {};
TROWEL_ON_EVERY_DEVICE(Launches);

auto storeAt(const char *name, int32 value) {
  return kernel(name, [=](Ptr<int32> y) { store(y, value + cast<int32>(programId(0)) * 0); });
}

TEST_P(Launches, OfTwoKernelsOfOneNameRunBoth) {
  auto one = storeAt("twin", 1), two = storeAt("twin", 2);
  Buffer<int32> x = device().upload({0}), y = device().upload({0});
  for (int round = 0; round < 3; ++round) {
    one.launch({1}, x);
    two.launch({1}, y);
  }
  EXPECT_EQ(x.download()[0], 1);
  EXPECT_EQ(y.download()[0], 2);
}

TEST_P(Launches, OfAnEmptyGridRunNothing) {
  auto k = storeAt("nobody", 1);
  Buffer<int32> y = device().upload({-1});
  k.launch({0}, y);
  k.launch({5, 0}, y);
  k.launch({5, 5, 0}, y);
  k.launch(Stream(device()), {0}, y);
  AnyKernel(k).launch({0}, {y});
  EXPECT_EQ(y.download()[0], -1);
}

TEST_P(Launches, OfAKernelWithoutArgumentsOrStoresSucceed) {
  Buffer<int32> x = device().upload({1});
  Stream stream(device());
  kernel("idle", [] {}).launch(stream, {7});
  kernel("thinking", [] { exp(cast<float>(iota(64))); }).launch(stream, {7, 2});
  kernel("reading", [](Ptr<const int32> x) { load(x); }).launch(stream, {7}, x);
  stream.synchronize();
}

template <class Param, std::size_t> using Repeated = Param;

/// y[i] = the i-th of as many arguments as there are indices.
template <std::size_t... i> auto storeEach(std::index_sequence<i...>) {
  return kernel("many", [](Ptr<int64> y, Repeated<Scalar<int64>, i>... values) {
    (store(y + static_cast<int>(i), values), ...);
  });
}
template <std::size_t... i> void launchMany(Buffer<int64> &y, std::index_sequence<i...> indices) {
  storeEach(indices).launch({1}, y, static_cast<int64>(1000 + i)...);
}

TEST_P(Launches, WithAsManyArgumentsAsThereMayBeGetEachOfThem) {
  auto check = [&](auto indices) {
    Buffer<int64> y = device().template allocate<int64>(indices.size());
    y.fillBytes(0xff);
    launchMany(y, indices);
    std::vector<int64> wanted(indices.size());
    std::iota(wanted.begin(), wanted.end(), 1000);
    EXPECT_EQ(y.download(), wanted);
  };
  check(std::make_index_sequence<199>());
  check(std::make_index_sequence<511>());
}

TEST_P(Launches, OfAListOfKernelsRunInOrder) {
  auto fill = kernel("fill", [](Ptr<float> y, Scalar<float> value) {
    store(y + iota(64) + programId(0) * 64, value);
  });
  auto accumulate = kernel("accumulate", [](Ptr<const float> x, Ptr<float> y, Index n) {
    Index start = programId(0) * 64;
    Tile<bool> inside = start + iota(64) < n;
    Tile<Ptr<float>> place = y + start + iota(64);
    store(place, load(place, inside) + load(x + start + iota(64), inside), inside);
  });
  Buffer<float> x = device().allocate<float>(128), y = device().allocate<float>(128);
  struct Step {
    AnyKernel kernel;
    std::vector<LaunchArgument> arguments;
  };
  const Buffer<float> &reading = x;
  std::vector<Step> steps{{fill, {x, 1.5f}},
                          {fill, {y, 0.25f}},
                          {accumulate, {reading, y, 100}},
                          {accumulate, {reading.subspan(64, 64), y.subspan(0, 64), 64u}}};
  Stream stream(device());
  for (const Step &step : steps)
    step.kernel.launch(stream, {2}, step.arguments);
  std::vector<float> result = y.download();
  for (int i = 0; i < 128; ++i)
    ASSERT_EQ(result[i], 0.25f + (i < 64 ? 3.0f : i < 100 ? 1.5f : 0.0f)) << i;
}

TEST_P(Launches, FillAMultiprocessorAsFarAsTheirResourcesGo) {
  auto k = kernel("fill", [](Ptr<float> y) { store(y + iota(1024), 1.0f); }, Options{.warps = 4});
  Occupancy use = device().occupancy(k);
  EXPECT_EQ(use.threads, 128);
  EXPECT_EQ(use.warps, 4);
  EXPECT_EQ(use.sharedBytes, 0);
  EXPECT_GT(use.programs, 0);
  EXPECT_LE(use.fraction(), 1.0);
  EXPECT_FALSE(use.limitedBy.empty());
  if (isSimulator()) {
    EXPECT_EQ(use.registers, Occupancy::unknown);
    EXPECT_EQ(use.text(), "at most 16 programs a multiprocessor, 64 of 64 warps, limited by "
                          "threads; 128 threads and 0 bytes of shared memory a program, an unknown "
                          "number of registers a thread");
  } else {
    EXPECT_GT(use.registers, 0);
    EXPECT_LE(use.programs, std::min({use.byThreads, use.byPrograms, use.bySharedBytes}));
    EXPECT_EQ(use.programs,
              std::min({use.byThreads, use.byRegisters, use.byPrograms, use.bySharedBytes}));
  }
  // One warp a program: it is the number of programs that limits.
  Occupancy small = device().occupancy(AnyKernel(k), 32);
  EXPECT_EQ(small.warps, 1);
  EXPECT_EQ(small.limitedBy, "the number of programs") << small.text();
  // And the code that it loaded is the one that is launched.
  Buffer<float> y = device().allocate<float>(1024);
  k.launch({1}, y);
  EXPECT_EQ(y.download()[1023], 1.0f);
}

} // namespace
