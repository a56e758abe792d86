//===- ImportMuGraph.cpp - µGraphs from IR --------------------------------===//
//
// Every operation becomes a node; calls become what they call, and custom
// operators what they mean.
//
//===----------------------------------------------------------------------===//

#include "Mirage/MuGraph/IR/ImportMuGraph.h"
#include "Mirage/Dialect/Block/IR/BlockDialect.h"
#include "Mirage/Dialect/Kernel/IR/KernelDialect.h"
#include "Mirage/Dialect/Thread/IR/ThreadDialect.h"
#include "Mirage/Interfaces/ComputeOpSupport.h"
#include "Mirage/Interfaces/GraphOps.h"
#include "Mirage/Interfaces/Meaning.h"
#include "Operators.h"

using namespace mlir;
using namespace mirage;

/// Nodes and calls of one function, with all that it calls: functions that call
/// others twice have exponentially many.
static constexpr size_t kMaxOperations = 200'000;

namespace {
class Importer {
public:
  FailureOr<ImportedGraph> run(func::FuncOp function) {
    if (failed(enter(function, function)))
      return failure();
    for (auto [argument, type] :
         llvm::zip(function.getArguments(), function.getArgumentTypes()))
      addArgument(0, argument);
    FailureOr<ValueRange> results = readBody(function, 0);
    if (failed(results))
      return failure();
    imported.graph.setResults(0, map(*results));
    return std::move(imported);
  }

private:
  MuGraph &graph() { return imported.graph; }

  SmallVector<MuValue> map(ValueRange list) {
    return llvm::map_to_vector(list, [&](Value v) { return values[v]; });
  }
  MuValue addValue(Value value) {
    auto type = cast<RankedTensorType>(value.getType());
    return values[value] = graph().addValue(
               type.getShape(), *convertElementType(type.getElementType()));
  }
  void addArgument(unsigned region, Value value) {
    auto type = cast<RankedTensorType>(value.getType());
    values[value] = graph().addArgument(
        region, type.getShape(), *convertElementType(type.getElementType()));
  }
  MuNode createNode(Operation &op, MuNode::Kind kind) {
    MuNode node;
    node.kind = kind;
    node.location = imported.operations.size();
    imported.operations.push_back(customOperator ? customOperator : &op);
    return node;
  }

  LogicalResult enter(func::FuncOp function, Operation *caller);
  /// Reads a function and returns what it returns.
  FailureOr<ValueRange> readBody(func::FuncOp function, unsigned region);
  LogicalResult readBlock(Block &block, unsigned region,
                          bool hasTerminator = true);
  LogicalResult readOperation(Operation &op, unsigned region);
  LogicalResult readOperator(Operation &op, unsigned region);
  LogicalResult readCustomOperator(MuGraphOpInterface op, unsigned region);
  LogicalResult readCall(func::CallOp call, unsigned region);
  LogicalResult readGraph(GraphDefinedOpInterface op, unsigned region);
  LogicalResult readLoop(block::ForOp loop, unsigned region);
  LogicalResult readLoad(Operation &op, ArrayRef<int64_t> imap,
                         ArrayRef<int64_t> fmap, unsigned region);
  /// Adds a node whose operands are the first `count` of the operation's.
  void add(Operation &op, MuNode node, unsigned count, unsigned region) {
    for (Value operand : op.getOperands().take_front(count))
      node.operands.push_back(values[operand]);
    for (Value result : op.getResults())
      node.results.push_back(addValue(result));
    graph().addNode(region, std::move(node));
  }

  ImportedGraph imported;
  llvm::DenseMap<Value, MuValue> values;
  /// Calls of a function share its constants.
  llvm::DenseMap<Operation *, Operator> operators;
  /// Also kept because `operators` and `values` know what is in them.
  llvm::DenseMap<Operation *, Meaning> meanings;
  /// The operator whose meaning is being read.
  Operation *customOperator = nullptr;
  llvm::SetVector<func::FuncOp> active;
  size_t numCalls = 0;
};
} // namespace

