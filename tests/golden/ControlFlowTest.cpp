// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops, branches and early returns do on the device what their C++ says.
//
// The expectation of each test is the same control flow, written in C++ over host numbers. Data are
// small integers, so every sum is exact.
#include "tests/golden/GuardedBuffer.h"
#include "tests/support/OnEveryDevice.h"
#include "tests/support/RandomData.h"

#include <trowel/trowel.h>

#include <limits>

using namespace trowel;
using namespace trowel::golden;

namespace {

class ControlFlow : public support::OnEveryDevice {};
TROWEL_ON_EVERY_DEVICE(ControlFlow);

constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t greatest = std::numeric_limits<std::int64_t>::max();

struct Bounds {
  std::int64_t begin, end, step;
};

/// The numbers that a loop visits, computed without overflow.
std::vector<int64> visited(Bounds bounds) {
  std::vector<int64> numbers;
  for (__int128 k = bounds.begin; bounds.step > 0 && k < bounds.end; k += bounds.step)
    numbers.push_back(static_cast<std::int64_t>(k));
  return numbers;
}

/// The count of trips, then the numbers visited, then poison, of a kernel that stores them.
template <class Kernel, class... Args>
void expectVisits(const Device &device, const Kernel &kernel, Bounds bounds, Args... args) {
  constexpr int room = 64;
  std::vector<int64> expected = visited(bounds);
  ASSERT_LE(expected.size(), std::size_t(room));
  GuardedBuffer<int64> y(device, room), count(device, 1);
  kernel.launch({1}, y.pointer(), count.pointer(), args...);
  std::vector<int64> result = y.download();
  std::string which = std::to_string(bounds.begin) + " to " + std::to_string(bounds.end) + " by " +
                      std::to_string(bounds.step);
  EXPECT_EQ(count.download()[0], int64(expected.size())) << which;
  for (int i = 0; i < room; ++i) {
    if (i < int(expected.size()))
      EXPECT_EQ(result[i], expected[i]) << which << ", trip " << i;
    else
      EXPECT_TRUE(GuardedBuffer<int64>::isPoison(result[i])) << which << ", trip " << i;
  }
}

const std::vector<Bounds> manyBounds = {
    {0, 0, 1},
    {0, 1, 1},
    {0, 10, 1},
    {0, 10, 3},
    {0, 9, 3},
    {0, 11, 4},
    {5, 5, 2},
    {5, 4, 1},
    {7, -7, 3},
    {-7, 7, 3},
    {-10, -3, 2},
    {3, 1000, 100},
    {greatest - 3, greatest, 1},
    {greatest - 10, greatest, 4},
    {greatest - 8, greatest, 4},
    {greatest - 1, greatest, greatest},
    {0, greatest, greatest / 2},
    {least, greatest, greatest / 4},
    {least, least + 5, 2},
    {greatest, least, 1},
};

TEST_P(ControlFlow, ALoopVisitsTheNumbersOfItsRange) {
  Device device = this->device();
  for (Bounds bounds : manyBounds) {
    auto fixed = kernel("fixed", [=](Ptr<int64> y, Ptr<int64> count) {
      Index trips = 0;
      for (Index k : range(bounds.begin, bounds.end, bounds.step)) {
        store(y + trips, k);
        trips += 1;
      }
      store(count, trips);
    });
    expectVisits(device, fixed, bounds);
  }
}

TEST_P(ControlFlow, ALoopVisitsTheNumbersOfARangeOfTheDevice) {
  Device device = this->device();
  auto open =
      kernel("open", [=](Ptr<int64> y, Ptr<int64> count, Index begin, Index end, Index step) {
        Index trips = 0;
        for (Index k : range(begin, end, step)) {
          store(y + trips, k);
          trips += 1;
        }
        store(count, trips);
      });
  for (Bounds bounds : manyBounds)
    expectVisits(device, open, bounds, bounds.begin, bounds.end, bounds.step);
  for (std::int64_t step : {std::int64_t{0}, std::int64_t{-1}, std::int64_t{-3}, least})
    for (std::int64_t end : {std::int64_t{5}, std::int64_t{-5}, greatest, least})
      expectVisits(device, open, {0, end, step}, std::int64_t{0}, end, step);
}

TEST_P(ControlFlow, ALoopWithAStepOfTheHostEndsAtAnEndOfTheDevice) {
  Device device = this->device();
  for (std::int64_t step : {1, 2, 3, 32}) {
    auto open = kernel("open", [=](Ptr<int64> y, Ptr<int64> count, Index begin, Index end) {
      Index trips = 0;
      for (Index k : range(begin, end, step)) {
        store(y + trips, k);
        trips += 1;
      }
      store(count, trips);
    });
    for (std::int64_t begin : {std::int64_t{0}, std::int64_t{-5}, greatest - 40})
      for (std::int64_t extent : {0, 1, 2, 31, 32, 33, 40})
        expectVisits(device, open, {begin, begin + extent, step}, begin, begin + extent);
  }
}

/// Stores the numbers of a loop, with something to load in each trip, and counts the trips.
template <class Loop> std::vector<int32> numbersOf(const Device &device, Loop loop) {
  auto body = kernel("numbers", [=](Ptr<const int32> x, Ptr<int32> y) {
    Index trips = 0;
    loop([&](Index number) {
      store(y + min(trips, 30), cast<int32>(number) + load(x + (number & 7)));
      trips = trips + 1;
    });
    store(y + 31, cast<int32>(trips));
  });
  Buffer<int32> x = device.upload(std::vector<int32>(8, 0));
  Buffer<int32> y = device.upload(std::vector<int32>(32, -77));
  body.launch({1}, x, y);
  return y.download();
}

TEST_P(ControlFlow, ALoopWhoseCounterPassesZeroEnds) {
  // Bounds of constants, of which the compiler knows the signs.
  for (int begin : {-9, -4, -1, 0, 5, 9})
    for (int end : {-2, -1, 0, 1, 3})
      for (int step : {1, 2, 3, 4, 7}) {
        std::vector<int32> up(32, -77), down(32, -77);
        int trips = 0, drops = 0;
        for (int i = begin; i < end; i += step)
          up[trips++] = i;
        for (int i = begin; i > end; i -= step)
          down[drops++] = i;
        up[31] = trips;
        down[31] = drops;
        auto text = [&] {
          return "from " + std::to_string(begin) + " to " + std::to_string(end) + " by " +
                 std::to_string(step);
        };
        EXPECT_EQ(numbersOf(device(),
                            [=](auto visit) {
                              for (Index i : range(begin, end, step))
                                visit(i);
                            }),
                  up)
            << text();
        EXPECT_EQ(numbersOf(device(),
                            [=](auto visit) {
                              Scalar<int32> i = begin;
                              while_([&] { return i < end; },
                                     [&] {
                                       visit(i);
                                       i = i + step;
                                     });
                            }),
                  up)
            << text();
        EXPECT_EQ(numbersOf(device(),
                            [=](auto visit) {
                              Index i = begin;
                              while_([&] { return i > end; },
                                     [&] {
                                       visit(i);
                                       i = i - step;
                                     });
                            }),
                  down)
            << text();
      }
}

TEST_P(ControlFlow, CarriesATileAndAScalar) {
  auto sums = kernel("sums", [=](Ptr<const float> x, Ptr<float> y, Ptr<float> z, Index n) {
    Tile<float> columns = zeros<float>(64);
    Scalar<float> first = 0.0f;
    for (Index k : range(0, n)) {
      columns += load(x + k * 64 + iota(64));
      first += load(x + k * 64);
    }
    store(y + iota(64), columns);
    store(z, first);
  });
  Device device = this->device();
  std::vector<float> host = support::integers<float>(64 * 17, -8, 8, 1);
  Buffer<float> x = device.upload(host);
  for (int n : {0, 1, 2, 17}) {
    GuardedBuffer<float> y(device, 64), z(device, 1);
    sums.launch({1}, x, y.pointer(), z.pointer(), n);
    std::vector<float> result = y.download();
    for (int i = 0; i < 64; ++i) {
      float sum = 0;
      for (int k = 0; k < n; ++k)
        sum += host[k * 64 + i];
      EXPECT_EQ(result[i], sum) << "n = " << n << ", column " << i;
      if (i == 0) {
        EXPECT_EQ(z.download()[0], sum);
      }
    }
  }
}

TEST_P(ControlFlow, CarriesWhatIsAssignedOnlyUnderACondition) {
  auto some = kernel("some", [=](Ptr<const int32> x, Ptr<int32> y, Ptr<int32> last, Index n) {
    Tile<int32> sum = full<int32>(32, 100);
    Scalar<int32> latest = -1;
    for (Index k : range(0, n)) {
      if_(load(x + k) % 3 == 0, [&] {
        sum += load(x + k) + iota(32);
        latest = load(x + k);
      });
    }
    store(y + iota(32), sum);
    store(last, latest);
  });
  Device device = this->device();
  std::vector<int32> host = support::integers<int32>(40, 0, 100, 1);
  Buffer<int32> x = device.upload(host);
  for (int n : {0, 1, 5, 40}) {
    GuardedBuffer<int32> y(device, 32), last(device, 1);
    some.launch({1}, x, y.pointer(), last.pointer(), n);
    int sum = 100, latest = -1, hits = 0;
    for (int k = 0; k < n; ++k)
      if (host[k] % 3 == 0) {
        sum += host[k];
        latest = host[k];
        ++hits;
      }
    std::vector<int32> result = y.download();
    for (int i = 0; i < 32; ++i)
      EXPECT_EQ(result[i], sum + hits * i) << "n = " << n;
    EXPECT_EQ(last.download()[0], latest) << "n = " << n;
  }
}

TEST_P(ControlFlow, BranchesOfIfAndElse) {
  auto choose = kernel("choose", [=](Ptr<const int32> x, Ptr<int32> y, Ptr<int32> taken) {
    Index i = programId(0);
    Scalar<int32> v = load(x + i);
    Tile<int32> result = full<int32>(16, 7);
    if_(v > 0, [&] {
      result = iota(16) * v;
      if_(v > 10, [&] { result += 1000; }).else_([&] { store(taken + i, 2); });
    }).else_([&] {
      result = result - v;
      store(taken + i, 3);
    });
    store(y + i * 16 + iota(16), result);
  });
  const std::vector<int32> host = {-5, 0, 1, 10, 11, 50};
  Device device = this->device();
  Buffer<int32> x = device.upload(host);
  GuardedBuffer<int32> y(device, host.size() * 16), taken(device, host.size());
  choose.launch({host.size()}, x, y.pointer(), taken.pointer());
  std::vector<int32> result = y.download(), paths = taken.download();
  for (std::size_t p = 0; p < host.size(); ++p) {
    int v = host[p];
    for (int i = 0; i < 16; ++i)
      EXPECT_EQ(result[p * 16 + i], v > 10 ? i * v + 1000 : v > 0 ? i * v : 7 - v) << "v = " << v;
    if (v > 10)
      EXPECT_TRUE(GuardedBuffer<int32>::isPoison(paths[p]));
    else
      EXPECT_EQ(paths[p], v > 0 ? 2 : 3);
  }
}

TEST_P(ControlFlow, InnerCountersRestartAndOuterSumsGoOn) {
  auto nested = kernel("nested", [=](Ptr<int32> y, Ptr<int32> inner, Index n, Index m) {
    Scalar<int32> sum = 0;
    for (Index i : range(0, n)) {
      Scalar<int32> counter = 0;
      for (Index j : range(i, m)) {
        counter += 1;
        sum += cast<int32>(j);
      }
      store(inner + i, counter);
    }
    store(y, sum);
  });
  Device device = this->device();
  for (int n : {0, 1, 5})
    for (int m : {0, 1, 3, 9}) {
      GuardedBuffer<int32> y(device, 1), inner(device, n);
      nested.launch({1}, y.pointer(), inner.pointer(), n, m);
      int sum = 0;
      for (int i = 0; i < n; ++i)
        for (int j = i; j < m; ++j)
          sum += j;
      EXPECT_EQ(y.download()[0], sum) << n << ", " << m;
      std::vector<int32> counters = inner.download();
      for (int i = 0; i < n; ++i)
        EXPECT_EQ(counters[i], std::max(m - i, 0));
    }
}

TEST_P(ControlFlow, AForInsideAWhile) {
  auto mixed = kernel("mixed", [=](Ptr<int32> y, Scalar<int32> n) {
    Tile<int32> sum = zeros<int32>(32);
    while_([&] { return n > 0; },
           [&] {
             for (Index k : range(0, n))
               sum += cast<int32>(k) + iota(32);
             n -= 2;
           });
    store(y + iota(32), sum);
  });
  Device device = this->device();
  for (int n : {-1, 0, 1, 2, 7}) {
    GuardedBuffer<int32> y(device, 32);
    mixed.launch({1}, y.pointer(), n);
    std::vector<int32> result = y.download();
    for (int i = 0; i < 32; ++i) {
      int sum = 0;
      for (int m = n; m > 0; m -= 2)
        for (int k = 0; k < m; ++k)
          sum += k + i;
      EXPECT_EQ(result[i], sum) << "n = " << n;
    }
  }
}

TEST_P(ControlFlow, TwoLoopsOverOneTile) {
  auto twice = kernel("twice", [=](Ptr<int32> y, Ptr<int32> z) {
    Tile<int32> v = iota(256);
    for ([[maybe_unused]] Index k : range(0, 100))
      v += 1;
    store(y + iota(256), v);
    for (Index k : range(0, 256))
      v = v + cast<int32>(k);
    store(z + iota(256), v);
  });
  Device device = this->device();
  GuardedBuffer<int32> y(device, 256), z(device, 256);
  twice.launch({1}, y.pointer(), z.pointer());
  std::vector<int32> first = y.download(), second = z.download();
  for (int i = 0; i < 256; ++i) {
    EXPECT_EQ(first[i], i + 100);
    EXPECT_EQ(second[i], i + 100 + 255 * 128);
  }
}

TEST_P(ControlFlow, AWhileEndsWhenItsDataSaySo) {
  // The steps of Collatz: no bound is known beforehand, and programs differ.
  auto collatz = kernel("collatz", [=](Ptr<const int64> x, Ptr<int32> y) {
    Scalar<int64> n = load(x + programId(0));
    Scalar<int32> steps = 0;
    while_([&] { return n != 1; },
           [&] {
             n = where(n % 2 == 0, n / 2, 3 * n + 1);
             steps += 1;
           });
    store(y + programId(0), steps);
  });
  std::vector<int64> host(100);
  for (int i = 0; i < 100; ++i)
    host[i] = i + 1;
  Device device = this->device();
  Buffer<int64> x = device.upload(host);
  GuardedBuffer<int32> y(device, host.size());
  collatz.launch({host.size()}, x, y.pointer());
  std::vector<int32> result = y.download();
  for (std::size_t i = 0; i < host.size(); ++i) {
    int steps = 0;
    for (int64 n = host[i]; n != 1; n = n % 2 == 0 ? n / 2 : 3 * n + 1)
      ++steps;
    EXPECT_EQ(result[i], steps) << host[i];
  }
}

TEST_P(ControlFlow, ACarriedPointerWalksThroughMemory) {
  // Also one that is written through: the launch must know of it.
  auto walk = kernel(
      "walk", [=](Ptr<const float> x, Ptr<float> y, Ptr<float> z, Index n, Scalar<bool> swap) {
        Tile<Ptr<const float>> from = x + iota(32);
        Ptr<float> to = y;
        if_(swap, [&] { to = z; });
        for ([[maybe_unused]] Index k : range(0, n)) {
          store(to + iota(32), load(from) + 1.0f);
          from += 32;
          to += 32;
        }
      });
  std::vector<float> host = support::integers<float>(32 * 5, -8, 8, 1);
  Device device = this->device();
  Buffer<float> x = device.upload(host);
  for (bool swap : {false, true}) {
    GuardedBuffer<float> y(device, host.size()), z(device, host.size());
    walk.launch({1}, x, y.pointer(), z.pointer(), 5, swap);
    std::vector<float> inY = y.download(), inZ = z.download();
    for (std::size_t i = 0; i < host.size(); ++i) {
      EXPECT_EQ((swap ? inZ : inY)[i], host[i] + 1);
      EXPECT_TRUE(GuardedBuffer<float>::isPoison((swap ? inY : inZ)[i]));
    }
  }
}

TEST_P(ControlFlow, ACarriedTileIsUsedInTwoLayouts) {
  // Rows and columns want the tile in opposite orders; it is carried as well.
  const int size = 32;
  auto both = kernel("both", [=](Ptr<const float> x, Ptr<float> y, Ptr<float> z, Index n) {
    Tile<int32> row = expand(iota(size), Axis{1}), column = expand(iota(size), Axis{0});
    Tile<float> sum = load(x + row * size + column);
    for ([[maybe_unused]] Index k : range(0, n)) {
      store(z + column * size + row, sum);
      sum += load(x + row * size + column) + load(x + column * size + row);
    }
    store(y + row * size + column, sum);
  });
  std::vector<float> host = support::integers<float>(size * size, -8, 8, 1);
  Device device = this->device();
  Buffer<float> x = device.upload(host);
  GuardedBuffer<float> y(device, host.size()), z(device, host.size());
  both.launch({1}, x, y.pointer(), z.pointer(), 3);
  std::vector<float> sums = y.download(), transposed = z.download();
  for (int r = 0; r < size; ++r)
    for (int c = 0; c < size; ++c) {
      float own = host[r * size + c], other = host[c * size + r];
      EXPECT_EQ(sums[r * size + c], own + 3 * (own + other));
      EXPECT_EQ(transposed[c * size + r], own + 2 * (own + other));
    }
}

TEST_P(ControlFlow, ReturnIfEndsTheProgramAndLeavesWhatWasStored) {
  auto until = kernel("until", [=](Ptr<const int32> x, Ptr<int32> y, Ptr<int32> done, Index n) {
    Index program = programId(0);
    for (Index k : range(0, n)) {
      Scalar<int32> v = load(x + program * n + k);
      returnIf(v < 0);
      store(y + program * n + k, v);
    }
    store(done + program, 1);
  });
  const int n = 6;
  const std::vector<int32> host = {1,  2, 3, 4, 5, 6, 1, 2, -1, 4, 5, 6,
                                   -1, 2, 3, 4, 5, 6, 1, 2, 3,  4, 5, -1};
  Device device = this->device();
  Buffer<int32> x = device.upload(host);
  GuardedBuffer<int32> y(device, host.size()), done(device, 4);
  until.launch({4}, x, y.pointer(), done.pointer(), n);
  std::vector<int32> result = y.download(), ends = done.download();
  for (int p = 0; p < 4; ++p) {
    bool ended = false;
    for (int k = 0; k < n; ++k) {
      ended = ended || host[p * n + k] < 0;
      if (ended)
        EXPECT_TRUE(GuardedBuffer<int32>::isPoison(result[p * n + k]));
      else
        EXPECT_EQ(result[p * n + k], host[p * n + k]);
    }
    EXPECT_EQ(GuardedBuffer<int32>::isPoison(ends[p]), ended) << p;
  }
}

TEST_P(ControlFlow, ASwitchReadAtRunTimeMarksAndReturns) {
  // Two switches are loaded; one order of them marks, the other marks and returns. What follows is
  // done with tiles of fewer and of more elements than a program has threads.
  Device device = this->device();
  for (int width : {4, 32, 128, 1024}) {
    auto marked = kernel("marked", [=](Ptr<const float> a, Ptr<const float> x, Ptr<const int32> p,
                                       Ptr<const int32> q, Ptr<int32> marks, Ptr<float> y) {
      Index program = programId(0);
      Tile<int32> i = iota(width);
      Scalar<int32> first = load(p), second = load(q);
      if_(first < second, [&] { store(marks + program, 1); });
      if_(first > second, [&] { store(marks + program, 2); });
      returnIf(first > second);
      store(y + program * width + i, load(a + program * width + i) * load(x + i));
    });
    std::vector<float> host(width);
    for (int i = 0; i < width; ++i)
      host[i] = static_cast<float>(i + 1);
    Buffer<float> a = device.upload(std::vector<float>(4 * width, 1)), x = device.upload(host);
    for (int p : {0, 1})
      for (int q : {0, 1}) {
        Buffer<int32> first = device.upload({p}), second = device.upload({q});
        GuardedBuffer<int32> marks(device, 4);
        GuardedBuffer<float> y(device, 4 * width);
        marked.launch({4}, a, x, first, second, marks.pointer(), y.pointer());
        std::vector<int32> mark = marks.download();
        std::vector<float> result = y.download();
        for (int i = 0; i < 4 * width; ++i) {
          if (p == q)
            ASSERT_TRUE(GuardedBuffer<int32>::isPoison(mark[i / width]));
          else
            ASSERT_EQ(mark[i / width], p < q ? 1 : 2);
          if (p > q)
            ASSERT_TRUE(GuardedBuffer<float>::isPoison(result[i]));
          else
            ASSERT_EQ(result[i], host[i % width]);
        }
      }
  }
}

TEST_P(ControlFlow, ConditionalUseOfATileInALoop) {
  auto use = kernel("use", [](Ptr<const int32> index, Ptr<int32> out, Index n, Scalar<bool> flag) {
    for (Index i : range(0, n)) {
      Tile<int32> j = load(index + i * 128 + iota(128));
      if_(flag, [&] { store(out + j, cast<int32>(i) * 128 + iota(128) + 1); });
    }
  });
  Device device = this->device();
  std::vector<int32> host(64 * 128);
  for (int i = 0; i < 64 * 128; ++i)
    host[i] = i;
  Buffer<int32> index = device.upload(host);
  for (int n : {0, 1, 2, 3, 4, 16, 17, 64})
    for (bool flag : {false, true}) {
      GuardedBuffer<int32> out(device, n * 128);
      use.launch({1}, index, out.pointer(), n, flag);
      std::vector<int32> result = out.download();
      for (int i = 0; i < n * 128; ++i) {
        if (flag)
          ASSERT_EQ(result[i], i + 1) << "n = " << n;
        else
          ASSERT_TRUE(GuardedBuffer<int32>::isPoison(result[i])) << "n = " << n;
      }
    }
}

TEST_P(ControlFlow, ConditionalUseOfALoadInALoop) {
  auto use = kernel("use", [=](Ptr<const int32> index, Ptr<int32> out, Index n, Scalar<bool> flag) {
    for (Index i : range(0, n)) {
      Scalar<int32> j = load(index + i);
      if_(flag, [&] { store(out + j, cast<int32>(i) + 1); });
    }
  });
  auto wide =
      kernel("wide", [=](Ptr<const int32> index, Ptr<int32> out, Index n, Scalar<bool> flag) {
        for (Index i : range(0, n, 128)) {
          Tile<int64> lane = i + iota(128);
          Tile<int32> j = load(index + lane, lane < n);
          if_(flag, [&] { store(out + j, cast<int32>(lane) + 1, lane < n); });
        }
      });
  Device device = this->device();
  std::vector<int32> host(300);
  for (int i = 0; i < 300; ++i)
    host[i] = i;
  Buffer<int32> index = device.upload(host);
  for (int n : {0, 1, 2, 3, 4, 16, 17, 64, 300})
    for (bool flag : {false, true})
      for (bool isWide : {false, true}) {
        GuardedBuffer<int32> out(device, n);
        if (isWide)
          wide.launch({1}, index, out.pointer(), n, flag);
        else
          use.launch({1}, index, out.pointer(), n, flag);
        std::vector<int32> result = out.download();
        for (int i = 0; i < n; ++i) {
          if (flag)
            ASSERT_EQ(result[i], i + 1) << "n = " << n;
          else
            ASSERT_TRUE(GuardedBuffer<int32>::isPoison(result[i])) << "n = " << n;
        }
      }
}

TEST_P(ControlFlow, AProductFromOutsideALoopRoundsOnItsOwn) {
  auto sum = kernel("sum", [=](Ptr<const float> x, Ptr<float> y, Index n) {
    Scalar<float> a = load(x), product = a * a, total = 1.0f;
    for ([[maybe_unused]] Index k : range(0, n))
      total += product;
    store(y, total);
  });
  Device device = this->device();
  const float a = 1.0f + 0x1p-12f;
  Buffer<float> x = device.upload({a});
  GuardedBuffer<float> y(device, 1);
  sum.launch({1}, x, y.pointer(), 3);
  volatile float product = a * a, total = 1.0f;
  for (int k = 0; k < 3; ++k)
    total = total + product;
  EXPECT_EQ(y.download()[0], total);
}

TEST_P(ControlFlow, WarpsDoNotChangeAResult) {
  for (int warps : {1, 4, 8}) {
    auto body = kernel(
        "warps",
        [=](Ptr<const int32> x, Ptr<int32> y, Index n) {
          Tile<int32> sum = zeros<int32>(512);
          for (Index k : range(0, n))
            if_(load(x + k) > 0, [&] { sum += load(x + k) * iota(512); });
          store(y + iota(512), sum);
        },
        Options{.warps = warps});
    Device device = this->device();
    Buffer<int32> x = device.upload({1, -2, 3, -4, 5});
    GuardedBuffer<int32> y(device, 512);
    body.launch({1}, x, y.pointer(), 5);
    std::vector<int32> result = y.download();
    for (int i = 0; i < 512; ++i)
      EXPECT_EQ(result[i], 9 * i) << warps;
  }
}

} // namespace
