// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels from text, for programs without the compiler.
//
// PTX says which parameters an entry has, but not how many threads it wants, which arguments they
// are made from and what the code relies on. That is in the manifest, which travels in the text as
// comment lines; PTX without one is refused rather than guessed at. From there on the path is the
// one of a compiled kernel: Module::load, launch.
//
// A launch runs on any stream of the device that the kernel was loaded on; that the stream is of
// another device is found by `launch` with both named.

#include "trowel/PtxKernel.h"

#include "runtime/device/Launch.h"

#include <fstream>
#include <sstream>
#include <utility>

namespace trowel {

struct PtxKernel::Loaded {
  std::shared_ptr<const LoadedKernel> kernel;
};

PtxKernel::PtxKernel(const Device &device, const std::string &ptx, std::source_location at) {
  detail::CallSite here(at);
  Result<Manifest> manifest = manifestFromComment(ptx);
  if (!manifest)
    throw Error(manifest.error() + "; trowel-dump --stage=ptx and Kernel::ptx write it");
  loaded = new Loaded{Module::load(device, KernelImage{ptx, *manifest})};
}

PtxKernel PtxKernel::fromFile(const Device &device, const std::string &path,
                              std::source_location at) {
  detail::CallSite here(at);
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf()))
    throw Error("cannot read '" + path + "': is it a file with PTX in it?");
  try {
    return PtxKernel(device, text.str());
  } catch (const Error &error) {
    throw Error({}, 0, error.kernel(), path + ": " + error.text());
  }
}

PtxKernel::PtxKernel(PtxKernel &&other) noexcept : loaded(std::exchange(other.loaded, nullptr)) {}

PtxKernel &PtxKernel::operator=(PtxKernel &&other) noexcept {
  if (this != &other) {
    delete loaded;
    loaded = std::exchange(other.loaded, nullptr);
  }
  return *this;
}

PtxKernel::~PtxKernel() { delete loaded; }

const PtxKernel::Loaded &PtxKernel::held() const {
  if (!loaded)
    throw Error("this PtxKernel was moved from: use the one that it was moved to");
  return *loaded;
}

const std::string &PtxKernel::name(std::source_location at) const {
  detail::CallSite here(at);
  return held().kernel->manifest.kernel;
}
Device PtxKernel::device(std::source_location at) const {
  detail::CallSite here(at);
  return held().kernel->device;
}

void PtxKernel::start(const Stream &stream, const Grid &grid,
                      std::span<const LaunchArgument> arguments) const {
  trowel::launch(*held().kernel, stream, grid, arguments);
}

} // namespace trowel
