// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a mistake and compares what is thrown.
//
// The expected line is looked up in the source by its comment, so that a file can be edited without
// counting lines. Afterwards a right kernel is traced: a mistake must leave the thread usable.
#include "tests/errors/Mistake.h"

#include <fstream>

namespace trowel::test {

namespace {

/// The line that ends with `// mistake`; 0 if none does.
int mistakenLine(const char *file) {
  std::ifstream source(file);
  EXPECT_TRUE(source) << "the source is read at run time: " << file;
  std::string line;
  for (int number = 1; std::getline(source, line); ++number)
    if (line.ends_with("// mistake"))
      return number;
  return 0;
}

} // namespace

void expectMistake(void (*mistake)(), const char *file, const std::string &kernelName,
                   const std::string &text) {
  try {
    mistake();
    ADD_FAILURE() << "nothing was thrown; expected: " << text;
  } catch (const Error &error) {
    int line = mistakenLine(file);
    EXPECT_EQ(error.text(), text);
    EXPECT_EQ(error.line(), line);
    EXPECT_EQ(error.file(), line ? file : "");
    EXPECT_EQ(error.kernel(), kernelName);
    std::string what = error.what();
    EXPECT_TRUE(what.ends_with(text)) << what;
    EXPECT_EQ(what.find("mlir"), std::string::npos) << what;
  }
  EXPECT_EQ(kernel("right", [](Ptr<float> x) { store(x, 1.0f); }).name(), "right");
}

} // namespace trowel::test
