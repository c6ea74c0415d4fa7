// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An output with poison in it and poison behind it.
//
//   GuardedBuffer<float> z(device, n);
//   add.launch({programs}, x, y, z.pointer(), n);
//   std::vector<float> result = z.download();   // EXPECTs that the poison behind it is whole
#pragma once

#include <trowel/Device.h>

#include <gtest/gtest.h>

#include <cstring>
#include <type_traits>
#include <vector>

namespace trowel::golden {

template <class T> class GuardedBuffer {
public:
  using Element = std::conditional_t<std::is_same_v<T, bool>, unsigned char, T>;
  /// More than a block of the tests beyond the last element, so that a missing mask cannot hide.
  static constexpr std::size_t guard = 2048;
  static constexpr unsigned char poison = 0xa5;

  GuardedBuffer(const Device &device, std::size_t count)
      : count(count), memory(device.allocate<int32>(((count + guard) * sizeof(T) + 3) / 4)) {
    memory.fillBytes(poison);
  }

  DevicePointer<T> pointer() const { return {memory.address(), memory.device(), memory.bytes()}; }

  /// The elements, after a look at the guard. Bools come as the bytes that they are.
  std::vector<Element> download() const {
    // As words, because a download of bools would turn poison into true.
    std::vector<int32> words = memory.download();
    std::vector<Element> elements(count + guard);
    std::memcpy(static_cast<void *>(elements.data()), words.data(),
                elements.size() * sizeof(Element));
    for (std::size_t i = count; i < elements.size(); ++i)
      if (!isPoison(elements[i])) {
        ADD_FAILURE() << "element " << i << ", " << i - count + 1 << " behind the last of " << count
                      << ", was overwritten";
        break;
      }
    elements.resize(count);
    return elements;
  }

  static bool isPoison(const Element &value) {
    unsigned char bytes[sizeof(Element)];
    std::memcpy(bytes, &value, sizeof value);
    for (unsigned char byte : bytes)
      if (byte != poison)
        return false;
    return true;
  }

private:
  std::size_t count;
  Buffer<int32> memory;
};

} // namespace trowel::golden
