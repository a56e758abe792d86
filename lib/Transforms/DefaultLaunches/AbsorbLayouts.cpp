//===- AbsorbLayouts.cpp - Layouts that launches store --------------------===//
//
// Follows the dimensions that the grid divides from a launch's result through
// the operators that arrange it, and applies these to the tiles of the blocks.
//
//===----------------------------------------------------------------------===//

#include "AbsorbLayouts.h"
#include "Mirage/Analysis/Cost/IR/CostAnalysis.h"
#include "Mirage/Analysis/LayoutChains.h"
#include "Mirage/Analysis/SharedMemory.h"
#include "Mirage/Dialect/Block/IR/BlockDialect.h"
#include "Mirage/Dialect/Kernel/IR/KernelDialect.h"
#include "Mirage/Dialect/Mirage/IR/MirageDialect.h"
#include "Mirage/Interfaces/ComputeOpSupport.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mirage;

/// So many operators are applied to a tile, at most.
static constexpr size_t mostOperators = 16;

static ArrayRef<int64_t> getShapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

/// The dimension of a tensor that each dimension of the grid divides, or
/// kReplica.
using GridMap = SmallVector<int64_t>;

namespace {
/// Operators that arrange results of a launch.
struct Arrangement {
  /// The numbers of the results, in order.
  SmallVector<unsigned> results;
  /// The operators in their order. What the last one gives is the only tensor
  /// of these that anything else reads.
  SmallVector<Operation *> operators;
  /// The dimensions that the grid divides, of the result and of what the
  /// operators give.
  DenseMap<Value, GridMap> maps;

  Value getLast() const { return operators.back()->getResult(0); }
};
} // namespace

/// Returns the product of the sizes before a dimension.
static int64_t countBefore(ArrayRef<int64_t> shape, size_t dim) {
  int64_t count = 1;
  for (int64_t size : shape.take_front(dim))
    count *= size;
  return count;
}

/// Returns the dimension of a reshape's result that has the places of a
/// dimension of its operand, and nothing else.
static std::optional<int64_t> findReshaped(ArrayRef<int64_t> from,
                                           ArrayRef<int64_t> to, int64_t dim) {
  for (size_t other = 0; other < to.size(); ++other)
    if (to[other] == from[dim] &&
        countBefore(to, other) == countBefore(from, dim))
      return static_cast<int64_t>(other);
  return std::nullopt;
}

/// Returns what the grid divides of an operator's result, or nothing if the
/// operator does more than arrange elements, or moves what the grid divides.
static std::optional<GridMap> follow(Operation *op, const GridMap &operands) {
  auto compute = dyn_cast<ComputeOpInterface>(op);
  if (!compute || op->getNumResults() != 1)
    return std::nullopt;
  OpAttributes attributes = compute.getOpAttributes();
  ArrayRef<int64_t> from = getShapeOf(op->getOperand(0));
  GridMap map(operands);
  for (int64_t &dim : map) {
    if (dim == kReplica)
      continue;
    switch (compute.getOpKind()) {
    case OpKind::Slice:
      if (attributes.sizes[dim] != from[dim])
        return std::nullopt;
      break;
    case OpKind::Concat:
      if (attributes.dim == dim)
        return std::nullopt;
      break;
    case OpKind::Reshape: {
      auto reshaped = findReshaped(from, getShapeOf(op->getResult(0)), dim);
      if (!reshaped)
        return std::nullopt;
      dim = *reshaped;
      break;
    }
    default:
      return std::nullopt;
    }
  }
  return map;
}

/// Returns all operators that arrange the values that `maps` has, and nothing
/// else, in the order of the block.
static SmallVector<Operation *> findArranging(DenseMap<Value, GridMap> &maps) {
  SmallVector<Operation *> found;
  SmallVector<Value> worklist = llvm::to_vector(llvm::make_first_range(maps));
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    const GridMap own = maps[value];
    for (Operation *user : value.getUsers()) {
      if (user->getNumResults() != 1 || maps.contains(user->getResult(0)) ||
          !llvm::all_of(user->getOperands(), [&](Value operand) {
            auto other = maps.find(operand);
            return other != maps.end() && other->second == own;
          }))
        continue;
      std::optional<GridMap> map = follow(user, own);
      if (!map)
        continue;
      if (found.size() == mostOperators)
        return {};
      maps[user->getResult(0)] = *map;
      found.push_back(user);
      worklist.push_back(user->getResult(0));
    }
  }
  llvm::sort(found,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return found;
}

