//===- LoopDependences.cpp - What iterations work on ----------------------===//
//
// Analyzes the body of a loop operator by operator.
//
//===----------------------------------------------------------------------===//

#include "LoopDependences.h"
#include "KernelBuilder.h"
#include "Mirage/Analysis/TensorParts.h"
#include "Mirage/Analysis/TensorWindows.h"
#include "Mirage/Semantics/ProductDims.h"

using namespace mlir;
using namespace mirage;

std::optional<int64_t> LoopDependences::getLoopEntry(block::LoadOp load) const {
  for (auto [variable, entry] : llvm::zip(load.getLoops(), load.getFmap()))
    if (variable == const_cast<block::ForOp &>(loop).getVariable() &&
        entry >= 0)
      return entry;
  return std::nullopt;
}

/// Returns the value whose elements this one has in another order or shape.
static Value skipLayout(Value value) {
  while (auto op = value.getDefiningOp<ComputeOpInterface>()) {
    if (getOpInfo(op.getOpKind()).opClass != OpClass::Layout ||
        op.getOpKind() == OpKind::Slice || op->getNumOperands() != 1)
      break;
    value = op->getOperand(0);
  }
  return value;
}

/// Notes that a value is relative to a maximum, if it is to one. It may be so
/// to one only; false otherwise.
static bool addShift(Dependence &to, Value shift) {
  if (to.shift && shift && to.shift != shift)
    return false;
  if (shift)
    to.shift = shift;
  return true;
}

/// Returns the dependence of what follows element by element from values with
/// these. A maximum is the same for all elements of an iteration.
static Dependence combine(ArrayRef<Dependence> all, ValueRange values) {
  Dependence result, shifts;
  bool hasMaximum = false;
  for (auto [one, value] : llvm::zip(all, values)) {
    if (!addShift(shifts, one.shift))
      return {Dependence::Other};
    hasMaximum |= one.kind == Dependence::Maximum;
    if (one.kind == Dependence::Same || one.kind == Dependence::Maximum)
      continue;
    if (result.kind == Dependence::Same)
      result = one;
    else if (result.kind != one.kind || result.dim != one.dim ||
             one.kind == Dependence::Other)
      return {Dependence::Other};
  }
  if (hasMaximum && result.kind == Dependence::Same)
    result.kind = Dependence::Maximum;
  for (auto [one, value] : llvm::zip(all, values))
    if (one.kind == Dependence::Maximum && result.kind != Dependence::Maximum &&
        !addShift(shifts, skipLayout(value)))
      return {Dependence::Other};
  result.shift = shifts.shift;
  return result;
}

/// Analyzes a product, or a sum of products, of left and right operands.
Dependence LoopDependences::analyzeProduct(ComputeOpInterface op) {
  OpAttributes attrs = op.getOpAttributes();
  unsigned numLhs = op->getNumOperands() / 2;
  SmallVector<Dependence> products;
  for (unsigned i = 0; i < numLhs; ++i) {
    Dependence lhs = get(op->getOperand(i));
    Dependence rhs = get(op->getOperand(numLhs + i));
    int64_t rank =
        cast<RankedTensorType>(op->getOperand(i).getType()).getRank();
    int64_t outer = rank - 2, inner = rank - 1;
    auto isPart = [](Dependence d, int64_t dim) {
      return d.kind == Dependence::Part && d.dim == dim;
    };
    int64_t lhsRow = getKeptDim(attrs, ProductOperand::Lhs, rank);
    int64_t rhsColumn = getKeptDim(attrs, ProductOperand::Rhs, rank);
    if (lhs.kind == Dependence::Maximum || rhs.kind == Dependence::Maximum)
      return {Dependence::Other};
    int64_t lhsInner = getContractedDim(attrs, ProductOperand::Lhs, rank);
    int64_t rhsInner = getContractedDim(attrs, ProductOperand::Rhs, rank);
    if (lhs.kind == Dependence::Same && rhs.kind == Dependence::Same)
      products.push_back({});
    else if (isPart(lhs, lhsInner) && isPart(rhs, rhsInner))
      products.push_back({Dependence::Term});
    else if ((lhs.kind == Dependence::Term && rhs.kind == Dependence::Same) ||
             (rhs.kind == Dependence::Term && lhs.kind == Dependence::Same))
      products.push_back({Dependence::Term});
    else if (isPart(lhs, lhsRow) && rhs.kind == Dependence::Same)
      products.push_back({Dependence::Part, outer});
    else if (isPart(rhs, rhsColumn) && lhs.kind == Dependence::Same)
      products.push_back({Dependence::Part, inner});
    else
      return {Dependence::Other};
  }
  // A term that all iterations share would be added once instead of each time.
  Dependence result = products.front();
  for (const Dependence &product : products)
    if (product.kind != result.kind || product.dim != result.dim)
      return {Dependence::Other};
  for (Value operand : op->getOperands())
    if (!addShift(result, get(operand).shift))
      return {Dependence::Other};
  return result;
}

