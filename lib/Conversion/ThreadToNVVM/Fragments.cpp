//===- Fragments.cpp - Tiles in registers to NVVM -------------------------===//
//
// Emits operators on tiles in registers, and loops that carry such tiles.
//
//===----------------------------------------------------------------------===//

#include "FragmentEmitter.h"
#include "Mirage/Semantics/Element.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mirage;

const RegisterLayout *mirage::getLayout(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return nullptr;
  auto attr = dyn_cast_or_null<thread::LayoutAttr>(tensor.getEncoding());
  return attr ? &attr.getLayout() : nullptr;
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

Value FragmentEmitter::getLane(IRSystem &s) {
  return s.remConstant(emitter.getThreadId(s.loc), RegisterLayout::kWarpSize);
}

Value FragmentEmitter::getWarp(IRSystem &s) { return emitter.getWarpId(s.loc); }

SmallVector<Value> FragmentEmitter::getDigits(Value number,
                                              ArrayRef<LayoutMode> modes,
                                              IRSystem &s) {
  SmallVector<Value> digits;
  for (auto [i, mode] : llvm::enumerate(modes)) {
    // The last digit is what is left of the number.
    digits.push_back(i + 1 == modes.size() ? number
                                           : s.remConstant(number, mode.size));
    number = s.divConstant(number, mode.size);
  }
  return digits;
}

SmallVector<Value> FragmentEmitter::getBase(const RegisterLayout &layout,
                                            unsigned rank, IRSystem &s) {
  SmallVector<Value> base(rank, s.index(0));
  auto add = [&](Value number, ArrayRef<LayoutMode> modes) {
    for (auto [digit, mode] : llvm::zip(getDigits(number, modes, s), modes))
      if (!mode.isReplicated())
        base[*mode.dim] =
            s.addIndex(base[*mode.dim], s.mulConstant(digit, mode.stride));
  };
  add(getLane(s), layout.lanes);
  add(getWarp(s), layout.warps);
  return base;
}

Value FragmentEmitter::isFirstReplica(const RegisterLayout &layout,
                                      IRSystem &s) {
  Value first;
  auto add = [&](Value number, ArrayRef<LayoutMode> modes) {
    for (auto [digit, mode] : llvm::zip(getDigits(number, modes, s), modes)) {
      if (!mode.isReplicated())
        continue;
      Value isZero = arith::CmpIOp::create(
          builder, s.loc, arith::CmpIPredicate::eq, digit, s.index(0));
      first = first ? s.both(first, isZero) : isZero;
    }
  };
  add(getLane(s), layout.lanes);
  add(getWarp(s), layout.warps);
  return first;
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

/// Returns one register of an operand as a number of `type`. A splat constant
/// has no registers.
Value FragmentEmitter::read(Value tile, int64_t number, Type type,
                            DecodedRegisters &decoded, IRSystem &s) {
  if (auto constant = tile.getDefiningOp<thread::ConstantOp>()) {
    auto elements = cast<DenseFPElementsAttr>(constant.getValue());
    return arith::ConstantOp::create(
        builder, s.loc,
        builder.getFloatAttr(
            type, elements.getSplatValue<APFloat>().convertToDouble()));
  }
  return emitter.convert(decode(tile, number, decoded, s), type, s);
}

/// Returns the number in a register. Two neighbours of f8 are converted
/// together, of which the operator finds the second one among `decoded`.
Value FragmentEmitter::decode(Value tile, int64_t number,
                              DecodedRegisters &decoded, IRSystem &s) {
  Type element = cast<RankedTensorType>(tile.getType()).getElementType();
  ArrayRef<Value> values = registers[tile];
  auto first = static_cast<size_t>(number - number % 2);
  if (element.getIntOrFloatBitWidth() != 8 || first + 1 == values.size())
    return emitter.decode(values[number], element, s);
  if (!decoded.contains({tile, number})) {
    std::array<Value, 2> pair =
        emitter.decodePair({values[first], values[first + 1]}, element, s);
    for (auto [i, value] : llvm::enumerate(pair))
      decoded[{tile, static_cast<int64_t>(first + i)}] = value;
  }
  return decoded.lookup({tile, number});
}

/// Returns true if each thread that has an element of a result has the
/// operand's element for it. A dimension of one element may be replicated, or
/// have the result's places.
static bool isInSameThreads(const RegisterLayout &operand,
                            ArrayRef<int64_t> operandShape,
                            const RegisterLayout &result,
                            ArrayRef<int64_t> resultShape) {
  RegisterLayout wanted = result;
  for (auto [dim, size] : llvm::enumerate(operandShape))
    if (size == 1 && resultShape[dim] != 1)
      wanted = wanted.withoutDim(dim);
  auto agrees = [&](const RegisterLayout &layout) {
    return operand.lanes == layout.lanes && operand.warps == layout.warps;
  };
  return agrees(wanted) || agrees(result.project(operandShape));
}

LogicalResult FragmentEmitter::emitElementwise(ComputeOpInterface op) {
  Value result = op->getResult(0);
  const RegisterLayout &layout = *getLayout(result.getType());
  auto type = cast<RankedTensorType>(result.getType());
  Type computeType = builder.getF32Type();
  for (Type operand : op->getOperandTypes())
    if (cast<RankedTensorType>(operand).getElementType().isF64())
      computeType = builder.getF64Type();
  IRSystem s(builder, op.getLoc(), emitter.indexType, computeType);
  OpAttributes attrs = op.getOpAttributes();
  DecodedRegisters decoded;
  SmallVector<Value> values;
  for (int64_t number = 0; number < layout.getNumRegisters(); ++number) {
    Shape offsets = layout.getOffsets(number, type.getRank());
    SmallVector<Value> x;
    for (Value operand : op->getOperands()) {
      Shape from = offsets;
      auto operandType = cast<RankedTensorType>(operand.getType());
      for (auto [offset, size] : llvm::zip(from, operandType.getShape()))
        if (size == 1)
          offset = 0;
      std::optional<int64_t> source = 0;
      if (!operand.getDefiningOp<thread::ConstantOp>()) {
        const RegisterLayout *operandLayout = getLayout(operandType);
        source =
            operandLayout ? operandLayout->findRegister(from) : std::nullopt;
        if (!source || !isInSameThreads(*operandLayout, operandType.getShape(),
                                        layout, type.getShape()))
          return op->emitOpError()
                 << "has an operand whose elements are in other threads than "
                    "those of the result";
      }
      x.push_back(read(operand, *source, computeType, decoded, s));
    }
    Value value = evaluateScalar(op.getOpKind(), attrs, ArrayRef<Value>(x), s);
    IRSystem ofResult(builder, op.getLoc(), emitter.indexType,
                      getComputeType(type.getElementType()));
    values.push_back(
        emitter.encode(emitter.convert(value, ofResult.computeType, s),
                       type.getElementType(), ofResult));
  }
  registers[result] = std::move(values);
  return success();
}

/// Combines values in a few chains, so that an instruction need not wait for
/// the one before it, and few registers hold what was combined so far.
template <typename Combine>
static Value combineAll(ArrayRef<Value> values, Combine combine) {
  constexpr size_t mostChains = 4;
  SmallVector<Value> chains(values.take_front(mostChains));
  for (auto [i, value] : llvm::enumerate(values.drop_front(chains.size())))
    chains[i % mostChains] = combine(chains[i % mostChains], value);
  Value result = chains.front();
  for (Value chain : ArrayRef(chains).drop_front())
    result = combine(result, chain);
  return result;
}

LogicalResult FragmentEmitter::emitReduction(ComputeOpInterface op) {
  OpAttributes attrs = op.getOpAttributes();
  Value operand = op->getOperand(0), result = op->getResult(0);
  auto from = cast<RankedTensorType>(operand.getType());
  auto to = cast<RankedTensorType>(result.getType());
  const RegisterLayout *source = getLayout(from);
  if (attrs.group || !source)
    return op->emitOpError("reduces groups, which are not in registers");
  if (source->variesOverWarps(attrs.dim))
    return op->emitOpError("reduces over several warps; store the tile to "
                           "shared memory first");
  if (source->overhangs(from.getShape(), attrs.dim))
    return op->emitOpError("reduces places beyond the end of the dimension");
  IRSystem s(builder, op.getLoc(), emitter.indexType,
             getComputeType(to.getElementType()));
  bool isMax = attrs.reduceKind == ReduceKind::Max;
  auto combine = [&](Value a, Value b) {
    return isMax ? s.max(a, b) : s.add(a, b);
  };

  const RegisterLayout &target = *getLayout(to);
  SmallVector<SmallVector<Value>> elements(target.getNumRegisters());
  DecodedRegisters decoded;
  for (int64_t number = 0; number < source->getNumRegisters(); ++number) {
    Shape offsets = source->getOffsets(number, from.getRank());
    offsets[attrs.dim] = 0;
    if (!attrs.keep)
      offsets.erase(offsets.begin() + attrs.dim);
    std::optional<int64_t> place = target.findRegister(offsets);
    if (!place)
      return op->emitOpError("has a result in a layout that does not follow "
                             "from its operand's");
    elements[*place].push_back(
        read(operand, number, s.computeType, decoded, s));
  }
  SmallVector<Value> values;
  for (ArrayRef<Value> ofPlace : elements)
    values.push_back(combineAll(ofPlace, combine));
  // Lanes that hold other elements of the dimension exchange them.
  Type i32 = builder.getI32Type();
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(builder, s.loc,
                                     builder.getIntegerAttr(i32, value));
  };
  constexpr int64_t allLanes = -1;
  int64_t distance = 1;
  for (const LayoutMode &mode : source->lanes) {
    for (int64_t step = 1; mode.dim == attrs.dim && step < mode.size; step *= 2)
      for (Value &value : values) {
        Value other = NVVM::ShflOp::create(
            builder, s.loc, value.getType(), number(allLanes), value,
            number(distance * step), number(RegisterLayout::kWarpSize - 1),
            NVVM::ShflKind::bfly, UnitAttr());
        value = combine(value, other);
      }
    distance *= mode.size;
  }
  for (Value &value : values) {
    if (attrs.reduceKind == ReduceKind::Mean)
      value = s.div(value, s.constant(from.getDimSize(attrs.dim)));
    value = emitter.encode(value, to.getElementType(), s);
  }
  registers[result] = std::move(values);
  return success();
}

/// Emits a slice whose elements are in registers of the same threads.
LogicalResult FragmentEmitter::emitSlice(ComputeOpInterface op) {
  Value operand = op->getOperand(0), result = op->getResult(0);
  const RegisterLayout *source = getLayout(operand.getType());
  const RegisterLayout &target = *getLayout(result.getType());
  OpAttributes attrs = op.getOpAttributes();
  bool isRun = source && llvm::all_of(attrs.strides, [](int64_t stride) {
                 return stride == 1;
               });
  SmallVector<Value> values;
  for (int64_t i = 0; isRun && i < target.getNumRegisters(); ++i) {
    Shape offsets = target.getOffsets(i, attrs.offsets.size());
    for (auto [offset, start] : llvm::zip(offsets, attrs.offsets))
      offset += start;
    std::optional<int64_t> number = source->findRegister(offsets);
    isRun = number.has_value();
    if (number)
      values.push_back(registers[operand][*number]);
  }
  if (!isRun || source->lanes != target.lanes || source->warps != target.warps)
    return op->emitOpError("takes elements of other threads; store the tile to "
                           "shared memory first");
  registers[result] = std::move(values);
  return success();
}

/// Emits a tile with more elements at the ends of its dimensions: the places of
/// the operand beyond its end become those of the padding.
LogicalResult FragmentEmitter::emitPad(ComputeOpInterface op) {
  Value operand = op->getOperand(0), result = op->getResult(0);
  auto from = cast<RankedTensorType>(operand.getType());
  auto to = cast<RankedTensorType>(result.getType());
  const RegisterLayout *source = getLayout(from);
  const RegisterLayout &layout = *getLayout(to);
  OpAttributes attrs = op.getOpAttributes();
  if (!source || !(*source == layout) ||
      llvm::any_of(attrs.offsets, [](int64_t low) { return low != 0; }))
    return op->emitOpError("moves elements between threads; store the tile to "
                           "shared memory first");
  Type element = to.getElementType();
  IRSystem s(builder, op.getLoc(), emitter.indexType, getComputeType(element));
  Value padding = emitter.encode(s.constant(attrs.scalar), element, s);
  SmallVector<Value> base = getBase(layout, to.getRank(), s);
  SmallVector<Value> values = registers.lookup(operand);
  for (auto [number, value] : llvm::enumerate(values)) {
    Shape offsets = layout.getOffsets(number, to.getRank());
    Value exists;
    for (auto [dim, size] : llvm::enumerate(from.getShape())) {
      if (!layout.overhangs(from.getShape(), dim))
        continue;
      Value inside = s.inRange(s.addConstant(base[dim], offsets[dim]), 0, size);
      exists = exists ? s.both(exists, inside) : inside;
    }
    if (exists)
      value = arith::SelectOp::create(builder, s.loc, exists, value, padding);
  }
  registers[result] = std::move(values);
  return success();
}

/// Emits an operator that gives elements other indices and moves none.
LogicalResult FragmentEmitter::emitRelabeling(ComputeOpInterface op) {
  if (op.getOpKind() == OpKind::Slice)
    return emitSlice(op);
  if (op.getOpKind() == OpKind::Pad)
    return emitPad(op);
  Value operand = op->getOperand(0), result = op->getResult(0);
  auto from = cast<RankedTensorType>(operand.getType());
  auto to = cast<RankedTensorType>(result.getType());
  const RegisterLayout *source = getLayout(from);
  std::optional<RegisterLayout> relabeled;
  if (source && op.getOpKind() == OpKind::Transpose)
    relabeled = source->transpose(op.getOpAttributes().permutation);
  else if (source && op.getOpKind() == OpKind::Reshape)
    relabeled = source->reshape(from.getShape(), to.getShape());
  if (!relabeled || !(*relabeled == *getLayout(to)))
    return op->emitOpError("moves elements between threads; store the tile to "
                           "shared memory first");
  SmallVector<Value> values = registers.lookup(operand);
  registers[result] = std::move(values);
  return success();
}

LogicalResult FragmentEmitter::emitOperator(ComputeOpInterface op) {
  const OpInfo &info = getOpInfo(op.getOpKind());
  if (info.opClass == OpClass::Constant) {
    auto elements = dyn_cast<DenseFPElementsAttr>(op->getAttr("value"));
    if (!elements || !elements.isSplat())
      return op->emitOpError("is no splat constant; load it from memory");
    // Those who read it take the constant; a loop takes registers.
    if (const RegisterLayout *layout = getLayout(op->getResult(0).getType())) {
      Type element = elements.getElementType();
      IRSystem s(builder, op.getLoc(), emitter.indexType,
                 getComputeType(element));
      Value value = emitter.encode(
          s.constant(elements.getSplatValue<APFloat>().convertToDouble()),
          element, s);
      registers[op->getResult(0)].assign(layout->getNumRegisters(), value);
    }
    return success();
  }
  if (!getLayout(op->getResult(0).getType()))
    return op->emitOpError("stands outside of a compute, and its result has no "
                           "layout in registers");
  switch (info.opClass) {
  case OpClass::Elementwise:
    return emitElementwise(op);
  case OpClass::Reduction:
    return emitReduction(op);
  case OpClass::Layout:
    return emitRelabeling(op);
  default:
    return op->emitOpError("has no form on tiles in registers");
  }
}

LogicalResult FragmentEmitter::emit(thread::IndexMaskOp op) {
  auto type = cast<RankedTensorType>(op.getResult().getType());
  const RegisterLayout &layout = *getLayout(type);
  Type element = type.getElementType();
  IRSystem s(builder, op.getLoc(), emitter.indexType, getComputeType(element));
  auto encode = [&](const APFloat &number) {
    return emitter.encode(s.constant(number.convertToDouble()), element, s);
  };
  Value inside = encode(op.getInside()), outside = encode(op.getOutside());
  auto compare = [&](arith::CmpIPredicate predicate, Value sum,
                     int64_t bound) -> Value {
    return arith::CmpIOp::create(builder, s.loc, predicate, sum,
                                 s.index(bound));
  };
  // The part of the sum that a thread's registers have in common.
  Value common = arith::IndexCastOp::create(builder, s.loc, emitter.indexType,
                                            op.getBase());
  for (auto [place, coefficient] :
       llvm::zip(getBase(layout, type.getRank(), s), op.getCoefficients()))
    if (coefficient)
      common = s.addIndex(common, s.mulConstant(place, coefficient));
  SmallVector<Value> values;
  for (int64_t number = 0; number < layout.getNumRegisters(); ++number) {
    int64_t own = 0;
    for (auto [offset, coefficient] : llvm::zip(
             layout.getOffsets(number, type.getRank()), op.getCoefficients()))
      own += coefficient * offset;
    Value isInside;
    if (op.getFrom() && op.getBelow())
      isInside =
          s.inRange(s.addConstant(common, own), *op.getFrom(), *op.getBelow());
    else if (op.getBelow())
      isInside =
          compare(arith::CmpIPredicate::slt, common, *op.getBelow() - own);
    else
      isInside =
          compare(arith::CmpIPredicate::sge, common, *op.getFrom() - own);
    values.push_back(
        arith::SelectOp::create(builder, s.loc, isInside, inside, outside));
  }
  registers[op.getResult()] = std::move(values);
  return success();
}

//===----------------------------------------------------------------------===//
// Loops and branches
//===----------------------------------------------------------------------===//

/// Returns true if loops carry a tile's registers in pairs: those of 16 bits
/// would take 32 each.
static bool isCarriedInPairs(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isIntOrFloat() && element.getIntOrFloatBitWidth() == 16 &&
         getLayout(type)->getNumRegisters() % 2 == 0;
}

SmallVector<Value> FragmentEmitter::joinCarried(Value tile) {
  SmallVector<Value> values = registers.lookup(tile);
  if (!isCarriedInPairs(tile.getType()))
    return values;
  SmallVector<Value> pairs;
  for (size_t i = 0; i < values.size(); i += 2)
    pairs.push_back(pack(values[i], values[i + 1], tile.getLoc()));
  return pairs;
}

size_t FragmentEmitter::separateCarried(Value tile, ValueRange carried) {
  int64_t count = getLayout(tile.getType())->getNumRegisters();
  SmallVector<Value> &values = registers[tile];
  if (!isCarriedInPairs(tile.getType())) {
    auto own = carried.take_front(count);
    values.assign(own.begin(), own.end());
    return count;
  }
  for (Value pair : carried.take_front(count / 2))
    for (int32_t i : {0, 1})
      values.push_back(LLVM::ExtractElementOp::create(
          builder, tile.getLoc(), pair,
          LLVM::ConstantOp::create(builder, tile.getLoc(),
                                   builder.getI32IntegerAttr(i))));
  return count / 2;
}

bool FragmentEmitter::convertLoop(scf::ForOp loop) {
  if (llvm::none_of(loop.getInitArgs(),
                    [](Value init) { return getLayout(init.getType()); }))
    return false;
  SmallVector<Value> initial;
  for (Value init : loop.getInitArgs()) {
    if (getLayout(init.getType()))
      llvm::append_range(initial, joinCarried(init));
    else
      initial.push_back(init);
  }
  auto flat = scf::ForOp::create(builder, loop.getLoc(), loop.getLowerBound(),
                                 loop.getUpperBound(), loop.getStep(), initial);
  // A loop that is created with values to carry has no terminator yet.
  flat.getBody()->getOperations().splice(flat.getBody()->end(),
                                         loop.getBody()->getOperations());
  loop.getInductionVar().replaceAllUsesWith(flat.getInductionVar());
  size_t next = 0;
  for (auto [i, init] : llvm::enumerate(loop.getInitArgs())) {
    BlockArgument argument = loop.getRegionIterArg(i);
    if (getLayout(init.getType())) {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(flat.getBody());
      separateCarried(argument, flat.getRegionIterArgs().drop_front(next));
      builder.setInsertionPointAfter(flat);
      next += separateCarried(loop.getResult(i),
                              flat.getResults().drop_front(next));
      continue;
    }
    argument.replaceAllUsesWith(flat.getRegionIterArg(next));
    loop.getResult(i).replaceAllUsesWith(flat.getResult(next));
    ++next;
  }
  return true;
}

bool FragmentEmitter::convertBranch(scf::IfOp branch) {
  if (llvm::none_of(branch.getResultTypes(),
                    [](Type type) { return getLayout(type); }))
    return false;
  SmallVector<Type> types;
  for (Type type : branch.getResultTypes()) {
    if (const RegisterLayout *layout = getLayout(type))
      types.append(layout->getNumRegisters(),
                   getStorageType(getElementTypeOrSelf(type)));
    else
      types.push_back(type);
  }
  auto flat = scf::IfOp::create(builder, branch.getLoc(), types,
                                branch.getCondition(), /*withElseRegion=*/true);
  for (auto [to, from] : {std::pair(flat.thenBlock(), branch.thenBlock()),
                          std::pair(flat.elseBlock(), branch.elseBlock())})
    to->getOperations().splice(to->end(), from->getOperations());
  size_t next = 0;
  for (Value result : branch.getResults()) {
    const RegisterLayout *layout = getLayout(result.getType());
    if (!layout) {
      result.replaceAllUsesWith(flat.getResult(next++));
      continue;
    }
    size_t count = layout->getNumRegisters();
    auto values = flat.getResults().slice(next, count);
    registers[result].assign(values.begin(), values.end());
    next += count;
  }
  return true;
}

bool FragmentEmitter::convertYield(scf::YieldOp yield) {
  if (llvm::none_of(yield.getOperands(),
                    [](Value value) { return getLayout(value.getType()); }))
    return false;
  bool isOfLoop = isa<scf::ForOp>(yield->getParentOp());
  SmallVector<Value> values;
  for (Value value : yield.getOperands()) {
    if (getLayout(value.getType()))
      llvm::append_range(values, isOfLoop ? joinCarried(value)
                                          : registers.lookup(value));
    else
      values.push_back(value);
  }
  scf::YieldOp::create(builder, yield.getLoc(), values);
  return true;
}
