//===- LiftQuotients.cpp - Quotients of rows behind products --------------===//
//
// A row divided by its sum and multiplied with a matrix is the row's product
// divided by the sum. Written so, a loop over the row computes both sums at
// once. What is added up of several such rows is the sum of their products.
//
//===----------------------------------------------------------------------===//

#include "SimplifyProgram.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace mirage;
using namespace mirage::search;
using llvm::ArrayRef;

namespace {

/// A factor or a divisor of a tensor, which is the same along some dimension.
struct RowFactor {
  OpKind kind = OpKind::Div;
  MuValue value = 0;
};

/// One of the terms that a value is the sum of: multiples of a tensor.
struct Term {
  MuValue base = 0;
  double scale = 1;
  llvm::SmallVector<RowFactor, 2> factors = {};
  bool isNegative = false;
};
using Terms = llvm::SmallVector<Term, 2>;

class Lifter {
public:
  explicit Lifter(SimplifiedProgram program)
      : program(std::move(program)), from(this->program.graph),
        terms(from.getNumValues()) {}

  std::optional<SimplifiedProgram> run() {
    const MuRegion &body = from.getRegion();
    for (MuValue argument : body.arguments) {
      MuValue value = to.addArgument(0, from.getShape(argument),
                                     from.getValue(argument).type);
      terms[argument] = {Term{value}};
    }
    for (unsigned number : body.nodes)
      copy(number);
    if (!isLifted)
      return std::nullopt;
    to.setResults(0, llvm::map_to_vector(body.results, [&](MuValue result) {
                    return getValue(terms[result]);
                  }));
    // Values between may have become sums of several.
    SimplifiedProgram lifted;
    lifted.graph = std::move(to);
    lifted.isOfNorm = std::move(isOfNorm);
    return lifted;
  }

private:
  /// A value with more terms is computed before it is used.
  static constexpr size_t kMostTerms = 4;

  MuValue add(OpKind kind, const OpAttributes &attributes,
              ArrayRef<MuValue> operands) {
    MuValue result =
        to.addOperator(0, kind, attributes, operands, type, location);
    isOfNorm.push_back(isNorm);
    return result;
  }

  /// Returns the sum of terms.
  MuValue getValue(const Terms &sum) {
    std::optional<MuValue> result;
    for (const Term &term : sum) {
      MuValue value = term.base;
      for (const RowFactor &factor : term.factors)
        value = add(factor.kind, {}, {value, factor.value});
      if (term.scale != 1 || (!result && term.isNegative)) {
        OpAttributes attributes;
        attributes.scalar =
            result || !term.isNegative ? term.scale : -term.scale;
        value = add(OpKind::Scale, attributes, {value});
      }
      if (result)
        value = add(term.isNegative ? OpKind::Sub : OpKind::Add, {},
                    {*result, value});
      result = value;
    }
    return *result;
  }

  /// Computes a value that is more than a tensor, for what reads it next.
  MuValue compute(MuValue value) {
    Terms &sum = terms[value];
    bool isTensor = sum.size() == 1 && sum.front().factors.empty() &&
                    sum.front().scale == 1 && !sum.front().isNegative;
    if (!isTensor) {
      Term computed;
      computed.base = getValue(sum);
      sum = {computed};
    }
    return sum.front().base;
  }

  /// Returns whether a value repeats its elements along a dimension of others
  /// that it is multiplied with.
  bool isRow(MuValue value, ShapeRef of) const {
    ShapeRef shape = from.getShape(value);
    return shape.size() == of.size() &&
           llvm::any_of(llvm::zip(shape, of), [](auto sizes) {
             return std::get<0>(sizes) == 1 && std::get<1>(sizes) > 1;
           });
  }

  /// Multiplies or divides all terms of a value by a factor.
  void multiply(MuValue result, MuValue value, OpKind kind, MuValue factor) {
    MuValue by = compute(factor);
    terms[result] = terms[value];
    for (Term &term : terms[result])
      term.factors.push_back({kind, by});
  }

  /// Returns whether all factors of a value are the same along a dimension, of
  /// which some are there.
  bool canLift(MuValue value, size_t dim) const {
    const Terms &sum = terms[value];
    bool hasFactors = false;
    for (const Term &term : sum)
      for (const RowFactor &factor : term.factors) {
        hasFactors = true;
        if (to.getShape(factor.value)[dim] != 1)
          return false;
      }
    return hasFactors;
  }

  /// Contracts each term of an operand of a product.
  void contract(const MuNode &node, size_t operand, MuValue other) {
    Terms sum = terms[node.operands[operand]];
    for (Term &term : sum) {
      std::array<MuValue, 2> operands = {term.base, other};
      if (operand == 1)
        std::swap(operands[0], operands[1]);
      term.base = add(node.op, node.attributes, operands);
      // A factor of rows or columns is one of the result where its dimension
      // is.
      bool isTransposed = operand == 0 ? node.attributes.transposeLhs
                                       : node.attributes.transposeRhs;
      for (RowFactor &factor : term.factors)
        if (isTransposed)
          factor.value = transpose(factor.value);
    }
    terms[node.results[0]] = std::move(sum);
    isLifted = true;
  }

