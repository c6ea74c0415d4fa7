// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses where each element of a tile lies in shared memory, so that threads write it as one
// layout holds it and read it as another does, in wide accesses and without bank conflicts.
//
// The place of an element is linear in its index, and so it is a basis of the tile's indices: slot
// bit i belongs to basis vector i. The basis has four parts, the lowest slot bits first:
//
//   vector   what the registers of one instruction span. `common` are vectors that both sides hold
//            in registers; `extra` ones are registers of one side, the wide one, and lanes of the
//            other, which then reads single elements that lie in a row
//   word     what fills a word of 4 bytes, where the vector does not
//   banks    what turns the bank, together with the part of the vector above a word
//   rows     the rest: words of one bank
//
// Lanes that are served together (32 of up to 4 bytes, 16 of 8, 8 of 16) conflict if the sum of two
// of their indices is a row: two words, one bank. Let P and Q be the spans of such lanes as one
// side and the other have them, without the vector and modulo the word. `rows` must meet neither,
// and be as large as both allow: a common complement. With I = P ∩ Q, P = I + ⟨p…⟩, Q = I + ⟨q…⟩,
// made equally many by moving surplus ones to I,
//
//   banks = I + ⟨p…⟩      rows = ⟨p₁ + q₁, p₂ + q₂, …⟩ + what neither P nor Q touches
//
// as a sum of p + q lies in P only if its q part does. A transpose of 32 × 32 by single words has
// P = ⟨columns⟩, Q = ⟨rows⟩, and slot = row · 32 + (column ^ row), the swizzle that one would write
// by hand.
//
// An access of several elements must be aligned: its lowest slot bits may depend on nothing but the
// register. So lanes, warps and blocks of the wide side lie in the complement H that `word`,
// `banks` and `rows` span, those of the other side in H + extra, and what is left of registers is
// chosen in H by adding vectors to them.
//
// Held, and tested by visiting every lane: different elements have different slots, and no access
// of any pair of layouts conflicts. Of replicas those whose redundant bits (of lane, warp,
// register; blocks have their own memory) are zero are written.
//
// Rejected: padding rows, which needs more memory and an addition where this needs an xor; and a
// word for each element of fewer bytes: bytes of one word that several lanes touch cost it once.
#include "dialect/layout/Swizzle.h"

#include "dialect/layout/Conversion.h"
#include "dialect/layout/Subspace.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <utility>

namespace trowel::layout {

namespace {

constexpr int bankCount = 32, wordBytes = 4, lanesPerWarp = 32, maxInstructionBytes = 16;

BitVector unit(int bit) { return BitVector(1) << bit; }
int log2Of(int powerOfTwo) { return std::countr_zero(static_cast<unsigned>(powerOfTwo)); }

std::vector<BitVector> columnsOf(const LinearLayout &layout, InputDim dim) {
  auto first = layout.matrix().columns().begin();
  for (int earlier = 0; earlier < static_cast<int>(dim); ++earlier)
    first += layout.bitCount(allInputDims[earlier]);
  return {first, first + layout.bitCount(dim)};
}

void append(std::vector<BitVector> &vectors, const std::vector<BitVector> &more) {
  vectors.insert(vectors.end(), more.begin(), more.end());
}

/// Sets columns to zero.
void idle(std::vector<BitVector> &columns, std::int32_t bits) {
  for (std::size_t bit = 0; bit < columns.size(); ++bit)
    if (bits >> bit & 1)
      columns[bit] = 0;
}

/// The bits whose column is a sum of earlier ones.
std::int32_t repeatedBits(const std::vector<BitVector> &columns) {
  std::int32_t bits = 0;
  Subspace seen;
  for (std::size_t bit = 0; bit < columns.size(); ++bit)
    if (!seen.add(columns[bit]))
      bits |= std::int32_t(1) << bit;
  return bits;
}

/// What takes part in the accesses of one side, as the columns of its layout.
struct Side {
  SharedDirection direction;
  std::vector<BitVector> registers, lanes, warps, blocks;
  std::int32_t idleRegisters = 0, idleLanes = 0, idleWarps = 0;

