//===- SimplifyProgram.cpp - A program in the search's operators ----------===//
//
// Copies the program operator by operator.
//
//===----------------------------------------------------------------------===//

#include "SimplifyProgram.h"
#include "Mirage/Semantics/Composite.h"
#include "Mirage/Semantics/ProductDims.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/MathExtras.h"
#include <map>

using namespace mirage;
using namespace mirage::search;
using llvm::ArrayRef;

std::optional<double> mirage::search::getSplat(const MuNode &node) {
  if (node.kind != MuNode::Kind::Operator || node.op != OpKind::Constant)
    return std::nullopt;
  const std::vector<double> &values = *node.attributes.values;
  if (values.empty() || !llvm::all_equal(values))
    return std::nullopt;
  return values.front();
}

/// Returns whether an operator centres or scales by moments of what it is
/// applied to.
static bool isNorm(OpKind kind) {
  return kind == OpKind::RmsNorm || kind == OpKind::LayerNorm ||
         kind == OpKind::GroupNorm || kind == OpKind::InstanceNorm;
}

namespace {

class Simplifier {
public:
  explicit Simplifier(const MuGraph &from)
      : from(from), values(from.getNumValues()) {}

  SimplifiedProgram run() {
    const MuRegion &body = from.getRegion();
    for (MuValue argument : body.arguments)
      values[argument] = to.addArgument(0, from.getShape(argument),
                                        from.getValue(argument).type);
    for (unsigned number : body.nodes) {
      const MuNode &node = from.getNode(number);
      location = node.location;
      type = from.getValue(node.results[0]).type;
      llvm::SmallVector<MuValue> operands;
      for (MuValue operand : node.operands)
        operands.push_back(values[operand]);
      if (!canBroadcast(node)) {
        broadcastUser = number;
        break;
      }
      llvm::SmallVector<MuValue> results =
          copy(node.op, node.attributes, operands);
      for (auto [result, value] : llvm::zip_equal(node.results, results))
        values[result] = value;
    }
    llvm::SmallVector<MuValue> results;
    for (MuValue result : body.results) {
      if (broadcastUser)
        break;
      results.push_back(values[result]);
      if (to.getShape(results.back()) != from.getShape(result))
        broadcastUser = body.nodes.back();
    }
    to.setResults(0, results);
    return {std::move(to), std::move(values), std::move(isOfNorm),
            broadcastUser};
  }

  /// Builder of Composite.h.
  MuValue apply(OpKind kind, const OpAttributes &attributes,
                ArrayRef<MuValue> operands) {
    return copy(kind, attributes, operands).front();
  }

private:
  /// Returns whether an operator does the same for operands that were not
  /// broadcast. Its result may then not be broadcast either.
  bool canBroadcast(const MuNode &node) const {
    auto isWhole = [&](MuValue operand, int64_t dim) {
      return to.getShape(values[operand])[dim] == from.getShape(operand)[dim];
    };
    if (isElementwise(node.op) || node.op == OpKind::Broadcast)
      return true;
    for (auto [position, operand] : llvm::enumerate(node.operands)) {
      int64_t rank = static_cast<int64_t>(from.getShape(operand).size());
      for (int64_t dim = 0; dim < rank; ++dim) {
        bool isFree = false;
        if (node.op == OpKind::Matmul || node.op == OpKind::Attention)
          isFree = dim + 2 < rank || position > 2;
        else if (node.op == OpKind::RmsNorm || node.op == OpKind::LayerNorm)
          isFree = dim + 1 < rank;
        else if (node.op == OpKind::Reduce || node.op == OpKind::Softmax ||
                 node.op == OpKind::LogSoftmax)
          isFree = dim != node.attributes.dim && !node.attributes.group;
        if (!isFree && !isWhole(operand, dim))
          return false;
      }
    }
    return true;
  }

  llvm::SmallVector<MuValue> copy(OpKind kind, const OpAttributes &attributes,
                                  ArrayRef<MuValue> operands) {
    if (isComposite(kind)) {
      bool outer = inNorm;
      inNorm |= isNorm(kind);
      MuValue result = buildComposite<MuValue>(
          kind, attributes, Shape(to.getShape(operands[0])), operands, *this);
      inNorm = outer;
      return {result};
    }
    if (kind == OpKind::Constant)
      return {addConstant(attributes)};
    if (kind == OpKind::Broadcast || kind == OpKind::Cast)
      return {operands[0]};
    if (kind == OpKind::Reduce && attributes.reduceKind == ReduceKind::Mean)
      return {mean(attributes, operands[0])};
    if (kind == OpKind::Reduce)
      return {reduce(attributes, operands[0])};
    if (kind == OpKind::Matmul)
      if (std::optional<MuValue> product = outer(attributes, operands))
        return {*product};
    // A factor of one changes nothing.
    if (kind == OpKind::Scale && attributes.scalar == 1.0)
      return {operands[0]};
    return add(kind, attributes, operands);
  }

