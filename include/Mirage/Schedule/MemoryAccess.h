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

/// How the elements of a buffer lie in memory, in elements. Where `chunk` is
/// not zero, the innermost dimension is cut into chunks of so many neighbours,
/// and `chunkStride` elements lie between the beginnings of two of them. The
/// places of pieces of eight elements may be exchanged (swizzled) besides.
struct MemoryLayout {
  Shape strides;
  int64_t chunk = 0, chunkStride = 0;
  bool swizzled = false;

  /// The elements that are neighbours wherever the first stands at a multiple
  /// of so many, and the elements in which swizzling repeats itself.
  static constexpr int64_t piece = 8;
  int64_t getPeriod() const { return swizzled ? piece * chunk : 1; }
  /// The elements between two that have neighbouring places when swizzled, that
  /// is the 128 bytes of all banks in elements of 16 bits.
  static constexpr int64_t swizzledLine = 64;

  /// The place of the element at a distance from the first. The pieces of a
  /// chunk are exchanged by the number of the 128 bytes in which it stands, as
  /// wgmma and TMA do with elements of 16 bits (PTX ISA, "Shared Memory Matrix
  /// Layout", 32-, 64- and 128-byte swizzling).
  int64_t getPlace(int64_t distance) const {
    if (!swizzled)
      return distance;
    return distance ^ (distance / swizzledLine % (chunk / piece) * piece);
  }

  /// The distance, before swizzling, of element `index` along a dimension from
  /// element zero.
  int64_t getDistance(size_t dim, int64_t index) const {
    if (chunk == 0 || dim + 1 != strides.size())
      return index * strides[dim];
    return index / chunk * chunkStride + index % chunk;
  }
  /// The number of elements from the first to behind the last.
  int64_t getExtent(ShapeRef shape) const;
  /// Returns the strides of the last dimensions.
  MemoryLayout takeBack(size_t rank) const {
    return {Shape(ShapeRef(strides).take_back(rank)), chunk, chunkStride,
            swizzled};
  }
  /// Returns true if the distance of an element is the sum of the distance of
  /// its thread's first element and that of its register, where a box begins at
  /// a multiple of the chunk or lies inside of one.
  bool isAdditive(const RegisterLayout &layout, size_t rank) const;
};

/// Returns true if threads load a tile from device memory in runs of 16 bytes
/// that an access cannot move, as rows begin at any multiple of an element or
/// runs are there in part: elements have 8 or 16 bits, and each thread has
/// whole runs of neighbours. `runUnit` is as in getBoxCopy.
bool comesInUnalignedRuns(const RegisterLayout &layout, ShapeRef shape,
                          const MemoryLayout &memory, int64_t elementBytes,
                          int64_t runUnit);

/// What it takes one warp to load or store its part of a tile.
struct WarpAccess {
  /// The instructions, each of which moves so many bytes a lane.
  int64_t instructions = 0, bytes = 0;
  /// The turns of the 32 banks of 4 bytes that all of them take, where the tile
  /// is in shared memory: lanes that access the same 4 bytes take one. An
  /// instruction that moves 8 bytes a lane is executed for 16 lanes at a time,
  /// one that moves 16 for eight.
  int64_t turns = 0;
  /// The sectors of 32 bytes that the instructions touch, each by itself, where
  /// the tile is in device memory.
  int64_t sectors = 0;
};
/// Returns that of the first warp where a tile begins at a multiple of 128
/// bytes.
WarpAccess getWarpAccess(const RegisterLayout &layout, ShapeRef shape,
                         const MemoryLayout &memory, int64_t elementBytes);

/// Memory in which a box lies. The box's dimensions are the last.
struct BoxMemory {
  ShapeRef shape;
  MemoryLayout layout;
};

/// Returns the number of neighbours, at most `most`, that one access may move
/// of a tile of `shape`. It is a power of two that divides all strides, so that
/// an access is aligned if the box begins at a multiple of it.
int64_t getVectorLength(const RegisterLayout &layout, ShapeRef shape,
                        const MemoryLayout &memory, int64_t most);

/// Returns true if a tile of 16-bit elements in shared memory is loaded by
/// ldmatrix (PTX ISA): each lane addresses rows of eight neighbours, 16 bytes.
bool isMatrixFragment(const RegisterLayout &layout, ShapeRef shape,
                      const MemoryLayout &memory);

/// How the threads of a block copy a box.
struct BoxCopy {
  /// The elements that one access moves.
  int64_t length = 1;
  /// What each thread copies, if all of them have the same number of accesses,
  /// some of which may lie beyond the box and are left out.
  std::optional<RegisterLayout> layout;
};

/// Returns how a box of `sizes` is copied. Only asynchronous copies are shared
/// by a layout. Where not all elements of a row are there, `runUnit` is a
/// number that an access must divide, so that what it moves is there or not as
/// a whole; otherwise it is zero.
BoxCopy getBoxCopy(ShapeRef sizes, const BoxMemory &source,
                   const BoxMemory &target, int64_t elementBytes,
                   int64_t threads, bool async, int64_t runUnit = 0);

} // namespace mirage

#endif // MIRAGE_SCHEDULE_MEMORYACCESS_H
