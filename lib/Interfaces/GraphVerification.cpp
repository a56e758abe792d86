//===- GraphVerification.cpp - Constraints of block and thread graphs -----===//
//
// Verifies graph-defined operators, input iterators and output maps. Constraint
// numbers are those of the operations' documentation.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Dialect/Block/IR/BlockDialect.h"
#include "Mirage/Dialect/Thread/IR/ThreadDialect.h"
#include "Mirage/Interfaces/ComputeOpSupport.h"
#include "Mirage/Interfaces/GraphOps.h"

using namespace mlir;
using namespace mirage;

/// Returns the operation's name without its dialect, as constraints are named.
static StringRef getMnemonic(Operation *op) {
  return op->getName().stripDialect();
}

static bool isLoad(Operation *op) {
  return isa<block::LoadOp, thread::LoadOp>(op);
}
static bool isStore(Operation *op) {
  return isa<block::StoreOp, thread::StoreOp>(op);
}
static bool isYield(Operation *op) {
  return isa<block::YieldOp, thread::YieldOp>(op);
}

/// Returns true if `op` is part of a graph of this dialect. The operations of
/// code generation in mirage_thread are part of none.
static bool isGraphOp(Operation *op, StringRef dialect) {
  return op->getName().getDialectNamespace() == dialect &&
         (isa<ComputeOpInterface, GraphDefinedOpInterface, block::ForOp,
              block::AccumulateOp>(op) ||
          isLoad(op) || isStore(op) || isYield(op)) &&
         !isa<thread::ComputeOp>(op);
}

LogicalResult mirage::verifyGraphBody(GraphDefinedOpInterface graph,
                                      StringRef bodyDialect,
                                      StringRef constraint) {
  WalkResult walk =
      graph->getRegion(0).walk<WalkOrder::PreOrder>([&](Operation *op) {
        if (!isGraphOp(op, bodyDialect)) {
          op->emitOpError() << "stands in the body of a " << graph->getName()
                            << ", which holds the graph's operators of "
                            << bodyDialect << " only (" << constraint << ")";
          return WalkResult::interrupt();
        }
        return isa<GraphDefinedOpInterface>(op) ? WalkResult::skip()
                                                : WalkResult::advance();
      });
  return failure(walk.wasInterrupted());
}

LogicalResult mirage::verifyThreads(Operation *op, ArrayRef<int64_t> threads,
                                    StringRef constraint) {
  constexpr int64_t mostThreads = 1024;
  std::optional<int64_t> count = checkedElementCount(threads);
  if (threads.empty() || threads.size() > 3 || !count || *count > mostThreads ||
      llvm::any_of(threads, [](int64_t extent) { return extent < 1; }))
    return op->emitOpError()
           << "threads (" << threads
           << ") must be one to three positive extents whose product is at "
              "most "
           << mostThreads << " (" << constraint << ")";
  return success();
}

LogicalResult mirage::verifyGraph(GraphDefinedOpInterface graph,
                                  StringRef bodyDialect) {
  std::string name = getMnemonic(graph).str();
  Block &body = graph->getRegion(0).front();
  if (TypeRange(body.getArgumentTypes()) != graph->getOperandTypes())
    return graph->emitOpError("body arguments have other types than the "
                              "operands (")
           << name << "_c2)";
  for (auto [i, type] : llvm::enumerate(graph->getOperandTypes()))
    if (failed(verifyTensorType(graph, type, "operand " + std::to_string(i))))
      return failure();

  Operation *yield = body.empty() ? nullptr : &body.back();
  if (!yield || !isYield(yield))
    return graph->emitOpError("body does not end with a ")
           << bodyDialect << ".yield (" << name << "_c3)";
  if (yield->getOperandTypes() != graph->getResultTypes())
    return yield->emitOpError()
           << "yields (" << yield->getOperandTypes() << ") where the "
           << graph->getName() << " returns (" << graph->getResultTypes()
           << ") (" << name << "_c3)";
  for (Value value : yield->getOperands())
    if (!value.getDefiningOp() || !isStore(value.getDefiningOp()))
      return yield->emitOpError("yields a value that is no result of a store (")
             << name << "_c3)";
  for (BlockArgument argument : body.getArguments())
    for (Operation *user : argument.getUsers())
      if (!isLoad(user))
        return user->emitOpError()
               << "uses argument " << argument.getArgNumber()
               << " of the graph directly; take each " << graph.getPointName()
               << "'s part of it with " << bodyDialect << ".load (" << name
               << "_c4)";
  for (Operation &op : body)
    if (isStore(&op))
      for (Operation *user : op.getUsers())
        if (user != yield)
          return user->emitOpError("uses the result of a store, which exists "
                                   "after the graph has run (")
                 << name << "_c4)";
  return verifyGraphBody(graph, bodyDialect, name + "_c5");
}

