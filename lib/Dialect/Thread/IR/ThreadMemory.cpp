//===- ThreadMemory.cpp - How buffers lie in memory -----------------------===//
//
// Verifies the layout of chunked buffers, and reads layouts from types.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Dialect/Thread/IR/ThreadDialect.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;
using namespace mirage;
using namespace mirage::thread;

AffineMap ChunkedLayoutAttr::getAffineMap() const {
  MLIRContext *context = getContext();
  ArrayRef<int64_t> strides = getStrides();
  AffineExpr distance = getAffineConstantExpr(0, context);
  for (auto [dim, stride] : llvm::enumerate(strides.drop_back()))
    distance = distance + getAffineDimExpr(dim, context) * stride;
  AffineExpr inner = getAffineDimExpr(strides.size() - 1, context);
  distance = distance + inner.floorDiv(getChunk()) * getChunkStride() +
             inner % getChunk();
  return AffineMap::get(strides.size(), 0, distance);
}

/// The elements of the narrowest chunk that is swizzled.
static constexpr int64_t narrowestChunk = 16;

bool ChunkedLayoutAttr::isIdentity() const { return false; }

LogicalResult ChunkedLayoutAttr::getStridesAndOffset(ArrayRef<int64_t>,
                                                     SmallVectorImpl<int64_t> &,
                                                     int64_t &) const {
  // One stride for each dimension does not describe chunks.
  return failure();
}

LogicalResult ChunkedLayoutAttr::verifyLayout(
    ArrayRef<int64_t> shape,
    llvm::function_ref<InFlightDiagnostic()> emitError) const {
  // The last one of swizzled chunks may have a part of its elements.
  int64_t step =
      getSwizzled() ? std::min(getChunk(), narrowestChunk) : getChunk();
  if (shape.size() != getStrides().size() || shape.back() % step)
    return emitError() << "has chunks of " << getChunk() << " and "
                       << getStrides().size()
                       << " strides, which do not divide a shape of "
                       << toString(shape) << " (chunked_c2)";
  if (!getSwizzled())
    return success();
  // Along dimensions of one element nobody steps.
  bool hasRows = false;
  for (auto [size, stride] :
       llvm::reverse(llvm::zip(shape.drop_back(), getStrides().drop_back()))) {
    if (size == 1)
      continue;
    if (hasRows && stride % (MemoryLayout::piece * getChunk()))
      return emitError() << "is swizzled, and a dimension of " << size
                         << " before that of rows has a stride of " << stride
                         << ", which is no multiple of eight chunks of "
                         << getChunk() << " (chunked_c4)";
    hasRows = true;
  }
  return success();
}

LogicalResult
ChunkedLayoutAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                          ArrayRef<int64_t> strides, int64_t chunk,
                          int64_t chunkStride, bool swizzled) {
  bool arePositive = llvm::all_of(strides, [](int64_t n) { return n > 0; });
  if (!arePositive || strides.empty() || strides.back() != 1 || chunk < 1 ||
      chunkStride < 1)
    return emitError() << "has a stride or a chunk that is not positive, or "
                          "elements of a chunk that are no neighbours "
                          "(chunked_c1)";
  if (!swizzled)
    return success();
  bool isWidth = llvm::is_contained({16, 32, 64}, chunk);
  bool areWhole = llvm::all_of(
      strides.drop_back(), [&](int64_t stride) { return stride % chunk == 0; });
  if (!isWidth || !areWhole || chunkStride % (MemoryLayout::piece * chunk))
    return emitError() << "swizzles chunks of " << chunk
                       << " elements, or has strides that are no multiples of "
                          "these, or a distance of chunks that is no multiple "
                          "of eight (chunked_c3)";
  return success();
}

std::optional<MemoryLayout> mirage::thread::getMemoryLayout(MemRefType type) {
  if (auto chunked = dyn_cast<ChunkedLayoutAttr>(type.getLayout()))
    return MemoryLayout{Shape(chunked.getStrides()), chunked.getChunk(),
                        chunked.getChunkStride(), chunked.getSwizzled()};
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)) || offset != 0 ||
      llvm::is_contained(strides, ShapedType::kDynamic))
    return std::nullopt;
  return MemoryLayout{Shape(ArrayRef<int64_t>(strides))};
}

bool mirage::thread::isDense(MemRefType type) {
  std::optional<MemoryLayout> layout = getMemoryLayout(type);
  if (!type.hasStaticShape() || !layout || layout->chunk)
    return false;
  // The dimensions but those of size one, the innermost first.
  SmallVector<std::pair<int64_t, int64_t>> dims;
  for (auto [stride, size] : llvm::zip(layout->strides, type.getShape()))
    if (size > 1)
      dims.emplace_back(stride, size);
  llvm::sort(dims);
  int64_t next = 1;
  for (auto [stride, size] : dims) {
    if (stride != next)
      return false;
    next *= size;
  }
  return true;
}

bool mirage::thread::areSameElements(MemRefType a, MemRefType b) {
  return isDense(a) && isDense(b) && a.getMemorySpace() == b.getMemorySpace() &&
         a.getElementType() == b.getElementType() &&
         a.getNumElements() == b.getNumElements();
}

bool mirage::thread::isInSharedMemory(MemRefType type) {
  auto space = dyn_cast_or_null<gpu::AddressSpaceAttr>(type.getMemorySpace());
  return space && space.getValue() == gpu::AddressSpace::Workgroup;
}