LogicalResult Importer::enter(func::FuncOp function, Operation *caller) {
  if (function.isExternal())
    return emitNotExecuted(caller)
           << ": @" << function.getName() << " has no body";
  if (!active.insert(function))
    return emitNotExecuted(caller)
           << ": the call of @" << function.getName() << " is recursive";
  std::string error;
  for (Type type : llvm::concat<const Type>(function.getArgumentTypes(),
                                            function.getResultTypes()))
    if (failed(importType(type, error)))
      return function.emitError() << "the interpreter does not execute @"
                                  << function.getName() << ": " << error;
  return success();
}

FailureOr<ValueRange> Importer::readBody(func::FuncOp function,
                                         unsigned region) {
  if (failed(readBlock(function.front(), region)))
    return failure();
  // Branches are not executed.
  Operation *terminator = function.front().getTerminator();
  if (!isa<func::ReturnOp>(terminator))
    return emitNotExecuted(terminator);
  return ValueRange(terminator->getOperands());
}

LogicalResult Importer::readBlock(Block &block, unsigned region,
                                  bool hasTerminator) {
  auto end = hasTerminator ? std::prev(block.end()) : block.end();
  for (Operation &op : llvm::make_range(block.begin(), end))
    if (failed(readOperation(op, region)))
      return failure();
  return success();
}

LogicalResult Importer::readOperation(Operation &op, unsigned region) {
  // Operations of blocks and threads belong into launches.
  if (region == 0 && getLevel(&op).value_or(Level::Kernel) != Level::Kernel)
    return emitNotExecuted(&op) << " outside of a launch";
  if (auto call = dyn_cast<func::CallOp>(op))
    return readCall(call, region);
  if (auto loop = dyn_cast<block::ForOp>(op))
    return readLoop(loop, region);
  if (failed(checkTypes(&op)))
    return failure();
  if (auto inner = dyn_cast<GraphDefinedOpInterface>(op))
    return readGraph(inner, region);
  if (auto load = dyn_cast<block::LoadOp>(op))
    return readLoad(op, load.getImap(), load.getFmap(), region);
  if (auto load = dyn_cast<thread::LoadOp>(op))
    return readLoad(op, load.getImap(), {}, region);
  if (auto accumulate = dyn_cast<block::AccumulateOp>(op)) {
    MuNode node = createNode(op, MuNode::Kind::Accumulate);
    node.accumulate = accumulate.getKind();
    node.dim = accumulate.getDim().value_or(0);
    add(op, std::move(node), op.getNumOperands(), region);
    return success();
  }
  if (isa<block::StoreOp, thread::StoreOp>(op)) {
    MuNode node = createNode(op, MuNode::Kind::Store);
    auto threadStore = dyn_cast<thread::StoreOp>(op);
    ArrayRef<int64_t> omap = threadStore ? threadStore.getOmap()
                                         : cast<block::StoreOp>(op).getOmap();
    node.omap.assign(omap.begin(), omap.end());
    add(op, std::move(node), 1, region);
    return success();
  }
  return readOperator(op, region);
}

LogicalResult Importer::readOperator(Operation &op, unsigned region) {
  if (isCustomOperator(&op))
    return readCustomOperator(cast<MuGraphOpInterface>(op), region);
  auto [known, isNew] = operators.try_emplace(&op);
  if (isNew) {
    FailureOr<Operator> read = getOperator(&op);
    if (failed(read))
      return failure();
    known->second = std::move(*read);
  }
  const Operator &what = known->second;
  MuNode node = createNode(op, MuNode::Kind::Operator);
  unsigned location = node.location;
  if (!what.resultShape) {
    node.op = what.kind;
    node.attributes = what.attributes;
    add(op, std::move(node), op.getNumOperands(), region);
    return success();
  }
  // A slice that also drops dimensions is two operators.
  MuValue sliced =
      graph().addOperator(region, what.kind, what.attributes,
                          map(op.getOperands()), what.type, location);
  OpAttributes reshape;
  reshape.resultShape = *what.resultShape;
  values[op.getResult(0)] = graph().addOperator(
      region, OpKind::Reshape, reshape, {sliced}, what.type, location);
  return success();
}

