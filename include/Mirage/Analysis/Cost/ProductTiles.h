//===- ProductTiles.h - Tiles of products and instructions ------*- C++ -*-===//
//
// What follows of the sizes of a launch's products: the instruction that
// computes them, the warps that have rows of their own, and what iterations do
// not overlap.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_ANALYSIS_COST_PRODUCTTILES_H
#define MIRAGE_ANALYSIS_COST_PRODUCTTILES_H

#include "Mirage/Analysis/Cost/KernelSummary.h"

namespace mirage {

/// All products of one launch. Sizes are those of one block's tiles.
class ProductTiles {
public:
  /// Adds a product of `rows` by `columns` elements, and of so many contracted
  /// ones. The operands' rows lie in memory as rows unless they are transposed.
  void add(int64_t rows, int64_t columns, int64_t depth, bool transposeLhs,
           bool transposeRhs);

  /// Notes the rows of a product before the product is added.
  void addRows(int64_t rows);

  /// True if warps exchange parts of rows where a product has more parts of an
  /// instruction than the warps with rows of their own have registers for.
  bool sharesRows() const;

  /// Says by which instruction a launch computes its products, and what of its
  /// iterations does not overlap. Rows stay together where a product's rows are
  /// reduced, or are the left operand of another product.
  void setInstruction(bool rowsStayTogether, KernelSummary &summary) const;

  /// Returns how many warps a block has where rows stay together, in a loop of
  /// so many iterations: a warp has registers for 16 parts of a product, and
  /// groups of warps share iterations (mirage-schedule-launches).
  int64_t countRowWarps(int64_t iterations) const;

  int64_t getMostParts() const { return mostParts; }

  /// Returns true if the rows of all products fill two warpgroups, for which
  /// others load and prepare.
  bool fillPairs() const;

private:
  int64_t getRowSharers() const;

  /// The largest common factors of the products' rows and columns, and whether
  /// the rows of all left operands, and the columns of all right ones, are rows
  /// in memory.
  int64_t commonRows = 0, commonColumns = 0;
  bool rowsAreRows = true, columnsAreRows = true;
  /// Say whether the rows of all products fill warpgroups, and whether their
  /// columns do.
  bool rowsFill = true, columnsFill = true;
  /// The most elements that a product contracts at once.
  int64_t mostDepth = 0;
  /// The most parts of an instruction that a product has, and its rows have.
  int64_t mostParts = 0, mostRowParts = 0;
};

/// Adds what the tensor cores compute for `batch` products of rows x depth by
/// depth x columns elements, with tiles filled up to the shapes of
/// instructions. `time` is that of the type (getTensorCoreTime), times how
/// often.
void addTensorFlops(double batch, double rows, double columns, double depth,
                    double time, KernelSummary &summary);

/// Returns the bytes of whole lines that a tile's rows touch for each byte of
/// them, less one. Tiles begin at multiples of their sizes.
double getSkippedPart(ShapeRef tensor, ShapeRef tile, unsigned elementBytes);

/// Returns how many bytes threads could copy while they copy one of a tile's
/// rows that are no multiples of the widest access, less one: measured for rows
/// of 40 bytes, which take four times as long.
double getNarrowPart(ShapeRef tensor, ShapeRef tile, unsigned elementBytes);

} // namespace mirage

#endif // MIRAGE_ANALYSIS_COST_PRODUCTTILES_H
