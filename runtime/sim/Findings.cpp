// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Faults that end a launch, and the sentences they are told in.
//
// A fault is an exception inside the machine because it is rare and may come from any handler: the
// path without faults then pays nothing. The sentence names what a person needs to find the place:
// the instruction as it stands in the PTX and its line, the program (CTA), warp and lanes. The C++
// line travels beside it in the Finding, not in the sentence, since whoever shows it puts it in
// front.

#include "runtime/sim/Findings.h"

#include "runtime/sim/Machine.h"

#include <fmt/format.h>

namespace trowel::sim {

std::string lanesText(Mask lanes) {
  std::string text;
  for (unsigned lane = 0; lane < lanesPerWarp; ++lane) {
    if (!(lanes >> lane & 1))
      continue;
    unsigned last = lane;
    while (last + 1 < lanesPerWarp && (lanes >> (last + 1) & 1))
      ++last;
    text += text.empty() ? "" : ", ";
    text += lane == last ? fmt::format("{}", lane) : fmt::format("{}-{}", lane, last);
    lane = last;
  }
  return (__builtin_popcount(lanes) == 1 ? "lane " : "lanes ") + text;
}

std::string addressText(std::uint64_t address) { return fmt::format("{:#x}", address); }

void raise(const Warp &warp, const Instruction &instruction, Mask lanes, driver::CUresult result,
           std::string kind, const std::string &what, const std::string &more) {
  const Cta &cta = *warp.cta;
  const InstructionInfo &info = cta.program->infos[instruction.index];
  Fault fault;
  fault.result = result;
  fault.finding.kind = std::move(kind);
  fault.finding.kernel = cta.program->kernel;
  fault.finding.file = info.file;
  fault.finding.line = info.line;
  fault.finding.ptxLine = static_cast<int>(info.ptxLine);
  fault.finding.text =
      fmt::format("{} {} in program ({}, {}, {}), warp {}, {} (PTX line {}){}{}", info.opcode, what,
                  cta.position[0], cta.position[1], cta.position[2], warp.index, lanesText(lanes),
                  info.ptxLine, more.empty() ? "" : "; ", more);
  throw fault;
}

} // namespace trowel::sim
