//===- StackAlikeResults.cpp - Results that differ in their inputs --------===//
//
// Compares the results of a program with each other. Where they are computed in
// the same way, of inputs that have the same shapes, they become one result of
// stacked inputs.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Problem/ProgramViews.h"
#include "Mirage/Semantics/Windows.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace mirage;
using namespace mirage::search;
using llvm::ArrayRef;

namespace {
class ResultStacker {
public:
  explicit ResultStacker(const ProgramView &view)
      : from(view), program(view.program), stacked(getSurroundings(view)) {
    for (unsigned number : program.getRegion().nodes)
      for (MuValue value : program.getNode(number).results)
        definition[value] = number;
  }

  std::optional<ProgramView> run() {
    Values results(program.getRegion().results.begin(),
                   program.getRegion().results.end());
    if (results.size() < 2 || results.size() > kMostSelectedParts ||
        compare(results) != Likeness::Alike)
      return std::nullopt;
    stacked.inputs.clear();
    MuValue result = get(results);
    stacked.program.setResults(0, result);
    stacked.numStacked = results.size();
    return std::move(stacked);
  }

private:
  /// A value of the program for each result, in the same place of what it is
  /// computed from.
  using Values = std::vector<MuValue>;

  const MuNode *getNode(MuValue value) const {
    auto found = definition.find(value);
    return found == definition.end() ? nullptr
                                     : &program.getNode(found->second);
  }

  /// What values have in common.
  enum class Likeness : uint8_t {
    None,
    /// They are computed in the same way, of different inputs.
    Alike,
    /// They are equal.
    Same,
  };
  bool isShared(const Values &values) {
    return compare(values) == Likeness::Same;
  }

  static Values getOperands(ArrayRef<const MuNode *> nodes, size_t operand) {
    Values operands;
    for (const MuNode *node : nodes)
      operands.push_back(node->operands[operand]);
    return operands;
  }

  std::vector<const MuNode *> getNodes(const Values &values) const {
    std::vector<const MuNode *> nodes;
    for (MuValue value : values)
      nodes.push_back(getNode(value));
    return nodes;
  }

  /// Returns whether arguments are tensors of their own that stand alike in
  /// device memory.
  bool areAlikeArguments(const Values &values) const {
    const ViewInput *first = nullptr;
    for (MuValue value : values) {
      const auto *place = llvm::find(program.getRegion().arguments, value);
      const ViewInput &input =
          from.inputs[place - program.getRegion().arguments.begin()];
      if (!input.stack.empty())
        return false;
      first = first ? first : &input;
      if (input.window.has_value() != first->window.has_value() ||
          input.whole != first->whole)
        return false;
      if (!input.window)
        continue;
      OpAttributes slice;
      slice.offsets = input.window->offsets;
      slice.sizes = input.window->sizes;
      slice.strides.assign(slice.sizes.size(), 1);
      if (!isWindow(slice, program.getValue(value).type))
        return false;
    }
    return true;
  }

  /// Returns whether operators have the same form with one more dimension in
  /// front of their operands, of which these have it.
  bool canStack(const MuNode &node, ArrayRef<bool> operands) const {
    switch (node.op) {
    case OpKind::RmsNorm:
    case OpKind::LayerNorm:
      // Weights have the dimensions of what is normalized alone.
      return llvm::none_of(operands.drop_front(), [](bool has) { return has; });
    case OpKind::Matmul:
    case OpKind::Reduce:
    case OpKind::Softmax:
    case OpKind::LogSoftmax:
    case OpKind::Transpose:
    case OpKind::Reshape:
    case OpKind::Broadcast:
      return true;
    default:
      return isElementwise(node.op);
    }
  }

  Likeness compare(const Values &values) {
    if (llvm::all_equal(values))
      return Likeness::Same;
    auto known = likenesses.find(values);
    if (known != likenesses.end())
      return known->second;
    return likenesses[values] = findLikeness(values);
  }

