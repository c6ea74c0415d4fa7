// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Streams, events and asynchronous copies on every device, and kernels that several threads or
// devices use. On a GPU the work of two streams really overlaps; on the software device it is done
// at once, and the same programs must give the same numbers.
#include "tests/support/OnEveryDevice.h"

#include <trowel/trowel.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <thread>

using namespace trowel;

namespace {

class Streams : public support::OnEveryDevice {};
TROWEL_ON_EVERY_DEVICE(Streams);

constexpr int block = 256;

/// y = f(f(… f(x))) + `amount` with f(v) = 5 v + 1, `rounds` times; which takes as long as one
/// wants.
auto addSlowly(int rounds) {
  return kernel("add_slowly", [=](Ptr<const int32> x, Ptr<int32> y, Scalar<int32> amount, Index n) {
    Tile<int32> i = iota(block) + cast<int32>(programId(0) * block);
    Tile<bool> inside = i < cast<int32>(n);
    Tile<int32> v = load(x + i, inside);
    for ([[maybe_unused]] Index round : range(0, rounds, 1))
      v = v * 5 + 1;
    store(y + i, v + amount, inside);
  });
}

/// What addSlowly makes of these values.
std::vector<int32> added(std::vector<int32> values, int rounds, int32 amount) {
  uint32 factor = 1, term = static_cast<uint32>(amount);
  for (int round = 0; round < rounds; ++round) {
    term += factor;
    factor *= 5;
  }
  for (int32 &value : values)
    value = static_cast<int32>(static_cast<uint32>(value) * factor + term);
  return values;
}

int64 gridFor(std::size_t count) { return static_cast<int64>((count + block - 1) / block); }

std::vector<int32> counting(std::size_t count, int32 from = 0) {
  std::vector<int32> values(count);
  std::iota(values.begin(), values.end(), from);
  return values;
}

TEST_P(Streams, CarryChunksThroughTwoPairsOfBuffers) {
  constexpr std::size_t chunks = 9, count = 10'000;
  auto add = addSlowly(100);
  PinnedBuffer<int32> there = device().allocatePinned<int32>(chunks * count);
  PinnedBuffer<int32> back = device().allocatePinned<int32>(chunks * count);
  std::iota(there.begin(), there.end(), 0);
  std::fill(back.begin(), back.end(), -1);
  std::array<Stream, 2> streams{Stream(device()), Stream(device())};
  std::array<Buffer<int32>, 2> x, y;
  for (int side : {0, 1}) {
    x[side] = device().allocate<int32>(count);
    y[side] = device().allocate<int32>(count);
  }
  for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
    const Stream &stream = streams[chunk % 2];
    Buffer<int32> &in = x[chunk % 2], &out = y[chunk % 2];
    in.upload(stream, std::span(there).subspan(chunk * count, count));
    out.fillBytes(stream, 0xff);
    add.launch(stream, {gridFor(count)}, in, out, 7, count);
    out.download(stream, std::span(back).subspan(chunk * count, count));
  }
  for (const Stream &stream : streams)
    stream.synchronize();
  const std::vector<int32> wanted = added(counting(chunks * count), 100, 7);
  for (std::size_t i = 0; i < back.size(); ++i)
    ASSERT_EQ(back[i], wanted[i]) << "element " << i;
}

TEST_P(Streams, TakePageableMemoryToo) {
  Stream stream(device());
  const std::vector<int32> there = counting(5000);
  std::vector<int32> back(there.size());
  Buffer<int32> x = device().allocate<int32>(there.size());
  x.upload(stream, there);
  x.download(stream, back);
  stream.synchronize();
  EXPECT_EQ(back, there);
}

TEST_P(Streams, WaitForEventsOfEachOther) {
  constexpr std::size_t count = 1 << 14;
  auto add = addSlowly(2000);
  Stream first(device()), second(device());
  Buffer<int32> x = device().upload(counting(count)), y = device().allocate<int32>(count),
                z = device().allocate<int32>(count);
  for (int round = 0; round < 10; ++round) {
    y.fillBytes(0xff);
    Event written(device()), read(device());
    add.launch(first, {gridFor(count)}, x, y, 1, count);
    written.record(first);
    second.wait(written);
    z.copyFrom(second, y);
    read.record(second);
    first.wait(read);
    y.fillBytes(first, 0);
    read.synchronize();
    EXPECT_TRUE(read.isDone());
    EXPECT_TRUE(written.isDone());
    ASSERT_EQ(z.download(), added(counting(count), 2000, 1)) << "round " << round;
  }
}

TEST_P(Streams, DoNotWaitForAnEventThatWasNeverRecorded) {
  Stream stream(device());
  Event never(device());
  EXPECT_TRUE(never.isDone());
  stream.wait(never);
  never.synchronize();
  stream.synchronize();
}

TEST_P(Streams, MayStillUseABufferThatGoesOutOfScope) {
  constexpr std::size_t count = 1 << 14;
  auto add = addSlowly(2000);
  Stream stream(device());
  for (int round = 0; round < 10; ++round) {
    Buffer<int32> y = device().allocate<int32>(count);
    {
      Buffer<int32> x = device().upload(counting(count, round));
      add.launch(stream, {gridFor(count)}, x, y, 1, count);
    }
    Buffer<int32> next = device().allocate<int32>(count);
    next.fillBytes(0xff);
    ASSERT_EQ(y.download(), added(counting(count, round), 2000, 1)) << "round " << round;
  }
}

