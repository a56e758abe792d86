//===- Partition.cpp - Subprograms for the superoptimizer -----------------===//
//
// Outlines the parts that Analysis/Partitioning finds; see Passes.td. An
// operation that is in no part keeps its order where it has side effects, and
// moves only as far as the calls need.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Partitioning.h"
#include "Mirage/Dialect/Kernel/IR/KernelDialect.h"
#include "Mirage/Support/PassSupport.h"
#include "Mirage/Transforms/Passes.h"
#include "OperatorFacts.h"
#include "SoftmaxClusters.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Remarks.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/FormatVariadic.h"

namespace mirage {
#define GEN_PASS_DEF_PARTITION
#include "Mirage/Transforms/Passes.h.inc"
} // namespace mirage

using namespace mlir;
using namespace mirage;

/// The options of the remarks on single operations and subprograms. Each
/// function has one more, of the category mirage-partition.
static remark::RemarkOpts getDetailOptions(StringRef name,
                                           FunctionOpInterface function) {
  return remark::RemarkOpts::name(name)
      .category("mirage-partition-details")
      .function(function.getName());
}

namespace {
/// One block as a graph: its operations but the terminator, and before them the
/// values that come from outside, each a node.
struct BlockGraph {
  Block &block;
  SmallVector<Operation *> operations;
  /// The facts of each of the operations.
  SmallVector<OperatorFacts> facts;
  DenseMap<Operation *, unsigned> numbers;
  SmallVector<Value> inputs;
  std::vector<PartitionNode> nodes;
  SmallVector<SmallVector<unsigned>> uncut;

  explicit BlockGraph(Block &block) : block(block) {}
  /// Fails with an error at an operator that has no meaning.
  LogicalResult build(bool functionsMayMove);

  /// Returns the node of an operation; those of inputs come before.
  unsigned getNode(Operation *op) const {
    return inputs.size() + numbers.lookup(op);
  }

private:
  void addInputs();
  void addOperation(Operation *op, const OperatorFacts &facts,
                    ArrayRef<Operation *> withEffects);
};
} // namespace

/// Constants cost nothing to repeat: every part has its own.
static bool isRepeated(Operation *op) {
  return op && isa<kernel::ConstantOp>(op);
}

static int64_t getResultBytes(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !type.hasStaticShape() || !type.getElementType().isIntOrFloat())
    return 0;
  return llvm::divideCeil(type.getNumElements() * type.getElementTypeBitWidth(),
                          8);
}

void BlockGraph::addInputs() {
  llvm::SetVector<Value> outer;
  for (Operation *op : operations)
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (operand.getParentBlock() != &block &&
            !op->isAncestor(operand.getParentBlock()->getParentOp()))
          outer.insert(operand);
        else if (isa<BlockArgument>(operand) &&
                 operand.getParentBlock() == &block)
          outer.insert(operand);
    });
  inputs = outer.takeVector();
  for (Value input : inputs) {
    PartitionNode node;
    node.fixed = true;
    node.size = 0;
    node.bytes = getResultBytes(input);
    nodes.push_back(std::move(node));
  }
}

void BlockGraph::addOperation(Operation *op, const OperatorFacts &facts,
                              ArrayRef<Operation *> withEffects) {
  PartitionNode node;
  llvm::SetVector<unsigned> operands;
  // The values that an operation's regions use are used by the operation.
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands()) {
      if (isRepeated(operand.getDefiningOp()))
        continue;
      if (auto position = llvm::find(inputs, operand); position != inputs.end())
        operands.insert(position - inputs.begin());
      else if (Operation *definition = operand.getDefiningOp();
               definition && numbers.contains(definition) && definition != op)
        operands.insert(getNode(definition));
    }
  });
  for (Operation *before : withEffects)
    operands.insert(getNode(before));
  node.operands.assign(operands.begin(), operands.end());
  node.kind = OperationEquivalence::computeHash(
      op, OperationEquivalence::ignoreHashValue,
      OperationEquivalence::ignoreHashValue,
      OperationEquivalence::IgnoreLocations);
  for (Value result : op->getResults()) {
    node.bytes += getResultBytes(result);
    node.isOutput |= llvm::any_of(result.getUsers(), [&](Operation *user) {
      return block.findAncestorOpInBlock(*user) == block.getTerminator();
    });
  }
  // A constant's users repeat it.
  node.fixed = facts.obstacle || isRepeated(op);
  if (!facts.obstacle) {
    node.exponentials = facts.exponentials;
    node.size = facts.size;
  }
  nodes.push_back(std::move(node));
}