  Likeness findLikeness(const Values &values) {
    const MuGraph::Value &like = program.getValue(values.front());
    if (!llvm::all_of(values, [&](MuValue value) {
          const MuGraph::Value &other = program.getValue(value);
          return other.shape == like.shape && other.type == like.type;
        }))
      return Likeness::None;
    std::vector<const MuNode *> nodes = getNodes(values);
    if (!nodes.front())
      return llvm::all_of(nodes, [](const MuNode *node) { return !node; }) &&
                     areAlikeArguments(values)
                 ? Likeness::Alike
                 : Likeness::None;
    const MuNode &first = *nodes.front();
    if (!llvm::all_of(nodes, [&](const MuNode *node) {
          return node && node->kind == MuNode::Kind::Operator &&
                 node->op == first.op && node->attributes == first.attributes &&
                 node->operands.size() == first.operands.size() &&
                 node->results.size() == 1;
        }))
      return Likeness::None;
    llvm::SmallVector<bool, 4> has;
    for (size_t operand = 0; operand < first.operands.size(); ++operand) {
      Likeness likeness = compare(getOperands(nodes, operand));
      if (likeness == Likeness::None)
        return Likeness::None;
      has.push_back(likeness == Likeness::Alike);
    }
    if (llvm::none_of(has, [](bool has) { return has; }))
      return Likeness::Same;
    return canStack(first, has) ? Likeness::Alike : Likeness::None;
  }

  /// Returns the attributes of an operator whose operands have one more
  /// dimension in front.
  OpAttributes raise(const MuNode &node, size_t count) const {
    OpAttributes attributes = node.attributes;
    switch (node.op) {
    case OpKind::Reduce:
    case OpKind::Softmax:
    case OpKind::LogSoftmax:
      ++attributes.dim;
      break;
    case OpKind::Transpose:
      for (int64_t &dim : attributes.permutation)
        ++dim;
      attributes.permutation.insert(attributes.permutation.begin(), 0);
      break;
    case OpKind::Reshape:
    case OpKind::Broadcast:
      attributes.resultShape.insert(attributes.resultShape.begin(),
                                    static_cast<int64_t>(count));
      break;
    default:
      break;
    }
    return attributes;
  }

  MuValue reshape(MuValue value, Shape shape) {
    OpAttributes attributes;
    attributes.resultShape = std::move(shape);
    return stacked.program.addOperator(0, OpKind::Reshape, attributes, {value},
                                       stacked.program.getValue(value).type);
  }

  /// Returns a value that all results have in common.
  MuValue getShared(MuValue value) {
    auto [known, isNew] = shared.try_emplace(value);
    if (!isNew)
      return known->second;
    const MuGraph::Value &old = program.getValue(value);
    const MuNode *node = getNode(value);
    if (!node) {
      const auto *place = llvm::find(program.getRegion().arguments, value);
      stacked.inputs.push_back(
          from.inputs[place - program.getRegion().arguments.begin()]);
      return shared[value] =
                 stacked.program.addArgument(0, old.shape, old.type);
    }
    MuNode copy = *node;
    for (MuValue &operand : copy.operands)
      operand = getShared(operand);
    for (MuValue &result : copy.results) {
      const MuGraph::Value &made = program.getValue(result);
      result = shared[result] = stacked.program.addValue(made.shape, made.type);
    }
    stacked.program.addNode(0, std::move(copy));
    return shared[value];
  }

  /// Returns an operand of a stacked operator, which has one more dimension in
  /// front.
  MuValue getOperand(const MuNode &node, size_t operand, const Values &values) {
    if (!isShared(values))
      return get(values);
    MuValue value = getShared(values.front());
    bool isNorm = node.op == OpKind::RmsNorm || node.op == OpKind::LayerNorm;
    if (isNorm && operand > 0)
      return value;
    auto [known, isNew] = raised.try_emplace(value);
    if (isNew) {
      Shape shape(stacked.program.getShape(value));
      shape.insert(shape.begin(), 1);
      known->second = reshape(value, std::move(shape));
    }
    return known->second;
  }

  /// Returns the stack of values.
  MuValue get(const Values &values) {
    auto [known, isNew] = stacks.try_emplace(values);
    if (!isNew)
      return known->second;
    const MuGraph::Value &like = program.getValue(values.front());
    std::vector<const MuNode *> nodes = getNodes(values);
    if (!nodes.front()) {
      Shape shape = like.shape;
      shape.insert(shape.begin(), static_cast<int64_t>(values.size()));
      ViewInput input;
      for (MuValue value : values) {
        const auto *place = llvm::find(program.getRegion().arguments, value);
        input.stack.push_back(
            from.inputs[place - program.getRegion().arguments.begin()]);
      }
      stacked.inputs.push_back(std::move(input));
      return stacks[values] =
                 stacked.program.addArgument(0, std::move(shape), like.type);
    }
    const MuNode &first = *nodes.front();
    llvm::SmallVector<MuValue, 3> operands;
    for (size_t operand = 0; operand < first.operands.size(); ++operand)
      operands.push_back(
          getOperand(first, operand, getOperands(nodes, operand)));
    return stacks[values] = stacked.program.addOperator(
               0, first.op, raise(first, values.size()), operands, like.type,
               first.location);
  }

