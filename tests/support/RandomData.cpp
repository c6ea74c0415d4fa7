// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random data that do not depend on the machine or the library.
//
// A test that fails on one machine must fail on the next one with the same numbers, and a result
// that was computed on a GPU is compared with one computed elsewhere. The standard library's
// distributions may differ from one implementation to another, so they are not used. The generator
// is the finaliser of splitmix64, a bijection of 64 bits that passes the usual batteries, applied
// to seed and index: element i needs no element before it, so data of any size can be made in
// parts.
//
// Rejected: a Mersenne twister with its own scaling; its state makes the value of an element depend
// on how many numbers somebody drew before.
#include "tests/support/RandomData.h"

#include <cstring>

namespace trowel::support {

static std::uint64_t mix(std::uint64_t word) {
  word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9u;
  word = (word ^ (word >> 27)) * 0x94d049bb133111ebu;
  return word ^ (word >> 31);
}

std::uint64_t randomBits(std::uint64_t seed, std::uint64_t index) {
  const std::uint64_t golden = 0x9e3779b97f4a7c15u;
  return mix(mix(seed + golden) + (index + 1) * golden);
}

double randomUnit(std::uint64_t seed, std::uint64_t index) {
  return static_cast<double>(randomBits(seed, index) >> 11) * 0x1p-53;
}

std::int64_t randomInteger(std::uint64_t seed, std::uint64_t index, std::int64_t lowest,
                           std::int64_t highest) {
  std::uint64_t span = static_cast<std::uint64_t>(highest) - static_cast<std::uint64_t>(lowest) + 1;
  std::uint64_t bits = randomBits(seed, index);
  // A span of 0 is all 2^64 integers. The bias of the remainder is span / 2^64, far below what a
  // test sees.
  std::uint64_t offset = span == 0 ? bits : bits % span;
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(lowest) + offset);
}

std::vector<float> anyFinite(std::size_t count, std::uint64_t seed) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t bits = randomBits(seed, i);
    // Exponents 0 to 254; 255 would be an infinity or a NaN.
    auto exponent = static_cast<std::uint32_t>((bits >> 32) % 255);
    std::uint32_t word = (static_cast<std::uint32_t>(bits) & 0x807fffffu) | exponent << 23;
    std::memcpy(&values[i], &word, sizeof word);
  }
  return values;
}

} // namespace trowel::support
