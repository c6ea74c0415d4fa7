// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// EXPECT_ERROR(statement, text): the statement throws a trowel::Error with exactly this what().
#pragma once

#include "trowel/Error.h"

#include <gtest/gtest.h>

#include <string>

#define EXPECT_ERROR(statement, sentence)                                                          \
  do {                                                                                             \
    try {                                                                                          \
      statement;                                                                                   \
      ADD_FAILURE() << "nothing was thrown; expected: " << (sentence);                             \
    } catch (const trowel::Error &error) {                                                         \
      EXPECT_EQ(std::string(error.what()), std::string(sentence));                                 \
    }                                                                                              \
  } while (false)