LogicalResult BlockGraph::build(bool functionsMayMove) {
  for (Operation &op : block.without_terminator()) {
    FailureOr<OperatorFacts> known = getOperatorFacts(&op, functionsMayMove);
    if (failed(known))
      return failure();
    operations.push_back(&op);
    facts.push_back(*known);
  }
  addInputs();
  SmallVector<Operation *> withEffects;
  for (Operation *op : operations) {
    unsigned number = numbers.size();
    numbers[op] = number;
    bool hasEffects = hasSideEffects(op);
    // Operations with side effects stay in order: each needs the one before.
    addOperation(op, facts[number],
                 hasEffects ? ArrayRef(withEffects).take_back(1)
                            : ArrayRef<Operation *>());
    if (hasEffects)
      withEffects.push_back(op);
  }
  for (const SetVector<Operation *> &cluster : findSoftmaxClusters(block)) {
    SmallVector<unsigned> &set = uncut.emplace_back();
    for (Operation *op : cluster)
      set.push_back(getNode(op));
  }
  return success();
}

namespace {
/// A part on its way to become a function.
struct Part {
  SmallVector<Operation *> operations;
  llvm::SetVector<Value> inputs;
  SmallVector<Value> outputs;

  /// Bytes of inputs or outputs.
  static int64_t getBytes(ArrayRef<Value> values) {
    int64_t bytes = 0;
    for (Value value : values)
      bytes += getResultBytes(value);
    return bytes;
  }
};

/// The operations of each part, in program order.
using Members = std::map<unsigned, SmallVector<Operation *>>;

/// Counts for a function's remark what became of its operations.
struct Tally {
  unsigned subprograms = 0, inside = 0, outside = 0;
  /// The bytes that subprograms write for others alone, those that they read of
  /// others, and those of elsewhere that others have read, too.
  int64_t crossing = 0;
  /// The operation outside that reads and writes most bytes, and what the
  /// remark says of it. Calls of subprograms may take the operation's place.
  std::optional<Location> largest;
  int64_t largestBytes = -1;
  std::string description;

  void addOutside(Operation *op, StringRef reason);
  void addCrossing(const Members &members);
  void emit(FunctionOpInterface function,
            const TargetDescription &target) const;
};

struct PartitionPass : public mirage::impl::PartitionBase<PartitionPass> {
  using PartitionBase::PartitionBase;

  void runOnOperation() override;

private:
  LogicalResult partitionBlock(Block &block, FunctionOpInterface function,
                               SymbolTable &symbols, Tally &tally);
  Members findParts(const BlockGraph &graph, FunctionOpInterface function,
                    Tally &tally) const;
  void emitCalls(const BlockGraph &graph, const Members &members,
                 FunctionOpInterface function, SymbolTable &symbols);
  Part collect(ArrayRef<Operation *> operations);
  func::CallOp outline(const Part &part, FunctionOpInterface function,
                       SymbolTable &symbols, OpBuilder &builder);
};
} // namespace

/// Returns values that are visible in one place in the order in which they are
/// defined. So it does not depend on the order of a program's operands, what
/// number an input has, and by that which values tests give it.
static llvm::SetVector<Value> getInOrder(ArrayRef<Value> values,
                                         const DominanceInfo &dominance) {
  auto getNumber = [](Value value) {
    if (auto argument = dyn_cast<BlockArgument>(value))
      return argument.getArgNumber();
    return cast<OpResult>(value).getResultNumber();
  };
  SmallVector<Value> ordered(values);
  llvm::sort(ordered, [&](Value a, Value b) {
    Block *blockOfA = a.getParentBlock(), *blockOfB = b.getParentBlock();
    if (blockOfA != blockOfB)
      return dominance.properlyDominates(blockOfA, blockOfB);
    Operation *first = a.getDefiningOp(), *second = b.getDefiningOp();
    if (first == second)
      return getNumber(a) < getNumber(b);
    return !first || (second && first->isBeforeInBlock(second));
  });
  return llvm::SetVector<Value>(ordered.begin(), ordered.end());
}

