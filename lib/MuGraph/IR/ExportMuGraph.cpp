//===- ExportMuGraph.cpp - IR from µGraphs --------------------------------===//
//
// Every node becomes an operation. What operations cannot say is found here;
// whether they are legal, by their own verifiers.
//
//===----------------------------------------------------------------------===//

#include "Mirage/MuGraph/IR/ExportMuGraph.h"
#include "ExportOperator.h"
#include "Mirage/Dialect/Block/IR/BlockDialect.h"
#include "Mirage/Dialect/Kernel/IR/KernelDialect.h"
#include "Mirage/Dialect/Thread/IR/ThreadDialect.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace mirage;

static SmallVector<Type> getTensorTypes(MLIRContext *context,
                                        const MuGraph &graph,
                                        ArrayRef<MuValue> list) {
  return llvm::map_to_vector(list, [&](MuValue value) -> Type {
    return getTensorType(context, graph.getValue(value));
  });
}

namespace {
/// What stands around a node.
struct Scope {
  Level level = Level::Kernel;
  /// Extents of the graph, and of its loops from the outermost.
  SmallVector<int64_t, 3> extents;
  SmallVector<int64_t, 2> loopExtents;
  SmallVector<Value, 2> variables;
};

class Exporter {
public:
  Exporter(const MuGraph &graph, OpBuilder &builder, Location loc)
      : graph(graph), builder(builder), loc(loc) {}

  FailureOr<SmallVector<Value>> run(ValueRange inputs);

private:
  InFlightDiagnostic emitError(unsigned number) {
    return mlir::emitError(loc)
           << "cannot export node " << number << " ("
           << graph.getNode(number).getName() << ") of the graph: ";
  }
  SmallVector<Type> getTypes(ArrayRef<MuValue> list) {
    return getTensorTypes(builder.getContext(), graph, list);
  }
  FailureOr<SmallVector<Value>> map(ArrayRef<MuValue> list);

  /// The nodes of a region, and its results.
  FailureOr<SmallVector<Value>> writeRegion(unsigned region,
                                            const Scope &scope);
  LogicalResult writeNode(unsigned number, const Scope &scope);
  // The operation of a node, with its body.
  FailureOr<Operation *> create(unsigned number, ValueRange operands,
                                const Scope &scope);
  FailureOr<Operation *> createLoad(unsigned number, Value source,
                                    const Scope &scope);
  FailureOr<Operation *> createAccumulate(const MuNode &node,
                                          ValueRange operands);
  template <typename GraphOp, typename YieldOp>
  FailureOr<Operation *> createGraph(unsigned number, ValueRange operands,
                                     Level level);
  FailureOr<Operation *> createLoop(unsigned number, const Scope &scope);

  const MuGraph &graph;
  OpBuilder &builder;
  Location loc;
  /// The values that can be seen.
  llvm::DenseMap<MuValue, Value> values;
};
} // namespace

FailureOr<SmallVector<Value>> Exporter::map(ArrayRef<MuValue> list) {
  SmallVector<Value> mapped;
  for (MuValue value : list) {
    mapped.push_back(values.lookup(value));
    if (!mapped.back())
      return mlir::emitError(loc)
             << "cannot export the graph: its value " << value
             << " is used where it is not defined";
  }
  return mapped;
}

FailureOr<SmallVector<Value>> Exporter::writeRegion(unsigned region,
                                                    const Scope &scope) {
  for (unsigned number : graph.getRegion(region).nodes)
    if (failed(writeNode(number, scope)))
      return failure();
  return map(graph.getRegion(region).results);
}

LogicalResult Exporter::writeNode(unsigned number, const Scope &scope) {
  const MuNode &node = graph.getNode(number);
  FailureOr<SmallVector<Value>> operands = map(node.operands);
  if (failed(operands))
    return failure();
  FailureOr<Operation *> op = create(number, *operands, scope);
  if (failed(op))
    return failure();
  for (auto [result, value] :
       llvm::zip_equal(node.results, (*op)->getResults()))
    values[result] = value;
  return success();
}

FailureOr<Operation *> Exporter::create(unsigned number, ValueRange operands,
                                        const Scope &scope) {
  const MuNode &node = graph.getNode(number);
  auto refuse = [&](StringRef reason) { return emitError(number) << reason; };
  switch (node.kind) {
  case MuNode::Kind::Operator:
    return exportOperator(node, getTypes(node.results), scope.level, operands,
                          builder, loc, refuse);
  case MuNode::Kind::Graph:
    if (scope.level == Level::Kernel)
      return createGraph<kernel::LaunchOp, block::YieldOp>(number, operands,
                                                           Level::Block);
    if (scope.level == Level::Block)
      return createGraph<block::ThreadGraphOp, thread::YieldOp>(
          number, operands, Level::Thread);
    return refuse("threads run no graphs");
  case MuNode::Kind::Loop:
    if (scope.level != Level::Block)
      return refuse("loops stand in block graphs only");
    return createLoop(number, scope);
  case MuNode::Kind::Load:
    if (scope.level == Level::Kernel)
      return refuse("it stands outside of graphs");
    return createLoad(number, operands.front(), scope);
  case MuNode::Kind::Accumulate:
    if (scope.variables.empty())
      return refuse("it stands outside of loops");
    return createAccumulate(node, operands);
  case MuNode::Kind::Store: {
    if (scope.level == Level::Kernel)
      return refuse("it stands outside of graphs");
    Type type = getTypes(node.results).front();
    if (scope.level == Level::Thread)
      return thread::StoreOp::create(builder, loc, type, operands.front(),
                                     node.omap)
          .getOperation();
    return block::StoreOp::create(builder, loc, type, operands.front(),
                                  node.omap)
        .getOperation();
  }
  }
  llvm_unreachable("unknown kind of node");
}

