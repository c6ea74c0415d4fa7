// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PTX of users: each element type in and out, shapes, effects, and the line of what is wrong.
#include "tests/golden/GuardedBuffer.h"
#include "tests/support/OnEveryDevice.h"

#include <trowel/trowel.h>

using namespace trowel;
using namespace trowel::golden;

namespace {

class InlinePtx : public support::OnEveryDevice {};
TROWEL_ON_EVERY_DEVICE(InlinePtx);

/// Applies `text` of two operands to the elements i and 2i + 1 of 100.
template <class T, class Expected>
void expectResults(const Device &device, const char *text, Expected expected) {
  for (Purity purity : {Purity::Pure, Purity::MayHaveEffects}) {
    auto body = kernel("apply", [=](Ptr<const T> x, Ptr<T> y) {
      Tile<int32> i = iota(100);
      store(y + i, inlinePtx<T>({text, purity}, load(x + i), load(x + 2 * i + 1)));
    });
    std::vector<T> host;
    for (int i = 0; i < 200; ++i)
      host.push_back(static_cast<T>(i % 50 - 20));
    Buffer<T> x = device.upload(host);
    GuardedBuffer<T> y(device, 100);
    body.launch({1}, x, y.pointer());
    std::vector<T> result = y.download();
    for (int i = 0; i < 100; ++i)
      ASSERT_EQ(static_cast<double>(result[i]),
                static_cast<double>(expected(host[i], host[2 * i + 1])))
          << name(elementType<T>) << ' ' << i;
  }
}

TEST_P(InlinePtx, TakesAndGivesEachType) {
  auto sum = [](auto a, auto b) { return static_cast<decltype(a)>(a + b); };
  expectResults<int8>(device(), "add.s16 $0, $1, $2;", sum);
  expectResults<uint8>(device(), "add.u16 $0, $1, $2;", sum);
  expectResults<int8>(device(), "max.s16 $0, $1, $2;",
                      [](int8 a, int8 b) { return std::max(a, b); });
  expectResults<uint8>(device(), "max.s16 $0, $1, $2;",
                       [](uint8 a, uint8 b) { return std::max(a, b); });
  expectResults<int16>(device(), "add.s16 $0, $1, $2;", sum);
  expectResults<uint16>(device(), "add.u16 $0, $1, $2;", sum);
  expectResults<int32>(device(), "add.s32 $0, $1, $2;", sum);
  expectResults<uint32>(device(), "mad.lo.u32 $0, $1, 3, $2;",
                        [](uint32 a, uint32 b) { return 3 * a + b; });
  expectResults<int64>(device(), "sub.s64 $0, $1, $2;", [](int64 a, int64 b) { return a - b; });
  expectResults<uint64>(device(), "xor.b64 $0, $1, $2;", [](uint64 a, uint64 b) { return a ^ b; });
  expectResults<f16>(device(), "fma.rn.f16 $0, $1, $2, $1;", [](f16 a, f16 b) {
    return static_cast<float>(a) * static_cast<float>(b) + static_cast<float>(a);
  });
  expectResults<bf16>(device(), "fma.rn.bf16 $0, $1, $2, $2;", [](bf16 a, bf16 b) {
    return static_cast<float>(
        bf16(static_cast<float>(a) * static_cast<float>(b) + static_cast<float>(b)));
  });
  expectResults<float>(device(), "mul.rn.f32 $0, $1, $2;", [](float a, float b) { return a * b; });
  expectResults<double>(device(), "add.rn.f64 $0, $1, $2;",
                        [](double a, double b) { return a + b; });
}

TEST_P(InlinePtx, TakesAndGivesBools) {
  auto body = kernel("bools", [](Ptr<int32> y) {
    Tile<int32> i = iota(64);
    Tile<bool> odd = inlinePtx<bool>({"{ .reg .b32 low; and.b32 low, $1, 1;\n"
                                      "setp.ne.u32 $0, low, 0; }",
                                      Purity::Pure},
                                     i);
    store(y + i, inlinePtx<int32>({"selp.b32 $0, 100, $1, $2;", Purity::Pure}, i, odd));
  });
  GuardedBuffer<int32> y(device(), 64);
  body.launch({1}, y.pointer());
  std::vector<int32> result = y.download();
  for (int i = 0; i < 64; ++i)
    EXPECT_EQ(result[i], i % 2 ? 100 : i);
}

TEST_P(InlinePtx, MayBranchAndDeclare) {
  // The number of steps of a division by subtraction.
  auto body = kernel("loops", [](Ptr<int32> y) {
    Tile<int32> i = iota(96);
    Tile<int32> steps = inlinePtx<int32>({R"(
        .reg .b32 rest;   // a comment; with a semicolon
        .reg .pred less, p<2>;
        mov.b32 $0, 0;
        mov.b32 rest, $1;
      again:
        setp.lt.s32 less, rest, $2;
        @less bra done;
        sub.s32 rest, rest, $2;  /* one
                                    step */
        add.s32 $0, $0, 1;
        bra.uni again;
      done:
        setp.eq.s32 p1, $0, -1;
        @p1 mov.b32 $0, 7;)",
                                          Purity::Pure},
                                         i, i % 5 + 1);
    store(y + i, steps);
  });
  GuardedBuffer<int32> y(device(), 96);
  body.launch({1}, y.pointer());
  std::vector<int32> result = y.download();
  for (int i = 0; i < 96; ++i)
    EXPECT_EQ(result[i], i / (i % 5 + 1));
}

