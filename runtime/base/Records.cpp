// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the bytes that a kernel wrote to sorted lines.
//
// Threads take room in the buffer in an order of chance. A record carries its program, how many
// prints its program had executed before, and its element; sorted by these, the lines of a launch
// are the same in every run, and those of one program are in the order of its code, loops included.
//
// The buffer is device memory, which a kernel with a wrong address may have overwritten. So nothing
// in it is trusted: a number that the manifest does not have, or a record that is cut off, ends the
// reading.
//
// Numbers are printed with the fewest digits that give the same number of the same type again. For
// f16 and bf16 that is less than their float has: 0.1 rather than 0.099975586.

#include "runtime/base/Records.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <tuple>

namespace trowel::records {

namespace {
constexpr std::size_t standardBytes = std::size_t{1} << 20;
constexpr std::size_t leastBytes = 1024;
constexpr std::size_t mostBytes = std::size_t{1} << 30;

template <class T> T bitsAs(std::uint64_t bits) {
  T value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// A number of 16 bits with the fewest digits that round to it.
template <class T> std::string shortest(T value) {
  auto number = static_cast<float>(value);
  if (!std::isfinite(number))
    return fmt::format("{}", number);
  for (int digits = 1; digits < 6; ++digits) {
    std::string text = fmt::format("{:.{}g}", number, digits);
    if (static_cast<float>(T(std::strtof(text.c_str(), nullptr))) == number)
      return text;
  }
  return fmt::format("{}", number);
}

std::string valueText(ElementType type, std::uint64_t bits) {
  switch (type) {
  case ElementType::Bool:
    return bits & 1 ? "true" : "false";
  case ElementType::Int8:
    return fmt::format("{}", static_cast<int>(bitsAs<std::int8_t>(bits)));
  case ElementType::Int16:
    return fmt::format("{}", bitsAs<std::int16_t>(bits));
  case ElementType::Int32:
    return fmt::format("{}", bitsAs<std::int32_t>(bits));
  case ElementType::Int64:
    return fmt::format("{}", bitsAs<std::int64_t>(bits));
  case ElementType::UInt8:
  case ElementType::UInt16:
  case ElementType::UInt32:
  case ElementType::UInt64:
    return fmt::format("{}", bits);
  case ElementType::Float16:
    return shortest(bitsAs<f16>(bits));
  case ElementType::BFloat16:
    return shortest(bitsAs<bf16>(bits));
  case ElementType::Float32:
    return fmt::format("{}", bitsAs<float>(bits));
  case ElementType::Float64:
    return fmt::format("{}", bitsAs<double>(bits));
  }
  return {};
}

int wordsOf(ElementType type) { return byteSize(type) == 8 ? 2 : 1; }

/// A record where it lies.
struct Record {
  const RecordSite *site;
  std::uint32_t words[fixedWords];
  const std::byte *values;

  std::uint32_t x() const { return words[2]; }
  std::uint32_t y() const { return words[3] & 0xffff; }
  std::uint32_t z() const { return words[3] >> 16; }
  auto order() const { return std::tuple(z(), y(), x(), words[1], words[4]); }
};

std::vector<std::int64_t> elementOf(const RecordSite &site, std::int64_t index) {
  std::vector<std::int64_t> element(site.extents.size());
  for (std::size_t axis = element.size(); axis-- > 0; index /= site.extents[axis])
    element[axis] = index % site.extents[axis];
  return element;
}

Printed printed(const Manifest &manifest, const Record &record) {
  const RecordSite &site = *record.site;
  Printed line{site.file,
               site.line,
               manifest.kernel,
               {record.x(), record.y(), record.z()},
               elementOf(site, record.words[4]),
               site.texts.front(),
               0};
  const std::byte *at = record.values;
  for (std::size_t i = 0; i < site.types.size(); ++i) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, at, 4 * static_cast<std::size_t>(wordsOf(site.types[i])));
    at += 4 * wordsOf(site.types[i]);
    line.text += valueText(site.types[i], bits) + site.texts[i + 1];
  }
  return line;
}

std::string place(const Printed &line) {
  std::string text = fmt::format("({}, {}, {})", line.program[0], line.program[1], line.program[2]);
  if (!line.element.empty())
    text += fmt::format(" [{}]", fmt::join(line.element, ", "));
  return text;
}

std::optional<Error> failureOf(const Manifest &manifest, const std::vector<Printed> &failures,
                               std::uint64_t lost) {
  if (failures.empty() && lost == 0)
    return std::nullopt;
  if (failures.empty())
    return Error({}, 0, manifest.kernel,
                 fmt::format("checks failed {} times; which, did not fit the buffer that prints "
                             "had filled: set TROWEL_PRINT_BYTES to more",
                             lost));
  const Printed &first = failures.front();
  std::string text = fmt::format("check failed in program {}: {}", place(first), first.text);
  if (std::uint64_t more = failures.size() - 1 + lost)
    text += fmt::format("; and {} more", more);
  return Error(first.file, first.line, first.kernel, text);
}
} // namespace

Told read(const Manifest &manifest, const Header &header, std::span<const std::byte> bytes) {
  std::vector<Record> found;
  for (std::size_t at = 0; bytes.size() - at >= 4 * fixedWords;) {
    Record record;
    std::memcpy(record.words, bytes.data() + at, sizeof record.words);
    if (record.words[0] >= manifest.records.size())
      break;
    record.site = &manifest.records[record.words[0]];
    int valueWords = 0;
    for (ElementType type : record.site->types)
      valueWords += wordsOf(type);
    auto size = static_cast<std::size_t>(recordBytes(valueWords));
    if (size > bytes.size() - at)
      break;
    record.values = bytes.data() + at + sizeof record.words;
    found.push_back(record);
    at += size;
  }
  // One element of one execution has one record.
  std::sort(found.begin(), found.end(),
            [](const Record &a, const Record &b) { return a.order() < b.order(); });
  Told told;
  std::vector<Printed> failures;
  for (const Record &record : found)
    (record.site->isCheck ? failures : told.prints).push_back(printed(manifest, record));
  if (header.lostPrints != 0) {
    Printed note;
    note.kernel = manifest.kernel;
    note.lost = header.lostPrints;
    note.text = fmt::format("and {} more that did not fit the {} bytes of a launch; set "
                            "TROWEL_PRINT_BYTES to more",
                            header.lostPrints, header.room);
    told.prints.push_back(std::move(note));
  }
  told.failure = failureOf(manifest, failures, header.lostFailures);
  return told;
}

std::size_t bufferBytes() {
  const char *wanted = std::getenv("TROWEL_PRINT_BYTES");
  if (!wanted || !*wanted)
    return headerBytes + standardBytes;
  char *end = nullptr;
  std::uint64_t bytes = std::strtoull(wanted, &end, 10);
  if (*wanted < '0' || *wanted > '9' || *end || bytes < leastBytes || bytes > mostBytes)
    throw Error(fmt::format("TROWEL_PRINT_BYTES is '{}'; it must be a whole number from {} to {}",
                            wanted, leastBytes, mostBytes));
  return headerBytes + static_cast<std::size_t>(bytes) / 8 * 8;
}

} // namespace trowel::records

namespace trowel {

std::string Printed::toString() const {
  std::string where = file.empty() ? "" : fmt::format("{}:{}: ", file, line);
  return fmt::format("{}kernel '{}'{}: {}", where, kernel,
                     lost == 0 ? " " + records::place(*this) : "", text);
}

} // namespace trowel
