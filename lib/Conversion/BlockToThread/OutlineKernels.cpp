//===- OutlineKernels.cpp - Kernel operations among others ----------------===//
//
// Outlines the mirage_kernel operations of functions that hold other
// operations, too; see Passes.td.
//
// Each operation of a block has a phase. It is no lower than that of what the
// operation reads, and higher where an operation that stays reads a part, which
// is what functions are made of. So no chain of values leads from a phase to a
// lower one, nor from a part to another one of the same phase by way of what
// stays, and one call can compute the parts of one phase. Of these, a function
// has those that are connected by what they compute or read: more would compute
// values long before they are needed.
//
//===----------------------------------------------------------------------===//

#include "../MirageToLinalg/OperatorEmitter.h"
#include "KernelFunction.h"
#include "Mirage/Conversion/Passes.h"
#include "Mirage/Dialect/Kernel/IR/KernelDialect.h"
#include "Mirage/Interfaces/MuGraphOpInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/SetVector.h"

namespace mirage {
#define GEN_PASS_DEF_OUTLINEKERNELS
#include "Mirage/Conversion/Passes.h.inc"
} // namespace mirage

using namespace mlir;
using namespace mirage;

/// Returns whether an operation costs a kernel nothing: each function has its
/// own constants and reshapes, and other operations read what these become
/// outside of kernels.
static bool isRepeated(Operation *op) {
  return op && isa<kernel::ConstantOp, kernel::ReshapeOp>(op);
}

/// Returns the value of which one is a reshape, or the value itself.
static Value getRoot(Value value) {
  while (auto reshape = value.getDefiningOp<kernel::ReshapeOp>())
    value = reshape->getOperand(0);
  return value;
}

/// Calls a function for each value that an operation or its regions read.
static void forEachRead(Operation *op, llvm::function_ref<void(Value)> read) {
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      read(operand);
  });
}

static bool isStaticTensor(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.hasStaticShape();
}

/// Returns the reason why the operations in a region are left where they are,
/// or nothing.
static std::optional<std::string> getObstacle(Region &region) {
  Operation *op = region.getParentOp();
  std::string name = ("'" + op->getName().getStringRef() + "'").str();
  if (op->getName().getDialectNamespace() == "linalg")
    return name + ", whose body computes single elements";
  if (op->hasTrait<OpTrait::SymbolTable>())
    return name + ", in which functions of the module cannot be called";
  if (!mayHaveSSADominance(region))
    return name + ", whose operations have no order";
  return std::nullopt;
}

namespace {
/// The functions of a module on their way to calls of kernel graphs.
class ModuleOutliner {
public:
  explicit ModuleOutliner(ModuleOp module);

  /// Fails with an error at an operation of mirage_kernel that is left.
  LogicalResult outline(FunctionOpInterface function);

  /// Returns whether an operation becomes a part of a function.
  bool isPart(Operation *op);
  /// Returns whether an operation must keep its place among others.
  bool hasEffects(Operation *op);
  /// Inserts a private function behind those that were made of the same one.
  void insert(func::FuncOp part);

  FunctionOpInterface getFunction() const { return function; }

private:
  SymbolTable symbols;
  KernelGraphs graphs;
  /// The number of times that each name is used.
  llvm::DenseMap<StringAttr, unsigned> uses;
  FunctionOpInterface function;
  Operation *lastInserted = nullptr;
};

/// One block of a function that is no kernel graph.
class BlockOutliner {
public:
  BlockOutliner(Block &block, ModuleOutliner &module)
      : block(block), module(module) {}

  void run();

private:
  using Group = llvm::SetVector<Operation *>;

  void findPhases();
  SmallVector<Group> getConnected(bool byReads) const;
  std::optional<unsigned> getLast(Operation *op, const Group &group) const;
  void findGroups();
  void emit(Operation *op);
  void emitReads(Operation *op, const Group *group);
  Operation *getDefinition(Value value) const;
  void outline(const Group &group);

  Block &block;
  ModuleOutliner &module;
  /// What becomes parts of functions, in the order of the program.
  Group parts;
  llvm::DenseMap<Operation *, unsigned> phases;
  /// The operation with side effects before each one.
  llvm::DenseMap<Operation *, Operation *> effectsBefore;
  llvm::DenseMap<Operation *, unsigned> groupOf;
  /// The groups' operations are in the order of the program.
  SmallVector<Group> groups;
  llvm::DenseSet<Operation *> emitted;
  /// The operations in their new order, and the groups in theirs.
  SmallVector<Operation *> order;
  SmallVector<unsigned> groupOrder;
};
} // namespace

