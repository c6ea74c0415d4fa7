// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs ptxas over a temporary file and reads what it says.
//
// The PTX goes through a file because ptxas reads no pipe; its output is thrown away, only its
// verdict and its log count. A ptxas that is killed or cannot be started is a rejection whose log
// says so.
#include "tests/support/Ptxas.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <unistd.h>

namespace trowel::testing {

namespace fs = std::filesystem;

std::optional<std::string> findPtxas() {
  auto usable = [](const fs::path &path) { return access(path.c_str(), X_OK) == 0; };
  std::istringstream path(std::getenv("PATH") ? std::getenv("PATH") : "");
  for (std::string folder; std::getline(path, folder, ':');)
    if (usable(fs::path(folder) / "ptxas"))
      return fs::path(folder) / "ptxas";
  if (const char *home = std::getenv("CUDA_HOME"); home && usable(fs::path(home) / "bin/ptxas"))
    return fs::path(home) / "bin/ptxas";
  if (usable("/usr/local/cuda/bin/ptxas"))
    return "/usr/local/cuda/bin/ptxas";
  return std::nullopt;
}

Assembly assemble(const std::string &ptx, const std::string &target) {
  std::string file = fs::temp_directory_path() / "trowel-XXXXXX";
  int handle = mkstemp(file.data());
  if (handle < 0)
    return {false, "cannot create " + file};
  close(handle);
  std::ofstream(file) << ptx;

  Assembly result;
  std::string command = "'" + findPtxas().value_or("ptxas") + "' -v -arch=" + target +
                        " -o /dev/null '" + file + "' 2>&1";
  if (FILE *pipe = popen(command.c_str(), "r")) {
    char buffer[4096];
    while (std::size_t count = fread(buffer, 1, sizeof buffer, pipe))
      result.log.append(buffer, count);
    result.accepted = pclose(pipe) == 0;
  } else {
    result.log = "cannot start " + command;
  }
  fs::remove(file);
  return result;
}

} // namespace trowel::testing