Part PartitionPass::collect(ArrayRef<Operation *> operations) {
  Part part;
  part.operations.assign(operations.begin(), operations.end());
  llvm::DenseSet<Operation *> inside(operations.begin(), operations.end());
  for (Operation *op : operations) {
    for (Value operand : op->getOperands())
      if (Operation *definition = operand.getDefiningOp();
          !isRepeated(definition) && !inside.contains(definition))
        part.inputs.insert(operand);
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUsers(),
                       [&](Operation *user) { return !inside.contains(user); }))
        part.outputs.push_back(result);
  }
  part.inputs =
      getInOrder(part.inputs.getArrayRef(), getAnalysis<DominanceInfo>());
  return part;
}

func::CallOp PartitionPass::outline(const Part &part,
                                    FunctionOpInterface function,
                                    SymbolTable &symbols, OpBuilder &builder) {
  SmallVector<Location> locations = llvm::map_to_vector(
      part.operations, [](Operation *op) { return op->getLoc(); });
  Location loc = builder.getFusedLoc(locations);
  auto type = builder.getFunctionType(TypeRange(part.inputs.getArrayRef()),
                                      TypeRange(ArrayRef<Value>(part.outputs)));
  auto outlined =
      func::FuncOp::create(loc, (function.getName() + "_part").str(), type);
  outlined.setPrivate();
  outlined->setAttr(MirageDialect::getSuperoptimizeAttrName(),
                    builder.getUnitAttr());
  symbols.insert(outlined, std::next(function->getIterator()));

  OpBuilder inner = OpBuilder::atBlockBegin(outlined.addEntryBlock());
  IRMapping mapping;
  mapping.map(part.inputs.getArrayRef(), outlined.getArguments());
  for (Operation *op : part.operations) {
    for (Value operand : op->getOperands())
      if (Operation *definition = operand.getDefiningOp();
          isRepeated(definition) && !mapping.contains(operand))
        inner.clone(*definition, mapping);
    inner.clone(*op, mapping);
  }
  func::ReturnOp::create(inner, loc,
                         llvm::map_to_vector(part.outputs, [&](Value output) {
                           return mapping.lookup(output);
                         }));
  remark::passed(loc, getDetailOptions("subprogram", function))
      << ("these operators are @" + outlined.getName()).str()
      << remark::metric("operators", part.operations.size())
      << remark::metric("bytesIn", Part::getBytes(part.inputs.getArrayRef()))
      << remark::metric("bytesOut", Part::getBytes(part.outputs));
  return func::CallOp::create(builder, loc, outlined,
                              part.inputs.getArrayRef());
}

/// Returns true if an operation that stays is worth a remark: constants and
/// buffers to be filled compute nothing, and what computes with scalars alone
/// is not what a kernel is made for.
static bool computes(Operation *op) {
  auto isShaped = [](Type type) { return isa<ShapedType>(type); };
  return !op->hasTrait<OpTrait::ConstantLike>() && !op->getOperands().empty() &&
         (llvm::any_of(op->getOperandTypes(), isShaped) ||
          llvm::any_of(op->getResultTypes(), isShaped));
}

void Tally::addOutside(Operation *op, StringRef reason) {
  ++outside;
  int64_t bytes = 0;
  for (Value value :
       llvm::concat<const Value>(SmallVector<Value>(op->getOperands()),
                                 SmallVector<Value>(op->getResults())))
    bytes += getResultBytes(value);
  if (bytes <= largestBytes)
    return;
  largestBytes = bytes;
  largest = op->getLoc();
  description = (op->getName().getStringRef() + ", which reads and writes " +
                 Twine(bytes) + " bytes: it " + reason)
                    .str();
}

