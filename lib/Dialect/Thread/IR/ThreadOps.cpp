//===- ThreadOps.cpp - Operations of thread graphs ------------------------===//
//
// Registers the operations, and verifies the iterators and the operations of
// code generation.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Dialect/Block/IR/BlockDialect.h"
#include "Mirage/Dialect/Thread/IR/ThreadDialect.h"
#include "Mirage/Interfaces/MatrixTypes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include <numeric>

using namespace mlir;
using namespace mirage;
using namespace mirage::thread;

#define GET_OP_CLASSES
#include "Mirage/Dialect/Thread/IR/ThreadOps.cpp.inc"

void ThreadDialect::registerOperations() {
  addOperations<
#define GET_OP_LIST
#include "Mirage/Dialect/Thread/IR/ThreadOps.cpp.inc"
      >();
}

void LoadOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), "load");
}

LogicalResult LoadOp::verify() {
  return verifyLoad(*this, getImap(), /*fmap=*/{}, /*loops=*/{});
}

void StoreOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), "store");
}

LogicalResult StoreOp::verify() {
  for (int64_t entry : getOmap())
    if (entry == kReduceSum || entry == kReduceMax)
      return emitOpError("fragments are not reduced over threads; reduce them "
                         "with a block operator (store_c7)");
  return verifyStore(*this, getOmap());
}

//===----------------------------------------------------------------------===//
// Code generation
//===----------------------------------------------------------------------===//

void SharedBufferOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), "shared");
}

LogicalResult SharedBufferOp::verify() {
  int64_t offset = getOffset();
  if (offset < 0 || offset % 16)
    return emitOpError() << "offset " << offset
                         << " is negative or no multiple of 16 "
                            "(shared_buffer_c1)";
  auto type = cast<MemRefType>(getResult().getType());
  auto chunked = dyn_cast<ChunkedLayoutAttr>(type.getLayout());
  bool isChunked = chunked != nullptr;
  if (!(type.isStrided() || isChunked) || !isInSharedMemory(type))
    return emitOpError() << "result " << type
                         << " is not strided in "
                            "#gpu.address_space<workgroup> (shared_buffer_c2)";
  if (chunked && chunked.getSwizzled() &&
      (offset % 1024 || type.getElementTypeBitWidth() != 16))
    return emitOpError() << "result " << type << " at offset " << offset
                         << " is swizzled, and the offset no multiple of 1024 "
                            "or an element not of 16 bits (shared_buffer_c4)";
  for (Operation *user : getResult().getUsers())
    if (isChunked && !isa<CopyOp, BulkCopyOp, LoadFragmentOp, StoreFragmentOp,
                          WarpgroupMmaOp>(user)) {
      InFlightDiagnostic diagnostic = emitOpError(
          "is chunked and used by another operation than copies, loads and "
          "stores of fragments and warpgroup_mma (shared_buffer_c3)");
      diagnostic.attachNote(user->getLoc()) << "it is used here";
      return diagnostic;
    }
  return success();
}

void SelectBufferOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), "selected");
}

LogicalResult SelectBufferOp::verify() {
  if (getBuffers().size() < 2)
    return emitOpError("selects from ")
           << getBuffers().size() << " buffers (select_buffer_c1)";
  Type type = getResult().getType();
  for (Value buffer : getBuffers())
    if (buffer.getType() != type)
      return emitOpError("gives ") << type << " and takes " << buffer.getType()
                                   << " (select_buffer_c2)";
  if (auto memory = dyn_cast<MemRefType>(type);
      memory && memory.getMemorySpace())
    return emitOpError("selects ")
           << type << ", which is not in device memory (select_buffer_c2)";
  return success();
}

void ClusterBufferOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), "cluster");
}

