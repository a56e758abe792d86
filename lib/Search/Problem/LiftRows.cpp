//===- LiftRows.cpp - What rows have in common behind products and sums ---===//
//
// A row divided by its sum and multiplied with a matrix is the row's product
// divided by the sum. Written so, a loop over the row computes both sums at
// once. What is added up of several such rows is the sum of their products.
// Likewise, a row from which a number is subtracted and that is weighted and
// added up is the sum of the weighted row less the number times the sum of the
// weights.
//
//===----------------------------------------------------------------------===//

#include "SimplifyProgram.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include <map>

using namespace mirage;
using namespace mirage::search;
using llvm::ArrayRef;

namespace {

/// A factor or a divisor of a tensor, which is the same along some dimension.
struct RowFactor {
  OpKind kind = OpKind::Div;
  MuValue value = 0;

  bool operator==(const RowFactor &other) const = default;
};

/// One of the terms that a value is the sum of: multiples of a tensor.
struct Term {
  MuValue base = 0;
  /// The tensor is the same along some dimension of the value.
  bool isRow = false;
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
      terms[argument] = {getTerm(value)};
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
  static Term getTerm(MuValue base) {
    Term term;
    term.base = base;
    return term;
  }

  /// A value with more terms is computed before it is used.
  static constexpr size_t kMostTerms = 4;

  /// Adds an operator, if there is no equal one yet.
  MuValue add(OpKind kind, const OpAttributes &attributes,
              ArrayRef<MuValue> operands) {
    auto &alike = existing[{kind, operands.vec()}];
    for (unsigned number : alike)
      if (to.getNode(number).attributes == attributes) {
        isOfNorm[number] = isOfNorm[number] && isNorm;
        return to.getNode(number).results[0];
      }
    MuValue result =
        to.addOperator(0, kind, attributes, operands, type, location);
    alike.push_back(to.getNumNodes() - 1);
    isOfNorm.push_back(isNorm);
    return result;
  }

  MuValue multiply(MuValue value, ArrayRef<RowFactor> factors) {
    for (const RowFactor &factor : factors)
      value = add(factor.kind, {}, {value, factor.value});
    return value;
  }

