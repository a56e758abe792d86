//===- RowLayout.cpp - How rows of a tile lie in shared memory ------------===//
//
// Lays out rows one after the other, with gaps, or in swizzled chunks.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Schedule/RowLayout.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mirage;

static constexpr llvm::StringLiteral denseRows = "dense", gapsOf = "gaps of ",
                                     chunksOf = "chunks of ";
static constexpr int64_t chunkWidths[] = {widestChunk, 32, 16};

static int64_t roundUp(int64_t size, int64_t step) {
  return static_cast<int64_t>(llvm::alignTo(size, step));
}

std::string RowLayout::str() const {
  if (chunk)
    return chunksOf.str() + std::to_string(chunk);
  return gap ? gapsOf.str() + std::to_string(gap) : denseRows.str();
}

std::optional<RowLayout> RowLayout::parse(llvm::StringRef text) {
  if (text == denseRows)
    return dense();
  bool hasChunks = text.consume_front(chunksOf);
  int64_t number;
  if ((!hasChunks && !text.consume_front(gapsOf)) ||
      text.getAsInteger(10, number))
    return std::nullopt;
  if (hasChunks)
    return llvm::is_contained(chunkWidths, number)
               ? std::optional(chunks(number))
               : std::nullopt;
  return number > 0 && number <= mostGap ? std::optional(gaps(number))
                                         : std::nullopt;
}

/// Returns the elements of a row in memory. Half of a chunk may be no part of
/// the tile.
static int64_t getInner(ShapeRef shape, const RowSteps &steps) {
  int64_t inner = shape.empty() ? 1 : shape.back();
  return steps.fillsChunks && inner % WarpgroupInstruction::columnStep == 0
             ? roundUp(inner, WarpgroupInstruction::narrowestChunk)
             : inner;
}

bool mirage::canLieIn(const RowLayout &rows, ShapeRef shape,
                      int64_t elementBytes, const RowSteps &steps) {
  return !rows.chunk ||
         (elementBytes == 2 && shape.size() >= 2 &&
          getInner(shape, steps) % WarpgroupInstruction::narrowestChunk == 0);
}

/// Lays out rows one after the other, with gaps or without.
static PlacedRows placeInOrder(int64_t gap, ShapeRef shape) {
  PlacedRows placed{{Shape(shape.size(), 1)}, Shape(shape), 1};
  Shape &strides = placed.memory.strides;
  for (size_t dim = shape.size(); dim-- > 1;)
    strides[dim - 1] =
        strides[dim] * shape[dim] + (dim + 1 == shape.size() ? gap : 0);
  if (!shape.empty())
    placed.elements = strides.front() * shape.front();
  return placed;
}

PlacedRows mirage::placeRows(const RowLayout &rows, ShapeRef tile,
                             size_t rowDims, const RowSteps &steps) {
  if (!rows.chunk)
    return placeInOrder(rows.gap, tile);
  int64_t chunk = rows.chunk;
  size_t rank = tile.size();
  Shape shape(tile);
  shape.back() = getInner(tile, steps);
  if (rowDims == 1) {
    shape.rbegin()[1] = roundUp(shape.rbegin()[1], steps.rows);
    shape.rbegin()[0] = roundUp(shape.rbegin()[0], steps.columns);
  }
  Shape strides(rank, 1);
  int64_t numRows = 1;
  for (size_t dim = rank - 1; dim-- > rank - 1 - rowDims;) {
    strides[dim] = numRows * chunk;
    numRows *= shape[dim];
  }
  int64_t chunkStride =
      roundUp(numRows, WarpgroupInstruction::columnStep) * chunk;
  // A dimension of size one is never stepped along, so that its stride only
  // has to be one that swizzling allows.
  for (size_t dim = rank - 1 - rowDims; dim + 2 < rank; ++dim)
    if (shape[dim] == 1)
      strides[dim] = chunkStride;
  int64_t count =
      static_cast<int64_t>(llvm::divideCeil(shape.back(), chunk)) * chunkStride;
  for (size_t dim = rank - 1 - rowDims; dim-- > 0;) {
    strides[dim] = count;
    count *= shape[dim];
  }
  return {{strides, chunk, chunkStride, /*swizzled=*/true}, shape, count};
}

int64_t mirage::getGap(ShapeRef shape, int64_t elementBytes) {
  constexpr int64_t accessBytes = 16;
  return shape.size() > 1 &&
                 shape.back() * elementBytes % (2 * accessBytes) == 0
             ? accessBytes / elementBytes
             : 0;
}

llvm::SmallVector<RowLayout, 4> mirage::listRowLayouts(const RowLayout &first,
                                                       ShapeRef shape,
                                                       int64_t elementBytes,
                                                       const RowSteps &steps) {
  llvm::SmallVector<RowLayout, 4> layouts{first};
  auto add = [&](const RowLayout &rows) {
    if (!llvm::is_contained(layouts, rows) &&
        canLieIn(rows, shape, elementBytes, steps))
      layouts.push_back(rows);
  };
  add(RowLayout::dense());
  if (shape.size() > 1)
    for (int64_t bytes : {4, 8, 16})
      if (bytes % elementBytes == 0)
        add(RowLayout::gaps(bytes / elementBytes));
  for (int64_t chunk : chunkWidths)
    add(RowLayout::chunks(chunk));
  return layouts;
}