LogicalResult ClusterBufferOp::verify() {
  auto buffer = cast<MemRefType>(getBuffer().getType());
  auto result = cast<MemRefType>(getResult().getType());
  if (!isInSharedMemory(buffer) ||
      !isa_and_nonnull<ClusterMemoryAttr>(result.getMemorySpace()))
    return emitOpError() << "takes " << buffer << " and gives " << result
                         << ", which are not in the shared memory of a block "
                            "and of a cluster (cluster_buffer_c1)";
  SmallVector<int64_t> strides, resultStrides;
  int64_t offset, resultOffset;
  constexpr int64_t mostBlocks = 8;
  bool agrees =
      result.getRank() == buffer.getRank() + 1 &&
      result.getElementType() == buffer.getElementType() &&
      succeeded(buffer.getStridesAndOffset(strides, offset)) &&
      succeeded(result.getStridesAndOffset(resultStrides, resultOffset)) &&
      offset == resultOffset &&
      result.getShape().drop_front() == buffer.getShape() &&
      ArrayRef(resultStrides).drop_front() == ArrayRef(strides) &&
      result.getDimSize(0) >= 2 && result.getDimSize(0) <= mostBlocks;
  int64_t extent = 1;
  for (auto [size, stride] : llvm::zip(buffer.getShape(), strides))
    extent += (size - 1) * stride;
  if (!agrees || resultStrides.front() < extent)
    return emitOpError() << "gives " << result << ", which is not " << buffer
                         << " of each of 2 to " << mostBlocks
                         << " blocks (cluster_buffer_c2)";
  for (Operation *user : getResult().getUsers())
    if (!isa<LoadFragmentOp, PushFragmentOp>(user)) {
      InFlightDiagnostic diagnostic =
          emitOpError("is used by something else than load_fragment and "
                      "push_fragment (cluster_buffer_c3)");
      diagnostic.attachNote(user->getLoc()) << "it is used here";
      return diagnostic;
    }
  return success();
}

void ClusterRankOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), "rank");
}

LogicalResult ClusterBarrierOp::verify() {
  if (isa_and_nonnull<gpu::GPUFuncOp>((*this)->getParentOp()))
    return success();
  return emitOpError(
      "does not stand in the body of a kernel, where all threads "
      "of the cluster meet (cluster_barrier_c1)");
}

int64_t SourceBox::getRunUnit() const {
  if (!isPadded() || sizes.empty())
    return 0;
  bool clipsRows = clips(static_cast<int64_t>(sizes.size()) - 1);
  return clipsRows ? std::gcd(existing.back(), memory.getShape().back())
                   : existing.back();
}

bool SourceBox::hasParts() const {
  auto rank = static_cast<int64_t>(sizes.size());
  return existing.size() == sizes.size() &&
         llvm::all_of(llvm::zip(existing, sizes),
                      [&](auto entry) {
                        auto [there, size] = entry;
                        return there == size || (there >= 1 && there < size);
                      }) &&
         llvm::all_of(clipped,
                      [&](int64_t dim) { return dim >= 0 && dim < rank; });
}

SourceBox CopyOp::getSourceBox() {
  return {cast<MemRefType>(getSource().getType()), getSourceOffsets(),
          getSizes(), getExist().value_or(getSizes()),
          getClipped().value_or(ArrayRef<int64_t>())};
}

LogicalResult CopyOp::verify() {
  auto source = cast<MemRefType>(getSource().getType());
  auto target = cast<MemRefType>(getTarget().getType());
  if (source.getElementType() != target.getElementType())
    return emitOpError() << "copies " << source.getElementType() << " to "
                         << target.getElementType() << " (copy_c1)";
  int64_t rank = getSizes().size();
  auto hasOffsets = [&](MemRefType type, ValueRange offsets) {
    return static_cast<int64_t>(offsets.size()) == type.getRank() &&
           type.getRank() >= rank;
  };
  if (!hasOffsets(source, getSourceOffsets()) ||
      !hasOffsets(target, getTargetOffsets()))
    return emitOpError() << "source and target do not have an offset for each "
                            "dimension, or fewer dimensions than sizes "
                            "(copy_c2)";
  SourceBox box = getSourceBox();
  if (!box.hasParts())
    return emitOpError(
        "has elements that exist, or clipped dimensions, outside "
        "of its box (copy_c5)");
  for (int64_t i = 0; i < rank; ++i)
    if (getSizes()[i] < 1 ||
        (!box.clips(i) &&
         box.existing[i] > source.getDimSize(source.getRank() - rank + i)) ||
        getSizes()[i] > target.getDimSize(target.getRank() - rank + i))
      return emitOpError() << "size " << getSizes()[i] << " of dimension " << i
                           << " is not between 1 and the buffers' sizes "
                              "(copy_c3)";
  if (getAsync() && (isInSharedMemory(source) || !isInSharedMemory(target)))
    return emitOpError("asynchronous copies go from device memory to shared "
                       "memory (copy_c4)");
  return success();
}

LogicalResult AsyncWaitOp::verify() {
  int64_t pending = getPending();
  if (pending < 0)
    return emitOpError() << "waits for all but " << pending
                         << " groups; the number must not be negative "
                            "(async_wait_c1)";
  return success();
}

