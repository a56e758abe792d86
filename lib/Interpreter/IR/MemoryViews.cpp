//===- MemoryViews.cpp - Where elements lie in memory ---------------------===//
//
// Makes views of memrefs, and finds the elements of them that the threads'
// registers have of a tile.
//
//===----------------------------------------------------------------------===//

#include "KernelBlock.h"
#include "Mirage/Schedule/MemoryAccess.h"

using namespace mlir;
using namespace mirage;

FailureOr<MemoryView> mirage::makeView(Operation *op, MemRefType type,
                                       CheckedMemory *memory,
                                       int64_t firstByte) {
  MemoryView view;
  std::optional<ElementType> element =
      convertElementType(type.getElementType());
  std::optional<MemoryLayout> layout = thread::getMemoryLayout(type);
  if (!element || !type.hasStaticShape() || !layout)
    return op->emitOpError()
           << "uses " << type
           << "; the interpreter of kernels runs on floats in memrefs of "
              "static shape, strides and offset zero";
  constexpr int64_t mostElements = int64_t(1) << 31;
  std::optional<int64_t> count = checkedElementCount(type.getShape());
  if (!count || *count < 1 || *count > mostElements)
    return op->emitOpError() << "uses " << type << ", which does not have "
                             << "between 1 and " << mostElements << " elements";
  view.memory = memory;
  view.firstByte = firstByte;
  view.element = *element;
  view.shape = Shape(type.getShape());
  view.layout = *layout;
  return view;
}

FailureOr<MemoryView> mirage::castView(memref::ReinterpretCastOp op,
                                       const MemoryView &source) {
  auto from = dyn_cast<MemRefType>(op.getSource().getType());
  if (!from || !thread::areSameElements(from, op.getType()))
    return op.emitOpError("is no buffer under another shape, or order of "
                          "dimensions, of as many elements");
  return makeView(op, op.getType(), source.memory, source.firstByte);
}

TileAccess::TileAccess(const TileType &type, const MemoryView &view,
                       int64_t threads, bool isMatrixLoad) {
  size_t rank = type.shape.size();
  MemoryLayout memory = view.layout.takeBack(rank);
  // Strides are multiples of the alignment, so that all accesses are aligned
  // where the box is.
  bool isMatrix = isMatrixLoad && byteSize(type.element) == 2 &&
                  isMatrixFragment(type.layout, type.shape, view.layout);
  loadsTogether = isMatrix;
  alignment = isMatrix ? 8
                       : getVectorLength(type.layout, type.shape, view.layout,
                                         16 / byteSize(type.element));
  std::vector<int64_t> places = getThreadPlaces(type.layout, rank, threads);
  int64_t registers = type.layout.getNumRegisters();
  std::vector<Shape> offsets(registers);
  for (int64_t i = 0; i < registers; ++i) {
    offsets[i] = type.layout.getOffsets(i, rank);
    int64_t linear = 0;
    for (size_t dim = 0; dim < rank; ++dim)
      linear += memory.getDistance(dim, offsets[i][dim]);
    registerOffsets.push_back(linear);
  }
  bool isSum = view.layout.isAdditive(type.layout, rank);
  bool overhangs = false;
  for (size_t dim = 0; dim < rank; ++dim)
    overhangs |= type.layout.overhangs(type.shape, dim);
  if (overhangs)
    isInside.resize(threads * registers, true);
  for (int64_t thread = 0; thread < threads; ++thread) {
    ArrayRef<int64_t> base = ArrayRef(places).slice(thread * rank, rank);
    int64_t linear = 0;
    for (size_t dim = 0; dim < rank; ++dim)
      linear += memory.getDistance(dim, base[dim]);
    threadOffsets.push_back(linear);
    for (int64_t i = 0; !isSum && i < registers; ++i) {
      int64_t distance = 0;
      for (size_t dim = 0; dim < rank; ++dim)
        distance += memory.getDistance(dim, base[dim] + offsets[i][dim]);
      this->offsets.push_back(distance);
    }
    for (int64_t i = 0; overhangs && i < registers; ++i)
      for (size_t dim = 0; dim < rank; ++dim)
        if (base[dim] + offsets[i][dim] >= type.shape[dim])
          isInside[thread * registers + i] = false;
  }
  isFirstReplica = getFirstReplicas(type.layout, threads);
}