/// Counts what crosses the cuts between subprograms. What is read elsewhere,
/// too, would be written without them; what comes from elsewhere would be read
/// once.
void Tally::addCrossing(const Members &members) {
  DenseMap<Operation *, unsigned> partOf;
  for (const auto &[number, operations] : members)
    for (Operation *op : operations)
      partOf[op] = number;
  auto findPart = [&](Operation *op) {
    auto part = partOf.find(op);
    return part == partOf.end() ? std::nullopt : std::optional(part->second);
  };
  llvm::SetVector<Value> values;
  for (const auto &[number, operations] : members)
    for (Operation *op : operations) {
      values.insert_range(op->getOperands());
      values.insert_range(op->getResults());
    }
  for (Value value : values) {
    Operation *definition = value.getDefiningOp();
    if (isRepeated(definition))
      continue;
    std::optional<unsigned> writer =
        definition ? findPart(definition) : std::nullopt;
    llvm::SmallDenseSet<unsigned> readers;
    bool isReadElsewhere = false;
    for (Operation *user : value.getUsers())
      if (std::optional<unsigned> reader = findPart(user); !reader)
        isReadElsewhere = true;
      else if (reader != writer)
        readers.insert(*reader);
    int64_t times = readers.size();
    if (writer)
      times += times && !isReadElsewhere;
    else if (times)
      --times;
    crossing += times * getResultBytes(value);
  }
}

/// Emits the function's remark: what can be searched for, what cuts cost, and
/// the largest operation that cannot be searched for.
void Tally::emit(FunctionOpInterface function,
                 const TargetDescription &target) const {
  if (!inside && !outside)
    return;
  auto options = remark::RemarkOpts::name("partitioned")
                     .category("mirage-partition")
                     .function(function.getName());
  std::string text;
  llvm::raw_string_ostream os(text);
  if (inside)
    os << llvm::formatv("Of {0} operation{1} of @{2}, {3} {4} in {5} "
                        "subprogram{6}.",
                        inside + outside, inside + outside == 1 ? "" : "s",
                        function.getName(), inside, inside == 1 ? "is" : "are",
                        subprograms, subprograms == 1 ? "" : "s");
  if (crossing)
    os << llvm::formatv(
        " What crosses the cuts between them is {0} bytes "
        "written and read, {1:f2} us.",
        crossing, static_cast<double>(crossing) / (target.hbmBandwidth * 1e3));
  if (!inside)
    os << "No operation of @" << function.getName() << " is in a subprogram.";
  if (outside)
    os << (outside == 1 ? " The one outside is "
                        : " The largest of those outside is ")
       << description << ".";
  if (inside)
    remark::passed(largest.value_or(function->getLoc()), options) << text;
  else
    remark::missed(largest.value_or(function->getLoc()), options) << text;
}

LogicalResult PartitionPass::partitionBlock(Block &block,
                                            FunctionOpInterface function,
                                            SymbolTable &symbols,
                                            Tally &tally) {
  BlockGraph graph(block);
  if (failed(graph.build(/*functionsMayMove=*/!strict)))
    return failure();
  Members members = findParts(graph, function, tally);
  if (!members.empty())
    emitCalls(graph, members, function, symbols);
  return success();
}

/// Finds the parts, and says in remarks why other operations are in none.
Members PartitionPass::findParts(const BlockGraph &graph,
                                 FunctionOpInterface function,
                                 Tally &tally) const {
  PartitionLimits limits;
  limits.maxSize = maxOperators;
  std::vector<std::optional<unsigned>> parts =
      partitionGraph(graph.nodes, graph.uncut, limits);
  auto leave = [&](Operation *op, StringRef reason) {
    remark::missed(op->getLoc(), getDetailOptions("left in place", function))
        << (op->getName().getStringRef() + " " + reason).str();
    tally.addOutside(op, reason);
  };
  Members members;
  for (Operation *op : graph.operations) {
    unsigned node = graph.getNode(op);
    std::optional<StringRef> obstacle =
        graph.facts[graph.numbers.lookup(op)].obstacle;
    if (parts[node])
      members[*parts[node]].push_back(op);
    else if (obstacle && computes(op))
      leave(op, *obstacle);
    else if (!obstacle && !isRepeated(op))
      leave(op, "has two exponentials in a row, which no test over finite "
                "fields decides");
  }
  // A part that only moves elements gains nothing.
  std::erase_if(members, [&](const auto &member) {
    return llvm::all_of(member.second, [&](Operation *op) {
      return graph.nodes[graph.getNode(op)].size == 0;
    });
  });
  tally.subprograms += members.size();
  tally.addCrossing(members);
  for (const auto &[number, operations] : members)
    tally.inside += operations.size();
  return members;
}

