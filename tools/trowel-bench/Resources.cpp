// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the example kernels take of a multiprocessor.
//
// Registers are the assembler's business: PTX has as many as it likes. So they are asked of who has
// assembled, which is the driver on a GPU and otherwise ptxas, if the machine has one. The software
// device assembles nothing, and a guess would be taken for a fact.
#include "tools/trowel-bench/Resources.h"

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <regex>

#include <unistd.h>

namespace trowel::bench {

namespace {
struct Assembled {
  int registers = 0;
  int localBytes = 0;
};

/// What `command` prints, both streams together; nothing if it fails.
std::optional<std::string> outputOf(const std::string &command) {
  std::FILE *pipe = popen((command + " 2>&1").c_str(), "r");
  if (!pipe)
    return std::nullopt;
  std::string text;
  std::array<char, 4096> part;
  while (std::size_t count = std::fread(part.data(), 1, part.size(), pipe))
    text.append(part.data(), count);
  return pclose(pipe) == 0 ? std::optional(text) : std::nullopt;
}

std::optional<int> numberIn(const std::string &text, const char *pattern) {
  std::smatch match;
  if (!std::regex_search(text, match, std::regex(pattern)))
    return std::nullopt;
  return std::atoi(match[1].str().c_str());
}

/// What ptxas makes of the PTX; nothing if there is none.
std::optional<Assembled> assemble(const std::string &ptx, const std::string &target) {
  std::string name =
      (std::filesystem::temp_directory_path() / fmt::format("trowel-bench-{}.ptx", getpid()))
          .string();
  std::ofstream(name) << ptx;
  std::optional<std::string> text =
      outputOf(fmt::format("ptxas -v -arch={} -o /dev/null '{}'", target, name));
  std::filesystem::remove(name);
  if (!text)
    return std::nullopt;
  std::optional<int> registers = numberIn(*text, "Used ([0-9]+) registers"),
                     stack = numberIn(*text, "([0-9]+) bytes stack frame");
  if (!registers || !stack)
    return std::nullopt;
  return Assembled{*registers, *stack};
}
} // namespace

std::string resourcesLine(const Device &device, const examples::NamedKernel &kernel,
                          const std::string &target) {
  AnyKernel made = kernel.make();
  Occupancy use = device.occupancy(made);
  std::string from = "driver", registers = "\"unknown\"", local = registers;
  if (use.registers != Occupancy::unknown) {
    registers = std::to_string(use.registers);
    local = std::to_string(use.localBytes);
  } else if (std::optional<Assembled> assembled = assemble(made.ptx(target), target)) {
    from = "ptxas " + target;
    registers = std::to_string(assembled->registers);
    local = std::to_string(assembled->localBytes);
  } else {
    from = "software device";
  }
  return fmt::format(R"({{"op": "resources", "kernel": "{}", "from": "{}", "registers": {}, )"
                     R"("local_bytes": {}, "shared_bytes": {}}})",
                     kernel.name, from, registers, local, use.sharedBytes);
}

} // namespace trowel::bench
