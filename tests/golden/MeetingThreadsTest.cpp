// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs whose threads meet again and again: reductions one after another, in loops and branches,
// and results that go from rows to columns.
//
// Each op that moves data between warps has a place in shared memory, and barriers keep one op's
// writing from another's reading. Where one is missing some order of warps shows it, so each
// program runs under twenty, and gives the same numbers in all.
#include "tests/golden/GuardedBuffer.h"
#include "tests/golden/TileIndex.h"
#include "tests/support/OnEveryDevice.h"
#include "tests/support/RandomData.h"
#include "tests/support/WarpOrders.h"

#include <algorithm>
#include <numeric>

using namespace trowel;
using namespace trowel::golden;

namespace {

constexpr int warpCounts[] = {1, 4, 8};

class MeetingThreads : public support::OnEveryDevice {
protected:
  /// What a kernel makes of `x` and a number, under many orders of warps.
  template <class Body>
  void expectAlways(const Body &body, const std::vector<int32> &x, int n,
                    const std::vector<int32> &expected, std::int64_t programs = 1) {
    for (int warps : warpCounts) {
      auto made = kernel("meet", body, Options{.warps = warps});
      SCOPED_TRACE(std::to_string(warps) + " warps, n = " + std::to_string(n));
      support::underWarpOrders(device(), 20, [&] {
        Buffer<int32> in = device().upload(x);
        GuardedBuffer<int32> y(device(), expected.size());
        made.launch({programs}, in, y.pointer(), n);
        ASSERT_EQ(y.download(), expected);
      });
    }
  }
};
TROWEL_ON_EVERY_DEVICE(MeetingThreads);

std::vector<int32> data(int count) { return support::integers<int32>(count, -9, 9, 6); }
int32 sumOf(const std::vector<int32> &x) { return std::accumulate(x.begin(), x.end(), 0); }

TEST_P(MeetingThreads, OneAfterAnother) {
  std::vector<int32> x = data(1024);
  int32 total = sumOf(x), largest = 0, squares = 0;
  for (int32 v : x)
    largest = std::max(largest, v - total);
  for (int32 v : x)
    squares += (v - largest) * (v - total);
  expectAlways(
      [](Ptr<const int32> x, Ptr<int32> y, Scalar<int32>) {
        Tile<int32> v = load(x + iota(1024));
        Scalar<int32> s = sum(v);
        Scalar<int32> l = max(max(v - s), 0);
        store(y, s);
        store(y + 1, l);
        store(y + 2, sum((v - l) * (v - s)));
      },
      x, 0, {total, largest, squares});
}

TEST_P(MeetingThreads, InALoopOnceATrip) {
  std::vector<int32> x = data(256);
  for (int n : {0, 1, 2, 5}) {
    std::vector<int32> v = x;
    int32 total = 0;
    for (int i = 0; i < n; ++i) {
      int32 s = sumOf(v);
      total += s;
      for (int j = 0; j < 256; ++j)
        v[j] = v[j] * 3 + s % 17 + j;
    }
    expectAlways(
        [](Ptr<const int32> x, Ptr<int32> y, Scalar<int32> n) {
          Tile<int32> v = load(x + iota(256));
          Scalar<int32> total = 0;
          for ([[maybe_unused]] Index i : range(0, n)) {
            Scalar<int32> s = sum(v);
            total += s;
            v = v * 3 + s % 17 + iota(256);
          }
          store(y, total);
        },
        x, n, {total});
  }
}

TEST_P(MeetingThreads, InALoopTwiceAndThreeTimesATrip) {
  std::vector<int32> x = data(256);
  for (int n : {0, 1, 4})
    for (int times : {2, 3}) {
      std::vector<int32> v = x;
      int32 total = 0;
      for (int i = 0; i < n; ++i) {
        for (int time = 0; time < times; ++time) {
          int32 s = sumOf(v);
          total += s * (time + 1);
          for (int j = 0; j < 256; ++j)
            v[j] = (v[j] ^ s) % 31 + j;
        }
      }
      int32 last = sumOf(v);
      expectAlways(
          [times](Ptr<const int32> x, Ptr<int32> y, Scalar<int32> n) {
            Tile<int32> v = load(x + iota(256));
            Scalar<int32> total = 0;
            for ([[maybe_unused]] Index i : range(0, n))
              for (int time = 0; time < times; ++time) {
                Scalar<int32> s = sum(v);
                total += s * (time + 1);
                v = (v ^ s) % 31 + iota(256);
              }
            store(y, total);
            store(y + 1, sum(v));
          },
          x, n, {total, last});
    }
}

TEST_P(MeetingThreads, InBranchesAndBehindThem) {
  std::vector<int32> x = data(512);
  int32 total = sumOf(x), largest = *std::max_element(x.begin(), x.end());
  for (int n : {0, 1, 2, 3}) {
    std::vector<int32> expected{n & 1 ? total : largest, n & 2 ? total * 2 + 512 : -1, total * 3};
    expectAlways(
        [](Ptr<const int32> x, Ptr<int32> y, Scalar<int32> n) {
          Tile<int32> v = load(x + iota(512));
          Scalar<int32> r = 0, q = -1;
          if_((n & 1) != 0, [&] { r = sum(v); }).else_([&] { r = max(v); });
          if_((n & 2) != 0, [&] {
            q = sum(v);
            q += sum(v + 1);
          });
          store(y, r);
          store(y + 1, q);
          store(y + 2, sum(v * 3));
        },
        x, n, expected);
  }
}

TEST_P(MeetingThreads, InLoopsWhoseConditionReduces) {
  std::vector<int32> x = data(128);
  for (int32 &v : x)
    v = v < 0 ? -v : v;
  std::vector<int32> v = x;
  int32 trips = 0;
  while (*std::max_element(v.begin(), v.end()) > 3) {
    int32 s = sumOf(v);
    for (int j = 0; j < 128; ++j)
      v[j] = v[j] > 3 ? v[j] - 1 - (s & 1) : v[j];
    ++trips;
  }
  expectAlways(
      [](Ptr<const int32> x, Ptr<int32> y, Scalar<int32>) {
        Tile<int32> v = load(x + iota(128));
        Scalar<int32> trips = 0;
        while_([&] { return max(v) > 3; },
               [&] {
                 Scalar<int32> s = sum(v);
                 v = where(v > 3, v - 1 - (s & 1), v);
                 trips += 1;
               });
        store(y, trips);
        store(y + 1, sum(v));
      },
      x, 0, {trips, sumOf(v)});
}

TEST_P(MeetingThreads, InLoopsWithinLoopsAndScans) {
  std::vector<int32> x = data(200);
  for (int n : {0, 1, 3}) {
    std::vector<int32> v = x;
    int32 total = 0;
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < i; ++j)
        total += sumOf(v) % 101;
      std::partial_sum(v.begin(), v.end(), v.begin());
      for (int32 &each : v)
        each %= 23;
    }
    std::vector<int32> expected{total};
    expected.insert(expected.end(), v.begin(), v.end());
    expectAlways(
        [](Ptr<const int32> x, Ptr<int32> y, Scalar<int32> n) {
          Tile<int32> v = load(x + iota(200));
          Scalar<int32> total = 0;
          for (Index i : range(0, n)) {
            for ([[maybe_unused]] Index j : range(0, i))
              total += sum(v) % 101;
            v = cumsum(v, Axis{0}) % 23;
          }
          store(y, total);
          store(y + 1 + iota(200), v);
        },
        x, n, expected);
  }
}

