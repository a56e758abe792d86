//===- ProgramEdges.cpp - What stays before and after a search ------------===//
//
// Cuts a program in three: operators that the search has no form for, with all
// that they are computed from or all that is computed from them, stay as they
// are; what is between is the view.
//
//===----------------------------------------------------------------------===//

#include "Mirage/MuGraph/CloneMuGraph.h"
#include "Mirage/Search/Problem/ProgramViews.h"
#include "Mirage/Semantics/ShapeRules.h"
#include "SimplifyProgram.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

using namespace mirage;
using namespace mirage::search;
using llvm::ArrayRef;

namespace {

enum class Place : uint8_t { Before, Middle, After };

/// The number of kept operators of which all choices between before and after
/// are tried; others stay before.
constexpr unsigned kMaxChoices = 10;

class Cutter {
public:
  Cutter(const MuGraph &program, ArrayRef<unsigned> kept)
      : program(program), nodes(program.getRegion().nodes), kept(kept) {
    for (unsigned number : nodes)
      for (MuValue value : program.getNode(number).results)
        definition[value] = number;
  }

  std::optional<ProgramView> run() {
    std::optional<std::vector<Place>> best;
    double bestWork = 0;
    unsigned choices = std::min<size_t>(kept.size(), kMaxChoices);
    for (unsigned after = 0; after < 1u << choices; ++after) {
      std::optional<std::vector<Place>> places = place(after);
      if (!places)
        continue;
      double work = getWork(*places);
      if (work > bestWork) {
        bestWork = work;
        best = std::move(places);
      }
    }
    if (!best)
      return std::nullopt;
    return build(*best);
  }

private:
  /// Constants of one value are part of whatever uses them.
  bool isRepeated(unsigned number) const {
    return getSplat(program.getNode(number)).has_value();
  }

  /// The three parts if the kept operators of the set (bits) are in the last
  /// part and the other kept ones in the first; nothing if this is impossible.
  std::optional<std::vector<Place>> place(unsigned after) const {
    std::vector<Place> places(program.getNumNodes(), Place::Middle);
    for (auto [number, node] : llvm::enumerate(kept))
      places[node] = number < kMaxChoices && (after >> number & 1)
                         ? Place::After
                         : Place::Before;
    for (unsigned number : nodes)
      for (MuValue operand : program.getNode(number).operands)
        if (auto def = definition.find(operand);
            def != definition.end() && places[def->second] == Place::After) {
          if (places[number] == Place::Before)
            return std::nullopt;
          places[number] = Place::After;
        }
    for (unsigned number : llvm::reverse(nodes)) {
      if (places[number] != Place::Before)
        continue;
      for (MuValue operand : program.getNode(number).operands)
        if (auto def = definition.find(operand);
            def != definition.end() && !isRepeated(def->second)) {
          if (places[def->second] == Place::After)
            return std::nullopt;
          places[def->second] = Place::Before;
        }
    }
    return places;
  }

  /// How many elements the operators of the view read and write.
  double getWork(ArrayRef<Place> places) const {
    double work = 0;
    for (unsigned number : nodes) {
      const MuNode &node = program.getNode(number);
      bool isFree = isLayout(node.op) || node.op == OpKind::Cast ||
                    node.op == OpKind::Constant;
      if (places[number] != Place::Middle || isFree)
        continue;
      for (const auto &list :
           {ArrayRef<MuValue>(node.operands), ArrayRef<MuValue>(node.results)})
        for (MuValue value : list)
          work += static_cast<double>(elementCount(program.getShape(value)));
    }
    return work;
  }

  /// Copies the operators of one part.
  void copyPart(ArrayRef<Place> places, Place part, MuGraph &to,
                llvm::DenseMap<MuValue, MuValue> &values) const {
    for (unsigned number : nodes) {
      if (places[number] != part && !isRepeated(number))
        continue;
      MuNode copy = program.getNode(number);
      for (MuValue &operand : copy.operands)
        operand = values.lookup(operand);
      for (MuValue &result : copy.results) {
        const MuGraph::Value &old = program.getValue(result);
        result = values[result] = to.addValue(old.shape, old.type);
      }
      to.addNode(0, std::move(copy));
    }
  }

