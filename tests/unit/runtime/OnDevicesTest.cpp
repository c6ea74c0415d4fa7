// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime from image to numbers on real devices: the software device, and a GPU where there is
// one. The kernel is PTX written by hand, y[i] = 2 x[i] for i < n, with the line table that a
// compiled kernel has, so that nothing of the compiler is needed here.
//
// Faults inside a kernel are tried on the software device alone: on a GPU they cost the process its
// context.

#include "Expect.h"

#include "runtime/device/Launch.h"
#include "tests/support/OnEveryDevice.h"

#include <gmock/gmock.h>

#include <thread>

namespace trowel {

namespace {
constexpr const char *scalePtx = R"(
.version 8.0
.target sm_80
.address_size 64

.visible .entry scale(
  .param .u64 .ptr .align 1 scale_param_0,
  .param .u64 .ptr .align 1 scale_param_1,
  .param .u64 scale_param_2
)
.reqntid 32
{
  .reg .pred %p<2>;
  .reg .b32 %r<5>;
  .reg .b32 %f<3>;
  .reg .b64 %rd<8>;
  .loc 1 7 3
  ld.param.b64 %rd1, [scale_param_0];
  ld.param.b64 %rd2, [scale_param_1];
  ld.param.b64 %rd3, [scale_param_2];
  cvta.to.global.u64 %rd4, %rd1;
  cvta.to.global.u64 %rd5, %rd2;
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %tid.x;
  shl.b32 %r3, %r1, 5;
  or.b32 %r4, %r3, %r2;
  cvt.u64.u32 %rd6, %r4;
  setp.ge.s64 %p1, %rd6, %rd3;
  @%p1 bra $L_end;
  shl.b64 %rd7, %rd6, 2;
  add.s64 %rd4, %rd4, %rd7;
  add.s64 %rd5, %rd5, %rd7;
  .loc 1 8 13
  ld.global.b32 %f1, [%rd4];
  add.rn.f32 %f2, %f1, %f1;
  .loc 1 9 5
  st.global.b32 [%rd5], %f2;
$L_end:
  ret;
}
.file 1 "scale.cpp"
)";

KernelImage scaleImage() {
  KernelImage image;
  image.ptx = scalePtx;
  Result<Manifest> manifest = Manifest::fromJson(R"({"version": 1, "kernel": "scale",
    "entry": "scale", "target": "sm_80", "threads": 32, "parameters": [
      {"argument": 0, "kind": "pointer", "type": "f32", "writes": false},
      {"argument": 1, "kind": "pointer", "type": "f32", "writes": true},
      {"argument": 2, "kind": "scalar", "type": "i64"}]})");
  EXPECT_TRUE(manifest) << manifest.error();
  image.manifest = *manifest;
  return image;
}

std::vector<float> ramp(std::size_t count) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i)
    values[i] = static_cast<float>(i) - 7.5f;
  return values;
}

class OnDevices : public support::OnEveryDevice {
protected:
  template <class X, class Y>
  void scale(const Stream &stream, const Grid &grid, const X &x, Y &&y, int64 n) {
    if (!kernel || !(kernel->device == stream.device()))
      kernel = Module::load(stream.device(), scaleImage());
    LaunchArgument arguments[] = {x, y, n};
    launch(*kernel, stream, grid, arguments);
  }
  void scale(const Grid &grid, const Buffer<float> &x, Buffer<float> &y, int64 n) {
    scale(Stream::defaultOf(x.device()), grid, x, y, n);
  }

  std::shared_ptr<const LoadedKernel> kernel;
};

class OnSimulator : public OnDevices {
protected:
  void SetUp() override {
    if (!isSimulator())
      GTEST_SKIP() << "a fault in a kernel would cost the process its GPU";
  }
};
} // namespace

TROWEL_ON_EVERY_DEVICE(OnDevices);
TROWEL_ON_EVERY_DEVICE(OnSimulator);

TEST_P(OnDevices, ALaunchComputes) {
  Buffer<float> x = device().upload(ramp(1000)), y = device().allocate<float>(1000);
  y.fillBytes(0xff);
  scale({32}, x, y, 1000);
  std::vector<float> result = y.download();
  for (std::size_t i = 0; i < 1000; ++i)
    ASSERT_EQ(result[i], 2 * ramp(1000)[i]) << i;
}

TEST_P(OnDevices, APartOfABufferIsAnArgument) {
  Buffer<float> x = device().upload(ramp(64)), y = device().allocate<float>(64);
  y.fillBytes(0);
  scale(Stream::defaultOf(device()), {1}, x.devicePointer() + 3, y.devicePointer() + 1, 2);
  std::vector<float> result = y.download();
  EXPECT_EQ(result[0], 0.0f);
  EXPECT_EQ(result[1], 2 * ramp(64)[3]);
  EXPECT_EQ(result[2], 2 * ramp(64)[4]);
  EXPECT_EQ(result[3], 0.0f);
}

TEST_P(OnDevices, AnEmptyGridRunsNothing) {
  Buffer<float> x = device().upload(ramp(32)), y = device().upload(ramp(32));
  scale({0, 1, 1}, x, y, 32);
  EXPECT_EQ(y.download(), ramp(32));
}

