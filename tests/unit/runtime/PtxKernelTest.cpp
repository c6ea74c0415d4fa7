// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels from PTX text: what they compute on each device, and what is said of text and arguments
// that do not fit. The kernel writes a number into each of the first n elements.
#include "trowel/PtxKernel.h"

#include "Expect.h"

#include "tests/support/OnEveryDevice.h"

#include <cstdio>
#include <fstream>
#include <string>

namespace trowel {
namespace {

const std::string fillPtx = R"(
// trowel: {"version": 1, "kernel": "fill", "entry": "fill", "target": "sm_80", "threads": 32,
// trowel:  "parameters": [{"argument": 0, "kind": "pointer", "type": "i32", "writes": true},
// trowel:                 {"argument": 1, "kind": "scalar", "type": "i32"}]}
.version 8.0
.target sm_80
.address_size 64
.visible .entry fill(.param .u64 .ptr .align 1 fill_param_0, .param .u32 fill_param_1)
.reqntid 32
{
  .reg .b32 %r<3>;
  .reg .b64 %rd<4>;
  ld.param.b64 %rd1, [fill_param_0];
  ld.param.b32 %r1, [fill_param_1];
  cvta.to.global.u64 %rd2, %rd1;
  mov.u32 %r2, %tid.x;
  mul.wide.u32 %rd3, %r2, 4;
  add.s64 %rd2, %rd2, %rd3;
  st.global.b32 [%rd2], %r1;
  ret;
}
)";

class PtxKernelOnDevices : public support::OnEveryDevice {};
TROWEL_ON_EVERY_DEVICE(PtxKernelOnDevices);

TEST_P(PtxKernelOnDevices, LaunchesWithoutACompiler) {
  PtxKernel fill(device(), fillPtx);
  EXPECT_EQ(fill.name(), "fill");
  EXPECT_EQ(fill.device(), device());
  Buffer<int32> y = device().allocate<int32>(32);
  fill.launch({1}, y, 7);
  EXPECT_EQ(y.download(), std::vector<int32>(32, 7));
  Stream stream(device());
  fill.launch(stream, {1}, y.devicePointer(), 8);
  stream.synchronize();
  EXPECT_EQ(y.download(), std::vector<int32>(32, 8));
}

TEST_P(PtxKernelOnDevices, MovesWithItsCode) {
  PtxKernel first(device(), fillPtx), second(std::move(first));
  Buffer<int32> y = device().allocate<int32>(32);
  second.launch({1}, y, 3);
  first = std::move(second);
  first.launch({0}, y, 4); // an empty grid
  EXPECT_EQ(y.download(), std::vector<int32>(32, 3));
  EXPECT_ERROR(second.launch({1}, y, 5),
               "this PtxKernel was moved from: use the one that it was moved to");
  EXPECT_ERROR(second.name(), "this PtxKernel was moved from: use the one that it was moved to");
}

TEST(PtxKernel, HoldsArgumentsToTheManifest) {
  Device device = Device::simulator();
  PtxKernel fill(device, fillPtx);
  Buffer<int32> y = device.allocate<int32>(32);
  const Buffer<int32> &reading = y;
  Buffer<float> floats = device.allocate<float>(32);
  EXPECT_ERROR(fill.launch({1}, y), "kernel 'fill': the kernel takes 2 arguments, 1 was given");
  EXPECT_ERROR(fill.launch({1}), "kernel 'fill': the kernel takes 2 arguments, 0 were given");
  EXPECT_ERROR(fill.launch({1}, y, int64{1}),
               "kernel 'fill': argument 1 (counted from 0) is a scalar of type i64; "
               "the kernel takes a scalar of type i32 there");
  EXPECT_ERROR(fill.launch({1}, floats, 1),
               "kernel 'fill': argument 0 (counted from 0) is a pointer to f32; the "
               "kernel takes a pointer to i32 there");
  EXPECT_ERROR(fill.launch({1}, reading, 1), "kernel 'fill': argument 0 (counted from 0) is a "
                                             "pointer to const i32, and the kernel writes through "
                                             "it; pass a pointer that is not const");
}

TEST(PtxKernel, RefusesTextThatIsNoKernel) {
  Device device = Device::simulator();
  EXPECT_ERROR(PtxKernel(device, ""), "the PTX has no manifest: no line of it begins with "
                                      "'// trowel:'; trowel-dump --stage=ptx and Kernel::ptx "
                                      "write it");
  EXPECT_ERROR(PtxKernel::fromFile(device, "no-such.ptx"),
               "cannot read 'no-such.ptx': is it a file with PTX in it?");
  EXPECT_ERROR(PtxKernel::fromFile(device, "/"), "cannot read '/': is it a file with PTX in it?");
  std::string other = fillPtx;
  other.replace(other.find("\"entry\": \"fill\""), 15, "\"entry\": \"flat\"");
  EXPECT_THROW(PtxKernel(device, other), Error);
  EXPECT_THROW(PtxKernel(device, fillPtx.substr(0, fillPtx.size() / 2)), Error);
}

TEST(PtxKernel, FromAFileIsNamedInItsErrors) {
  std::string path = testing::TempDir() + "trowel-ptx-kernel-test.ptx";
  std::ofstream(path) << fillPtx;
  EXPECT_EQ(PtxKernel::fromFile(Device::simulator(), path).name(), "fill");
  std::ofstream(path) << "nothing";
  EXPECT_ERROR(PtxKernel::fromFile(Device::simulator(), path),
               path + ": the PTX has no manifest: no line of it begins with '// trowel:'; "
                      "trowel-dump --stage=ptx and Kernel::ptx write it");
  std::remove(path.c_str());
}

} // namespace
} // namespace trowel