  /// What the addresses of different threads differ by.
  Subspace threads() const {
    Subspace result(lanes);
    result.addAll(warps);
    result.addAll(blocks);
    return result;
  }
  /// The lanes that are served together in an access of that many bytes.
  std::vector<BitVector> lanesServedTogether(int bytes) const {
    int bits = log2Of(lanesPerWarp), words = bytes / wordBytes;
    if (words > 1) {
      bits -= log2Of(words);
      // Loads of neighbours that want the same bytes are merged.
      bool pairsAgree = std::any_of(lanes.begin(), lanes.begin() + std::min<long>(2, lanes.size()),
                                    [](BitVector column) { return column == 0; });
      bits += direction == SharedDirection::Load && pairsAgree;
    }
    bits = std::min(bits, static_cast<int>(lanes.size()));
    return {lanes.begin(), lanes.begin() + bits};
  }
};

Side writers(const LinearLayout &layout) {
  // Each block has its own memory, and so its own owners.
  std::vector<BitVector> columns = layout.matrix().columns();
  columns.resize(columns.size() - layout.bitCount(InputDim::Block));
  LinearLayout inBlock(layout.shape(),
                       {layout.bitCount(InputDim::Register), layout.bitCount(InputDim::Lane),
                        layout.bitCount(InputDim::Warp), 0},
                       F2Matrix(layout.matrix().rowCount(), std::move(columns)));
  Side side{SharedDirection::Store,
            columnsOf(layout, InputDim::Register),
            columnsOf(layout, InputDim::Lane),
            columnsOf(layout, InputDim::Warp),
            columnsOf(layout, InputDim::Block),
            inBlock.redundantMask(InputDim::Register),
            inBlock.redundantMask(InputDim::Lane),
            inBlock.redundantMask(InputDim::Warp)};
  idle(side.registers, side.idleRegisters);
  idle(side.lanes, side.idleLanes);
  idle(side.warps, side.idleWarps);
  return side;
}

Side readers(const LinearLayout &layout) {
  Side side{SharedDirection::Load, columnsOf(layout, InputDim::Register),
            columnsOf(layout, InputDim::Lane), columnsOf(layout, InputDim::Warp),
            columnsOf(layout, InputDim::Block)};
  side.idleRegisters = repeatedBits(side.registers);
  idle(side.registers, side.idleRegisters);
  return side;
}

/// The parts of the basis, as at the top of this file.
struct SlotBasis {
  std::vector<BitVector> common, extra, word, banks, rows;
};

/// Registers of `wide` that are lanes of `narrow`, beside the common vector.
std::vector<BitVector> extraVector(const Side &wide, const Side &narrow,
                                   const std::vector<BitVector> &common, int elementBytes) {
  int commonBytes = elementBytes << common.size();
  Subspace lanes(narrow.lanesServedTogether(commonBytes));
  Subspace taken = sum(wide.threads(), Subspace(common));
  return taken.extend(intersection(Subspace(wide.registers), lanes).basis(),
                      taken.dimension() + log2Of(maxInstructionBytes / commonBytes));
}

/// Splits what remains of the tile beside vector and word into banks and rows.
void chooseBanks(SlotBasis &basis, std::span<const BitVector> wideLanes,
                 std::span<const BitVector> narrowLanes, const Subspace &remaining, int bankBits) {
  Subspace word(basis.word);
  Subspace p = sum(word, Subspace(wideLanes)), q = sum(word, Subspace(narrowLanes));
  Subspace seen = word;
  std::vector<BitVector> shared = seen.extend(intersection(p, q).basis());
  std::vector<BitVector> ofP = seen.extend(wideLanes), ofQ = seen.extend(narrowLanes);
  std::vector<BitVector> rest = seen.extend(remaining.basis());

  auto moveToShared = [&](std::vector<BitVector> &vectors) {
    shared.push_back(vectors.back());
    vectors.pop_back();
  };
  while (ofP.size() > ofQ.size())
    moveToShared(ofP);
  while (ofQ.size() > ofP.size())
    moveToShared(ofQ);
  while (static_cast<int>(shared.size() + ofP.size()) < bankBits)
    if (!rest.empty()) {
      moveToShared(rest);
    } else if (!ofP.empty()) {
      moveToShared(ofP);
      moveToShared(ofQ);
    } else {
      break;
    }

  // Of the many bases of the same banks, the one in which the wide side's lanes count upwards.
  Subspace banks = word;
  basis.banks = banks.extend(wideLanes);
  append(basis.banks, banks.extend(shared));
  append(basis.banks, banks.extend(ofP));
  for (std::size_t i = 0; i < ofP.size(); ++i)
    basis.rows.push_back(ofP[i] ^ ofQ[i]);
  append(basis.rows, rest);
}

/// The basis, where `wide` moves the common and the extra vector in an instruction and `narrow` the
/// common one; `tile` are the indices that a block holds.
SlotBasis chooseBasis(const Side &wide, const Side &narrow, std::vector<BitVector> common,
                      std::vector<BitVector> extra, const Subspace &tile, int elementBytes) {
  int vectorBytes = elementBytes << (common.size() + extra.size());
  int commonBytes = elementBytes << common.size();
  SlotBasis basis{std::move(common), std::move(extra), {}, {}, {}};

  Subspace taken(basis.common);
  taken.addAll(basis.extra);
  Subspace complement; // H
  for (const Subspace &part : {wide.threads(), narrow.threads(), tile})
    complement.addAll(taken.extend(part.basis()));

  std::vector<BitVector> wideLanes = wide.lanesServedTogether(vectorBytes);
  Subspace narrowLanes =
      intersection(Subspace(narrow.lanesServedTogether(commonBytes)), complement);
  Subspace word;
  int wordBits = log2Of(std::max(wordBytes / vectorBytes, 1));
  basis.word = word.extend(wideLanes, wordBits);
  append(basis.word, word.extend(complement.basis(), wordBits));

  int bankBits = log2Of(bankCount) - log2Of(std::max(vectorBytes / wordBytes, 1));
  chooseBanks(basis, wideLanes, narrowLanes.basis(), complement, bankBits);
  return basis;
}

/// From flat indices to coordinates in a basis of some of them. `others` that the basis does not
/// reach contribute nothing, and after them whatever is left.
F2Matrix coordinates(std::vector<BitVector> basis, const std::vector<BitVector> &others,
                     int indexBits) {
  int size = static_cast<int>(basis.size());
  Subspace whole(basis);
  append(basis, whole.extend(others));
  append(basis, whole.extend(F2Matrix::identity(indexBits).columns()));
  std::vector<BitVector> columns = F2Matrix(indexBits, std::move(basis)).inverse()->columns();
  for (BitVector &column : columns)
    column &= unit(size) - 1;
  return F2Matrix(size, std::move(columns));
}

/// The sum of the words that the bits of `number` select.
template <class Word> Word selected(const std::vector<Word> &words, std::int32_t number) {
  Word result = 0;
  for (auto rest = static_cast<std::uint32_t>(number); rest; rest &= rest - 1)
    result ^= words[std::countr_zero(rest)];
  return result;
}

SharedAccess accessOf(const Side &side, const std::vector<BitVector> &vector, const F2Matrix &slot,
                      int elementBytes) {
  F2Matrix registers(slot.columnCount(), side.registers);
  Echelon echelon = registers.echelon();
  // The words that the bits of a position contribute to a register's number, and their elements.
  std::vector<BitVector> words, elements;
  Subspace seen;
  for (BitVector element : vector) {
    words.push_back(*echelon.solve(element));
    seen.add(words.back());
  }
  for (int bit = 0; bit < registers.columnCount(); ++bit)
    if ((echelon.pivots >> bit & 1) && seen.add(unit(bit))) {
      BitVector word = unit(bit), slotBits = slot(registers(word));
      for (std::size_t i = 0; i < vector.size(); ++i)
        if (slotBits >> i & 1)
          word ^= words[i];
      words.push_back(word);
    }
  for (BitVector word : words)
    elements.push_back(registers(word));

  SharedAccess access;
  access.direction = side.direction;
  access.elementBytes = elementBytes;
  access.width = 1 << vector.size();
  access.idleLanes = side.idleLanes;
  access.idleWarps = side.idleWarps;
  for (std::int32_t position = 0; position < 1 << words.size(); ++position)
    access.registers.push_back(static_cast<std::int32_t>(selected(words, position)));
  auto bases = [&](std::span<const BitVector> columns) {
    std::vector<std::uint32_t> result;
    for (BitVector column : columns)
      result.push_back(static_cast<std::uint32_t>(slot(column) * elementBytes));
    return result;
  };
  access.instructionBases = bases(std::span(elements).subspan(vector.size()));
  access.laneBases = bases(side.lanes);
  access.warpBases = bases(side.warps);
  access.blockBases = bases(side.blocks);
  return access;
}

/// The position of each register's element, -1 for those that are not moved.
std::vector<std::int32_t> positionsOf(const SharedAccess &access, const LinearLayout &layout) {
  std::vector<BitVector> elements;
  for (std::size_t position = 1; position < access.registers.size(); position *= 2)
    elements.push_back(layout.flatIndex(static_cast<BitVector>(access.registers[position])));
  Echelon echelon = F2Matrix(layout.matrix().rowCount(), std::move(elements)).echelon();
  std::vector<std::int32_t> result;
  for (std::int32_t reg = 0; reg < layout.registerCount(); ++reg) {
    std::optional<BitVector> position =
        echelon.solve(layout.flatIndex(static_cast<BitVector>(reg)));
    result.push_back(position ? static_cast<std::int32_t>(*position) : -1);
  }
  return result;
}

SharedPlan planOf(const Side &write, const Side &read, SharedDirection wide, const SlotBasis &basis,
                  const F2Matrix &ontoTile, int elementBytes) {
  std::vector<BitVector> wideVector = basis.common;
  append(wideVector, basis.extra);
  std::vector<BitVector> all = wideVector;
  for (const std::vector<BitVector> *part : {&basis.word, &basis.banks, &basis.rows})
    append(all, *part);

  auto access = [&](const Side &side, const F2Matrix &slot) {
    return accessOf(side, side.direction == wide ? wideVector : basis.common, slot, elementBytes);
  };
  SharedPlan plan;
  plan.slot = coordinates(all, {}, ontoTile.rowCount()) * ontoTile;
  plan.bufferBytes = static_cast<std::int64_t>(elementBytes) << all.size();
  plan.write = access(write, plan.slot);
  plan.read = access(read, plan.slot);
  return plan;
}

/// Wavefronts first, then instructions.
std::pair<int, int> cost(const SharedPlan &plan) {
  return {plan.write.wavefronts() + plan.read.wavefronts(),
          plan.write.instructionCount() + plan.read.instructionCount()};
}

} // namespace

std::optional<SharedPlan> planShared(const LinearLayout &from, const LinearLayout &to,
                                     int elementBytes) {
  assert(elementBytes > 0 && elementBytes <= 8 && (elementBytes & (elementBytes - 1)) == 0 &&
         "elements have 1, 2, 4 or 8 bytes");
  std::optional<Conversion> conversion = convert(from, to);
  if (!conversion || conversion->distance == Distance::Block)
    return std::nullopt;
  Side write = writers(from), read = readers(to);
  Subspace tile(write.registers);
  tile.addAll(write.lanes);
  tile.addAll(write.warps);

  // What blocks hold beside the first one's elements is no part of an offset: a place writes and
  // reads in its own block's buffer.
  std::vector<BitVector> blocks = write.blocks;
  int indexBits = from.matrix().rowCount();
  F2Matrix ontoTile =
      F2Matrix(indexBits, tile.basis()) * coordinates(tile.basis(), blocks, indexBits);
  for (Side *side : {&write, &read})
    for (BitVector &column : side->blocks)
      column = ontoTile(column);

  Subspace threads = sum(write.threads(), read.threads());
  std::vector<BitVector> common =
      threads.extend(intersection(Subspace(write.registers), Subspace(read.registers)).basis(),
                     threads.dimension() + log2Of(maxInstructionBytes / elementBytes));
  auto plan = [&](const Side &wide, const Side &narrow) {
    std::vector<BitVector> extra = extraVector(wide, narrow, common, elementBytes);
    SlotBasis basis = chooseBasis(wide, narrow, common, extra, tile, elementBytes);
    return planOf(write, read, wide.direction, basis, ontoTile, elementBytes);
  };
  SharedPlan writesWide = plan(write, read), readsWide = plan(read, write);
  SharedPlan &best = cost(readsWide) < cost(writesWide) ? readsWide : writesWide;
  best.write.positions = positionsOf(best.write, from);
  best.read.positions = positionsOf(best.read, to);
  return best;
}

std::uint32_t SharedAccess::offset(std::int32_t instruction, std::int32_t lane, std::int32_t warp,
                                   std::int32_t block) const {
  return selected(instructionBases, instruction) ^ selected(laneBases, lane) ^
         selected(warpBases, warp) ^ selected(blockBases, block);
}

int SharedAccess::wavefronts(std::int32_t instruction, std::int32_t warp) const {
  std::vector<std::optional<std::uint32_t>> offsets(lanesPerWarp);
  bool any = false;
  for (std::int32_t lane = 0; lane < 1 << laneBases.size() && lane < lanesPerWarp; ++lane)
    if (takesPart(lane, warp)) {
      offsets[lane] = offset(instruction, lane, warp);
      any = true;
    }
  return any ? countWavefronts(direction, instructionBytes(), offsets) : 0;
}

int SharedAccess::wavefronts() const {
  // Offsets of two instructions differ by an xor with a constant, which permutes banks and words.
  return instructionCount() * wavefronts(0, 0);
}

int issueSlots(const SharedPlan &plan) {
  constexpr int wavefrontSlots = 1, barrierSlots = 20;
  bool oneWarp = plan.write.warpBases.empty() && plan.read.warpBases.empty();
  return wavefrontSlots * (plan.write.wavefronts() + plan.read.wavefronts()) +
         (oneWarp ? 0 : barrierSlots);
}

int countWavefronts(SharedDirection direction, int bytes,
                    std::span<const std::optional<std::uint32_t>> offsets) {
  int words = std::max(bytes / wordBytes, 1), perPass = lanesPerWarp / words;
  auto agree = [&](int first, int count, int distance) {
    for (int lane = first; lane < first + count; ++lane)
      if (offsets[lane] && offsets[lane ^ distance] && offsets[lane] != offsets[lane ^ distance])
        return false;
    return true;
  };
  int wavefronts = 0;
  for (int first = 0; first < lanesPerWarp;) {
    int lanes = perPass;
    // Two passes of loads become one where neighbours want the same bytes.
    if (direction == SharedDirection::Load && words > 1 && first % (2 * perPass) == 0 &&
        (agree(first, 2 * perPass, 1) || agree(first, 2 * perPass, 2)))
      lanes *= 2;
    std::array<std::vector<std::uint32_t>, bankCount> wordsOfBank;
    std::size_t deepest = 1;
    for (int lane = first; lane < first + lanes; ++lane)
      for (int word = 0; offsets[lane] && word < words; ++word) {
        std::uint32_t address = *offsets[lane] / wordBytes + word;
        std::vector<std::uint32_t> &wanted = wordsOfBank[address % bankCount];
        if (std::find(wanted.begin(), wanted.end(), address) == wanted.end())
          wanted.push_back(address);
        deepest = std::max(deepest, wanted.size());
      }
    wavefronts += static_cast<int>(deepest);
    first += lanes;
  }
  return wavefronts;
}

} // namespace trowel::layout