ArrayRef<int64_t> ComputeOp::getExtents() { return getThreads(); }
StringRef ComputeOp::getPointName() { return "thread"; }
StringRef ComputeOp::getExtentsName() { return "thread"; }

static LogicalResult verifyBuffers(ComputeOp op, ValueRange buffers,
                                   TypeRange tensors, StringRef what) {
  if (buffers.size() != tensors.size())
    return op.emitOpError()
           << "has " << buffers.size() << " " << what << " and "
           << tensors.size() << " values for them (compute_c1)";
  for (auto [buffer, tensor] : llvm::zip(buffers, tensors)) {
    auto type = cast<MemRefType>(buffer.getType());
    auto valueType = dyn_cast<RankedTensorType>(tensor);
    if (!valueType || valueType.getShape() != type.getShape() ||
        valueType.getElementType() != type.getElementType())
      return op.emitOpError() << "value of type " << tensor << " for buffer "
                              << type << " (compute_c1)";
    if (!type.getLayout().isIdentity())
      return op.emitOpError()
             << "buffer " << type << " is not row-major (compute_c2)";
  }
  return success();
}

LogicalResult ComputeOp::verify() {
  if (!getThreads().empty() &&
      failed(verifyThreads(*this, getThreads(), "compute_c3")))
    return failure();
  Block &body = getBody().front();
  if (failed(verifyBuffers(*this, getIns(), body.getArgumentTypes(), "ins")))
    return failure();
  auto yield =
      body.empty() ? thread::YieldOp() : dyn_cast<thread::YieldOp>(body.back());
  if (!yield)
    return emitOpError("body does not end with a mirage_thread.yield "
                       "(compute_c1)");
  if (failed(verifyBuffers(*this, getOuts(), yield->getOperandTypes(), "outs")))
    return failure();
  return verifyGraphBody(*this, "mirage_thread", "compute_c4");
}

LogicalResult AccumulateOp::verify() {
  if (getKind() == AccumulateKind::Concat)
    return emitOpError("concat is a copy, not an accumulation "
                       "(thread_accumulate_c1)");
  auto value = cast<MemRefType>(getValue().getType());
  auto target = cast<MemRefType>(getTarget().getType());
  if (value.getShape() != target.getShape())
    return emitOpError() << "value " << value << " and target " << target
                         << " have different shapes (thread_accumulate_c2)";
  bool rescaled = getKind() == AccumulateKind::RescaledSum;
  if (rescaled != static_cast<bool>(getShift()) ||
      rescaled != static_cast<bool>(getRunning()))
    return emitOpError("shift and running go with rescaled_sum, both "
                       "(thread_accumulate_c3)");
  if (!rescaled)
    return success();
  auto shift = cast<MemRefType>(getShift().getType());
  std::optional<Shape> both =
      broadcastShapes({Shape(value.getShape()), Shape(shift.getShape())});
  if (shift.getShape() != cast<MemRefType>(getRunning().getType()).getShape() ||
      !both || ArrayRef<int64_t>(*both) != value.getShape())
    return emitOpError() << "shift " << shift
                         << " is not shaped as running or does not broadcast "
                            "to the value (thread_accumulate_c3)";
  return success();
}

LogicalResult MmaOp::verify() {
  auto lhs = cast<MemRefType>(getLhs().getType());
  auto rhs = cast<MemRefType>(getRhs().getType());
  auto target = cast<MemRefType>(getTarget().getType());
  Shape expected;
  SmallVector<Shape, 1> results;
  std::string error;
  OpAttributes attrs;
  attrs.transposeLhs = getTransposeLhs();
  attrs.transposeRhs = getTransposeRhs();
  if (failed(inferShapes(OpKind::Matmul, attrs,
                         {Shape(lhs.getShape()), Shape(rhs.getShape())},
                         results, error))) {
    // The rule cites matmul's constraint.
    return emitOpError() << StringRef(error).rsplit(" (").first << " (mma_c1)";
  }
  if (ArrayRef<int64_t>(results.front()) != target.getShape())
    return emitOpError() << "target has shape " << toString(target.getShape())
                         << ", but the product has "
                         << toString(results.front()) << " (mma_c1)";
  Type element = lhs.getElementType(), to = target.getElementType();
  if (element != rhs.getElementType() || !getMatrixInstruction(element) ||
      !isMatrixResult(element, to))
    return emitOpError() << "no matrix instruction multiplies " << element
                         << " by " << rhs.getElementType() << " into " << to
                         << "; operands are both of f16, bf16 or f32, the "
                            "target of f32 or of their type (mma_c2)";
  return success();
}
