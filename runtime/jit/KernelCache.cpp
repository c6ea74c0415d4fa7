// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// trace → key → memory → compile → load.
//
// The key is all that the PTX depends on (VariantKey.h). Two Kernel objects with equal traces, such
// as two calls of one factory function, meet here and compile once.
//
// Each key has an entry with a lock of its own, so different kernels compile side by side while a
// second thread that wants the same one waits for it. An entry keeps its image for good: a few
// kilobytes of text that took milliseconds to make. Modules belong to the Kernels that launch them;
// the entry only remembers them while they live.
//
// A failed compilation leaves its entry empty and throws; the next launch tries again, and every
// other kernel is unaffected.
//
// The cache is never destroyed. Kernels may be global objects, and a launch from a destructor that
// runs after it would find it gone.

#include "runtime/jit/KernelCache.h"

#include "runtime/base/Logging.h"
#include "runtime/device/DeviceState.h"
#include "runtime/jit/CompileTrace.h"
#include "runtime/jit/Dump.h"
#include "runtime/jit/VariantKey.h"

#include <chrono>
#include <fmt/format.h>
#include <map>

namespace trowel::jit {

namespace {

struct Entry {
  std::mutex mutex;
  std::shared_ptr<const KernelImage> image;
  std::map<const detail::DeviceState *, std::weak_ptr<const LoadedKernel>> loaded;
};

struct Cache {
  std::mutex mutex;
  std::map<std::string, std::shared_ptr<Entry>> entries;

  static Cache &get() {
    static Cache *cache = new Cache;
    return *cache;
  }
  std::shared_ptr<Entry> entry(const std::string &key) {
    std::lock_guard lock(mutex);
    std::shared_ptr<Entry> &slot = entries[key];
    if (!slot)
      slot = std::make_shared<Entry>();
    return slot;
  }
};

/// Writes one line on TROWEL_LOG=jit with the time since it was made.
class Timed {
public:
  Timed() : start(std::chrono::steady_clock::now()) {}
  void log(const std::string &text) const {
    std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
    logLine(LogTopic::Jit, fmt::format("{}: {:.2f} ms", text, time.count()));
  }

private:
  std::chrono::steady_clock::time_point start;
};

std::shared_ptr<const KernelImage> compileNow(SharedTrace &trace, const std::string &target,
                                              const Facts &facts) {
  const compiler::TracedKernel &kernel = trace.kernel;
  compiler::CompileOptions options = optionsFor(kernel, target, facts.unpacked());

  std::lock_guard lock(trace.compiling);
  if (const char *folder = dumpFolder())
    dumpStages(folder, kernel, options, facts.text(),
               variantKey(kernel.key, kernel.options, target, facts));
  Timed timed;
  auto image = std::make_shared<const KernelImage>(compileTrace(kernel, options));
  if (logs(LogTopic::Jit))
    timed.log(fmt::format("compile '{}' for {} with facts {}: {} bytes of PTX", kernel.name, target,
                          facts.text(), image->ptx.size()));
  return image;
}

/// The entry's image; the caller holds the entry's lock.
const std::shared_ptr<const KernelImage> &imageIn(Entry &entry, SharedTrace &trace,
                                                  const std::string &target, const Facts &facts) {
  if (!entry.image)
    entry.image = compileNow(trace, target, facts);
  else if (logs(LogTopic::Jit))
    logLine(LogTopic::Jit, fmt::format("hit '{}' for {} with facts {}: compiled before",
                                       trace.kernel.name, target, facts.text()));
  return entry.image;
}

} // namespace

std::shared_ptr<const KernelImage> imageFor(SharedTrace &trace, const std::string &target,
                                            const Facts &facts) {
  std::shared_ptr<Entry> entry =
      Cache::get().entry(variantKey(trace.kernel.key, trace.kernel.options, target, facts));
  std::lock_guard lock(entry->mutex);
  return imageIn(*entry, trace, target, facts);
}

std::shared_ptr<const LoadedKernel> loadedFor(SharedTrace &trace, const Device &device,
                                              const Facts &facts) {
  std::shared_ptr<Entry> entry = Cache::get().entry(
      variantKey(trace.kernel.key, trace.kernel.options, device.target(), facts));
  std::lock_guard lock(entry->mutex);
  std::weak_ptr<const LoadedKernel> &slot = entry->loaded[&device.state()];
  if (std::shared_ptr<const LoadedKernel> loaded = slot.lock()) {
    if (logs(LogTopic::Jit))
      logLine(LogTopic::Jit,
              fmt::format("hit '{}' on {}: loaded before", trace.kernel.name, device.describe()));
    return loaded;
  }
  const std::shared_ptr<const KernelImage> &image = imageIn(*entry, trace, device.target(), facts);
  Timed timed;
  std::shared_ptr<const LoadedKernel> loaded = Module::load(device, *image);
  slot = loaded;
  if (logs(LogTopic::Jit))
    timed.log(fmt::format("load '{}' on {}", trace.kernel.name, device.describe()));
  return loaded;
}

} // namespace trowel::jit
