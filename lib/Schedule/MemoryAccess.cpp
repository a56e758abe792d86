//===- MemoryAccess.cpp - How many elements an access moves ---------------===//
//
// Finds the widest accesses that layouts and strides admit.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Schedule/MemoryAccess.h"
#include "Mirage/Schedule/SharedAccess.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <array>

using namespace mirage;

int64_t MemoryLayout::getExtent(ShapeRef shape) const {
  int64_t last = 0;
  for (auto [dim, size] : llvm::enumerate(shape))
    last += getDistance(dim, size - 1);
  return last + 1;
}

bool MemoryLayout::isAdditive(const RegisterLayout &layout, size_t rank) const {
  if (chunk == 0)
    return true;
  // No sum of digits may carry from a chunk to the next one.
  return llvm::all_of(llvm::concat<const LayoutMode>(
                          layout.registers, layout.lanes, layout.warps),
                      [&](const LayoutMode &mode) {
                        return mode.dim != static_cast<int64_t>(rank) - 1 ||
                               mode.stride % chunk == 0 ||
                               chunk % mode.stride == 0;
                      });
}

int64_t mirage::getVectorLength(const RegisterLayout &layout, ShapeRef shape,
                                const MemoryLayout &memory, int64_t most) {
  ShapeRef strides = memory.strides;
  int64_t inner = shape.size() - 1;
  if (shape.empty() || layout.registers.empty() || strides.back() != 1)
    return 1;
  const LayoutMode &first = layout.registers.front();
  if (first.dim != inner || first.stride != 1)
    return 1;
  // The length divides the size, so that an access lies beyond the end as a
  // whole or not at all.
  int64_t length = llvm::bit_floor(
      static_cast<uint64_t>(std::min<int64_t>(first.size, most)));
  auto divides = [&](int64_t n) {
    if (first.size % n || shape.back() % n)
      return false;
    for (int64_t stride : strides.drop_back())
      if (stride % n)
        return false;
    if (memory.chunk % n || memory.chunkStride % n)
      return false;
    return llvm::none_of(llvm::concat<const LayoutMode>(
                             layout.lanes, layout.warps,
                             llvm::ArrayRef(layout.registers).drop_front()),
                         [&](const LayoutMode &mode) {
                           return mode.dim == inner && mode.stride % n;
                         });
  };
  while (length > 1 && !divides(length))
    length /= 2;
  return length;
}

bool mirage::isMatrixFragment(const RegisterLayout &layout, ShapeRef shape,
                              const MemoryLayout &memory) {
  ShapeRef strides = memory.strides;
  int64_t innermost = shape.size() - 1;
  if (layout.lanes.size() != 2 || shape.size() < 2 || strides.back() != 1)
    return false;
  std::optional<int64_t> pairs = layout.lanes[0].dim,
                         spread = layout.lanes[1].dim;
  LayoutModes expected = {{4, pairs, 2}, {8, spread, 1}};
  if (layout.lanes != expected || layout.registers.empty() ||
      layout.registers[0].dim != pairs || layout.registers[0].stride != 1 ||
      layout.registers[0].size != 2)
    return false;
  // The eight numbers of a row are neighbours in memory: pairs of a lane, or,
  // transposed, what the groups of lanes have.
  if (spread != innermost && pairs != innermost)
    return false;
  if (layout.overhangs(shape, innermost) || shape[innermost] % 8 ||
      memory.chunk % 8 || memory.chunkStride % 8)
    return false;
  return llvm::none_of(strides.drop_back(),
                       [](int64_t stride) { return stride % 8 != 0; });
}

bool mirage::comesInUnalignedRuns(const RegisterLayout &layout, ShapeRef shape,
                                  const MemoryLayout &memory,
                                  int64_t elementBytes, int64_t runUnit) {
  if (elementBytes > 2 || shape.empty() || memory.chunk ||
      memory.strides.back() != 1)
    return false;
  // The threads have whole runs where they could load them from memory whose
  // rows are aligned.
  int64_t run = 16 / elementBytes;
  MemoryLayout aligned = memory;
  for (int64_t &stride : llvm::MutableArrayRef(aligned.strides).drop_back())
    stride = run;
  return getVectorLength(layout, shape, aligned, run) == run &&
         (getVectorLength(layout, shape, memory, run) < run || runUnit % run);
}

