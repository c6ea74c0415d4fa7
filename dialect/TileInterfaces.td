// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The questions that passes and analyses ask of ops, so that none of them lists op names. (The fourth
// question, which memory an op touches, is MLIR's own MemoryEffectsOpInterface.) `arith` and `math` ops
// answer by the external models in BuiltinModels.cpp.

#ifndef TROWEL_DIALECT_TILEINTERFACES
#define TROWEL_DIALECT_TILEINTERFACES

include "mlir/IR/OpBase.td"

def Tile_AxisFactsInterface : OpInterface<"AxisFactsInterface"> {
  let cppNamespace = "::trowel::tile";
  let description = "Says what an integer or pointer result's values look like along each axis.";
  let methods = [
    InterfaceMethod<[{
      Facts of the single result, given the facts of the operands in their order. `operands[i]` knows
      nothing where operand i is no integer, bool or pointer. The function of AxisFacts.h that the op
      amounts to knows the rule.
    }], "::trowel::tile::AxisFacts", "inferAxisFacts",
    (ins "::llvm::ArrayRef<::trowel::tile::AxisFacts>":$operands)>
  ];
}

def Tile_LayoutInterface : OpInterface<"LayoutInterface"> {
  let cppNamespace = "::trowel::tile";
  let description = [{
    Says how the layout of a result determines the layouts of the operands, and what moving data costs.
  }];
  let methods = [
    InterfaceMethod<[{
      The layout that operand `operand`, a tile, must have for the op to be free of communication when its
      result (for a store: its pointers) has the layout `result`.
    }], "::trowel::layout::LinearLayout", "operandLayout",
    (ins "unsigned":$operand, "const ::trowel::layout::LinearLayout &":$result),
    /*methodBody=*/"", /*defaultImplementation=*/"return result;">,
    InterfaceMethod<[{
      The layout of the results of an op that decides it: one that moves data between threads, and makes what
      follows from where its operands, tiles of one layout, lie. Nothing for all other ops.
    }], "::std::optional<::trowel::layout::LinearLayout>", "resultLayout",
    (ins "const ::trowel::layout::LinearLayout &":$operands),
    /*methodBody=*/"", /*defaultImplementation=*/"return std::nullopt;">,
    InterfaceMethod<[{
      Whether the op is one of those.
    }], "bool", "decidesLayout", (ins), /*methodBody=*/"", /*defaultImplementation=*/"return false;">,
    InterfaceMethod<[{
      Bytes of shared memory that the lowering needs to move data between threads.
    }], "int64_t", "scratchBytes", (ins), /*methodBody=*/"", /*defaultImplementation=*/"return 0;">
  ];
}

#endif
