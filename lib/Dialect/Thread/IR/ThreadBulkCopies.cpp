//===- ThreadBulkCopies.cpp - Copies by the copy engine -------------------===//
//
// Verifies tensor maps and the copies that the GPU's copy engine makes by them.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Dialect/Thread/IR/ThreadDialect.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace mirage;
using namespace mirage::thread;

bool TensorMapType::canDescribe(MemRefType buffer) {
  constexpr int64_t mostDims = 5, bytesOfStride = 16;
  std::optional<MemoryLayout> layout = getMemoryLayout(buffer);
  if (!layout || layout->chunk || !buffer.hasStaticShape() ||
      buffer.getMemorySpace() || buffer.getRank() < 1 ||
      buffer.getRank() > mostDims || buffer.getElementTypeBitWidth() != 16 ||
      layout->strides.back() != 1)
    return false;
  return llvm::all_of(ArrayRef(layout->strides).drop_back(),
                      [](int64_t stride) {
                        return stride > 0 && stride * 2 % bytesOfStride == 0;
                      });
}

LogicalResult
TensorMapType::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                      MemRefType buffer, ArrayRef<int64_t> box) {
  if (!canDescribe(buffer))
    return emitError() << "a tensor map describes no " << buffer
                       << ": a buffer in device memory of one to five "
                          "dimensions has elements of 16 bits, those along its "
                          "last dimension are neighbours, and the other "
                          "strides are multiples of 16 bytes (tensor_map_c1)";
  constexpr int64_t mostElements = 256;
  auto isOutside = [](int64_t size) { return size < 1 || size > mostElements; };
  if (static_cast<int64_t>(box.size()) != buffer.getRank() ||
      llvm::any_of(box, isOutside) ||
      !llvm::is_contained({16, 32, 64}, box.back()))
    return emitError() << "a tensor map has the box [" << box << "]: there is "
                       << "an entry from 1 to 256 for each of "
                       << buffer.getRank()
                       << " dimensions, and the last is 16, 32 or 64 "
                          "(tensor_map_c2)";
  return success();
}

void BulkCopyOp::forEachBox(llvm::function_ref<void(ArrayRef<int64_t>)> call) {
  ArrayRef<int64_t> sizes = getSizes(), box = getBox();
  SmallVector<int64_t> at(sizes.size(), 0);
  while (true) {
    call(at);
    size_t dim = sizes.size();
    while (dim > 0 && (at[dim - 1] += box[dim - 1]) >= sizes[dim - 1])
      at[--dim] = 0;
    if (dim == 0)
      return;
  }
}

/// Returns true if the chunks of a box follow each other in the target.
static bool isDenseInTarget(ArrayRef<int64_t> box, const MemoryLayout &target) {
  MemoryLayout last = target.takeBack(box.size());
  int64_t stride = last.chunk;
  for (size_t dim = box.size() - 1; dim-- > 0;) {
    if (box[dim] > 1 && last.strides[dim] != stride)
      return false;
    stride *= box[dim];
  }
  return true;
}

LogicalResult BulkCopyOp::verify() {
  TensorMapType map = getSource().getType();
  auto target = cast<MemRefType>(getTarget().getType());
  ArrayRef<int64_t> sizes = getSizes();
  auto rank = static_cast<int64_t>(sizes.size());
  if (static_cast<int64_t>(getSourceOffsets().size()) !=
          map.getBuffer().getRank() ||
      static_cast<int64_t>(getTargetOffsets().size()) != target.getRank() ||
      rank < 1 || rank > map.getBuffer().getRank() || rank > target.getRank())
    return emitOpError() << "has " << getSourceOffsets().size() << " and "
                         << getTargetOffsets().size() << " offsets and " << rank
                         << " sizes, which are not one offset for each "
                            "dimension of a side and at most as many sizes "
                            "(bulk_copy_c1)";
  for (auto [size, box] : llvm::zip(sizes, getBox()))
    if (size < 1 || size % box)
      return emitOpError() << "copies [" << sizes << "], which is no multiple "
                           << "of the map's box [" << map.getBox()
                           << "] (bulk_copy_c2)";
  for (int64_t size : map.getBox().drop_back(rank))
    if (size != 1)
      return emitOpError() << "copies one index along dimensions of which the "
                           << "map's box [" << map.getBox()
                           << "] has more (bulk_copy_c2)";
  auto space = dyn_cast_or_null<gpu::AddressSpaceAttr>(target.getMemorySpace());
  std::optional<MemoryLayout> layout = getMemoryLayout(target);
  if (!space || space.getValue() != gpu::AddressSpace::Workgroup || !layout ||
      target.getElementType() != map.getBuffer().getElementType() ||
      !layout->swizzled || layout->chunk != getBox().back() ||
      !isDenseInTarget(getBox(), *layout))
    return emitOpError() << "has the target " << target
                         << ", which is not in shared memory, has other "
                            "elements, or is not swizzled in chunks of "
                         << getBox().back()
                         << " that follow each other along a box "
                            "(bulk_copy_c3)";
  int64_t groups = getRing().getType().getGroups();
  auto group = static_cast<int64_t>(getGroup());
  if (!(*this)->getParentOfType<LoaderOp>() || group < 0 || group >= groups)
    return emitOpError() << "does not stand in a loader, or its ring of "
                         << groups << " groups has no group " << group
                         << " (bulk_copy_c4)";
  return success();
}
