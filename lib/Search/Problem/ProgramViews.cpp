//===- ProgramViews.cpp - Programs under views of their tensors -----------===//
//
// Copies programs with other shapes.
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
  // Values of the program as values of the view; of inputs and their reshapes
  // only where something else uses them.
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
    OpAttributes attributes = node.attributes;
    MuValue first = node.operands.empty() ? 0 : node.operands[0];
    if (isElementwise(node.op)) {
      // Both dimensions are there, or neither is.
      for (MuValue operand : node.operands)
        for (size_t dim : {at, at + 1})
          if (!isWhole(operand) ||
              (getSize(operand, dim) != getSize(node.results[0], dim) &&
               getSize(operand, at) * getSize(operand, at + 1) != 1))
            return false;
    } else {
      switch (node.op) {
      case OpKind::Constant:
        if (attributes.resultShape.size() == rank) {
          if (elementCount(attributes.resultShape) != 1)
            return false;
          attributes.resultShape = fold(attributes.resultShape);
        }
        break;
      case OpKind::Matmul: {
        // One right operand for all of the merged dimension.
        MuValue rhs = node.operands[1];
        if (!isWhole(first) || attributes.transposeLhs || getSize(rhs, at) != 1)
          return false;
        gains |= getSize(first, at) > 1;
        break;
      }
      case OpKind::Attention: {
        if (!isWhole(first))
          return false;
        for (MuValue operand : ArrayRef(node.operands).slice(1, 2))
          if (getSize(operand, at) != 1)
            return false;
        if (node.operands.size() > 3)
          for (size_t dim : {at, at + 1})
            if (getSize(node.operands[3], dim) != getSize(first, dim) &&
                getSize(node.operands[3], at) *
                        getSize(node.operands[3], at + 1) !=
                    1)
              return false;
        gains |= getSize(first, at) > 1;
        break;
      }
      case OpKind::Softmax:
      case OpKind::LogSoftmax:
      case OpKind::Reduce: {
        std::optional<int64_t> dim = move(attributes.dim);
        bool drops = node.op == OpKind::Reduce && !attributes.keep;
        if (!isWhole(first) || !dim || drops)
          return false;
        attributes.dim = *dim;
        break;
      }
      case OpKind::RmsNorm:
      case OpKind::LayerNorm:
        if (!isWhole(first))
          return false;
        break;
      case OpKind::Transpose: {
        // Of the last two dimensions, where nothing is merged.
        ArrayRef<int64_t> permutation = attributes.permutation;
        if (!isWhole(first) || getSize(first, at) != 1)
          return false;
        llvm::SmallVector<int64_t, 4> moved;
        for (size_t dim = 0; dim < rank; ++dim) {
          bool isLast = dim + 2 >= rank;
          if (!isLast && permutation[dim] != static_cast<int64_t>(dim))
            return false;
          if (dim != at)
            moved.push_back(permutation[dim] -
                            (permutation[dim] > static_cast<int64_t>(at)));
        }
        attributes.permutation = moved;
        break;
      }
      default:
        return false;
      }
    }
    llvm::SmallVector<MuValue, 3> operands;
    for (MuValue operand : node.operands)
      operands.push_back(values.lookup(operand));
    values[node.results[0]] = folded.program.addOperator(
        0, node.op, attributes, operands, from.getValue(node.results[0]).type,
        node.location);
    return true;
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
