// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Opcodes by name: which family decodes them.
#pragma once

#include "runtime/sim/ptx/Decoder.h"

#include <span>

namespace trowel::sim::exec {

/// Reads the statement's modifiers and operands and chooses its handler.
using DecodeFunction = void (*)(Decoder &decoder);

struct OpcodeRow {
  std::string_view root;
  DecodeFunction decode;
};

/// The family of an opcode's root, such as "add"; null if the device does not know it.
DecodeFunction findOpcode(std::string_view root);
/// Every root that the device knows.
std::vector<std::string_view> knownOpcodes();

/// The handler of what the device does not know.
void unknownInstruction(Warp &warp, const Instruction &instruction, Mask mask);

// One list a family.
std::span<const OpcodeRow> arithmeticOpcodes();
std::span<const OpcodeRow> bitOpcodes();
std::span<const OpcodeRow> compareOpcodes();
std::span<const OpcodeRow> approximateOpcodes();
std::span<const OpcodeRow> convertOpcodes();
std::span<const OpcodeRow> moveOpcodes();
std::span<const OpcodeRow> memoryOpcodes();
std::span<const OpcodeRow> atomicOpcodes();
std::span<const OpcodeRow> controlOpcodes();
std::span<const OpcodeRow> barrierOpcodes();
std::span<const OpcodeRow> warpOpcodes();
std::span<const OpcodeRow> specialOpcodes();

// Several families share a root: add.s32 is Integer's, add.f32 Float32's. Arithmetic looks at the
// type and hands over to one of these.
void decodeInteger(Decoder &decoder, ptx::Type type);
void decodeFloat32(Decoder &decoder);
void decodeFloat64(Decoder &decoder);
void decodeHalf(Decoder &decoder, ptx::Type type);

} // namespace trowel::sim::exec
