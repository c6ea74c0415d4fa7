// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// trowel::Error. Its members are defined here so that its type information exists once, in
// libtrowel_runtime.so: an exception thrown by one library is then caught in the other.

#include "trowel/Error.h"

#include <utility>

namespace trowel {

static std::string compose(const std::string &file, int line, const std::string &kernel,
                           const std::string &text) {
  std::string message;
  if (!file.empty())
    message += line > 0 ? file + ":" + std::to_string(line) + ": " : file + ": ";
  if (!kernel.empty())
    message += "kernel '" + kernel + "': ";
  return message + text;
}

/// Of the call under way in this thread; none outside the library.
static thread_local std::source_location callSite;
static thread_local bool isInCall = false;

detail::CallSite::CallSite(const std::source_location &at) noexcept : isOutermost(!isInCall) {
  if (!isOutermost)
    return;
  isInCall = true;
  callSite = at;
}

detail::CallSite::~CallSite() {
  if (isOutermost)
    isInCall = false;
}

Error::Error(std::string text) : Error({}, 0, {}, std::move(text)) {}

Error::Error(std::string file, int line, std::string kernel, std::string text)
    : fileName(std::move(file)), lineNumber(line), kernelName(std::move(kernel)),
      sentence(std::move(text)) {
  if (fileName.empty() && lineNumber == 0 && isInCall) {
    fileName = callSite.file_name();
    lineNumber = static_cast<int>(callSite.line());
  }
  message = compose(fileName, lineNumber, kernelName, sentence);
}

Error::Error(const Error &) = default;
Error &Error::operator=(const Error &) = default;
Error::~Error() = default;

} // namespace trowel
