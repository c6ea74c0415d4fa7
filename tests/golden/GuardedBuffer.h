// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An output with poison in it and poison behind it.
//
//   GuardedBuffer<float> z(device, n);
//   add.launch({programs}, x, y, z.pointer(), n);
//   std::vector<float> result = z.download();   // EXPECTs that nothing behind element n was
//   touched
#pragma once

#include <trowel/Device.h>

#include <gtest/gtest.h>

#include <vector>

namespace trowel::golden {

template <class T> class GuardedBuffer {
public:
  /// More than a block of the tests beyond the last element, so that a missing mask cannot hide.
  static constexpr std::size_t guard = 2048;
  static constexpr unsigned char poison = 0xa5;

  GuardedBuffer(const Device &device, std::size_t count)
      : count(count), memory(device.allocate<T>(count + guard)) {
    memory.fillBytes(poison);
  }

  DevicePointer<T> pointer() const { return memory.devicePointer(); }

  /// The elements, after a look at the guard.
  std::vector<T> download() const {
    std::vector<T> all = memory.download();
    for (std::size_t i = count; i < all.size(); ++i)
      if (!isPoison(all[i])) {
        ADD_FAILURE() << "element " << i << ", " << i - count + 1 << " behind the last of " << count
                      << ", was overwritten";
        break;
      }
    return std::vector<T>(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count));
  }

  static bool isPoison(const T &value) {
    unsigned char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof value);
    for (unsigned char byte : bytes)
      if (byte != poison)
        return false;
    return true;
  }

private:
  std::size_t count;
  Buffer<T> memory;
};

} // namespace trowel::golden
