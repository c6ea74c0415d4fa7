// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Short names for files.
//
// A location names a file as the user's compiler did, which is a path of the machine that built the
// program; the PTX of a kernel shall be the same bytes wherever it was built. So paths are cut to
// what lies below TROWEL_SOURCE_ROOT, or to the file's name. Two files of one name must stay apart,
// or an error would be reported in the wrong one; they keep as many folders as tell them apart:
//
//   /build/a/kernels/Shared.h   kernels/Shared.h
//   /build/a/other/Shared.h     a/other/Shared.h
//   /build/b/other/Shared.h     b/other/Shared.h
//
// A name depends on the set of files alone and not on which came first, since compilers evaluate
// the operands of an expression in different orders. That is why it is done when the trace ends.

#include "compiler/frontend/FileNames.h"

#include "mlir/IR/Location.h"
#include "llvm/ADT/STLExtras.h"

#include <set>

using namespace mlir;

namespace trowel::compiler {

namespace {

/// Calls `change` with each location of the module and puts what it returns in its place.
template <class Change> void changeLocations(ModuleOp module, Change change) {
  auto changed = [&](Location location) -> Location {
    auto line = dyn_cast<FileLineColLoc>(location);
    return line ? Location(change(line)) : location;
  };
  module->walk([&](Operation *op) {
    op->setLoc(changed(op->getLoc()));
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          argument.setLoc(changed(argument.getLoc()));
  });
}

/// What lies below the root; nothing for a file elsewhere.
StringRef belowRoot(StringRef file, StringRef root) {
  bool inside =
      !root.empty() && file.consume_front(root) && (root.ends_with("/") || file.consume_front("/"));
  return inside ? file : StringRef();
}

bool endsWithPath(StringRef file, StringRef end) {
  return file.consume_back(end) && (file.empty() || file.ends_with("/"));
}

StringRef shortNameOf(StringRef file, const std::set<std::string> &files, StringRef root) {
  if (StringRef below = belowRoot(file, root); !below.empty())
    return below;
  for (std::size_t slash = file.rfind('/'); slash != StringRef::npos && slash > 0;
       slash = file.rfind('/', slash)) {
    StringRef name = file.substr(slash + 1);
    if (llvm::none_of(files, [&](const std::string &other) {
          return StringRef(other) != file && endsWithPath(other, name);
        }))
      return name;
  }
  return file;
}

} // namespace

std::map<std::string, std::string> shortenFileNames(ModuleOp module, StringRef root) {
  std::set<std::string> files;
  changeLocations(module, [&](FileLineColLoc line) {
    files.insert(line.getFilename().str());
    return line;
  });

  std::map<std::string, std::string> fullNames, shortNames;
  for (const std::string &file : files) {
    shortNames[file] = shortNameOf(file, files, root).str();
    fullNames[shortNames[file]] = file;
  }
  changeLocations(module, [&](FileLineColLoc line) {
    return FileLineColLoc::get(module.getContext(), shortNames.at(line.getFilename().str()),
                               line.getLine(), line.getColumn());
  });
  return fullNames;
}

} // namespace trowel::compiler
