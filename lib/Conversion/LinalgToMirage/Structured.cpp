//===- Structured.cpp - Elementwise operations and reductions -------------===//
//
// Converts structured operations: those with only parallel loops become
// elementwise operators, accumulations become elementwise operators and reduce
// or matmul.
//
//===----------------------------------------------------------------------===//

#include "StructuredOp.h"

using namespace mlir;
using namespace mirage;

/// Collects in `terms` what is combined with the accumulator in `node`: numbers
/// that don't depend on it, all by the operator `combiner`, which is found.
static LogicalResult collectTerms(ScalarGraph &graph, unsigned node,
                                  unsigned accumulator,
                                  std::optional<OpKind> &combiner,
                                  SmallVectorImpl<unsigned> &terms,
                                  FloatType &type) {
  const ScalarNode &n = graph[node];
  if (n.form == ScalarNode::Form::Operand)
    return success(n.operand == accumulator);
  if (n.form != ScalarNode::Form::Apply)
    return failure();
  // A rounding between two accumulations is passed over: leaving it out refines
  // the result.
  if (n.kind == OpKind::Cast)
    return collectTerms(graph, n.args[0], accumulator, combiner, terms, type);
  OpKind kind = n.kind == OpKind::Sub ? OpKind::Add : n.kind;
  if ((kind != OpKind::Add && kind != OpKind::Max && kind != OpKind::Min) ||
      (combiner && *combiner != kind) || n.args.size() != 2)
    return failure();
  unsigned lhs = n.args[0], rhs = n.args[1];
  bool inLhs = graph.dependsOn(lhs, accumulator);
  if (inLhs == graph.dependsOn(rhs, accumulator))
    return failure();
  unsigned term = inLhs ? rhs : lhs;
  if (n.kind == OpKind::Sub) {
    if (!inLhs)
      return failure();
    term = graph.applyScalar(OpKind::Scale, term, -1.0);
  }
  if (!type || graph.getWidth(term) > type.getWidth())
    type = graph[term].type;
  combiner = kind;
  terms.push_back(term);
  return collectTerms(graph, inLhs ? lhs : rhs, accumulator, combiner, terms,
                      type);
}

std::optional<Accumulation>
mirage::matchAccumulation(ScalarGraph &graph, const StructuredResult &result) {
  std::optional<OpKind> combiner;
  SmallVector<unsigned> terms;
  FloatType type;
  if (failed(collectTerms(graph, result.node, *result.accumulator, combiner,
                          terms, type)) ||
      !combiner)
    return std::nullopt;
  unsigned value = graph.cast(terms.front(), type);
  for (unsigned term : ArrayRef(terms).drop_front())
    value = graph.apply(*combiner, {value, graph.cast(term, type)});
  // The accumulator of another result does not take part either.
  return Accumulation{*combiner, value, type};
}

namespace {
/// Emits the results of one operation whose loops include reductions.
struct ReductionEmitter {
  Importer &importer;
  TensorBuilder &builder;
  StructuredOp &op;
  Emitter emitter{importer, op, builder};

  /// Returns the accumulated value over the loops `labels`, not yet combined
  /// with what the result starts as.
  Value emitReduction(const Accumulation &what, Type elementType,
                      Labels &labels) {
    bool isMin = what.combiner == OpKind::Min;
    bool isSum = what.combiner == OpKind::Add;
    labels = emitter.getNaturalOrder(what.value);
    for (size_t dim = 0; dim < op.ranges.size(); ++dim)
      if (!llvm::is_contained(labels, dim) && !op.isReduction(dim))
        labels.push_back(dim);
    Value value = emitter.emit(what.value, labels);
    if (isMin)
      value = builder.scale(value, -1.0);
    value = builder.reduce(
        value, labels, [&](unsigned dim) { return op.isReduction(dim); },
        isSum ? ReduceKind::Sum : ReduceKind::Max,
        isSum ? elementType : Type());
    if (isMin)
      value = builder.scale(value, -1.0);
    // Loops that the value does not depend on add it that many times.
    double times = 1.0;
    for (unsigned dim : op.reductions.set_bits())
      if (!op.graph[what.value].dims.test(dim))
        times *= static_cast<double>(op.ranges[dim]);
    return isSum ? builder.scale(value, times) : value;
  }

  void emit(const StructuredResult &result, const Accumulation &what) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    double neutral = what.combiner == OpKind::Add   ? 0.0
                     : what.combiner == OpKind::Max ? -infinity
                                                    : infinity;
    if (result.isCondition)
      neutral = what.combiner == OpKind::Min ? 1.0 : 0.0;
    std::optional<double> splat = importer.getSplat(result.init);
    bool startsNeutral = splat && *splat == neutral;
    Type elementType = result.type;
    // Where nothing is added, a sum is rounded to the result's type at once.
    Type sumType = startsNeutral ? elementType : Type(what.type);

