// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A report as text: a table of accesses, the worst figure of each in its own columns, then what was
// found.
//
//   kernel  instruction         PTX  C++ line     requests  sectors/request  lines/request
//   efficiency add     ld.global.v4.b32     27  add.cpp:12 256             16.0            4.0 100%
//
// Efficiency is the bytes asked for over the bytes of the sectors that travel: 100% where each byte
// that moves is used once, more where lanes share bytes.

#include "trowel/Report.h"

#include <fmt/format.h>

#include <algorithm>

namespace trowel {

static std::string place(const std::string &file, int line) {
  return file.empty() ? std::string("-") : fmt::format("{}:{}", file, line);
}

static std::string accessTable(const std::vector<AccessReport> &accesses) {
  std::size_t kernelWidth = 6, instructionWidth = 11, placeWidth = 8;
  for (const AccessReport &access : accesses) {
    kernelWidth = std::max(kernelWidth, access.kernel.size());
    instructionWidth = std::max(instructionWidth, access.instruction.size());
    placeWidth = std::max(placeWidth, place(access.file, access.line).size());
  }
  std::string text =
      fmt::format("{:{}}  {:{}}  {:>5}  {:{}}  {:>10}  {:>15}  {:>13}  {:>10}\n", "kernel",
                  kernelWidth, "instruction", instructionWidth, "PTX", "C++ line", placeWidth,
                  "requests", "sectors/request", "lines/request", "efficiency");
  for (const AccessReport &access : accesses) {
    auto requests = static_cast<double>(std::max<std::uint64_t>(access.requests, 1));
    auto moved = static_cast<double>(std::max<std::uint64_t>(access.sectors, 1)) * 32;
    text += fmt::format("{:{}}  {:{}}  {:>5}  {:{}}  {:>10}  {:>15.1f}  {:>13.1f}  {:>9.0f}%\n",
                        access.kernel, kernelWidth, access.instruction, instructionWidth,
                        access.ptxLine, place(access.file, access.line), placeWidth,
                        access.requests, static_cast<double>(access.sectors) / requests,
                        static_cast<double>(access.lines) / requests,
                        100 * static_cast<double>(access.bytes) / moved);
  }
  return text;
}

std::string Report::text() const {
  if (accesses.empty() && findings.empty() && warpInstructions == 0)
    return "nothing was counted\n";
  std::string text = fmt::format("{} warp instructions, {} thread instructions\n", warpInstructions,
                                 threadInstructions);
  if (!accesses.empty())
    text += accessTable(accesses);
  for (const Finding &finding : findings) {
    text += finding.kind + ": ";
    if (!finding.file.empty())
      text += place(finding.file, finding.line) + ": ";
    if (!finding.kernel.empty())
      text += "kernel '" + finding.kernel + "': ";
    text += finding.text + "\n";
  }
  return text;
}

} // namespace trowel
