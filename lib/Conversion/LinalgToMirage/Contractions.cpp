//===- Contractions.cpp - Sums of products to matmul ----------------------===//
//
// Converts sums of products to products of matrices. In a sum over k of g(…, k)
// h(…, k), loops of both factors and the result are batch dimensions, loops of
// one factor and the result are rows or columns, and loops of both factors that
// are summed are contracted. A matched accumulation comes in, a matmul and the
// layout operators around it come out.
//
//===----------------------------------------------------------------------===//

#include "StructuredOp.h"

using namespace mlir;
using namespace mirage;

namespace {
struct Contraction {
  Contraction(Emitter &emitter, TensorBuilder &builder, const StructuredOp &op)
      : emitter(emitter), builder(builder), op(op) {}

  Emitter &emitter;
  TensorBuilder &builder;
  const StructuredOp &op;

  /// The factors, and the loops of each kind in the order of the result.
  unsigned lhs = 0, rhs = 0;
  Labels batch, rows, columns, contracted;
  double factor = 1.0;

  const ScalarGraph &graph() const { return op.graph; }

  /// Looks through casts to wider types: products are exact in f32.
  unsigned stripWidening(unsigned node) const {
    while (graph().isApply(node, OpKind::Cast)) {
      unsigned arg = graph()[node].args[0];
      if (!isExactlyWider(graph()[node].type, graph()[arg].type))
        break;
      node = arg;
    }
    return node;
  }

  /// Finds the two factors, and a third one that is constant.
  bool matchFactors(unsigned value) {
    for (;;) {
      value = stripWidening(value);
      if (!graph().isApply(value, OpKind::Scale))
        break;
      factor *= graph()[value].attrs.scalar;
      value = graph()[value].args[0];
    }
    if (!graph().isApply(value, OpKind::Mul))
      return false;
    lhs = graph()[value].args[0];
    rhs = graph()[value].args[1];
    return true;
  }

  void classify(const StructuredResult &result) {
    const auto &l = graph()[lhs].dims, &r = graph()[rhs].dims;
    for (unsigned dim : getLabels(result.labels)) {
      if (l.test(dim) && r.test(dim))
        batch.push_back(dim);
      else if (l.test(dim))
        rows.push_back(dim);
      else if (r.test(dim))
        columns.push_back(dim);
    }
    for (unsigned dim : emitter.getNaturalOrder(lhs))
      if (op.isReduction(dim) && r.test(dim))
        contracted.push_back(dim);
  }

  bool hasExtent(unsigned dim) const { return op.ranges[dim] != 1; }
  Labels withExtent(ArrayRef<unsigned> labels) const {
    return llvm::filter_to_vector<6>(
        labels, [&](unsigned dim) { return hasExtent(dim); });
  }
  Labels concat(ArrayRef<unsigned> a, ArrayRef<unsigned> b,
                ArrayRef<unsigned> c) const {
    Labels all(a.begin(), a.end());
    all.append(b.begin(), b.end());
    all.append(c.begin(), c.end());
    return all;
  }
  int64_t product(ArrayRef<unsigned> labels) const {
    int64_t size = 1;
    for (unsigned dim : labels)
      size *= op.ranges[dim];
    return size;
  }

  bool isOnlyIn(unsigned dim, unsigned node, unsigned other) const {
    return op.isReduction(dim) && graph()[node].dims.test(dim) &&
           !graph()[other].dims.test(dim);
  }

