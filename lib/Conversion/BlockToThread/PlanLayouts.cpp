//===- PlanLayouts.cpp - Layouts of a launch's registers ------------------===//
//
// States the layouts of the operators of a scheduled launch as an integer
// program. Its operators are the elementwise ones and the reductions that no
// product binds to the layout of an instruction; its values are tiles in memory
// and what such operators compute.
//
//===----------------------------------------------------------------------===//

#include "PlanLayouts.h"
#include "IndexMasks.h"
#include "Mirage/Schedule/LayoutCosts.h"
#include "Mirage/Schedule/LayoutProgram.h"
#include "ScheduledLaunch.h"
#include "TrialKernel.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/EquivalenceClasses.h"

using namespace mlir;
using namespace mirage;

namespace {

/// Says in which memory or in which registers a value is.
struct Place {
  /// The tile, whose sizes begin with those of the groups of warps, and how it
  /// lies in memory, if it is there.
  StoredTile tile;
  bool isStored = false;
  /// This operator computes the value, if one of the program does. For each of
  /// its layouts the value lies in the registers that `layouts` says.
  std::optional<unsigned> producer;
  SmallVector<RegisterLayout, 4> layouts;
  /// How often it is there anew: the trips of its loop.
  int64_t trips = 1;

  bool isKnown() const { return isStored || producer; }
  /// Lets the tile lie in memory row by row.
  void store(bool isDevice) {
    isStored = true;
    tile.isDevice = isDevice;
    tile.memory = getRows(tile.shape, tile.elementBytes, !isDevice);
  }
};

/// An operator, the layouts that it may have, and what they cost.
struct Node {
  Operation *op;
  Shape shape;
  /// The first one is that which the lowering takes by itself.
  SmallVector<RegisterLayout, 4> layouts;
  SmallVector<double, 4> costs;
  int64_t trips = 1;
};

/// Builds the program of a launch.
class LayoutPlanner {
public:
  LayoutPlanner(kernel::LaunchOp launch, const LaunchSchedule &schedule)
      : launch(launch), schedule(schedule), costs(schedule.getNumWarps()) {}

  LayoutPlan run();

private:
  void findPrepared();
  void findWidths();
  void visit(Block &block, int64_t trips);
  void visitOperator(ComputeOpInterface op, int64_t trips);
  void visitLayout(ComputeOpInterface op);
  void addNode(ComputeOpInterface op, const Shape &shape, int64_t trips);
  bool isBound(Operation *op) const;
  void join(Operation *a, Operation *b) { components.unionSets(a, b); }
  void state(LayoutProgram &program, std::vector<LayoutProgram::Choice> &first);
  void addValue(LayoutProgram &program, mlir::Value value, const Place &place);

  kernel::LaunchOp launch;
  const LaunchSchedule &schedule;
  const LayoutCosts costs;
  std::optional<IndexMasks> masks;
  /// True where threads load tiles into their registers from device memory.
  bool loadsDirectly = false;
  /// The neighbours along a row that a thread may have.
  SmallVector<int64_t, 4> widths;
  llvm::DenseMap<mlir::Value, Place> places;
  std::vector<Node> nodes;
  llvm::DenseMap<Operation *, unsigned> numbers;
  llvm::DenseSet<Operation *> prepared;
  /// Operators that pass a tile of one shape on to each other, of which one may
  /// be bound.
  llvm::EquivalenceClasses<Operation *> components;
  llvm::DenseSet<Operation *> bound;
  /// Reductions, and the operators that take their results as a whole.
  SmallVector<std::pair<Operation *, Operation *>> reductions;
  /// The operators of the program, by their numbers among all.
  llvm::DenseMap<unsigned, LayoutProgram::Operator> stated;
};

} // namespace

/// Finds what warps that load prepare, which have layouts of their own.
void LayoutPlanner::findPrepared() {
  if (!schedule.loaderPrepares)
    return;
  for (auto loop : launch.getBody().getOps<block::ForOp>())
    for (const Preparation &preparation : findPreparations(loop, schedule))
      prepared.insert(preparation.operations.begin(),
                      preparation.operations.end());
}

