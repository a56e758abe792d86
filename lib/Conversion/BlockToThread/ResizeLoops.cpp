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
#include "LoopDependences.h"
#include "Mirage/Semantics/MatrixInstruction.h"
#include "mlir/IR/IRMapping.h"
#include <numeric>

using namespace mlir;
using namespace mirage;

namespace {
class LoopResizer {
public:
  explicit LoopResizer(block::ForOp loop) : loop(loop), dependences(loop) {}

  /// Returns true if what iterations work on can be put together and taken
  /// apart.
  bool isLegal() { return dependences.analyze(); }
  /// Returns the bytes of the tiles that are loaded where all iterations are
  /// one.
  int64_t getLoadedBytes() const { return dependences.getLoadedBytes(); }
  /// Returns the columns of the widest product of which an iteration has a
  /// part, for each eight warps that its rows can be shared by.
  int64_t getMostColumns();
  /// Returns the elements of the largest product of whose columns an iteration
  /// has a part, where all iterations are one.
  int64_t getMergedElements();
  /// Returns the largest factor up to `most`, a power of two, by which the
  /// tiles of an iteration can be divided so that they keep `least` elements
  /// along the divided dimension.
  int64_t getLargestFactor(int64_t most, int64_t least);
  /// Does the same for tiles that become larger, where the iterations can be
  /// joined, and where as many blocks as before can share them, of so many.
  int64_t getLargestGrowth(int64_t most, int64_t sharers);
  /// Replaces the loop by what one iteration computes.
  void merge();
  /// Divides each iteration into `factor` iterations, or makes `growth` of them
  /// one.
  void resize(int64_t factor, int64_t growth);

private:
  /// Calls `visit` with the shapes of products of whose columns an iteration
  /// has a part.
  void visitColumns(llvm::function_ref<void(ArrayRef<int64_t> shape)> visit);

  block::ForOp loop;
  LoopDependences dependences;
};
} // namespace

void LoopResizer::merge() {
  OpBuilder builder(loop);
  Value variable = loop.getVariable();
  // Loads in loops further in lose this loop.
  loop.getBody().walk([&](block::LoadOp load) {
    std::optional<int64_t> entry = dependences.getLoopEntry(load);
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
        dependences.get(op.getResult(0)).kind == Dependence::Same) {
      op.moveBefore(loop);
      for (OpOperand &operand : op.getOpOperands())
        operand.set(mapping.lookupOrDefault(operand.get()));
      continue;
    }
    // The shapes of what depends on the iteration grow.
    OpAttributes attrs = compute.getOpAttributes();
    Dependence result = dependences.get(op.getResult(0));
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

void LoopResizer::visitColumns(
    llvm::function_ref<void(ArrayRef<int64_t> shape)> visit) {
  for (Operation &op : loop.getBody().front()) {
    if (!isa<block::MatmulOp, block::ConcatMatmulOp>(op))
      continue;
    auto shape = cast<RankedTensorType>(op.getResult(0).getType()).getShape();
    Dependence dependence = dependences.get(op.getResult(0));
    if (dependence.kind == Dependence::Part &&
        dependence.dim + 1 == static_cast<int64_t>(shape.size()))
      visit(shape);
  }
}

int64_t LoopResizer::getMostColumns() {
  int64_t most = 0;
  visitColumns([&](ArrayRef<int64_t> shape) {
    constexpr int64_t rowsOfWarps = 8 * MatrixInstruction::rows;
    most = std::max<int64_t>(
        most, shape.back() * llvm::divideCeil(shape.rbegin()[1], rowsOfWarps));
  });
  return most;
}

int64_t LoopResizer::getMergedElements() {
  int64_t most = 0;
  visitColumns([&](ArrayRef<int64_t> shape) {
    most = std::max<int64_t>(most, shape.back() * shape.rbegin()[1] *
                                       loop.getExtent());
  });
  return most;
}

int64_t LoopResizer::getLargestFactor(int64_t most, int64_t least) {
  int64_t factor = 1;
  auto divides = [&](int64_t by) {
    for (auto load : loop.getBody().getOps<block::LoadOp>())
      if (std::optional<int64_t> entry = dependences.getLoopEntry(load)) {
        int64_t size = cast<RankedTensorType>(load.getResult().getType())
                           .getDimSize(*entry);
        if (size % by || size / by < least)
          return false;
      }
    return true;
  };
  // What a loop puts together would have to become smaller too.
  while (!dependences.joinsTiles() && factor * 2 <= most && divides(factor * 2))
    factor *= 2;
  return factor;
}

int64_t LoopResizer::getLargestGrowth(int64_t most, int64_t sharers) {
  int64_t growth = 1;
  auto extent = static_cast<int64_t>(loop.getExtent());
  while (!dependences.joinsTiles() && growth * 2 <= most &&
         extent % (growth * 2) == 0 &&
         std::gcd(extent / (growth * 2), sharers) == std::gcd(extent, sharers))
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
    if (!compute || dependences.get(op.getResult(0)).kind == Dependence::Same) {
      Operation *clone = builder.clone(op, mapping);
      if (auto load = dyn_cast<block::LoadOp>(op))
        if (std::optional<int64_t> entry = dependences.getLoopEntry(load)) {
          auto type = cast<RankedTensorType>(clone->getResult(0).getType());
          Shape shape(type.getShape());
          shape[*entry] = shape[*entry] * growth / factor;
          clone->getResult(0).setType(
              RankedTensorType::get(shape, type.getElementType()));
        }
      continue;
    }
    OpAttributes attrs = compute.getOpAttributes();
    Dependence result = dependences.get(op.getResult(0));
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
      if (!merger.isLegal())
        continue;
      // Four warps have registers for so many scores; more of them share rows,
      // and wait for one another.
      constexpr int64_t mostScores =
          4 * 16 * MatrixInstruction::rows * MatrixInstruction::columns;
      if (loop.getExtent() > 1 && !isInner &&
          (merger.getLoadedBytes() > mostBytes ||
           merger.getMergedElements() > mostScores))
        continue;
      merger.merge();
      changed = again = true;
      break;
    }
  }
  return changed;
}

void mirage::resizeLoops(kernel::LaunchOp launch, int64_t mostColumns,
                         bool mayGrow, int64_t sharers) {
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
      int64_t growth = resizer.getLargestGrowth(mostColumns / columns, sharers);
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