ModuleOutliner::ModuleOutliner(ModuleOp module)
    : symbols(module), graphs(module) {
  if (auto all = SymbolTable::getSymbolUses(&module.getBodyRegion()))
    for (const SymbolTable::SymbolUse &use : *all)
      ++uses[use.getSymbolRef().getRootReference()];
}

bool ModuleOutliner::isPart(Operation *op) {
  if (isRepeated(op) || op->use_empty() ||
      !llvm::all_of(op->getOperandTypes(), isStaticTensor) ||
      !llvm::all_of(op->getResultTypes(), isStaticTensor))
    return false;
  if (isKernelOp(op) || isCustomOperator(op))
    return true;
  // What is called elsewhere as well stays one function.
  func::FuncOp callee = graphs.getCallee(op);
  return callee && callee.isPrivate() && uses[callee.getSymNameAttr()] == 1;
}

bool ModuleOutliner::hasEffects(Operation *op) {
  return !graphs.getCallee(op) && !isMemoryEffectFree(op);
}

void ModuleOutliner::insert(func::FuncOp part) {
  symbols.insert(part, std::next(lastInserted->getIterator()));
  lastInserted = part;
}

/// Returns the operation of the block that defines a value, or null.
Operation *BlockOutliner::getDefinition(Value value) const {
  Operation *definition = value.getDefiningOp();
  return definition && definition->getBlock() == &block ? definition : nullptr;
}

/// Gives each operation the lowest phase that it can have.
void BlockOutliner::findPhases() {
  Operation *lastWithEffects = nullptr;
  for (Operation &op : block) {
    if (isRepeated(&op))
      continue;
    bool isPart = module.isPart(&op);
    unsigned phase = 0;
    forEachRead(&op, [&](Value value) {
      Operation *definition = getDefinition(getRoot(value));
      bool leavesParts = !isPart && parts.contains(definition);
      phase = std::max(phase, phases.lookup(definition) + leavesParts);
    });
    if (!isPart && module.hasEffects(&op)) {
      phase = std::max(phase, phases.lookup(lastWithEffects));
      effectsBefore[&op] = lastWithEffects;
      lastWithEffects = &op;
    }
    phases[&op] = phase;
    if (isPart)
      parts.insert(&op);
  }
}

/// Returns the parts that one call can compute and that are connected by their
/// results, or with `byReads` also by values that both read, each set in the
/// order of the program.
SmallVector<BlockOutliner::Group>
BlockOutliner::getConnected(bool byReads) const {
  llvm::EquivalenceClasses<Operation *> connected;
  llvm::DenseMap<std::pair<Value, unsigned>, Operation *> readers;
  for (Operation *op : parts) {
    connected.insert(op);
    unsigned phase = phases.lookup(op);
    for (Value operand : op->getOperands()) {
      Value root = getRoot(operand);
      if (isRepeated(root.getDefiningOp()))
        continue;
      Operation *definition = getDefinition(root);
      if (parts.contains(definition) && phases.lookup(definition) == phase)
        connected.unionSets(definition, op);
      if (!byReads)
        continue;
      auto [reader, isNew] = readers.try_emplace({root, phase}, op);
      if (!isNew)
        connected.unionSets(reader->second, op);
    }
  }
  SmallVector<Group> sets;
  llvm::DenseMap<Operation *, unsigned> numbers;
  for (Operation *op : parts) {
    auto [number, isNew] =
        numbers.try_emplace(connected.getLeaderValue(op), sets.size());
    if (isNew)
      sets.emplace_back();
    sets[number->second].insert(op);
  }
  return sets;
}

/// Returns the highest phase that an operation can have, if only those in the
/// block that read its results have the phases that they have.
std::optional<unsigned> BlockOutliner::getLast(Operation *op,
                                               const Group &group) const {
  std::optional<unsigned> last;
  for (Operation *reader : op->getUsers()) {
    reader = block.findAncestorOpInBlock(*reader);
    if (!reader || group.contains(reader))
      continue;
    std::optional<unsigned> phase =
        isRepeated(reader)
            ? getLast(reader, group)
            : std::optional(phases.lookup(reader) - !parts.contains(reader));
    if (phase)
      last = std::min(*phase, last.value_or(*phase));
  }
  return last;
}

