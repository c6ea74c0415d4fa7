// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a kernel may be called, and which options it may ask for.
//
// The name becomes the entry of the PTX, so that profilers find the kernel under the name that its
// author gave it, and a C++ launcher's name ahead of time; hence it must be an identifier of both.
// Two identifiers of C are none of ptxas: `_` alone, and `WARP_SZ`, a constant of PTX. (Opcodes are
// fine: a kernel named `add` or `ret` assembles.) PTX promises names of 1024 characters, so longer
// ones are refused, whatever today's drivers take.
//
// Only what can be judged without the kernel's body is judged here. Whether its tiles are large
// enough for the warps asked for is the compiler's to say.

#include "compiler/frontend/TracedKernel.h"
#include "trowel/Error.h"

#include <fmt/format.h>

namespace trowel::compiler {

namespace {

constexpr std::size_t maxNameLength = 1024;
constexpr int maxWarps = 32;
constexpr int maxElementsPerThread = 256; // as many as a thread has registers

bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// The name as a message can hold it: on one line, and not all of a long one.
std::string printable(const std::string &name) {
  std::string text;
  for (char c : name.substr(0, 64)) {
    if (static_cast<unsigned char>(c) < ' ' || c == 0x7f)
      text += fmt::format("\\x{:02x}", static_cast<unsigned>(c));
    else
      text += c;
  }
  while (name.size() > 64 && !text.empty() && (text.back() & 0x80))
    text.pop_back(); // half a character, perhaps
  return name.size() > 64 ? text + "…" : text;
}

std::string whyNoName(const std::string &name) {
  if (name.empty())
    return "a kernel's name is empty: it becomes the name of the PTX entry, so give it one such as "
           "\"vector_add\"";
  for (std::size_t i = 0; i < name.size(); ++i)
    if (!isLetter(name[i]) && (i == 0 || !isDigit(name[i])))
      return fmt::format(
          "the name '{}' is not an identifier (character {}): it becomes the name of "
          "the PTX entry; use letters, digits and '_', and begin with no digit",
          printable(name), i + 1);
  if (name == "_" || name == "WARP_SZ")
    return fmt::format("the name '{}' is reserved in PTX: use another", name);
  if (name.size() > maxNameLength)
    return fmt::format("the name '{}…' has {} characters: PTX takes names of at most {}",
                       name.substr(0, 32), name.size(), maxNameLength);
  return {};
}

std::string whyNoOption(const char *option, int value, int largest) {
  if (value == 0)
    return {};
  if (value < 0 || value > largest || (value & (value - 1)) != 0)
    return fmt::format(
        "Options::{} is {}: it must be a power of two from 1 to {}, or 0 to leave the "
        "choice to the compiler",
        option, value, largest);
  return {};
}

std::string whyNoStages(int stages) {
  if (stages == 0 || stages == 1)
    return {};
  return fmt::format("Options::stages is {}: loops are not pipelined yet, so a loop has 1 stage; "
                     "leave the option at 1, or at 0",
                     stages);
}

} // namespace

void checkSource(const detail::KernelSource &source) {
  auto refuse = [&](std::string text, std::string kernel) {
    if (!text.empty())
      throw Error(source.at.file_name(), static_cast<int>(source.at.line()), std::move(kernel),
                  std::move(text));
  };
  refuse(whyNoName(source.name), "");
  refuse(whyNoOption("warps", source.options.warps, maxWarps), source.name);
  refuse(whyNoOption("elementsPerThread", source.options.elementsPerThread, maxElementsPerThread),
         source.name);
  refuse(whyNoStages(source.options.stages), source.name);
}

} // namespace trowel::compiler
