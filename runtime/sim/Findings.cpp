// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Faults that end a launch, other findings, and the sentences they are told in.
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

std::string placeText(const Program &program, ptx::Space space, std::uint64_t offset) {
  bool shared = space == ptx::Space::Shared;
  for (const PlacedVariable &variable : shared ? program.sharedVariables : program.localVariables)
    if (offset - variable.offset < variable.bytes)
      return fmt::format("byte {} of the variable '{}' of {} bytes", offset - variable.offset,
                         variable.name, variable.bytes);
  if (shared && offset >= program.staticSharedBytes)
    return fmt::format("byte {} of the dynamic shared memory", offset - program.staticSharedBytes);
  return "between two variables";
}

Finding makeFinding(const Warp &warp, const Instruction &instruction, Mask lanes, std::string kind,
                    const std::string &what, const std::string &more) {
  const Cta &cta = *warp.cta;
  const InstructionInfo &info = cta.program->infos[instruction.index];
  Finding finding;
  finding.kind = std::move(kind);
  finding.kernel = cta.program->kernel;
  finding.file = info.file;
  finding.line = info.line;
  finding.ptxLine = static_cast<int>(info.ptxLine);
  finding.text =
      fmt::format("{} {} in program ({}, {}, {}), warp {}, {} (PTX line {}){}{}", info.opcode, what,
                  cta.position[0], cta.position[1], cta.position[2], warp.index, lanesText(lanes),
                  info.ptxLine, more.empty() ? "" : "; ", more);
  return finding;
}

void raise(const Warp &warp, const Instruction &instruction, Mask lanes, driver::CUresult result,
           std::string kind, const std::string &what, const std::string &more) {
  throw Fault{result, makeFinding(warp, instruction, lanes, std::move(kind), what, more)};
}

} // namespace trowel::sim
