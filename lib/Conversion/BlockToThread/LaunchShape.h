//===- LaunchShape.h - What a schedule depends on ---------------*- C++ -*-===//
//
// Describes a launch in the numbers that the choice of its schedule depends on.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_CONVERSION_BLOCKTOTHREAD_LAUNCHSHAPE_H
#define MIRAGE_LIB_CONVERSION_BLOCKTOTHREAD_LAUNCHSHAPE_H

#include "Mirage/Dialect/Kernel/IR/KernelDialect.h"

namespace mirage {

/// Holds what the choice depends on.
struct LaunchShape {
  /// These are the most rows and columns of a product, in parts of 16 and of 8,
  /// and the most such parts of one product.
  int64_t rowParts = 0, columnParts = 0, parts = 0;
  /// The sums that are in registers together: those of the largest product, or
  /// of all whose terms a loop adds up.
  int64_t sums = 0;
  /// What all products make. Where rows stay together, the scores and what they
  /// become are in registers beside the sums of the product behind them.
  int64_t allSums = 0;
  /// The largest number that divides the rows of all products, in parts of 16.
  int64_t commonRowParts = 0;
  /// Say whether the rows of all products fill warpgroups, and whether their
  /// columns do.
  bool rowsFill = true, columnsFill = true;
  /// The elements that wgmma computes of all products, with those beyond the
  /// end, where rows are its rows and where columns are.
  int64_t straightElements = 0, exchangedElements = 0;
  /// Says whether what a product made is reduced along its rows, or is the left
  /// operand of another one: then a row belongs to one warp.
  bool rowsStayTogether = false;
  /// Says whether lanes compute all products by multiply-adds.
  bool hasLaneProducts = false;
  /// Says whether a loop puts tiles together, of which one group of warps has
  /// all.
  bool joinsTiles = false;
  /// Says whether iterations store tiles, and whether threads have runs of
  /// neighbours of them and nothing beyond their rows.
  bool storesTiles = false, storesWholeRows = true;
  /// The loops of the launch, and those that are inside of others; the
  /// iterations of the one that has most, and what divides those of each.
  int64_t loops = 0, innerLoops = 0;
  int64_t trips = 1, commonTrips = 0;
  /// The elements of the largest tile, of the largest one that elementwise
  /// operators compute, and of the largest one with exponentials.
  int64_t elements = 1, computedElements = 1, exponentialElements = 0;
  int64_t blocks = 1;
};

LaunchShape describeLaunch(kernel::LaunchOp launch);

} // namespace mirage

#endif // MIRAGE_LIB_CONVERSION_BLOCKTOTHREAD_LAUNCHSHAPE_H
