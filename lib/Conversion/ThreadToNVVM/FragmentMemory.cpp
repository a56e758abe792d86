//===- FragmentMemory.cpp - Tiles between registers and memory ------------===//
//
// Emits loads and stores of tiles in registers, and copies whose threads all
// move the same number of neighbours.
//
//===----------------------------------------------------------------------===//

#include "FragmentEmitter.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mirage;

static bool isShared(Value memory) {
  return thread::isInSharedMemory(cast<MemRefType>(memory.getType()));
}

static bool isInCluster(Value memory) {
  return isa_and_nonnull<thread::ClusterMemoryAttr>(
      cast<MemRefType>(memory.getType()).getMemorySpace());
}

static int64_t getBytesOf(Type element) {
  return element.getIntOrFloatBitWidth() / 8;
}

FragmentEmitter::Box FragmentEmitter::getBox(Value memory, ValueRange offsets,
                                             ArrayRef<int64_t> shape) {
  auto type = cast<MemRefType>(memory.getType());
  Box box;
  box.memory = memory;
  box.offsets.assign(offsets.begin(), offsets.end());
  box.shape.assign(shape.begin(), shape.end());
  std::optional<MemoryLayout> layout = thread::getMemoryLayout(type);
  assert(layout && "the verifier admits strided and chunked memory only");
  box.layout = *layout;
  box.leading = type.getRank() - shape.size();
  return box;
}

Value FragmentEmitter::getRank(const Box &box, ArrayRef<Value> base,
                               ShapeRef constants, IRSystem &s) {
  if (!isInCluster(box.memory))
    return {};
  Value rank = box.offsets.front();
  if (isa<IndexType>(rank.getType()))
    rank = arith::IndexCastOp::create(builder, s.loc, emitter.indexType, rank);
  if (box.leading == 0)
    rank = s.addIndex(rank, s.addConstant(base[0], constants[0]));
  if (emitter.indexType != builder.getI32Type())
    rank = arith::TruncIOp::create(builder, s.loc, builder.getI32Type(), rank);
  return rank;
}

