//===- SharedAccess.h - How copies and ldmatrix use banks -------*- C++ -*-===//
//
// Counts the instructions of a warp, and the turns of banks that they take,
// where other instructions than loads and stores of its registers access a
// tile; for these see MemoryAccess.h.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SCHEDULE_SHAREDACCESS_H
#define MIRAGE_SCHEDULE_SHAREDACCESS_H

#include "Mirage/Schedule/MemoryAccess.h"

namespace mirage {

/// Returns what it takes the first warp to move its part of a tile, of which
/// no instruction moves more than so many neighbours; see getWarpAccess.
WarpAccess getLimitedAccess(const RegisterLayout &layout, ShapeRef shape,
                            const MemoryLayout &memory, int64_t elementBytes,
                            int64_t mostElements);

/// Returns what it takes the first warp to load fragments for which
/// isMatrixFragment holds by ldmatrix: an instruction takes up to four matrices
/// of eight rows of 16 bytes, and all rows of a matrix at a time.
WarpAccess getMatrixAccess(const RegisterLayout &layout, ShapeRef shape,
                           const MemoryLayout &memory);

} // namespace mirage

#endif // MIRAGE_SCHEDULE_SHAREDACCESS_H
