//===- NamedConstants.cpp - Which constants are taken for others ----------===//
//
// Goes through the constants that a program writes down, as operators or as
// attributes.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Equivalence/Proof/Proof.h"
#include "Mirage/Semantics/ExactConstant.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mirage;
using namespace mirage::equivalence;

/// Calls `visit` for the operators with constants, with those that are taken
/// for other numbers.
static void
visitNamed(const MuGraph &graph,
           llvm::function_ref<void(llvm::ArrayRef<std::string>)> visit) {
  for (unsigned number = 0; number < graph.getNumNodes(); ++number) {
    const MuNode &node = graph.getNode(number);
    if (node.kind != MuNode::Kind::Operator)
      continue;
    ElementType type = graph.getValue(node.results.front()).type;
    llvm::SmallVector<std::string, 1> names;
    // Masks are long runs of one number that is taken for itself.
    double itself = 0;
    auto add = [&](double value) {
      if (std::isnan(value) || value == itself)
        return;
      ExactConstant exact = getExactConstant(value, type);
      if (exact.isNamed())
        names.push_back(llvm::formatv(
            "{0} for {1}", llvm::format("%.6g", value), toString(exact)));
      else
        itself = value;
    };
    if (node.op == OpKind::Constant)
      llvm::for_each(*node.attributes.values, add);
    // Attributes become constants of what the operator stands for.
    add(node.attributes.scalar);
    add(node.attributes.lower);
    add(node.attributes.upper);
    if (!names.empty())
      visit(names);
  }
}

std::vector<std::string> equivalence::getNamedConstants(const MuGraph &graph) {
  std::vector<std::string> all;
  visitNamed(graph, [&](llvm::ArrayRef<std::string> names) {
    for (const std::string &name : names)
      if (!llvm::is_contained(all, name))
        all.push_back(name);
  });
  return all;
}

unsigned equivalence::countNamedConstants(const MuGraph &graph) {
  unsigned count = 0;
  visitNamed(graph,
             [&](llvm::ArrayRef<std::string> names) { count += names.size(); });
  return count;
}
