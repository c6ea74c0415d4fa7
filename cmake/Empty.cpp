// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The source that carries the precompiled header; it has nothing of its own.
