// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints of running kernels: each element once, with its place and its value, in the order of the
// code; and nothing of what was not asked for.
#include "tests/support/OnEveryDevice.h"
#include "tests/support/WarpOrders.h"

#include <trowel/trowel.h>

#include <gmock/gmock.h>

#include <limits>
#include <set>

using namespace trowel;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

class Print : public support::OnEveryDevice {
protected:
  void SetUp() override {
    OnEveryDevice::SetUp();
    if (!IsSkipped())
      device().onPrint([this](const Printed &line) { lines.push_back(line); });
  }
  void TearDown() override {
    if (!IsSkipped())
      device().onPrint(nullptr);
  }

  /// What was printed since, after waiting.
  std::vector<Printed> printed() {
    device().synchronize();
    return std::exchange(lines, {});
  }
  std::vector<std::string> texts() {
    std::vector<std::string> all;
    for (const Printed &line : printed())
      all.push_back(line.text);
    return all;
  }
  template <class Body> auto on(const Body &body) { body.launch(Stream::defaultOf(device()), {1}); }

  std::vector<Printed> lines;
};
TROWEL_ON_EVERY_DEVICE(Print);

TEST_P(Print, TellsLineProgramElementAndValues) {
  int line = __LINE__ + 3;
  auto body = kernel("told", [](Ptr<const float> x) {
    Tile<int32> i = iota(2);
    print("x =", load(x + i) * 2.0f, "at", i + 10, "of", 7);
  });
  Buffer<float> x = device().upload({1.5f, -0.25f});
  body.launch({2, 1, 3}, x);
  std::vector<Printed> all = printed();
  ASSERT_EQ(all.size(), 12u);
  EXPECT_EQ(all[0].toString(), "PrintTest.cpp:" + std::to_string(line) +
                                   ": kernel 'told' (0, 0, 0) [0]: x = 3 at 10 of 7");
  EXPECT_EQ(all[11].toString(), "PrintTest.cpp:" + std::to_string(line) +
                                    ": kernel 'told' (1, 0, 2) [1]: x = -0.5 at 11 of 7");
}

TEST_P(Print, TellsEachElementOnceWhateverTheThreads) {
  for (int warps : {0, 1, 4})
    for (int extent : {1, 2, 3, 8, 31, 32, 100, 128, 3000}) {
      auto body = kernel("line", [=] { print("", iota(extent)); }, Options{.warps = warps});
      on(body);
      std::vector<Printed> all = printed();
      ASSERT_EQ(all.size(), static_cast<std::size_t>(extent)) << extent << ", " << warps;
      for (int i = 0; i < extent; ++i) {
        EXPECT_THAT(all[i].element, ElementsAre(i));
        EXPECT_EQ(all[i].text, " " + std::to_string(i));
      }
    }
}

TEST_P(Print, TellsEachElementOfSeveralAxes) {
  for (auto [rows, columns] : {std::pair(16, 1), {1, 16}, {3, 5}, {8, 33}}) {
    auto body = kernel("plane", [rows = rows, columns = columns] {
      print("at", expand(iota(rows), Axis{1}), expand(iota(columns), Axis{0}));
    });
    on(body);
    std::vector<Printed> all = printed();
    ASSERT_EQ(all.size(), static_cast<std::size_t>(rows * columns));
    for (int i = 0; i < rows * columns; ++i) {
      EXPECT_THAT(all[i].element, ElementsAre(i / columns, i % columns));
      EXPECT_EQ(all[i].text,
                "at " + std::to_string(i / columns) + " " + std::to_string(i % columns));
    }
  }
}

TEST_P(Print, TellsElementsOnceBesideStoresOfTheSameTile) {
  auto body = kernel("beside", [](Ptr<float> y) {
    Tile<int32> i = iota(8);
    Tile<float> v = cast<float>(i) * 0.5f;
    print("v =", v);
    store(y + i, v);
  });
  Buffer<float> y = device().allocate<float>(8);
  body.launch({1}, y);
  EXPECT_EQ(y.download()[7], 3.5f);
  EXPECT_EQ(lines.size(), 8u); // told by the download
}

TEST_P(Print, OfScalarsIsOneLineAProgram) {
  auto body = kernel("scalars", [] { print("program", programId(0), "of", programCount(0)); });
  body.launch(Stream::defaultOf(device()), {3});
  EXPECT_THAT(texts(), ElementsAre("program 0 of 3", "program 1 of 3", "program 2 of 3"));
}

