// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inputs and expected outputs that a PTX file carries in its comments.
//
//   // RUN: trowel-run %s --grid 1 --block 2 --check
//   // in:  x b32 3f800000 40000000      a buffer for the parameter x
//   // in:  n b32 = 00000002             a scalar
//   // out: y b32 40000000 ????0000~2    what the buffer y holds afterwards
//
// Values are bits in hexadecimal, of b8, b16, b32 or b64, in the order of memory. A further line
// for the same parameter goes on where the last ended. A parameter without an "in" line is a buffer
// filled with ones, as long as its "out" lines. '?' is any digit. "~2" allows a GPU to be 2 units
// of the last place off, as integers; the software device is always held to the digits themselves.

#include "Check.h"

#include "trowel/Error.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <optional>
#include <sstream>

namespace trowel::run {

namespace {

struct CheckLine {
  bool isInput = false;
  unsigned number = 0;
  std::string name;
  const ElementKind *element = nullptr;
  bool isScalar = false;
  std::vector<std::string> values;
};

[[noreturn]] void fail(const PtxFile &file, unsigned line, const std::string &text) {
  throw Error(fmt::format("{}:{}: {}", file.path, line, text));
}

CheckLine parseLine(const PtxFile &file, unsigned number, bool isInput, const std::string &text) {
  CheckLine line;
  line.isInput = isInput;
  line.number = number;
  std::istringstream words(text);
  std::string type, value;
  words >> line.name >> type;
  line.element = findElementKind(type);
  if (!line.element || line.element->kind != NumberKind::Bits)
    fail(file, number, "expected a parameter's name and b8, b16, b32 or b64, found '" + text + "'");
  while (words >> value) {
    if (value == "=")
      line.isScalar = true;
    else
      line.values.push_back(value);
  }
  if (line.values.empty() || (line.isScalar && (!isInput || line.values.size() != 1)))
    fail(file, number,
         line.isScalar ? "a scalar has one value, and is an input" : "expected hexadecimal values");
  return line;
}

std::vector<CheckLine> parseLines(const PtxFile &file) {
  std::vector<CheckLine> lines;
  std::istringstream stream(file.text);
  std::string text;
  for (unsigned number = 1; std::getline(stream, text); ++number) {
    constexpr std::string_view in = "// in:", out = "// out:";
    if (text.starts_with(in))
      lines.push_back(parseLine(file, number, true, text.substr(in.size())));
    else if (text.starts_with(out))
      lines.push_back(parseLine(file, number, false, text.substr(out.size())));
  }
  return lines;
}

void appendBits(const PtxFile &file, const CheckLine &line, std::vector<std::byte> &data) {
  for (const std::string &value : line.values) {
    std::uint64_t bits = 0;
    const char *end = value.data() + value.size();
    auto [stop, error] = std::from_chars(value.data(), end, bits, 16);
    if (error != std::errc() || stop != end || value.size() != 2 * line.element->bytes)
      fail(file, line.number,
           fmt::format("expected {} hexadecimal digits, found '{}'", 2 * line.element->bytes,
                       value));
    std::size_t at = data.size();
    data.resize(at + line.element->bytes);
    std::memcpy(data.data() + at, &bits, line.element->bytes);
  }
}

void appendExpected(const PtxFile &file, const CheckLine &line, ExpectedBuffer &buffer) {
  for (const std::string &value : line.values) {
    ExpectedElement element;
    element.line = line.number;
    std::size_t tilde = value.find('~');
    element.digits = value.substr(0, tilde);
    bool good = element.digits.size() == 2 * line.element->bytes &&
                element.digits.find_first_not_of("0123456789abcdef?") == std::string::npos;
    if (tilde != std::string::npos) {
      const char *end = value.data() + value.size();
      auto [stop, error] = std::from_chars(value.data() + tilde + 1, end, element.tolerance);
      good &= error == std::errc() && stop == end;
    }
    if (!good)
      fail(file, line.number,
           fmt::format(
               "expected {} lower-case hexadecimal digits or '?', and perhaps ~N, found '{}'",
               2 * line.element->bytes, value));
    buffer.elements.push_back(std::move(element));
  }
}

bool matches(std::string_view pattern, std::string_view digits) {
  for (std::size_t i = 0; i < pattern.size(); ++i)
    if (pattern[i] != '?' && pattern[i] != digits[i])
      return false;
  return true;
}

/// Floats in the order of their values, so that neighbours differ by one.
std::int64_t ordered(std::uint64_t bits, unsigned bytes) {
  std::uint64_t sign = std::uint64_t{1} << (8 * bytes - 1);
  auto magnitude = static_cast<std::int64_t>(bits & (sign - 1));
  return bits & sign ? -magnitude : magnitude;
}

bool isClose(const ExpectedElement &expected, std::uint64_t found, unsigned bytes) {
  std::uint64_t wanted = 0;
  const char *end = expected.digits.data() + expected.digits.size();
  auto [stop, error] = std::from_chars(expected.digits.data(), end, wanted, 16);
  if (error != std::errc() || stop != end)
    return false;
  std::int64_t distance = ordered(wanted, bytes) - ordered(found, bytes);
  return distance <= expected.tolerance && distance >= -expected.tolerance;
}

} // namespace

CheckLines readCheckLines(const PtxFile &file, const ChosenEntry &entry) {
  CheckLines result;
  std::vector<bool> seen(entry.parameters.size());
  result.arguments.resize(entry.parameters.size());
  for (const CheckLine &line : parseLines(file)) {
    auto parameter =
        std::find_if(entry.parameters.begin(), entry.parameters.end(),
                     [&](const EntryParameter &candidate) { return candidate.name == line.name; });
    if (parameter == entry.parameters.end())
      fail(file, line.number,
           "the entry '" + entry.name + "' has no parameter '" + line.name + "'");
    auto index = static_cast<std::size_t>(parameter - entry.parameters.begin());
    Argument &argument = result.arguments[index];
    if (seen[index] && argument.element != line.element)
      fail(file, line.number, "the lines for '" + line.name + "' differ in type");
    seen[index] = true;
    argument.element = line.element;
    argument.name = "'" + line.name + "'";
    argument.isBuffer = !line.isScalar;
    if (line.isInput) {
      appendBits(file, line, argument.data);
      continue;
    }
    auto buffer =
        std::find_if(result.expected.begin(), result.expected.end(),
                     [&](const ExpectedBuffer &candidate) { return candidate.argument == index; });
    if (buffer == result.expected.end()) {
      result.expected.emplace_back().argument = index;
      buffer = std::prev(result.expected.end());
    }
    appendExpected(file, line, *buffer);
  }
  for (const ExpectedBuffer &buffer : result.expected) {
    Argument &argument = result.arguments[buffer.argument];
    if (argument.data.empty())
      argument.data.assign(buffer.elements.size() * argument.element->bytes, std::byte{0xff});
    if (argument.count() != buffer.elements.size())
      fail(file, buffer.elements.front().line,
           fmt::format("{} has {} elements in and {} out", argument.name, argument.count(),
                       buffer.elements.size()));
  }
  for (std::size_t i = 0; i < seen.size(); ++i)
    if (!seen[i])
      throw Error(file.path + ": there is no '// in:' or '// out:' line for the parameter '" +
                  entry.parameters[i].name + "'");
  if (result.expected.empty())
    throw Error(file.path + ": there is nothing to check: no line begins with '// out:'");
  return result;
}

std::vector<std::string> checkOptions(const PtxFile &file) {
  std::istringstream stream(file.text);
  std::string text;
  while (std::getline(stream, text)) {
    constexpr std::string_view run = "// RUN: trowel-run %s";
    if (!text.starts_with(run))
      continue;
    std::istringstream words(text.substr(run.size()));
    std::vector<std::string> options;
    for (std::string word; words >> word;)
      options.push_back(word);
    if (std::erase(options, "--check") != 0)
      return options;
  }
  return {};
}

std::vector<std::string> compare(const PtxFile &file, const CheckLines &lines,
                                 const std::vector<Argument> &results, bool allowTolerance) {
  constexpr std::size_t most = 8;
  std::vector<std::string> differences;
  for (const ExpectedBuffer &buffer : lines.expected) {
    const Argument &result = results[buffer.argument];
    unsigned bytes = result.element->bytes;
    for (std::size_t i = 0; i < buffer.elements.size(); ++i) {
      const ExpectedElement &expected = buffer.elements[i];
      std::uint64_t bits = 0;
      std::memcpy(&bits, result.data.data() + i * bytes, bytes);
      std::string digits = fmt::format("{:0{}x}", bits, 2 * bytes);
      if (matches(expected.digits, digits) || (allowTolerance && isClose(expected, bits, bytes)))
        continue;
      if (differences.size() == most) {
        differences.push_back("further elements differ");
        return differences;
      }
      differences.push_back(fmt::format("{}:{}: {}[{}] is {}, expected {}", file.path,
                                        expected.line, result.name, i, digits, expected.digits));
    }
  }
  return differences;
}

} // namespace trowel::run