TEST_P(Streams, MayStillReadAPinnedBufferThatGoesOutOfScope) {
  constexpr std::size_t count = 1 << 20;
  Stream stream(device());
  Buffer<int32> x = device().allocate<int32>(count);
  {
    PinnedBuffer<int32> there = device().allocatePinned<int32>(count);
    std::iota(there.begin(), there.end(), 5);
    x.upload(stream, there);
  }
  EXPECT_EQ(x.download(), counting(count, 5));
}

TEST_P(Streams, CopyPartsOfBuffers) {
  Stream stream(device());
  Buffer<int32> x = device().upload(counting(100)), y = device().upload(counting(100, 1000));
  y.subspan(10, 20).copyFrom(stream, x.subspan(50, 20));
  y.subspan(99, 1).fillBytes(stream, 0xff);
  x.subspan(0, 50).copyFrom(stream, x.subspan(50, 50));
  stream.synchronize();
  std::vector<int32> result = y.download();
  for (int i = 0; i < 100; ++i)
    ASSERT_EQ(result[i], i == 99 ? -1 : i >= 10 && i < 30 ? i + 40 : i + 1000) << i;
  EXPECT_EQ(x.subspan(0, 50).download(), counting(50, 50));
}

TEST_P(Streams, OfEightThreadsLaunchOneKernelAtOnce) {
  constexpr std::size_t count = 3000;
  auto add = addSlowly(10);
  std::vector<std::thread> threads;
  std::array<int, 8> right{};
  for (std::size_t t = 0; t < right.size(); ++t)
    threads.emplace_back([&, t] {
      Stream stream(device());
      PinnedBuffer<int32> back = device().allocatePinned<int32>(count);
      Buffer<int32> y = device().allocate<int32>(count);
      const std::vector<int32> there = counting(count, static_cast<int32>(t));
      for (int round = 0; round < 5; ++round) {
        Buffer<int32> x = device().allocate<int32>(count);
        x.upload(stream, there);
        add.launch(stream, {gridFor(count)}, x, y, round, count);
        y.download(stream, back);
        stream.synchronize();
        right[t] += std::equal(back.begin(), back.end(), added(there, 10, round).begin());
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(right, (std::array{5, 5, 5, 5, 5, 5, 5, 5}));
}

/// Devices that differ from each other: the software device and all GPUs.
std::vector<Device> allDevices() {
  std::vector<Device> devices{Device::simulator()};
  if (support::testGpu().device)
    for (int ordinal = 0;; ++ordinal) {
      try {
        devices.push_back(Device::cuda(ordinal));
      } catch (const Error &) {
        break;
      }
    }
  return devices;
}

TEST(SeveralDevices, ShareOneKernel) {
  std::vector<Device> devices = allDevices();
  if (devices.size() == 1)
    GTEST_SKIP() << support::testGpu().reason;
  auto add = addSlowly(10);
  std::vector<std::thread> threads;
  std::vector<int> right(devices.size());
  for (std::size_t d = 0; d < devices.size(); ++d)
    threads.emplace_back([&, d] {
      for (int round = 0; round < 5; ++round) {
        Buffer<int32> x = devices[d].upload(counting(1000)), y = devices[d].allocate<int32>(1000);
        add.launch({gridFor(1000)}, x, y, round, 1000);
        right[d] += y.download() == added(counting(1000), 10, round);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(right, std::vector<int>(devices.size(), 5));
}

TEST(SeveralDevices, InOneLaunchAreRefusedWithBothNames) {
  std::vector<Device> devices = allDevices();
  if (devices.size() == 1)
    GTEST_SKIP() << support::testGpu().reason;
  auto add = addSlowly(10);
  Buffer<int32> x = devices[0].upload(counting(100)), y = devices[1].allocate<int32>(100);
  try {
    add.launch({1}, x, y, 1, 100);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error &error) {
    EXPECT_EQ(error.text(), "argument 1 (counted from 0) lies on " + devices[1].describe() +
                                ", the launch is on " + devices[0].describe() +
                                "; upload it there, or launch on a stream of its own device");
  }
}

TEST(SeveralDevices, CopyFromEachOther) {
  std::vector<Device> devices = allDevices();
  if (devices.size() < 3)
    GTEST_SKIP() << "this machine has fewer than two GPUs";
  auto add = addSlowly(2000);
  constexpr std::size_t count = 1 << 14;
  Stream first(devices[1]), second(devices[2]);
  Buffer<int32> x = devices[1].upload(counting(count)), y = devices[1].allocate<int32>(count);
  Buffer<int32> far = devices[2].allocate<int32>(count),
                farther = devices[2].allocate<int32>(count);
  Event written(devices[1]);
  add.launch(first, {gridFor(count)}, x, y, 1, count);
  written.record(first);
  second.wait(written);
  far.copyFrom(second, y);
  add.launch(second, {gridFor(count)}, far, farther, 1, count);
  const std::vector<int32> wanted = added(added(counting(count), 2000, 1), 2000, 1);
  EXPECT_EQ(farther.download(), wanted);
  x.copyFrom(farther);
  EXPECT_EQ(x.download(), wanted);
}

} // namespace
