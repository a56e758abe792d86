//===- CountOperators.cpp - How large a program is ------------------------===//
//
// Counts the operators of the simplified program.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Problem/CountOperators.h"
#include "Mirage/Analysis/Equivalence/RoundConstants.h"
#include "Mirage/MuGraph/CloneMuGraph.h"
#include "SimplifyProgram.h"
#include "llvm/ADT/STLExtras.h"

using namespace mirage;
using namespace mirage::search;

/// Returns how many operators a graph has, `countNode` for each, without casts,
/// constants and layouts.
static unsigned
countNodes(const MuGraph &graph,
           llvm::function_ref<unsigned(const MuNode &)> countNode) {
  unsigned count = 0;
  for (unsigned number : graph.getRegion().nodes) {
    const MuNode &node = graph.getNode(number);
    if (node.kind != MuNode::Kind::Operator ||
        (node.op != OpKind::Constant && node.op != OpKind::Cast &&
         !isLayout(node.op)))
      count += countNode(node);
  }
  return count;
}

/// Returns the graph of an operator alone.
static MuGraph isolate(const MuGraph &program, const MuNode &node) {
  MuGraph alone;
  llvm::SmallVector<MuValue> operands;
  for (MuValue operand : node.operands)
    operands.push_back(alone.addArgument(0, Shape(program.getShape(operand)),
                                         program.getValue(operand).type));
  alone.setResults(0,
                   alone.addOperator(0, node.op, node.attributes, operands,
                                     program.getValue(node.results[0]).type));
  return alone;
}

unsigned mirage::search::countOperators(const MuGraph &program) {
  auto countOne = [](const MuNode &) { return 1u; };
  // Launches are not taken apart.
  if (program.getNumRegions() > 1)
    return countNodes(program, countOne);
  SimplifiedProgram simplified =
      simplifyProgram(equivalence::roundConstants(program).graph);
  if (!simplified.broadcastUser)
    return countNodes(eraseDeadNodes(simplified.graph), countOne);
  return countNodes(program, [&](const MuNode &node) {
    if (node.kind != MuNode::Kind::Operator || !isComposite(node.op))
      return 1u;
    SimplifiedProgram alone = simplifyProgram(isolate(program, node));
    return alone.broadcastUser ? 1u : countNodes(alone.graph, countOne);
  });
}