  std::optional<ProgramView> build(ArrayRef<Place> places) const {
    // These are the values of arguments and of earlier parts that a later part
    // uses.
    llvm::SetVector<MuValue> beforeResults, middleInputs, middleResults;
    auto use = [&](MuValue value, Place by) {
      auto def = definition.find(value);
      bool isArgument = def == definition.end();
      if (!isArgument && isRepeated(def->second))
        return;
      Place place = isArgument ? Place::Before : places[def->second];
      if (place == by)
        return;
      if (!isArgument && place == Place::Before)
        beforeResults.insert(value);
      if (by == Place::Middle)
        middleInputs.insert(value);
      else if (place == Place::Middle)
        middleResults.insert(value);
    };
    for (unsigned number : nodes)
      if (places[number] != Place::Before)
        for (MuValue operand : program.getNode(number).operands)
          use(operand, places[number]);
    for (MuValue result : program.getRegion().results)
      use(result, Place::After);

    ProgramView view;
    ArrayRef<MuValue> arguments = program.getRegion().arguments;
    auto addArguments = [&](MuGraph &graph, ArrayRef<MuValue> list,
                            llvm::DenseMap<MuValue, MuValue> &values) {
      for (MuValue value : list) {
        const MuGraph::Value &old = program.getValue(value);
        values[value] = graph.addArgument(0, old.shape, old.type);
      }
    };
    auto setResults = [&](MuGraph &graph, ArrayRef<MuValue> list,
                          const llvm::DenseMap<MuValue, MuValue> &values) {
      llvm::SmallVector<MuValue> results;
      for (MuValue value : list)
        results.push_back(values.lookup(value));
      graph.setResults(0, results);
    };
    llvm::DenseMap<MuValue, MuValue> first, inner, last;
    MuGraph before, after;
    addArguments(before, arguments, first);
    copyPart(places, Place::Before, before, first);
    setResults(before, beforeResults.getArrayRef(), first);

    addArguments(view.program, middleInputs.getArrayRef(), inner);
    copyPart(places, Place::Middle, view.program, inner);
    setResults(view.program, middleResults.getArrayRef(), inner);
    for (MuValue input : middleInputs) {
      const auto *argument = llvm::find(arguments, input);
      size_t number = argument - arguments.begin();
      if (argument == arguments.end())
        number += llvm::find(beforeResults, input) - beforeResults.begin();
      view.inputs.push_back({static_cast<unsigned>(number)});
    }

    addArguments(after, middleResults.getArrayRef(), last);
    addArguments(after, arguments, last);
    addArguments(after, beforeResults.getArrayRef(), last);
    copyPart(places, Place::After, after, last);
    setResults(after, program.getRegion().results, last);

    view.program = eraseDeadNodes(view.program);
    view.before = std::make_shared<const MuGraph>(eraseDeadNodes(before));
    view.after = std::make_shared<const MuGraph>(eraseDeadNodes(after));
    return view;
  }

  const MuGraph &program;
  ArrayRef<unsigned> nodes, kept;
  llvm::DenseMap<MuValue, unsigned> definition;
};

} // namespace

std::optional<ProgramView> mirage::search::cutEdges(const MuGraph &program,
                                                    ArrayRef<unsigned> kept) {
  return Cutter(program, kept).run();
}

/// Returns whether an operator has the elements of its operand, each of them
/// at least once.
static bool isReordering(OpKind kind) {
  return kind == OpKind::Reshape || kind == OpKind::Transpose ||
         kind == OpKind::Broadcast;
}

bool mirage::search::findCopiedResults(const MuGraph &program,
                                       llvm::SmallVectorImpl<unsigned> &kept) {
  llvm::DenseMap<MuValue, unsigned> definition;
  for (unsigned number : program.getRegion().nodes)
    for (MuValue value : program.getNode(number).results)
      definition[value] = number;
  auto getNode = [&](MuValue value) -> const MuNode * {
    auto def = definition.find(value);
    return def == definition.end() ? nullptr : &program.getNode(def->second);
  };
  bool found = false;
  for (MuValue result : program.getRegion().results) {
    MuValue source = result;
    bool isCast = true;
    const MuNode *node = getNode(source);
    while (node && (node->op == OpKind::Cast || isReordering(node->op))) {
      isCast &= node->op == OpKind::Cast;
      source = node->operands[0];
      node = getNode(source);
    }
    // Launches store arguments in other shapes and orders.
    if (node ? node->op != OpKind::Constant : !isCast)
      continue;
    found = true;
    if (source != result && !llvm::is_contained(kept, definition[result]))
      kept.push_back(definition[result]);
  }
  return found;
}
