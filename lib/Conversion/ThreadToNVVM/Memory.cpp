//===- Memory.cpp - Elements, copies and accumulators ---------------------===//
//
// Emits addresses, conversions between stored elements and values, and the
// operations that move or accumulate whole buffers.
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"
#include "Mirage/Schedule/MemoryAccess.h"
#include "Mirage/Semantics/Accumulate.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mirage;

Type mirage::getComputeType(Type elementType) {
  return elementType.isF64() ? elementType
                             : Type(Float32Type::get(elementType.getContext()));
}

Type mirage::getStorageType(Type elementType) {
  if (elementType.getIntOrFloatBitWidth() == 8)
    return IntegerType::get(elementType.getContext(), 8);
  return elementType;
}

static int64_t getElementBytes(MemRefType type) {
  return type.getElementTypeBitWidth() / 8;
}

static Value toIndex(OpBuilder &builder, Location loc, Value value, Type type) {
  if (value.getType() == type)
    return value;
  if (isa<IndexType>(value.getType()))
    return arith::IndexCastOp::create(builder, loc, type, value);
  return arith::ExtUIOp::create(builder, loc, type, value);
}

Value KernelEmitter::getThreadId(Location loc) {
  Value id = NVVM::ThreadIdXOp::create(builder, loc, builder.getI32Type());
  id = toIndex(builder, loc, id, indexType);
  if (firstThread == 0)
    return id;
  return arith::SubIOp::create(
      builder, loc, id,
      arith::ConstantOp::create(
          builder, loc, builder.getIntegerAttr(indexType, firstThread)));
}

void KernelEmitter::shareWarpId(Location loc) {
  Type i32 = builder.getI32Type();
  auto constant = [&](int64_t value) -> Value {
    return LLVM::ConstantOp::create(builder, loc,
                                    builder.getI32IntegerAttr(value));
  };
  Value thread = NVVM::ThreadIdXOp::create(builder, loc, i32);
  Value warp = LLVM::UDivOp::create(builder, loc, thread,
                                    constant(RegisterLayout::kWarpSize));
  sharedWarpId = NVVM::ShflOp::create(
      builder, loc, i32, constant(-1), warp, constant(0),
      constant(RegisterLayout::kWarpSize - 1), NVVM::ShflKind::idx,
      /*return_value_and_is_valid=*/UnitAttr());
}

Value KernelEmitter::getWarpId(Location loc) {
  constexpr int64_t ofWarp = RegisterLayout::kWarpSize;
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getIntegerAttr(indexType, value));
  };
  if (!sharedWarpId || firstThread % ofWarp)
    return arith::DivUIOp::create(builder, loc, getThreadId(loc),
                                  constant(ofWarp));
  Value id = toIndex(builder, loc, sharedWarpId, indexType);
  if (firstThread == 0)
    return id;
  return arith::SubIOp::create(builder, loc, id,
                               constant(firstThread / ofWarp));
}

Value KernelEmitter::getLinearBlockId(Location loc) {
  // Kernels that share work over the grid have grids of one dimension.
  Value id = NVVM::BlockIdXOp::create(builder, loc, builder.getI32Type());
  return toIndex(builder, loc, id, indexType);
}

Value KernelEmitter::swizzle(Value distance, const MemoryLayout &layout,
                             IRSystem &s) {
  Value line = s.divConstant(distance, MemoryLayout::swizzledLine);
  Value exchange =
      s.mulConstant(s.remConstant(line, layout.chunk / MemoryLayout::piece),
                    MemoryLayout::piece);
  return arith::XOrIOp::create(builder, s.loc, distance, exchange);
}

Value KernelEmitter::linearize(MemRefType type, ArrayRef<Value> at,
                               IRSystem &s) {
  Value linear = s.index(0);
  if (type.getLayout().isIdentity()) {
    for (auto [size, index] : llvm::zip(type.getShape(), at))
      linear = s.addIndex(s.mulConstant(linear, size),
                          toIndex(builder, s.loc, index, indexType));
    return linear;
  }
  std::optional<MemoryLayout> layout = thread::getMemoryLayout(type);
  assert(layout && "the verifier admits strided and chunked memory only");
  for (auto [dim, value] : llvm::enumerate(at)) {
    Value index = toIndex(builder, s.loc, value, indexType);
    if (layout->chunk && dim + 1 == at.size()) {
      linear =
          s.addIndex(linear, s.mulConstant(s.divConstant(index, layout->chunk),
                                           layout->chunkStride));
      linear = s.addIndex(linear, s.remConstant(index, layout->chunk));
      continue;
    }
    linear = s.addIndex(linear, s.mulConstant(index, layout->strides[dim]));
  }
  return layout->swizzled ? swizzle(linear, *layout, s) : linear;
}

