// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rules of the language for single elements, in plain C++.
#pragma once

#include "tests/support/programs/Program.h"

#include <vector>

namespace trowel::programs {

using Elements = std::vector<Bits>;

/// Converts as `cast` does.
Elements convert(ElementType to, ElementType from, const Elements &values);
/// A number of the host as an element of a type.
Bits elementOf(ElementType type, const HostNumber &number);
Bits elementOf(ElementType type, std::int64_t number);
/// An integer or bool as a signed number of 64 bits; an uint64 keeps its bits.
std::int64_t integerOf(ElementType type, Bits value);
double numberOf(ElementType type, Bits value);
bool isNaN(ElementType type, Bits value);

/// An operation that gives its operands' type. All operands are of this type and equally many.
Elements applyUnary(Op op, ElementType type, const Elements &a);
Elements applyBinary(Op op, ElementType type, const Elements &a, const Elements &b);
Elements applyFma(ElementType type, const Elements &a, const Elements &b, const Elements &c);
Elements applyComparison(Op op, ElementType type, const Elements &a, const Elements &b);
/// Counts are of a type of their own.
Elements applyShift(Op op, ElementType type, const Elements &a, ElementType countType,
                    const Elements &counts);
/// What an approximate operation should give, for float types that a double holds.
double reference(Op op, double a, double b);

} // namespace trowel::programs