Dependence LoopDependences::analyze(ComputeOpInterface op) {
  SmallVector<Dependence> operands;
  for (Value operand : op->getOperands())
    operands.push_back(get(operand));
  Dependence all = combine(operands, op->getOperands());
  if (all.kind == Dependence::Same)
    return all;
  OpAttributes attrs = op.getOpAttributes();
  OpKind kind = op.getOpKind();
  switch (getOpInfo(kind).opClass) {
  case OpClass::Elementwise: {
    if (all.kind == Dependence::Term) {
      // What is linear in a term is a term; casts round each term instead of
      // the sum.
      bool isLinear = kind == OpKind::Cast || kind == OpKind::Scale;
      if (kind == OpKind::Mul)
        isLinear = get(op->getOperand(0)).kind == Dependence::Same ||
                   get(op->getOperand(1)).kind == Dependence::Same;
      return isLinear ? all : Dependence{Dependence::Other};
    }
    if (all.kind == Dependence::Maximum)
      // The larger of the maxima is the maximum of all; so it stays where each
      // is compared with the same number.
      return kind == OpKind::Max || kind == OpKind::Cast
                 ? all
                 : Dependence{Dependence::Other};
    if (all.kind != Dependence::Part)
      return {Dependence::Other};
    // Operands that all iterations share have one element where the others have
    // parts.
    for (Value operand : op->getOperands())
      if (get(operand).kind != Dependence::Part &&
          cast<RankedTensorType>(operand.getType()).getDimSize(all.dim) != 1)
        return {Dependence::Other};
    return all;
  }
  case OpClass::Reduction:
    if (kind != OpKind::Reduce || all.kind != Dependence::Part || attrs.group)
      return {Dependence::Other};
    if (attrs.dim == all.dim) {
      if (attrs.reduceKind == ReduceKind::Sum)
        return {Dependence::Term, 0, all.shift};
      return attrs.reduceKind == ReduceKind::Max && !all.shift
                 ? Dependence{Dependence::Maximum}
                 : Dependence{Dependence::Other};
    }
    if (!attrs.keep && attrs.dim < all.dim)
      --all.dim;
    return all;
  case OpClass::Contraction:
    if (kind == OpKind::Matmul || kind == OpKind::ConcatMatmul)
      return analyzeProduct(op);
    return {Dependence::Other};
  case OpClass::Layout: {
    if (all.kind == Dependence::Term || all.kind == Dependence::Maximum)
      return all;
    if (kind == OpKind::Transpose) {
      all.dim =
          llvm::find(attrs.permutation, all.dim) - attrs.permutation.begin();
      return all;
    }
    if (kind != OpKind::Reshape)
      return {Dependence::Other};
    // The dimension must stay one, with the same elements before it.
    auto from = cast<RankedTensorType>(op->getOperand(0).getType()).getShape();
    int64_t before = elementCount(from.take_front(all.dim)), count = 1;
    for (auto [dim, size] : llvm::enumerate(attrs.resultShape)) {
      if (count == before && size == from[all.dim])
        return {Dependence::Part, static_cast<int64_t>(dim), all.shift};
      count *= size;
    }
    return {Dependence::Other};
  }
  default:
    return {Dependence::Other};
  }
}

/// Returns true if what all iterations accumulate is what larger or smaller
/// ones would.
bool LoopDependences::admits(block::AccumulateOp accumulate) {
  Dependence value = get(accumulate.getValue());
  switch (accumulate.getKind()) {
  case AccumulateKind::Sum:
    return value.kind == Dependence::Term && !value.shift;
  case AccumulateKind::Max:
    return value.kind == Dependence::Maximum;
  case AccumulateKind::Concat:
    hasConcat = true;
    return value.kind == Dependence::Part && !value.shift &&
           value.dim == static_cast<int64_t>(*accumulate.getDim());
  case AccumulateKind::RescaledSum:
    return value.kind == Dependence::Term &&
           get(accumulate.getShift()).kind == Dependence::Maximum &&
           (!value.shift || value.shift == skipLayout(accumulate.getShift())) &&
           isRelativeTo(accumulate.getValue(), accumulate.getShift());
  }
  llvm_unreachable("unknown kind");
}

bool LoopDependences::analyze() {
  if (loop.getExtent() == 1)
    return true;
  for (Operation &op : loop.getBody().front()) {
    if (auto load = dyn_cast<block::LoadOp>(op)) {
      auto type = cast<RankedTensorType>(load.getResult().getType());
      int64_t bytes = getBytes(type);
      if (std::optional<int64_t> entry = getLoopEntry(load)) {
        // A loop further in, if one divides this dimension too, has the
        // neighbours.
        if (load.getLoops().back() != loop.getVariable())
          return false;
        // Windows, and parts with buffers of their own, are read in tiles
        // that lie in one of them.
        std::optional<WindowOperators> windows =
            findWindows(cast<BlockArgument>(load.getSource()));
        if (windows && windows->windows.dim == *entry)
          return false;
        std::optional<TensorParts> parts =
            findLoadedParts(cast<BlockArgument>(load.getSource()));
        if (parts && parts->dim == *entry)
          return false;
        dependences[load.getResult()] = {Dependence::Part, *entry};
        bytes *= loop.getExtent();
      }
      loadedBytes += bytes;
    } else if (auto accumulate = dyn_cast<block::AccumulateOp>(op)) {
      if (!admits(accumulate))
        return false;
    } else if (auto compute = dyn_cast<ComputeOpInterface>(op)) {
      Dependence result = analyze(compute);
      if (result.kind == Dependence::Other || op.getNumResults() != 1)
        return false;
      // A narrow term may be in range where the sum of all terms is not.
      if (result.kind == Dependence::Term &&
          getElementTypeOrSelf(op.getResult(0)).getIntOrFloatBitWidth() < 32)
        return false;
      dependences[op.getResult(0)] = result;
    } else if (!isa<block::YieldOp>(op)) {
      return false;
    }
  }
  return true;
}