  /// A product of columns and rows sums over one element: it multiplies.
  std::optional<MuValue> outer(const OpAttributes &attributes,
                               ArrayRef<MuValue> operands) {
    llvm::SmallVector<MuValue, 2> factors(operands);
    size_t rank = to.getShape(operands[0]).size();
    if (rank < 2 || rank != to.getShape(operands[1]).size() ||
        to.getShape(operands[0])[getContractedDim(
            attributes, ProductOperand::Lhs, rank)] != 1)
      return std::nullopt;
    for (auto [factor, isTransposed] :
         {std::pair(&factors[0], attributes.transposeLhs),
          std::pair(&factors[1], attributes.transposeRhs)}) {
      if (!isTransposed)
        continue;
      OpAttributes exchange;
      llvm::append_range(exchange.permutation, llvm::seq<int64_t>(rank));
      std::swap(exchange.permutation[rank - 2], exchange.permutation.back());
      *factor = add(OpKind::Transpose, exchange, {*factor}).front();
    }
    return add(OpKind::Mul, {}, factors).front();
  }

  /// A reduction of groups reduces the dimension inside of a group. Others keep
  /// their dimension with size one, so that equal ones are one.
  MuValue reduce(const OpAttributes &attributes, MuValue operand) {
    Shape shape(to.getShape(operand));
    auto dim = static_cast<size_t>(attributes.dim);
    OpAttributes whole = attributes;
    if (!attributes.group) {
      whole.keep |= shape.size() > 1;
      MuValue total = operand;
      // One element is its own sum and maximum.
      if (shape[dim] != 1 || !whole.keep)
        total = add(OpKind::Reduce, whole, {operand}).front();
      if (whole.keep == attributes.keep)
        return total;
      OpAttributes dropped;
      dropped.resultShape = shape;
      dropped.resultShape.erase(dropped.resultShape.begin() +
                                static_cast<ptrdiff_t>(dim));
      return add(OpKind::Reshape, dropped, {total}).front();
    }
    OpAttributes groups;
    groups.resultShape = shape;
    groups.resultShape[dim] /= attributes.group;
    groups.resultShape.insert(groups.resultShape.begin() +
                                  static_cast<ptrdiff_t>(dim) + 1,
                              attributes.group);
    whole.group = 0;
    whole.keep = false;
    ++whole.dim;
    return add(OpKind::Reduce, whole,
               {add(OpKind::Reshape, groups, {operand}).front()})
        .front();
  }

  MuValue mean(const OpAttributes &attributes, MuValue operand) {
    OpAttributes sum = attributes;
    sum.reduceKind = ReduceKind::Sum;
    int64_t extent = attributes.group ? attributes.group
                                      : to.getShape(operand)[attributes.dim];
    MuValue total = reduce(sum, operand);
    // A power of two has an exact reciprocal.
    if (llvm::isPowerOf2_64(static_cast<uint64_t>(extent))) {
      OpAttributes factor;
      factor.scalar = 1.0 / static_cast<double>(extent);
      return add(OpKind::Scale, factor, {total}).front();
    }
    OpAttributes number;
    number.resultShape.assign(to.getShape(total).size(), 1);
    number.values = std::make_shared<const std::vector<double>>(
        1, static_cast<double>(extent));
    MuValue divisor = addConstant(number);
    return add(OpKind::Div, {}, {total, divisor}).front();
  }

  /// A constant. Equal elements are one value.
  MuValue addConstant(OpAttributes attributes) {
    const std::vector<double> &numbers = *attributes.values;
    if (numbers.size() > 1 && llvm::all_equal(numbers))
      attributes.values =
          std::make_shared<const std::vector<double>>(1, numbers.front());
    return add(OpKind::Constant, attributes, {}).front();
  }

  llvm::SmallVector<MuValue> add(OpKind kind, const OpAttributes &attributes,
                                 ArrayRef<MuValue> operands) {
    const MuNode &node = to.getNode(addNode(kind, attributes, operands));
    return llvm::SmallVector<MuValue>(node.results.begin(), node.results.end());
  }

  /// The node of an operator, which is added if there is no equal one yet.
  unsigned addNode(OpKind kind, OpAttributes attributes,
                   ArrayRef<MuValue> operands) {
    // All values have one type here, whatever they had in the program.
    attributes.resultType.reset();
    auto &alike = existing[{kind, operands.vec()}];
    auto *known = llvm::find_if(alike, [&](unsigned number) {
      return to.getNode(number).attributes == attributes;
    });
    if (known == alike.end()) {
      to.addOperator(0, kind, attributes, operands, type, location);
      alike.push_back(to.getNumNodes() - 1);
      known = &alike.back();
      isOfNorm.push_back(true);
    }
    if (!inNorm)
      isOfNorm[*known] = false;
    return *known;
  }

  const MuGraph &from;
  MuGraph to;
  std::vector<MuValue> values;
  /// Nodes by their kind and operands.
  std::map<std::pair<OpKind, std::vector<MuValue>>,
           llvm::SmallVector<unsigned, 1>>
      existing;
  ElementType type = ElementType::f32;
  unsigned location = 0;
  std::vector<bool> isOfNorm;
  bool inNorm = false;
  std::optional<unsigned> broadcastUser;
};

} // namespace

SimplifiedProgram mirage::search::simplifyProgram(const MuGraph &graph) {
  return Simplifier(graph).run();
}
