// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one exception that Trowel throws.
//
//   try { k.launch({rows}, x, y); }
//   catch (const trowel::Error &e) { std::puts(e.what()); }  // file:line: kernel 'k': text
#pragma once

#include "trowel/Export.h"

#include <exception>
#include <source_location>
#include <string>

namespace trowel {

/// A mistake of the user's or a failure of the machine, with the C++ line it belongs to where there
/// is one. `what()` is "file:line: kernel 'k': text"; parts that are unknown are left out.
class TROWEL_API Error : public std::exception {
public:
  /// An error of the call of the library that is under way, at its line; of no line outside one.
  explicit Error(std::string text);
  /// An error at a line of a kernel. An empty `file` or `kernel`, or a line of 0, means unknown; of
  /// an unknown line, the call under way counts.
  Error(std::string file, int line, std::string kernel, std::string text);
  Error(const Error &);
  Error &operator=(const Error &);
  ~Error() override;

  const char *what() const noexcept override { return message.c_str(); }
  /// The C++ source file as the compiler spelled it; empty if unknown.
  const std::string &file() const { return fileName; }
  /// The 1-based line in `file()`; 0 if unknown.
  int line() const { return lineNumber; }
  /// The name of the kernel; empty if the error belongs to none.
  const std::string &kernel() const { return kernelName; }
  /// The sentence without file, line and kernel.
  const std::string &text() const { return sentence; }

private:
  std::string fileName;
  int lineNumber = 0;
  std::string kernelName;
  std::string sentence;
  std::string message;
};

namespace detail {
/// While it lives, errors of this thread that know no line of a kernel belong to that line. Of
/// several the outermost counts, which is the user's: calls of the library use others.
class TROWEL_API CallSite {
public:
  explicit CallSite(const std::source_location &at) noexcept;
  ~CallSite();
  CallSite(const CallSite &) = delete;
  CallSite &operator=(const CallSite &) = delete;

private:
  bool isOutermost;
};
} // namespace detail

} // namespace trowel
