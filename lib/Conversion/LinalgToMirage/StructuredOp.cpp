//===- StructuredOp.cpp - Operations as loops, maps and scalar graphs -----===//
//
// Reads linalg operations and elementwise operations on tensors. Their loops,
// maps, regions and operands come in. A StructuredOp comes out, or several that
// follow one another where the body branches on a loop's index, or the reason
// why the operation has no counterpart.
//
//===----------------------------------------------------------------------===//

#include "StructuredOp.h"
#include "BodyReader.h"

using namespace mlir;
using namespace mirage;

/// Reads the body for the loops of a window; where it branches within, says
/// where.
static FailureOr<StructuredOp>
readWindow(Importer &importer, linalg::LinalgOp linalg, const Window &window,
           std::optional<std::pair<unsigned, int64_t>> &split) {
  llvm::SmallBitVector reductions(linalg.getNumLoops());
  for (auto [i, type] : llvm::enumerate(linalg.getIteratorTypesArray()))
    if (type == utils::IteratorType::reduction)
      reductions.set(i);
  StructuredOp op(window, reductions);
  BodyReader reader(importer, op, linalg);
  for (auto [i, init] : llvm::enumerate(linalg.getDpsInitsMutable())) {
    Value original = linalg->getResult(i);
    if (original.use_empty())
      continue;
    if (auto why = explainUnsupported(original.getType(), /*orCondition=*/true))
      return importer.refuse(*why);
    StructuredResult result;
    result.original = original;
    result.isCondition = getElementTypeOrSelf(original).isInteger(1);
    FailureOr<MapLabels> labels =
        reader.readMap(linalg.getMatchingIndexingMap(&init),
                       cast<ShapedType>(original.getType()));
    if (failed(labels))
      return failure();
    result.labels = *labels;
    for (size_t dim = 0; dim < op.ranges.size(); ++dim)
      if (op.ranges[dim] != 1 &&
          op.isReduction(dim) == llvm::is_contained(result.labels, dim))
        return importer.refuse("loop " + Twine(dim) + " is " +
                               (op.isReduction(dim)
                                    ? "a reduction that indexes a result"
                                    : "parallel but indexes no result"));
    if (op.reductions.any()) {
      result.init = init.get();
      if (result.init.getDefiningOp<tensor::EmptyOp>())
        return importer.refuse("it accumulates into a tensor.empty");
      FailureOr<unsigned> accumulator =
          reader.readOperand(init.getOperandNumber());
      if (failed(accumulator))
        return failure();
      reader.nodes[linalg.getMatchingBlockArgument(&init)] = *accumulator;
      result.accumulator = op.graph[*accumulator].operand;
    }
    op.results.push_back(result);
  }
  for (StructuredResult &result : op.results) {
    unsigned number = cast<OpResult>(result.original).getResultNumber();
    FailureOr<unsigned> node =
        reader.read(linalg.getBlock()->getTerminator()->getOperand(number));
    if (failed(node)) {
      split = reader.split;
      return failure();
    }
    result.node = *node;
    result.type = op.graph[*node].type;
  }
  return op;
}

LogicalResult mirage::readStructuredOp(Importer &importer,
                                       linalg::LinalgOp linalg,
                                       SmallVectorImpl<StructuredOp> &parts,
                                       std::optional<unsigned> &splitLoop) {
  SmallVector<int64_t> ranges = linalg.getStaticLoopRanges();
  int64_t points = 8;
  for (int64_t range : ranges) {
    if (ShapedType::isDynamic(range))
      return importer.refuse("it has a dynamic shape");
    if (llvm::MulOverflow(points, range, points))
      return importer.refuse("its iteration space exceeds 64 bits");
  }
  if (points == 0)
    return importer.refuse("its iteration space is empty");

  constexpr size_t mostParts = 32;
  splitLoop.reset();
  Window whole{SmallVector<int64_t>(ranges.size(), 0), ranges};
  SmallVector<Window> pending{whole};
  while (!pending.empty()) {
    Window window = pending.pop_back_val();
    std::optional<std::pair<unsigned, int64_t>> split;
    FailureOr<StructuredOp> op = readWindow(importer, linalg, window, split);
    if (succeeded(op)) {
      parts.push_back(std::move(*op));
      continue;
    }
    if (!split || (splitLoop && splitLoop != split->first) ||
        linalg.getNumReductionLoops() ||
        parts.size() + pending.size() >= mostParts)
      return failure();
    unsigned loop = split->first;
    splitLoop = loop;
    Window first = window, second = window;
    first.ranges[loop] = split->second - window.starts[loop];
    second.starts[loop] = split->second;
    second.ranges[loop] -= first.ranges[loop];
    pending.push_back(second);
    pending.push_back(first);
  }
  return success();
}

FailureOr<StructuredOp> mirage::readElementwiseOp(Importer &importer,
                                                  Operation *operation) {
  Value original = operation->getResult(0);
  if (auto why = explainUnsupported(original.getType(), /*orCondition=*/true))
    return importer.refuse(*why);
  auto type = cast<RankedTensorType>(original.getType());
  SmallVector<int64_t> starts(type.getRank(), 0);
  StructuredOp op({starts, SmallVector<int64_t>(type.getShape())},
                  llvm::SmallBitVector(type.getRank()));
  auto loops = llvm::seq<unsigned>(0, type.getRank());
  MapLabels labels(loops.begin(), loops.end());

  BodyReader reader(importer, op, nullptr);
  for (Value operand : operation->getOperands()) {
    if (!isa<ShapedType>(operand.getType()))
      continue;
    if (failed(importer.checkOperand(operand)))
      return failure();
    std::optional<double> splat = importer.getSplat(operand);
    reader.nodes[operand] =
        splat ? op.graph.addSplat(importer.getFloatType(operand), *splat)
              : reader.addOperand({operand, labels, {}});
  }
  FailureOr<unsigned> node = reader.readOperation(operation);
  if (failed(node))
    return failure();
  StructuredResult result;
  result.original = original;
  result.labels = labels;
  result.node = *node;
  result.type = op.graph[*node].type;
  result.isCondition = getElementTypeOrSelf(original).isInteger(1);
  op.results.push_back(result);
  return op;
}
