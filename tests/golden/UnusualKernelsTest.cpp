// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels and launches at the edge of what is allowed, and mistakes that show only on a device.
//
// Nothing that a user writes may crash the process or leave it unusable, so each test ends with
// numbers that a right kernel has computed.
#include "tests/golden/GuardedBuffer.h"
#include "tests/support/OnEveryDevice.h"

#include <trowel/trowel.h>

#include <cmath>
#include <limits>
#include <thread>

using namespace trowel;
using namespace trowel::golden;

namespace {

class UnusualKernels : public support::OnEveryDevice {
protected:
  /// That the device still computes.
  void expectAlive() {
    GuardedBuffer<int32> y(device(), 3);
    kernel("alive", [](Ptr<int32> y) { store(y + iota(3), iota(3) * 5); }).launch({1}, y.pointer());
    EXPECT_EQ(y.download(), (std::vector<int32>{0, 5, 10}));
  }
  /// The sentence that is thrown.
  template <class Action> std::string mistakeOf(Action action) {
    try {
      action();
    } catch (const Error &error) {
      return error.text();
    }
    return "nothing was thrown";
  }
};
TROWEL_ON_EVERY_DEVICE(UnusualKernels);

TEST_P(UnusualKernels, WithoutStoresRun) {
  Buffer<float> x = device().upload({1.0f, 2.0f});
  kernel("empty", [](Ptr<float>) {}).launch({4}, x);
  kernel("loads", [](Ptr<float> x) { load(x + iota(2)) * 2.0f; }).launch({4}, x);
  kernel("loops", [](Ptr<float> x) {
    Scalar<float> sum = 0.0f;
    for (Index k : range(0, 2))
      sum += load(x + k);
    if_(sum > 0.0f, [] {}).else_([] {});
    returnIf(sum < 0.0f);
  }).launch({4}, x);
  device().synchronize();
  EXPECT_EQ(x.download(), (std::vector<float>{1, 2}));
}

TEST_P(UnusualKernels, WithoutArgumentsRunOnTheStreamsDevice) {
  Stream stream(device());
  kernel("nothing", [] {}).launch(stream, {7});
  kernel("computes", [] { iota(64) * 2; }).launch(stream, {7});
  stream.synchronize();
  expectAlive();
}

#define TEN(X, p)                                                                                  \
  X(p##0), X(p##1), X(p##2), X(p##3), X(p##4), X(p##5), X(p##6), X(p##7), X(p##8), X(p##9)
#define HUNDRED(X, p)                                                                              \
  TEN(X, p##0), TEN(X, p##1), TEN(X, p##2), TEN(X, p##3), TEN(X, p##4), TEN(X, p##5),              \
      TEN(X, p##6), TEN(X, p##7), TEN(X, p##8), TEN(X, p##9)
#define PARAMETER(p) Scalar<int32> p
#define SELF(p) p
#define COUNTED(p) (__COUNTER__ - first)

TEST_P(UnusualKernels, OfTwoHundredArgumentsGetEachInItsPlace) {
  auto body = kernel("many", [](Ptr<int32> y, HUNDRED(PARAMETER, a), HUNDRED(PARAMETER, b)) {
    Ptr<int32> place = y;
    for (const Scalar<int32> &each : {HUNDRED(SELF, a), HUNDRED(SELF, b)}) {
      store(place, each);
      place += 1;
    }
  });
  constexpr int32 first = __COUNTER__ + 1;
  GuardedBuffer<int32> y(device(), 200);
  body.launch({1}, y.pointer(), HUNDRED(COUNTED, a), HUNDRED(COUNTED, b));
  std::vector<int32> result = y.download();
  for (int i = 0; i < 200; ++i)
    ASSERT_EQ(result[i], i);
}

TEST_P(UnusualKernels, OfTilesOfOneElementStoreOnce) {
  auto body = kernel("one", [](Ptr<int32> x) {
    Tile<int32> i = iota(1);
    store(x + i, load(x + i) + 1);
    store(x + zeros<int32>({1, 1, 1, 1}), load(x + zeros<int32>({1, 1, 1, 1})) + 1);
  });
  Buffer<int32> x = device().upload({40});
  body.launch({1}, x);
  EXPECT_EQ(x.download(), std::vector<int32>{42});
}

TEST_P(UnusualKernels, RunNothingOnAnEmptyGrid) {
  auto body = kernel("fill", [](Ptr<int32> y) { store(y + iota(8), 1); });
  GuardedBuffer<int32> y(device(), 8);
  body.launch({0}, y.pointer());
  body.launch({0, 1, 1}, y.pointer());
  body.launch({1, 0, 1}, y.pointer());
  body.launch({3, 2, 0}, y.pointer());
  for (int32 value : y.download())
    EXPECT_TRUE(GuardedBuffer<int32>::isPoison(value));
  Buffer<int32> none = device().allocate<int32>(0);
  body.launch({0}, none);
  expectAlive();
}

TEST_P(UnusualKernels, ReachTheLimitOfAnAxisAndAreRefusedBeyond) {
  auto body = kernel("last", [](Ptr<int32> y) {
    if_(programId(1) == programCount(1) - 1,
        [&] { store(y, cast<int32>(programId(1) + programCount(1))); });
  });
  GuardedBuffer<int32> y(device(), 1);
  body.launch({1, 65535, 1}, y.pointer());
  EXPECT_EQ(y.download()[0], 65534 + 65535);
  EXPECT_EQ(mistakeOf([&] { body.launch({1, 65536, 1}, y.pointer()); }),
            "grid axis y is 65536; " + device().describe() +
                " allows at most 65535: put the long extent on axis x (up to 2147483647), or let "
                "each program do more");
  EXPECT_EQ(mistakeOf([&] { body.launch({std::int64_t{1} << 31}, y.pointer()); }),
            "grid axis x is 2147483648; " + device().describe() +
                " allows at most 2147483647: split the launch, or let each program do more");
  if (!isSimulator()) { // 2^31 and more programs
    body.launch({65536, 32768, 1}, y.pointer());
    EXPECT_EQ(y.download()[0], 32767 + 32768);
    body.launch({16384, 16384, 16}, y.pointer());
    EXPECT_EQ(y.download()[0], 16383 + 16384);
  }
  expectAlive();
}

TEST_P(UnusualKernels, MayBeNamedAsPtxAndLibrariesNameThings) {
  for (const char *name : {"reg",    "entry", "func",     "version", "param",  "b32",     "pred",
                           "add",    "ret",   "tid",      "main",    "printf", "vprintf", "malloc",
                           "memcpy", "expf",  "__nv_exp", "llvm",    "__",     "a_0"}) {
    auto body = kernel(name, [](Ptr<float> y) { store(y + iota(4), exp(load(y + iota(4)))); });
    Buffer<float> y = device().upload(std::vector<float>(4, 0.0f));
    body.launch({1}, y);
    EXPECT_EQ(y.download(), std::vector<float>(4, 1.0f)) << name;
  }
  auto longest = kernel(std::string(1024, 'k'), [](Ptr<float> y) { store(y, 2.0f); });
  Buffer<float> y = device().upload({0.0f});
  longest.launch({1}, y);
  EXPECT_EQ(y.download()[0], 2.0f);
}

TEST_P(UnusualKernels, OfOneNameStayApart) {
  auto add = kernel("same", [](Ptr<int32> x) { store(x, load(x) + 1); });
  auto twice = kernel("same", [](Ptr<int32> x) { store(x, load(x) * 2); });
  Buffer<int32> x = device().upload({1});
  for (int i = 0; i < 5; ++i) {
    add.launch({1}, x);
    twice.launch({1}, x);
  }
  EXPECT_EQ(x.download()[0], 94);
}

TEST_P(UnusualKernels, AreTracedByEightThreadsAtOnce) {
  // Each thread makes the same kernel anew, and a shared one is first used by all of them.
  auto make = [] {
    return kernel("shared", [](Ptr<int32> x, Index n) {
      Tile<int32> i = iota(64);
      Tile<int32> sum = zeros<int32>(64);
      for (Index k : range(0, n))
        sum += cast<int32>(k) + i;
      store(x + i, sum);
    });
  };
  auto shared = make();
  Device device = this->device();
  std::vector<int> right(8, 0);
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      for (const auto &body : {make(), shared}) {
        Buffer<int32> x = device.allocate<int32>(64);
        body.launch({1}, x, t + 1);
        std::vector<int32> result = x.download();
        for (int i = 0; i < 64; ++i)
          right[t] += result[i] == (t + 1) * i + t * (t + 1) / 2;
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(right, std::vector<int>(8, 2 * 64));
}

TEST_P(UnusualKernels, TakeNaNAndInfinityAsScalars) {
  auto body = kernel("specials", [](Ptr<double> y, Scalar<f16> h, Scalar<bf16> b, Scalar<float> f,
                                    Scalar<double> d) {
    store(y, cast<double>(h)), store(y + 1, cast<double>(b));
    store(y + 2, cast<double>(f)), store(y + 3, d);
    store(y + 4, cast<double>(cast<int32>(f))), store(y + 5, cast<double>(cast<int64>(d)));
  });
  GuardedBuffer<double> y(device(), 6);
  const float infinity = std::numeric_limits<float>::infinity();
  body.launch({1}, y.pointer(), f16(infinity), bf16(-infinity), NAN, double(-infinity));
  std::vector<double> result = y.download();
  EXPECT_EQ(result[0], infinity);
  EXPECT_EQ(result[1], -infinity);
  EXPECT_TRUE(std::isnan(result[2]));
  EXPECT_EQ(result[3], -infinity);
  EXPECT_EQ(result[4], 0);
  EXPECT_EQ(result[5], static_cast<double>(std::numeric_limits<int64>::min()));
}

TEST_P(UnusualKernels, RefuseAddressesInsideAnElement) {
  Device device = this->device();
  Buffer<int64> memory = device.upload({int64{1}, int64{2}, int64{3}});
  auto expectRefused = [&]<class T>(T) {
    auto body = kernel("write", [](Ptr<T> y) { store(y + iota(2), cast<T>(iota(2))); });
    for (std::uint64_t offset = 1; offset < sizeof(T); ++offset) {
      DevicePointer<T> inside{memory.address() + offset, device};
      std::string text = mistakeOf([&] { body.launch({1}, inside); });
      EXPECT_NE(text.find("which is not a multiple of the " + std::to_string(sizeof(T)) +
                          " bytes that the code relies on for " + name(elementType<T>) +
                          "; pass the address of a whole element"),
                std::string::npos)
          << text;
    }
  };
  expectRefused(int16{}), expectRefused(bf16()), expectRefused(float{}), expectRefused(double{});
  EXPECT_EQ(memory.download(), (std::vector<int64>{1, 2, 3}));
  expectAlive();
}

TEST_P(UnusualKernels, RefuseMemoryOfAnotherDevice) {
  if (isSimulator() && !support::testGpu().device)
    GTEST_SKIP() << "there is one device here";
  Device own = device(), other = isSimulator() ? *support::testGpu().device : Device::simulator();
  auto body = kernel("copy", [](Ptr<const int32> x, Ptr<int32> y) { store(y, load(x)); });
  Buffer<int32> x = other.upload({1}), y = own.upload({2});
  EXPECT_EQ(mistakeOf([&] { body.launch(Stream(own), {1}, x, y); }),
            "argument 0 (counted from 0) lies on " + other.describe() + ", the launch is on " +
                own.describe() + "; upload it there, or launch on a stream of its own device");
  EXPECT_EQ(y.download()[0], 2);
  expectAlive();
}

TEST_P(UnusualKernels, RefuseBuffersThatAreNoMore) {
  const std::string none = "the buffer has no device: it was default-constructed or moved from; "
                           "make it with device.allocate<T>(count) or device.upload(values)";
  auto body = kernel("write", [](Ptr<int32> y) { store(y, 1); });
  Buffer<int32> moved = device().upload({5}), unmade, taken = std::move(moved);
  EXPECT_EQ(mistakeOf([&] { body.launch({1}, moved); }), none);
  EXPECT_EQ(mistakeOf([&] { body.launch({1}, unmade); }), none);
  EXPECT_EQ(mistakeOf([&] { moved.devicePointer(); }), none);
  EXPECT_TRUE(moved.download().empty());
  EXPECT_EQ(taken.download()[0], 5);
  moved = device().upload({6});
  body.launch({1}, moved);
  EXPECT_EQ(moved.download()[0], 1);
}

TEST_P(UnusualKernels, ThatWereMovedFromAreStillThemselves) {
  // A kernel shares its trace with its copies, and a move is a copy.
  auto first = kernel("write", [](Ptr<int32> y) { store(y, load(y) + 1); });
  auto second = std::move(first);
  Buffer<int32> y = device().upload({0});
  first.launch({1}, y);
  second.launch({1}, y);
  EXPECT_EQ(y.download()[0], 2);
}

TEST_P(UnusualKernels, OfAFreedBufferAreReportedAndTheDeviceGoesOn) {
  if (!isSimulator())
    GTEST_SKIP() << "a fault in a kernel would cost the process its GPU";
  auto body = kernel("write", [](Ptr<int32> y) { store(y, 1); });
  DevicePointer<int32> freed = device().upload({1}).devicePointer();
  body.launch({1}, freed);
  std::string text = mistakeOf([&] { device().synchronize(); });
  EXPECT_NE(text.find("outside of every buffer"), std::string::npos) << text;
  EXPECT_NE(text.find("in a buffer of 4 bytes at"), std::string::npos) << text;
  EXPECT_NE(text.find("that was freed"), std::string::npos) << text;
  device().resetReport(); // it has the finding, too
  expectAlive();
}

TEST_P(UnusualKernels, PassTheExceptionsOfTheirLambda) {
  struct Own {
    int number;
  };
  bool isBad = true;
  auto body = kernel("moody", [&isBad](Ptr<int32> y, Index n) {
    for (Index k : range(0, n))
      if_(k > 0, [&] {
        if (isBad)
          throw Own{7};
        store(y + k, 1);
      });
  });
  GuardedBuffer<int32> y(device(), 3);
  for (int i = 0; i < 2; ++i)
    try {
      body.launch({1}, y.pointer(), 3);
      ADD_FAILURE() << "nothing was thrown";
    } catch (const Own &own) {
      EXPECT_EQ(own.number, 7);
    }
  isBad = false;
  body.launch({1}, y.pointer(), 3);
  std::vector<int32> result = y.download();
  EXPECT_TRUE(GuardedBuffer<int32>::isPoison(result[0]));
  EXPECT_EQ(result[1] + result[2], 2);
}

TEST_P(UnusualKernels, UnrollLoopsOfTheHost) {
  // Many operations of which few are alive at a time.
  const int count = 500;
  auto body = kernel("unrolled", [](Ptr<int32> x) {
    Tile<int32> v = load(x + iota(64));
    for (int k = 0; k < count; ++k)
      v = (v ^ k) + iota(64);
    store(x + iota(64), v);
  });
  std::vector<int32> host(64);
  for (int i = 0; i < 64; ++i)
    host[i] = 3 * i;
  Buffer<int32> x = device().upload(host);
  body.launch({1}, x);
  for (int i = 0; i < 64; ++i)
    for (int k = 0; k < count; ++k)
      host[i] = static_cast<int32>((static_cast<uint32>(host[i]) ^ static_cast<uint32>(k)) +
                                   static_cast<uint32>(i));
  EXPECT_EQ(x.download(), host);
}

/// Calls itself, so that loops and branches nest to a depth that nobody writes by hand.
void nest(int depth, Ptr<int32> y) {
  if (depth == 0) {
    store(y, load(y) + 1);
    return;
  }
  Scalar<int32> once = 1;
  switch (depth % 3) {
  case 0:
    for ([[maybe_unused]] Index k : range(0, 1))
      nest(depth - 1, y);
    return;
  case 1:
    if_(programId(0) > 0, [] {}).else_([&] { nest(depth - 1, y); });
    return;
  default:
    while_([&] { return once > 0; },
           [&] {
             nest(depth - 1, y);
             once -= 1;
           });
  }
}

TEST_P(UnusualKernels, NestToTheLimitAndAreRefusedBeyond) {
  auto nested = [](int depth) { return kernel("nested", [=](Ptr<int32> y) { nest(depth, y); }); };
  Buffer<int32> y = device().upload({0});
  nested(128).launch({1}, y);
  EXPECT_EQ(y.download()[0], 1);
  for (int depth : {129, 130, 131, 1000})
    EXPECT_NE(mistakeOf([&] {
                nested(depth).launch({1}, y);
              }).find("it stands inside 128 loops and branches, and a kernel nests at most 128"),
              std::string::npos);
  EXPECT_EQ(y.download()[0], 1);
  expectAlive();
}

} // namespace
