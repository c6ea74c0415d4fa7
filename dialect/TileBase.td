// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dialect, and the base classes and traits that its op families share.

#ifndef TROWEL_DIALECT_TILEBASE
#define TROWEL_DIALECT_TILEBASE

include "mlir/IR/DialectBase.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"

def Tile_Dialect : Dialect {
  let name = "tile";
  let cppNamespace = "::trowel::tile";
  let summary = "Kernels over tiles";
  let description = [{
    A kernel is a `func.func` with the unit attribute `tile.kernel`. It runs once for each *program* of a
    grid. Its values are scalars, pointers (`!tile.ptr<f32>`) and *tiles*: builtin ranked tensors whose
    extents are static, such as `tensor<8x128xf32>` or `tensor<128x!tile.ptr<f32>>`.

    The dialect has two phases. In the first, tiles carry no encoding and say nothing of threads. After
    `tile-assign-layouts` every tile carries a `#tile.layout`, which maps each register of each lane of each
    warp to the element that it holds.

    Arithmetic that MLIR's `arith` and `math` dialects define exactly and for every input is used from there.
    Operations whose upstream form is undefined somewhere, or whose folder asks the host's math library, are
    `tile` ops.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let hasOperationAttrVerify = 1;
  let extraClassDeclaration = [{
    /// Unit attribute of a func.func that is a kernel.
    static constexpr ::llvm::StringLiteral kernelAttr{"tile.kernel"};
    /// Argument attribute: the power of two that divides a pointer (in bytes) or an integer.
    static constexpr ::llvm::StringLiteral divisibilityAttr{"tile.divisibility"};
    /// Argument attribute: the argument's name in messages.
    static constexpr ::llvm::StringLiteral nameAttr{"tile.name"};
    /// Argument attribute: the integers that it is or points to are unsigned. Nothing but the manifest depends on
    /// it; how integers are read is a matter of the ops.
    static constexpr ::llvm::StringLiteral unsignedAttr{"tile.unsigned"};
    /// Argument attribute: an integer that fits 32 bits (signed).
    static constexpr ::llvm::StringLiteral fits32Attr{"tile.fits32"};
    /// Argument attribute: the value that the code was specialised for.
    static constexpr ::llvm::StringLiteral valueAttr{"tile.value"};
    /// Argument attribute, of the last argument: the buffer that a kernel's records go to. No launch
    /// argument stands behind it; tile-number-records adds it.
    static constexpr ::llvm::StringLiteral recordsAttr{"tile.records"};
    /// Function attribute: warps of a program, set by tile-coarsen.
    static constexpr ::llvm::StringLiteral warpsAttr{"tile.warps"};
    /// Function attribute: bytes of shared memory that a program takes, set by tile-allocate-shared.
    static constexpr ::llvm::StringLiteral sharedBytesAttr{"tile.shared_bytes"};
    /// Attribute of an op that moves data: where its shared memory begins, in bytes.
    static constexpr ::llvm::StringLiteral scratchAttr{"tile.scratch"};
  }];
}

class Tile_Type<string name, string typeMnemonic, list<Trait> traits = []>
    : TypeDef<Tile_Dialect, name, traits> {
  let mnemonic = typeMnemonic;
}

class Tile_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<Tile_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

class Tile_Op<string mnemonic, list<Trait> traits = []> : Op<Tile_Dialect, mnemonic, traits>;

#endif