/// Checks that there is one entry for each grid dimension, and none twice for
/// one tensor dimension. The constraints are `first` (number of entries) and
/// `unique` of loads and stores.
static LogicalResult verifyMap(Operation *op, GraphDefinedOpInterface graph,
                               ArrayRef<int64_t> map, StringRef mapName,
                               unsigned first, unsigned unique) {
  StringRef name = getMnemonic(op);
  size_t gridRank = graph.getExtents().size();
  for (size_t dim = 0; dim < gridRank; ++dim)
    if (dim >= map.size() || map[dim] == kMissing)
      return op->emitOpError()
             << mapName << " has no entry for " << graph.getExtentsName()
             << " dimension " << getGridDimName(dim) << " ("
             << graph.getExtents()[dim] << " " << graph.getPointName()
             << "s); write '" << getGridDimName(dim)
             << " -> d' for a dimension d of the "
             << (mapName == "imap"              ? "source, or phi"
                 : isa<kernel::LaunchOp>(graph) ? "result, sum or max"
                                                : "result")
             << " (" << name << "_c" << first << ")";
  if (map.size() > gridRank)
    return op->emitOpError()
           << mapName << " has " << map.size() << " entries, but there are "
           << gridRank << " " << graph.getExtentsName() << " dimensions ("
           << name << "_c" << first << ")";
  for (size_t dim = 0; dim < gridRank; ++dim)
    for (size_t other = 0; other < dim; ++other)
      if (map[dim] >= 0 && map[dim] == map[other])
        return op->emitOpError()
               << mapName << " maps " << graph.getExtentsName()
               << " dimensions " << getGridDimName(other) << " and "
               << getGridDimName(dim) << " to tensor dimension " << map[dim]
               << " (" << name << "_c" << unique << ")";
  return success();
}

