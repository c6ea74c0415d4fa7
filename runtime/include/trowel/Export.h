// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Marks what the shared libraries export; everything else is hidden.
#pragma once

#define TROWEL_API __attribute__((visibility("default")))
