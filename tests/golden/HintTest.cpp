// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Promises: results are those without them, accesses are as wide as they allow, and one that does
// not hold is found by the software device at its line. Cache hints: results are those without.
#include "tests/golden/GuardedBuffer.h"
#include "tests/support/OnEveryDevice.h"

#include <trowel/trowel.h>

#include <numeric>

using namespace trowel;
using namespace trowel::golden;

namespace {

class Hints : public support::OnEveryDevice {};
TROWEL_ON_EVERY_DEVICE(Hints);

/// The bytes that one thread moves in the widest global access of a kernel.
int widestAccess(const std::string &ptx) {
  const std::pair<const char *, int> forms[] = {{".v4.b32", 16}, {".v2.b64", 16}, {".v2.b32", 8},
                                                {".b64", 8},     {".b32", 4},     {".b16", 2}};
  for (auto [form, bytes] : forms)
    for (std::string access : {"ld.global", "st.global"})
      for (std::size_t at = ptx.find(access); at != std::string::npos;
           at = ptx.find(access, at + 1))
        if (ptx.substr(at, ptx.find(' ', at) - at).ends_with(form))
          return bytes;
  return 1;
}

/// Rows that begin where a table says, as ragged batches have them.
auto raggedRows(bool promised) {
  return kernel("ragged", [=](Ptr<const float> x, Ptr<const int64> starts, Ptr<float> y) {
    Index start = load(starts + programId(0)), length = load(starts + programId(0) + 1) - start;
    if (promised) {
      start = multipleOf(start, 4);
      assume(length % 4 == 0 && 0 <= length && length <= 128);
    }
    Tile<int32> i = iota(128);
    Tile<bool> inside = i < length;
    store(y + start + i, 2.0f * load(x + start + i, inside), inside);
  });
}

TEST_P(Hints, WidenAccessesThroughLoadedOffsets) {
  std::vector<int64> starts = {0, 128, 132, 132, 200, 328};
  std::vector<float> host(328);
  std::iota(host.begin(), host.end(), 1.0f);
  for (bool promised : {false, true}) {
    auto rows = raggedRows(promised);
    EXPECT_EQ(widestAccess(rows.ptx("sm_80")) >= 16, promised);
    Buffer<float> x = device().upload(host);
    Buffer<int64> s = device().upload(starts);
    GuardedBuffer<float> y(device(), host.size());
    rows.launch({5}, x, s, y.pointer());
    std::vector<float> result = y.download();
    for (std::size_t i = 0; i < host.size(); ++i)
      ASSERT_EQ(result[i], 2 * host[i]) << i;
  }
}

TEST_P(Hints, OfEachKindLeaveTheValueAsItIs) {
  auto check = [&]<class T>(T) {
    auto body = kernel("kinds", [](Ptr<const T> x, Ptr<T> y, Scalar<T> s, Index n) {
      Tile<int32> i = iota(20);
      Tile<T> v = multipleOf(load(multipleOf(x, sizeof(T)) + i), 2);
      Tile<Ptr<T>> to = multipleOf(y + i, sizeof(T));
      assume(s <= 100 && n == 20);
      store(to, v + multipleOf(s, 4) + cast<T>(multipleOf(n, 20)));
    });
    std::vector<T> host;
    for (int i = 0; i < 20; ++i)
      host.push_back(static_cast<T>(2 * i));
    Buffer<T> x = device().upload(host);
    GuardedBuffer<T> y(device(), 20);
    body.launch({1}, x, y.pointer(), T(8), 20);
    std::vector<T> result = y.download();
    for (int i = 0; i < 20; ++i)
      ASSERT_EQ(static_cast<int64>(result[i]), 2 * i + 28) << name(elementType<T>);
  };
  check(int8{}), check(uint8{}), check(int16{}), check(uint16{});
  check(int32{}), check(uint32{}), check(int64{}), check(uint64{});
}

TEST_P(Hints, InLoopsAndBranchesHoldThere) {
  auto body = kernel("nested", [](Ptr<int64> y, Index n) {
    Index total = 0;
    for (Index k : range(0, n, 8)) {
      assume(k % 8 == 0);
      if_(k > 16, [&] {
        assume(k >= 24);
        total += k / 8;
      }).else_([&] { total -= 1; });
    }
    returnIf(total % 2 != 0);
    assume(total % 2 == 0);
    store(y, total);
  });
  GuardedBuffer<int64> y(device(), 1);
  body.launch({1}, y.pointer(), 48); // 3 + 4 + 5 − 3 = 9: odd
  EXPECT_TRUE(GuardedBuffer<int64>::isPoison(y.download()[0]));
  body.launch({1}, y.pointer(), 56);
  EXPECT_TRUE(GuardedBuffer<int64>::isPoison(y.download()[0])); // 15
  body.launch({1}, y.pointer(), 40);
  EXPECT_EQ(y.download()[0], 4); // 3 + 4 − 3
}

TEST_P(Hints, OfElementsSayNothingOfPadding) {
  // The 4th element of 3 would be 5.
  auto body = kernel("padding", [](Ptr<int32> y) {
    Tile<int32> i = iota(3);
    store(y + i, multipleOf(where(i < 3, i * 16, 5), 16));
  });
  GuardedBuffer<int32> y(device(), 3);
  body.launch({1}, y.pointer());
  EXPECT_EQ(y.download(), (std::vector<int32>{0, 16, 32}));
}

TEST_P(Hints, ThatContradictOrSayNothingAreHarmless) {
  auto body = kernel("odd", [](Ptr<int64> y, Index n, Scalar<float> f) {
    Tile<int32> i = iota(64);
    if_(n < 0, [&] { // never here
      assume(n > 5);
      assume(n < -5 && n > 1000);
      assume(n % 7 == 3 && n == 4);
      assume(n != n);
      store(y + multipleOf(n, 16) + i, cast<int64>(multipleOf(i, 1 << 20)));
    });
    assume(f == f || n > 0);
    assume(true);
    assume(n > -1 && n < INT64_MAX && n % 1 == 0);
    assume(n <= 0x7fffffffffffffff);
    Index m = multipleOf(multipleOf(multipleOf(n, 1), 3), INT64_MAX);
    assume(Index(5) < Index(6));
    Scalar<uint8> small = cast<uint8>(n);
    assume(small < 200 && cast<int32>(small) >= 0);
    store(y + i, m + i + cast<int64>(small), i < n);
  });
  GuardedBuffer<int64> y(device(), 9);
  body.launch({1}, y.pointer(), 9, NAN);
  std::vector<int64> result = y.download();
  for (int i = 0; i < 9; ++i)
    EXPECT_EQ(result[i], 18 + i);
}

TEST_P(Hints, ForCachesChangeNoResult) {
  const int n = 1000;
  std::vector<int32> host(n);
  std::iota(host.begin(), host.end(), 0);
  auto check = [&]<class T>(T, Access forLoad, Access forStore) {
    for (bool masked : {false, true}) {
      auto body = kernel("cached", [=](Ptr<const T> x, Ptr<T> y, Scalar<int32> count) {
        Tile<int32> i = iota(1024);
        if (masked) {
          Tile<bool> inside = i < count;
          store(y + i, load(x + i, inside, 7, forLoad), inside, forStore);
        } else {
          store(y + i % 8, load(x + i % 8, forLoad), forStore);
        }
        // A scalar, too.
        store(y, load(x, forLoad), forStore);
      });
      std::vector<T> typed(host.begin(), host.end());
      Buffer<T> x = device().upload(typed);
      GuardedBuffer<T> y(device(), n);
      body.launch({1}, x, y.pointer(), n);
      std::vector<T> result = y.download();
      for (int i = 0; i < (masked ? n : 8); ++i)
        ASSERT_EQ(result[i], typed[i]) << name(elementType<T>) << ' ' << i;
    }
  };
  const Access loads[] = {{.cache = Cache::global},    {.cache = Cache::streaming},
                          {.evict = Evict::unchanged}, {.evict = Evict::first},
                          {.evict = Evict::last},      {.evict = Evict::noAllocate}};
  const Access stores[] = {{.cache = Cache::writeThrough}, {.cache = Cache::streaming},
                           {.evict = Evict::unchanged},    {.evict = Evict::first},
                           {.evict = Evict::last},         {.cache = Cache::global}};
  for (int i = 0; i < 6; ++i) {
    check(int8{}, loads[i], stores[i]);
    check(int16{}, loads[i], stores[i]);
    check(int32{}, loads[i], stores[i]);
    check(int64{}, loads[i], stores[i]);
  }
}

TEST(CacheHints, StandInTheInstruction) {
  auto body = kernel("cached", [](Ptr<const float> x, Ptr<float> y, Index n) {
    Tile<int32> i = iota(1024);
    store(y + i, load(x + i, i < n, Access{.cache = Cache::streaming}), i < n,
          Access{.evict = Evict::first});
  });
  for (const char *target : {"sm_80", "sm_86", "sm_90a"}) {
    std::string ptx = body.ptx(target);
    EXPECT_NE(ptx.find("ld.global.cs.v4.b32"), std::string::npos) << ptx;
    EXPECT_NE(ptx.find("st.global.L1::evict_first.v4.b32"), std::string::npos) << ptx;
    // Eviction priorities are of PTX 7.4, above the least version of these targets.
    EXPECT_EQ(ptx.find(".version 7.0"), std::string::npos) << ptx;
    EXPECT_EQ(ptx.find(".version 7.1"), std::string::npos) << ptx;
  }
}

TEST(PromisesInLoops, KeepNoLoadFromLeavingTheLoop) {
  auto body = kernel("loop", [](Ptr<const float> x, Ptr<float> y, Index n) {
    Scalar<float> sum = 0.0f;
    for (Index k : range(0, n, 4)) {
      assume(k % 4 == 0);
      sum += load(x) * cast<float>(multipleOf(k, 4));
    }
    store(y, sum);
  });
  std::string ptx = body.ptx("sm_80");
  EXPECT_LT(ptx.find("ld.global"), ptx.find("//@sim promise")) << ptx;
}

// What does not hold: only the software device looks.

/// The sentence and the line of what the software device finds in a kernel of one argument.
template <class Kernel> Error findingOf(Kernel &body, int64 argument) {
  Device device = Device::simulator();
  Buffer<int64> y = device.allocate<int64>(1024);
  Error error("nothing was found");
  try {
    body.launch({1}, y, argument);
    device.synchronize();
  } catch (const Error &thrown) {
    error = thrown;
  }
  device.resetReport();
  return error;
}

TEST(BrokenPromises, AreFoundAtTheirLine) {
  int line = __LINE__ + 2;
  auto multiple = kernel("multiple", [](Ptr<int64> y, Index n) {
    Index m = multipleOf(n, 16);
    store(y + iota(8), m + iota(8));
  });
  Error error = findingOf(multiple, 24);
  EXPECT_EQ(error.line(), line) << error.what();
  EXPECT_NE(error.text().find("24 is not a multiple of 16"), std::string::npos) << error.what();
  EXPECT_EQ(findingOf(multiple, 48).text(), "nothing was found");

  line = __LINE__ + 2;
  auto condition = kernel("condition", [](Ptr<int64> y, Index n) {
    assume(n % 16 == 0 && n < 1024);
    store(y + iota(8), n + iota(8));
  });
  for (int64 n : {int64{8}, int64{2048}, int64{1} << 40}) {
    error = findingOf(condition, n);
    EXPECT_EQ(error.line(), line) << error.what();
    EXPECT_NE(error.text().find("the condition is false"), std::string::npos) << error.what();
  }
  EXPECT_EQ(findingOf(condition, 1008).text(), "nothing was found");
}

TEST(BrokenPromises, AreFoundInTilesAndPointers) {
  auto tile = kernel(
      "tile", [](Ptr<int64> y, Index n) { store(y + iota(64), multipleOf(iota(64) * n, 4)); });
  Error error = findingOf(tile, 6);
  EXPECT_NE(error.text().find("6 is not a multiple of 4"), std::string::npos) << error.what();
  EXPECT_EQ(findingOf(tile, 8).text(), "nothing was found");

  auto pointer = kernel("pointer", [](Ptr<int64> y, Index n) {
    store(multipleOf(y + n, 16) + iota(64), cast<int64>(iota(64)));
  });
  error = findingOf(pointer, 1);
  EXPECT_NE(error.text().find("is not a multiple of 16"), std::string::npos) << error.what();
  EXPECT_EQ(findingOf(pointer, 2).text(), "nothing was found");
}

/// PTX without its checks, as a GPU executes it.
std::string withoutChecks(std::string ptx) {
  for (std::size_t at; (at = ptx.find("//@sim")) != std::string::npos;)
    ptx.erase(at, ptx.find('\n', at) - at);
  return ptx;
}

TEST_P(Hints, ThatAreBrokenTouchNothingThatAMaskKeepsOut) {
  auto masked = kernel("masked", [](Ptr<int32> y, Index n) {
    assume(n % 4 == 0 && 0 <= n && n < 1000);
    Tile<int32> i = iota(256);
    Ptr<int32> aligned = multipleOf(y, 16);
    store(aligned + i, load(aligned + i, i < n, 5) + i, i < n);
  });
  std::string ptx = masked.ptx("sm_80", Assume::Nothing);
  EXPECT_EQ(widestAccess(ptx), 16) << ptx;
  EXPECT_EQ(ptx.find("PARTS"), std::string::npos) << "the promise makes a second way superfluous";
  PtxKernel kernel(device(), withoutChecks(ptx));
  for (int64 n : {0, 4, 5, 6, 7, 8, 255, 256}) {
    std::vector<int32> host(256, 0);
    Buffer<int32> all = device().upload(host);
    kernel.launch({1}, all, n);
    std::vector<int32> result = all.download();
    // Elements that would move with others that the mask keeps out stay as they are.
    for (int i = 0; i < 256; ++i)
      ASSERT_EQ(result[i], i < n / 4 * 4 ? i : 0) << i << " of " << n;
  }
}

TEST_P(Hints, ThatAreBrokenGiveNumbersModulo32BitsNotMore) {
  auto narrow = kernel("narrow", [](Ptr<int64> y, Ptr<const int64> x) {
    Index n = load(x), m = load(x + 1);
    assume(0 <= n && n < 1000);
    assume(0 <= m && m < 1000);
    store(y, n * m + 7);
    store(y + 1, n + m);
  });
  PtxKernel kernel(device(), withoutChecks(narrow.ptx("sm_80", Assume::Nothing)));
  const int64 big = (int64{1} << 40) + 3;
  for (auto [a, b] : {std::pair<int64, int64>{999, 999}, {big, 5}, {2000000000, 2000000000}}) {
    Buffer<int64> x = device().upload({a, b});
    GuardedBuffer<int64> y(device(), 2);
    kernel.launch({1}, y.pointer(), x);
    std::vector<int64> result = y.download();
    EXPECT_EQ(static_cast<uint32>(result[0]), static_cast<uint32>(a * b + 7));
    EXPECT_EQ(static_cast<uint32>(result[1]), static_cast<uint32>(a + b));
  }
}

} // namespace
