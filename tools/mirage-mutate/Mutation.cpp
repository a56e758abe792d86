//===- Mutation.cpp - Small changes of µGraphs ----------------------------===//
//
// Names mutations, and lists all of them together.
//
//===----------------------------------------------------------------------===//

#include "Mutation.h"
#include "llvm/ADT/Twine.h"

using namespace mirage;
using namespace mirage::mutate;

llvm::StringRef mutate::getName(MutationKind kind) {
  static constexpr llvm::StringLiteral kNames[] = {"no mutation",
                                                   "imap",
                                                   "fmap",
                                                   "omap",
                                                   "store's reduction",
                                                   "grid extents",
                                                   "loop extent",
                                                   "accumulator",
                                                   "another argument",
                                                   "operand order",
                                                   "operand replaced",
                                                   "operator",
                                                   "factor missing",
                                                   "reduction",
                                                   "transpose",
                                                   "constant, ulp of f64",
                                                   "constant, ulp of f32",
                                                   "constant, other value",
                                                   "shift, slice",
                                                   "broadcast, repeat",
                                                   "layout",
                                                   "results exchanged",
                                                   "identity",
                                                   "exponential law",
                                                   "not finite",
                                                   "two at a time"};
  static_assert(std::size(kNames) == kNumMutationKinds);
  return kNames[static_cast<unsigned>(kind)];
}

Mutations mutate::listMutations(const Draft &draft) {
  Mutations list;
  listMapMutations(draft, list);
  listExtentMutations(draft, list);
  listAccumulatorMutations(draft, list);
  listOperandMutations(draft, list);
  listOperatorMutations(draft, list);
  listReductionMutations(draft, list);
  listConstantMutations(draft, list);
  listLayoutMutations(draft, list);
  listInsertions(draft, list);
  listIdentities(draft, list);
  listResultMutations(draft, list);
  return list;
}

llvm::StringRef mutate::getMnemonic(const MuNode &node) {
  switch (node.kind) {
  case MuNode::Kind::Operator:
    return getOpInfo(node.op).mnemonic;
  case MuNode::Kind::Graph:
    return "graph";
  case MuNode::Kind::Loop:
    return "loop";
  case MuNode::Kind::Load:
    return "load";
  case MuNode::Kind::Accumulate:
    return "accumulate";
  case MuNode::Kind::Store:
    return "store";
  }
  llvm_unreachable("unknown node");
}

std::string mutate::describe(const Draft &draft, const Mutation &mutation) {
  if (mutation.kind == MutationKind::None)
    return "the program as it is";
  return (llvm::Twine("node ") + llvm::Twine(mutation.node) + " (" +
          getMnemonic(draft.nodes[mutation.node]) + "): " + mutation.what)
      .str();
}
