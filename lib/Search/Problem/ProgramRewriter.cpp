//===- ProgramRewriter.cpp - Copies of programs by rules ------------------===//
//
// Walks the operators in their order, with a map of what was copied.
//
//===----------------------------------------------------------------------===//

#include "ProgramRewriter.h"
#include "Mirage/MuGraph/CloneMuGraph.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace mirage;
using namespace mirage::search;

ProgramRewriter::ProgramRewriter(const MuGraph &program)
    : from(program), readers(program.getNumValues(), 0) {
  for (unsigned number : program.getRegion().nodes)
    for (MuValue operand : program.getNode(number).operands)
      ++readers[operand];
  for (MuValue result : program.getRegion().results)
    readers[result] += 2;
}

std::optional<MuGraph> ProgramRewriter::run() {
  const MuRegion &body = from.getRegion();
  auto lookup = [&](MuValue value) { return values.lookup(value); };
  for (MuValue argument : body.arguments)
    values[argument] = to.addArgument(0, from.getShape(argument),
                                      from.getValue(argument).type);
  for (unsigned number : body.nodes) {
    const MuNode &node = from.getNode(number);
    llvm::SmallVector<MuValue> operands =
        llvm::map_to_vector(node.operands, lookup);
    location = node.location;
    size_t known = to.getNumValues();
    if (std::optional<MuValue> made = rewrite(node, operands)) {
      values[node.results[0]] = *made;
      noteRewritten(node, operands, *made, known);
      continue;
    }
    llvm::SmallVector<MuValue> copies =
        cloneNode(to, 0, from, number, operands);
    for (auto [result, copy] : llvm::zip_equal(node.results, copies))
      values[result] = copy;
    noteCopied(node, copies);
  }
  if (!isChanged)
    return std::nullopt;
  to.setResults(0, llvm::map_to_vector(body.results, lookup));
  return eraseDeadNodes(to);
}
