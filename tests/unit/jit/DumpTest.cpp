// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// TROWEL_DUMP: which files a program leaves, and that it goes on where none can be written. A
// kernel that was compiled before is not dumped again, so every test has kernels of its own.
#include <trowel/trowel.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <thread>
#include <unistd.h>

namespace trowel {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class Dump : public testing::Test {
protected:
  Dump() {
    std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
    folder = fs::path(testing::TempDir()) / ("dump-" + name + "-" + std::to_string(getpid()));
    fs::remove_all(folder);
    dumpTo(folder);
  }
  ~Dump() override {
    unsetenv("TROWEL_DUMP");
    fs::remove_all(folder);
  }
  static void dumpTo(const fs::path &path) { setenv("TROWEL_DUMP", path.c_str(), 1); }

  /// File names and contents.
  std::map<std::string, std::string> files() const {
    std::map<std::string, std::string> found;
    for (const fs::directory_entry &entry : fs::directory_iterator(folder)) {
      std::ifstream file(entry.path());
      std::stringstream text;
      text << file.rdbuf();
      found[entry.path().filename()] = text.str();
    }
    return found;
  }
  /// The names that begin so and end so.
  int count(const std::string &begin, const std::string &end) const {
    int count = 0;
    for (const auto &[name, text] : files())
      count += name.starts_with(begin) && name.ends_with(end);
    return count;
  }

  Device device = Device::simulator();
  Buffer<float> y = device.upload(std::vector<float>(64, 0.0f));
  fs::path folder;
};

/// A kernel of its own for each pair of name and value.
auto fill(const std::string &name, float value) {
  return kernel(name, [=](Ptr<float> y, Index n) {
    Tile<int32> i = iota(64);
    store(y + i, load(y + i, i < n) + value, i < n);
  });
}

TEST_F(Dump, HasAFileForEveryStage) {
  folder /= "made";
  dumpTo(folder);
  fill("stages", 1.0f).launch({1}, y, 64);
  std::map<std::string, std::string> found = files();
  ASSERT_EQ(found.size(), 5u);
  std::string stem = found.begin()->first;
  stem.resize(stem.find('.', std::string("stages.sm_90a.1a.").size()));
  EXPECT_THAT(stem, testing::MatchesRegex("stages\\.sm_90a\\.1a\\.[0-9a-f]{16}"));
  EXPECT_THAT(found[stem + ".tile.mlir"], HasSubstr("tile.load"));
  EXPECT_THAT(found[stem + ".tile.mlir"], testing::Not(HasSubstr("#tile.layout")));
  EXPECT_THAT(found[stem + ".layout.mlir"], HasSubstr("#tile.layout"));
  EXPECT_THAT(found[stem + ".llvm-dialect.mlir"], HasSubstr("llvm.func"));
  EXPECT_THAT(found[stem + ".ll"], HasSubstr("define"));
  EXPECT_THAT(found[stem + ".ptx"], HasSubstr("// trowel: {\"version\""));
  EXPECT_THAT(found[stem + ".ptx"], HasSubstr(".entry stages"));
}

TEST_F(Dump, HasFilesForEachOfTwoKernelsOfOneNameAndForEachVariant) {
  auto one = fill("twin", 1.0f), two = fill("twin", 2.0f);
  one.launch({1}, y, 64);
  two.launch({1}, y, 64);
  EXPECT_EQ(count("twin.sm_90a.1a.", ".ptx"), 2);
  one.launch({1}, y.devicePointer() + 1, 63);
  EXPECT_EQ(count("twin.sm_90a.08.", ".ptx"), 1);
  one.ptx("sm_80");
  EXPECT_EQ(count("twin.sm_80.", ".ptx"), 1);
  EXPECT_EQ(count("twin.", ".tile.mlir"), 4);
  one.launch({1}, y, 64);
  EXPECT_EQ(files().size(), 20u);
}

TEST_F(Dump, IsWrittenByManyThreads) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      Buffer<float> own = device.upload(std::vector<float>(64, 0.0f));
      fill("threads", static_cast<float>(t)).launch({1}, own, 64);
      fill("together", -1.0f).launch({1}, own, 64);
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(count("threads.", ".ptx"), 8);
  EXPECT_EQ(count("together.", ".ptx"), 1);
  for (const auto &[name, text] : files())
    EXPECT_FALSE(text.empty()) << name;
}

TEST_F(Dump, HasAShortNameForAKernelWithALongOne) {
  fill(std::string(1024, 'k'), 1.0f).launch({1}, y, 64);
  EXPECT_EQ(files().size(), 5u);
}

TEST_F(Dump, StopsWhereACompilationFailsAndLeavesTheFolder) {
  // What has effects happens once, and a result in two layouts would need it twice.
  auto k = kernel("stuck", [](Ptr<int32> x) {
    Tile<int32> i = iota(32), t = inlinePtx<int32>("nanosleep.u32 $1; mov.b32 $0, $1;", i);
    store(x + i, t);
    store(x + expand(i, Axis{1}) * 32 + i, expand(t, Axis{1}) + i);
  });
  EXPECT_THROW(k.ptx("sm_80"), Error);
  EXPECT_EQ(count("stuck.sm_80.", ".tile.mlir"), 1);
  EXPECT_EQ(files().size(), 1u);
}

TEST_F(Dump, WritesNothingForATargetThatDoesNotExist) {
  EXPECT_THROW(fill("nowhere", 1.0f).ptx("../../sm_42"), Error);
  EXPECT_FALSE(fs::exists(folder));
}

TEST_F(Dump, ThatCannotBeWrittenIsOneWarning) {
  fs::create_directories(folder);
  std::ofstream(folder / "file") << "in the way\n";
  dumpTo(folder / "file" / "inside");
  testing::internal::CaptureStderr();
  fill("unwritten", 1.0f).launch({1}, y, 64);
  fill("unwritten", 2.0f).launch({1}, y, 64);
  std::string output = testing::internal::GetCapturedStderr();
  EXPECT_THAT(output, testing::StartsWith("trowel: warning: TROWEL_DUMP: cannot write '"));
  EXPECT_THAT(output, HasSubstr("Not a directory; name a folder that can be written"));
  EXPECT_EQ(std::count(output.begin(), output.end(), '\n'), 1) << output;
}

TEST_F(Dump, IsNotWrittenWhereNothingIsNamed) {
  setenv("TROWEL_DUMP", "", 1);
  fill("silent", 1.0f).launch({1}, y, 64);
  EXPECT_FALSE(fs::exists(folder));
}

} // namespace
} // namespace trowel
