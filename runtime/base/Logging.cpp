// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// TROWEL_LOG: a comma-separated list of topics, or "all".
//
// The variable is read at the first question, and the answer is kept in one word, so that asking
// costs a launch one load and one test. A word that names no topic is complained about once, on the
// error stream, and never stops the program: a log setting must not break a run that works without
// it.
//
// A line is put together first and written by one call to write(2): lines of several threads, and
// of several processes that share a terminal, stay whole. Standard streams are not used; the
// library's output must not depend on what the program does to std::cerr or its locale.

#include "runtime/base/Logging.h"

#include <cstdlib>
#include <unistd.h>

namespace trowel {

namespace {
constexpr std::string_view topicNames[] = {"jit", "launch", "device"};

void writeLine(const std::string &line) {
  std::string_view rest = line;
  while (!rest.empty()) {
    ssize_t written = ::write(STDERR_FILENO, rest.data(), rest.size());
    if (written <= 0)
      return;
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
}

unsigned topicsOfEnvironment() {
  const char *value = std::getenv("TROWEL_LOG");
  LogTopics topics = parseLogTopics(value ? value : "");
  if (!topics.complaint.empty())
    writeLine("trowel: " + topics.complaint + "\n");
  return topics.bits;
}
} // namespace

LogTopics parseLogTopics(std::string_view value) {
  LogTopics topics;
  std::string unknown;
  while (!value.empty()) {
    std::size_t comma = value.find(',');
    std::string_view word = value.substr(0, comma);
    value = comma == std::string_view::npos ? std::string_view{} : value.substr(comma + 1);
    while (!word.empty() && word.front() == ' ')
      word.remove_prefix(1);
    while (!word.empty() && word.back() == ' ')
      word.remove_suffix(1);
    if (word.empty())
      continue;
    unsigned bits = word == "all" ? ~0u : 0u;
    for (unsigned topic = 0; topic < std::size(topicNames); ++topic)
      if (word == topicNames[topic])
        bits = 1u << topic;
    topics.bits |= bits;
    if (bits == 0)
      unknown += (unknown.empty() ? "'" : ", '") + std::string(word) + "'";
  }
  if (!unknown.empty())
    topics.complaint =
        "TROWEL_LOG names " + unknown +
        ", which is no topic; there are jit, launch, device and all, separated by commas";
  return topics;
}

bool logs(LogTopic topic) {
  static const unsigned bits = topicsOfEnvironment();
  return (bits >> static_cast<unsigned>(topic)) & 1u;
}

void logLine(LogTopic topic, std::string_view text) {
  std::string line = "trowel: ";
  line += topicNames[static_cast<unsigned>(topic)];
  line += ": ";
  line += text;
  line += '\n';
  writeLine(line);
}

void warnLine(std::string_view text) { writeLine("trowel: warning: " + std::string(text) + "\n"); }

} // namespace trowel
