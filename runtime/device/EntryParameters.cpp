// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the parameter list of a PTX entry.
//
// cuLaunchKernel gets an array of pointers without a length and reads as many, and as many bytes
// behind each, as the entry declares. A manifest that names fewer or smaller parameters than the
// PTX declares, because a file was edited or two files were mixed up, would make the driver read
// past the array and crash the process. The driver can be asked for the declaration only since
// CUDA 12.4, so it is read from the text, once per load:
//
//   .visible .entry add(
//     .param .u64 .ptr .align 1 add_param_0,
//     .param .align 16 .b8 add_param_1[64]
//   )
//
// A parameter is ".param", then directives in any order of which the last type (.u64, .f32, .b8
// ...) counts, then a name and perhaps a length in brackets. ".align" is followed by a number.
// Comments are skipped. This is no parser of PTX: what it cannot read is refused with a sentence.

#include "runtime/device/EntryParameters.h"

#include <cctype>
#include <charconv>

namespace trowel {

namespace {
class Words {
public:
  explicit Words(std::string_view text) : rest(text) {}

  /// The next word or punctuation character; empty at the end.
  std::string_view next() {
    skipBlanksAndComments();
    if (rest.empty())
      return {};
    std::size_t length = 1;
    if (isWordPart(rest[0]))
      while (length < rest.size() && isWordPart(rest[length]))
        ++length;
    std::string_view word = rest.substr(0, length);
    rest.remove_prefix(length);
    return word;
  }

private:
  static bool isWordPart(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '%' ||
           c == '.';
  }
  void skipBlanksAndComments() {
    while (!rest.empty()) {
      if (std::isspace(static_cast<unsigned char>(rest[0])))
        rest.remove_prefix(1);
      else if (rest.starts_with("//"))
        rest.remove_prefix(std::min(rest.find('\n'), rest.size()));
      else if (rest.starts_with("/*")) {
        std::size_t end = rest.find("*/", 2);
        rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 2);
      } else
        return;
    }
  }

  std::string_view rest;
};

/// Bytes of a type directive such as ".u64"; 0 if it is none.
int typeBytes(std::string_view word) {
  if (word.size() < 3 || word[0] != '.' || std::string_view("bufs").find(word[1]) == word.npos)
    return 0;
  int bits = 0;
  auto [end, status] = std::from_chars(word.data() + 2, word.data() + word.size(), bits);
  return status == std::errc{} && end == word.data() + word.size() ? bits / 8 : 0;
}

bool toNumber(std::string_view word, int &number) {
  auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), number);
  return status == std::errc{} && end == word.data() + word.size();
}
} // namespace

Result<std::vector<int>> entryParameterBytes(std::string_view ptx, std::string_view entry) {
  Words words(ptx);
  std::string_view word;
  do {
    word = words.next();
    if (word == ".entry")
      word = words.next() == entry ? "found" : "other";
  } while (!word.empty() && word != "found");
  if (word.empty())
    return Failure{"the PTX has no .entry '" + std::string(entry) + "'"};

  std::vector<int> sizes;
  if (words.next() != "(")
    return sizes;
  Failure unreadable{"the parameter list of .entry '" + std::string(entry) +
                     "' cannot be read at parameter "};
  word = words.next();
  while (word == ".param") {
    std::string_view name;
    int element = 0, count = 1;
    for (word = words.next(); !word.empty() && word != "," && word != ")"; word = words.next()) {
      if (int bytes = typeBytes(word))
        element = bytes;
      else if (word == ".align")
        words.next();
      else if (word == "[") {
        if (!toNumber(words.next(), count) || words.next() != "]")
          break;
      } else if (word[0] != '.')
        name = word;
    }
    if ((word != "," && word != ")") || name.empty() || element == 0)
      break;
    sizes.push_back(element * count);
    if (word == ")")
      return sizes;
    word = words.next();
  }
  if (word == ")" && sizes.empty())
    return sizes;
  unreadable.text += std::to_string(sizes.size());
  return unreadable;
}

} // namespace trowel