/// Returns the place of an element, or nothing where it is beyond the end of
/// the tile.
static std::optional<int64_t>
findPlace(ShapeRef shape, const MemoryLayout &memory, ShapeRef index) {
  int64_t distance = 0;
  for (auto [dim, size] : llvm::enumerate(shape)) {
    if (index[dim] >= size)
      return std::nullopt;
    distance += memory.getDistance(dim, index[dim]);
  }
  return memory.getPlace(distance);
}

/// Returns the index of the element that a register of a lane has.
static Shape getIndex(const RegisterLayout &layout, ShapeRef ofRegister,
                      int64_t lane) {
  Shape index(ofRegister);
  for (const LayoutMode &mode : layout.lanes) {
    if (mode.dim)
      index[*mode.dim] += lane % mode.size * mode.stride;
    lane /= mode.size;
  }
  return index;
}

namespace {
/// Counts the turns of the banks in which what lanes ask for comes together.
class BankTurns {
public:
  static constexpr int64_t banks = 32, bankBytes = 4;

  /// Adds the words of so many bytes, or the one of which they are a part.
  void add(int64_t begin, int64_t bytes) {
    for (int64_t byte = begin; byte < begin + bytes;
         byte += std::min(bytes, bankBytes)) {
      int64_t word = byte / bankBytes;
      words[word % banks].insert(word);
      most = std::max(most, words[word % banks].size());
    }
  }
  unsigned getTurns() const { return most; }

private:
  /// The words that each bank is asked for.
  std::array<llvm::SmallDenseSet<int64_t, 4>, banks> words;
  unsigned most = 0;
};
} // namespace

WarpAccess mirage::getLimitedAccess(const RegisterLayout &layout,
                                    ShapeRef shape, const MemoryLayout &memory,
                                    int64_t elementBytes,
                                    int64_t mostElements) {
  constexpr int64_t sectorBytes = 32;
  int64_t length = getVectorLength(layout, shape, memory, mostElements);
  WarpAccess access;
  access.bytes = length * elementBytes;
  access.instructions = layout.getNumRegisters() / length;
  int64_t together = std::min(RegisterLayout::kWarpSize,
                              RegisterLayout::kWarpSize * BankTurns::bankBytes /
                                  std::max(access.bytes, BankTurns::bankBytes));
  for (int64_t number = 0; number < access.instructions; ++number) {
    Shape offsets = layout.getOffsets(number * length, shape.size());
    llvm::SmallDenseSet<int64_t, 32> sectors;
    for (int64_t first = 0; first < RegisterLayout::kWarpSize;
         first += together) {
      BankTurns turns;
      for (int64_t lane = first; lane < first + together; ++lane) {
        std::optional<int64_t> place =
            findPlace(shape, memory, getIndex(layout, offsets, lane));
        if (!place)
          continue;
        int64_t begin = *place * elementBytes;
        turns.add(begin, access.bytes);
        for (int64_t byte = begin; byte < begin + access.bytes;
             byte += std::min(access.bytes, BankTurns::bankBytes))
          sectors.insert(byte / sectorBytes);
      }
      access.turns += turns.getTurns();
    }
    access.sectors += sectors.size();
  }
  return access;
}

WarpAccess mirage::getWarpAccess(const RegisterLayout &layout, ShapeRef shape,
                                 const MemoryLayout &memory,
                                 int64_t elementBytes) {
  constexpr int64_t mostBytes = 16;
  return getLimitedAccess(layout, shape, memory, elementBytes,
                          mostBytes / elementBytes);
}

