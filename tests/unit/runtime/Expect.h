// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// EXPECT_ERROR(statement, text): the statement throws a trowel::Error with exactly this what(),
// before which the place of the statement may stand, and no other place.
#pragma once

#include "trowel/Error.h"

#include <gtest/gtest.h>

#include <string>

namespace trowel::test {
/// what() without "file:line: " where that is the given place.
inline std::string textAt(const Error &error, const char *file, int line) {
  std::string what = error.what(), place = std::string(file) + ":" + std::to_string(line) + ": ";
  return what.starts_with(place) ? what.substr(place.size()) : what;
}
} // namespace trowel::test

#define EXPECT_ERROR(statement, sentence)                                                          \
  do {                                                                                             \
    try {                                                                                          \
      statement;                                                                                   \
      ADD_FAILURE() << "nothing was thrown; expected: " << (sentence);                             \
    } catch (const trowel::Error &error) {                                                         \
      EXPECT_EQ(trowel::test::textAt(error, __FILE__, __LINE__), std::string(sentence));           \
    }                                                                                              \
  } while (false)