/// Puts calls and the operations that are in no part into an order that keeps
/// dependences. A unit is an operation that stays or a part; its place is that
/// of its first operation, unless it needs a later one.
void PartitionPass::emitCalls(const BlockGraph &graph, const Members &members,
                              FunctionOpInterface function,
                              SymbolTable &symbols) {
  DenseMap<Operation *, unsigned> partOf;
  for (const auto &[number, operations] : members)
    for (Operation *op : operations)
      partOf[op] = number;
  Operation *terminator = graph.block.getTerminator();
  DenseSet<Operation *> emitted;
  OpBuilder builder(terminator);
  SmallVector<Operation *> replaced;
  auto emit = [&](auto &self, Operation *op) -> void {
    if (!emitted.insert(op).second)
      return;
    auto emitOperands = [&](Operation *needs) {
      for (unsigned operand : graph.nodes[graph.getNode(needs)].operands)
        if (operand >= graph.inputs.size())
          self(self, graph.operations[operand - graph.inputs.size()]);
      needs->walk([&](Operation *inner) {
        for (Value value : inner->getOperands())
          if (Operation *definition = value.getDefiningOp();
              isRepeated(definition) && graph.numbers.contains(definition))
            self(self, definition);
      });
    };
    auto part = partOf.find(op);
    if (part == partOf.end()) {
      emitOperands(op);
      op->moveBefore(terminator);
      return;
    }
    ArrayRef<Operation *> operations = members.at(part->second);
    emitted.insert_range(operations);
    for (Operation *member : operations)
      emitOperands(member);
    Part collected = collect(operations);
    func::CallOp call = outline(collected, function, symbols, builder);
    for (auto [output, result] :
         llvm::zip(collected.outputs, call.getResults()))
      output.replaceUsesWithIf(result, [&](OpOperand &use) {
        return !llvm::is_contained(operations, use.getOwner());
      });
    llvm::append_range(replaced, operations);
  };
  for (Operation *op : graph.operations)
    emit(emit, op);
  for (Operation *op : llvm::reverse(replaced))
    op->erase();
  for (Operation *op : graph.operations)
    if (!llvm::is_contained(replaced, op) && isRepeated(op) && op->use_empty())
      op->erase();
}

void PartitionPass::runOnOperation() {
  FailureOr<TargetDescription> target = findTarget(getOperation(), "");
  if (failed(target))
    return signalPassFailure();
  SymbolTable symbols(getOperation());
  SmallVector<FunctionOpInterface> functions(
      getOperation().getOps<FunctionOpInterface>());
  // What runs once, when a program is loaded, is not worth a search.
  llvm::DenseSet<StringRef> loads;
  for (FunctionOpInterface function : functions)
    if (auto load = function->getAttrOfType<FlatSymbolRefAttr>(
            MirageDialect::getLoadAttrName()))
      loads.insert(load.getValue());
  for (FunctionOpInterface function : functions) {
    SmallVector<Block *> blocks;
    if (function->hasAttr(MirageDialect::getSuperoptimizeAttrName()) ||
        loads.contains(function.getName()))
      continue;
    function->walk<WalkOrder::PreOrder>([&](Operation *op) {
      // The operations in these are no kernel graph: bodies of linalg's
      // operations compute with scalars.
      if (isa<kernel::LaunchOp>(op) || isCustomOperator(op) ||
          op->getName().getDialectNamespace() == "linalg")
        return WalkResult::skip();
      for (Region &region : op->getRegions())
        for (Block &block : region)
          if (block.mightHaveTerminator())
            blocks.push_back(&block);
      return WalkResult::advance();
    });
    Tally tally;
    for (Block *block : blocks)
      if (failed(partitionBlock(*block, function, symbols, tally)))
        return signalPassFailure();
    tally.emit(function, *target);
  }
}