/// Finds which parts are one function. Those that only later phases need are
/// computed there, together with what needs them.
void BlockOutliner::findGroups() {
  findPhases();
  SmallVector<Group> sets = getConnected(/*byReads=*/false);
  auto order = llvm::to_vector(llvm::seq<size_t>(sets.size()));
  llvm::sort(order, [&](size_t a, size_t b) {
    return std::pair(phases.lookup(sets[b].front()), a) <
           std::pair(phases.lookup(sets[a].front()), b);
  });
  for (size_t number : order) {
    const Group &set = sets[number];
    std::optional<unsigned> last;
    for (Operation *op : set)
      if (std::optional<unsigned> phase = getLast(op, set))
        last = std::min(*phase, last.value_or(*phase));
    if (last)
      for (Operation *op : set)
        phases[op] = *last;
  }
  groups = getConnected(/*byReads=*/true);
  for (auto [number, group] : llvm::enumerate(groups))
    for (Operation *op : group)
      groupOf[op] = number;
}

/// Emits what an operation reads, and what comes before it. A group's own
/// values are under other shapes in its function.
void BlockOutliner::emitReads(Operation *op, const Group *group) {
  forEachRead(op, [&](Value value) {
    Operation *definition = getDefinition(value),
              *root = getDefinition(getRoot(value));
    if (definition && !(group && root && group->contains(root)))
      emit(definition);
  });
  if (Operation *before = effectsBefore.lookup(op))
    emit(before);
}

/// Puts an operation, or the group that it is in, at the end of the new order,
/// behind what it needs.
void BlockOutliner::emit(Operation *op) {
  if (!emitted.insert(op).second)
    return;
  auto number = groupOf.find(op);
  if (number == groupOf.end()) {
    emitReads(op, nullptr);
    order.push_back(op);
    return;
  }
  const Group &group = groups[number->second];
  emitted.insert(group.begin(), group.end());
  for (Operation *member : group)
    emitReads(member, &group);
  llvm::append_range(order, group);
  groupOrder.push_back(number->second);
}

void BlockOutliner::run() {
  findGroups();
  if (groups.empty())
    return;
  // Parts are computed when they are needed, so that the others move as little
  // as may be.
  for (Operation &op : llvm::drop_end(block))
    if (!isRepeated(&op) && !groupOf.contains(&op))
      emit(&op);
  for (Operation &op : block)
    emit(&op);
  for (Operation *op : order)
    op->moveBefore(&block, block.end());
  for (unsigned number : groupOrder)
    outline(groups[number]);
}

/// Adds the values that an operation reads and its function takes.
static void addInputs(Operation *op, const llvm::SetVector<Operation *> &group,
                      llvm::SetVector<Value> &inputs) {
  for (Value operand : op->getOperands()) {
    Operation *definition = operand.getDefiningOp();
    if (isRepeated(definition))
      addInputs(definition, group, inputs);
    else if (!definition || !group.contains(definition))
      inputs.insert(operand);
  }
}

/// Returns whether others than the group read a value, also in other shapes.
static bool isReadOutside(Value value,
                          const llvm::SetVector<Operation *> &group) {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    if (isRepeated(user))
      return isReadOutside(user->getResult(0), group);
    return !group.contains(user);
  });
}

/// Returns whether an operation reads a constant, also in another shape.
static bool readsConstant(Operation *op) {
  return llvm::any_of(op->getOperands(), [](Value operand) {
    return getRoot(operand).getDefiningOp<kernel::ConstantOp>() != nullptr;
  });
}

/// Clones an operation with the constants and reshapes that it reads.
static void cloneInto(Operation *op, OpBuilder &builder, IRMapping &mapping) {
  for (Value operand : op->getOperands())
    if (!mapping.contains(operand) && isRepeated(operand.getDefiningOp()))
      cloneInto(operand.getDefiningOp(), builder, mapping);
  builder.clone(*op, mapping);
}

/// Erases the reshapes of a value that nothing reads.
static void eraseReshapes(Value value) {
  for (Operation *user : llvm::make_early_inc_range(value.getUsers())) {
    if (!isRepeated(user))
      continue;
    eraseReshapes(user->getResult(0));
    if (user->use_empty())
      user->erase();
  }
}

