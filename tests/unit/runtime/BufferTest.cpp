// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buffers, pointers, streams and events, over a driver that keeps memory on the host.

#include "Expect.h"
#include "FakeDriver.h"

#include "runtime/device/DeviceState.h"
#include "trowel/Buffer.h"
#include "trowel/Stream.h"

#include <gtest/gtest.h>

#include <array>

namespace trowel {

using namespace trowel::driver;
using namespace trowel::test;
using detail::CurrentContext;

namespace {
class Buffers : public testing::Test {
protected:
  ~Buffers() override {
    EXPECT_EQ(fake.liveAllocations, 0) << "a buffer was leaked or freed twice";
    EXPECT_EQ(fake.contextDepth, 0) << "a context was left on the caller's stack";
  }
  Device device = newFakeDevice();
};
} // namespace

TEST_F(Buffers, ComeBackAsTheyWent) {
  std::vector<float> host{1.0f, -0.0f, 3.5f};
  EXPECT_EQ(device.upload(host).download(), host);
  EXPECT_EQ(device.upload({7, 8}).download(), (std::vector<int32>{7, 8}));
  std::array<int64, 2> fixed{1, -1};
  EXPECT_EQ(device.upload(fixed).download(), (std::vector<int64>{1, -1}));
  EXPECT_EQ(device.upload(std::span<const float>(host).first(2)).size(), 2u);
}

TEST_F(Buffers, OfBoolHoldBytesOfZeroAndOne) {
  std::vector<bool> host{true, false, true};
  Buffer<bool> buffer = device.upload(host);
  EXPECT_EQ(buffer.bytes(), 3u);
  const auto *raw = reinterpret_cast<const unsigned char *>(buffer.address());
  EXPECT_EQ((std::vector<unsigned char>(raw, raw + 3)), (std::vector<unsigned char>{1, 0, 1}));
  EXPECT_EQ(buffer.download(), host);
}

TEST_F(Buffers, OfNothingMakeNoDriverCall) {
  fake.calls.clear();
  Buffer<float> empty = device.allocate<float>(0);
  EXPECT_EQ(empty.size(), 0u);
  EXPECT_EQ(empty.address(), 0u);
  EXPECT_TRUE(empty.empty());
  EXPECT_EQ(empty.download(), std::vector<float>{});
  empty.upload(std::vector<float>{});
  empty.fillBytes(0xff);
  EXPECT_EQ(empty.device(), device);
  EXPECT_EQ(fake.calls, std::vector<std::string>{});
}

TEST_F(Buffers, MoveWithTheirMemory) {
  Buffer<int32> first = device.upload({1, 2, 3});
  std::uint64_t address = first.address();
  Buffer<int32> second = std::move(first);
  EXPECT_EQ(second.address(), address);
  EXPECT_EQ(first.size(), 0u);
  Buffer<int32> third = device.upload({4});
  third = std::move(second);
  EXPECT_EQ(third.address(), address);
  EXPECT_EQ(fake.liveAllocations, 1);
}

TEST_F(Buffers, WithoutADeviceSaySo) {
  Buffer<float> none;
  EXPECT_ERROR(none.device(),
               "the buffer has no device: it was default-constructed or moved from; make it with "
               "device.allocate<T>(count) or device.upload(values)");
}

TEST_F(Buffers, RefuseHostRangesOfAnotherSize) {
  Buffer<float> buffer = device.allocate<float>(4);
  std::vector<float> host(3);
  EXPECT_ERROR(buffer.upload(host), "upload: the host range has 3 elements, the buffer has 4; they "
                                    "must be equal");
  EXPECT_ERROR(buffer.download(std::span(host)),
               "download: the host range has 3 elements, the buffer has 4; they must be equal");
}

TEST_F(Buffers, FillEveryByte) {
  Buffer<int32> buffer = device.allocate<int32>(2);
  buffer.fillBytes(0xff);
  EXPECT_EQ(buffer.download(), (std::vector<int32>{-1, -1}));
}

TEST_F(Buffers, OutOfMemorySaysBothSizes) {
  fake.results["cuMemAlloc"] = cudaErrorOutOfMemory;
  EXPECT_ERROR(
      device.allocate<float>(1000),
      "cannot allocate 4000 bytes on Fake GPU (cuda:0, sm_90a): 1000 of 2000 bytes are free; "
      "the driver says CUDA_ERROR_OUT_OF_MEMORY (fake text); free other buffers or use "
      "smaller ones");
}

TEST_F(Buffers, OfMoreThanAllAddressesAreRefused) {
  EXPECT_ERROR(
      device.allocate<float>(SIZE_MAX / 2),
      "cannot allocate 9223372036854775807 elements of 4 bytes: that is 2^64 bytes or more");
}

TEST_F(Buffers, ThrowFaultsOfEarlierWork) {
  Buffer<float> buffer = device.upload({1.0f});
  fake.results["cuMemcpyDtoH"] = cudaErrorMisalignedAddress;
  EXPECT_THROW(buffer.download(), Error);
}

TEST_F(Buffers, DoNotThrowWhenTheyAreFreedOnALostContext) {
  std::uint64_t address = 0;
  {
    Buffer<float> buffer = device.upload({1.0f});
    address = buffer.address();
    fake.results["cuCtxPushCurrent"] = cudaErrorIllegalAddress;
  }
  // What a lost context keeps, the fake gives back.
  fake.results.clear();
  CurrentContext current(device.state());
  EXPECT_EQ(device.state().api->memFree(address), cudaSuccess);
}

TEST_F(Buffers, GivePointersThatKnowTheRest) {
  Buffer<float> buffer = device.allocate<float>(8);
  DevicePointer<float> third = buffer.devicePointer() + 3;
  EXPECT_EQ(third.address, buffer.address() + 12);
  EXPECT_EQ(third.bytes, 20u);
  DevicePointer<const float> back = third + -2;
  EXPECT_EQ(back.address, buffer.address() + 4);
  EXPECT_EQ(back.bytes, 28u);
  DevicePointer<float> foreign{0x1000, device};
  EXPECT_EQ((foreign + 1).bytes, DevicePointer<float>::unknownBytes);
}

TEST_F(Buffers, HaveNoElementsBehindAPointerPastTheirEnd) {
  Buffer<float> x = device.allocate<float>(8);
  DevicePointer<float> past = x.devicePointer() + 9;
  EXPECT_ERROR(DeviceSpan<float>(past, 1),
               "a part of 1 element from number 0 on does not lie within memory of 0 elements; "
               "first + count must be at most its size");
  EXPECT_EQ(DeviceSpan<float>(past + -1, 0).size(), 0u);
  EXPECT_EQ(DeviceSpan<float>(past + -9, 8).size(), 8u);
}

TEST_F(Buffers, OfMoreBytesThan63BitsCountAreRefused) {
  DevicePointer<float> foreign{4096, device};
  EXPECT_ERROR(DeviceSpan<float>(foreign, (std::size_t{1} << 62) + 4),
               "a part of 4611686018427387908 elements from number 0 on does not lie within memory "
               "of 2305843009213693951 elements; first + count must be at most its size");
}

TEST_F(Buffers, OfMoreElementsThanTheHostHoldsAreRefused) {
#if __has_feature(address_sanitizer)
  GTEST_SKIP() << "the sanitizer ends the program at such an allocation";
#endif
  DevicePointer<float> foreign{4096, device};
  EXPECT_ERROR(DeviceSpan<float>(foreign, std::size_t{1} << 60).download(),
               "the host has no memory for a vector of 1152921504606846976 elements of 4 bytes; "
               "copy a part with subspan(first, count)");
}

TEST_F(Buffers, ShareTheFateOfEqualHandles) {
  Device copy = device;
  EXPECT_EQ(copy, device);
  EXPECT_FALSE(copy == Device(detail::openDevice(newFakeApi(), 0)));
}

TEST(Stream, IsDestroyedOnceAndOnlyIfCreated) {
  Device device = newFakeDevice();
  {
    Stream first(device);
    EXPECT_EQ(fake.liveStreams, 1);
    Stream second = std::move(first);
    Stream third(device);
    third = std::move(second);
    EXPECT_EQ(fake.liveStreams, 1);
    Stream wrapped = Stream::wrap(device, third.native());
    EXPECT_EQ(wrapped.native(), third.native());
    EXPECT_EQ(Stream::defaultOf(device).native(), nullptr);
  }
  EXPECT_EQ(fake.liveStreams, 0);
  EXPECT_EQ(fake.contextDepth, 0);
}

TEST(Stream, ThrowsFaultsOfItsWork) {
  Device device = newFakeDevice();
  Stream stream(device);
  fake.results["cuStreamSynchronize"] = cudaErrorLaunchFailed;
  EXPECT_THROW(stream.synchronize(), Error);
}

TEST(Event, MeasuresMicroseconds) {
  Device device = newFakeDevice();
  Stream stream = Stream::defaultOf(device);
  {
    Event begin(device), end(device);
    begin.record(stream);
    end.record(stream);
    EXPECT_DOUBLE_EQ(Event::microseconds(begin, end), 250.0);
    EXPECT_EQ(fake.liveEvents, 2);
  }
  EXPECT_EQ(fake.liveEvents, 0);
}

TEST(Event, ThatWasNeverRecordedIsRefused) {
  Device device = newFakeDevice();
  Event begin(device), end(device);
  begin.record(Stream::defaultOf(device));
  EXPECT_ERROR(Event::microseconds(begin, end),
               "the end event was never recorded; call record(stream) before and after the work");
}

TEST(Event, OfAnotherDeviceIsRefused) {
  Device device = newFakeDevice();
  fake.deviceName = "Other GPU";
  Device other(detail::openDevice(newFakeApi(), 1));
  Event event(device);
  EXPECT_ERROR(
      event.record(Stream::defaultOf(other)),
      "the event is of Fake GPU (cuda:0, sm_90a), the stream of Other GPU (cuda:1, sm_90a); "
      "make the event on the stream's device");
  Event foreign(other);
  EXPECT_ERROR(
      Event::microseconds(event, foreign),
      "the events are of Fake GPU (cuda:0, sm_90a) and of Other GPU (cuda:1, sm_90a); time "
      "can be measured on one device only");
}

} // namespace trowel
