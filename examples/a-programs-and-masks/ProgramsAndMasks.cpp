// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lesson A: programs and masks.
//
// A launch runs a kernel once for each program of its grid; a program knows its number,
// programId(axis), and computes on whole tiles. Which thread holds which element is the compiler's
// business, so a kernel has no thread ids. Here each element is given the number of the program
// that wrote it, which makes the work visible:
//
//   10 elements, 4 a program      0 0 0 0 | 1 1 1 1 | 2 2 . .
//
// The last program's tile reaches two elements beyond the end. A mask says which elements exist:
// under a false mask nothing is loaded, and nothing is stored. Without it the two dots would be
// written, into whatever lies behind the buffer; the software device reports that.
#include <trowel/trowel.h>

#include <cstdio>
#include <string>
#include <vector>

using namespace trowel;

namespace {

constexpr int poison = -1;

/// Who writes which element of a vector.
auto writersOfVector(int block) {
  return kernel("writers", [=](Ptr<int32> y, Index n) {
    Tile<int64> i = programId(0) * block + iota(block);
    store(y + i, cast<int32>(programId(0)), i < n);
  });
}

/// Who writes which element of a matrix: a grid with two axes, a mask from both coordinates. The
/// rows are a tile of shape [height, 1], the columns one of [width]; together they are
/// [height, width].
auto writersOfMatrix(int height, int width) {
  return kernel("writers_2d", [=](Ptr<int32> y, Index rows, Index columns) {
    Tile<int64> row = expand(programId(1) * height + iota(height), Axis{1});
    Tile<int64> column = programId(0) * width + iota(width);
    Index number = programId(1) * programCount(0) + programId(0);
    store(y + row * columns + column, cast<int32>(number), row < rows && column < columns);
  });
}

/// Prints a row of numbers, poison as a dot, and compares with what is expected.
bool show(const std::string &what, const std::vector<int32> &got, const std::vector<int32> &wanted,
          std::size_t columns) {
  std::printf("%s", what.c_str());
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (i % columns == 0)
      std::printf("\n   ");
    std::printf(got[i] == poison ? " ." : " %d", got[i]);
  }
  std::printf("\n  %s\n", got == wanted ? "right" : "WRONG");
  return got == wanted;
}

bool vectorOfTen(const Device &device) {
  const int block = 4;
  const std::int64_t n = 10, room = 12;
  Buffer<int32> y = device.upload(std::vector<int32>(room, poison));
  // Three programs, since 10 / 4 is rounded up.
  writersOfVector(block).launch({(n + block - 1) / block}, y, n);
  return show("10 elements, 4 a program, and two elements behind them:", y.download(),
              {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, poison, poison}, room);
}

bool matrixOfThreeByFive(const Device &device) {
  const std::int64_t rows = 3, columns = 5;
  Buffer<int32> y = device.upload(std::vector<int32>(rows * columns, poison));
  writersOfMatrix(2, 4).launch({2, 2}, y, rows, columns);
  return show("a 3 x 5 matrix in tiles of 2 x 4, so a grid of 2 x 2:", y.download(),
              {0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 2, 2, 2, 2, 3}, columns);
}

/// What a kernel that forgets its mask gets to hear. Only the software device can tell.
bool forgottenMask() {
  Device device = Device::simulator();
  Buffer<int32> y = device.allocate<int32>(10);
  auto forgetful = kernel("forgetful", [](Ptr<int32> y) {
    Tile<int64> i = programId(0) * 4 + iota(4);
    store(y + i, 0);
  });
  try {
    forgetful.launch({3}, y);
    y.download();
  } catch (const Error &error) {
    std::printf("without the mask:\n  %s\n", error.what());
    return true;
  }
  return false;
}

} // namespace

int main() {
  try {
    Device device = Device::best();
    std::printf("on %s\n", device.describe().c_str());
    bool right = vectorOfTen(device);
    right &= matrixOfThreeByFive(device);
    right &= forgottenMask();
    return right ? 0 : 1;
  } catch (const Error &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
