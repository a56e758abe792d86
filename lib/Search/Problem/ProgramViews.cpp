//===- ProgramViews.cpp - Programs under views of their tensors -----------===//
//
// Puts views back into programs, and copies programs without the reshapes at
// their edges.
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

/// Adds a window of a tensor.
static MuValue takeWindow(MuGraph &graph, MuValue value,
                          const TensorWindow &window) {
  OpAttributes attributes;
  attributes.offsets = window.offsets;
  attributes.sizes = window.sizes;
  attributes.strides.assign(window.sizes.size(), 1);
  return graph.addOperator(0, OpKind::Slice, attributes, {value},
                           graph.getValue(value).type);
}

/// Adds zeros behind the elements of a tensor, up to this shape.
static MuValue pad(MuGraph &graph, MuValue value, ShapeRef shape) {
  OpAttributes attributes;
  attributes.offsets.assign(shape.size(), 0);
  for (auto [size, before] : llvm::zip_equal(shape, graph.getShape(value)))
    attributes.sizes.push_back(size - before);
  return graph.addOperator(0, OpKind::Pad, attributes, {value},
                           graph.getValue(value).type);
}

/// Returns `before` under a shape that has the dimensions of `after` but for
/// some of size one; nothing if `shape` has others. Launches clip what they
/// read and store of tensors as they are (docs/Lowering.md).
static std::optional<Shape> findUnpadded(ShapeRef before, ShapeRef after,
                                         ShapeRef shape) {
  Shape unpadded;
  size_t from = 0;
  for (int64_t size : shape) {
    while (size != 1 && from < after.size() && after[from] == 1)
      ++from;
    bool isLong = size != 1;
    if (isLong && (from == after.size() || after[from] != size))
      return std::nullopt;
    unpadded.push_back(isLong ? before[from++] : 1);
  }
  for (; from < after.size(); ++from)
    if (after[from] != 1)
      return std::nullopt;
  return unpadded;
}

/// Returns the tensor of which windows that follow one another along its first
/// dimension make a stack, if they do.
static std::optional<unsigned> findWhole(ArrayRef<ViewInput> stack) {
  int64_t next = 0;
  const ViewInput &first = stack.front();
  for (const ViewInput &input : stack) {
    if (!input.window || !input.unexchanged.empty() ||
        input.number != first.number || input.whole != first.whole ||
        !input.unpadded.empty())
      return std::nullopt;
    const TensorWindow &window = *input.window;
    for (size_t dim = 1; dim < window.sizes.size(); ++dim)
      if (window.sizes[dim] != input.whole[dim])
        return std::nullopt;
    if (window.offsets.front() != next ||
        window.sizes.front() != first.window->sizes.front())
      return std::nullopt;
    next += window.sizes.front();
  }
  if (next != first.whole.front())
    return std::nullopt;
  return first.number;
}

/// Adds a value with its last two dimensions exchanged.
static MuValue exchangeLastDims(MuGraph &graph, MuValue value) {
  OpAttributes attributes;
  for (size_t dim = 0; dim < graph.getShape(value).size(); ++dim)
    attributes.permutation.push_back(static_cast<int64_t>(dim));
  std::swap(attributes.permutation.rbegin()[0],
            attributes.permutation.rbegin()[1]);
  return graph.addOperator(0, OpKind::Transpose, attributes, {value},
                           graph.getValue(value).type);
}

/// Adds what an input of a view is, under this shape.
static MuValue takeInput(MuGraph &graph, ArrayRef<MuValue> arguments,
                         const ViewInput &input, ShapeRef shape) {
  if (input.stack.empty()) {
    MuValue value = arguments[input.number];
    if (!input.unpadded.empty()) {
      std::optional<Shape> unpadded =
          input.window ? std::nullopt
                       : findUnpadded(input.unpadded, input.padded, shape);
      if (unpadded)
        return pad(graph, reshape(graph, value, *unpadded), shape);
      value = pad(graph, reshape(graph, value, input.unpadded), input.padded);
    }
    if (input.window)
      value =
          takeWindow(graph, reshape(graph, value, input.whole), *input.window);
    if (!input.unexchanged.empty())
      value = exchangeLastDims(graph, reshape(graph, value, input.unexchanged));
    return reshape(graph, value, shape);
  }
  if (std::optional<unsigned> whole = findWhole(input.stack))
    return reshape(graph, arguments[*whole], shape);
  Shape part(shape);
  part.front() = 1;
  llvm::SmallVector<MuValue> parts;
  for (const ViewInput &one : input.stack)
    parts.push_back(takeInput(graph, arguments, one, part));
  OpAttributes attributes;
  attributes.dim = 0;
  return graph.addOperator(0, OpKind::Concat, attributes, parts,
                           graph.getValue(parts.front()).type);
}