/// Makes a private function of a group, and calls it there.
void BlockOutliner::outline(const Group &group) {
  Operation *first = group.front();
  // A call of a kernel graph is what it would become.
  if (group.size() == 1 && isa<func::CallOp>(first) && !readsConstant(first))
    return;
  llvm::SetVector<Value> inputs;
  SmallVector<Value> outputs;
  for (Operation *op : group) {
    addInputs(op, group, inputs);
    for (Value result : op->getResults())
      if (isReadOutside(result, group))
        outputs.push_back(result);
  }
  OpBuilder builder(first);
  Location loc = builder.getFusedLoc(llvm::map_to_vector(
      group.getArrayRef(), [](auto op) { return op->getLoc(); }));
  FunctionOpInterface function = module.getFunction();
  auto part = func::FuncOp::create(
      loc, (function.getName() + "_part").str(),
      builder.getFunctionType(TypeRange(inputs.getArrayRef()),
                              TypeRange(ArrayRef<Value>(outputs))));
  part.setPrivate();
  module.insert(part);
  OpBuilder inner = OpBuilder::atBlockBegin(part.addEntryBlock());
  IRMapping mapping;
  mapping.map(inputs.getArrayRef(), part.getArguments());
  for (Operation *op : group)
    cloneInto(op, inner, mapping);
  func::ReturnOp::create(inner, loc,
                         llvm::map_to_vector(outputs, [&](Value output) {
                           return mapping.lookup(output);
                         }));
  auto call = func::CallOp::create(builder, loc, part, inputs.getArrayRef());
  for (auto [output, result] : llvm::zip_equal(outputs, call.getResults()))
    output.replaceUsesWithIf(result, [&](OpOperand &use) {
      return !group.contains(use.getOwner());
    });
  for (Operation *op : llvm::reverse(group)) {
    for (Value result : op->getResults())
      eraseReshapes(result);
    op->erase();
  }
}

/// Makes upstream operations of the constants and reshapes that others read.
static void convertRepeated(FunctionOpInterface function) {
  SmallVector<Operation *> repeated;
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isRepeated(op))
      repeated.push_back(op);
    return isa<kernel::LaunchOp>(op) ? WalkResult::skip()
                                     : WalkResult::advance();
  });
  for (Operation *&op : llvm::reverse(repeated))
    if (op->use_empty()) {
      op->erase();
      op = nullptr;
    }
  for (Operation *op : repeated) {
    if (!op)
      continue;
    OpBuilder builder(op);
    Value value;
    if (isa<kernel::ConstantOp>(op))
      value = arith::ConstantOp::create(builder, op->getLoc(),
                                        op->getAttrOfType<TypedAttr>("value"));
    else
      value = OperatorEmitter(builder, op->getLoc())
                  .reshape(op->getOperand(0),
                           cast<RankedTensorType>(op->getResult(0).getType())
                               .getShape());
    op->getResult(0).replaceAllUsesWith(value);
    op->erase();
  }
}

LogicalResult ModuleOutliner::outline(FunctionOpInterface target) {
  auto graph = dyn_cast<func::FuncOp>(target.getOperation());
  if (graph && graphs.isKernelGraph(graph))
    return success();
  function = target;
  lastInserted = target;
  // An operation whose results nobody reads gets no kernel.
  SmallVector<Operation *> unread;
  target->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isKernelOp(op))
      unread.push_back(op);
    return isa<kernel::LaunchOp>(op) ? WalkResult::skip()
                                     : WalkResult::advance();
  });
  for (Operation *op : llvm::reverse(unread))
    if (isOpTriviallyDead(op))
      op->erase();

  SmallVector<Block *> blocks;
  target->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isKernelOp(op) || isCustomOperator(op))
      return WalkResult::skip();
    for (Region &region : op->getRegions()) {
      if (op != target.getOperation() && getObstacle(region))
        return WalkResult::skip();
      for (Block &block : region)
        blocks.push_back(&block);
    }
    return WalkResult::advance();
  });
  // What inner blocks read of outer ones is known when their calls are there.
  for (Block *block : llvm::reverse(blocks))
    BlockOutliner(*block, *this).run();
  convertRepeated(target);

  WalkResult left = target->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isCustomOperator(op))
      return WalkResult::skip();
    if (!isKernelOp(op))
      return WalkResult::advance();
    std::optional<std::string> obstacle;
    for (Region *region = op->getParentRegion();
         !obstacle && region->getParentOp() != target.getOperation();
         region = region->getParentRegion())
      obstacle = getObstacle(*region);
    op->emitOpError("cannot become a kernel: it stands in ")
        << obstacle.value_or("a block that has no place for calls");
    return WalkResult::interrupt();
  });
  return failure(left.wasInterrupted());
}

namespace {
struct OutlineKernels
    : public mirage::impl::OutlineKernelsBase<OutlineKernels> {
  void runOnOperation() override {
    ModuleOutliner outliner(getOperation());
    for (auto function :
         llvm::to_vector(getOperation().getOps<FunctionOpInterface>()))
      if (!function.isExternal() && failed(outliner.outline(function)))
        return signalPassFailure();
  }
};
} // namespace
