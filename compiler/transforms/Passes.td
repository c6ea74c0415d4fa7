// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes: one row, one file, one flag and one test each, with the same word. compiler/Pipeline.cpp has
// their order.

#ifndef TROWEL_COMPILER_TRANSFORMS_PASSES
#define TROWEL_COMPILER_TRANSFORMS_PASSES

include "mlir/Pass/PassBase.td"

def SpecializeArguments : Pass<"tile-specialize-arguments", "::mlir::func::FuncOp"> {
  let summary = "Turns facts of the launch arguments into attributes and constants";
  let description = [{
    The kernel's author never sees these facts: they come from the values of a launch, and each combination
    of them is a variant of the kernel. A pointer or an integer that is a multiple of 16 gets the argument
    attribute `tile.divisibility = 16`, one of 8 or 4 alone, that; an integer that is 1 is replaced by the
    constant.
  }];
  let options = [
    ListOption<"facts", "facts", "int64_t",
      "bits for each pointer: 1 aligned to 16 bytes, 2 to 8 bytes, 4 to 4 bytes; for each integer: 2 divisible by 16, "
      "3 by 8, 1 by 4, 4 equal to 1, 8 fits 32 bits">
  ];
}

def SpreadAssumptions : Pass<"tile-spread-assumptions", "::mlir::func::FuncOp"> {
  let summary = "Tells values what assumptions say of them";
  let description = [{
    Behind `tile.assume %c` the integers that the condition compares are replaced by successors of which bounds
    and a divisor are known. The assumption stays, for the software device to check.
  }];
}

def Combine : Pass<"tile-combine", "::mlir::func::FuncOp"> {
  let summary = "Simplifies without regard to layouts, and decides which products fuse with sums";
  let description = [{
    An elementwise op of splats becomes the splat of a scalar op, offsets that are the same for a whole tile
    move into the scalar pointer, and a·b + c becomes one fma where the product has no other use and stands in
    the same loop body or branch.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
}

def PadExtents : Pass<"tile-pad-extents", "::mlir::func::FuncOp"> {
  let summary = "Masks the padding of tiles whose extents are not powers of two";
  let description = [{
    Layouts map extents rounded up to powers of two. From here on no access touches memory for the elements
    beyond the extents that the user wrote.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def NarrowIndex : Pass<"tile-narrow-index", "::mlir::func::FuncOp"> {
  let summary = "Computes 64-bit integers in 32 bits where no value can tell the difference";
  let description = [{
    Offsets, bounds and comparisons of which the axis facts prove that operands and result lie within 32 bits.
    What facts prove of tiles stays provable: accesses are as wide as before.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def Coalesce : Pass<"tile-coalesce", "::mlir::func::FuncOp"> {
  let summary = "Chooses width and layout of each global access from what is known of its addresses";
  let description = [{
    Sets `width`, the number of consecutive elements that one instruction may move (at most 16 bytes),
    `mask_run`, the number of them that have one mask for certain, if fewer, and `layout`, the access's preferred layout within one warp: that many neighbours a lane, the lanes along the
    axis in which the addresses count up.
  }];
}

def Coarsen : Pass<"tile-coarsen", "::mlir::func::FuncOp"> {
  let summary = "Chooses how many warps a program takes and how many elements a thread";
  let description = [{
    Enough warps that each thread makes few accesses of 16 bytes, few enough that many programs share a
    multiprocessor. Spreads the layouts that tile-coalesce chose over the warps and sets `tile.warps`.
  }];
  let options = [
    Option<"warps", "warps", "int64_t", /*default=*/"0", "warps of a program; 0 lets the compiler choose">,
    Option<"elementsPerThread", "elements-per-thread", "int64_t", /*default=*/"0",
           "elements of the largest accessed tile in each thread; 0 lets the compiler choose">
  ];
}

def AssignLayouts : Pass<"tile-assign-layouts", "::mlir::func::FuncOp"> {
  let summary = "Gives every tile a layout";
  let description = [{
    Each shape that is accessed takes the layout of its widest access; from the stores backwards every op then
    gets its operands in the layouts that make it free. A value that is wanted in two layouts is computed
    twice.
  }];
}

def HoistLoads : Pass<"tile-hoist-loads", "::mlir::func::FuncOp"> {
  let summary = "Starts loads before the threads of a program meet";
  let description = [{
    Loads that need nothing of a reduction across warps go before it, as long as few bytes a thread wait for their
    use. No load passes a write.
  }];
}

def OrderMemory : Pass<"tile-order-memory", "::mlir::func::FuncOp"> {
  let summary = "Sets barriers so that a program's accesses happen in the order in which they are written";
  let description = [{
    Only where a store and another access of the same argument's memory may be done by different threads.
  }];
}

def AllocateShared : Pass<"tile-allocate-shared", "::mlir::func::FuncOp"> {
  let summary = "Gives each op that needs shared memory its place there";
  let description = [{
    Scratch is alive only while its op is executed, so places are shared. Neighbours get different ones where there is
    room, which saves the barrier between reading the one and writing the other. Sets `tile.scratch` on ops, and
    `tile.shared_bytes` on the function.
  }];
}

def InsertBarriers : Pass<"tile-insert-barriers", "::mlir::func::FuncOp"> {
  let summary = "Sets a barrier where shared memory would be written while another thread still reads it";
  let description = "An op's own barrier, between its writing and its reading, protects what comes before it too.";
}

def NumberRecords : Pass<"tile-number-records", "::mlir::func::FuncOp"> {
  let summary = "Numbers the records of a kernel and gives it the buffer that they go to";
  let description = [{
    Prints and checks are numbered as they are written; by these numbers the manifest knows their lines and texts.
    A kernel that has some gets one more argument, the buffer; one that has none stays as it is.
  }];
}

def VerifyLayouts : Pass<"tile-verify-layouts", "::mlir::func::FuncOp"> {
  let summary = "Checks that every op's operands lie as its result needs them";
  let description = "Runs after each pass where assertions are on. Changes nothing.";
}

def LowerToNvvm : Pass<"tile-lower-to-nvvm", "::mlir::ModuleOp"> {
  let summary = "Lowers to the LLVM and NVVM dialects";
  let description = [{
    A tile becomes one value a register; everything that a layout says of lanes and warps becomes arithmetic
    on the thread's index.
  }];
  let options = [
    Option<"targetName", "target", "std::string", /*default=*/"\"sm_90a\"", "the machine to lower for">
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect",
                           "::mlir::cf::ControlFlowDialect"];
}

#endif
