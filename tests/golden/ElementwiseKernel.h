// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a function of one, two or three elements over vectors, as a kernel.
//
//   std::vector<float> roots = apply<float>(device, [](auto x) { return sqrt(x); }, x);
//   std::vector<bool> less = apply<bool>(device, [](auto a, auto b) { return a < b; }, a, b);
#pragma once

#include "tests/golden/GuardedBuffer.h"

#include <trowel/trowel.h>

namespace trowel::golden {

inline constexpr int elementwiseBlock = 512;

inline Grid gridFor(std::size_t count) {
  return Grid{(count + elementwiseBlock - 1) / elementwiseBlock};
}

template <class Out, class Function, class A>
auto apply(const Device &device, Function function, const std::vector<A> &a) {
  auto body = kernel("apply", [=](Ptr<const A> x, Ptr<Out> y, Index n) {
    Tile<int64> i = programId(0) * elementwiseBlock + iota(elementwiseBlock);
    Tile<bool> inside = i < n;
    store(y + i, function(load(x + i, inside)), inside);
  });
  Buffer<A> x = device.upload(a);
  GuardedBuffer<Out> y(device, a.size());
  body.launch(gridFor(a.size()), x, y.pointer(), static_cast<std::int64_t>(a.size()));
  return y.download();
}

template <class Out, class Function, class A, class B>
auto apply(const Device &device, Function function, const std::vector<A> &a,
           const std::vector<B> &b) {
  auto body = kernel("apply", [=](Ptr<const A> x, Ptr<const B> y, Ptr<Out> z, Index n) {
    Tile<int64> i = programId(0) * elementwiseBlock + iota(elementwiseBlock);
    Tile<bool> inside = i < n;
    store(z + i, function(load(x + i, inside), load(y + i, inside)), inside);
  });
  Buffer<A> x = device.upload(a);
  Buffer<B> y = device.upload(b);
  GuardedBuffer<Out> z(device, a.size());
  body.launch(gridFor(a.size()), x, y, z.pointer(), static_cast<std::int64_t>(a.size()));
  return z.download();
}

template <class Out, class Function, class A, class B, class C>
auto apply(const Device &device, Function function, const std::vector<A> &a,
           const std::vector<B> &b, const std::vector<C> &c) {
  auto body = kernel("apply", [=](Ptr<const A> w, Ptr<const B> x, Ptr<const C> y, Ptr<Out> z,
                                  Index n) {
    Tile<int64> i = programId(0) * elementwiseBlock + iota(elementwiseBlock);
    Tile<bool> inside = i < n;
    store(z + i, function(load(w + i, inside), load(x + i, inside), load(y + i, inside)), inside);
  });
  Buffer<A> w = device.upload(a);
  Buffer<B> x = device.upload(b);
  Buffer<C> y = device.upload(c);
  GuardedBuffer<Out> z(device, a.size());
  body.launch(gridFor(a.size()), w, x, y, z.pointer(), static_cast<std::int64_t>(a.size()));
  return z.download();
}

/// Each pair of two lists: the first of all pairs, and the second.
template <class T>
std::pair<std::vector<T>, std::vector<T>> allPairs(const std::vector<T> &values) {
  std::pair<std::vector<T>, std::vector<T>> pairs;
  for (T a : values)
    for (T b : values) {
      pairs.first.push_back(a);
      pairs.second.push_back(b);
    }
  return pairs;
}

} // namespace trowel::golden
