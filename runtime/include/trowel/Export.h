// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Marks what the shared libraries export; everything else is hidden.
#pragma once

#if __cplusplus < 202002L
#error "Trowel's headers are C++20: compile with -std=c++20"
#endif

#define TROWEL_API __attribute__((visibility("default")))
