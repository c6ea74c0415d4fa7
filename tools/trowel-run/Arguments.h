// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launch arguments as written on the command line: "f32[1024]:iota,i32=7".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace trowel::run {

enum class NumberKind { Bits, Signed, Unsigned, Half, BFloat, Float, Double };

struct ElementKind {
  std::string_view name;
  unsigned bytes;
  NumberKind kind;
};

/// The row of "f32" and its like; null if there is none.
const ElementKind *findElementKind(std::string_view name);

struct Argument {
  const ElementKind *element = nullptr;
  /// A buffer of `data` whose address is passed; else `data` is the value itself.
  bool isBuffer = false;
  std::vector<std::byte> data;
  /// The buffer is allocated, but `data` is not copied there.
  bool unwritten = false;
  /// What it is called in messages.
  std::string name;

  std::size_t count() const { return data.size() / element->bytes; }
};

/// The arguments of a list. Throws trowel::Error that quotes the one that is wrong.
std::vector<Argument> parseArguments(const std::string &list);

/// The values as people read them, at most `limit` of them.
std::string valuesText(const Argument &argument, std::size_t limit);

/// Value `index` as a number.
double numberAt(const Argument &argument, std::size_t index);

} // namespace trowel::run