LogicalResult mirage::verifyLoad(Operation *op, ArrayRef<int64_t> imap,
                                 ArrayRef<int64_t> fmap, ValueRange loops) {
  GraphDefinedOpInterface graph = getGraph(op);
  if (!graph)
    return op->emitOpError("stands outside of a graph (load_c1)");
  Value source = op->getOperand(0);
  auto argument = dyn_cast<BlockArgument>(source);
  if (!argument || argument.getOwner()->getParentOp() != graph)
    return op->emitOpError("source is no argument of the surrounding ")
           << graph->getName() << " (load_c1)";
  for (Type type : {source.getType(), op->getResult(0).getType()})
    if (failed(verifyTensorType(op, type, "tensor")))
      return failure();
  if (failed(verifyMap(op, graph, imap, "imap", 2, 4)))
    return failure();

  auto sourceType = cast<RankedTensorType>(source.getType());
  auto verifyEntry = [&](int64_t entry, const Twine &map) -> LogicalResult {
    if (entry == kReplica || (entry >= 0 && entry < sourceType.getRank()))
      return success();
    return op->emitOpError() << map << " to " << getMapEntryName(entry)
                             << ", which is neither phi nor a dimension of "
                             << sourceType << " (load_c3)";
  };
  for (auto [dim, entry] : llvm::enumerate(imap))
    if (failed(verifyEntry(entry, "imap maps " + graph.getExtentsName() +
                                      " dimension " + getGridDimName(dim))))
      return failure();

  SmallVector<int64_t> loopExtents;
  SmallVector<Value> variables;
  getEnclosingLoops(op, loopExtents, variables);
  if (fmap.size() != variables.size() || !llvm::equal(loops, variables))
    return op->emitOpError()
           << "fmap needs one entry for each of the " << variables.size()
           << " loops around it, outermost first (load_c6)";
  for (int64_t entry : fmap)
    if (failed(verifyEntry(entry, "fmap maps a loop")))
      return failure();

  SmallVector<DimPartition, 4> dims = getPartition(
      sourceType.getShape(), imap, graph.getExtents(), fmap, loopExtents);
  Shape expected;
  for (auto [i, dim] : llvm::enumerate(dims)) {
    if (dim.gridDim && dim.size % dim.gridExtent)
      return op->emitOpError()
             << "imap maps " << graph.getExtentsName() << " dimension "
             << getGridDimName(*dim.gridDim) << " (" << dim.gridExtent << " "
             << graph.getPointName() << "s) to tensor dimension " << i
             << " of size " << dim.size << ", which " << dim.gridExtent
             << " does not divide (load_c5)";
    int64_t part = dim.size / dim.gridExtent;
    for (int64_t extent : dim.loopExtents) {
      if (part % extent)
        return op->emitOpError()
               << "fmap maps a loop of " << extent
               << " iterations to tensor dimension " << i << ", of which "
               << part << " elements are left and " << extent
               << " does not divide them (load_c5)";
      part /= extent;
    }
    expected.push_back(part);
  }
  auto expectedType =
      RankedTensorType::get(expected, sourceType.getElementType());
  if (op->getResult(0).getType() != expectedType)
    return op->emitOpError()
           << "result has type " << op->getResult(0).getType() << ", but each "
           << graph.getPointName() << "'s part has type " << expectedType
           << " (load_c7)";
  return success();
}

LogicalResult mirage::verifyStore(Operation *op, ArrayRef<int64_t> omap) {
  auto graph = dyn_cast_or_null<GraphDefinedOpInterface>(op->getParentOp());
  if (!graph)
    return op->emitOpError("does not stand directly in the body of a graph "
                           "(store_c1)");
  if (failed(verifyMap(op, graph, omap, "omap", 2, 4)))
    return failure();
  auto valueType = cast<RankedTensorType>(op->getOperand(0).getType());
  auto resultType = cast<RankedTensorType>(op->getResult(0).getType());
  for (Type type : {Type(valueType), Type(resultType)})
    if (failed(verifyTensorType(op, type, "tensor")))
      return failure();
  Shape expected(valueType.getShape());
  bool sums = false, maxima = false;
  for (auto [dim, entry] : llvm::enumerate(omap)) {
    int64_t extent = graph.getExtents()[dim];
    sums |= entry == kReduceSum;
    maxima |= entry == kReduceMax;
    if (entry == kReduceSum || entry == kReduceMax)
      continue;
    if (entry == kReplica) {
      if (extent != 1)
        return op->emitOpError()
               << "omap maps " << graph.getExtentsName() << " dimension "
               << getGridDimName(dim) << " to phi, so " << extent << " "
               << graph.getPointName()
               << "s would write the same elements; map it to a dimension"
               << " of the result"
               << (isa<kernel::LaunchOp>(graph) ? ", to sum or to max" : "")
               << " (store_c3)";
      continue;
    }
    if (entry < 0 || entry >= resultType.getRank() ||
        entry >= static_cast<int64_t>(expected.size()))
      return op->emitOpError()
             << "omap maps " << graph.getExtentsName() << " dimension "
             << getGridDimName(dim) << " to " << getMapEntryName(entry)
             << ", which is no dimension of " << resultType << " (store_c3)";
    if (llvm::MulOverflow(expected[entry], extent, expected[entry]))
      return op->emitOpError("result size exceeds 64 bits (op_c2)");
  }
  if (sums && maxima)
    return op->emitOpError("omap holds both sum and max (store_c6)");
  auto expectedType =
      RankedTensorType::get(expected, valueType.getElementType());
  if (resultType != expectedType)
    return op->emitOpError()
           << "result has type " << resultType << ", but the "
           << graph.getPointName() << "s' values together have type "
           << expectedType << " (store_c5)";
  return success();
}
