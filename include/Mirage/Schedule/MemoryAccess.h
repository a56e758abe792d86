//===- MemoryAccess.h - How many elements an access moves -------*- C++ -*-===//
//
// Says how many neighbours one instruction moves where threads load, store or
// copy boxes of memory. The lowering emits such instructions, and the
// interpreter of kernels checks that their addresses are multiples of what they
// move, without which a GPU stops.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SCHEDULE_MEMORYACCESS_H
#define MIRAGE_SCHEDULE_MEMORYACCESS_H

#include "Mirage/Schedule/RegisterLayout.h"

namespace mirage {

/// Memory in which a box lies: its sizes, and its strides in elements. The
/// box's dimensions are the last.
struct BoxMemory {
  ShapeRef shape, strides;
};

/// Returns the number of neighbours, at most `most`, that one access may move
/// of a tile of `shape`. It is a power of two that divides all strides, so that
/// an access is aligned if the box begins at a multiple of it.
int64_t getVectorLength(const RegisterLayout &layout, ShapeRef shape,
                        ShapeRef strides, int64_t most);

/// Returns true if a tile of 16-bit elements in shared memory is loaded by
/// ldmatrix (PTX ISA): each lane addresses rows of eight neighbours, 16 bytes.
bool isMatrixFragment(const RegisterLayout &layout, ShapeRef shape,
                      ShapeRef strides);

/// How the threads of a block copy a box.
struct BoxCopy {
  /// The elements that one access moves.
  int64_t length = 1;
  /// What each thread copies, if all of them have the same number of accesses.
  std::optional<RegisterLayout> layout;
};

/// Returns how a box of `sizes` is copied. Only asynchronous copies are shared
/// by a layout.
BoxCopy getBoxCopy(ShapeRef sizes, const BoxMemory &source,
                   const BoxMemory &target, int64_t elementBytes,
                   int64_t threads, bool async);

} // namespace mirage

#endif // MIRAGE_SCHEDULE_MEMORYACCESS_H
