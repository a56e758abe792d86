//===- ProgramNumbers.h - Numbers that may stand for sizes ------*- C++ -*-===//
//
// A program that takes a mean may divide by a number of elements, which is what
// it is because a size is what it is.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_MUGRAPH_PROGRAMNUMBERS_H
#define MIRAGE_LIB_MUGRAPH_PROGRAMNUMBERS_H

#include "Mirage/MuGraph/MuGraph.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <array>

namespace mirage {

/// Adds the magnitudes of the numbers that a program calculates with, but for
/// 0, 1, -1, infinities and the largest finite numbers of f32 and f64: those
/// are not what they are because a size is what it is. Of constants with many
/// elements, each element counts, but of those that are left out. All are
/// sorted.
void collectConstants(const MuGraph &graph,
                      const llvm::SmallPtrSetImpl<const void *> &leftOut,
                      std::vector<double> &constants);

/// Returns where the graph's constants hold their elements.
llvm::SmallPtrSet<const void *, 8> findElements(const MuGraph &graph);

/// Returns the numbers that a program may have because a size is `count`.
std::array<double, 4> getNumbersOf(double count);

/// Returns which of the numbers of a size `constant` may be: itself, or rounded
/// to f16, by 2^-11 at most.
std::optional<unsigned> findNumberOf(double count, double constant);

} // namespace mirage

#endif // MIRAGE_LIB_MUGRAPH_PROGRAMNUMBERS_H