/// A thread has 16 bytes of neighbours of one of the types in memory, or less.
void LayoutPlanner::findWidths() {
  int64_t widest = 1;
  launch.getBody().walk([&](Operation *op) {
    mlir::Value tile;
    if (auto load = dyn_cast<block::LoadOp>(op))
      tile = load.getResult();
    else if (auto store = dyn_cast<block::StoreOp>(op))
      tile = store.getValue();
    if (tile)
      widest = std::max<int64_t>(
          widest,
          128 /
              std::max(8u, getElementTypeOrSelf(tile).getIntOrFloatBitWidth()));
  });
  for (int64_t width = 2; width <= widest; width *= 2)
    widths.push_back(width);
}

/// Returns true if a product takes what an operator computes, or a pad that a
/// product takes: it has the layout of the instruction then, or passes shared
/// memory.
bool LayoutPlanner::isBound(Operation *op) const {
  return prepared.contains(op) ||
         llvm::any_of(op->getUsers(), [](Operation *user) {
           auto compute = dyn_cast<ComputeOpInterface>(user);
           return compute &&
                  (isMatmul(user) || compute.getOpKind() == OpKind::Pad);
         });
}

/// Adds an operator whose tile has this shape: that of the operand of a
/// reduction, and of the result of others.
void LayoutPlanner::addNode(ComputeOpInterface op, const Shape &shape,
                            int64_t trips) {
  mlir::Value result = op->getResult(0);
  bool isReduction = getOpInfo(op.getOpKind()).opClass == OpClass::Reduction;
  Node node{op, shape, {}, {}, trips};
  int64_t bits = getElementTypeOrSelf(isReduction ? op->getOperand(0) : result)
                     .getIntOrFloatBitWidth();
  // The lowering takes the layout of an operand that is there, or 16 bytes of
  // neighbours.
  RegisterLayout taken =
      getVectorLayoutOf(node.shape, schedule, 128 / std::max<int64_t>(bits, 8));
  for (mlir::Value value : op->getOperands()) {
    auto found = places.find(value);
    if (found == places.end() || !found->second.producer ||
        found->second.tile.shape != node.shape)
      continue;
    taken = found->second.layouts.front();
    break;
  }
  auto add = [&](const RegisterLayout &layout) {
    if (!llvm::is_contained(node.layouts, layout))
      node.layouts.push_back(layout);
  };
  add(taken);
  for (int64_t width : widths) {
    add(getVectorLayoutOf(node.shape, schedule, width));
    // Groups of warps have iterations of their own.
    if (schedule.loopGroups == 1)
      if (auto rows = getRowLayout(node.shape, schedule.getNumWarps(), width))
        add(*rows);
  }
  // What reductions leave in lanes and warps may stay there.
  for (mlir::Value value : op->getOperands())
    if (auto found = places.find(value); found != places.end() &&
                                         found->second.producer &&
                                         found->second.tile.shape == node.shape)
      llvm::for_each(found->second.layouts, add);
  unsigned number = nodes.size();
  Place place;
  place.tile.elementBytes =
      std::max(8u, getElementTypeOrSelf(result).getIntOrFloatBitWidth()) / 8;
  place.producer = number;
  place.trips = trips;
  place.tile.shape = node.shape;
  OpAttributes attrs = op.getOpAttributes();
  Shape reduced = node.shape;
  if (isReduction)
    reduced[attrs.dim + 1] = 1;
  place.tile.shape = reduced;
  if (isReduction && !attrs.keep)
    place.tile.shape.erase(place.tile.shape.begin() + attrs.dim + 1);
  const OpInfo &info = getOpInfo(op.getOpKind());
  for (const RegisterLayout &layout : node.layouts) {
    RegisterLayout of = isReduction ? layout.withoutDim(attrs.dim + 1) : layout;
    if (place.tile.shape != reduced)
      of = of.reshape(reduced, place.tile.shape).value_or(RegisterLayout());
    place.layouts.push_back(of);
    double clocks =
        isReduction
            ? costs.getReduction(attrs.dim + 1, layout, isOnlyAccumulated(op))
            : costs.getElementwise(layout, info.flops, info.exponentials);
    // Iterations that put tiles together may store them.
    for (Operation *user : result.getUsers()) {
      auto accumulate = dyn_cast<block::AccumulateOp>(user);
      if (isa<block::StoreOp>(user) ||
          (accumulate && accumulate.getKind() == AccumulateKind::Concat))
        clocks += costs.getStore(place.tile.shape, place.tile.elementBytes, of);
    }
    node.costs.push_back(clocks * static_cast<double>(trips));
  }
  // Lanes and warps keep parts of what is only accumulated.
  if ((isReduction && isOnlyAccumulated(op)) ||
      llvm::any_of(place.layouts, [](const RegisterLayout &layout) {
        return layout.lanes.empty();
      }))
    place.producer.reset();
  numbers[op] = number;
  components.insert(op);
  if (isBound(op))
    bound.insert(op);
  nodes.push_back(std::move(node));
  places[result] = std::move(place);
}

