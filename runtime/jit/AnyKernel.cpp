// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches whose arguments are checked at run time.
//
// Kernel<...> holds its arguments to the parameters in the user's compiler. Here the same is done
// with values: the number of arguments, a pointer where the kernel takes one, the element type, and
// const where it may write. By what the kernel declares, not by what its code does: a Ptr<T> that
// is only read today may be written tomorrow, and its callers should not find out then.
//
// Integers are more lenient than in C++, because their value is at hand: a list of arguments is
// often made of plain ints. A parameter of an integer type, or an Index, takes every integer that
// it holds, and the message for another says what it holds. A bool is no integer, and nothing is
// rounded.
//
// The list is copied only if an integer changes its type.

#include "trowel/AnyKernel.h"

#include "runtime/device/Launch.h"
#include "trowel/Error.h"

#include <fmt/format.h>

namespace trowel {

namespace {

std::string describe(const KernelParameter &parameter) {
  switch (parameter.kind) {
  case KernelParameter::Kind::Index:
    return "an Index";
  case KernelParameter::Kind::Scalar:
    return fmt::format("a scalar of type {}", trowel::name(parameter.type));
  case KernelParameter::Kind::Pointer:
    break;
  }
  return fmt::format("a pointer to {}{}", parameter.readOnly ? "const " : "",
                     trowel::name(parameter.type));
}

/// The least and the greatest number of an integer type; both as 64 bits of their own signedness.
struct Range {
  std::int64_t least;
  std::uint64_t greatest;
};
Range rangeOf(ElementType type) {
  int bits = 8 * byteSize(type);
  if (isUnsigned(type))
    return {0, ~std::uint64_t{0} >> (64 - bits)};
  std::uint64_t greatest = ~std::uint64_t{0} >> (65 - bits);
  return {-static_cast<std::int64_t>(greatest) - 1, greatest};
}

[[noreturn]] void refuse(const AnyKernel &kernel, const Grid &grid, std::string text) {
  throw Error(grid.at.file_name(), static_cast<int>(grid.at.line()), kernel.name(),
              std::move(text));
}

/// The argument as the parameter's type. Refuses one that cannot be it.
LaunchArgument accepted(const AnyKernel &kernel, const Grid &grid, std::size_t number,
                        const LaunchArgument &argument) {
  const KernelParameter &parameter = kernel.parameters()[number];
  bool isPointer = parameter.kind == KernelParameter::Kind::Pointer;
  if (isPointer == (argument.kind == LaunchArgument::Kind::Pointer)) {
    if (argument.type == parameter.type) {
      if (isPointer && argument.constant && !parameter.readOnly)
        refuse(kernel, grid,
               fmt::format("{} is {}, and the kernel takes {} there, through which "
                           "it may write; pass a buffer or pointer that is not const",
                           nameOfArgument(number), trowel::describe(argument),
                           describe(parameter)));
      return argument;
    }
    if (!isPointer && isInteger(argument.type) && isInteger(parameter.type)) {
      std::int64_t value = integerValue(argument);
      bool isNegative = value < 0 && !isUnsigned(argument.type);
      Range range = rangeOf(parameter.type);
      if (isNegative ? value >= range.least : static_cast<std::uint64_t>(value) <= range.greatest) {
        LaunchArgument converted = argument;
        converted.type = parameter.type;
        converted.bits = static_cast<std::uint64_t>(value);
        return converted;
      }
      refuse(kernel, grid,
             fmt::format("{} is {}; the kernel takes {} there, which holds {} to {}",
                         nameOfArgument(number),
                         isNegative ? std::to_string(value)
                                    : std::to_string(static_cast<std::uint64_t>(value)),
                         describe(parameter), range.least, range.greatest));
    }
  }
  refuse(kernel, grid,
         fmt::format("{} is {}; the kernel takes {} there", nameOfArgument(number),
                     trowel::describe(argument), describe(parameter)));
}

} // namespace

void AnyKernel::start(const Stream *stream, const Grid &grid,
                      std::span<const LaunchArgument> arguments) const {
  std::span<const KernelParameter> wanted = parameters();
  if (arguments.size() != wanted.size())
    refuse(*this, grid,
           fmt::format("the kernel takes {} argument{}, {} {} given", wanted.size(),
                       wanted.size() == 1 ? "" : "s", arguments.size(),
                       arguments.size() == 1 ? "was" : "were"));
  std::vector<LaunchArgument> converted;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    LaunchArgument argument = accepted(*this, grid, i, arguments[i]);
    if (argument.type == arguments[i].type)
      continue;
    if (converted.empty())
      converted.assign(arguments.begin(), arguments.end());
    converted[i] = argument;
  }
  handle.launch(stream, grid, converted.empty() ? arguments : converted);
}

} // namespace trowel
