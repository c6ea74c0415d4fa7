// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels without their types: what they say of themselves, and which arguments they take.
// Everything runs on the software device.
#include <trowel/trowel.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace trowel {
namespace {

auto scale() {
  return kernel("scale", [](Ptr<const float> x, Ptr<float> y, Scalar<int8> shift, Index n) {
    Tile<int32> i = iota(64);
    Tile<bool> inside = i < n;
    store(y + i, load(x + i, inside) * cast<float>(Scalar<int32>(cast<int32>(shift))), inside);
  });
}

class AnyKernels : public testing::Test {
protected:
  Device device = Device::simulator();
  Buffer<float> x = device.upload(std::vector<float>(64, 2.0f)), y = device.allocate<float>(64);
  AnyKernel any = scale();

  std::string refusal(std::initializer_list<LaunchArgument> arguments) {
    try {
      any.launch({1}, arguments);
      return "nothing was thrown";
    } catch (const Error &error) {
      EXPECT_EQ(error.kernel(), "scale");
      return error.text();
    }
  }
};

TEST_F(AnyKernels, SayWhatTheyTake) {
  using Kind = KernelParameter::Kind;
  EXPECT_EQ(any.name(), "scale");
  std::span<const KernelParameter> parameters = any.parameters();
  ASSERT_EQ(parameters.size(), 4u);
  EXPECT_EQ(parameters[0].kind, Kind::Pointer);
  EXPECT_EQ(parameters[0].type, ElementType::Float32);
  EXPECT_TRUE(parameters[0].readOnly);
  EXPECT_FALSE(parameters[1].readOnly);
  EXPECT_EQ(parameters[2].kind, Kind::Scalar);
  EXPECT_EQ(parameters[2].type, ElementType::Int8);
  EXPECT_EQ(parameters[3].kind, Kind::Index);
  EXPECT_TRUE(AnyKernel(kernel("idle", [] {})).parameters().empty());
}

TEST_F(AnyKernels, TakeIntegersOfEveryTypeThatHoldTheirValue) {
  const Buffer<float> &reading = x;
  any.launch({1}, {reading, y, int8{3}, int64{64}});
  EXPECT_EQ(y.download()[63], 6.0f);
  any.launch({1}, {x, y, -128, 64});
  EXPECT_EQ(y.download()[63], -256.0f);
  any.launch({1}, {x, y, uint64{127}, uint8{63}});
  EXPECT_EQ(y.download()[62], 254.0f);
  EXPECT_EQ(y.download()[63], -256.0f);
  std::vector<LaunchArgument> list{x.span(), y.devicePointer(), 1u, 64ll};
  any.launch(Stream::defaultOf(device), {1}, list);
  EXPECT_EQ(y.download()[63], 2.0f);
}

TEST_F(AnyKernels, RefuseIntegersThatAParameterDoesNotHold) {
  EXPECT_EQ(refusal({x, y, 128, 64}), "argument 2 (counted from 0) is 128; the kernel takes a "
                                      "scalar of type i8 there, which holds -128 to 127");
  EXPECT_EQ(refusal({x, y, -129, 64}), "argument 2 (counted from 0) is -129; the kernel takes a "
                                       "scalar of type i8 there, which holds -128 to 127");
  EXPECT_EQ(refusal({x, y, 1, uint64{1} << 63}),
            "argument 3 (counted from 0) is 9223372036854775808; the kernel takes an Index there, "
            "which holds "
            "-9223372036854775808 to 9223372036854775807");
}

TEST_F(AnyKernels, TakeUnsignedIntegersOverTheirWholeRange) {
  auto k = kernel("store", [](Ptr<uint32> y, Scalar<uint32> a, Scalar<uint64> b) {
    store(y, a);
    store(y + 1, cast<uint32>(b >> 32));
  });
  Buffer<uint32> out = device.allocate<uint32>(2);
  AnyKernel(k).launch({1}, {out, int64{0xffffffff}, ~uint64{0}});
  EXPECT_THAT(out.download(), testing::ElementsAre(0xffffffffu, 0xffffffffu));
  EXPECT_THROW(AnyKernel(k).launch({1}, {out, -1, 1}), Error);
  EXPECT_THROW(AnyKernel(k).launch({1}, {out, int64{1} << 32, 1}), Error);
  EXPECT_THROW(AnyKernel(k).launch({1}, {out, 1, -1}), Error);
}

TEST_F(AnyKernels, RefuseAWrongNumberOfArguments) {
  EXPECT_EQ(refusal({x, y, 1}), "the kernel takes 4 arguments, 3 were given");
  EXPECT_EQ(refusal({}), "the kernel takes 4 arguments, 0 were given");
}

TEST_F(AnyKernels, RefuseArgumentsOfAnotherKind) {
  Buffer<int32> integers = device.allocate<int32>(64);
  const Buffer<float> &reading = y;
  EXPECT_EQ(refusal({1.0f, y, 1, 64}), "argument 0 (counted from 0) is a scalar of type f32; the "
                                       "kernel takes a pointer to const f32 there");
  EXPECT_EQ(
      refusal({x, integers, 1, 64}),
      "argument 1 (counted from 0) is a pointer to i32; the kernel takes a pointer to f32 there");
  EXPECT_EQ(refusal({x, reading, 1, 64}),
            "argument 1 (counted from 0) is a pointer to const f32, and the kernel takes a pointer "
            "to f32 there, "
            "through which it may write; pass a buffer or pointer that is not const");
  EXPECT_EQ(refusal({x, y, true, 64}), "argument 2 (counted from 0) is a scalar of type bool; the "
                                       "kernel takes a scalar of type i8 there");
  EXPECT_EQ(refusal({x, y, 1, 64.0}),
            "argument 3 (counted from 0) is a scalar of type f64; the kernel takes an Index there");
  EXPECT_EQ(refusal({x, y, 1, x}),
            "argument 3 (counted from 0) is a pointer to f32; the kernel takes an Index there");
}

TEST_F(AnyKernels, KeepTheTraceOfTheKernelThatTheyWereMadeFrom) {
  int traces = 0;
  std::vector<AnyKernel> list;
  {
    auto k = kernel("counted", [&](Ptr<float> y) {
      ++traces;
      store(y, 5.0f);
    });
    k.launch({1}, y);
    list.push_back(k);
  }
  list[0].launch({1}, {x});
  EXPECT_EQ(x.download()[0], 5.0f);
  EXPECT_EQ(traces, 1);
}

TEST_F(AnyKernels, ShowTheirStages) {
  EXPECT_EQ(any.ptx("sm_80"), scale().ptx("sm_80"));
  EXPECT_NE(any.stage("tile", "sm_80").find("tile.load"), std::string::npos);
  EXPECT_NE(any.layouts("sm_80").find("load"), std::string::npos);
}

} // namespace
} // namespace trowel
