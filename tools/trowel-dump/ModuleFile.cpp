// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shows a kernel that was written in the dialect, such as a lit test or the output of an earlier
// --stage=tile.
//
// A file holds one module with one kernel, `func.func` with the attribute `tile.kernel`. It takes
// the way of a traced kernel from there on. Nothing is assumed of its arguments: a file that wants
// aligned pointers says so in its argument attributes. The compiler's failures are values with a
// file and a line; here they become the one exception of the tools.
#include "tools/trowel-dump/ModuleFile.h"

#include "compiler/Compiler.h"
#include "trowel/Error.h"

#include "mlir/IR/MLIRContext.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

namespace trowel::dump {

using namespace compiler;

template <class Value> static Value valueOf(std::variant<Value, CompileFailure> result) {
  if (auto *failure = std::get_if<CompileFailure>(&result))
    throw Error(failure->file, failure->line, failure->kernel, failure->text);
  return std::get<Value>(std::move(result));
}

static std::string contentOf(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  // An empty file makes the insertion fail, although nothing is wrong with reading it.
  if (file && file.peek() == std::ifstream::traits_type::eof() && !file.bad())
    throw Error(path + ": is empty: a kernel is a func.func with the attribute tile.kernel");
  if (file)
    content << file.rdbuf();
  if (!file || !content)
    throw Error(path + ": cannot be read: " + std::strerror(errno));
  return std::move(content).str();
}

static Stage stageNamed(const std::string &name) {
  if (name == "tile")
    return Stage::Tile;
  if (name == "layout")
    return Stage::Layout;
  if (name == "llvm-dialect")
    return Stage::LlvmDialect;
  return name == "llvm" ? Stage::Llvm : Stage::Ptx;
}

std::string stageOfFile(const std::string &path, const std::string &stage,
                        const std::string &target) {
  std::string content = contentOf(path);
  mlir::DialectRegistry registry;
  registerDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  mlir::OwningOpRef<mlir::ModuleOp> module = valueOf(parseModule(context, content, path));
  CompileOptions options;
  options.target = target;
  if (stage == "time")
    return timesText(valueOf(timeSteps(*module, options)));
  if (stage == "layouts")
    return valueOf(describeLayouts(*module, options));
  return valueOf(compileToStage(*module, options, stageNamed(stage)));
}

} // namespace trowel::dump