//===- rows and columns -----------------------------------------------------------------------===//

TEST_P(MeetingThreads, SumsOfRowsAndColumnsAdd) {
  for (int extent : {1, 2, 5, 8, 16, 31, 64}) {
    std::vector<int32> x = data(extent * extent), expected(extent);
    for (int i = 0; i < extent; ++i)
      for (int j = 0; j < extent; ++j) {
        expected[i] += x[i * extent + j] * 3;
        expected[j] += x[i * extent + j];
      }
    expectAlways(
        [extent](Ptr<const int32> x, Ptr<int32> y, Scalar<int32>) {
          Tile<int32> v = load(x + indexOf({extent, extent}));
          store(y + iota(extent), sum(v, Axis{1}) * 3 + sum(v, Axis{0}));
        },
        x, 0, expected);
  }
}

TEST_P(MeetingThreads, ResultsSpreadAlongTheOtherAxis) {
  // Each element minus the sum of its row, plus that of the row whose number is its column's.
  for (int extent : {4, 7, 32}) {
    std::vector<int32> x = data(extent * extent), rows(extent), expected(extent * extent);
    for (int i = 0; i < extent * extent; ++i)
      rows[i / extent] += x[i];
    for (int i = 0; i < extent * extent; ++i)
      expected[i] = x[i] - rows[i / extent] + 100 * rows[i % extent];
    expectAlways(
        [extent](Ptr<const int32> x, Ptr<int32> y, Scalar<int32>) {
          Tile<int32> index = indexOf({extent, extent}), v = load(x + index);
          Tile<int32> rows = sum(v, Axis{1});
          store(y + index, v - expand(rows, Axis{1}) + 100 * expand(rows, Axis{0}));
        },
        x, 0, expected);
  }
}