TEST_P(Print, OfTextAloneIsOneLineAProgram) {
  auto body = kernel("text", [] { print("hello", std::string("from"), 2.5, true); });
  on(body);
  EXPECT_THAT(texts(), ElementsAre("hello from 2.5 true"));
}

TEST_P(Print, WritesEachTypeWithTheFewestDigits) {
  auto body = kernel("types", [](Ptr<const float> f, Ptr<const double> d) {
    Scalar<float> tenth = load(f), large = load(f + 1);
    print("", tenth, cast<f16>(tenth), cast<bf16>(tenth), load(d), large, load(f + 2), load(f + 3));
    print("", cast<int8>(tenth - 100.5f), cast<uint8>(tenth + 200.0f), cast<int16>(-large),
          cast<uint16>(large), cast<int32>(-large), cast<uint32>(large), cast<int64>(-large),
          cast<uint64>(large), tenth > 0.0f);
    print("", cast<f16>(large), cast<bf16>(load(f + 3)));
  });
  Buffer<float> f = device().upload({0.1f, 3e9f, std::numeric_limits<float>::quiet_NaN(),
                                     -std::numeric_limits<float>::infinity()});
  Buffer<double> d = device().upload({0.1});
  body.launch({1}, f, d);
  EXPECT_THAT(
      texts(),
      ElementsAre(" 0.1 0.1 0.1 0.1 3000000000 nan -inf",
                  " -100 200 -32768 65535 -2147483648 3000000000 -3000000000 3000000000 true",
                  " inf -inf"));
}

TEST_P(Print, WhereTellsTheElementsOfTheMask) {
  auto body = kernel("masked", [] {
    Tile<int32> i = iota(100);
    printWhere(i % 40 == 39, "i =", i);
    printWhere(programId(0) == 1, "only here:", programId(0));
    printWhere(i < 0, "never", i);
  });
  body.launch(Stream::defaultOf(device()), {2});
  EXPECT_THAT(texts(), ElementsAre("i = 39", "i = 79", "i = 39", "i = 79", "only here: 1"));
}

TEST_P(Print, IsInTheOrderOfTheCodeInLoopsAndBranches) {
  auto body = kernel("ordered", [](Index n) {
    for (Index k : range(0, n)) {
      print("trip", k);
      if_(k % 2 == 0, [&] { print("even", k, iota(2)); }).else_([&] { print("odd", k); });
    }
    returnIf(n < 4);
    print("after");
  });
  body.launch(Stream::defaultOf(device()), {1}, 3);
  EXPECT_THAT(texts(), ElementsAre("trip 0", "even 0 0", "even 0 1", "trip 1", "odd 1", "trip 2",
                                   "even 2 0", "even 2 1"));
  body.launch(Stream::defaultOf(device()), {1}, 4);
  EXPECT_EQ(texts().back(), "after");
}

TEST_P(Print, IsTheSameInEveryOrderOfWarps) {
  auto body = kernel(
      "warps",
      [] {
        Tile<int32> i = iota(256);
        for (Index k : range(0, 3))
          print("", k, i);
      },
      Options{.warps = 4});
  std::vector<std::string> first;
  support::underWarpOrders(device(), 5, [&] {
    body.launch(Stream::defaultOf(device()), {3});
    std::vector<std::string> all;
    for (const Printed &line : printed())
      all.push_back(line.toString());
    if (first.empty())
      first = all;
    EXPECT_EQ(all.size(), 3u * 3 * 256);
    EXPECT_EQ(all, first);
  });
}

TEST_P(Print, DoesNotChangeWhatIsComputed) {
  auto compute = [](bool prints) {
    return kernel("sum", [=](Ptr<const float> x, Ptr<float> y, Index n) {
      Tile<int32> i = iota(1000);
      Tile<float> total = zeros<float>(1000);
      for (Index k : range(0, n)) {
        total += load(x + k * 1000 + i) * 3.0f;
        if (prints)
          printWhere(i == 999, "", total);
      }
      store(y + i, total);
    });
  };
  std::vector<float> host(5000);
  for (std::size_t i = 0; i < host.size(); ++i)
    host[i] = static_cast<float>(i % 97) * 0.37f;
  Buffer<float> x = device().upload(host), y = device().allocate<float>(1000),
                z = device().allocate<float>(1000);
  compute(false).launch({1}, x, y, 5);
  compute(true).launch({1}, x, z, 5);
  EXPECT_EQ(y.download(), z.download());
  EXPECT_EQ(printed().size(), 5u);
}

