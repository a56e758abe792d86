//===- AccumulatorMutations.cpp - Loops' accumulators and reductions ------===//
//
// Makes mutants that combine iterations and elements in another way.
//
//===----------------------------------------------------------------------===//

#include "Mutation.h"
#include "llvm/ADT/Twine.h"

using namespace mirage;
using namespace mirage::mutate;
using llvm::Twine;

static llvm::StringRef getKindName(AccumulateKind kind) {
  return stringifyAccumulateKind(kind);
}

void mutate::listAccumulatorMutations(const Draft &draft, Mutations &list) {
  for (const Site &site : draft.getSites()) {
    unsigned number = site.node;
    const MuNode &node = draft.nodes[number];
    if (node.kind != MuNode::Kind::Accumulate)
      continue;
    int64_t rank =
        static_cast<int64_t>(draft.getShape(node.operands[0]).size());
    auto change = [&](AccumulateKind to, int64_t dim) {
      list.push_back(
          {MutationKind::Accumulator, number,
           (getKindName(node.accumulate) + " becomes " + getKindName(to) +
            (to == AccumulateKind::Concat
                 ? " of dimension " + std::to_string(dim)
                 : std::string()))
               .str(),
           [=](Draft &d) {
             MuNode &changed = d.nodes[number];
             changed.accumulate = to;
             changed.dim = dim;
             changed.operands.truncate(1);
           }});
    };
    for (AccumulateKind to : {AccumulateKind::Sum, AccumulateKind::Max})
      if (to != node.accumulate)
        change(to, 0);
    for (int64_t dim = 0; dim < rank; ++dim)
      if (node.accumulate != AccumulateKind::Concat || dim != node.dim)
        change(AccumulateKind::Concat, dim);
    for (MuValue shift : site.visible)
      if (draft.getShape(shift).size() == static_cast<size_t>(rank) &&
          !(node.operands.size() > 1 && node.operands[1] == shift))
        list.push_back({MutationKind::Accumulator, number,
                        (getKindName(node.accumulate) +
                         " becomes rescaled_sum with shift %" + Twine(shift))
                            .str(),
                        [=](Draft &d) {
                          MuNode &changed = d.nodes[number];
                          changed.accumulate = AccumulateKind::RescaledSum;
                          changed.dim = 0;
                          changed.operands.truncate(1);
                          changed.operands.push_back(shift);
                        }});
  }
}

void mutate::listReductionMutations(const Draft &draft, Mutations &list) {
  for (const Site &site : draft.getSites()) {
    unsigned number = site.node;
    const MuNode &node = draft.nodes[number];
    if (node.kind != MuNode::Kind::Operator)
      continue;
    auto add = [&](const Twine &what, std::function<void(OpAttributes &)> f) {
      list.push_back({MutationKind::Reduction, number, what.str(),
                      [=](Draft &d) { f(d.nodes[number].attributes); }});
    };
    const OpAttributes &old = node.attributes;
    switch (node.op) {
    case OpKind::Softmax:
    case OpKind::LogSoftmax:
    case OpKind::Variance:
    case OpKind::Reduce:
      for (size_t dim = 0; dim < draft.getShape(node.operands[0]).size(); ++dim)
        if (static_cast<int64_t>(dim) != old.dim)
          add(Twine("dimension ") + Twine(dim),
              [=](OpAttributes &a) { a.dim = static_cast<int64_t>(dim); });
      break;
    default:
      continue;
    }
    if (node.op == OpKind::Variance)
      add(Twine("keep is toggled"), [](OpAttributes &a) { a.keep = !a.keep; });
    if (node.op != OpKind::Reduce)
      continue;
    int64_t size = draft.getShape(node.operands[0])[old.dim];
    for (int64_t group = 0; group <= size; ++group)
      if (group != old.group && (!group || size % group == 0)) {
        bool keep = !group && old.keep;
        add(Twine("group ") + Twine(group), [=](OpAttributes &a) {
          a.group = group;
          a.keep = keep;
        });
      }
    if (!old.group)
      add(Twine("keep is toggled"), [](OpAttributes &a) { a.keep = !a.keep; });
    for (ReduceKind kind : {ReduceKind::Sum, ReduceKind::Max, ReduceKind::Mean})
      if (kind != old.reduceKind)
        add(Twine(stringifyReduceKind(old.reduceKind)) + " becomes " +
                stringifyReduceKind(kind),
            [=](OpAttributes &a) { a.reduceKind = kind; });
  }
}
