//===- SeparateAxes.cpp - No axis twice in a tensor -----------------------===//
//
// Copies the program operator by operator. Where a tensor would get one axis
// twice, an operand is computed again, of inputs of its own.
//
//===----------------------------------------------------------------------===//

#include "Mirage/MuGraph/Axes.h"
#include "Mirage/Search/Problem/ProgramViews.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace mirage;
using namespace mirage::search;

static bool hasRepeatedAxis(const MuGraph &program) {
  return llvm::any_of(computeAxes(program).dims, [](const auto &dims) {
    llvm::SmallVector<unsigned, 8> axes;
    for (const auto &dim : dims)
      llvm::append_range(axes, dim);
    llvm::sort(axes);
    return llvm::adjacent_find(axes) != axes.end();
  });
}

namespace {
class Separation {
public:
  explicit Separation(const ProgramView &from)
      : from(from.program), view(getSurroundings(from)) {
    inputs = from.inputs;
  }

  std::optional<ProgramView> run() {
    for (MuValue argument : from.getRegion().arguments)
      values[argument] = addArgument(argument);
    for (unsigned number : from.getRegion().nodes)
      if (!add(from.getNode(number)))
        return std::nullopt;
    llvm::SmallVector<MuValue> results;
    for (MuValue result : from.getRegion().results)
      results.push_back(values.lookup(result));
    view.program.setResults(0, results);
    return std::move(view);
  }

private:
  using Values = llvm::DenseMap<MuValue, MuValue>;

  MuValue addArgument(MuValue argument) {
    return view.program.addArgument(0, Shape(from.getShape(argument)),
                                    from.getValue(argument).type);
  }

  /// Adds a node with these operands.
  void addNode(const MuNode &node, llvm::ArrayRef<MuValue> operands,
               Values &known) {
    MuNode copy = node;
    copy.operands.assign(operands.begin(), operands.end());
    for (MuValue &result : copy.results) {
      const MuGraph::Value &value = from.getValue(result);
      result = known[result] = view.program.addValue(value.shape, value.type);
    }
    view.program.addNode(0, std::move(copy));
  }

  /// Adds all that a value is computed of once more, and returns the copy.
  MuValue copyCone(MuValue value, Values &copies) {
    if (auto known = copies.find(value); known != copies.end())
      return known->second;
    for (auto [number, argument] : llvm::enumerate(from.getRegion().arguments))
      if (argument == value) {
        view.inputs.push_back(inputs[number]);
        return copies[value] = addArgument(value);
      }
    for (unsigned number : from.getRegion().nodes) {
      const MuNode &node = from.getNode(number);
      if (!llvm::is_contained(node.results, value))
        continue;
      llvm::SmallVector<MuValue, 3> operands;
      for (MuValue operand : node.operands)
        operands.push_back(copyCone(operand, copies));
      addNode(node, operands, copies);
    }
    return copies.lookup(value);
  }

  /// Adds a node so that no tensor has an axis twice, the last operands copied
  /// if need be.
  bool add(const MuNode &node) {
    const ProgramView before = view;
    for (size_t copied = 0; copied <= node.operands.size(); ++copied) {
      llvm::SmallVector<MuValue, 3> operands;
      for (auto [position, operand] : llvm::enumerate(node.operands)) {
        Values copies;
        operands.push_back(position + copied < node.operands.size()
                               ? values.lookup(operand)
                               : copyCone(operand, copies));
      }
      Values known;
      addNode(node, operands, known);
      if (!hasRepeatedAxis(view.program)) {
        for (MuValue result : node.results)
          values[result] = known.lookup(result);
        return true;
      }
      view = before;
    }
    return false;
  }

  const MuGraph &from;
  llvm::SmallVector<ViewInput, 4> inputs;
  ProgramView view;
  Values values;
};
} // namespace

std::optional<ProgramView>
mirage::search::separateAxes(const ProgramView &view) {
  if (!hasRepeatedAxis(view.program))
    return std::nullopt;
  return Separation(view).run();
}
