// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lesson B: what a trace sees of C++.
//
// A kernel's lambda is not translated: it runs, once, on the host, and each operation on a tile
// writes itself down. What is written down is the kernel; everything else was C++ at work while it
// was made. So there are two times in one lambda:
//
//   while tracing (C++)                    while running (the device)
//   captured ints, if, for, functions      Tile, Index, Scalar, Ptr
//   a for loop is unrolled                 range(…) is a loop
//   an if keeps one branch                 if_(…) keeps both
//
// C++ therefore is the macro language of kernels, with types: a block size, an element type or an
// activation function is a captured value or a template argument. What cannot work is to ask a
// tile for its value while tracing, since it has none yet: `if (tile)` does not compile.
#include <trowel/trowel.h>

#include <cstdio>
#include <string>
#include <vector>

using namespace trowel;

namespace {

constexpr int block = 64, powers = 5;

/// x^1 + … + x^5 by a loop of C++: five times the same operations are written down.
auto unrolled(int *traces) {
  return kernel("unrolled", [=](Ptr<const float> x, Ptr<float> y) {
    ++*traces; // C++, so it counts traces and not programs
    Tile<float> v = load(x + iota(block)), power = full<float>({block}, 1.0f),
                sum = zeros<float>({block});
    for (int k = 0; k < powers; ++k) {
      power = power * v;
      sum = sum + power;
    }
    store(y + iota(block), sum);
  });
}

/// The same by a loop of the device: the body is written down once, and `power` and `sum` are
/// carried from trip to trip because the body assigns to them.
auto looped() {
  return kernel("looped", [=](Ptr<const float> x, Ptr<float> y, Index count) {
    Tile<float> v = load(x + iota(block)), power = full<float>({block}, 1.0f),
                sum = zeros<float>({block});
    for ([[maybe_unused]] Index k : range(0, count)) {
      power = power * v;
      sum = sum + power;
    }
    store(y + iota(block), sum);
  });
}

/// A captured bool chooses while tracing; the other branch leaves no trace at all.
auto chosen(bool doubled) {
  return kernel("chosen", [=](Ptr<const float> x, Ptr<float> y) {
    Tile<float> v = load(x + iota(block));
    if (doubled)
      v = v + v;
    store(y + iota(block), v);
  });
}

int count(const std::string &text, const std::string &word) {
  int found = 0;
  for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
    ++found;
  return found;
}

bool check(const char *claim, bool holds) {
  std::printf("  %s %s\n", holds ? "yes:" : "NO: ", claim);
  return holds;
}

} // namespace

int main() {
  try {
    Device device = Device::best();
    std::vector<float> host(block);
    for (int i = 0; i < block; ++i)
      host[i] = static_cast<float>(i % 4);
    Buffer<float> x = device.upload(host), y = device.allocate<float>(block),
                  z = device.allocate<float>(block);

    int traces = 0;
    auto first = unrolled(&traces);
    auto second = looped();
    first.launch({1}, x, y);
    first.launch({1}, x, y);
    second.launch({1}, x, z, powers);

    // Stage "tile" is the trace itself, as `trowel-dump --stage=tile` shows it.
    std::string asUnrolled = first.stage("tile", device.target());
    std::string asLooped = second.stage("tile", device.target());
    std::string asIs = chosen(false).stage("tile", device.target());
    std::string asDoubled = chosen(true).stage("tile", device.target());
    std::printf("the loop of the device, as it was traced:\n%s\n", asLooped.c_str());

    bool right = check("two launches, one trace", traces == 1);
    right &= check("the C++ loop left 5 products and no loop",
                   count(asUnrolled, "arith.mulf") == powers && count(asUnrolled, "scf.for") == 0);
    right &= check("the device's loop left 1 product in 1 loop",
                   count(asLooped, "arith.mulf") == 1 && count(asLooped, "scf.for") == 1);
    right &= check("both compute the same", y.download() == z.download());
    right &= check("the if left an addition only where it was true",
                   count(asIs, "arith.addf") == 0 && count(asDoubled, "arith.addf") == 1);
    return right ? 0 : 1;
  } catch (const Error &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