TEST_P(OnDevices, AnAxisRunsUpToItsLimitAndIsRefusedBeyond) {
  Buffer<float> x = device().upload(ramp(32)), y = device().allocate<float>(32);
  scale({1, 65535, 1}, x, y, 1);
  EXPECT_EQ(y.download()[0], 2 * ramp(32)[0]);
  EXPECT_ERROR(
      scale({1, 65536, 1}, x, y, 32),
      "kernel 'scale': grid axis y is 65536; " + device().describe() +
          " allows at most 65535: put the long extent on axis x (up to 2147483647), or let "
          "each program do more");
  EXPECT_ERROR(scale({int64{1} << 31, 1, 1}, x, y, 32),
               "kernel 'scale': grid axis x is 2147483648; " + device().describe() +
                   " allows at most 2147483647: split the launch, or let each program do more");
}

TEST_P(OnDevices, AGridMayHaveMoreThan32BitsOfPrograms) {
  if (isSimulator())
    GTEST_SKIP() << "2^32 programs are for a GPU";
  Buffer<float> x = device().upload(ramp(32)), y = device().allocate<float>(32);
  scale({65536, 32768, 1}, x, y, 0);
  scale({16384, 16384, 16}, x, y, 0);
  device().synchronize();
}

TEST_P(OnDevices, AStreamRunsAfterTheUploadAndBeforeTheDownload) {
  Stream stream(device());
  for (int round = 0; round < 20; ++round) {
    Buffer<float> x = device().upload(ramp(32)), y = device().allocate<float>(32);
    scale(stream, {1}, x, y, 32);
    EXPECT_EQ(y.download()[31], 2 * ramp(32)[31]);
  }
  stream.synchronize();
}

TEST_P(OnDevices, EventsMeasureTime) {
  Buffer<float> x = device().upload(ramp(32)), y = device().allocate<float>(32);
  Stream stream = Stream::defaultOf(device());
  Event begin(device()), end(device());
  begin.record(stream);
  scale({1}, x, y, 32);
  end.record(stream);
  EXPECT_GE(Event::microseconds(begin, end), 0.0);
}

TEST_P(OnDevices, ThreadsLaunchOneKernelAtOnce) {
  auto shared = Module::load(device(), scaleImage());
  std::vector<std::thread> threads;
  std::vector<int> right(4, 0);
  for (int &count : right)
    threads.emplace_back([&] {
      Device own = device();
      for (int round = 0; round < 10; ++round) {
        Buffer<float> x = own.upload(ramp(32)), y = own.allocate<float>(32);
        LaunchArgument arguments[] = {x, y, int64{32}};
        launch(*shared, Stream::defaultOf(own), {1}, arguments);
        count += y.download()[5] == 2 * ramp(32)[5];
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(right, std::vector<int>(4, 10));
}

TEST_P(OnDevices, BoolsComeBack) {
  std::vector<bool> host{true, false, false, true};
  EXPECT_EQ(device().upload(host).download(), host);
}

TEST_P(OnDevices, PtxThatDoesNotParseIsRefusedWithKernelAndDevice) {
  KernelImage image = scaleImage();
  image.ptx.replace(image.ptx.find("add.rn.f32"), 3, "odd");
  try {
    Buffer<float> x = device().upload(ramp(32));
    auto loaded = Module::load(device(), image);
    // The software device may put an unknown instruction off until it is executed.
    LaunchArgument arguments[] = {x, x, int64{32}};
    launch(*loaded, Stream::defaultOf(device()), {1}, arguments);
    device().synchronize();
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error &error) {
    EXPECT_EQ(error.kernel(), "scale");
    EXPECT_THAT(error.what(), testing::HasSubstr("odd"));
  }
}

TEST_P(OnDevices, AnUnusedDeviceDescribesItself) {
  if (isSimulator())
    EXPECT_EQ(device().describe(), "Trowel software device (sim)");
  else
    EXPECT_EQ(device().describe(), device().name() + " (cuda:" + "0, " + device().target() + ")");
}

TEST_P(OnSimulator, AFaultIsThrownByTheNextWaitWithItsLineAndTheDeviceGoesOn) {
  Buffer<float> x = device().upload(ramp(32)), y = device().allocate<float>(16);
  scale({1}, x, y, 32);
  try {
    device().synchronize();
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error &error) {
    EXPECT_EQ(error.file(), "scale.cpp") << error.what();
    EXPECT_EQ(error.line(), 9) << error.what();
    EXPECT_EQ(error.kernel(), "scale") << error.what();
  }
  scale({1}, x, y, 16);
  EXPECT_EQ(y.download()[15], 2 * ramp(32)[15]);
}

TEST_P(OnSimulator, CountsWhatALaunchDid) {
  Buffer<float> x = device().upload(ramp(32)), y = device().allocate<float>(32);
  device().resetReport();
  scale({1}, x, y, 32);
  device().synchronize();
  Report report = device().report();
  ASSERT_EQ(report.accesses.size(), 2u);
  for (const AccessReport &access : report.accesses) {
    EXPECT_EQ(access.kernel, "scale");
    EXPECT_EQ(access.requests, 1u);
    EXPECT_EQ(access.sectors, 4u);
    EXPECT_EQ(access.bytes, 128u);
  }
}

} // namespace trowel