  MuValue transpose(MuValue value) {
    OpAttributes attributes;
    size_t rank = to.getShape(value).size();
    for (size_t dim = 0; dim < rank; ++dim)
      attributes.permutation.push_back(static_cast<int64_t>(dim));
    std::swap(attributes.permutation.rbegin()[0],
              attributes.permutation.rbegin()[1]);
    return add(OpKind::Transpose, attributes, {value});
  }

  bool copyProduct(const MuNode &node) {
    size_t rank = from.getShape(node.results[0]).size();
    for (size_t operand : {0, 1}) {
      bool isTransposed = operand == 0 ? node.attributes.transposeLhs
                                       : node.attributes.transposeRhs;
      // The left operand is contracted along its last dimension.
      size_t dim = (operand == 0) != isTransposed ? rank - 1 : rank - 2;
      if (!canLift(node.operands[operand], dim))
        continue;
      contract(node, operand, compute(node.operands[1 - operand]));
      return true;
    }
    return false;
  }

  bool copySum(const MuNode &node) {
    if (node.attributes.reduceKind != ReduceKind::Sum || node.attributes.group)
      return false;
    auto dim = static_cast<size_t>(node.attributes.dim);
    if (!node.attributes.keep || !canLift(node.operands[0], dim))
      return false;
    Terms sum = terms[node.operands[0]];
    for (Term &term : sum)
      term.base = add(node.op, node.attributes, {term.base});
    terms[node.results[0]] = std::move(sum);
    isLifted = true;
    return true;
  }

  /// Returns whether some term of a value has factors.
  bool hasFactors(MuValue value) const {
    return llvm::any_of(terms[value],
                        [](const Term &term) { return !term.factors.empty(); });
  }

  bool copyLinear(const MuNode &node) {
    MuValue result = node.results[0];
    switch (node.op) {
    case OpKind::Div:
      if (!isRow(node.operands[1], from.getShape(node.operands[0])))
        return false;
      multiply(result, node.operands[0], OpKind::Div, node.operands[1]);
      return true;
    case OpKind::Mul:
      for (size_t factor : {1, 0})
        if (isRow(node.operands[factor],
                  from.getShape(node.operands[1 - factor]))) {
          multiply(result, node.operands[1 - factor], OpKind::Mul,
                   node.operands[factor]);
          return true;
        }
      return false;
    case OpKind::Scale:
      if (!hasFactors(node.operands[0]))
        return false;
      terms[result] = terms[node.operands[0]];
      for (Term &term : terms[result])
        term.scale *= node.attributes.scalar;
      return true;
    case OpKind::Add:
    case OpKind::Sub: {
      MuValue first = node.operands[0], second = node.operands[1];
      if ((!hasFactors(first) && !hasFactors(second)) ||
          from.getShape(first) != from.getShape(second) ||
          terms[first].size() + terms[second].size() > kMostTerms)
        return false;
      Terms sum = terms[first];
      for (Term term : terms[second]) {
        term.isNegative ^= node.op == OpKind::Sub;
        sum.push_back(std::move(term));
      }
      terms[result] = std::move(sum);
      return true;
    }
    case OpKind::Matmul:
      return copyProduct(node);
    case OpKind::Reduce:
      return copySum(node);
    default:
      return false;
    }
  }

  void copy(unsigned number) {
    const MuNode &node = from.getNode(number);
    location = node.location;
    type = from.getValue(node.results[0]).type;
    isNorm = program.isOfNorm[number];
    if (node.results.size() == 1 && copyLinear(node))
      return;
    llvm::SmallVector<MuValue> operands;
    for (MuValue operand : node.operands)
      operands.push_back(compute(operand));
    to.addOperator(0, node.op, node.attributes, operands, type, location);
    isOfNorm.push_back(isNorm);
    ArrayRef<MuValue> results = to.getNode(to.getNumNodes() - 1).results;
    for (auto [result, base] : llvm::zip_equal(node.results, results))
      terms[result] = {Term{base}};
  }

  SimplifiedProgram program;
  const MuGraph &from;
  MuGraph to;
  std::vector<Terms> terms;
  std::vector<bool> isOfNorm;
  ElementType type = ElementType::f32;
  unsigned location = 0;
  bool isNorm = false;
  /// Something was lifted behind a product or a sum.
  bool isLifted = false;
};

} // namespace

std::optional<SimplifiedProgram>
mirage::search::liftQuotients(SimplifiedProgram program) {
  return Lifter(std::move(program)).run();
}
