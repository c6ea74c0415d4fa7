// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of chips, for reports about a chip that is not in this machine.
//
// The figures are the vendor's. Threads, blocks, registers and shared memory of a multiprocessor
// are those of the chip's compute capability in the table "Technical Specifications per Compute
// Capability" of the CUDA C++ Programming Guide 13.0. Multiprocessors, L2, clock, bandwidth and
// peak rates come from these pages of NVIDIA's:
//
//   A100      A100 80GB SXM data sheet (June 2021) and the Ampere architecture white paper
//   H100      H100 SXM5 data sheet and the Hopper architecture white paper, v1.04
//   H200      H200 SXM data sheet: an H100 with other memory
//   B200      HGX B200 data sheet, an eighth of the board's figures
//   RTX 4090  the Ada GPU architecture white paper, v2.01, appendix A
//
// Peak bf16 is dense with f32 accumulation: half of the figure "with sparsity" that data sheets
// print first. A peak is what the arithmetic units could do at the clock the vendor chose for the
// figure, not a promise: an H200 under sustained load is held below its boost clock by its power
// limit.

#include "runtime/base/Chips.h"

#include <cctype>

namespace trowel {

namespace {
constexpr int kibi = 1024;
constexpr int mebi = 1024 * 1024;

// clang-format off
constexpr Chip table[] = {
    // name       target    SMs  threads blocks registers shared/SM   shared/block L2         MHz   GB/s  bf16    f32
    {"A100",     "sm_80",   108, 2048,   32,    65536,    164 * kibi, 163 * kibi,  40 * mebi,  1410, 2039, 312,    19.5},
    {"H100",     "sm_90a",  132, 2048,   32,    65536,    228 * kibi, 227 * kibi,  50 * mebi,  1980, 3352, 989.4,  66.9},
    {"H200",     "sm_90a",  132, 2048,   32,    65536,    228 * kibi, 227 * kibi,  50 * mebi,  1980, 4800, 989.4,  66.9},
    {"B200",     "sm_100a", 148, 2048,   32,    65536,    228 * kibi, 227 * kibi,  126 * mebi, 1965, 8000, 2250,   75},
    {"RTX 4090", "sm_89",   128, 1536,   24,    65536,    100 * kibi, 99 * kibi,   72 * mebi,  2520, 1008, 165.2,  82.6},
};
// clang-format on

bool sameName(std::string_view left, std::string_view right) {
  auto letters = [](std::string_view name) {
    std::string kept;
    for (unsigned char c : name)
      if (std::isalnum(c))
        kept += static_cast<char>(std::tolower(c));
    return kept;
  };
  return letters(left) == letters(right);
}
} // namespace

std::span<const Chip> chips() { return table; }

const Chip *findChip(std::string_view name) {
  for (const Chip &chip : table)
    if (sameName(chip.name, name))
      return &chip;
  return nullptr;
}

std::string chipNames() {
  std::string names;
  for (const Chip &chip : table) {
    if (!names.empty())
      names += ", ";
    names += chip.name;
  }
  return names;
}

} // namespace trowel