void LayoutPlanner::visitOperator(ComputeOpInterface op, int64_t trips) {
  bool isReduction = getOpInfo(op.getOpKind()).opClass == OpClass::Reduction;
  mlir::Value result = op->getResult(0);
  auto shape = cast<RankedTensorType>(
                   (isReduction ? op->getOperand(0) : result).getType())
                   .getShape();
  int64_t groups = 1;
  for (mlir::Value operand : op->getOperands())
    if (auto found = places.find(operand); found != places.end())
      groups = std::max(groups, found->second.tile.shape.front());
  Shape tile{groups};
  tile.append(shape.begin(), shape.end());
  // What a loop does not change is computed before it.
  bool varies = false;
  for (mlir::Value operand : op->getOperands())
    if (auto found = places.find(operand); found != places.end())
      varies |= found->second.trips > 1 || !found->second.isKnown();
  addNode(op, tile, varies ? trips : 1);
  for (mlir::Value operand : op->getOperands()) {
    if (isa_and_nonnull<block::ConstantOp>(operand.getDefiningOp()))
      continue;
    auto found = places.find(operand);
    bool isWhole =
        cast<RankedTensorType>(operand.getType()).getShape() == shape;
    if (found == places.end() || !found->second.isKnown()) {
      // The layout of what is not known decides.
      if (isWhole)
        bound.insert(op);
      continue;
    }
    // Operators that take the result of a reduction do not bind its operand to
    // a layout.
    if (!isWhole || !found->second.producer)
      continue;
    Operation *producer = nodes[*found->second.producer].op;
    if (getOpInfo(cast<ComputeOpInterface>(producer).getOpKind()).opClass ==
        OpClass::Reduction)
      reductions.emplace_back(producer, op);
    else
      join(op, producer);
  }
}

/// Follows tiles under another shape or order.
void LayoutPlanner::visitLayout(ComputeOpInterface op) {
  mlir::Value result = op->getResult(0);
  auto found = places.find(op->getOperand(0));
  if (found == places.end() || !found->second.isKnown())
    return;
  Place place = found->second;
  Shape source = place.tile.shape;
  OpAttributes attrs =
      addGroupDim(op.getOpKind(), op.getOpAttributes(), source);
  auto type = cast<RankedTensorType>(result.getType());
  place.tile.shape.assign(type.getShape().begin(), type.getShape().end());
  place.tile.shape.insert(place.tile.shape.begin(), source.front());
  bool isTransposed = op.getOpKind() == OpKind::Transpose;
  if (!isTransposed && op.getOpKind() != OpKind::Reshape) {
    // Slices and concatenations are read from memory.
    if (op.getOpKind() == OpKind::Pad)
      return;
    place.producer.reset();
    place.layouts.clear();
    place.tile.isDevice = false;
    if (!place.isStored || op.getOpKind() == OpKind::Concat)
      place.store(/*isDevice=*/false);
    places[result] = std::move(place);
    return;
  }
  if (place.isStored) {
    MemoryLayout memory = place.tile.memory;
    place.store(place.tile.isDevice);
    if (isTransposed)
      for (auto [dim, from] : llvm::enumerate(attrs.permutation))
        place.tile.memory.strides[dim] = memory.strides[from];
  }
  for (RegisterLayout &layout : place.layouts) {
    std::optional<RegisterLayout> moved =
        isTransposed ? layout.transpose(attrs.permutation)
                     : layout.reshape(source, place.tile.shape);
    if (!moved)
      return;
    layout = *moved;
  }
  places[result] = std::move(place);
}

