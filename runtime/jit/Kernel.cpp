// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The public face of a kernel: an owning pointer to the state that all copies share.
//
// The count of owners is kept here rather than by std::shared_ptr because <memory> alone would take
// the public headers over half of the lines that they may cost.
//
// What the device layer refuses is refused at no line, since it knows none. The grid does: it is
// written in the call of launch, and its constructor takes the line. So an error that passes here
// without a line gets the one of the launch.

#include "trowel/Kernel.h"

#include "runtime/jit/KernelState.h"
#include "trowel/Error.h"

#include <fmt/format.h>

namespace trowel::detail {

KernelHandle::KernelHandle(KernelSource source) : shared(new KernelState(std::move(source))) {}

KernelHandle::KernelHandle(const KernelHandle &other) noexcept : shared(other.shared) {
  shared->owners.fetch_add(1, std::memory_order_relaxed);
}

KernelHandle &KernelHandle::operator=(const KernelHandle &other) noexcept {
  KernelHandle copy(other);
  std::swap(shared, copy.shared);
  return *this;
}

KernelHandle::~KernelHandle() {
  if (shared->owners.fetch_sub(1, std::memory_order_acq_rel) == 1)
    delete shared;
}

const std::string &KernelHandle::name() const { return shared->source.name; }

std::span<const Parameter> KernelHandle::parameters() const { return shared->parameters(); }

std::string KernelHandle::ptx(const std::string &target, Assume assume) const {
  std::shared_ptr<const KernelImage> image = shared->image(target, assume);
  return withManifestComment(image->ptx, image->manifest);
}

void KernelHandle::image(const std::string &target, Assume assume, KernelImage &result) const {
  result = *shared->image(target, assume);
}

std::string KernelHandle::stage(const std::string &stage, const std::string &target,
                                Assume assume) const {
  return shared->stage(stage, target, assume);
}

std::string KernelHandle::layouts(const std::string &target, Assume assume) const {
  return shared->layouts(target, assume);
}

Occupancy KernelHandle::occupancy(const Device &device, int threads) const {
  return shared->occupancy(device, threads);
}

void KernelHandle::launch(const Stream *stream, const Grid &grid,
                          std::span<const LaunchArgument> arguments) const {
  try {
    shared->launch(stream, grid, arguments);
  } catch (const Error &error) {
    if (error.line() != 0)
      throw;
    throw Error(grid.at.file_name(), static_cast<int>(grid.at.line()), name(), error.text());
  }
}

void throwIndexTooLarge(std::uint64_t value, const Grid &grid) {
  throw Error(
      grid.at.file_name(), static_cast<int>(grid.at.line()), {},
      fmt::format("launch: the argument {} does not fit an Index, which holds at most {}: pass "
                  "a smaller integer",
                  value, INT64_MAX));
}

void throwNegative(std::int64_t value, ElementType type, const Grid &grid) {
  throw Error(
      grid.at.file_name(), static_cast<int>(grid.at.line()), {},
      fmt::format("launch: the argument {} does not fit {}, which holds no negative number: "
                  "pass another, or make the parameter a Scalar of a signed type",
                  value, trowel::name(type)));
}

} // namespace trowel::detail
