//===- ProgramViews.cpp - Programs under views of their tensors -----------===//
//
// Puts views back into programs, and copies programs without the reshapes at
// their edges, or with two dimensions merged.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Problem/ProgramViews.h"
#include "Mirage/MuGraph/CloneMuGraph.h"
#include "Mirage/Semantics/ShapeRules.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace mirage;
using namespace mirage::search;
using llvm::ArrayRef;

static MuValue reshape(MuGraph &graph, MuValue value, ShapeRef shape) {
  if (ShapeRef(graph.getShape(value)) == shape)
    return value;
  OpAttributes attributes;
  attributes.resultShape.assign(shape.begin(), shape.end());
  return graph.addOperator(0, OpKind::Reshape, attributes, {value},
                           graph.getValue(value).type);
}

MuGraph mirage::search::applyView(const MuGraph &program,
                                  const ProgramView &view,
                                  const MuGraph &graph) {
  MuGraph whole;
  llvm::SmallVector<MuValue> arguments, inputs, results;
  for (MuValue argument : program.getRegion().arguments)
    arguments.push_back(whole.addArgument(0, Shape(program.getShape(argument)),
                                          program.getValue(argument).type));
  if (view.before)
    llvm::append_range(arguments, cloneInto(whole, 0, *view.before, arguments));
  for (auto [input, argument] :
       llvm::zip(view.inputs, graph.getRegion().arguments))
    inputs.push_back(
        reshape(whole, arguments[input], Shape(graph.getShape(argument))));
  const MuGraph &outer = view.after ? *view.after : program;
  ArrayRef<MuValue> shapes = outer.getRegion().results;
  if (view.after)
    shapes = outer.getRegion().arguments;
  for (auto [value, like] :
       llvm::zip(cloneInto(whole, 0, graph, inputs), shapes))
    results.push_back(reshape(whole, value, Shape(outer.getShape(like))));
  if (view.after) {
    llvm::append_range(results, arguments);
    results = cloneInto(whole, 0, *view.after, results);
  }
  whole.setResults(0, results);
  return whole;
}

ProgramView mirage::search::getWholeView(const MuGraph &program) {
  ProgramView view;
  view.program = program;
  for (unsigned input = 0; input < program.getRegion().arguments.size();
       ++input)
    view.inputs.push_back(input);
  return view;
}

ProgramView mirage::search::peelReshapes(const ProgramView &from) {
  const MuGraph &program = from.program;
  ProgramView view;
  view.before = from.before;
  view.after = from.after;
  // The program's values as values of the view. Inputs and their reshapes have
  // one only where something else uses them.
  std::map<std::pair<unsigned, std::vector<int64_t>>, MuValue> views;
  llvm::DenseMap<MuValue, unsigned> inputOf;
  llvm::DenseMap<MuValue, MuValue> values, reshaped;
  for (auto [number, argument] : llvm::enumerate(program.getRegion().arguments))
    inputOf[argument] = number;
  auto get = [&](MuValue value) {
    auto input = inputOf.find(value);
    if (input == inputOf.end())
      return values.lookup(value);
    ShapeRef shape = program.getShape(value);
    auto [entry, isNew] =
        views.try_emplace({input->second, shape.vec()}, MuValue());
    if (isNew) {
      entry->second = view.program.addArgument(0, Shape(shape),
                                               program.getValue(value).type);
      view.inputs.push_back(from.inputs[input->second]);
    }
    return entry->second;
  };
  auto isResultAlone = [&](MuValue value) {
    return llvm::is_contained(program.getRegion().results, value) &&
           llvm::none_of(program.getRegion().nodes, [&](unsigned user) {
             return llvm::is_contained(program.getNode(user).operands, value);
           });
  };
  for (unsigned number : program.getRegion().nodes) {
    const MuNode &node = program.getNode(number);
    if (node.kind == MuNode::Kind::Operator && node.op == OpKind::Reshape) {
      auto input = inputOf.find(node.operands[0]);
      if (input != inputOf.end()) {
        unsigned original = input->second;
        inputOf[node.results[0]] = original;
        continue;
      }
      if (isResultAlone(node.results[0])) {
        values[node.results[0]] = values.lookup(node.operands[0]);
        continue;
      }
    }
    MuNode copy = node;
    for (MuValue &operand : copy.operands)
      operand = get(operand);
    for (MuValue &result : copy.results) {
      const MuGraph::Value &value = program.getValue(result);
      result = values[result] = view.program.addValue(value.shape, value.type);
    }
    view.program.addNode(0, std::move(copy));
  }
  llvm::SmallVector<MuValue> results;
  for (MuValue result : program.getRegion().results)
    results.push_back(get(result));
  view.program.setResults(0, results);
  return view;
}

namespace {

/// Merges dimension `at` into the next one.
class Folder {
public:
  Folder(const ProgramView &view, size_t rank)
      : from(view.program), rank(rank), at(rank - 3) {
    folded.inputs = view.inputs;
    folded.before = view.before;
    folded.after = view.after;
  }

  std::optional<ProgramView> run() {
    for (MuValue argument : from.getRegion().arguments)
      values[argument] = folded.program.addArgument(
          0, fold(from.getShape(argument)), from.getValue(argument).type);
    for (unsigned number : from.getRegion().nodes)
      if (!copy(from.getNode(number)))
        return std::nullopt;
    if (!gains)
      return std::nullopt;
    llvm::SmallVector<MuValue> results;
    for (MuValue result : from.getRegion().results)
      results.push_back(values.lookup(result));
    folded.program.setResults(0, results);
    return std::move(folded);
  }

private:
  Shape fold(ShapeRef shape) const {
    Shape result(shape);
    if (shape.size() == rank) {
      result[at + 1] *= result[at];
      result.erase(result.begin() + static_cast<ptrdiff_t>(at));
    }
    return result;
  }
  int64_t getSize(MuValue value, size_t dim) const {
    return from.getShape(value)[dim];
  }
  bool isWhole(MuValue value) const {
    return from.getShape(value).size() == rank;
  }
  /// Where the operator's dimension is afterwards, if it is not merged.
  std::optional<int64_t> move(int64_t dim) const {
    auto position = static_cast<size_t>(dim);
    if (position == at || position == at + 1)
      return std::nullopt;
    return dim - (position > at);
  }