  /// Returns the sum of terms. Factors that all of them have are those of the
  /// sum.
  MuValue getValue(Terms sum) {
    Term common = sum.front();
    if (!llvm::all_of(sum, [&](const Term &term) {
          return term.factors == common.factors;
        }))
      common.factors.clear();
    std::optional<MuValue> result;
    for (Term &term : sum) {
      if (!common.factors.empty())
        term.factors.clear();
      MuValue value = multiply(term.base, term.factors);
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
    return multiply(*result, common.factors);
  }

  /// Returns whether a value is a tensor, and no sum or multiple of others.
  static bool isTensor(const Terms &sum) {
    return sum.size() == 1 && sum.front().factors.empty() &&
           sum.front().scale == 1 && !sum.front().isNegative;
  }

  /// Returns the tensor of a value. What multiplies or adds up the value next
  /// still reads its terms.
  MuValue compute(MuValue value) {
    const Terms &sum = terms[value];
    return isTensor(sum) ? sum.front().base : getValue(sum);
  }

  /// Returns whether a value repeats its elements along a dimension of others
  /// that it is multiplied with.
  static bool isRow(MuValue value, ShapeRef of, const MuGraph &graph) {
    ShapeRef shape = graph.getShape(value);
    return shape.size() == of.size() &&
           llvm::any_of(llvm::zip(shape, of), [](auto sizes) {
             return std::get<0>(sizes) == 1 && std::get<1>(sizes) > 1;
           });
  }

  /// Returns whether some term of a value is a row.
  bool hasRows(MuValue value) const {
    return llvm::any_of(terms[value],
                        [](const Term &term) { return term.isRow; });
  }

  /// Multiplies or divides all terms of a value by a factor. What is added to
  /// rows is no more than a row if the factor varies along no dimension along
  /// which the rows are the same.
  void multiplyTerms(MuValue result, MuValue value, OpKind kind,
                     MuValue factor) {
    MuValue by = compute(factor);
    if (llvm::any_of(terms[value], [&](const Term &term) {
          return term.isRow && isRow(term.base, to.getShape(by), to);
        }))
      terms[value] = {getTerm(compute(value))};
    terms[result] = terms[value];
    for (Term &term : terms[result])
      term.factors.push_back({kind, by});
  }

  /// Returns whether all factors and all rows of a value are the same along a
  /// dimension, of which some are there.
  bool canLift(MuValue value, size_t dim) const {
    const Terms &sum = terms[value];
    bool isAnyLifted = false;
    for (const Term &term : sum) {
      isAnyLifted |= term.isRow || !term.factors.empty();
      if (term.isRow && to.getShape(term.base)[dim] != 1)
        return false;
      for (const RowFactor &factor : term.factors)
        if (to.getShape(factor.value)[dim] != 1)
          return false;
    }
    return isAnyLifted;
  }

  /// Multiplies a sum that has rows with a tensor that is none: rows are
  /// factors of the tensor. Returns false if both are such sums. Neither the
  /// square of a difference nor its product with another one is taken apart,
  /// since what is left of them may be much smaller than the terms.
  bool multiplyRows(const MuNode &node) {
    for (size_t operand : {0, 1}) {
      MuValue sum = node.operands[operand], other = node.operands[1 - operand];
      if (!hasRows(sum) || hasRows(other) ||
          from.getShape(sum) != from.getShape(other))
        continue;
      // A multiple of a tensor stays one: its factors are those of the
      // products.
      Term by = terms[other].size() == 1 ? terms[other].front()
                                         : getTerm(compute(other));
      Terms products = terms[sum];
      for (Term &term : products) {
        if (term.isRow) {
          term.factors.insert(term.factors.begin(), {OpKind::Mul, term.base});
          term.base = by.base;
          term.isRow = false;
        } else {
          term.base = add(OpKind::Mul, {}, {term.base, by.base});
        }
        llvm::append_range(term.factors, by.factors);
        term.scale *= by.scale;
        term.isNegative ^= by.isNegative;
      }
      terms[node.results[0]] = std::move(products);
      return true;
    }
    return false;
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
      if (!canLift(node.operands[operand], dim) ||
          hasRows(node.operands[operand]))
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
    for (Term &term : sum) {
      if (term.isRow) {
        // A number is added as often as there are elements.
        term.scale *= static_cast<double>(from.getShape(node.operands[0])[dim]);
        term.isRow = isRow(term.base, from.getShape(node.results[0]), to);
      } else {
        term.base = add(node.op, node.attributes, {term.base});
        cancel(term);
      }
    }
    terms[node.results[0]] = std::move(sum);
    isLifted = true;
    return true;
  }

  /// Takes a sum out of a term that is divided by the same sum: the weights of
  /// a softmax add up to one.
  void cancel(Term &term) const {
    auto *divisor = llvm::find_if(term.factors, [&](const RowFactor &factor) {
      return factor.kind == OpKind::Div && factor.value == term.base;
    });
    auto *factor = llvm::find_if(term.factors, [&](const RowFactor &other) {
      return other.kind == OpKind::Mul &&
             to.getShape(other.value) == to.getShape(term.base);
    });
    if (divisor == term.factors.end() || factor == term.factors.end())
      return;
    term.base = factor->value;
    // The later one first, so that the other one stays in its place.
    term.factors.erase(std::max(divisor, factor));
    term.factors.erase(std::min(divisor, factor));
  }

  /// Returns whether some term of a value is a row or has factors.
  bool isSum(MuValue value) const {
    return llvm::any_of(terms[value], [](const Term &term) {
      return term.isRow || !term.factors.empty();
    });
  }

  /// Adds a row to a sum. Rows of one shape are one.
  void addRow(Terms &sum, const Term &row) {
    auto *own = llvm::find_if(sum, [&](const Term &term) {
      return term.isRow && term.factors.empty() && term.scale == 1 &&
             to.getShape(term.base) == to.getShape(row.base);
    });
    if (own == sum.end()) {
      sum.push_back(row);
      return;
    }
    OpKind kind = own->isNegative == row.isNegative ? OpKind::Add : OpKind::Sub;
    own->base = add(kind, {}, {own->base, row.base});
  }

  /// Adds or subtracts what is the same along a dimension of the other operand.
  bool addRow(const MuNode &node) {
    for (size_t operand : {1, 0}) {
      MuValue row = node.operands[operand], other = node.operands[1 - operand];
      if (!isRow(row, from.getShape(other), from) ||
          isRow(other, from.getShape(row), from) ||
          terms[other].size() >= kMostTerms)
        continue;
      Term term = getTerm(compute(row));
      term.isRow = true;
      bool isSub = node.op == OpKind::Sub;
      term.isNegative = isSub && operand == 1;
      Terms sum = terms[other];
      for (Term &own : sum)
        own.isNegative ^= isSub && operand == 0;
      addRow(sum, term);
      terms[node.results[0]] = std::move(sum);
      return true;
    }
    return false;
  }

  bool copyLinear(const MuNode &node) {
    MuValue result = node.results[0];
    switch (node.op) {
    case OpKind::Div:
      if (!isRow(node.operands[1], from.getShape(node.operands[0]), from))
        return false;
      multiplyTerms(result, node.operands[0], OpKind::Div, node.operands[1]);
      return true;
    case OpKind::Mul:
      for (size_t factor : {1, 0})
        if (isRow(node.operands[factor],
                  from.getShape(node.operands[1 - factor]), from)) {
          multiplyTerms(result, node.operands[1 - factor], OpKind::Mul,
                        node.operands[factor]);
          return true;
        }
      return multiplyRows(node);
    case OpKind::Scale:
      if (!isSum(node.operands[0]))
        return false;
      terms[result] = terms[node.operands[0]];
      for (Term &term : terms[result])
        term.scale *= node.attributes.scalar;
      return true;
    case OpKind::Add:
    case OpKind::Sub: {
      MuValue first = node.operands[0], second = node.operands[1];
      if (addRow(node))
        return true;
      if ((!isSum(first) && !isSum(second)) ||
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
      terms[result] = {getTerm(base)};
  }

  SimplifiedProgram program;
  const MuGraph &from;
  MuGraph to;
  std::vector<Terms> terms;
  /// Operators that were added, by their kinds and operands.
  std::map<std::pair<OpKind, std::vector<MuValue>>,
           llvm::SmallVector<unsigned, 1>>
      existing;
  std::vector<bool> isOfNorm;
  ElementType type = ElementType::f32;
  unsigned location = 0;
  bool isNorm = false;
  /// Something was lifted behind a product or a sum.
  bool isLifted = false;
};

} // namespace

std::optional<SimplifiedProgram>
mirage::search::liftRows(SimplifiedProgram program) {
  return Lifter(std::move(program)).run();
}
