//===- ResizeLoops.cpp - Other numbers of iterations ----------------------===//
//
// Gives a loop another number of iterations, which work on larger or smaller
// tiles, where the loop puts tiles together, or adds up or takes the maximum of
// what follows from them element by element. The search chooses numbers with
// which a launch fits into shared memory; a launch whose tiles lie in registers
// needs others.
//
//===----------------------------------------------------------------------===//

#include "KernelBuilder.h"
#include "Mirage/Dialect/Block/IR/BlockDialect.h"
#include "Mirage/Semantics/MatrixInstruction.h"
#include "Mirage/Semantics/ProductDims.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mirage;

namespace {
/// How a value of the body depends on the iteration.
struct Dependence {
  enum Kind : uint8_t {
    /// The value is the same in all iterations.
    Same,
    /// Iterations have neighbouring parts of dimension `dim`.
    Part,
    /// Iterations have terms of a sum, or of a maximum.
    Term,
    Maximum,
    /// The value depends on it in a way that this analysis does not follow.
    Other
  } kind = Same;
  int64_t dim = 0;
  /// The maximum over the iteration's elements to which it is relative, if it
  /// is. Such a value may only be part of a rescaled sum with that maximum as
  /// its shift.
  Value shift = {};
};

class LoopResizer {
public:
  explicit LoopResizer(block::ForOp loop) : loop(loop) {}

  /// Returns true if what iterations work on can be put together and taken
  /// apart.
  bool isLegal();
  /// The bytes of the tiles that are loaded where all iterations are one.
  int64_t getLoadedBytes() const { return loadedBytes; }
  /// The columns of the widest product of which an iteration has a part, for
  /// each eight warps that its rows can be shared by.
  int64_t getMostColumns();
  /// The largest factor up to `most`, a power of two, by which the tiles of an
  /// iteration can be divided so that they keep `least` elements along the
  /// divided dimension.
  int64_t getLargestFactor(int64_t most, int64_t least);
  /// Replaces the loop by what one iteration computes.
  void merge();
  /// The same for tiles that become larger, where the iterations can be joined.
  int64_t getLargestGrowth(int64_t most);
  /// Divides each iteration into `factor` iterations, or makes `growth` of them
  /// one.
  void resize(int64_t factor, int64_t growth);

private:
  Dependence get(Value value) const { return dependences.lookup(value); }
  Dependence analyze(ComputeOpInterface op);
  Dependence analyzeProduct(ComputeOpInterface op);
  std::optional<int64_t> getLoopEntry(block::LoadOp load) const;

  block::ForOp loop;
  DenseMap<Value, Dependence> dependences;
  int64_t loadedBytes = 0;
  bool hasConcat = false;
};
} // namespace