void LayoutPlanner::visit(Block &block, int64_t trips) {
  for (Operation &op : block) {
    if (auto load = dyn_cast<block::LoadOp>(op)) {
      // Masks that are computed of indices are in no memory, and what
      // operators make of them alone is a mask again.
      if (masks && masks->isComputed(load))
        continue;
      auto type = cast<RankedTensorType>(load.getResult().getType());
      Place place;
      place.tile.shape.push_back(dependsOnLoop(load) ? schedule.loopGroups : 1);
      place.tile.shape.append(type.getShape().begin(), type.getShape().end());
      place.tile.elementBytes = std::max(8u, type.getElementTypeBitWidth()) / 8;
      place.store(loadsDirectly && load->hasOneUse());
      place.trips = dependsOnLoop(load) ? trips : 1;
      places[load.getResult()] = std::move(place);
    } else if (auto loop = dyn_cast<block::ForOp>(op)) {
      int64_t sharers = schedule.getNumSharers();
      visit(loop.getBody().front(), (loop.getExtent() + sharers - 1) / sharers);
      // What groups and blocks have accumulated is merged into other layouts.
      Operation *yield = loop.getBody().front().getTerminator();
      for (auto [result, yielded] :
           llvm::zip(loop.getResults(), yield->getOperands()))
        if (auto found = places.find(yielded);
            found != places.end() && sharers == 1) {
          Place place = found->second;
          place.trips = 1;
          places[result] = std::move(place);
        }
    } else if (auto accumulate = dyn_cast<block::AccumulateOp>(op)) {
      auto found = places.find(accumulate.getValue());
      if (found != places.end() && found->second.producer &&
          (accumulate.getKind() == AccumulateKind::Sum ||
           accumulate.getKind() == AccumulateKind::Max))
        places[accumulate.getResult()] = found->second;
    } else if (auto compute = dyn_cast<ComputeOpInterface>(op)) {
      OpClass opClass = getOpInfo(compute.getOpKind()).opClass;
      if (opClass == OpClass::Elementwise || opClass == OpClass::Reduction)
        visitOperator(compute, trips);
      else if (opClass == OpClass::Layout)
        visitLayout(compute);
    }
  }
}

/// Adds a value that operators of the program take, in the forms in which they
/// take it.
void LayoutPlanner::addValue(LayoutProgram &program, mlir::Value value,
                             const Place &place) {
  SmallVector<RegisterLayout, 4> forms;
  SmallVector<
      std::pair<LayoutProgram::Operator, SmallVector<LayoutProgram::Choice, 4>>>
      uses;
  int64_t trips = 1;
  for (Operation *user : value.getUsers()) {
    auto number = numbers.find(user);
    if (number == numbers.end() || !stated.contains(number->second))
      continue;
    const Node &node = nodes[number->second];
    SmallVector<LayoutProgram::Choice, 4> needed;
    for (const RegisterLayout &layout : node.layouts) {
      RegisterLayout form = layout.project(place.tile.shape);
      const auto *known =
          llvm::find_if(forms, [&](const RegisterLayout &other) {
            return other.agreesWith(form);
          });
      needed.push_back(known - forms.begin());
      if (known == forms.end())
        forms.push_back(form);
    }
    uses.emplace_back(stated[number->second], std::move(needed));
    if (place.trips > 1)
      trips = std::max(trips, node.trips);
  }
  if (uses.empty())
    return;
  auto times = static_cast<double>(trips);
  LayoutProgram::Value added;
  if (place.isStored) {
    SmallVector<double, 4> loading;
    for (const RegisterLayout &form : forms)
      loading.push_back(times * costs.getAccess(place.tile, form));
    added = program.addTile(loading);
  } else {
    Place stored = place;
    stored.store(/*isDevice=*/false);
    SmallVector<SmallVector<double, 4>, 4> bringing;
    SmallVector<double, 4> storing;
    for (const RegisterLayout &layout : place.layouts) {
      bringing.emplace_back();
      for (const RegisterLayout &form : forms)
        bringing.back().push_back(form.agreesWith(layout)
                                      ? 0
                                      : times *
                                            costs.getAccess(stored.tile, form));
      storing.push_back(times * (LayoutCosts::getBarrier() +
                                 costs.getAccess(stored.tile, layout)));
    }
    added = program.addResult(stated[*place.producer], bringing, storing);
  }
  for (auto &[consumer, needed] : uses)
    program.addUse(added, consumer, needed);
}