Value FragmentEmitter::getAddress(const Box &box, ArrayRef<Value> base,
                                  ShapeRef constants,
                                  const RegisterLayout &layout, IRSystem &s,
                                  AddressKind kind) {
  // What is the same for all registers comes first, so that it is computed
  // once.
  Value linear = s.index(0);
  int64_t constant = 0;
  // The distance of an index that is not known, which chunks cut into two
  // parts.
  const MemoryLayout &memory = box.layout;
  auto getDistance = [&](size_t dim, Value index) {
    if (memory.chunk == 0 || dim + 1 != box.offsets.size())
      return s.mulConstant(index, memory.strides[dim]);
    return s.addIndex(
        s.mulConstant(s.divConstant(index, memory.chunk), memory.chunkStride),
        s.remConstant(index, memory.chunk));
  };
  // An index is the sum of what is known and what is not where the distance of
  // the sum is that of both, and no place is beyond the end.
  auto isSum = [&](size_t inner) {
    return !layout.overhangs(box.shape, inner) &&
           (inner + 1 < box.shape.size() ||
            memory.isAdditive(layout, box.shape.size()));
  };
  // The first index of a cluster's buffer is a block's.
  Value rank = getRank(box, base, constants, s);
  for (auto [dim, offset] : llvm::enumerate(box.offsets)) {
    Value index = offset;
    if (isa<IndexType>(index.getType()))
      index =
          arith::IndexCastOp::create(builder, s.loc, emitter.indexType, index);
    if (dim == 0 && rank)
      continue;
    linear = s.addIndex(linear, getDistance(dim, index));
    if (dim < box.leading)
      continue;
    size_t inner = dim - box.leading;
    if (isSum(inner)) {
      linear = s.addIndex(linear, getDistance(dim, base[inner]));
      constant += memory.getDistance(dim, constants[inner]);
    }
  }
  for (auto [inner, size] : llvm::enumerate(box.shape))
    if (!isSum(inner) && !(rank && !box.leading && !inner)) {
      Value index = s.addConstant(base[inner], constants[inner]);
      if (layout.overhangs(box.shape, inner)) {
        int64_t run = inner + 1 == box.shape.size() ? box.run : 1;
        index =
            arith::MinUIOp::create(builder, s.loc, index, s.index(size - run));
      }
      linear = s.addIndex(linear, getDistance(box.leading + inner, index));
    }
  auto type = cast<MemRefType>(box.memory.getType());
  Type storage = getStorageType(type.getElementType());
  Value address = emitter.pointers.lookup(box.memory);
  if (rank && kind != AddressKind::InThisBlock)
    address = NVVM::MapaOp::create(
        builder, s.loc,
        LLVM::LLVMPointerType::get(
            builder.getContext(),
            static_cast<unsigned>(NVVM::NVVMMemorySpace::SharedCluster)),
        address, rank);
  if (memory.swizzled && kind != AddressKind::BeforeSwizzling) {
    // What is a multiple of the period moves along, and what stays inside of a
    // chunk has no bit in common with the rest; so the places of a thread's
    // registers have the exchange of bits in common.
    int64_t inChunk = constant % memory.chunk;
    int64_t period = memory.getPeriod();
    if (constant % period != inChunk)
      linear = s.addConstant(linear, std::exchange(constant, inChunk = 0));
    linear = emitter.swizzle(linear, memory, s);
    if (inChunk)
      linear = arith::XOrIOp::create(builder, s.loc, linear, s.index(inChunk));
    constant -= inChunk;
  }
  // Operations keep constant indices in fewer bits than large tensors need.
  if (!llvm::isIntN(LLVM::kGEPConstantBitWidth, constant))
    linear = s.addConstant(linear, std::exchange(constant, 0));
  address = LLVM::GEPOp::create(builder, s.loc, address.getType(), storage,
                                address, linear);
  if (constant == 0)
    return address;
  return LLVM::GEPOp::create(
      builder, s.loc, address.getType(), storage, address,
      ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(constant)});
}