  const ProgramView &from;
  const MuGraph &program;
  ProgramView stacked;
  llvm::DenseMap<MuValue, unsigned> definition;
  std::map<Values, Likeness> likenesses;
  std::map<Values, MuValue> stacks;
  /// Common values, as they are and with one more dimension.
  llvm::DenseMap<MuValue, MuValue> shared, raised;
};
} // namespace

/// Returns the view in which products multiply from the right by matrices as
/// they are which they took transposed, where these are inputs that nothing
/// else reads, and not all inputs that are such operands; nothing if there are
/// none.
static std::optional<ProgramView> exchangeInputs(const ProgramView &view) {
  const MuGraph &program = view.program;
  ArrayRef<MuValue> arguments = program.getRegion().arguments;
  llvm::DenseMap<MuValue, unsigned> reads;
  for (unsigned number : program.getRegion().nodes)
    for (MuValue operand : program.getNode(number).operands)
      ++reads[operand];
  for (MuValue result : program.getRegion().results)
    ++reads[result];
  auto isMatrix = [&](const MuNode &node) {
    return node.kind == MuNode::Kind::Operator && node.op == OpKind::Matmul &&
           llvm::is_contained(arguments, node.operands[1]);
  };
  ProgramView result = getSurroundings(view);
  llvm::SmallDenseSet<MuValue, 4> exchanged;
  bool hasStraight = false;
  for (unsigned number : program.getRegion().nodes) {
    const MuNode &node = program.getNode(number);
    if (!isMatrix(node))
      continue;
    MuValue matrix = node.operands[1];
    ViewInput &input =
        result.inputs[llvm::find(arguments, matrix) - arguments.begin()];
    if (!node.attributes.transposeRhs) {
      hasStraight = true;
    } else if (reads.lookup(matrix) == 1 && !input.window &&
               input.unpadded.empty() && input.stack.empty()) {
      input.unexchanged = Shape(program.getShape(matrix));
      exchanged.insert(matrix);
    }
  }
  if (exchanged.empty() || !hasStraight)
    return std::nullopt;
  llvm::DenseMap<MuValue, MuValue> values;
  for (MuValue argument : arguments) {
    Shape shape(program.getShape(argument));
    if (exchanged.contains(argument))
      std::swap(shape.rbegin()[0], shape.rbegin()[1]);
    values[argument] = result.program.addArgument(
        0, std::move(shape), program.getValue(argument).type);
  }
  for (unsigned number : program.getRegion().nodes) {
    MuNode copy = program.getNode(number);
    if (isMatrix(copy) && exchanged.contains(copy.operands[1]))
      copy.attributes.transposeRhs = false;
    for (MuValue &operand : copy.operands)
      operand = values.lookup(operand);
    for (MuValue &made : copy.results) {
      const MuGraph::Value &value = program.getValue(made);
      made = values[made] = result.program.addValue(value.shape, value.type);
    }
    result.program.addNode(0, std::move(copy));
  }
  llvm::SmallVector<MuValue> results;
  for (MuValue made : program.getRegion().results)
    results.push_back(values.lookup(made));
  result.program.setResults(0, results);
  return result;
}

std::optional<ProgramView>
mirage::search::stackAlikeResults(const ProgramView &view) {
  bool areWhole = llvm::all_of(view.results, [](const ViewResult &result) {
    return result.parts.size() == 1 && !result.isStacked;
  });
  if (!areWhole || view.numStacked)
    return std::nullopt;
  if (std::optional<ProgramView> stacked = ResultStacker(view).run())
    return stacked;
  // Matrices that some results are made of may be stored transposed.
  std::optional<ProgramView> exchanged = exchangeInputs(view);
  if (!exchanged)
    return std::nullopt;
  std::optional<ProgramView> stacked = ResultStacker(*exchanged).run();
  // Others than parts of a stack are read as they are stored.
  if (!stacked || llvm::any_of(stacked->inputs, [](const ViewInput &input) {
        return input.stack.empty() && !input.unexchanged.empty();
      }))
    return std::nullopt;
  return stacked;
}
