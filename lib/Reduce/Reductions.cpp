//===- Reductions.cpp - Small changes that keep programs legal ------------===//
//
// Implements the reductions. What is legal depends on the level: an accumulator
// is the only value that leaves a loop, a store the only one that leaves a
// launch, and a load the only operation that sees what a launch is given. So
// these three are never exchanged for values of another kind.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Reduce/Reductions.h"
#include "Mirage/Dialect/Block/IR/BlockDialect.h"
#include "Mirage/Dialect/Kernel/IR/KernelDialect.h"
#include "Mirage/Dialect/Thread/IR/ThreadDialect.h"
#include "Mirage/Interfaces/ComputeOpSupport.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace mirage;

/// Returns whether the operation obeys its constraints, without a word.
static bool isLegal(Operation *op) {
  ScopedDiagnosticHandler handler(op->getContext(),
                                  [](Diagnostic &) { return success(); });
  return succeeded(verify(op));
}

/// Returns whether a symbol may be used by something: a function may be called.
static bool isUsedSymbol(Operation *op) {
  return isa<SymbolOpInterface>(op) &&
         !SymbolTable::symbolKnownUseEmpty(op, op->getParentOp());
}

/// Returns whether something behind a loader needs it to stand there: what
/// waits for what it loads, or for the others of the warps that do not load.
static bool isAwaited(Operation *op) {
  auto function = op->getParentOfType<gpu::GPUFuncOp>();
  if (!isa<thread::LoaderOp>(op) || !function)
    return false;
  WalkResult walked = function.walk([&](Operation *inside) {
    return isa<thread::RingAwaitOp, thread::RingReleaseOp, thread::BarrierOp,
               thread::SequenceAwaitOp, thread::SequencePassOp,
               thread::ThreadRegistersOp>(inside) &&
                   !op->isAncestor(inside)
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  return walked.wasInterrupted();
}

static bool eraseUnused(Operation *op, RewriterBase &rewriter) {
  if (!op->use_empty() || op->hasTrait<OpTrait::IsTerminator>() ||
      isUsedSymbol(op) || isAwaited(op))
    return false;
  rewriter.eraseOp(op);
  return true;
}

static bool forwardOperand(Operation *op, RewriterBase &rewriter) {
  if (!isa<ComputeOpInterface>(op) || op->getNumResults() != 1)
    return false;
  for (Value operand : op->getOperands())
    if (operand.getType() == op->getResult(0).getType()) {
      rewriter.replaceOp(op, operand);
      return true;
    }
  return false;
}

/// Returns a constant of ones at the level, or null for a type that has none.
static Value createOnes(OpBuilder &builder, Location loc, Level level,
                        Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !convertElementType(tensor.getElementType()))
    return {};
  auto value = DenseElementsAttr::get(
      tensor,
      cast<Attribute>(builder.getFloatAttr(tensor.getElementType(), 1.0)));
  switch (level) {
  case Level::Kernel:
    return kernel::ConstantOp::create(builder, loc, value);
  case Level::Block:
    return block::ConstantOp::create(builder, loc, value);
  case Level::Thread:
    return thread::ConstantOp::create(builder, loc, value);
  }
  llvm_unreachable("unknown level");
}

static bool becomeConstants(Operation *op, RewriterBase &rewriter) {
  std::optional<Level> level = getLevel(op);
  bool isComputing = isa<ComputeOpInterface>(op) ||
                     isa<kernel::LaunchOp, block::LoadOp, block::ForOp,
                         block::ThreadGraphOp, thread::LoadOp>(op);
  if (!level || !isComputing || op->hasTrait<OpTrait::ConstantLike>() ||
      op->use_empty())
    return false;
  rewriter.setInsertionPoint(op);
  SmallVector<Value> ones;
  for (Type type : op->getResultTypes()) {
    Value one = createOnes(rewriter, op->getLoc(), *level, type);
    if (!one) {
      for (Value created : ones)
        rewriter.eraseOp(created.getDefiningOp());
      return false;
    }
    ones.push_back(one);
  }
  rewriter.replaceOp(op, ones);
  return true;
}

static bool shareOperand(Operation *op, RewriterBase &rewriter) {
  if (!isa<ComputeOpInterface>(op) || op->getNumOperands() < 2)
    return false;
  Value first = op->getOperand(0);
  bool isChanged = false;
  for (OpOperand &operand : op->getOpOperands()) {
    Value old = operand.get();
    if (old == first)
      continue;
    rewriter.modifyOpInPlace(op, [&] { operand.set(first); });
    // Operands may be broadcast, and then have other types.
    if (isLegal(op))
      isChanged = true;
    else
      rewriter.modifyOpInPlace(op, [&] { operand.set(old); });
  }
  return isChanged;
}

/// Returns which results of the operation nothing uses.
static llvm::BitVector findUnusedResults(Operation *op) {
  llvm::BitVector unused(op->getNumResults());
  for (OpResult result : op->getResults())
    unused[result.getResultNumber()] = result.use_empty();
  return unused;
}

static bool dropResults(Operation *op, RewriterBase &rewriter) {
  if (!isa<kernel::LaunchOp, block::ForOp, block::ThreadGraphOp>(op))
    return false;
  llvm::BitVector unused = findUnusedResults(op);
  if (unused.none())
    return false;
  SmallVector<Type> types;
  SmallVector<Value> kept;
  for (OpResult result : op->getResults())
    if (!unused[result.getResultNumber()]) {
      types.push_back(result.getType());
      kept.push_back(result);
    }
  OperationState state(op->getLoc(), op->getName(), op->getOperands(), types,
                       op->getAttrs());
  state.addRegion();
  rewriter.setInsertionPoint(op);
  Operation *smaller = rewriter.create(state);
  rewriter.inlineRegionBefore(op->getRegion(0), smaller->getRegion(0),
                              smaller->getRegion(0).begin());
  Operation *yield = smaller->getRegion(0).front().getTerminator();
  // An accumulator or a store that is not yielded is not legal.
  SmallVector<Operation *> yielded;
  for (unsigned number : unused.set_bits())
    yielded.push_back(yield->getOperand(number).getDefiningOp());
  rewriter.modifyOpInPlace(yield, [&] { yield->eraseOperands(unused); });
  for (Operation *dangling : yielded)
    if (dangling && dangling->use_empty())
      rewriter.eraseOp(dangling);
  rewriter.replaceAllUsesWith(kept, smaller->getResults());
  rewriter.eraseOp(op);
  return true;
}

/// Returns which arguments of a block nothing uses.
static llvm::BitVector findUnusedArguments(Block &block) {
  llvm::BitVector unused(block.getNumArguments());
  for (BlockArgument argument : block.getArguments())
    unused[argument.getArgNumber()] = argument.use_empty();
  return unused;
}

static bool dropOperands(Operation *op, RewriterBase &rewriter) {
  if (!isa<kernel::LaunchOp, block::ThreadGraphOp>(op))
    return false;
  Block &body = op->getRegion(0).front();
  llvm::BitVector unused = findUnusedArguments(body);
  if (unused.none())
    return false;
  rewriter.modifyOpInPlace(op, [&] {
    body.eraseArguments(unused);
    op->eraseOperands(unused);
  });
  return true;
}

/// Returns the function if its type can change: it has a body of one block, and
/// nothing calls it.
static func::FuncOp getFreeFunction(Operation *op) {
  auto function = dyn_cast<func::FuncOp>(op);
  return function && !function.isExternal() &&
                 function.getBody().hasOneBlock() && !isUsedSymbol(op)
             ? function
             : func::FuncOp();
}

static bool dropArguments(Operation *op, RewriterBase &rewriter) {
  func::FuncOp function = getFreeFunction(op);
  if (!function)
    return false;
  llvm::BitVector unused = findUnusedArguments(function.getBody().front());
  if (unused.none())
    return false;
  bool isErased = false;
  rewriter.modifyOpInPlace(
      op, [&] { isErased = succeeded(function.eraseArguments(unused)); });
  return isErased;
}

/// Drops results of a function that nothing calls.
static bool dropFunctionResults(Operation *op, unsigned numKept,
                                RewriterBase &rewriter) {
  func::FuncOp function = getFreeFunction(op);
  if (!function || function.getNumResults() <= numKept)
    return false;
  llvm::BitVector dropped(function.getNumResults(), true);
  dropped.reset(function.getNumResults() - numKept, function.getNumResults());
  Operation *end = function.getBody().front().getTerminator();
  bool isErased = false;
  rewriter.modifyOpInPlace(
      op, [&] { isErased = succeeded(function.eraseResults(dropped)); });
  if (isErased)
    rewriter.modifyOpInPlace(end, [&] { end->eraseOperands(dropped); });
  return isErased;
}

static bool returnNothing(Operation *op, RewriterBase &rewriter) {
  return dropFunctionResults(op, 0, rewriter);
}

static bool returnLast(Operation *op, RewriterBase &rewriter) {
  return dropFunctionResults(op, 1, rewriter);
}

static bool dropSchedule(Operation *op, RewriterBase &rewriter) {
  StringRef name = MirageDialect::getScheduleAttrName();
  if (!op->hasAttr(name))
    return false;
  rewriter.modifyOpInPlace(op, [&] { op->removeAttr(name); });
  return true;
}

bool Reduction::apply(Operation *op, RewriterBase &rewriter) const {
  // The schedule of a launch speaks of its loops and products. Where it does
  // not fit what is left, it goes.
  Operation *launch = op->getParentOfType<kernel::LaunchOp>();
  if (!change(op, rewriter))
    return false;
  if (launch && launch->hasAttr(MirageDialect::getScheduleAttrName()) &&
      !isLegal(launch))
    dropSchedule(launch, rewriter);
  return true;
}

ArrayRef<Reduction> mirage::getReductions() {
  static constexpr Reduction reductions[] = {
      {"erase-unused", eraseUnused},
      {"return-nothing", returnNothing},
      {"return-last", returnLast},
      {"forward-operand", forwardOperand},
      {"become-constants", becomeConstants},
      {"share-operand", shareOperand},
      {"drop-results", dropResults},
      {"drop-operands", dropOperands},
      {"drop-arguments", dropArguments},
      {"drop-schedule", dropSchedule},
  };
  return reductions;
}
