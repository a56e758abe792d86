//===- RowLayout.h - How rows of a tile lie in shared memory ----*- C++ -*-===//
//
// Names the ways in which the rows of a tile may lie in shared memory, says
// which of them a tile may have, and where its elements are then.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SCHEDULE_ROWLAYOUT_H
#define MIRAGE_SCHEDULE_ROWLAYOUT_H

#include "Mirage/Schedule/MemoryAccess.h"
#include "Mirage/Semantics/MatrixInstruction.h"
#include "llvm/ADT/StringRef.h"

namespace mirage {

/// How the rows of a tile lie: one after the other, with a gap of so many
/// elements behind each, or cut into swizzled chunks of so many elements (see
/// MemoryLayout).
struct RowLayout {
  int64_t gap = 0, chunk = 0;

  static RowLayout dense() { return {}; }
  static RowLayout gaps(int64_t elements) { return {elements, 0}; }
  static RowLayout chunks(int64_t elements) { return {0, elements}; }

  /// Returns what an attribute says of such rows: "dense", "gaps of 8" or
  /// "chunks of 32".
  std::string str() const;
  /// Returns the rows of which str() says this, if there are any. A gap has
  /// `mostGap` elements at most, and chunks have 16, 32 or 64.
  static std::optional<RowLayout> parse(llvm::StringRef text);
  static constexpr int64_t mostGap = 64;

  bool operator==(const RowLayout &other) const {
    return gap == other.gap && chunk == other.chunk;
  }
};

/// The elements of 16 bits in the widest chunk in which wgmma takes swizzled
/// rows.
inline constexpr int64_t widestChunk = 64;

/// The multiples of which a tile in chunks has rows and columns in memory.
/// wgmma takes eight rows of its right operand at a time, of which the last
/// ones may be no part of the tile. Where it takes eight columns at a time that
/// are neighbours in memory, half of the last chunk may be none.
struct RowSteps {
  int64_t rows = WarpgroupInstruction::columnStep, columns = 1;
  bool fillsChunks = false;
  /// A row of the tensor has two tiles at most: little is brought in vain of
  /// what lies behind a tile.
  bool fewTiles = false;

  bool operator==(const RowSteps &other) const {
    return rows == other.rows && columns == other.columns &&
           fillsChunks == other.fillsChunks && fewTiles == other.fewTiles;
  }
};

/// The room of a tile in shared memory.
struct PlacedRows {
  MemoryLayout memory;
  /// The sizes of the tile with the rows and columns beyond its end.
  Shape shape;
  /// The elements from the first one to where another tile may begin.
  int64_t elements = 0;
};

/// Returns true if the rows of a tile may lie so in shared memory. Chunks have
/// elements of 16 bits, and rows of whole parts of the narrowest chunk.
bool canLieIn(const RowLayout &rows, ShapeRef shape, int64_t elementBytes,
              const RowSteps &steps);

/// Returns where a tile lies whose rows can lie so. `rowDims` of its dimensions
/// before the last one are the rows of one matrix.
PlacedRows placeRows(const RowLayout &rows, ShapeRef shape, size_t rowDims,
                     const RowSteps &steps);

/// Returns the gap by which eight rows begin in different banks where the
/// threads of a warp read 16 bytes of each, as ldmatrix does; zero where they
/// do without.
int64_t getGap(ShapeRef shape, int64_t elementBytes);

/// Returns all ways in which the rows of a tile may lie: with gaps of 4, 8 and
/// 16 bytes, in chunks of each width, and dense. The first one is `first`.
llvm::SmallVector<RowLayout, 4> listRowLayouts(const RowLayout &first,
                                               ShapeRef shape,
                                               int64_t elementBytes,
                                               const RowSteps &steps);

} // namespace mirage

#endif // MIRAGE_SCHEDULE_ROWLAYOUT_H