TEST_P(Print, CountsWhatDoesNotFit) {
  // 1 MiB has room for 43,690 records of one word: 24 bytes each.
  auto body = kernel("much", [] { print("", iota(4096)); });
  body.launch(Stream::defaultOf(device()), {11});
  std::vector<Printed> all = printed();
  std::uint64_t room = (std::uint64_t{1} << 20) / 24;
  ASSERT_EQ(all.size(), room + 1);
  EXPECT_EQ(all.back().lost, 11 * 4096 - room);
  EXPECT_THAT(all.back().toString(),
              HasSubstr("kernel 'much': and " + std::to_string(11 * 4096 - room) +
                        " more that did not fit the 1048576 bytes of a launch; set "
                        "TROWEL_PRINT_BYTES to more"));
}

TEST_P(Print, OfManyLaunchesComesInTheirOrder) {
  auto body = kernel("launches", [](Index n) { print("", n); });
  for (int n = 0; n < 40; ++n)
    body.launch(Stream::defaultOf(device()), {1}, n);
  std::vector<std::string> all = texts();
  ASSERT_EQ(all.size(), 40u);
  for (int n = 0; n < 40; ++n)
    EXPECT_EQ(all[n], " " + std::to_string(n));
}

TEST_P(Print, IsToldByAStreamOrAnEventThatWaits) {
  auto body = kernel("streams", [](Index n) { print("", n); });
  Stream stream(device());
  body.launch(stream, {1}, 1);
  stream.synchronize();
  EXPECT_EQ(lines.size(), 1u);
  Event event(device());
  body.launch(stream, {1}, 2);
  event.record(stream);
  event.synchronize();
  EXPECT_EQ(lines.size(), 2u);
}

TEST_P(Print, GoesToTheStandardOutputWithoutASink) {
  device().onPrint(nullptr);
  auto body = kernel("output", [] { print(std::string_view("to \0 output", 11)); });
  on(body);
  testing::internal::CaptureStdout();
  device().synchronize();
  EXPECT_THAT(testing::internal::GetCapturedStdout(),
              HasSubstr(std::string(": kernel 'output' (0, 0, 0): to \0 output\n", 41)));
}

TEST_P(Print, IsToldBeforeAFaultIsThrown) {
  if (!isSimulator())
    GTEST_SKIP() << "a GPU loses its memory with a fault";
  auto body = kernel("faulty", [](Ptr<float> y) {
    print("on the way");
    store(y + 1000000, 1.0f);
  });
  Buffer<float> y = device().allocate<float>(1);
  body.launch({1}, y);
  EXPECT_THROW(y.download(), Error);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].text, "on the way");
  device().resetReport();
}

TEST_P(Print, LeavesNoFindings) {
  if (!isSimulator())
    GTEST_SKIP() << "a GPU finds nothing";
  device().resetReport();
  auto body = kernel("clean", [] { print("", iota(100)); });
  body.launch(Stream::defaultOf(device()), {4});
  EXPECT_EQ(printed().size(), 400u);
  EXPECT_TRUE(device().report().findings.empty());
}

TEST(PrintWithoutPrints, CostsNoParameterAndNoRecordInTheManifest) {
  auto body = kernel("plain", [](Ptr<float> y) { store(y, 1.0f); });
  std::string ptx = body.ptx("sm_90a");
  EXPECT_THAT(ptx, HasSubstr("// trowel: {\"version\": 1,"));
  EXPECT_THAT(ptx, testing::Not(HasSubstr("records")));
  EXPECT_THAT(ptx, testing::Not(HasSubstr("param_1")));
}

TEST(PrintInPtx, KeepsItsCountInRegisters) {
  auto body = kernel("counted", [](Index n) {
    for (Index k : range(0, n))
      print("", k);
  });
  std::string ptx = body.ptx("sm_90a");
  EXPECT_THAT(ptx, testing::Not(HasSubstr(".local")));
  EXPECT_THAT(ptx, HasSubstr("// trowel: {\"version\": 2,"));
}

