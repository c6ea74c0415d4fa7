// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads what PTX declares: variables, parameters and registers.
#pragma once

#include "runtime/sim/ptx/Syntax.h"
#include "runtime/sim/ptx/TokenStream.h"

namespace trowel::sim::ptx {

/// The value of an integer literal with an optional sign, modulo 2^64.
std::uint64_t parseInteger(TokenStream &tokens, std::string_view what);
/// An integer from 0 to `limit`.
std::uint64_t parseCount(TokenStream &tokens, std::string_view what, std::uint64_t limit);

/// The space that a directive such as ".global" names, if it names one.
std::optional<Space> spaceOf(const Token &token);
std::string_view name(Space space);

/// One or more variables, from behind the space's directive to the ';'.
std::vector<Variable> parseVariables(TokenStream &tokens, Space space, bool isExtern);
/// ".reg" declarations, from behind the directive to the ';'.
std::vector<Variable> parseRegisters(TokenStream &tokens);
/// "( .param … , … )".
std::vector<Variable> parseParameters(TokenStream &tokens);

} // namespace trowel::sim::ptx