  /// Returns the factor `node` as matrices: [batch…, outer, inner]. Where its
  /// elements lie the other way round it stays so, and `transposed` says it.
  Value emitFactor(unsigned node, unsigned other, ArrayRef<unsigned> outer,
                   ArrayRef<unsigned> inner, bool &transposed) {
    Labels labels = emitter.getNaturalOrder(node);
    Value value = emitter.emit(node, labels);
    // Loops that are summed and not in the other factor are summed first.
    value = builder.reduce(
        value, labels, [&](unsigned dim) { return isOnlyIn(dim, node, other); },
        ReduceKind::Sum);
    Labels plain = concat(batch, outer, inner),
           exchanged = concat(batch, inner, outer);
    transposed = withExtent(labels) != withExtent(plain) &&
                 withExtent(labels) == withExtent(exchanged);
    value = builder.arrange(value, labels, transposed ? exchanged : plain);
    Shape shape;
    for (unsigned dim : batch)
      shape.push_back(op.ranges[dim]);
    shape.push_back(product(transposed ? inner : outer));
    shape.push_back(product(transposed ? outer : inner));
    return builder.reshape(value, shape);
  }

  /// Returns true if the loops come out in the order of the result.
  bool isInOrder(const StructuredResult &result, ArrayRef<unsigned> first,
                 ArrayRef<unsigned> second) const {
    Labels labels = getLabels(result.labels);
    Labels order = llvm::filter_to_vector<6>(labels, [&](unsigned dim) {
      return hasExtent(dim) &&
             (graph()[lhs].dims.test(dim) || graph()[rhs].dims.test(dim));
    });
    return withExtent(concat(batch, first, second)) == order;
  }

  Value emit(const StructuredResult &result, Type elementType,
             const Accumulation &what, Labels &labels) {
    if (!isInOrder(result, rows, columns) && isInOrder(result, columns, rows)) {
      std::swap(lhs, rhs);
      std::swap(rows, columns);
    }
    // f16 operands of a product in f32 stay f16, unless they are summed first.
    unsigned narrowLhs = stripWidening(lhs), narrowRhs = stripWidening(rhs);
    bool sumsFirst = llvm::any_of(op.reductions.set_bits(), [&](unsigned dim) {
      return isOnlyIn(dim, lhs, rhs) || isOnlyIn(dim, rhs, lhs);
    });
    if (!sumsFirst && graph()[narrowLhs].type == graph()[narrowRhs].type) {
      lhs = narrowLhs;
      rhs = narrowRhs;
    }
    OpAttributes attrs;
    Value l = emitFactor(lhs, rhs, rows, contracted, attrs.transposeLhs);
    Value r = emitFactor(rhs, lhs, contracted, columns, attrs.transposeRhs);
    Type operandType = graph()[lhs].type;
    Type type = operandType;
    for (Type wanted : {Type(what.type), elementType})
      if (mayAccumulateIn(wanted, operandType))
        type = wanted;
    Value value = builder.apply(OpKind::Matmul, attrs, {l, r}, type);

    labels = concat(batch, rows, columns);
    Shape shape;
    for (unsigned dim : labels)
      shape.push_back(op.ranges[dim]);
    // Loops of the result that no factor depends on have size one.
    for (unsigned dim : getLabels(result.labels))
      if (!llvm::is_contained(labels, dim)) {
        labels.push_back(dim);
        shape.push_back(1);
      }
    value = builder.reshape(value, shape);
    // Summed loops that no factor depends on multiply the result by their
    // extents.
    for (unsigned dim : op.reductions.set_bits())
      if (!graph()[lhs].dims.test(dim) && !graph()[rhs].dims.test(dim))
        factor *= static_cast<double>(op.ranges[dim]);
    return builder.scale(value, factor);
  }
};
} // namespace

Value mirage::emitContraction(Emitter &emitter, TensorBuilder &builder,
                              const StructuredOp &op,
                              const StructuredResult &result,
                              const Accumulation &accumulation,
                              Type elementType, Labels &labels) {
  Contraction contraction(emitter, builder, op);
  if (!contraction.matchFactors(accumulation.value))
    return nullptr;
  contraction.classify(result);
  // Sums along one vector each are made of elementwise products and sums.
  if (contraction.contracted.empty() ||
      (contraction.rows.empty() && contraction.columns.empty()))
    return nullptr;
  return contraction.emit(result, elementType, accumulation, labels);
}
