// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One PTX file on one device: load, launch, copy back.
#pragma once

#include "Arguments.h"

#include "runtime/base/KernelImage.h"
#include "trowel/Device.h"

#include <array>
#include <optional>

namespace trowel::run {

struct PtxFile {
  std::string path;
  std::string text;
  /// From the "// trowel:" lines, where there are some.
  std::optional<Manifest> manifest;
};

/// Throws trowel::Error if it cannot be read or its manifest is wrong.
PtxFile readPtxFile(const std::string &path);

/// A parameter that the entry declares.
struct EntryParameter {
  std::string name;
  std::size_t bytes = 0;
};

struct LaunchShape {
  std::array<unsigned, 3> grid{1, 1, 1};
  /// All zero: as the manifest or the entry's .reqntid say.
  std::array<unsigned, 3> block{0, 0, 0};
  /// Negative: as the manifest says, else 0.
  long dynamicSharedBytes = -1;
  /// Empty: the manifest's, or the only one.
  std::string entry;
};

/// An entry of a file, chosen by `shape` and the manifest.
struct ChosenEntry {
  std::string name;
  std::vector<EntryParameter> parameters;
  std::array<unsigned, 3> requiredThreads{0, 0, 0};
  /// By the manifest one more parameter follows, the buffer that the kernel prints to.
  bool hasRecords = false;
};
ChosenEntry chooseEntry(const PtxFile &file, const LaunchShape &shape);

/// Launches the entry once, copies the buffers back into `arguments`, and prints what the kernel
/// printed. Throws trowel::Error, also for a check of the kernel that failed.
void runOnce(const Device &device, const PtxFile &file, const ChosenEntry &entry,
             const LaunchShape &shape, std::vector<Argument> &arguments);

} // namespace trowel::run