TEST_P(InlinePtx, BroadcastsItsOperands) {
  auto body = kernel("broadcast", [](Ptr<int32> y, Scalar<int32> s, Index n) {
    Tile<int32> row = expand(iota(8), Axis{1}), column = expand(iota(16), Axis{0});
    Ptx madd = {"mad.lo.s32 $0, $1, $2, $3;", Purity::Pure};
    store(y + row * 16 + column, inlinePtx<int32>(madd, row, s, column));
    // Of scalars alone it is a scalar; of nothing as well.
    Scalar<int64> wide = inlinePtx<int64>({"add.s64 $0, $1, 1;", Purity::Pure}, n);
    store(y + 128, cast<int32>(wide));
    store(y + 129, inlinePtx<int32>("mov.b32 $0, 0x10;"));
    store(y + 130, inlinePtx<int32>({"mov.u32 $0, %ctaid.x;", Purity::Pure}));
  });
  GuardedBuffer<int32> y(device(), 131);
  body.launch({1}, y.pointer(), 100, 41);
  std::vector<int32> result = y.download();
  for (int i = 0; i < 128; ++i)
    EXPECT_EQ(result[i], i / 16 * 100 + i % 16);
  EXPECT_EQ(result[128], 42);
  EXPECT_EQ(result[129], 16);
  EXPECT_EQ(result[130], 0);
}

std::size_t countOf(const std::string &what, const std::string &text) {
  std::size_t count = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1))
    ++count;
  return count;
}

TEST(InlinePtxPurity, DecidesWhetherATextMayVanishOrMerge) {
  auto sleeps = [](Purity purity) {
    auto body = kernel("sleeps", [=](Ptr<int32> y, Scalar<int32> n) {
      Ptx text = {"nanosleep.u32 0; mov.b32 $0, $1;", purity};
      inlinePtx<int32>(text, n);
      inlinePtx<int32>(text, iota(32));
      store(y, inlinePtx<int32>(text, n) + inlinePtx<int32>(text, n));
      store(y + 1, inlinePtx<int32>(text, n));
    });
    return countOf("nanosleep", body.ptx("sm_80"));
  };
  EXPECT_EQ(sleeps(Purity::Pure), 1u);
  EXPECT_EQ(sleeps(Purity::MayHaveEffects), 5u);
}

TEST(InlinePtxPurity, KeepsATextInItsBranch) {
  auto body = kernel("branch", [](Ptr<int32> y, Scalar<int32> n) {
    if_(n > 3, [&] { store(y, inlinePtx<int32>("nanosleep.u32 0; mov.b32 $0, $1;", n)); });
  });
  std::string ptx = body.ptx("sm_80");
  EXPECT_LT(ptx.find("bra"), ptx.find("nanosleep")) << ptx;
}