/// Returns what arranges a launch's results, or nothing if that does not end in
/// one concatenation, or if others read what is before it.
static std::optional<Arrangement> findArrangement(kernel::LaunchOp launch) {
  Operation *yield = launch.getBody().front().getTerminator();
  Arrangement arrangement;
  for (auto [result, stored] :
       llvm::zip_equal(launch->getResults(), yield->getOperands())) {
    auto store = stored.getDefiningOp<block::StoreOp>();
    ArrayRef<int64_t> omap = store.getOmap();
    // Blocks whose values are combined have none of them, and a tile of an
    // iteration is no whole one.
    if (llvm::all_of(omap, [](int64_t dim) { return dim >= kReplica; }) &&
        !getStoredByIterations(store.getValue()))
      arrangement.maps[result] = GridMap(omap);
  }
  SmallVector<Operation *> found = findArranging(arrangement.maps);
  for (Operation *last : llvm::reverse(found)) {
    if (!isa<kernel::ConcatOp>(last))
      continue;
    // What the concatenation is made of.
    llvm::SetVector<Operation *> needed;
    needed.insert(last);
    llvm::SetVector<Value> read;
    for (size_t next = 0; next < needed.size(); ++next)
      for (Value operand : needed[next]->getOperands()) {
        read.insert(operand);
        if (operand.getDefiningOp() != launch)
          needed.insert(operand.getDefiningOp());
      }
    if (llvm::any_of(read, [&](Value value) {
          return llvm::any_of(value.getUsers(), [&](Operation *user) {
            return !needed.contains(user);
          });
        }))
      continue;
    llvm::copy_if(found, std::back_inserter(arrangement.operators),
                  [&](Operation *op) { return needed.contains(op); });
    for (OpResult result : launch->getResults())
      if (read.contains(result))
        arrangement.results.push_back(result.getResultNumber());
    return arrangement;
  }
  return std::nullopt;
}

/// Returns a block's part of a tensor.
static Shape getTileShape(Value value, ArrayRef<int64_t> map,
                          ArrayRef<int64_t> grid) {
  Shape shape(getShapeOf(value));
  for (auto [dim, extent] : llvm::zip_equal(map, grid))
    if (dim != kReplica)
      shape[dim] /= extent;
  return shape;
}

/// Puts a launch in the place of `launch`, a copy of the one whose results the
/// operators arrange, or that one. It stores the tile that they make of the
/// blocks' tiles, as the first of these results, and the launch's other results
/// in their order. What has used `launch` uses that instead, but for the
/// operators.
static kernel::LaunchOp arrangeTiles(kernel::LaunchOp launch,
                                     kernel::LaunchOp original,
                                     const Arrangement &arrangement) {
  Operation *yield = launch.getBody().front().getTerminator();
  OpBuilder builder(yield);
  IRMapping tiles;
  llvm::SmallSetVector<Operation *, 2> stores;
  for (unsigned number : arrangement.results) {
    auto store = yield->getOperand(number).getDefiningOp<block::StoreOp>();
    tiles.map(original->getResult(number), store.getValue());
    stores.insert(store);
  }
  for (Operation *op : arrangement.operators) {
    auto compute = cast<ComputeOpInterface>(op);
    Value result = op->getResult(0);
    const GridMap &map = arrangement.maps.at(result);
    Shape shape = getTileShape(result, map, launch.getGrid());
    OpAttributes attributes = compute.getOpAttributes();
    if (isa<kernel::SliceOp>(op))
      attributes.sizes = shape;
    if (isa<kernel::ReshapeOp>(op))
      attributes.resultShape = shape;
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(tiles.lookup(operand));
    tiles.map(result, createComputeOp(builder, op->getLoc(), Level::Block,
                                      compute.getOpKind(), attributes, operands,
                                      getElementTypeOrSelf(result))
                          ->getResult(0));
  }
  Value last = arrangement.getLast();
  auto arranged =
      block::StoreOp::create(builder, last.getLoc(), last.getType(),
                             tiles.lookup(last), arrangement.maps.at(last));
  SmallVector<Value> stored, replaced;
  for (auto [number, value] : llvm::enumerate(yield->getOperands())) {
    if (!llvm::is_contained(arrangement.results, number)) {
      stored.push_back(value);
      replaced.push_back(launch->getResult(number));
    } else if (number == arrangement.results.front()) {
      stored.push_back(arranged);
      replaced.push_back({});
    }
  }
  yield->setOperands(stored);
  for (Operation *store : stores)
    if (store->use_empty())
      store->erase();
  builder.setInsertionPoint(launch);
  auto made = kernel::LaunchOp::create(
      builder, launch.getLoc(), ValueRange(stored).getTypes(),
      launch->getOperands(), launch.getGridAttr());
  made->setDiscardableAttrs(launch->getDiscardableAttrDictionary());
  made.getBody().takeBody(launch.getBody());
  for (auto [value, result] : llvm::zip_equal(replaced, made->getResults()))
    if (value)
      value.replaceAllUsesWith(result);
  return made;
}

