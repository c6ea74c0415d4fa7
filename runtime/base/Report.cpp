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

#include "runtime/base/FindingText.h"

#include <fmt/format.h>

#include <algorithm>

namespace trowel {

static std::string place(const std::string &file, int line) {
  return file.empty() ? std::string("-") : fmt::format("{}:{}", file, line);
}

namespace {

double ratio(std::uint64_t part, std::uint64_t whole) {
  return static_cast<double>(part) / static_cast<double>(std::max<std::uint64_t>(whole, 1));
}

/// Global and shared memory have different figures, and so a table each.
class AccessTable {
public:
  explicit AccessTable(const std::vector<AccessReport> &accesses) : accesses(accesses) {
    for (const AccessReport &access : accesses) {
      kernelWidth = std::max(kernelWidth, access.kernel.size());
      instructionWidth = std::max(instructionWidth, access.instruction.size());
      placeWidth = std::max(placeWidth, place(access.file, access.line).size());
    }
  }

  std::string global() const {
    std::string rows;
    for (const AccessReport &access : accesses)
      if (access.sectors != 0)
        rows += row(access) + fmt::format("  {:>15.1f}  {:>13.1f}  {:>9.0f}%\n",
                                          ratio(access.sectors, access.requests),
                                          ratio(access.lines, access.requests),
                                          100 * ratio(access.bytes, 32 * access.sectors));
    if (rows.empty())
      return rows;
    return head() +
           fmt::format("  {:>15}  {:>13}  {:>10}\n", "sectors/request", "lines/request",
                       "efficiency") +
           rows;
  }

  std::string shared() const {
    std::string rows;
    for (const AccessReport &access : accesses)
      if (access.sharedWavefronts != 0)
        rows += row(access) + fmt::format("  {:>18.1f}  {:>14}\n",
                                          ratio(access.sharedWavefronts, access.requests),
                                          access.bankConflicts);
    if (rows.empty())
      return rows;
    return head() + fmt::format("  {:>18}  {:>14}\n", "wavefronts/request", "bank conflicts") +
           rows;
  }

private:
  const std::vector<AccessReport> &accesses;
  std::size_t kernelWidth = 6, instructionWidth = 11, placeWidth = 8;

  std::string head() const {
    return fmt::format("{:{}}  {:{}}  {:>5}  {:{}}  {:>10}", "kernel", kernelWidth, "instruction",
                       instructionWidth, "PTX", "C++ line", placeWidth, "requests");
  }
  std::string row(const AccessReport &access) const {
    return fmt::format("{:{}}  {:{}}  {:>5}  {:{}}  {:>10}", access.kernel, kernelWidth,
                       access.instruction, instructionWidth, access.ptxLine,
                       place(access.file, access.line), placeWidth, access.requests);
  }
};

} // namespace

std::string findingLine(const Finding &finding) {
  std::string text = finding.kind + ": ";
  if (!finding.file.empty())
    text += place(finding.file, finding.line) + ": ";
  if (!finding.kernel.empty())
    text += "kernel '" + finding.kernel + "': ";
  return text + finding.text;
}

std::string Report::text() const {
  if (accesses.empty() && findings.empty() && warpInstructions == 0)
    return "nothing was counted\n";
  std::string text = fmt::format("{} warp instructions, {} thread instructions\n", warpInstructions,
                                 threadInstructions);
  AccessTable table(accesses);
  text += table.global();
  text += table.shared();
  for (const Finding &finding : findings)
    text += findingLine(finding) + "\n";
  return text;
}

} // namespace trowel
