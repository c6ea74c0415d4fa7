// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel before it is traced: its name, its options, its parameters, and the lambda.
//
// Users write kernel(name, lambda, options), which Kernel.h declares; this header knows nothing of
// devices or launches.
#pragma once

#include "trowel/Control.h"
#include "trowel/Library.h"
#include "trowel/Memory.h"
#include "trowel/Program.h"
#include "trowel/Shape.h"

#include <string>
#include <utility>

namespace trowel {

/// What a kernel asks of the compiler; 0 leaves a choice to it. A value that cannot be had is
/// refused with the reason.
///
///   auto k = kernel("scale", body, Options{.warps = 8});
///   auto l = kernel("scale", body, Options{.elementsPerThread = 16});
struct Options {
  /// Warps of 32 threads that run one program: a power of two up to 32.
  int warps = 0;
  /// Elements of a tile that one thread holds: a power of two up to 256.
  int elementsPerThread = 0;
  /// Trips of a loop whose loads are under way at a time: 1, as loops are not pipelined yet.
  int stages = 0;

  bool operator==(const Options &) const = default;
};

namespace detail {

/// One parameter of a kernel.
struct Parameter {
  enum class Kind : std::uint8_t { Pointer, Index, Scalar };
  Kind kind;
  ElementType type;
  /// A Ptr<const T>, which is only loaded from.
  bool readOnly;
};

/// Maps a parameter's C++ type to its description; unknown for everything that is no parameter.
template <class P> struct ParameterOf {
  static constexpr bool known = false;
  static constexpr Parameter value{};
};
template <class T> struct ParameterOf<Ptr<T>> {
  static constexpr bool known = true;
  static constexpr Parameter value{Parameter::Kind::Pointer, ElementOf<T>::type,
                                   std::is_const_v<T>};
};
template <> struct ParameterOf<Index> {
  static constexpr bool known = true;
  static constexpr Parameter value{Parameter::Kind::Index, ElementType::Int64, true};
};
template <class T> struct ParameterOf<Scalar<T>> {
  static constexpr bool known = true;
  static constexpr Parameter value{Parameter::Kind::Scalar, ElementOf<T>::type, true};
};

/// A lambda whose type has been forgotten: how to call it, and how to destroy it.
class Body {
public:
  Body() = default;
  template <class Lambda, class... Params> static Body make(Lambda lambda) {
    Body body;
    body.object = new Lambda(std::move(lambda));
    body.call = [](const void *object, const Value *arguments) {
      callWith<Lambda, Params...>(*static_cast<const Lambda *>(object), arguments,
                                  std::index_sequence_for<Params...>());
    };
    body.destroy = [](void *object) { delete static_cast<Lambda *>(object); };
    return body;
  }
  Body(Body &&other) noexcept
      : object(std::exchange(other.object, nullptr)), call(other.call), destroy(other.destroy) {}
  Body &operator=(Body &&other) noexcept {
    std::swap(object, other.object);
    std::swap(call, other.call);
    std::swap(destroy, other.destroy);
    return *this;
  }
  ~Body() {
    if (object)
      destroy(object);
  }

  void operator()(const Value *arguments) const { call(object, arguments); }

private:
  template <class Lambda, class... Params, std::size_t... i>
  static void callWith(const Lambda &lambda, const Value *arguments, std::index_sequence<i...>) {
    lambda(Params(arguments[i])...);
  }

  void *object = nullptr;
  void (*call)(const void *, const Value *) = nullptr;
  void (*destroy)(void *) = nullptr;
};

/// What a trace starts from.
struct KernelSource {
  std::string name;
  Options options;
  /// Lives as long as the program: a constant of the parameter list's type.
  const Parameter *parameters = nullptr;
  std::size_t parameterCount = 0;
  Body body;
  /// Where kernel(…) was called.
  std::source_location at;
};

/// The parameters of a lambda's call operator.
template <class... Params> struct ParameterList {
  static constexpr std::size_t count = sizeof...(Params);
  static constexpr bool allKnown = (ParameterOf<Params>::known && ...);
  static constexpr Parameter values[count + 1] = {ParameterOf<Params>::value..., Parameter{}};
};
template <class Signature> struct SignatureOf {
  static constexpr bool known = false;
};
template <class C, class R, class... Params> struct SignatureOf<R (C::*)(Params...) const> {
  static constexpr bool known = true;
  static constexpr bool returnsNothing = std::is_void_v<R>;
  /// Arguments are made for the call, so a reference must be to const.
  static constexpr bool takesValues = (... && (!std::is_lvalue_reference_v<Params> ||
                                               std::is_const_v<std::remove_reference_t<Params>>));
  using List = ParameterList<std::remove_cvref_t<Params>...>;
};
template <class C, class R, class... Params>
struct SignatureOf<R (C::*)(Params...) const noexcept> : SignatureOf<R (C::*)(Params...) const> {};

template <class Lambda>
concept HasOneCallOperator = requires { &Lambda::operator(); };
template <class Lambda> struct CallSignature {
  static constexpr bool known = false;
};
template <HasOneCallOperator Lambda>
struct CallSignature<Lambda> : SignatureOf<decltype(&Lambda::operator())> {};

/// The source of a kernel whose lambda has the signature List.
template <class List> struct SourceMaker;
template <class... Params> struct SourceMaker<ParameterList<Params...>> {
  template <class Lambda>
  static KernelSource make(std::string name, Lambda lambda, Options options,
                           std::source_location at) {
    KernelSource source;
    source.name = std::move(name);
    source.options = options;
    source.parameters = ParameterList<Params...>::values;
    source.parameterCount = sizeof...(Params);
    source.body = Body::make<Lambda, Params...>(std::move(lambda));
    source.at = at;
    return source;
  }
};

/// Says why a lambda cannot be a kernel, and whether it can.
template <class Lambda> constexpr bool checkLambda() {
  using Signature = CallSignature<Lambda>;
  static_assert(HasOneCallOperator<Lambda>,
                "a kernel is a lambda with one call operator whose parameters have types: write "
                "Ptr<float> x, not auto x");
  if constexpr (HasOneCallOperator<Lambda>) {
    static_assert(Signature::known,
                  "a kernel's lambda may be called for several traces, so it must "
                  "not be mutable or take '...': drop the word mutable");
    if constexpr (Signature::known) {
      static_assert(Signature::returnsNothing,
                    "a kernel returns nothing: it writes its results with store(pointer, value)");
      static_assert(
          Signature::List::allKnown,
          "a kernel's parameters are Ptr<T>, Index and Scalar<T>, which differ from launch "
          "to launch; a plain C++ value is known while tracing: capture it in the lambda "
          "instead");
      static_assert(Signature::takesValues, "a kernel's parameters are its own variables: write "
                                            "Ptr<T> x, not Ptr<T> &x");
      return Signature::returnsNothing && Signature::List::allKnown && Signature::takesValues;
    }
  }
  return false;
}

template <class Lambda>
KernelSource makeSource(std::string name, Lambda lambda, Options options = {},
                        std::source_location at = std::source_location::current()) {
  if constexpr (checkLambda<Lambda>())
    return SourceMaker<typename CallSignature<Lambda>::List>::make(std::move(name),
                                                                   std::move(lambda), options, at);
  else
    return {};
}

} // namespace detail
} // namespace trowel