TEST_P(InlinePtx, OfAnyKindIsRefusedOrRunsOrIsReported) {
  // Texts drawn from parts that go together now and then. Nothing else than an Error may come out.
  if (!isSimulator())
    GTEST_SKIP() << "a GPU's driver takes long to assemble";
  const char *statements[] = {"add.s32 $0, $1, 1;",
                              "mov.b32 $0, $1;",
                              "{ .reg .b32 t; mov.b32 t, $1; mov.b32 $0, t; }",
                              ".reg .pred p; setp.eq.s32 p, $1, 3;",
                              "@p add.s32 $0, $0, 1;",
                              "mul.wide.s32 $0, $1, $1;",
                              "mov.b64 $0, {$1, $1};",
                              "cvt.rn.f32.s32 $0, $1;",
                              "frobnicate.s32 $0, $1;",
                              "add.s32 $0, $1;",
                              "add.s32.s32 $0, $1, $1",
                              "mov.b32 $0, 0f3F80;",
                              "mov.u32 $0, %smid;",
                              "bfind.u32 $0, $1;",
                              "@!p bra l; l:",
                              "mov.b32 $0, 99999999999999999999;",
                              "mov.b32 {$0, _}, $1;",
                              "}",
                              "setp.lt.and.s32 p|_, $1, 3, !p;",
                              "lop3.b32 $0, $1, $1, $1, 0x96;"};
  Device device = this->device();
  Buffer<int32> y = device.allocate<int32>(32);
  unsigned state = 1;
  auto draw = [&](unsigned below) {
    return (state = state * 1664525 + 1013904223) / 65536 % below;
  };
  int ran = 0;
  for (int round = 0; round < 150; ++round) {
    std::string text;
    for (unsigned i = 0; i <= draw(3); ++i)
      text += statements[draw(std::size(statements))];
    int line = __LINE__ + 4;
    try {
      auto body = kernel("any", [&](Ptr<int32> y) {
        Tile<int32> i = iota(32);
        store(y + i, inlinePtx<int32>(text.c_str(), i));
      });
      body.launch({1}, y);
      device.synchronize();
      ++ran;
    } catch (const Error &error) {
      EXPECT_EQ(error.line(), line) << text << ": " << error.what();
    }
  }
  EXPECT_GT(ran, 10);
  device.resetReport();
}

// What the assembler refuses, and what the software device does not know.

TEST_P(InlinePtx, ThatNoAssemblerTakesIsReportedAtItsLine) {
  int line = __LINE__ + 2;
  auto body = kernel("wrong", [](Ptr<int32> y) {
    store(y + iota(32), inlinePtx<int32>({"add.s64 $0, $1, $1;", Purity::Pure}, iota(32)));
  });
  GuardedBuffer<int32> y(device(), 32);
  try {
    body.launch({1}, y.pointer());
    FAIL() << "nothing was thrown";
  } catch (const Error &error) {
    EXPECT_EQ(error.line(), line) << error.what();
    EXPECT_NE(error.file().find("InlinePtxTest.cpp"), std::string::npos) << error.what();
    EXPECT_EQ(error.kernel(), "wrong");
    EXPECT_NE(error.text().find("load the kernel"), std::string::npos) << error.what();
  }
  kernel("right", [](Ptr<int32> y) { store(y + iota(32), 1); }).launch({1}, y.pointer());
  EXPECT_EQ(y.download(), std::vector<int32>(32, 1));
}

TEST(InlinePtxOnTheSoftwareDevice, ThatIsUnknownToItIsReportedAtItsLine) {
  int line = __LINE__ + 2;
  auto body = kernel("unknown", [](Ptr<int32> y) {
    store(y + iota(32), inlinePtx<int32>({"vadd.s32.s32.s32 $0, $1, $1;", Purity::Pure}, iota(32)));
  });
  Device device = Device::simulator();
  GuardedBuffer<int32> y(device, 32);
  try {
    body.launch({1}, y.pointer());
    device.synchronize();
    FAIL() << "nothing was thrown";
  } catch (const Error &error) {
    EXPECT_EQ(error.line(), line) << error.what();
    EXPECT_NE(error.text().find("vadd"), std::string::npos) << error.what();
  }
  device.resetReport();
}

} // namespace
