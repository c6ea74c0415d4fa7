// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lesson C: coalescing, in the PTX and in the counters.
//
// Memory moves in sectors of 32 bytes. A warp that reads 32 floats side by side needs 4 sectors;
// one whose floats lie 64 bytes apart needs 32, and throws seven eighths of what it moved away.
// Which thread holds which element is up to the compiler, which looks at the addresses: where
// elements lie side by side it gives a thread four of them, so that one instruction of 16 bytes a
// thread moves 512 bytes in 16 sectors; 8 floats a sector is the best there is.
//
//   pattern              address of element i      instruction        floats a sector
//   side by side         x + i                     ld.global.v4.b32   8
//   side by side, by 1   x + 1 + i                 ld.global.b32      6.4
//   every other          x + 2 i                   ld.global.b32      4
//   down a column        x + 16 i                  ld.global.b32      1
//
// The second pattern begins 4 bytes off: no thread may move 16 bytes at once there, and each 128
// bytes of a warp touch 5 sectors. The counters are those of the software device, whatever the
// machine has; on a GPU a profiler shows the same ("sectors per request").
#include <trowel/trowel.h>

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

using namespace trowel;

namespace {

constexpr int block = 1024;

struct Pattern {
  const char *name;
  int first, step;
  const char *instruction;
  double floatsPerSector; ///< expected
};

constexpr Pattern patterns[] = {
    {"side by side", 0, 1, "ld.global.v4.b32", 8},
    {"side by side, by 1", 1, 1, "ld.global.b32", 6.4},
    {"every other", 0, 2, "ld.global.b32", 4},
    {"down a column", 0, 16, "ld.global.b32", 1},
};

/// Copies elements that lie `step` apart to where they lie side by side. The numbers are captured,
/// so the compiler knows them.
auto gather(int first, int step) {
  return kernel("gather", [=](Ptr<const float> x, Ptr<float> y) {
    Tile<int32> i = iota(block);
    store(y + i, load(x + first + i * step));
  });
}

bool measure(const Device &device, const Buffer<float> &x, const Pattern &pattern) {
  Buffer<float> y = device.allocate<float>(block);
  device.resetReport();
  gather(pattern.first, pattern.step).launch({1}, x, y);
  std::vector<float> result = y.download();

  bool right = true;
  for (int i = 0; i < block; ++i)
    right &= result[i] == static_cast<float>(pattern.first + i * pattern.step);
  std::uint64_t loads = 0, requests = 0, sectors = 0, bytes = 0;
  for (const AccessReport &access : device.report().accesses) {
    if (access.store)
      continue;
    right &= access.instruction == pattern.instruction;
    ++loads;
    requests += access.requests;
    sectors += access.sectors;
    bytes += access.bytes;
  }
  double perRequest = static_cast<double>(sectors) / static_cast<double>(requests);
  double perSector = static_cast<double>(bytes) / sizeof(float) / static_cast<double>(sectors);
  std::printf("  %-19s %d x %-17s %4.1f sectors a request, %.1f floats a sector\n", pattern.name,
              static_cast<int>(loads), pattern.instruction, perRequest, perSector);
  right &= std::abs(perSector - pattern.floatsPerSector) < 0.05;
  return right;
}

} // namespace

int main() {
  try {
    Device device = Device::simulator();
    std::vector<float> host(16 * block + 1);
    for (std::size_t i = 0; i < host.size(); ++i)
      host[i] = static_cast<float>(i);
    Buffer<float> x = device.upload(host);

    std::printf("loads of %d floats:\n", block);
    bool right = true;
    for (const Pattern &pattern : patterns)
      right &= measure(device, x, pattern);
    std::printf("who holds what, of the first:\n%s",
                AnyKernel(gather(0, 1)).layouts(device.target()).c_str());
    std::printf("%s\n", right ? "as predicted" : "NOT as predicted");
    return right ? 0 : 1;
  } catch (const Error &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
