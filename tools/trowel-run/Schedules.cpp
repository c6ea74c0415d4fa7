// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The same launch under several orders of warps.
//
// What a correct kernel computes does not depend on which warp is faster. A race need not show on a
// GPU, where one order is much likelier than the others; here many are tried, each of which can be
// repeated by its seed. Results are compared as bits. (Sums of floats by atomics depend on the
// order also in correct kernels; they differ here as they do on a GPU.)

#include "Schedules.h"

#include "trowel/Error.h"

#include <fmt/format.h>

#include <cstring>

namespace trowel::run {

namespace {

std::string bitsText(const Argument &argument, std::size_t index) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, argument.data.data() + index * argument.element->bytes,
              argument.element->bytes);
  return fmt::format("{:0{}x}", bits, 2 * argument.element->bytes);
}

/// The first element in which the results differ; empty if they are equal.
std::string difference(const std::vector<Argument> &reference, std::uint64_t referenceSeed,
                       const std::vector<Argument> &results, std::uint64_t seed) {
  for (std::size_t i = 0; i < results.size(); ++i) {
    const Argument &expected = reference[i], &found = results[i];
    if (expected.data == found.data)
      continue;
    for (std::size_t at = 0; at < found.count(); ++at)
      if (bitsText(expected, at) != bitsText(found, at))
        return fmt::format("{}[{}] is {} with seed {} and {} with seed {}: the results depend on "
                           "which warp is faster; a barrier or an atomic is missing (--seed={} "
                           "repeats this order)",
                           found.name, at, bitsText(found, at), seed, bitsText(expected, at),
                           referenceSeed, seed);
  }
  return {};
}

} // namespace

std::string runSchedules(const Device &device, const PtxFile &file, const ChosenEntry &entry,
                         const LaunchShape &shape, const Schedules &schedules,
                         std::vector<Argument> &arguments) {
  const std::vector<Argument> inputs = arguments;
  for (std::uint64_t turn = 0; turn < schedules.count; ++turn) {
    std::uint64_t seed = schedules.first + turn;
    std::vector<Argument> results = inputs;
    std::size_t findings = device.report().findings.size();
    device.setWarpOrder(seed);
    try {
      runOnce(device, file, entry, shape, results);
    } catch (const Error &error) {
      if (device.report().findings.size() == findings)
        throw;
      return fmt::format("with seed {}: {}", seed, error.what());
    }
    Report report = device.report();
    if (report.findings.size() > findings)
      return fmt::format("with seed {}: {}", seed, report.findings[findings].text);
    if (turn == 0)
      arguments = results;
    else if (std::string text = difference(arguments, schedules.first, results, seed);
             !text.empty())
      return text;
  }
  return {};
}

} // namespace trowel::run