/// Returns whether the launch with the operators fits and is faster than both
/// by the cost model. Both are tried in functions that are thrown away.
static bool isWorthwhile(kernel::LaunchOp launch,
                         const Arrangement &arrangement,
                         const TargetDescription &target) {
  Location loc = launch.getLoc();
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  OpBuilder builder(module->getBodyRegion());
  auto begin = [&](StringRef name) {
    builder.setInsertionPointToEnd(module->getBody());
    auto function = func::FuncOp::create(
        builder, loc, name,
        builder.getFunctionType(launch->getOperandTypes(), TypeRange()));
    builder.setInsertionPointToEnd(function.addEntryBlock());
    return function;
  };
  auto end = [&](func::FuncOp function, ValueRange results) {
    builder.setInsertionPointToEnd(&function.getBody().front());
    func::ReturnOp::create(builder, loc, results);
    function.setType(
        builder.getFunctionType(launch->getOperandTypes(), results.getTypes()));
  };
  func::FuncOp one = begin("one");
  IRMapping mapping;
  mapping.map(launch->getOperands(), one.getArguments());
  auto copy = cast<kernel::LaunchOp>(builder.clone(*launch, mapping));
  kernel::LaunchOp absorbed = arrangeTiles(copy, launch, arrangement);
  copy.erase();
  if (planSharedMemory(absorbed).bytes > target.sharedMemoryPerBlock)
    return false;
  end(one, absorbed->getResults());
  func::FuncOp two = begin("two");
  mapping.clear();
  mapping.map(launch->getOperands(), two.getArguments());
  builder.clone(*launch, mapping);
  for (Operation *op : arrangement.operators)
    builder.clone(*op, mapping);
  SmallVector<Value> results = {mapping.lookup(arrangement.getLast())};
  for (OpResult result : launch->getResults())
    if (!llvm::is_contained(arrangement.results, result.getResultNumber()))
      results.push_back(mapping.lookup(result));
  end(two, results);
  CostAnalysis together(one), apart(two);
  return together.isValid() && apart.isValid() &&
         together.estimate(target).microseconds <
             apart.estimateFused(target).microseconds;
}

namespace {
/// Says which operators of a function have kernels.
struct KernelPlan {
  DeviceBuffers buffers;
  LayoutChains chains;

  bool hasKernel(Operation *op) const {
    return !buffers.isInPlace(op) && !chains.isAbsorbed(op);
  }
};
} // namespace

/// Returns the plan of a block's function, or nothing where there is none,
/// because the block is not all of it or holds values that are no tensors.
static std::optional<KernelPlan> planKernels(Block &block) {
  auto function = dyn_cast<func::FuncOp>(block.getParentOp());
  auto areTensors = [](auto types) {
    return llvm::all_of(types, llvm::IsaPred<RankedTensorType>);
  };
  if (!function || !function.getBody().hasOneBlock() ||
      !areTensors(block.getArgumentTypes()) ||
      !llvm::all_of(block, [&](Operation &op) {
        return areTensors(op.getResultTypes()) &&
               (op.hasTrait<OpTrait::IsTerminator>() ||
                isa_and_nonnull<kernel::KernelDialect>(op.getDialect()));
      }))
    return std::nullopt;
  DeviceBuffers buffers(function, ScheduledLaunches::All);
  LayoutChains chains(function, buffers);
  return KernelPlan{std::move(buffers), std::move(chains)};
}

void mirage::absorbLayouts(Block &block, const TargetDescription &target) {
  std::optional<KernelPlan> plan;
  SmallVector<kernel::LaunchOp> launches(block.getOps<kernel::LaunchOp>());
  for (kernel::LaunchOp launch : launches) {
    // A schedule is for the launch as it is.
    if (launch->hasAttr(MirageDialect::getScheduleAttrName()))
      continue;
    std::optional<Arrangement> arrangement = findArrangement(launch);
    if (!arrangement)
      continue;
    if (!plan && !(plan = planKernels(block)))
      return;
    // What launches read or write where it lies, such as the windows of a
    // convolution, has no kernel, and what other operators find elements
    // through.
    Value last = arrangement->getLast();
    if (!plan->hasKernel(last.getDefiningOp()) ||
        !isWorthwhile(launch, *arrangement, target))
      continue;
    kernel::LaunchOp arranged = arrangeTiles(launch, launch, *arrangement);
    last.replaceAllUsesWith(arranged->getResult(arrangement->results.front()));
    for (Operation *op : llvm::reverse(arrangement->operators))
      op->erase();
    launch.erase();
  }
}