  bool copy(const MuNode &node) {
    if (node.kind != MuNode::Kind::Operator || node.results.size() != 1)
      return false;
    std::optional<OpAttributes> attributes = foldAttributes(node);
    if (!attributes)
      return false;
    llvm::SmallVector<MuValue, 3> operands;
    for (MuValue operand : node.operands)
      operands.push_back(values.lookup(operand));
    values[node.results[0]] = folded.program.addOperator(
        0, node.op, *attributes, operands, from.getValue(node.results[0]).type,
        node.location);
    return true;
  }

  /// The operator's attributes on merged dimensions; nothing if it does not
  /// allow them to be merged.
  std::optional<OpAttributes> foldAttributes(const MuNode &node) {
    if (isElementwise(node.op))
      return foldElementwise(node);
    switch (node.op) {
    case OpKind::Constant:
      return foldConstant(node);
    case OpKind::Matmul:
      return foldMatmul(node);
    case OpKind::Attention:
      return foldAttention(node);
    case OpKind::Softmax:
    case OpKind::LogSoftmax:
    case OpKind::Reduce:
      return foldReduction(node);
    case OpKind::RmsNorm:
    case OpKind::LayerNorm:
      if (isWhole(node.operands[0]))
        return node.attributes;
      return std::nullopt;
    case OpKind::Transpose:
      return foldTranspose(node);
    default:
      return std::nullopt;
    }
  }

  /// Whether the operand has either both of the merged dimensions of `like` or
  /// neither.
  bool hasBothOrNeither(MuValue operand, MuValue like) const {
    bool isNeither = getSize(operand, at) * getSize(operand, at + 1) == 1;
    return llvm::all_of(llvm::ArrayRef{at, at + 1}, [&](size_t dim) {
      return isNeither || getSize(operand, dim) == getSize(like, dim);
    });
  }

  std::optional<OpAttributes> foldElementwise(const MuNode &node) const {
    for (MuValue operand : node.operands)
      if (!isWhole(operand) || !hasBothOrNeither(operand, node.results[0]))
        return std::nullopt;
    return node.attributes;
  }

  std::optional<OpAttributes> foldConstant(const MuNode &node) const {
    OpAttributes attributes = node.attributes;
    if (attributes.resultShape.size() != rank)
      return attributes;
    if (elementCount(attributes.resultShape) != 1)
      return std::nullopt;
    attributes.resultShape = fold(attributes.resultShape);
    return attributes;
  }

  /// There must be one right operand for all of the merged dimension.
  std::optional<OpAttributes> foldMatmul(const MuNode &node) {
    MuValue lhs = node.operands[0], rhs = node.operands[1];
    if (!isWhole(lhs) || node.attributes.transposeLhs || getSize(rhs, at) != 1)
      return std::nullopt;
    gains |= getSize(lhs, at) > 1;
    return node.attributes;
  }

  /// There must be one set of keys and values for all of the merged dimension.
  std::optional<OpAttributes> foldAttention(const MuNode &node) {
    MuValue queries = node.operands[0];
    if (!isWhole(queries))
      return std::nullopt;
    for (MuValue operand : ArrayRef(node.operands).slice(1, 2))
      if (getSize(operand, at) != 1)
        return std::nullopt;
    if (node.operands.size() > 3 &&
        !hasBothOrNeither(node.operands[3], queries))
      return std::nullopt;
    gains |= getSize(queries, at) > 1;
    return node.attributes;
  }

  /// Reductions that keep their dimension, and softmax, along a dimension that
  /// is not merged.
  std::optional<OpAttributes> foldReduction(const MuNode &node) const {
    OpAttributes attributes = node.attributes;
    std::optional<int64_t> dim = move(attributes.dim);
    bool drops = node.op == OpKind::Reduce && !attributes.keep;
    if (!isWhole(node.operands[0]) || !dim || drops)
      return std::nullopt;
    attributes.dim = *dim;
    return attributes;
  }

  /// Transpositions of the last two dimensions, where nothing is merged.
  std::optional<OpAttributes> foldTranspose(const MuNode &node) const {
    OpAttributes attributes = node.attributes;
    MuValue operand = node.operands[0];
    if (!isWhole(operand) || getSize(operand, at) != 1)
      return std::nullopt;
    llvm::SmallVector<int64_t, 4> moved;
    for (auto [dim, before] : llvm::enumerate(attributes.permutation)) {
      bool isLast = dim + 2 >= rank;
      if (!isLast && before != static_cast<int64_t>(dim))
        return std::nullopt;
      if (dim != at)
        moved.push_back(before - (before > static_cast<int64_t>(at)));
    }
    attributes.permutation = moved;
    return attributes;
  }

  const MuGraph &from;
  size_t rank, at;
  ProgramView folded;
  llvm::DenseMap<MuValue, MuValue> values;
  bool gains = false;
};

} // namespace

std::optional<ProgramView> mirage::search::foldRows(const ProgramView &view) {
  size_t rank = 0;
  for (MuValue value = 0; value < view.program.getNumValues(); ++value)
    rank = std::max(rank, view.program.getShape(value).size());
  if (rank < 4)
    return std::nullopt;
  return Folder(view, rank).run();
}
