//===- LayoutMutations.cpp - Operators that move elements -----------------===//
//
// Makes mutants of transposes, slices, pads, concatenations, reshapes and
// convolutions whose indices are off.
//
//===----------------------------------------------------------------------===//

#include "Mutation.h"
#include "llvm/ADT/Twine.h"

using namespace mirage;
using namespace mirage::mutate;
using llvm::Twine;

namespace {
class Lister {
public:
  Lister(const Draft &draft, const Site &site, Mutations &list)
      : draft(draft), number(site.node), node(draft.nodes[site.node]),
        list(list) {}

  void run() {
    switch (node.op) {
    case OpKind::Transpose:
      return transpose();
    case OpKind::Matmul:
      return matmul();
    case OpKind::Slice:
      return slice();
    case OpKind::Pad:
      return pad();
    case OpKind::Concat:
    case OpKind::Split:
      return dimension();
    case OpKind::Reshape:
    case OpKind::Broadcast:
      return shape();
    case OpKind::Repeat:
      return repeat();
    case OpKind::Conv2d:
      return convolution();
    case OpKind::GroupNorm:
      for (int64_t groups = 1; groups <= draft.getShape(node.operands[0])[1];
           ++groups)
        add(MutationKind::Reduction, "groups " + Twine(groups),
            [=](OpAttributes &a) { a.groups = groups; });
      return;
    default:
      return;
    }
  }

private:
  void add(MutationKind kind, const Twine &what,
           std::function<void(OpAttributes &)> change) {
    list.push_back(
        {kind, number, what.str(), [change, number = number](Draft &d) {
           change(d.nodes[number].attributes);
         }});
  }

  template <typename List>
  void nudge(MutationKind kind, llvm::StringRef name, List OpAttributes::*field,
             llvm::ArrayRef<int64_t> steps) {
    for (size_t i = 0; i < (node.attributes.*field).size(); ++i)
      for (int64_t step : steps)
        add(kind,
            name + " of dimension " + Twine(i) + (step > 0 ? " + " : " - ") +
                Twine(std::abs(step)),
            [=](OpAttributes &a) { (a.*field)[i] += step; });
  }

  void transpose() {
    size_t rank = node.attributes.permutation.size();
    for (size_t i = 0; i < rank; ++i)
      for (size_t j = 0; j < i; ++j)
        add(MutationKind::Transpose,
            "dimensions " + Twine(j) + " and " + Twine(i) + " exchanged",
            [=](OpAttributes &a) {
              std::swap(a.permutation[i], a.permutation[j]);
            });
  }

  void matmul() {
    add(MutationKind::Transpose, "lhs is transposed",
        [](OpAttributes &a) { a.transposeLhs = !a.transposeLhs; });
    add(MutationKind::Transpose, "rhs is transposed",
        [](OpAttributes &a) { a.transposeRhs = !a.transposeRhs; });
    add(MutationKind::Transpose, "both are transposed", [](OpAttributes &a) {
      a.transposeLhs = !a.transposeLhs;
      a.transposeRhs = !a.transposeRhs;
    });
  }

  void slice() {
    nudge(MutationKind::Shift, "offset", &OpAttributes::offsets, {1, -1, 2});
    nudge(MutationKind::Shift, "stride", &OpAttributes::strides, {1, -1});
    nudge(MutationKind::Shift, "size", &OpAttributes::sizes, {1, -1});
  }

  void pad() {
    for (size_t i = 0; i < node.attributes.offsets.size(); ++i)
      for (int64_t step : {1, -1})
        add(MutationKind::Shift,
            "dimension " + Twine(i) + " is shifted by " + Twine(step),
            [=](OpAttributes &a) {
              a.offsets[i] += step;
              a.sizes[i] -= step;
            });
  }

  void dimension() {
    for (size_t dim = 0; dim < draft.getShape(node.operands[0]).size(); ++dim)
      if (static_cast<int64_t>(dim) != node.attributes.dim)
        add(MutationKind::Layout, "dimension " + Twine(dim),
            [=](OpAttributes &a) { a.dim = static_cast<int64_t>(dim); });
  }

  /// Puts elements into another order: the shape with two dimensions exchanged,
  /// and these exchanged again.
  void shape() {
    MuValue result = node.results[0];
    Shape old(draft.getShape(result));
    for (size_t i = 0; i < old.size(); ++i)
      for (size_t j = 0; j < i; ++j) {
        if (old[i] == 1 || old[j] == 1 || node.op != OpKind::Reshape)
          continue;
        list.push_back(
            {MutationKind::Layout, number,
             ("dimensions " + Twine(j) + " and " + Twine(i) +
              " in another order")
                 .str(),
             [=, number = number](Draft &d) {
               std::swap(d.nodes[number].attributes.resultShape[i],
                         d.nodes[number].attributes.resultShape[j]);
               OpAttributes transpose;
               for (size_t dim = 0; dim < old.size(); ++dim)
                 transpose.permutation.push_back(static_cast<int64_t>(dim));
               std::swap(transpose.permutation[i], transpose.permutation[j]);
               unsigned added = d.nodes.size();
               MuValue back = d.insertAfter(number, OpKind::Transpose,
                                            transpose, {result}, old);
               d.replaceUses(result, back, added);
             }});
      }
    for (size_t i = 0; i < old.size(); ++i)
      for (size_t j = 0; j < i; ++j)
        if (old[i] != old[j])
          add(MutationKind::Broadcast,
              "sizes " + Twine(j) + " and " + Twine(i) + " exchanged",
              [=](OpAttributes &a) {
                std::swap(a.resultShape[i], a.resultShape[j]);
              });
  }

  void repeat() {
    for (size_t i = 0; i < node.attributes.repeats.size(); ++i)
      for (size_t j = 0; j < i; ++j)
        add(MutationKind::Broadcast,
            "repeats " + Twine(j) + " and " + Twine(i) + " exchanged",
            [=](OpAttributes &a) { std::swap(a.repeats[i], a.repeats[j]); });
  }

  void convolution() {
    nudge(MutationKind::Shift, "stride", &OpAttributes::convStrides, {1, -1});
    nudge(MutationKind::Shift, "dilation", &OpAttributes::convDilations,
          {1, -1});
    for (size_t i = 0; i < 4; i += 2)
      for (int64_t step : {1, -1})
        add(MutationKind::Shift,
            "padding " + Twine(i / 2) + " is shifted by " + Twine(step),
            [=](OpAttributes &a) {
              a.convPadding[i] += step;
              a.convPadding[i + 1] -= step;
            });
    int64_t channels = draft.getShape(node.operands[0])[1];
    for (int64_t groups = 1; groups <= channels; ++groups)
      if (groups != node.attributes.convGroups)
        add(MutationKind::Layout, "groups " + Twine(groups),
            [=](OpAttributes &a) { a.convGroups = groups; });
  }

  const Draft &draft;
  unsigned number;
  const MuNode &node;
  Mutations &list;
};
} // namespace

void mutate::listLayoutMutations(const Draft &draft, Mutations &list) {
  for (const Site &site : draft.getSites())
    if (draft.nodes[site.node].kind == MuNode::Kind::Operator)
      Lister(draft, site, list).run();
}