class Check : public Print {
protected:
  /// The error that waiting throws.
  std::optional<Error> failure() {
    try {
      device().synchronize();
    } catch (const Error &error) {
      return error;
    }
    return std::nullopt;
  }
};
TROWEL_ON_EVERY_DEVICE(Check);

TEST_P(Check, ThatFailsIsThrownAtItsLineWithProgramElementAndText) {
  int line = __LINE__ + 3;
  auto body = kernel("bounded", [](Ptr<float> y, Index n) {
    Tile<int64> i = programId(0) * 8 + iota(8);
    check(i < n, "the column is inside, not", i);
    store(y + i, 1.0f);
  });
  Buffer<float> y = device().upload(std::vector<float>(32, 0.0f));
  body.launch({4}, y, 21);
  std::optional<Error> error = failure();
  ASSERT_TRUE(error);
  EXPECT_EQ(error->line(), line);
  EXPECT_THAT(error->file(), testing::EndsWith("PrintTest.cpp"));
  EXPECT_EQ(error->kernel(), "bounded");
  EXPECT_EQ(error->text(),
            "check failed in program (2, 0, 0) [5]: the column is inside, not 21; and 10 more");
  // The programs that failed stored nothing, the others all; the device goes on.
  std::vector<float> result = y.download();
  for (int i = 0; i < 32; ++i)
    EXPECT_EQ(result[i], i < 16 ? 1.0f : 0.0f) << i;
  body.launch({2}, y, 21);
  EXPECT_FALSE(failure());
}

TEST_P(Check, ThatFailsEndsItsProgramInLoopsAndBranches) {
  auto body = kernel("looped", [](Ptr<int32> y, Index n) {
    for (Index k : range(0, 10)) {
      if_(k >= 2, [&] { check(k < n, "k =", k); });
      store(y, cast<int32>(Scalar<int64>(k)));
    }
    store(y + 1, 1);
  });
  Buffer<int32> y = device().upload({-1, -1});
  body.launch({1}, y, 5);
  std::optional<Error> error = failure();
  ASSERT_TRUE(error);
  EXPECT_EQ(error->text(), "check failed in program (0, 0, 0): k = 5");
  EXPECT_THAT(y.download(), ElementsAre(4, -1));
}

TEST_P(Check, OfPaddedAndReplicatedTilesLooksAtEachElementOnce) {
  for (int extent : {1, 2, 8, 31, 100}) {
    auto body = kernel(
        "extents", [=](Index from) { check(iota(extent) < from, "inside"); }, Options{.warps = 4});
    body.launch(Stream::defaultOf(device()), {1}, extent);
    EXPECT_FALSE(failure()) << extent;
    body.launch(Stream::defaultOf(device()), {1}, 0);
    std::optional<Error> error = failure();
    ASSERT_TRUE(error) << extent;
    EXPECT_EQ(error->text(),
              "check failed in program (0, 0, 0) [0]: inside" +
                  (extent == 1 ? "" : "; and " + std::to_string(extent - 1) + " more"));
  }
}

TEST_P(Check, ThatFailsIsThrownByADownloadOnce) {
  auto body = kernel("failing", [](Ptr<float> y) {
    print("before");
    check(load(y) > 0.0f, "positive:", load(y));
    print("after");
  });
  Buffer<float> y = device().upload({-2.0f});
  body.launch({1}, y);
  EXPECT_THROW(y.download(), Error);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].text, "before");
  EXPECT_EQ(y.download()[0], -2.0f);
}

TEST_P(Check, OfSeveralLaunchesIsOneError) {
  auto body = kernel("several", [](Index n) { check(n < 1, "n =", n); });
  for (int n : {0, 1, 2, 3})
    body.launch(Stream::defaultOf(device()), {1}, n);
  std::optional<Error> error = failure();
  ASSERT_TRUE(error);
  EXPECT_EQ(error->text(),
            "check failed in program (0, 0, 0): n = 1; and checks of 2 later launches");
  EXPECT_FALSE(failure());
}

TEST_P(Check, IsThrownEvenIfPrintsFilledTheBuffer) {
  auto body = kernel("filled", [] {
    Tile<int32> i = iota(4096);
    print("", i, i);
    check(i < 0, "never");
  });
  body.launch(Stream::defaultOf(device()), {16});
  std::optional<Error> error = failure();
  ASSERT_TRUE(error);
}

} // namespace