LogicalResult Importer::readCustomOperator(MuGraphOpInterface op,
                                           unsigned region) {
  auto known = meanings.find(op);
  if (known == meanings.end()) {
    FailureOr<Meaning> meaning = Meaning::get(op);
    if (failed(meaning))
      return failure();
    known = meanings.try_emplace(op, std::move(*meaning)).first;
  }
  const Meaning &meaning = known->second;
  Block &body = meaning.getBody();
  if (imported.operations.size() + body.getOperations().size() > kMaxOperations)
    return emitNotExecuted(op) << ": with all operators in the place of their "
                                  "meanings, there are more than "
                               << kMaxOperations << " operations";
  for (auto [argument, operand] :
       llvm::zip_equal(body.getArguments(), op->getOperands()))
    values[argument] = values.at(operand);
  customOperator = op;
  LogicalResult status = readBlock(body, region, /*hasTerminator=*/false);
  customOperator = nullptr;
  if (failed(status))
    return failure();
  for (auto [result, inner] :
       llvm::zip_equal(op->getResults(), meaning.getResults()))
    values[result] = values.at(inner);
  return success();
}

LogicalResult Importer::readCall(func::CallOp call, unsigned region) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      call, call.getCalleeAttr());
  if (!callee)
    return emitNotExecuted(call)
           << ": @" << call.getCallee() << " is no function";
  if (++numCalls + imported.operations.size() > kMaxOperations)
    return emitNotExecuted(call) << ": with all calls in the place of their "
                                    "functions, there are more "
                                    "than "
                                 << kMaxOperations << " operations";
  if (failed(enter(callee, call)))
    return failure();
  for (auto [argument, operand] :
       llvm::zip(callee.getArguments(), call.getOperands()))
    values[argument] = values[operand];
  FailureOr<ValueRange> results = readBody(callee, region);
  if (failed(results))
    return failure();
  for (auto [result, inner] : llvm::zip_equal(call.getResults(), *results))
    values[result] = values[inner];
  active.remove(callee);
  return success();
}

LogicalResult Importer::readGraph(GraphDefinedOpInterface op, unsigned region) {
  if (!isa<kernel::LaunchOp, block::ThreadGraphOp>(op.getOperation()))
    return emitNotExecuted(op);
  MuNode node = createNode(*op, MuNode::Kind::Graph);
  node.extents.assign(op.getExtents().begin(), op.getExtents().end());
  node.body = graph().addRegion();
  unsigned body = node.body;
  Block &block = op->getRegion(0).front();
  for (Value argument : block.getArguments())
    addArgument(body, argument);
  if (failed(readBlock(block, body)))
    return failure();
  graph().setResults(body, map(block.getTerminator()->getOperands()));
  add(*op, std::move(node), op->getNumOperands(), region);
  return success();
}

LogicalResult Importer::readLoop(block::ForOp loop, unsigned region) {
  MuNode node = createNode(*loop, MuNode::Kind::Loop);
  node.extents = {static_cast<int64_t>(loop.getExtent())};
  node.body = graph().addRegion();
  unsigned body = node.body;
  Block &block = loop.getBody().front();
  if (failed(readBlock(block, body)))
    return failure();
  graph().setResults(body, map(block.getTerminator()->getOperands()));
  add(*loop, std::move(node), 0, region);
  return success();
}

LogicalResult Importer::readLoad(Operation &op, ArrayRef<int64_t> imap,
                                 ArrayRef<int64_t> fmap, unsigned region) {
  SmallVector<int64_t> extents;
  SmallVector<Value> variables;
  getEnclosingLoops(&op, extents, variables);
  auto source = cast<RankedTensorType>(op.getOperand(0).getType());
  MuNode node = createNode(op, MuNode::Kind::Load);
  node.partition = getPartition(source.getShape(), imap,
                                getGraph(&op).getExtents(), fmap, extents);
  add(op, std::move(node), 1, region);
  return success();
}

FailureOr<ImportedGraph> mirage::importMuGraph(func::FuncOp function) {
  return Importer().run(function);
}

FailureOr<ImportedGraph> mirage::importMuGraph(func::FuncOp function,
                                               std::string &reason,
                                               Location &loc) {
  if (function.isExternal()) {
    reason = "it has no body";
    return failure();
  }
  ScopedDiagnosticHandler handler(function.getContext(),
                                  [&](Diagnostic &diagnostic) {
                                    if (reason.empty()) {
                                      reason = diagnostic.str();
                                      loc = diagnostic.getLocation();
                                    }
                                    return success();
                                  });
  return importMuGraph(function);
}