Value KernelEmitter::getAddress(Value buffer, ArrayRef<Value> at, IRSystem &s) {
  auto type = cast<MemRefType>(buffer.getType());
  Value base = pointers.lookup(buffer);
  return LLVM::GEPOp::create(builder, s.loc, base.getType(),
                             getStorageType(type.getElementType()), base,
                             linearize(type, at, s));
}

SmallVector<Value>
KernelEmitter::delinearize(Value linear, ArrayRef<int64_t> shape, IRSystem &s) {
  SmallVector<Value> at(shape.size());
  for (size_t dim = shape.size(); dim-- > 0;) {
    at[dim] = dim ? s.remConstant(linear, shape[dim]) : linear;
    linear = s.divConstant(linear, shape[dim]);
  }
  return at;
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

Value KernelEmitter::convert(Value value, Type to, IRSystem &s) {
  unsigned from = value.getType().getIntOrFloatBitWidth();
  unsigned width = to.getIntOrFloatBitWidth();
  if (value.getType() == to)
    return value;
  if (width > from)
    return LLVM::FPExtOp::create(builder, s.loc, to, value);
  return LLVM::FPTruncOp::create(builder, s.loc, to, value);
}

Value KernelEmitter::decode(Value stored, Type elementType, IRSystem &s) {
  if (elementType.getIntOrFloatBitWidth() != 8)
    return convert(stored, getComputeType(elementType), s);
  return decodePair({stored, stored}, elementType, s).front();
}

std::array<Value, 2> KernelEmitter::decodePair(std::array<Value, 2> stored,
                                               Type elementType, IRSystem &s) {
  // The instructions are cvt.rn.f16x2.e4m3x2 and .e5m2x2 of PTX ISA 7.8, which
  // are exact.
  needsF8Conversions = true;
  auto number = [&](int32_t i) -> Value {
    return LLVM::ConstantOp::create(builder, s.loc,
                                    builder.getI32IntegerAttr(i));
  };
  Type pair = VectorType::get(2, builder.getI8Type());
  Value both = LLVM::UndefOp::create(builder, s.loc, pair);
  for (auto [i, byte] : llvm::enumerate(stored))
    both = LLVM::InsertElementOp::create(builder, s.loc, both, byte, number(i));
  Type halves = VectorType::get(2, builder.getF16Type());
  Value converted = NVVM::ConvertF8x2ToF16x2Op::create(
      builder, s.loc, halves, both, /*relu=*/false, elementType);
  std::array<Value, 2> results;
  for (auto [i, result] : llvm::enumerate(results))
    result = convert(
        LLVM::ExtractElementOp::create(builder, s.loc, converted, number(i)),
        builder.getF32Type(), s);
  return results;
}

/// Converts f64 to f32 so that rounding the result again gives what one
/// rounding would: toward zero, with the last bit set where that is inexact.
static Value roundToOdd(Value value, IRSystem &s) {
  OpBuilder &b = s.builder;
  Type f32 = b.getF32Type(), f64 = b.getF64Type(), i32 = b.getI32Type();
  Value nearest = LLVM::FPTruncOp::create(b, s.loc, f32, value);
  Value back = LLVM::FPExtOp::create(b, s.loc, f64, nearest);
  Value inexact =
      arith::CmpFOp::create(b, s.loc, arith::CmpFPredicate::ONE, back, value);
  Value beyond = arith::CmpFOp::create(b, s.loc, arith::CmpFPredicate::OGT,
                                       LLVM::FAbsOp::create(b, s.loc, back),
                                       LLVM::FAbsOp::create(b, s.loc, value));
  auto number = [&](int64_t v) -> Value {
    return arith::ConstantOp::create(b, s.loc, b.getI32IntegerAttr(v));
  };
  Value bits = LLVM::BitcastOp::create(b, s.loc, i32, nearest);
  Value toward = arith::SelectOp::create(
      b, s.loc, beyond, arith::SubIOp::create(b, s.loc, bits, number(1)), bits);
  Value odd = arith::OrIOp::create(b, s.loc, toward, number(1));
  Value chosen = arith::SelectOp::create(b, s.loc, inexact, odd, bits);
  return LLVM::BitcastOp::create(b, s.loc, f32, chosen);
}

Value KernelEmitter::encode(Value value, Type elementType, IRSystem &s) {
  if (elementType.getIntOrFloatBitWidth() != 8)
    return convert(value, elementType, s);
  needsF8Conversions = true;
  Value single = value.getType().isF64()
                     ? roundToOdd(value, s)
                     : convert(value, builder.getF32Type(), s);
  Value packed = NVVM::ConvertF32x2ToF8x2Op::create(
      builder, s.loc, builder.getI16Type(), single, single,
      NVVM::FPRoundingMode::RN, NVVM::SaturationMode::SATFINITE,
      /*relu=*/false, elementType);
  Value bits =
      LLVM::TruncOp::create(builder, s.loc, builder.getI8Type(), packed);
  // The instruction saturates. What rounds beyond the largest number is NaN in
  // f8E4M3FN (from halfway between 448 and 480 on, the tie going to 448) and
  // infinite in f8E5M2 (from halfway between 57344 and 65536 on).
  bool isE4M3 = isa<Float8E4M3FNType>(elementType);
  Value magnitude = LLVM::FAbsOp::create(builder, s.loc, single);
  Value limit = arith::ConstantOp::create(
      builder, s.loc, builder.getF32FloatAttr(isE4M3 ? 464.0f : 61440.0f));
  Value overflows = arith::CmpFOp::create(builder, s.loc,
                                          isE4M3 ? arith::CmpFPredicate::OGT
                                                 : arith::CmpFPredicate::OGE,
                                          magnitude, limit);
  auto byte = [&](int64_t v) -> Value {
    return arith::ConstantOp::create(
        builder, s.loc, builder.getIntegerAttr(builder.getI8Type(), v));
  };
  constexpr int64_t signBit = -128, nanOfE4M3 = 0x7f, infinityOfE5M2 = 0x7c;
  Value sign = arith::AndIOp::create(builder, s.loc, bits, byte(signBit));
  Value special = arith::OrIOp::create(
      builder, s.loc, sign, byte(isE4M3 ? nanOfE4M3 : infinityOfE5M2));
  return arith::SelectOp::create(builder, s.loc, overflows, special, bits);
}

static unsigned getAlignment(MemRefType type) { return getElementBytes(type); }

Value KernelEmitter::loadElement(Value buffer, ArrayRef<Value> at,
                                 IRSystem &s) {
  auto type = cast<MemRefType>(buffer.getType());
  Value stored = LLVM::LoadOp::create(
      builder, s.loc, getStorageType(type.getElementType()),
      getAddress(buffer, at, s), getAlignment(type));
  return convert(decode(stored, type.getElementType(), s), s.computeType, s);
}

void KernelEmitter::storeElement(Value value, Value buffer, ArrayRef<Value> at,
                                 IRSystem &s) {
  auto type = cast<MemRefType>(buffer.getType());
  LLVM::StoreOp::create(builder, s.loc, encode(value, type.getElementType(), s),
                        getAddress(buffer, at, s), getAlignment(type));
}

void KernelEmitter::forThread(int64_t count, bool grid, IRSystem &s,
                              llvm::function_ref<void(Value)> body) {
  Value first = getThreadId(s.loc);
  int64_t step = threads;
  if (grid) {
    first = s.addIndex(s.mulConstant(getLinearBlockId(s.loc), threads), first);
    step *= blocks;
  }
  s.forEach(first, s.index(count), s.index(step), body);
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

void KernelEmitter::emit(thread::FillOp op) {
  auto type = cast<MemRefType>(op.getTarget().getType());
  IRSystem s(builder, op.getLoc(), indexType,
             getComputeType(type.getElementType()));
  forThread(type.getNumElements(), /*grid=*/false, s, [&](Value linear) {
    storeElement(s.constant(op.getValue().convertToDouble()), op.getTarget(),
                 delinearize(linear, type.getShape(), s), s);
  });
}

Value KernelEmitter::isThere(const thread::SourceBox &box, ArrayRef<Value> at,
                             IRSystem &s) {
  Value exists;
  auto require = [&](Value index, int64_t size) {
    Value isBelow = arith::CmpIOp::create(
        builder, s.loc, arith::CmpIPredicate::ult, index, s.index(size));
    exists = exists ? s.both(exists, isBelow) : isBelow;
  };
  size_t leading = box.getLeading();
  for (size_t dim = 0; dim < at.size(); ++dim) {
    if (box.existing[dim] != box.sizes[dim])
      require(at[dim], box.existing[dim]);
    if (!box.clips(dim))
      continue;
    Value offset =
        toIndex(builder, s.loc, box.offsets[leading + dim], indexType);
    require(s.addIndex(offset, at[dim]), box.memory.getDimSize(leading + dim));
  }
  return exists;
}

void KernelEmitter::emitCopyAsync(Value to, Value from, int64_t bytes,
                                  NVVM::LoadCacheModifierKind cache,
                                  Value exists, Location loc) {
  Value size;
  if (exists) {
    auto number = [&](int64_t value) -> Value {
      return arith::ConstantOp::create(builder, loc,
                                       builder.getI32IntegerAttr(value));
    };
    size =
        arith::SelectOp::create(builder, loc, exists, number(bytes), number(0));
  }
  NVVM::CpAsyncOp::create(builder, loc, to, from, bytes, cache, size);
}

void KernelEmitter::emit(thread::CopyOp op) {
  auto source = cast<MemRefType>(op.getSource().getType());
  auto target = cast<MemRefType>(op.getTarget().getType());
  IRSystem s(builder, op.getLoc(), indexType, builder.getF32Type());
  auto memoryOf = [](MemRefType type) {
    return BoxMemory{type.getShape(), *thread::getMemoryLayout(type)};
  };
  int64_t length = getBoxCopy(op.getSizes(), memoryOf(source), memoryOf(target),
                              getElementBytes(source), threads, /*async=*/false,
                              op.getSourceBox().getRunUnit())
                       .length;
  int64_t bytes = length * getElementBytes(source);
  SmallVector<int64_t> boxes(op.getSizes());
  if (!boxes.empty())
    boxes.back() /= length;
  auto move = [&](Value linear) {
    SmallVector<Value> at = delinearize(linear, boxes, s);
    if (!at.empty())
      at.back() = s.mulConstant(at.back(), length);
    auto address = [&](Value buffer, OperandRange offsets) {
      SmallVector<Value> from;
      size_t leading = offsets.size() - at.size();
      for (auto [i, offset] : llvm::enumerate(offsets)) {
        Value index = toIndex(builder, s.loc, offset, indexType);
        from.push_back(i < leading ? index
                                   : s.addIndex(index, at[i - leading]));
      }
      return getAddress(buffer, from, s);
    };
    Value from = address(op.getSource(), op.getSourceOffsets());
    Value to = address(op.getTarget(), op.getTargetOffsets());
    Value exists = isThere(op.getSourceBox(), at, s);
    // cp.async moves 4, 8 or 16 bytes.
    if (op.getAsync() && bytes >= 4) {
      emitCopyAsync(to, from, bytes, NVVM::LoadCacheModifierKind::CA, exists,
                    s.loc);
      return;
    }
    hasPlainCopies |= op.getAsync();
    Type type =
        length == 1
            ? getStorageType(source.getElementType())
            : VectorType::get(length, getStorageType(source.getElementType()));
    auto load = [&]() -> Value {
      return LLVM::LoadOp::create(builder, s.loc, type, from, bytes);
    };
    Value value;
    if (exists) {
      auto guarded = scf::IfOp::create(builder, s.loc, type, exists, true);
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(&guarded.getThenRegion().front());
      scf::YieldOp::create(builder, s.loc, load());
      builder.setInsertionPointToStart(&guarded.getElseRegion().front());
      Value zero = LLVM::ZeroOp::create(builder, s.loc, type);
      scf::YieldOp::create(builder, s.loc, zero);
      value = guarded.getResult(0);
    } else {
      value = load();
    }
    LLVM::StoreOp::create(builder, s.loc, value, to, bytes);
  };
  int64_t count = 1;
  for (int64_t size : boxes)
    count *= size;
  forThread(count, /*grid=*/false, s, move);
}

void KernelEmitter::emit(thread::AccumulateOp op) {
  auto type = cast<MemRefType>(op.getTarget().getType());
  IRSystem s(builder, op.getLoc(), indexType,
             getComputeType(type.getElementType()));
  forThread(type.getNumElements(), /*grid=*/false, s, [&](Value linear) {
    SmallVector<Value> at = delinearize(linear, type.getShape(), s);
    Value total = loadElement(op.getTarget(), at, s);
    Value value = loadElement(op.getValue(), at, s);
    switch (op.getKind()) {
    case AccumulateKind::Sum:
      total = s.add(total, value);
      break;
    case AccumulateKind::Max:
      total = s.max(total, value);
      break;
    case AccumulateKind::RescaledSum: {
      SmallVector<Value> row = at;
      auto shiftType = cast<MemRefType>(op.getShift().getType());
      for (auto [index, size] : llvm::zip(row, shiftType.getShape()))
        if (size == 1)
          index = s.index(0);
      Value shift = loadElement(op.getShift(), row, s);
      Value running = loadElement(op.getRunning(), row, s);
      total = addRescaled(total, value, getRescaling(running, shift, s), s);
      break;
    }
    case AccumulateKind::Concat:
      llvm_unreachable("refused by the verifier");
    }
    storeElement(total, op.getTarget(), at, s);
  });
}
