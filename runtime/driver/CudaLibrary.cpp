// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds libcuda at run time and binds the functions of DriverFunctions.def.
//
// Linking against libcuda would make a program that uses Trowel fail to start on a machine without
// NVIDIA's driver, which is where most tests run. The library is opened by name instead, once, and
// never closed: closing it would pull code away from under other users in the process.
//
// Two failures are told apart, because only the first means "this machine has no GPU, use the
// software device". Not found: the loader finds no file of that name. Unusable: there is a file,
// but it is of another architecture, lacks a library of its own, or lacks a symbol of the table (a
// driver older than CUDA 12.0), which is then named. The loader gives no code for the two, only a
// text, so its text is asked for in the C locale, whatever the program's locale is.
//
// The exported names carry version suffixes (cuMemAlloc_v2): the plain names are the interfaces of
// CUDA 3 with 32-bit sizes, which the driver still exports.

#include "runtime/driver/CudaLibrary.h"

#include <dlfcn.h>
#include <locale.h>

#include <string_view>

namespace trowel::driver {

namespace {
/// dlopen, and the loader's text in the C locale where it fails.
void *openLibrary(const char *fileName, std::string &problem) {
  locale_t plain = newlocale(LC_ALL_MASK, "C", nullptr);
  locale_t before = plain ? uselocale(plain) : nullptr;
  void *library = dlopen(fileName, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *text = dlerror();
    problem = text ? text : "dlopen gave no reason";
  }
  if (plain) {
    uselocale(before);
    freelocale(plain);
  }
  return library;
}
} // namespace

CudaLibrary openCudaLibrary(const char *fileName) {
  CudaLibrary result;
  void *library = openLibrary(fileName, result.problem);
  if (!library) {
    std::string missing = std::string(fileName) + ": cannot open shared object file: No such file";
    result.state = std::string_view(result.problem).starts_with(missing)
                       ? CudaLibrary::State::NotFound
                       : CudaLibrary::State::Unusable;
    return result;
  }
  const char *missing = nullptr;
  // NOLINTBEGIN(bugprone-macro-parentheses): the parameter list brings its own
#define TROWEL_DRIVER_FUNCTION(member, symbol, parameters)                                         \
  result.api.member = reinterpret_cast<CUresult(*) parameters>(dlsym(library, #symbol));           \
  if (!result.api.member && !missing)                                                              \
    missing = #symbol;
#include "runtime/driver/DriverFunctions.def"
  // NOLINTEND(bugprone-macro-parentheses)

  if (missing) {
    result.state = CudaLibrary::State::Unusable;
    result.problem = std::string(fileName) + " has no symbol " + missing +
                     "; Trowel needs a driver of CUDA 12.0 or later";
    result.api = DriverApi{};
    return result;
  }
  result.state = CudaLibrary::State::Loaded;
  result.api.origin = fileName;
  return result;
}

const CudaLibrary &cudaLibrary() {
  static const CudaLibrary library = openCudaLibrary("libcuda.so.1");
  return library;
}

Result<const DriverApi *> loadCuda() {
  const CudaLibrary &library = cudaLibrary();
  if (library.state != CudaLibrary::State::Loaded)
    return Failure{library.problem};
  return &library.api;
}

} // namespace trowel::driver
