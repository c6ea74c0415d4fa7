// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// TROWEL_DUMP=DIR writes what trowel-dump shows, for the kernels of any program.
//
//   scale.sm_90a.1aa.09f3c2d41b7e8a56.tile.mlir           as traced
//   scale.sm_90a.1aa.09f3c2d41b7e8a56.layout.mlir         with layouts
//   scale.sm_90a.1aa.09f3c2d41b7e8a56.llvm-dialect.mlir   lowered
//   scale.sm_90a.1aa.09f3c2d41b7e8a56.ll                  optimised LLVM IR
//   scale.sm_90a.1aa.09f3c2d41b7e8a56.ptx                 with its manifest: trowel-run runs it
//
// A file name has the kernel's name, the target, the facts of the arguments (one digit each, as
// TROWEL_LOG=jit prints them; left out where they are many), and a hash of all that the variant
// depends on. So two kernels of one name and two variants of one kernel have files of their own,
// and the same program writes the same names again, also from two processes: the contents are then
// the same bytes.
//
// The stages are compiled one after the other before the image is. That is several times the work,
// which whoever sets the variable wants; and where a pass fails, the stages before it are there,
// which is when they are wanted most. The failure itself is thrown by the compilation that follows.
//
// A folder that cannot be written is no reason to stop a program: one warning, and it goes on.

#include "runtime/jit/Dump.h"

#include "runtime/base/Logging.h"
#include "runtime/jit/CompileTrace.h"
#include "trowel/Error.h"

#include <fmt/format.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace trowel::jit {

namespace {

struct StageFile {
  const char *stage;
  const char *ending;
};
constexpr StageFile stageFiles[] = {{"tile", ".tile.mlir"},
                                    {"layout", ".layout.mlir"},
                                    {"llvm-dialect", ".llvm-dialect.mlir"},
                                    {"llvm", ".ll"},
                                    {"ptx", ".ptx"}};

// File systems allow 255 bytes; the parts below stay well under it together.
constexpr std::size_t mostNameBytes = 120;
constexpr std::size_t mostFacts = 32;

/// FNV-1a. Equal on every host, which std::hash is not.
std::uint64_t hashOf(const std::string &text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (unsigned char c : text)
    hash = (hash ^ c) * 0x100000001b3;
  return hash;
}

/// The reason why the text is not in the file now; empty where it is.
std::string writeFile(const std::filesystem::path &path, const std::string &text) {
  errno = 0;
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text;
  if (!text.empty() && text.back() != '\n')
    file << '\n';
  file.close();
  if (file)
    return {};
  return errno ? std::strerror(errno) : "it could not be written";
}

void warnOnce(const std::filesystem::path &path, const std::string &reason) {
  static std::atomic<bool> warned = false;
  if (!warned.exchange(true))
    warnLine(fmt::format("TROWEL_DUMP: cannot write '{}': {}; name a folder that can be written",
                         path.string(), reason));
}

} // namespace

const char *dumpFolder() {
  const char *folder = std::getenv("TROWEL_DUMP");
  return folder && *folder ? folder : nullptr;
}

void dumpStages(const std::string &folder, const compiler::TracedKernel &kernel,
                const compiler::CompileOptions &options, const std::string &facts,
                const std::string &key) {
  std::string stem = fmt::format("{}.{}", kernel.name.substr(0, mostNameBytes), options.target);
  if (!facts.empty() && facts.size() <= mostFacts)
    stem += "." + facts;
  stem += fmt::format(".{:016x}", hashOf(key));

  // Where this fails, writing a file says why.
  std::error_code ignored;
  std::filesystem::create_directories(folder, ignored);
  for (const StageFile &row : stageFiles) {
    std::filesystem::path path = std::filesystem::path(folder) / (stem + row.ending);
    try {
      std::string reason = writeFile(path, stageOfTrace(kernel, options, row.stage));
      if (!reason.empty())
        return warnOnce(path, reason);
    } catch (const Error &) {
      return;
    }
  }
}

} // namespace trowel::jit
