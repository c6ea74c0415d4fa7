// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// TROWEL_DUMP=DIR: the stages of every kernel that a program compiles, as files.
#pragma once

#include "compiler/Options.h"
#include "compiler/frontend/TracedKernel.h"

#include <string>

namespace trowel::jit {

/// What TROWEL_DUMP names now; null where it is unset or empty.
const char *dumpFolder();

/// Writes each stage of one variant of a kernel to a file of its own in `folder`, which is made if
/// it is not there. `key` is all that the variant depends on. Never throws: what cannot be written
/// is warned about once in a process. The caller holds the trace's lock.
void dumpStages(const std::string &folder, const compiler::TracedKernel &kernel,
                const compiler::CompileOptions &options, const std::string &facts,
                const std::string &key);

} // namespace trowel::jit
