//===- LoadedValues.cpp - What is computed when a program is loaded -------===//
//
// Follows constants through operators, and takes those out of a program.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/KernelGraphs/LoadedValues.h"
#include "Mirage/MuGraph/CloneMuGraph.h"
#include "Mirage/Search/KernelGraphs/ProgramPieces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace mirage;
using namespace mirage::search;

llvm::BitVector mirage::search::findLoaded(const MuGraph &program,
                                           const llvm::BitVector &constants) {
  const MuRegion &body = program.getRegion();
  llvm::BitVector loaded(program.getNumNodes());
  if (constants.none())
    return loaded;
  llvm::BitVector views = findViews(program);
  // Values that depend on no argument are the same in each call, too, and so
  // are no reason to load what is computed of them alone.
  llvm::DenseSet<MuValue> free, constant;
  for (unsigned place : constants.set_bits())
    constant.insert(body.arguments[place]);
  for (unsigned number : body.nodes) {
    const MuNode &node = program.getNode(number);
    bool isFree = node.kind == MuNode::Kind::Operator &&
                  llvm::all_of(node.operands, [&](MuValue operand) {
                    return free.contains(operand);
                  });
    bool isConstant =
        node.kind == MuNode::Kind::Operator && !isFree &&
        llvm::all_of(node.operands, [&](MuValue operand) {
          return free.contains(operand) || constant.contains(operand);
        });
    for (MuValue result : node.results) {
      if (isFree)
        free.insert(result);
      else if (isConstant)
        constant.insert(result);
    }
    if (isConstant && !views[number])
      loaded.set(number);
  }
  return loaded;
}

std::optional<CalledProgram>
mirage::search::separateLoaded(const MuGraph &program,
                               const llvm::BitVector &constants) {
  llvm::BitVector loaded = findLoaded(program, constants);
  if (loaded.none())
    return std::nullopt;
  const MuRegion &body = program.getRegion();
  // What only loaded nodes read is no part of a call.
  llvm::DenseSet<MuValue> needed(body.results.begin(), body.results.end());
  llvm::BitVector isCalled(program.getNumNodes());
  for (unsigned number : llvm::reverse(body.nodes)) {
    const MuNode &node = program.getNode(number);
    bool isNeeded = llvm::any_of(
        node.results, [&](MuValue result) { return needed.contains(result); });
    if (!isNeeded || loaded[number])
      continue;
    isCalled.set(number);
    needed.insert(node.operands.begin(), node.operands.end());
  }
  CalledProgram called;
  MuGraph &graph = called.graph;
  llvm::DenseMap<MuValue, MuValue> values;
  auto addArgument = [&](MuValue value) {
    values[value] = graph.addArgument(0, program.getShape(value),
                                      program.getValue(value).type);
  };
  llvm::for_each(body.arguments, addArgument);
  for (unsigned number : body.nodes)
    if (loaded[number])
      for (MuValue result : program.getNode(number).results)
        if (needed.contains(result))
          addArgument(result);
  for (unsigned number : body.nodes) {
    if (!isCalled[number])
      continue;
    const MuNode &node = program.getNode(number);
    auto operands = llvm::map_to_vector(
        node.operands, [&](MuValue operand) { return values.lookup(operand); });
    for (auto [result, copy] : llvm::zip_equal(
             node.results, cloneNode(graph, 0, program, number, operands)))
      values[result] = copy;
    unsigned own = graph.getRegion().nodes.back();
    called.nodes.resize(own + 1);
    called.nodes[own] = number;
  }
  graph.setResults(0, llvm::map_to_vector(body.results, [&](MuValue result) {
                     return values.lookup(result);
                   }));
  return called;
}
