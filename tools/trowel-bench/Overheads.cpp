// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The costs of calling.
//
// A first call traces, compiles, has the driver assemble the PTX, loads it and runs it: what a user
// waits for before the first figure. A launch is what every later call costs the CPU: 2000 of them
// on a wall clock without waiting for the GPU, which has almost nothing to do. Both as in
// tests/bench/peers.py.
//
// The first call has a configuration that no other case uses, and the device was opened before.
#include "tools/trowel-bench/Overheads.h"

#include "examples/kernels/VectorAdd.h"

#include <chrono>
#include <cstdio>

namespace trowel::bench {

using Clock = std::chrono::steady_clock;

static constexpr int64 elements = 1024;

static double microsecondsSince(Clock::time_point begin) {
  return std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
}

namespace {
struct Operands {
  explicit Operands(const Device &device)
      : x(device.upload(std::vector<float>(elements, 1.0f))),
        y(device.upload(std::vector<float>(elements, 2.0f))), z(device.allocate<float>(elements)) {}
  Buffer<float> x, y, z;
};
} // namespace

static std::string firstCall(const Device &device) {
  Operands operands(device);
  device.synchronize();
  Clock::time_point begin = Clock::now();
  auto add = examples::vectorAdd(256);
  add.launch({elements / 256}, operands.x, operands.y, operands.z, elements);
  device.synchronize();
  char line[160];
  std::snprintf(line, sizeof line,
                R"({"op": "first_call", "impl": "trowel", "case": "add", "ms": %.1f})",
                microsecondsSince(begin) * 1e-3);
  return line;
}

static std::string launch(const Device &device) {
  constexpr int repetitions = 2000;
  Operands operands(device);
  auto add = examples::vectorAdd(elements);
  auto call = [&] { add.launch({1}, operands.x, operands.y, operands.z, elements); };
  call();
  device.synchronize();
  Clock::time_point begin = Clock::now();
  for (int i = 0; i < repetitions; ++i)
    call();
  double each = microsecondsSince(begin) / repetitions;
  device.synchronize();
  char line[160];
  std::snprintf(line, sizeof line, R"({"op": "launch", "impl": "trowel", "us": %.2f})", each);
  return line;
}

static const Overhead overheads[] = {
    {"first_call", "from a lambda to a finished vector add, in ms", firstCall},
    {"launch", "what a launch of a loaded kernel costs the CPU, in us", launch},
};

std::span<const Overhead> allOverheads() { return overheads; }

} // namespace trowel::bench
