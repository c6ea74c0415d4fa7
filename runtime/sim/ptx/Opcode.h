// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An opcode cut at its dots: the root and its modifiers.
#pragma once

#include "runtime/sim/ptx/Type.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace trowel::sim::ptx {

/// "ld.global.v4.b32" is root "ld" and modifiers "global", "v4", "b32". A decoder takes the ones
/// that it understands; what is left over is a form that the device does not know.
struct Opcode {
  std::string_view root;
  std::vector<std::string_view> modifiers;

  explicit Opcode(std::string_view text) {
    std::size_t dot = text.find('.');
    root = text.substr(0, dot);
    while (dot != std::string_view::npos) {
      std::size_t next = text.find('.', dot + 1);
      modifiers.push_back(text.substr(
          dot + 1, next == std::string_view::npos ? std::string_view::npos : next - dot - 1));
      dot = next;
    }
  }

  /// Takes `modifier` out if it is there.
  bool take(std::string_view modifier) {
    auto found = std::find(modifiers.begin(), modifiers.end(), modifier);
    if (found == modifiers.end())
      return false;
    modifiers.erase(found);
    return true;
  }
  /// Takes out every modifier that begins with `prefix`, such as "L1::"; says whether any did.
  bool takeAllWithPrefix(std::string_view prefix) {
    return std::erase_if(modifiers, [&](std::string_view modifier) {
             return modifier.substr(0, prefix.size()) == prefix;
           }) != 0;
  }
  /// Takes the first modifier that names a type.
  std::optional<Type> takeType() {
    for (auto modifier = modifiers.begin(); modifier != modifiers.end(); ++modifier)
      if (std::optional<Type> type = parseType(*modifier)) {
        modifiers.erase(modifier);
        return type;
      }
    return std::nullopt;
  }
};

} // namespace trowel::sim::ptx
