//===- ElementTile.h - Elements that a thread computes together -*- C++ -*-===//
//
// A thread that computes a buffer's elements one by one loads and stores two
// bytes of f16 at a time. Where neighbours in a result are made of neighbours
// in what it is made of, a thread computes several of them, and moves up to 16
// bytes at once. What says so is decided here, for the lowering and for the
// interpreter, which reads as many neighbours at the same places.
//
// A *run* of a tensor along a dimension are elements beside each other in it,
// as many as a power of two, from a multiple of their number on.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_DIALECT_THREAD_IR_ELEMENTTILE_H
#define MIRAGE_DIALECT_THREAD_IR_ELEMENTTILE_H

#include "Mirage/Dialect/Thread/IR/ThreadDialect.h"

namespace mirage::thread {

/// Says what the elements of a run of an operator's result read of an operand.
struct RunSource {
  enum Kind {
    /// They read the elements of a run along `dim`, in order.
    Run,
    /// All of them read one element.
    Same,
    /// Nothing is known of the elements that they read.
    Apart
  };
  Kind kind = Apart;
  int64_t dim = 0;
};

/// Returns what the elements of a run of `width` elements along a dimension of
/// a result read of an operand. The width divides the result's size there.
RunSource getRunSource(mirage::ComputeOpInterface op, unsigned result,
                       unsigned operand, int64_t dim, int64_t width);

/// Returns true if the operator that gives a tensor makes a run of it along a
/// dimension of runs and single elements of its operands. Where it does not, a
/// run is made of the tensor's elements.
bool movesRuns(mlir::Value tensor, int64_t dim, int64_t width);

/// Counts the elements of each result that a thread computes together:
/// `columns` along the last dimension, by `rows` along another one. Sizes of
/// results are multiples of them.
struct ElementTile {
  int64_t columns = 1;
  int64_t rows = 1;
  int64_t rowDim = 0;
  /// The columns lie beside each other in memory, and may belong to the ends of
  /// rows and the begins of the next ones: rows are no multiples of them, or
  /// are not made of neighbours. Each element is computed by itself.
  bool crossesRows = false;

  int64_t getCount() const { return columns * rows; }
  /// The elements of the tile are computed as runs along this dimension, of
  /// `getWidth` elements each: that of the columns, or that of the rows where
  /// the results lie in memory in another order than what they are made of.
  int64_t getRunDim(int64_t rank) const { return rows > 1 ? rowDim : rank - 1; }
  int64_t getWidth() const { return rows > 1 ? rows : columns; }
};

/// Returns the tiles of a computation: of one element where it is none over the
/// whole grid. Where neighbours are not made of neighbours, elements that are
/// moved or computed each of one other still are stored together. Tiles are as
/// large as leaves each of some ten thousand threads one.
ElementTile getElementTile(ComputeOp op);

/// Returns the index of the first element of a tile by its number, along each
/// dimension. Tiles beside each other along the rows come first, as many as
/// together read 64 bytes, then those beside each other along the columns.
template <typename System>
llvm::SmallVector<typename System::Index>
getTileStart(typename System::Index number, const ElementTile &tile,
             ShapeRef shape, int64_t elementBytes, System &s) {
  size_t rank = shape.size();
  int64_t beside = 1;
  llvm::SmallVector<int64_t> counts(shape);
  if (tile.crossesRows)
    number = s.mulConstant(number, tile.columns);
  else
    counts[rank - 1] /= tile.columns;
  if (tile.rows > 1) {
    int64_t &count = counts[tile.rowDim];
    count /= tile.rows;
    constexpr int64_t bytesBeside = 64;
    for (int64_t n = 2; n <= count; ++n)
      if (count % n == 0 && n * tile.rows * elementBytes <= bytesBeside)
        beside = n;
    count /= beside;
  }
  typename System::Index first = s.index(0);
  if (beside > 1) {
    first = s.remConstant(number, beside);
    number = s.divConstant(number, beside);
  }
  llvm::SmallVector<typename System::Index> at(rank, s.index(0));
  for (size_t dim = rank; dim-- > 0;) {
    at[dim] = dim ? s.remConstant(number, counts[dim]) : number;
    number = s.divConstant(number, counts[dim]);
  }
  if (beside > 1)
    at[tile.rowDim] = s.add(s.mulConstant(at[tile.rowDim], beside), first);
  if (tile.rows > 1)
    at[tile.rowDim] = s.mulConstant(at[tile.rowDim], tile.rows);
  if (!tile.crossesRows)
    at[rank - 1] = s.mulConstant(at[rank - 1], tile.columns);
  return at;
}

} // namespace mirage::thread

#endif // MIRAGE_DIALECT_THREAD_IR_ELEMENTTILE_H