TEST_P(MeetingThreads, OuterProductsOfReducedTiles) {
  // Rows and columns of a tile that is not square, both ways, and a scan of one of them.
  const int rows = 12, columns = 40;
  std::vector<int32> x = data(rows * columns), across(rows), down(columns), expected;
  for (int i = 0; i < rows * columns; ++i) {
    across[i / columns] += x[i];
    down[i % columns] = std::max(down[i % columns], x[i]);
  }
  std::partial_sum(down.begin(), down.end(), down.begin());
  for (int i = 0; i < rows * columns; ++i)
    expected.push_back(across[i / columns] * down[i % columns]);
  for (int i = 0; i < rows * columns; ++i)
    expected.push_back(across[i % rows] * down[i / rows]);
  expectAlways(
      [=](Ptr<const int32> x, Ptr<int32> y, Scalar<int32>) {
        Tile<int32> v = load(x + indexOf({rows, columns}));
        Tile<int32> across = sum(v, Axis{1});
        Tile<int32> down = cumsum(max(max(v, Axis{0}), 0), Axis{0});
        store(y + indexOf({rows, columns}), expand(across, Axis{1}) * expand(down, Axis{0}));
        store(y + rows * columns + indexOf({columns, rows}),
              expand(across, Axis{0}) * expand(down, Axis{1}));
      },
      x, 0, expected);
}

TEST_P(MeetingThreads, ReducedTilesAreCarriedByLoops) {
  // v ← A v, whose result is a column and whose operand is a row.
  const int extent = 24;
  std::vector<int32> x = data(extent * extent), v(extent, 1);
  for (int step = 0; step < 3; ++step) {
    std::vector<int32> next(extent);
    for (int i = 0; i < extent * extent; ++i)
      next[i / extent] += x[i] * v[i % extent];
    for (int i = 0; i < extent; ++i)
      v[i] = next[i] % 50;
  }
  expectAlways(
      [=](Ptr<const int32> x, Ptr<int32> y, Scalar<int32> n) {
        Tile<int32> a = load(x + indexOf({extent, extent}));
        Tile<int32> v = full<int32>(extent, 1);
        for ([[maybe_unused]] Index i : range(0, n))
          v = sum(a * expand(v, Axis{0}), Axis{1}) % 50;
        store(y + iota(extent), v);
      },
      x, 3, v);
}

TEST_P(MeetingThreads, ColumnsOfColumnMajorTilesReduce) {
  const int rows = 48, columns = 20;
  std::vector<int32> x = data(rows * columns), expected(columns);
  for (int i = 0; i < rows * columns; ++i)
    expected[i / rows] += x[i];
  std::vector<int32> largest(rows, -10);
  for (int i = 0; i < rows * columns; ++i)
    largest[i % rows] = std::max(largest[i % rows], x[i]);
  expected.insert(expected.end(), largest.begin(), largest.end());
  expectAlways(
      [=](Ptr<const int32> x, Ptr<int32> y, Scalar<int32>) {
        Tile<int32> r = expand(iota(rows), Axis{1}), c = expand(iota(columns), Axis{0});
        Tile<int32> v = load(x + c * rows + r);
        store(y + iota(columns), sum(v, Axis{0}));
        store(y + columns + iota(rows), max(v, Axis{1}));
      },
      x, 0, expected);
}

