// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A value or the sentence that says why there is none. Used inside the runtime; public calls turn a
// failure into a trowel::Error.
#pragma once

#include <optional>
#include <string>
#include <utility>

namespace trowel {

struct Failure {
  std::string text;
};

template <class T> class [[nodiscard]] Result {
public:
  Result(T value) : content(std::move(value)) {}
  Result(Failure failure) : reason(std::move(failure.text)) {}

  explicit operator bool() const { return content.has_value(); }
  T &operator*() { return *content; }
  const T &operator*() const { return *content; }
  T *operator->() { return &*content; }
  const T *operator->() const { return &*content; }
  /// The sentence; empty where there is a value.
  const std::string &error() const { return reason; }

private:
  std::optional<T> content;
  std::string reason;
};

} // namespace trowel