/// Loads fragments of 16-bit matrices by ldmatrix (PTX ISA): each instruction
/// takes up to four 8 x 8 matrices, of which lane l gives the address of row
/// l mod 8 of matrix l / 8. Returns false where the tile is not such a
/// fragment.
bool FragmentEmitter::loadMatrices(thread::LoadFragmentOp op, const Box &box) {
  auto type = cast<RankedTensorType>(op.getResult().getType());
  const RegisterLayout &layout = *getLayout(type);
  if (!isShared(op.getSource()) || type.getElementTypeBitWidth() != 16 ||
      !isMatrixFragment(layout, box.shape, box.layout))
    return false;
  int64_t rank = type.getRank(), innermost = rank - 1;
  int64_t pairs = *layout.lanes[0].dim, spread = *layout.lanes[1].dim;
  bool transposed = spread == innermost;
  int64_t rows = transposed ? pairs : spread;

  Location loc = op.getLoc();
  IRSystem s(builder, loc, emitter.indexType, builder.getF32Type());
  Value lane = getLane(s);
  // The thread's base without its lane's part, and the row that it addresses.
  SmallVector<Value> base(rank, s.index(0));
  for (auto [digit, mode] :
       llvm::zip(getDigits(getWarp(s), layout.warps, s), layout.warps))
    if (!mode.isReplicated())
      base[*mode.dim] =
          s.addIndex(base[*mode.dim], s.mulConstant(digit, mode.stride));
  base[rows] = s.addIndex(base[rows], s.remConstant(lane, 8));

  Type i32 = builder.getI32Type();
  Type pairType = VectorType::get(2, type.getElementType());
  SmallVector<Value> values;
  int64_t numPairs = layout.getNumRegisters() / 2;
  auto offsetsOf = [&](int64_t pair) {
    return layout.getOffsets(2 * pair, rank);
  };
  auto difference = [&](ShapeRef to, ShapeRef from) {
    Shape result(to);
    for (auto [value, start] : llvm::zip(result, from))
      value -= start;
    return result;
  };
  for (int64_t pair = 0; pair < numPairs;) {
    Shape first = offsetsOf(pair);
    int64_t count = 1;
    Shape step, second;
    if (pair + 1 < numPairs) {
      count = 2;
      step = difference(offsetsOf(pair + 1), first);
    }
    if (pair + 3 < numPairs) {
      second = difference(offsetsOf(pair + 2), first);
      if (difference(offsetsOf(pair + 3), offsetsOf(pair + 2)) == step)
        count = 4;
    }
    SmallVector<Value> at = base;
    auto addStep = [&](Value digit, ShapeRef by) {
      for (auto [index, amount] : llvm::zip(at, by))
        if (amount)
          index = s.addIndex(index, s.mulConstant(digit, amount));
    };
    Value matrix = s.divConstant(lane, 8);
    if (count >= 2)
      addStep(s.remConstant(matrix, 2), step);
    if (count == 4)
      addStep(s.divConstant(matrix, 2), second);
    Value address = getAddress(box, at, first, layout, s);
    Type resultType = i32;
    if (count > 1)
      resultType = LLVM::LLVMStructType::getLiteral(
          builder.getContext(), SmallVector<Type>(count, i32));
    Value loaded = NVVM::LdMatrixOp::create(
        builder, loc, resultType, address, count,
        transposed ? NVVM::MMALayout::col : NVVM::MMALayout::row,
        NVVM::LdStMatrixShapeAttr::get(builder.getContext(), 8, 8),
        NVVM::LdStMatrixEltType::B16);
    for (int64_t i = 0; i < count; ++i) {
      Value word =
          count == 1
              ? loaded
              : Value(LLVM::ExtractValueOp::create(builder, loc, loaded, i));
      Value both = LLVM::BitcastOp::create(builder, loc, pairType, word);
      for (int64_t j = 0; j < 2; ++j)
        values.push_back(LLVM::ExtractElementOp::create(
            builder, loc, both,
            LLVM::ConstantOp::create(builder, loc,
                                     builder.getI32IntegerAttr(j))));
    }
    pair += count;
  }
  registers[op.getResult()] = std::move(values);
  return true;
}

Value FragmentEmitter::isThere(const thread::SourceBox &box,
                               ArrayRef<Value> base, ShapeRef constants,
                               IRSystem &s) {
  if (!box.isPadded())
    return {};
  SmallVector<Value> at;
  for (auto [index, constant] : llvm::zip(base, constants))
    at.push_back(s.addConstant(index, constant));
  return emitter.isThere(box, at, s);
}

/// Loads neighbours where the condition holds, or where there is none, and
/// gives zeros otherwise.
static Value loadIf(Value condition, Type type, Value address,
                    unsigned alignment, OpBuilder &builder, Location loc) {
  auto load = [&]() -> Value {
    return LLVM::LoadOp::create(builder, loc, type, address, alignment);
  };
  if (!condition)
    return load();
  auto guarded = scf::IfOp::create(builder, loc, type, condition, true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&guarded.getThenRegion().front());
  scf::YieldOp::create(builder, loc, load());
  builder.setInsertionPointToStart(&guarded.getElseRegion().front());
  Value zero = LLVM::ZeroOp::create(builder, loc, type);
  scf::YieldOp::create(builder, loc, zero);
  return guarded.getResult(0);
}

/// Returns true for a load from device memory in the body of a kernel without
/// loops.
static bool beginsKernel(thread::LoadFragmentOp op) {
  Operation *parent = op->getParentOp();
  return !cast<MemRefType>(op.getSource().getType()).getMemorySpace() &&
         isa<FunctionOpInterface>(parent) &&
         !parent->walk([](scf::ForOp) { return WalkResult::interrupt(); })
              .wasInterrupted();
}

