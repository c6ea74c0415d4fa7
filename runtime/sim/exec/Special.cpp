// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What has no effect on values: fences, prefetches, hints; and activemask.
//
// Memory here is sequentially consistent and has no cache, so fences and prefetches are counted and
// do nothing. A cache policy is an opaque number that only hints read. Fences between proxies are
// not listed: asynchronous copies, which they order, are not executed yet, and a program that has
// the one should not get half of the pair.

#include "runtime/sim/exec/AccessPath.h"
#include "runtime/sim/exec/Lanes.h"
#include "runtime/sim/exec/Table.h"

namespace trowel::sim::exec {

using ptx::Type;

namespace {

void nothing(Warp &, const Instruction &, Mask) {}

void decodeFence(Decoder &decoder) {
  for (std::string_view modifier :
       {"sc", "acq_rel", "acquire", "release", "cta", "cluster", "gpu", "sys", "gl"})
    decoder.opcode.take(modifier);
  decoder.expectOperands(0);
  decoder.finish(nothing);
}

void decodePrefetch(Decoder &decoder) {
  takeHints(decoder);
  takeSpace(decoder);
  decoder.opcode.take("L1");
  decoder.opcode.take("L2");
  decoder.expectOperands(1, 2);
  decoder.finish(nothing);
}

void decodeSleep(Decoder &decoder) {
  decoder.opcode.take("u32");
  decoder.expectOperands(1);
  decoder.finish(nothing);
}

void decodeDependency(Decoder &decoder) {
  if (!decoder.opcode.take("launch_dependents") && !decoder.opcode.take("wait"))
    decoder.unknown("form");
  decoder.expectOperands(0);
  decoder.finish(nothing);
}

void zeroPolicy(Warp &w, const Instruction &i, Mask m) {
  writeLanes<std::uint64_t>(w.at<std::uint64_t>(i.slots[0]), m,
                            [](unsigned) { return std::uint64_t{0}; });
}

void decodePolicy(Decoder &decoder) {
  decoder.opcode.modifiers.clear();
  decoder.expectOperands(1, 5);
  decoder.write(decoder.operand(0), Type::B64);
  decoder.finish(zeroPolicy);
}

/// Lanes of the running group for which the instruction executes.
void activeMask(Warp &w, const Instruction &i, Mask m) {
  writeLanes<std::uint32_t>(w.at<std::uint32_t>(i.slots[0]), m, [m](unsigned) { return m; });
}

void decodeActiveMask(Decoder &decoder) {
  decoder.takeType();
  decoder.expectOperands(1);
  decoder.write(decoder.operand(0), Type::B32);
  decoder.finish(activeMask);
}

constexpr OpcodeRow rows[] = {
    {"membar", decodeFence},        {"fence", decodeFence},
    {"prefetch", decodePrefetch},   {"prefetchu", decodePrefetch},
    {"nanosleep", decodeSleep},     {"griddepcontrol", decodeDependency},
    {"createpolicy", decodePolicy}, {"activemask", decodeActiveMask},
};

} // namespace

std::span<const OpcodeRow> specialOpcodes() { return rows; }

} // namespace trowel::sim::exec
