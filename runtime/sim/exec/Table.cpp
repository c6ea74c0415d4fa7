// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Opcodes by name: which family decodes them.
//
// A new instruction is a row in its family's list and a handler beside it; a new family is one line
// here. Nothing else in the device lists opcodes.

#include "runtime/sim/exec/Table.h"

#include "runtime/sim/Findings.h"
#include "runtime/sim/Machine.h"
#include "runtime/sim/exec/Lanes.h"

#include <unordered_map>

namespace trowel::sim::exec {

bool hostHasAvx2() {
#if defined(__x86_64__)
  static const bool has = [] {
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
           __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
           __builtin_cpu_supports("f16c");
  }();
  return has;
#else
  return false;
#endif
}

namespace {
using Table = std::unordered_map<std::string_view, DecodeFunction>;

const Table &table() {
  static const Table rows = [] {
    Table all;
    for (std::span<const OpcodeRow> family :
         {arithmeticOpcodes(), bitOpcodes(), compareOpcodes(), approximateOpcodes(),
          convertOpcodes(), moveOpcodes(), memoryOpcodes(), atomicOpcodes(), controlOpcodes(),
          barrierOpcodes(), warpOpcodes(), specialOpcodes()})
      for (const OpcodeRow &row : family)
        all.emplace(row.root, row.decode);
    return all;
  }();
  return rows;
}
} // namespace

DecodeFunction findOpcode(std::string_view root) {
  auto found = table().find(root);
  return found == table().end() ? nullptr : found->second;
}

std::vector<std::string_view> knownOpcodes() {
  std::vector<std::string_view> roots;
  for (const auto &[root, decode] : table())
    roots.push_back(root);
  std::sort(roots.begin(), roots.end());
  return roots;
}

void unknownInstruction(Warp &warp, const Instruction &instruction, Mask mask) {
  const InstructionInfo &info = warp.cta->program->infos[instruction.index];
  raise(warp, instruction, mask, driver::cudaErrorIllegalInstruction, "unknown-instruction",
        "is not known to the software device (" + info.unknown + ") and was reached",
        "run this kernel on a GPU, or avoid the instruction");
}

} // namespace trowel::sim::exec