LogicalResult FragmentEmitter::emit(thread::LoadFragmentOp op) {
  auto type = cast<RankedTensorType>(op.getResult().getType());
  const RegisterLayout &layout = *getLayout(type);
  Box box = getBox(op.getSource(), op.getOffsets(), type.getShape());
  if (loadMatrices(op, box) || loadWords(op, box))
    return success();
  Location loc = op.getLoc();
  IRSystem s(builder, loc, emitter.indexType, builder.getF32Type());
  SmallVector<Value> base = getBase(layout, type.getRank(), s);
  Type storage = getStorageType(type.getElementType());
  int64_t bytes = getBytesOf(type.getElementType());
  int64_t length = getVectorLength(layout, box.shape, box.layout, 16 / bytes);
  thread::SourceBox source = op.getSourceBox();
  while (source.getRunUnit() % length)
    length /= 2;
  box.run = length;
  SmallVector<Value> values;
  for (int64_t i = 0; i < layout.getNumRegisters(); i += length) {
    Shape offsets = layout.getOffsets(i, type.getRank());
    Value address = getAddress(box, base, offsets, layout, s);
    Value loaded =
        loadIf(isThere(source, base, offsets, s),
               length == 1 ? storage : Type(VectorType::get(length, storage)),
               address, bytes * length, builder, loc);
    if (length == 1) {
      values.push_back(loaded);
      continue;
    }
    for (int64_t j = 0; j < length; ++j)
      values.push_back(LLVM::ExtractElementOp::create(
          builder, loc, loaded,
          LLVM::ConstantOp::create(builder, loc,
                                   builder.getI32IntegerAttr(j))));
  }
  registers[op.getResult()] = std::move(values);
  // LLVM and ptxas would move loads down to where their elements are used, and
  // threads would wait for one tile before they ask for the next one. Neither
  // moves a load over a barrier of the warp.
  if (beginsKernel(op))
    NVVM::SyncWarpOp::create(
        builder, loc,
        LLVM::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(-1)));
  return success();
}

Value FragmentEmitter::isOwn(RankedTensorType tile, ArrayRef<Value> base,
                             ShapeRef constants, IRSystem &s) {
  const RegisterLayout &layout = *getLayout(tile);
  Value isOwn = isFirstReplica(layout, s);
  for (auto [dim, size] : llvm::enumerate(tile.getShape()))
    if (layout.overhangs(tile.getShape(), dim)) {
      Value inside =
          s.inRange(s.addConstant(base[dim], constants[dim]), 0, size);
      isOwn = isOwn ? s.both(isOwn, inside) : inside;
    }
  return isOwn;
}

void FragmentEmitter::storeVector(ArrayRef<Value> values, Value address,
                                  int64_t bytes, Location loc) {
  Value value = values.front();
  if (values.size() > 1) {
    value = LLVM::UndefOp::create(
        builder, loc,
        VectorType::get(static_cast<int64_t>(values.size()), value.getType()));
    for (auto [j, element] : llvm::enumerate(values))
      value = LLVM::InsertElementOp::create(
          builder, loc, value, element,
          LLVM::ConstantOp::create(
              builder, loc,
              builder.getI32IntegerAttr(static_cast<int32_t>(j))));
  }
  LLVM::StoreOp::create(builder, loc, value, address, bytes);
}