/// The entry of the load's fmap for this loop.
std::optional<int64_t> LoopResizer::getLoopEntry(block::LoadOp load) const {
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
Dependence LoopResizer::analyzeProduct(ComputeOpInterface op) {
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

Dependence LoopResizer::analyze(ComputeOpInterface op) {
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

bool LoopResizer::isLegal() {
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
        dependences[load.getResult()] = {Dependence::Part, *entry};
        bytes *= loop.getExtent();
      }
      loadedBytes += bytes;
    } else if (auto accumulate = dyn_cast<block::AccumulateOp>(op)) {
      Dependence value = get(accumulate.getValue());
      switch (accumulate.getKind()) {
      case AccumulateKind::Sum:
        if (value.kind != Dependence::Term || value.shift)
          return false;
        break;
      case AccumulateKind::Max:
        if (value.kind != Dependence::Maximum)
          return false;
        break;
      case AccumulateKind::Concat:
        if (value.kind != Dependence::Part || value.shift ||
            value.dim != static_cast<int64_t>(*accumulate.getDim()))
          return false;
        hasConcat = true;
        break;
      case AccumulateKind::RescaledSum:
        if (value.kind != Dependence::Term ||
            get(accumulate.getShift()).kind != Dependence::Maximum ||
            (value.shift && value.shift != skipLayout(accumulate.getShift())) ||
            !isRelativeTo(accumulate.getValue(), accumulate.getShift()))
          return false;
        break;
      }
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

void LoopResizer::merge() {
  OpBuilder builder(loop);
  Value variable = loop.getVariable();
  // Loads in loops further in lose this loop.
  loop.getBody().walk([&](block::LoadOp load) {
    std::optional<int64_t> entry = getLoopEntry(load);
    SmallVector<Value> loops;
    SmallVector<int64_t> fmap;
    for (auto [other, otherEntry] : llvm::zip(load.getLoops(), load.getFmap()))
      if (other != variable) {
        loops.push_back(other);
        fmap.push_back(otherEntry);
      }
    load.getLoopsMutable().assign(loops);
    load.setFmap(fmap);
    if (entry) {
      auto type = cast<RankedTensorType>(load.getResult().getType());
      Shape shape(type.getShape());
      shape[*entry] *= loop.getExtent();
      load.getResult().setType(
          RankedTensorType::get(shape, type.getElementType()));
    }
  });
  IRMapping mapping;
  for (Operation &op : llvm::make_early_inc_range(
           loop.getBody().front().without_terminator())) {
    if (auto accumulate = dyn_cast<block::AccumulateOp>(op)) {
      Value value = mapping.lookupOrDefault(accumulate.getValue());
      Type element = cast<RankedTensorType>(accumulate.getResult().getType())
                         .getElementType();
      if (cast<RankedTensorType>(value.getType()).getElementType() != element) {
        OpAttributes attrs;
        attrs.resultType = convertElementType(element);
        value = createComputeOp(builder, op.getLoc(), Level::Block,
                                OpKind::Cast, attrs, value, element)
                    ->getResult(0);
      }
      OpOperand &use = *accumulate.getResult().use_begin();
      loop.getResult(use.getOperandNumber()).replaceAllUsesWith(value);
      continue;
    }
    auto compute = dyn_cast<ComputeOpInterface>(op);
    if (!compute || op.getNumResults() != 1 ||
        get(op.getResult(0)).kind == Dependence::Same) {
      op.moveBefore(loop);
      for (OpOperand &operand : op.getOpOperands())
        operand.set(mapping.lookupOrDefault(operand.get()));
      continue;
    }
    // The shapes of what depends on the iteration grow.
    OpAttributes attrs = compute.getOpAttributes();
    Dependence result = get(op.getResult(0));
    if (compute.getOpKind() == OpKind::Reshape &&
        result.kind == Dependence::Part)
      attrs.resultShape[result.dim] *= loop.getExtent();
    SmallVector<Value> operands;
    for (Value operand : op.getOperands())
      operands.push_back(mapping.lookupOrDefault(operand));
    Operation *grown = createComputeOp(
        builder, op.getLoc(), Level::Block, compute.getOpKind(), attrs,
        operands,
        cast<RankedTensorType>(op.getResult(0).getType()).getElementType());
    mapping.map(op.getResult(0), grown->getResult(0));
  }
  loop.erase();
}

int64_t LoopResizer::getMostColumns() {
  int64_t most = 0;
  for (Operation &op : loop.getBody().front()) {
    if (!isa<block::MatmulOp, block::ConcatMatmulOp>(op))
      continue;
    auto shape = cast<RankedTensorType>(op.getResult(0).getType()).getShape();
    Dependence dependence = get(op.getResult(0));
    if (dependence.kind != Dependence::Part ||
        dependence.dim + 1 != static_cast<int64_t>(shape.size()))
      continue;
    constexpr int64_t rowsOfWarps = 8 * MatrixInstruction::rows;
    most = std::max<int64_t>(
        most, shape.back() * llvm::divideCeil(shape.rbegin()[1], rowsOfWarps));
  }
  return most;
}

int64_t LoopResizer::getLargestFactor(int64_t most, int64_t least) {
  int64_t factor = 1;
  auto divides = [&](int64_t by) {
    for (auto load : loop.getBody().getOps<block::LoadOp>())
      if (std::optional<int64_t> entry = getLoopEntry(load)) {
        int64_t size = cast<RankedTensorType>(load.getResult().getType())
                           .getDimSize(*entry);
        if (size % by || size / by < least)
          return false;
      }
    return true;
  };
  // What a loop puts together would have to become smaller too.
  while (!hasConcat && factor * 2 <= most && divides(factor * 2))
    factor *= 2;
  return factor;
}

int64_t LoopResizer::getLargestGrowth(int64_t most) {
  int64_t growth = 1;
  while (!hasConcat && growth * 2 <= most &&
         loop.getExtent() % (growth * 2) == 0)
    growth *= 2;
  return growth;
}

void LoopResizer::resize(int64_t factor, int64_t growth) {
  OpBuilder builder(loop);
  auto divided =
      block::ForOp::create(builder, loop.getLoc(), loop.getResultTypes(),
                           loop.getExtent() * factor / growth);
  Block &body = divided.getBody().emplaceBlock();
  IRMapping mapping;
  mapping.map(loop.getVariable(),
              body.addArgument(builder.getIndexType(), loop.getLoc()));
  builder.setInsertionPointToStart(&body);
  for (Operation &op : loop.getBody().front()) {
    auto compute = dyn_cast<ComputeOpInterface>(op);
    if (!compute || get(op.getResult(0)).kind == Dependence::Same) {
      Operation *clone = builder.clone(op, mapping);
      if (auto load = dyn_cast<block::LoadOp>(op))
        if (std::optional<int64_t> entry = getLoopEntry(load)) {
          auto type = cast<RankedTensorType>(clone->getResult(0).getType());
          Shape shape(type.getShape());
          shape[*entry] = shape[*entry] * growth / factor;
          clone->getResult(0).setType(
              RankedTensorType::get(shape, type.getElementType()));
        }
      continue;
    }
    OpAttributes attrs = compute.getOpAttributes();
    Dependence result = get(op.getResult(0));
    if (compute.getOpKind() == OpKind::Reshape &&
        result.kind == Dependence::Part)
      attrs.resultShape[result.dim] =
          attrs.resultShape[result.dim] * growth / factor;
    SmallVector<Value> operands;
    for (Value operand : op.getOperands())
      operands.push_back(mapping.lookupOrDefault(operand));
    Operation *smaller = createComputeOp(
        builder, op.getLoc(), Level::Block, compute.getOpKind(), attrs,
        operands,
        cast<RankedTensorType>(op.getResult(0).getType()).getElementType());
    mapping.map(op.getResult(0), smaller->getResult(0));
  }
  loop.replaceAllUsesWith(divided.getResults());
  loop.erase();
}

bool mirage::isRelativeTo(Value value, Value shift) {
  // Values that do not depend on the shift are the same for any.
  auto dependsOn = [&](auto &&self, Value v) -> bool {
    Operation *op = v.getDefiningOp();
    return v == shift || (op && op->getBlock() == shift.getParentBlock() &&
                          llvm::any_of(op->getOperands(), [&](Value operand) {
                            return self(self, operand);
                          }));
  };
  auto isProportional = [&](auto &&self, Value v) -> bool {
    auto op = v.getDefiningOp<ComputeOpInterface>();
    if (!op)
      return false;
    switch (op.getOpKind()) {
    case OpKind::Exp: {
      auto sub = op->getOperand(0).getDefiningOp<block::SubOp>();
      return sub && sub.getRhs() == shift &&
             !dependsOn(dependsOn, sub.getLhs());
    }
    case OpKind::Pad:
      return op.getOpAttributes().scalar == 0 && self(self, op->getOperand(0));
    case OpKind::Cast:
    case OpKind::Scale:
    case OpKind::Reshape:
    case OpKind::Transpose:
      return self(self, op->getOperand(0));
    case OpKind::Reduce:
      return op.getOpAttributes().reduceKind != ReduceKind::Max &&
             self(self, op->getOperand(0));
    case OpKind::Matmul:
    case OpKind::Mul:
      return (self(self, op->getOperand(0)) &&
              !dependsOn(dependsOn, op->getOperand(1))) ||
             (self(self, op->getOperand(1)) &&
              !dependsOn(dependsOn, op->getOperand(0)));
    default:
      return false;
    }
  };
  return isProportional(isProportional, value);
}

/// Reduces in each iteration what is summed over iterations and reduced after
/// the loop: sums may be taken in any order. Then no accumulator grows with the
/// tiles.
static void reduceBeforeAccumulating(block::ForOp loop) {
  Operation *yield = loop.getBody().front().getTerminator();
  for (auto [result, yielded] :
       llvm::zip(loop.getResults(), yield->getOperands())) {
    auto accumulate = yielded.getDefiningOp<block::AccumulateOp>();
    if (accumulate.getKind() != AccumulateKind::Sum &&
        accumulate.getKind() != AccumulateKind::RescaledSum)
      continue;
    if (!result.hasOneUse())
      continue;
    auto reduce = dyn_cast<block::ReduceOp>(*result.user_begin());
    if (!reduce || !reduce.getKeep() || reduce.getGroup() ||
        reduce.getKind() != ReduceKind::Sum)
      continue;
    if (Value shift = accumulate.getShift())
      if (cast<RankedTensorType>(shift.getType()).getDimSize(reduce.getDim()) !=
          1)
        continue;
    OpBuilder builder(accumulate);
    OpAttributes attrs;
    attrs.dim = reduce.getDim();
    attrs.keep = true;
    attrs.reduceKind = ReduceKind::Sum;
    auto type = cast<RankedTensorType>(reduce.getResult().getType());
    auto valueType = cast<RankedTensorType>(accumulate.getValue().getType());
    // Narrow sums would be rounded in each iteration.
    if (type.getElementType() != valueType.getElementType() ||
        valueType.getElementTypeBitWidth() < 32)
      continue;
    Value sum = createComputeOp(builder, reduce.getLoc(), Level::Block,
                                OpKind::Reduce, attrs, accumulate.getValue(),
                                valueType.getElementType())
                    ->getResult(0);
    accumulate.getValueMutable().assign(sum);
    accumulate.getResult().setType(type);
    Value loopResult = result;
    loopResult.setType(type);
    reduce.getResult().replaceAllUsesWith(loopResult);
    reduce.erase();
  }
}

bool mirage::mergeLoops(kernel::LaunchOp launch, int64_t mostBytes) {
  bool changed = false, again = true;
  while (again) {
    again = false;
    SmallVector<block::ForOp> loops;
    launch.getBody().walk([&](block::ForOp loop) { loops.push_back(loop); });
    for (block::ForOp loop : loops) {
      LoopResizer merger(loop);
      // Tiles of a loop in a loop become smaller again with the outer one.
      bool isInner = isa<block::ForOp>(loop->getParentOp());
      if (!merger.isLegal() || (loop.getExtent() > 1 && !isInner &&
                                merger.getLoadedBytes() > mostBytes))
        continue;
      merger.merge();
      changed = again = true;
      break;
    }
  }
  return changed;
}

void mirage::resizeLoops(kernel::LaunchOp launch, int64_t mostColumns,
                         bool mayGrow) {
  SmallVector<block::ForOp> loops;
  launch.getBody().walk([&](block::ForOp loop) { loops.push_back(loop); });
  for (block::ForOp loop : loops) {
    reduceBeforeAccumulating(loop);
    LoopResizer resizer(loop);
    if (!resizer.isLegal())
      continue;
    int64_t columns = resizer.getMostColumns();
    if (columns == 0)
      continue;
    if (mayGrow && columns < mostColumns) {
      int64_t growth = resizer.getLargestGrowth(mostColumns / columns);
      if (growth > 1)
        resizer.resize(1, growth);
      continue;
    }
    int64_t most = llvm::bit_ceil(
        static_cast<uint64_t>(llvm::divideCeil(columns, mostColumns)));
    // Fewer elements than a pair of instructions contracts would be no gain.
    constexpr int64_t least = 32;
    int64_t factor = resizer.getLargestFactor(most, least);
    if (factor > 1)
      resizer.resize(factor, 1);
  }
}