WarpAccess mirage::getMatrixAccess(const RegisterLayout &layout, ShapeRef shape,
                                   const MemoryLayout &memory) {
  constexpr int64_t rows = 8, rowBytes = 16, elementBytes = 2,
                    matricesOfInstruction = 4;
  int64_t rank = shape.size();
  int64_t pairs = *layout.lanes[0].dim, spread = *layout.lanes[1].dim;
  // Transposed, the groups of lanes have the neighbours of a row.
  int64_t rowDim = spread == rank - 1 ? pairs : spread;
  int64_t matrices = layout.getNumRegisters() / 2;
  WarpAccess access;
  access.bytes = rowBytes;
  access.instructions =
      static_cast<int64_t>(llvm::divideCeil(matrices, matricesOfInstruction));
  for (int64_t matrix = 0; matrix < matrices; ++matrix) {
    BankTurns turns;
    Shape index = layout.getOffsets(2 * matrix, rank);
    for (int64_t row = 0; row < rows; ++row, ++index[rowDim])
      if (std::optional<int64_t> place = findPlace(shape, memory, index))
        turns.add(*place * elementBytes, rowBytes);
    access.turns += turns.getTurns();
  }
  return access;
}

/// Returns how many elements an access may move where threads share the rows of
/// a box evenly or not: a power of two that divides the rows of the box and of
/// both memories, up to 16 bytes.
static int64_t getRowVectorLength(ShapeRef sizes, const BoxMemory &source,
                                  const BoxMemory &target,
                                  int64_t elementBytes) {
  if (sizes.empty())
    return 1;
  // Gaps behind rows of the target may have any size.
  auto isAligned = [&](int64_t length) {
    return sizes.back() % length == 0 && source.shape.back() % length == 0 &&
           target.shape.back() % length == 0 &&
           source.layout.chunk % length == 0 &&
           target.layout.chunk % length == 0 &&
           llvm::all_of(ShapeRef(target.layout.strides).drop_back(),
                        [&](int64_t stride) { return stride % length == 0; });
  };
  int64_t length = 16 / elementBytes;
  while (length > 1 && !isAligned(length))
    length /= 2;
  return length;
}

/// Returns the sizes of a box whose rows have places for as many accesses of
/// `most` elements as four lanes share evenly, so that a request reads 64 bytes
/// of a row: rows of ten accesses would be shared by two lanes.
static Shape shareRows(ShapeRef sizes, int64_t most) {
  constexpr int64_t lanes = 4;
  Shape shared(sizes);
  int64_t accesses = sizes.back() / most;
  if (sizes.back() % most == 0 && accesses + 1 >= lanes)
    shared.back() = static_cast<int64_t>(llvm::alignTo(accesses, lanes)) * most;
  return shared;
}

BoxCopy mirage::getBoxCopy(ShapeRef sizes, const BoxMemory &source,
                           const BoxMemory &target, int64_t elementBytes,
                           int64_t threads, bool async, int64_t runUnit) {
  BoxCopy copy;
  copy.length = getRowVectorLength(sizes, source, target, elementBytes);
  while (runUnit % copy.length)
    copy.length /= 2;
  if (!async || sizes.empty() || threads % RegisterLayout::kWarpSize)
    return copy;
  int64_t most = 16 / elementBytes;
  // The last threads copy fewer rows where these are not shared evenly.
  RegisterLayout layout = getSpreadVectorLayout(
      shareRows(sizes, most), threads / RegisterLayout::kWarpSize, most);
  int64_t length =
      std::min(getVectorLength(layout, sizes, source.layout, most),
               getVectorLength(layout, sizes, target.layout, most));
  while (runUnit % length)
    length /= 2;
  // cp.async moves 4, 8 or 16 bytes. A code of many copies would be long.
  constexpr int64_t mostCopies = 64;
  if (length * elementBytes < 4 ||
      layout.getNumRegisters() / length > mostCopies)
    return copy;
  copy.length = length;
  copy.layout = layout;
  return copy;
}