    Labels labels;
    Value value;
    if (what.combiner == OpKind::Add)
      value =
          emitContraction(emitter, builder, op, result, what, sumType, labels);
    if (!value) {
      bool widens = mayAccumulateIn(sumType, what.type);
      value = emitReduction(what, widens ? sumType : Type(what.type), labels);
    }
    if (!startsNeutral) {
      Value init =
          splat ? builder.splat(what.type, Shape(labels.size(), 1), *splat)
                : builder.cast(
                      emitter.align(op.operands[*result.accumulator], labels),
                      what.type);
      value = builder.apply(what.combiner, {},
                            {builder.cast(value, what.type), init});
    }
    importer.map(
        result.original,
        emitter.finish(result, builder.cast(value, elementType), labels));
  }
};
} // namespace

/// Emits an operation of parallel loops, of which `parts` follow one another
/// along `splitLoop`.
static void emitElementwise(Importer &importer, TensorBuilder &builder,
                            ArrayRef<StructuredOp> parts,
                            std::optional<unsigned> splitLoop) {
  std::vector<Emitter> emitters;
  for (const StructuredOp &part : parts)
    emitters.emplace_back(importer, part, builder);
  for (auto [i, result] : llvm::enumerate(parts.front().results)) {
    SmallVector<Value> values;
    for (auto [part, emitter] : llvm::zip(parts, emitters)) {
      // The order is that of the first result, so that results share what they
      // can.
      Labels order = getLabels(part.results.front().labels);
      const StructuredResult &piece = part.results[i];
      Value value = emitter.emit(piece.node, order);
      values.push_back(
          emitter.finish(piece, builder.cast(value, result.type), order));
    }
    Value value = values.front();
    if (values.size() > 1) {
      OpAttributes attrs;
      attrs.dim = llvm::find(result.labels, splitLoop) - result.labels.begin();
      value = builder.apply(OpKind::Concat, attrs, values);
    }
    importer.map(result.original, value);
  }
}

LogicalResult mirage::convertStructured(Importer &importer,
                                        linalg::LinalgOp linalg) {
  SmallVector<StructuredOp, 1> parts;
  std::optional<unsigned> splitLoop;
  if (failed(readStructuredOp(importer, linalg, parts, splitLoop)))
    return failure();
  OpBuilder opBuilder(linalg);
  TensorBuilder builder(opBuilder, linalg.getLoc());
  StructuredOp *op = &parts.front();
  if (op->reductions.none()) {
    emitElementwise(importer, builder, parts, splitLoop);
    return success();
  }

  SmallVector<Accumulation> accumulations;
  for (const StructuredResult &result : op->results) {
    std::optional<Accumulation> what = matchAccumulation(op->graph, result);
    for (const StructuredResult &other : op->results)
      if (what && op->graph.dependsOn(what->value, *other.accumulator))
        what.reset();
    if (!what)
      return importer.refuse("its body does not accumulate by one addition, "
                             "maximum or minimum");
    accumulations.push_back(*what);
  }
  ReductionEmitter emitter{importer, builder, *op};
  for (auto [result, what] : llvm::zip(op->results, accumulations))
    emitter.emit(result, what);
  return success();
}

LogicalResult mirage::convertElementwise(Importer &importer, Operation *op) {
  FailureOr<StructuredOp> read = readElementwiseOp(importer, op);
  if (failed(read))
    return failure();
  OpBuilder opBuilder(op);
  TensorBuilder builder(opBuilder, op->getLoc());
  const StructuredResult &result = read->results.front();
  Emitter emitter(importer, *read, builder);
  Labels labels = getLabels(result.labels);
  importer.map(
      result.original,
      emitter.finish(result, emitter.emit(result.node, labels), labels));
  return success();
}

LogicalResult mirage::convertSoftmax(Importer &importer, linalg::SoftmaxOp op) {
  if (op->getNumResults() == 0)
    return importer.refuse("it works on memrefs");
  if (failed(importer.checkOperand(op.getInput())))
    return failure();
  if (importer.getFloatType(op.getInput()).getWidth() == 8 ||
      op.getInput().getType() != op->getResult(0).getType())
    return importer.refuse("operand and result differ in type, or are f8");
  OpBuilder opBuilder(op);
  TensorBuilder builder(opBuilder, op.getLoc());
  OpAttributes attrs;
  attrs.dim = op.getDimension();
  importer.map(op->getResult(0), builder.apply(OpKind::Softmax, attrs,
                                               importer.lookup(op.getInput())));
  return success();
}