void LayoutPlanner::state(LayoutProgram &program,
                          std::vector<LayoutProgram::Choice> &first) {
  llvm::DenseSet<Operation *> leaders;
  for (Operation *op : bound)
    leaders.insert(components.getLeaderValue(op));
  auto isBoundTo = [&](Operation *op) {
    return leaders.contains(components.getLeaderValue(op));
  };
  for (bool isNew = true; isNew;) {
    isNew = false;
    for (auto [reduction, consumer] : reductions)
      if (isBoundTo(reduction))
        isNew |= leaders.insert(components.getLeaderValue(consumer)).second;
  }
  for (auto [number, node] : llvm::enumerate(nodes)) {
    if (isBoundTo(node.op))
      continue;
    stated[number] = program.addOperator(node.costs);
    first.push_back(0);
  }
  auto add = [&](mlir::Value value) {
    auto found = places.find(value);
    if (found != places.end() && found->second.isKnown() &&
        (!found->second.producer || stated.contains(*found->second.producer)))
      addValue(program, value, found->second);
  };
  launch.getBody().walk([&](Operation *op) {
    for (mlir::Value result : op->getResults())
      add(result);
  });
}

LayoutPlan LayoutPlanner::run() {
  LayoutPlan plan;
  // What is written by hand is obeyed.
  bool isWritten = launch.getBody()
                       .walk([](Operation *op) {
                         return getWantedLayout(op) ? WalkResult::interrupt()
                                                    : WalkResult::advance();
                       })
                       .wasInterrupted();
  if (isWritten)
    return plan;
  // The tiles of products that are deferred leave their stages early.
  if (schedule.defersProducts)
    return plan;
  loadsDirectly = !launch.getBody()
                       .walk([](Operation *op) {
                         return isMatmul(op) || isa<block::ForOp>(op)
                                    ? WalkResult::interrupt()
                                    : WalkResult::advance();
                       })
                       .wasInterrupted();
  if (schedule.indexMasks)
    masks.emplace(launch);
  findPrepared();
  findWidths();
  visit(launch.getBody().front(), 1);
  LayoutProgram program;
  std::vector<LayoutProgram::Choice> first;
  state(program, first);
  if (first.empty())
    return plan;
  constexpr uint64_t mostNodes = 200;
  LayoutProgram::Answer answer = program.minimize(first, mostNodes);
  plan.operators = first.size();
  plan.byDefault = program.getCost(first);
  plan.clocks = answer.cost;
  plan.bound = answer.bound;
  plan.usedSolver = answer.usedSolver;
  MLIRContext *context = launch.getContext();
  for (auto [number, stated] : stated) {
    const Node &node = nodes[number];
    plan.layouts += node.layouts.size();
    if (plan.saves())
      node.op->setAttr(thread::ThreadDialect::getRegisterLayoutAttrName(),
                       thread::LayoutAttr::get(
                           context, node.layouts[answer.choices[stated]]));
  }
  return plan;
}

/// Returns true if the lowering can make a kernel of a launch.
static bool canBeBuilt(kernel::LaunchOp launch,
                       const LaunchSchedule &schedule) {
  ScopedDiagnosticHandler silence(launch.getContext(), [](Diagnostic &) {});
  OwningOpRef<kernel::LaunchOp> copy(launch.clone());
  return succeeded(prepareForSchedule(*copy, schedule)) &&
         buildTrialKernel(*copy, schedule, lookupTarget(launch)).shape;
}

LayoutPlan mirage::planLayouts(kernel::LaunchOp launch,
                               const LaunchSchedule &schedule) {
  LayoutPlan plan = LayoutPlanner(launch, schedule).run();
  if (plan.saves() && !canBeBuilt(launch, schedule)) {
    launch.getBody().walk([](Operation *op) {
      op->removeAttr(thread::ThreadDialect::getRegisterLayoutAttrName());
    });
    plan.isRefused = true;
  }
  return plan;
}