LogicalResult FragmentEmitter::emit(thread::StoreFragmentOp op) {
  auto type = cast<RankedTensorType>(op.getValue().getType());
  const RegisterLayout &layout = *getLayout(type);
  Box box = getBox(op.getTarget(), op.getOffsets(), type.getShape());
  Location loc = op.getLoc();
  IRSystem s(builder, loc, emitter.indexType, builder.getF32Type());
  SmallVector<Value> base = getBase(layout, type.getRank(), s);
  int64_t bytes = getBytesOf(type.getElementType());
  int64_t length = op.getAccessLength(16 / bytes);
  box.run = length;
  auto target = cast<MemRefType>(op.getTarget().getType());
  ArrayRef<Value> values = registers[op.getValue()];
  for (int64_t i = 0; i < layout.getNumRegisters(); i += length) {
    Shape offsets = layout.getOffsets(i, type.getRank());
    Value exists = isOwn(type, base, offsets, s);
    for (int64_t dim : op.getClipped().value_or(ArrayRef<int64_t>())) {
      Value offset = box.offsets[box.leading + dim];
      if (isa<IndexType>(offset.getType()))
        offset =
            arith::IndexCastOp::create(builder, loc, emitter.indexType, offset);
      Value inside =
          s.inRange(s.addIndex(offset, s.addConstant(base[dim], offsets[dim])),
                    0, target.getDimSize(box.leading + dim));
      exists = exists ? s.both(exists, inside) : inside;
    }
    OpBuilder::InsertionGuard guard(builder);
    if (exists) {
      auto guarded = scf::IfOp::create(builder, loc, exists, false);
      builder.setInsertionPointToStart(&guarded.getThenRegion().front());
    }
    storeVector(values.slice(i, length),
                getAddress(box, base, offsets, layout, s), bytes * length, loc);
  }
  return success();
}

bool FragmentEmitter::emitCopy(thread::CopyOp op) {
  auto source = cast<MemRefType>(op.getSource().getType());
  int64_t bytes = getBytesOf(source.getElementType());
  Box from = getBox(op.getSource(), op.getSourceOffsets(), op.getSizes());
  Box to = getBox(op.getTarget(), op.getTargetOffsets(), op.getSizes());
  auto target = cast<MemRefType>(op.getTarget().getType());
  BoxCopy copy =
      getBoxCopy(op.getSizes(), {source.getShape(), from.layout},
                 {target.getShape(), to.layout}, bytes, emitter.threads,
                 op.getAsync(), op.getSourceBox().getRunUnit());
  if (!copy.layout)
    return false;
  const RegisterLayout &layout = *copy.layout;
  int64_t length = copy.length;
  from.run = to.run = length;
  IRSystem s(builder, op.getLoc(), emitter.indexType, builder.getF32Type());
  SmallVector<Value> base = getBase(layout, op.getSizes().size(), s);
  OpBuilder::InsertionGuard guard(builder);
  if (Value isFirst = isFirstReplica(layout, s)) {
    auto guarded = scf::IfOp::create(builder, s.loc, isFirst, false);
    builder.setInsertionPointToStart(&guarded.getThenRegion().front());
  }
  size_t rank = op.getSizes().size();
  // The largest index of a thread's first access.
  Shape first(rank, 0);
  for (size_t dim = 0; dim < rank; ++dim) {
    int64_t last = 0;
    for (int64_t i = 0; i < layout.getNumRegisters(); ++i)
      last = std::max(last, layout.getOffsets(i, rank)[dim]);
    first[dim] = layout.getReach(dim) - last;
  }
  for (int64_t i = 0; i < layout.getNumRegisters(); i += length) {
    Shape offsets = layout.getOffsets(i, rank);
    Value isInside;
    for (auto [dim, size] : llvm::enumerate(op.getSizes()))
      if (first[dim] + offsets[dim] >= size) {
        Value below =
            s.inRange(s.addConstant(base[dim], offsets[dim]), 0, size);
        isInside = isInside ? s.both(isInside, below) : below;
      }
    OpBuilder::InsertionGuard guardOfCopy(builder);
    if (isInside) {
      auto guarded = scf::IfOp::create(builder, s.loc, isInside, false);
      builder.setInsertionPointToStart(&guarded.getThenRegion().front());
    }
    Value target = getAddress(to, base, offsets, layout, s);
    Value address = getAddress(from, base, offsets, layout, s);
    Value exists = isThere(op.getSourceBox(), base, offsets, s);
    emitter.emitCopyAsync(target, address, length * bytes,
                          length * bytes == 16
                              ? NVVM::LoadCacheModifierKind::CG
                              : NVVM::LoadCacheModifierKind::CA,
                          exists, s.loc);
  }
  return true;
}