//===- control flow and reductions ------------------------------------------------------------===//

TEST_P(MeetingThreads, ReducesBehindABranchThatReturns) {
  // Row times vector behind a branch that marks and an early return that does not happen.
  for (int extent : {4, 32, 128, 1024})
    for (int n : {0, 1, 2, 3}) {
      const int p = n & 1, q = n >> 1;
      std::vector<int32> expected(8, 1);
      for (int program = 0; program < 4; ++program) {
        expected[program] = p > q ? 7 : extent; // returned before the sum, or the sum
        expected[4 + program] = p < q ? 1 : p > q ? 2 : 0;
      }
      std::vector<int32> x(4 * extent + extent, 1);
      expectAlways(
          [extent](Ptr<const int32> x, Ptr<int32> y, Scalar<int32> n) {
            Index program = programId(0);
            Scalar<int32> p = n & 1, q = n >> 1;
            store(y + program, 7);
            store(y + 4 + program, 0);
            if_(p < q, [&] { store(y + 4 + program, 1); });
            if_(p > q, [&] { store(y + 4 + program, 2); });
            returnIf(p > q);
            Tile<int32> i = iota(extent);
            store(y + program, sum(load(x + program * extent + i) * load(x + 4 * extent + i)));
          },
          x, n, expected, 4);
    }
}

TEST_P(MeetingThreads, StoresUnderAConditionInALoopThatReduces) {
  for (int trips : {0, 1, 2, 3, 4, 16, 17, 64})
    for (bool flag : {false, true}) {
      auto body = kernel("conditional", [](Ptr<const int32> index, Ptr<int32> out, Ptr<int32> sums,
                                           Index n, Scalar<bool> flag) {
        Tile<int32> total = zeros<int32>(128);
        for (Index i : range(0, n)) {
          Scalar<int32> j = load(index + i);
          total += iota(128) + j;
          if_(flag, [&] { store(out + j, sum(total) + cast<int32>(i)); });
        }
        store(sums, sum(total));
      });
      std::vector<int32> places(std::max(trips, 1));
      std::iota(places.begin(), places.end(), 0);
      std::vector<int32> expected(64, -1);
      int32 total = 0;
      for (int i = 0; i < trips; ++i) {
        total += 128 * 127 / 2 + 128 * i;
        if (flag)
          expected[i] = total + i;
      }
      Buffer<int32> index = device().upload(places),
                    out = device().upload(std::vector<int32>(64, -1));
      GuardedBuffer<int32> sums(device(), 1);
      body.launch({1}, index, out, sums.pointer(), trips, flag);
      EXPECT_EQ(out.download(), expected) << trips;
      EXPECT_EQ(sums.download()[0], total) << trips;
    }
}

TEST_P(MeetingThreads, DecideBranchesTogether) {
  // What is reduced is the same in all threads, so all of them take one branch, with its barriers.
  auto body = kernel(
      "decide",
      [](Ptr<const int32> x, Ptr<int32> y) {
        Index program = programId(0);
        Tile<int32> v = load(x + program * 256 + iota(256));
        Scalar<int32> result = 0;
        if_(any(v > 90), [&] { result = max(v); }).else_([&] { result = sum(v) % 1000; });
        returnIf(all(v == 0));
        store(y + program, result + sum(v));
      },
      Options{.warps = 8});
  std::vector<int32> x = support::integers<int32>(4 * 256, 0, 90, 3), expected;
  x[300] = 99;
  std::fill(x.begin() + 512, x.begin() + 768, 0);
  for (int program : {0, 1, 2, 3}) {
    std::vector<int32> v(x.begin() + program * 256, x.begin() + (program + 1) * 256);
    int32 sum = sumOf(v);
    expected.push_back(program == 1 ? 99 + sum : program == 2 ? -1 : sum % 1000 + sum);
  }
  support::underWarpOrders(device(), 20, [&] {
    Buffer<int32> in = device().upload(x), y = device().upload(std::vector<int32>(4, -1));
    body.launch({4}, in, y);
    ASSERT_EQ(y.download(), expected);
  });
}

} // namespace