FailureOr<Operation *> Exporter::createLoad(unsigned number, Value source,
                                            const Scope &scope) {
  const MuNode &node = graph.getNode(number);
  std::string error;
  std::optional<TileMaps> maps =
      getTileMaps(graph.getShape(node.operands[0]), node.partition,
                  scope.extents, scope.loopExtents, error);
  if (!maps)
    return emitError(number) << error;
  Type type = getTypes(node.results).front();
  if (scope.level == Level::Thread)
    return thread::LoadOp::create(builder, loc, type, source, maps->imap)
        .getOperation();
  return block::LoadOp::create(builder, loc, type, source, maps->imap,
                               scope.variables, maps->fmap)
      .getOperation();
}

FailureOr<Operation *> Exporter::createAccumulate(const MuNode &node,
                                                  ValueRange operands) {
  IntegerAttr dim;
  if (node.accumulate == AccumulateKind::Concat)
    dim = builder.getI64IntegerAttr(node.dim);
  auto kind = AccumulateKindAttr::get(builder.getContext(), node.accumulate);
  Value shift = operands.size() > 1 ? operands[1] : Value();
  return block::AccumulateOp::create(builder, loc,
                                     getTypes(node.results).front(),
                                     operands.front(), shift, kind, dim)
      .getOperation();
}

template <typename GraphOp, typename YieldOp>
FailureOr<Operation *> Exporter::createGraph(unsigned number,
                                             ValueRange operands, Level level) {
  const MuNode &node = graph.getNode(number);
  const MuRegion &body = graph.getRegion(node.body);
  if (body.arguments.size() != operands.size())
    return emitError(number)
           << "it has " << operands.size() << " operands and its body "
           << body.arguments.size() << " arguments";
  auto op = GraphOp::create(builder, loc, getTypes(node.results), operands,
                            node.extents);
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Type> types = getTypes(body.arguments);
  Block *block = builder.createBlock(&op.getBody(), {}, types,
                                     SmallVector<Location>(types.size(), loc));
  // The body is isolated from what is around it.
  auto outer = std::exchange(values, llvm::DenseMap<MuValue, Value>());
  for (auto [argument, value] :
       llvm::zip_equal(body.arguments, block->getArguments()))
    values[argument] = value;
  Scope scope;
  scope.level = level;
  scope.extents = node.extents;
  FailureOr<SmallVector<Value>> results = writeRegion(node.body, scope);
  values = std::move(outer);
  if (failed(results))
    return failure();
  YieldOp::create(builder, loc, *results);
  return op.getOperation();
}

FailureOr<Operation *> Exporter::createLoop(unsigned number,
                                            const Scope &scope) {
  const MuNode &node = graph.getNode(number);
  if (node.extents.size() != 1)
    return emitError(number)
           << "a loop has one extent, not " << node.extents.size();
  auto op = block::ForOp::create(builder, loc, getTypes(node.results),
                                 node.extents.front());
  OpBuilder::InsertionGuard guard(builder);
  Block *block =
      builder.createBlock(&op.getBody(), {}, {builder.getIndexType()}, {loc});
  Scope inner = scope;
  inner.loopExtents.push_back(node.extents.front());
  inner.variables.push_back(block->getArgument(0));
  auto outer = values;
  FailureOr<SmallVector<Value>> results = writeRegion(node.body, inner);
  values = std::move(outer);
  if (failed(results))
    return failure();
  block::YieldOp::create(builder, loc, *results);
  return op.getOperation();
}

FailureOr<SmallVector<Value>> Exporter::run(ValueRange inputs) {
  SmallVector<Type> types = getTypes(graph.getRegion().arguments);
  if (TypeRange(types) != inputs.getTypes())
    return mlir::emitError(loc) << "the graph takes (" << types << "), not ("
                                << inputs.getTypes() << ")";
  for (auto [argument, input] :
       llvm::zip_equal(graph.getRegion().arguments, inputs))
    values[argument] = input;

  // What is built lies between two operations that are there already.
  Block *block = builder.getInsertionBlock();
  Block::iterator end = builder.getInsertionPoint();
  bool isFirst = end == block->begin();
  Block::iterator before = isFirst ? end : std::prev(end);
  FailureOr<SmallVector<Value>> results = writeRegion(0, Scope());
  SmallVector<Operation *> built;
  for (Operation &op :
       llvm::make_range(isFirst ? block->begin() : std::next(before), end))
    built.push_back(&op);
  if (succeeded(results) &&
      llvm::all_of(built, [](Operation *op) { return succeeded(verify(op)); }))
    return results;
  for (Operation *op : llvm::reverse(built))
    op->erase();
  return failure();
}

FailureOr<SmallVector<Value>> mirage::exportMuGraph(const MuGraph &graph,
                                                    ValueRange inputs,
                                                    OpBuilder &builder,
                                                    Location loc) {
  return Exporter(graph, builder, loc).run(inputs);
}

FailureOr<func::FuncOp> mirage::exportFunction(const MuGraph &graph,
                                               StringRef name,
                                               OpBuilder &builder,
                                               Location loc) {
  MLIRContext *context = builder.getContext();
  const MuRegion &body = graph.getRegion();
  auto type =
      builder.getFunctionType(getTensorTypes(context, graph, body.arguments),
                              getTensorTypes(context, graph, body.results));
  auto function = func::FuncOp::create(builder, loc, name, type);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(function.addEntryBlock());
  FailureOr<SmallVector<Value>> results =
      exportMuGraph(graph, function.getArguments(), builder, loc);
  if (failed(results)) {
    function.erase();
    return failure();
  }
  func::ReturnOp::create(builder, loc, *results);
  return function;
}