/// Adds the slices that stacked results are, each without the first dimension.
static llvm::SmallVector<MuValue> takeStacked(MuGraph &graph, MuValue stack,
                                              size_t count) {
  llvm::SmallVector<MuValue> results;
  for (size_t number = 0; number < count; ++number) {
    TensorWindow window;
    window.sizes.assign(graph.getShape(stack).begin(),
                        graph.getShape(stack).end());
    window.offsets.assign(window.sizes.size(), 0);
    window.sizes.front() = 1;
    window.offsets.front() = static_cast<int64_t>(number);
    Shape shape(ArrayRef<int64_t>(window.sizes).drop_front());
    MuValue result = takeWindow(graph, stack, window);
    results.push_back(reshape(graph, result, shape));
  }
  return results;
}

/// Puts the parts of results together.
static llvm::SmallVector<MuValue> joinParts(MuGraph &graph,
                                            ArrayRef<ViewResult> results,
                                            ArrayRef<MuValue> values) {
  if (results.empty())
    return llvm::SmallVector<MuValue>(values);
  llvm::SmallVector<MuValue> joined;
  for (const ViewResult &result : results) {
    if (result.isStacked) {
      joined.push_back(values.front());
      values = values.drop_front();
      continue;
    }
    llvm::SmallVector<MuValue> parts;
    for (const Shape &shape : result.parts) {
      parts.push_back(reshape(graph, values.front(), shape));
      values = values.drop_front();
    }
    OpAttributes attributes;
    attributes.dim = result.dim;
    joined.push_back(
        parts.size() == 1
            ? parts.front()
            : graph.addOperator(0, OpKind::Concat, attributes, parts,
                                graph.getValue(parts.front()).type));
  }
  return joined;
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
        takeInput(whole, arguments, input, graph.getShape(argument)));
  const MuGraph &outer = view.after ? *view.after : program;
  ArrayRef<MuValue> shapes = outer.getRegion().results;
  if (view.after)
    shapes = outer.getRegion().arguments;
  llvm::SmallVector<MuValue> made = cloneInto(whole, 0, graph, inputs);
  if (view.numStacked)
    made = takeStacked(whole, made.front(), view.numStacked);
  for (auto [number, value] :
       llvm::enumerate(joinParts(whole, view.results, made))) {
    Shape shape(outer.getShape(shapes[number]));
    if (!view.padded.empty() && view.padded[number] != view.unpadded[number]) {
      std::optional<Shape> unpadded = findUnpadded(
          view.unpadded[number], view.padded[number], whole.getShape(value));
      if (!unpadded) {
        value = reshape(whole, value, view.padded[number]);
        unpadded = view.unpadded[number];
      }
      value = takeWindow(whole, value, {Shape(unpadded->size(), 0), *unpadded});
    }
    results.push_back(reshape(whole, value, shape));
  }
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
    view.inputs.push_back({input});
  return view;
}

ProgramView mirage::search::getSurroundings(const ProgramView &view) {
  ProgramView surroundings;
  surroundings.inputs = view.inputs;
  surroundings.results = view.results;
  surroundings.unpadded = view.unpadded;
  surroundings.padded = view.padded;
  surroundings.sumsOverParts = view.sumsOverParts;
  surroundings.numStacked = view.numStacked;
  surroundings.before = view.before;
  surroundings.after = view.after;
  return surroundings;
}

ProgramView mirage::search::peelReshapes(const ProgramView &from) {
  const MuGraph &program = from.program;
  ProgramView view = getSurroundings(from);
  // Only inputs that something uses are inputs of the view.
  view.inputs.clear();
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
