// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A compiled kernel: its PTX and the manifest that says how to launch it.
//
// The manifest is all that launch, the software device, the cache, ahead-of-time programs and the C
// ABI read of a kernel. It travels as JSON: beside the PTX, and inside it as comment lines that
// begin with "// trowel:", so that a .ptx file alone can be run.
#pragma once

#include "runtime/base/Result.h"
#include "trowel/Export.h"
#include "trowel/Types.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace trowel {

/// How one entry parameter of the PTX is made from the launch arguments. Later kinds (extent,
/// stride, tensor map, scratch) are further recipes, not other launch paths.
struct ParameterRecipe {
  /// Records: the launch's buffer for what the kernel prints and checks; no argument.
  enum class Kind { Pointer, Scalar, Records };
  Kind kind = Kind::Pointer;
  /// Index of the launch argument that it is made from.
  int argument = 0;
  /// Element type of the pointer, or type of the scalar.
  ElementType type = ElementType::Float32;
  /// A pointer through which the kernel may write.
  bool writes = false;
  /// Bytes that the pointer must be a multiple of because the code relies on it (at least the
  /// element's size).
  int alignment = 1;
  /// The value that the code was specialised for, where `specialized`; the launch must pass it.
  bool specialized = false;
  std::int64_t value = 0;
  /// Number that an integer scalar must be divisible by because the code relies on it.
  std::int64_t divisibleBy = 1;
  /// The scalar fits 32 bits (signed) because the code relies on it.
  bool fits32 = false;
};

/// A print or check of a kernel: what is the same in all of its records.
struct RecordSite {
  /// A check, whose records are failures; else a print.
  bool isCheck = false;
  /// The C++ line; 0 where it is unknown.
  std::string file;
  int line = 0;
  /// The extents of its tile; none for scalars.
  std::vector<std::int64_t> extents;
  /// Types of its values, and the texts before, between and behind them.
  std::vector<ElementType> types;
  std::vector<std::string> texts;
};

/// How logical programs map to CTAs.
enum class ProgramMapping { OneEach, Persistent };

struct Manifest {
  /// Version 2 has records. A manifest is written in the lowest version that holds it, so that
  /// older runtimes read what they can launch.
  static constexpr int currentVersion = 2;
  /// The kernel's name as its author gave it, and the name of the PTX entry.
  std::string kernel;
  std::string entry;
  /// PTX target such as "sm_90a".
  std::string target;
  /// Threads of a CTA.
  int threads = 0;
  int staticSharedBytes = 0;
  int dynamicSharedBytes = 0;
  std::array<int, 3> cluster{1, 1, 1};
  ProgramMapping mapping = ProgramMapping::OneEach;
  std::vector<ParameterRecipe> parameters;
  /// By their numbers.
  std::vector<RecordSite> records;

  TROWEL_API std::string toJson() const;
  TROWEL_API static Result<Manifest> fromJson(const std::string &text);
};

struct KernelImage {
  std::string ptx;
  Manifest manifest;
};

/// The PTX with the manifest in front as "// trowel:" lines.
TROWEL_API std::string withManifestComment(const std::string &ptx, const Manifest &manifest);
/// Reads the manifest back from the "// trowel:" lines of a PTX text.
TROWEL_API Result<Manifest> manifestFromComment(const std::string &ptx);

} // namespace trowel
