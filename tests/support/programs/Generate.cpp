// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Draws programs.
//
// A program is drawn from the top: for a statement, expressions of the type and shape that it
// needs; for an expression, an operation that gives its type, then operands. Whatever is drawn is a
// program: it is typed as the language types it, its loops end, and no access leaves its slice. So
// that this holds:
//
// - Each access brings its own proof. It is a sum of coordinates with strides that cover the slice
//   at most once, or any integer that is clamped, reduced or masked into range at the access.
// - A loop's bounds are clamped to a few trips, a while_ counts down a variable of its own.
// - A store's lanes go to different places, or store one value.
// - Functions that are not exact are stored at once, into buffers that nobody loads from.
// - The bits of a NaN, which no rule fixes, are hidden from `bitcast`.
// - A float product is set to a variable only where all its uses are stored, since a use that
//   nothing follows from may or may not count for contraction.
//
// Programs that would take too long (three nested loops over the largest tile) are drawn again.
#include "tests/support/programs/Evaluate.h"
#include "tests/support/programs/Generator.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <optional>

namespace trowel::programs {

Program Generator::draw() {
  drawFrame();
  block = &program.statements;
  if (dice.chance(85))
    knownStart = let(sliceStart());
  int count = static_cast<int>(dice.chance(60) ? dice.between(1, 4) : dice.between(4, 9));
  for (int i = 0; i < count; ++i)
    statement();
  showVariables();
  return std::move(program);
}

void Generator::drawFrame() {
  int rank = dice.of({0, 1, 1, 1, 1, 2, 2, 2, 3, 4});
  const std::int64_t most = dice.chance(85) ? 256 : 4096;
  std::int64_t padded = 1;
  for (int axis = 0; axis < rank; ++axis) {
    std::int64_t extent = dice.chance(60) ? dice.between(1, 17)
                                          : dice.of({32, 64, 96, 100, 128, 250, 256, 1000, 3000});
    while (padded * ceilPower(extent) > most)
      extent = extent / 2 + (extent > 1 ? extent & 1 : 0);
    program.extents.push_back(extent);
    padded *= ceilPower(extent);
  }
  for (std::int64_t &extent : program.grid)
    extent = dice.of({1, 1, 2, 3});
  if (dice.chance(30))
    program.warps = 1 << dice.between(padded > 1024 ? 2 : 0, 3 + dice.below(3));
  else if (dice.chance(40))
    program.elementsPerThread = 1 << dice.between(padded > 1024 ? 2 : 0, 4);
  program.sliceExtra = dice.of({128, 144, 129, 135, 200});
  int favourites = static_cast<int>(dice.between(1, 4));
  for (int i = 0; i < favourites; ++i)
    types.push_back(allTypes[dice.below(13)]);
  int buffers = static_cast<int>(dice.between(1, 3));
  for (int i = 0; i < buffers; ++i)
    addBuffer(dice.of(types), /*readOnly=*/true, /*approximate=*/false);
  buffers = static_cast<int>(dice.between(1, 2));
  for (int i = 0; i < buffers; ++i)
    addBuffer(dice.of(types), /*readOnly=*/false, /*approximate=*/false);
  int arguments = static_cast<int>(dice.between(1, 4));
  for (int i = 0; i < arguments; ++i)
    drawArgument();
}

std::int64_t Generator::ceilPower(std::int64_t extent) {
  return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(extent)));
}

int Generator::addBuffer(ElementType type, bool readOnly, bool approximate) {
  program.buffers.push_back({type, readOnly, approximate, dice.chance(70) ? 0 : dice.below(5)});
  return static_cast<int>(program.buffers.size()) - 1;
}

void Generator::drawArgument() {
  ArgumentInfo info{dice.chance(50) ? dice.of(types) : allTypes[dice.below(13)], dice.chance(40),
                    0};
  if (info.isIndex) {
    info.type = ElementType::Int64;
    info.value = static_cast<Bits>(dice.of<std::int64_t>(
        {0, 1, 2, 3, 16, 32, 1000, -1, -16, 1 << 20, 0x7fffffff, 0x80000000, 0xffffffff,
         0x100000000, std::numeric_limits<std::int64_t>::max(),
         std::numeric_limits<std::int64_t>::min(), -0x80000000ll, -0x80000001ll}));
  } else {
    // As an element of a buffer.
    Program source = program;
    source.seed = dice.bits() >> 8;
    source.buffers = {{info.type, true, false, 0}};
    source.grid[0] = source.grid[1] = source.grid[2] = 1;
    source.extents.clear();
    info.value = initialContents(source, 0)[dice.below(64)];
  }
  program.arguments.push_back(info);
}

TileShape Generator::allAxes() const {
  auto rank = static_cast<int>(program.extents.size());
  return {rank, (1u << rank) - 1};
}

TileShape Generator::someAxes(TileShape most) {
  if (most.rank == 0 || dice.chance(70))
    return most;
  TileShape shape{dice.below(most.rank + 1), 0};
  for (int axis = 0; axis < shape.rank; ++axis)
    if ((most.axes >> axis & 1) && dice.chance(70))
      shape.axes |= 1u << axis;
  return shape;
}

Program generate(std::uint64_t seed) {
  for (int attempt = 0;; ++attempt) {
    Program program = Generator(seed, attempt).draw();
    if (statementCount(program.statements) <= 60 && evaluate(program, 1'000'000).refusal.empty())
      return program;
  }
}

} // namespace trowel::programs
