// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parts of buffers, page-locked memory, and copies in streams and between devices, over a driver
// that keeps memory on the host and writes down what it was asked.

#include "Expect.h"
#include "FakeDriver.h"

#include "runtime/device/DeviceState.h"
#include "trowel/Buffer.h"
#include "trowel/Launch.h"
#include "trowel/Stream.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

namespace trowel {

using namespace trowel::driver;
using namespace trowel::test;
using testing::ElementsAre;

namespace {
class Copies : public testing::Test {
protected:
  ~Copies() override {
    EXPECT_EQ(fake.liveAllocations, 0) << "a buffer was leaked or freed twice";
    EXPECT_EQ(fake.livePinned, 0) << "a pinned buffer was leaked or freed twice";
    EXPECT_EQ(fake.contextDepth, 0) << "a context was left on the caller's stack";
  }
  Device device = newFakeDevice();
  /// The second device of the same driver, and one of a driver of its own.
  Device neighbour{detail::openDevice(*device.state().api, 1)};
  Device stranger{detail::openDevice(newFakeApi(), 2)};

  CUstream handleOf(const Stream &stream) const { return static_cast<CUstream>(stream.native()); }
  bool called(const char *symbol) const {
    return std::find(fake.calls.begin(), fake.calls.end(), symbol) != fake.calls.end();
  }
};

using PinnedBuffers = Copies;
using Parts = Copies;
} // namespace

TEST_F(Copies, InAStreamNameItAndMoveTheValues) {
  Stream stream(device);
  const std::vector<float> host{1.0f, 2.0f, 3.0f};
  Buffer<float> x = device.allocate<float>(3), y = device.allocate<float>(3);
  fake.copyStreams.clear();
  x.upload(stream, host);
  y.copyFrom(stream, x);
  std::array<float, 3> back{};
  y.download(stream, back);
  x.fillBytes(stream, 0);
  EXPECT_THAT(back, ElementsAre(1.0f, 2.0f, 3.0f));
  EXPECT_THAT(x.download(), ElementsAre(0.0f, 0.0f, 0.0f));
  EXPECT_THAT(fake.copyStreams,
              ElementsAre(handleOf(stream), handleOf(stream), handleOf(stream), handleOf(stream)));
  EXPECT_FALSE(called("cuStreamSynchronize"));
}

TEST_F(Copies, WithoutAStreamOnTheDeviceAreInTheDefaultStream) {
  Buffer<float> x = device.upload({1.0f}), y = device.allocate<float>(1);
  fake.copyStreams.clear();
  y.copyFrom(x);
  y.fillBytes(0);
  EXPECT_THAT(fake.copyStreams, ElementsAre(nullptr, nullptr));
}

TEST_F(Copies, OfNothingMakeNoDriverCall) {
  Stream stream(device);
  Buffer<float> empty = device.allocate<float>(0), none;
  fake.calls.clear();
  empty.upload(stream, std::span<const float>());
  empty.download(stream, {});
  empty.copyFrom(stream, none);
  none.copyFrom(empty);
  none.fillBytes(stream, 1);
  EXPECT_THAT(none.download(), ElementsAre());
  EXPECT_THAT(fake.calls, ElementsAre());
}

TEST_F(Copies, InAStreamOfAnotherDeviceAreRefused) {
  Stream foreign(neighbour);
  Buffer<float> x = device.upload({1.0f}), y = device.upload({1.0f});
  std::vector<float> host(1);
  auto sentence = [](const char *call) {
    return std::string(call) + ": the memory is of Fake GPU (cuda:0, sm_90a), the stream of Fake "
                               "GPU (cuda:1, sm_90a); use a stream of the memory's device";
  };
  EXPECT_ERROR(x.upload(foreign, host), sentence("upload"));
  EXPECT_ERROR(x.download(foreign, host), sentence("download"));
  EXPECT_ERROR(x.fillBytes(foreign, 0), sentence("fillBytes"));
  EXPECT_ERROR(x.copyFrom(foreign, y), sentence("copyFrom"));
}

TEST_F(Copies, OfAnotherSizeAreRefused) {
  Stream stream(device);
  Buffer<float> x = device.allocate<float>(3), y = device.allocate<float>(4);
  std::vector<float> host(4);
  EXPECT_ERROR(x.upload(stream, host), "upload: the host range has 4 elements, the buffer has 3; "
                                       "they must be equal");
  EXPECT_ERROR(x.download(stream, host),
               "download: the host range has 4 elements, the buffer has 3; they must be equal");
  EXPECT_ERROR(x.copyFrom(y), "copyFrom: the source has 4 elements, the destination has 3; they "
                              "must be equal: copy a part with subspan(first, count)");
}

TEST_F(Copies, ThatOverlapAreRefusedAndNeighboursAreNot) {
  Buffer<int32> x = device.upload({1, 2, 3, 4});
  EXPECT_ERROR(x.subspan(1, 3).copyFrom(x.subspan(0, 3)),
               "copyFrom: source and destination overlap by 8 of 12 bytes; copy through another "
               "buffer");
  EXPECT_ERROR(x.copyFrom(x), "copyFrom: source and destination overlap by 16 of 16 bytes; copy "
                              "through another buffer");
  x.subspan(2, 2).copyFrom(x.subspan(0, 2));
  EXPECT_THAT(x.download(), ElementsAre(1, 2, 1, 2));
}

TEST_F(Copies, BetweenDevicesNameBothContexts) {
  Buffer<float> x = device.upload({1.0f}), y = neighbour.allocate<float>(1);
  y.copyFrom(x);
  EXPECT_TRUE(called("cuMemcpyPeer"));
  EXPECT_THAT(fake.peers, ElementsAre(neighbour.state().context, device.state().context));
  EXPECT_THAT(y.download(), ElementsAre(1.0f));
  for (const Device &owner : {device, neighbour}) {
    Stream stream(owner);
    fake.copyStreams.clear();
    x.copyFrom(stream, y);
    EXPECT_THAT(fake.copyStreams, ElementsAre(handleOf(stream)));
  }
  EXPECT_THAT(fake.peers, ElementsAre(device.state().context, neighbour.state().context));
}

TEST_F(Copies, BetweenDriversAreRefused) {
  Buffer<float> x = device.upload({1.0f}), y = stranger.allocate<float>(1);
  EXPECT_ERROR(y.copyFrom(x),
               "copyFrom: the source is on Fake GPU (cuda:0, sm_90a), the destination on Fake GPU "
               "(cuda:2, sm_90a), and nothing but the host lies between; copy with "
               "destination.upload(source.download())");
}

TEST_F(Copies, ThatTheDriverRefusesSayWhatWasTried) {
  Stream stream(device);
  Buffer<float> x = device.upload({1.0f}), y = neighbour.allocate<float>(1);
  fake.results["cuMemcpyHtoDAsync"] = cudaErrorInvalidValue;
  fake.results["cuMemcpyPeer"] = cudaErrorOutOfMemory;
  std::vector<float> host(1);
  EXPECT_ERROR(x.upload(stream, host),
               "cannot upload 4 bytes on Fake GPU (cuda:0, sm_90a): the driver says "
               "CUDA_ERROR_FAKE (fake text)");
  EXPECT_ERROR(
      y.copyFrom(x),
      "cannot copy 4 bytes from Fake GPU (cuda:0, sm_90a) on Fake GPU (cuda:1, sm_90a): the "
      "driver says CUDA_ERROR_OUT_OF_MEMORY (fake text); free other buffers or use "
      "smaller ones");
}

TEST_F(Copies, AreFinishedBeforeMemoryIsFreed) {
  {
    Buffer<float> x = device.allocate<float>(1);
    PinnedBuffer<float> pinned = device.allocatePinned<float>(1);
    fake.calls.clear();
  }
  EXPECT_THAT(fake.calls, ElementsAre("cuCtxPushCurrent", "cuCtxSynchronize", "cuMemFreeHost",
                                      "cuCtxPopCurrent", "cuCtxPushCurrent", "cuCtxSynchronize",
                                      "cuMemFree", "cuCtxPopCurrent"));
}

TEST_F(PinnedBuffers, AreArraysOfTheHost) {
  PinnedBuffer<int32> pinned = device.allocatePinned<int32>(4);
  int32 next = 0;
  for (int32 &value : pinned)
    value = next++;
  pinned[3] = 30;
  EXPECT_EQ(pinned.size(), 4u);
  EXPECT_EQ(pinned.bytes(), 16u);
  EXPECT_EQ(pinned.device(), device);
  const PinnedBuffer<int32> &reading = pinned;
  EXPECT_THAT(std::vector<int32>(reading.begin(), reading.end()), ElementsAre(0, 1, 2, 30));
  EXPECT_EQ(std::span<const int32>(reading)[3], 30);
}

TEST_F(PinnedBuffers, TravelBothWaysWithAndWithoutAStream) {
  Stream stream(device);
  PinnedBuffer<int32> there = device.allocatePinned<int32>(2),
                      back = device.allocatePinned<int32>(2);
  there[0] = 5, there[1] = -5;
  EXPECT_THAT(device.upload(there).download(), ElementsAre(5, -5));
  Buffer<int32> x = device.allocate<int32>(2);
  x.upload(stream, there);
  x.download(stream, back);
  EXPECT_EQ(back[1], -5);
  there[1] = 7;
  x.upload(there);
  x.download(back);
  EXPECT_EQ(back[1], 7);
}

TEST_F(PinnedBuffers, OfNothingMakeNoDriverCall) {
  fake.calls.clear();
  PinnedBuffer<float> empty = device.allocatePinned<float>(0);
  EXPECT_TRUE(empty.empty());
  EXPECT_EQ(empty.begin(), empty.end());
  EXPECT_EQ(empty.device(), device);
  EXPECT_THAT(fake.calls, ElementsAre());
}

TEST_F(PinnedBuffers, MoveWithTheirMemory) {
  PinnedBuffer<bool> first = device.allocatePinned<bool>(3);
  bool *place = first.data();
  PinnedBuffer<bool> second = std::move(first);
  EXPECT_EQ(second.data(), place);
  EXPECT_TRUE(first.empty());
  PinnedBuffer<bool> third = device.allocatePinned<bool>(1);
  third = std::move(second);
  EXPECT_EQ(third.data(), place);
  EXPECT_EQ(fake.livePinned, 1);
}

TEST_F(PinnedBuffers, ThatCannotBeHadSayHowMuchWasAsked) {
  fake.results["cuMemHostAlloc"] = cudaErrorOutOfMemory;
  EXPECT_ERROR(
      device.allocatePinned<float>(1000),
      "cannot allocate 4000 bytes of page-locked host memory on Fake GPU (cuda:0, sm_90a): "
      "the driver says CUDA_ERROR_OUT_OF_MEMORY (fake text); free other buffers or use "
      "smaller ones");
  EXPECT_ERROR(device.allocatePinned<double>(SIZE_MAX / 4),
               "cannot allocate 4611686018427387903 elements of 8 bytes: that is 2^64 bytes or "
               "more");
  EXPECT_ERROR(PinnedBuffer<float>().device(),
               "the pinned buffer has no device: it was default-constructed or moved from; make it "
               "with device.allocatePinned<T>(count)");
}

TEST_F(Parts, AreReadAndWrittenLikeBuffers) {
  Buffer<int32> x = device.upload({0, 1, 2, 3, 4, 5, 6, 7});
  DeviceSpan<int32> middle = x.subspan(2, 4);
  EXPECT_EQ(middle.size(), 4u);
  EXPECT_EQ(middle.bytes(), 16u);
  EXPECT_EQ(middle.address(), x.address() + 8);
  EXPECT_EQ(middle.device(), device);
  EXPECT_THAT(middle.download(), ElementsAre(2, 3, 4, 5));
  middle.subspan(1, 2).upload(std::vector<int32>{-3, -4});
  middle.subspan(3, 1).fillBytes(0xff);
  EXPECT_THAT(x.download(), ElementsAre(0, 1, 2, -3, -4, -1, 6, 7));
  std::array<int32, 2> into{};
  const Buffer<int32> &reading = x;
  reading.subspan(6, 2).download(into);
  EXPECT_THAT(into, ElementsAre(6, 7));
  EXPECT_TRUE(x.subspan(8, 0).empty());
}

TEST_F(Parts, OfBoolsAreBytes) {
  Buffer<bool> flags = device.upload({false, false, false});
  flags.subspan(1, 2).upload(std::vector<bool>{true, false});
  EXPECT_THAT(flags.span().download(), ElementsAre(false, true, false));
}

TEST_F(Parts, ThatLeaveTheBufferAreRefused) {
  Buffer<int32> x = device.upload({0, 1, 2, 3});
  EXPECT_ERROR(x.subspan(2, 3), "a part of 3 elements from number 2 on does not lie within memory "
                                "of 4 elements; first + count must be at most its size");
  EXPECT_ERROR(x.subspan(5, 0), "a part of 0 elements from number 5 on does not lie within memory "
                                "of 4 elements; first + count must be at most its size");
  EXPECT_ERROR(
      x.subspan(1, SIZE_MAX),
      "a part of 18446744073709551615 elements from number 1 on does not lie within memory "
      "of 4 elements; first + count must be at most its size");
  EXPECT_ERROR(DeviceSpan<int32>(x.devicePointer() + 2, 3),
               "a part of 3 elements from number 0 on does not lie within memory of 2 elements; "
               "first + count must be at most its size");
}

TEST_F(Parts, OfForeignMemoryAreTakenAtTheirWord) {
  Buffer<int32> x = device.upload({0, 1, 2, 3});
  DeviceSpan<const int32> foreign(DevicePointer<const int32>{x.address() + 4, device}, 2);
  EXPECT_THAT(foreign.download(), ElementsAre(1, 2));
}

TEST_F(Parts, OfNoBufferHaveNoDevice) {
  DeviceSpan<float> none;
  EXPECT_ERROR(none.device(), "the buffer has no device: it was default-constructed or moved from; "
                              "make it with device.allocate<T>(count) or device.upload(values)");
}

TEST_F(Parts, AreLaunchArgumentsThatKnowTheirSize) {
  Buffer<int32> x = device.upload({0, 1, 2, 3});
  LaunchArgument part(x.subspan(1, 2));
  EXPECT_EQ(part.bits, x.address() + 4);
  EXPECT_EQ(part.bytes, 8u);
  EXPECT_FALSE(part.constant);
  const Buffer<int32> &reading = x;
  EXPECT_TRUE(LaunchArgument(reading).constant);
  EXPECT_TRUE(LaunchArgument(reading.subspan(1, 2)).constant);
  EXPECT_EQ(LaunchArgument(1ll << 40).type, ElementType::Int64);
  EXPECT_EQ(LaunchArgument(~0ull).type, ElementType::UInt64);
}

TEST_F(Copies, OfAnotherStreamAreWaitedForByAnEvent) {
  Stream first(device), second(device), far(neighbour);
  Event done(device);
  done.record(first);
  second.wait(done);
  far.wait(done);
  EXPECT_EQ(std::count(fake.calls.begin(), fake.calls.end(), "cuStreamWaitEvent"), 2);
  EXPECT_FALSE(called("cuEventSynchronize"));
  EXPECT_ERROR(
      Stream(stranger).wait(done),
      "the stream is of Fake GPU (cuda:2, sm_90a), the event of Fake GPU (cuda:0, sm_90a); "
      "neither knows of the other's work: let the host wait, with event.synchronize()");
}

TEST_F(Copies, AreAskedForWithoutWaiting) {
  Event done(device);
  EXPECT_TRUE(done.isDone());
  fake.results["cuEventQuery"] = cudaErrorNotReady;
  EXPECT_FALSE(done.isDone());
  fake.results["cuEventQuery"] = cudaErrorLaunchFailed;
  EXPECT_THROW(done.isDone(), Error);
}

} // namespace trowel
