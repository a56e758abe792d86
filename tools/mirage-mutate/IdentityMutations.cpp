//===- IdentityMutations.cpp - Changes that change nothing ----------------===//
//
// Laws of arithmetic applied to operators and operands: a verifier must still
// accept the program. Among them are laws that it does not know; then it may
// say that it does not know, but not that programs differ.
//
//===----------------------------------------------------------------------===//

#include "Mutation.h"
#include "llvm/ADT/Twine.h"

using namespace mirage;
using namespace mirage::mutate;
using llvm::Twine;

namespace {

/// Inserts operators of one shape in front of a node.
struct Inserter {
  Draft &d;
  unsigned node;
  Shape shape;

  MuValue operator()(OpKind op, std::initializer_list<MuValue> operands,
                     const OpAttributes &attributes = {}) {
    return d.insertBefore(node, op, attributes, operands, shape);
  }
  MuValue scale(MuValue a, double factor) {
    OpAttributes attributes;
    attributes.scalar = factor;
    return (*this)(OpKind::Scale, {a}, attributes);
  }
};

struct Law {
  const char *what;
  /// What equals `x`; `y` is another value of its shape, or x itself.
  MuValue (*rewrite)(Inserter &i, MuValue x, MuValue y);
};

} // namespace

static const Law kLaws[] = {
    {"x + y - y",
     [](Inserter &i, MuValue x, MuValue y) {
       return i(OpKind::Sub, {i(OpKind::Add, {x, y}), y});
     }},
    {"(3 x - x) / 2",
     [](Inserter &i, MuValue x, MuValue) {
       return i.scale(i(OpKind::Sub, {i.scale(x, 3), x}), 0.5);
     }},
    {"((x + y)^2 - (x - y)^2) / (4 y)",
     [](Inserter &i, MuValue x, MuValue y) {
       MuValue sum = i(OpKind::Square, {i(OpKind::Add, {x, y})}),
               difference = i(OpKind::Square, {i(OpKind::Sub, {x, y})});
       return i(OpKind::Div,
                {i(OpKind::Sub, {sum, difference}), i.scale(y, 4)});
     }},
    {"max(x, x)",
     [](Inserter &i, MuValue x, MuValue) { return i(OpKind::Max, {x, x}); }},
    {"max(x, y) + min(x, y) - y",
     [](Inserter &i, MuValue x, MuValue y) {
       return i(OpKind::Sub, {i(OpKind::Add, {i(OpKind::Max, {x, y}),
                                              i(OpKind::Min, {x, y})}),
                              y});
     }},
    {"log(exp(x))",
     [](Inserter &i, MuValue x, MuValue) {
       return i(OpKind::Log, {i(OpKind::Exp, {x})});
     }},
    {"x exp(y) exp(-y)",
     [](Inserter &i, MuValue x, MuValue y) {
       MuValue up = i(OpKind::Mul, {x, i(OpKind::Exp, {y})});
       return i(OpKind::Mul, {up, i(OpKind::Exp, {i.scale(y, -1)})});
     }},
};

/// exp(x) = exp(x - y) exp(y), by y = x / 4.
static void rewriteExponential(Draft &d, unsigned node) {
  MuValue x = d.nodes[node].operands[0], result = d.nodes[node].results[0];
  Inserter i{d, node, Shape(d.getShape(x))};
  MuValue y = i.scale(x, 0.25);
  d.nodes[node].operands[0] = i(OpKind::Sub, {x, y});
  MuValue other = i(OpKind::Exp, {y});
  unsigned added = d.nodes.size();
  MuValue product =
      d.insertAfter(node, OpKind::Mul, {}, {result, other}, d.getShape(result));
  d.replaceUses(result, product, added);
}

void mutate::listIdentities(const Draft &draft, Mutations &list) {
  for (const Site &site : draft.getSites()) {
    const MuNode &node = draft.nodes[site.node];
    unsigned number = site.node;
    if (node.kind == MuNode::Kind::Load || node.kind == MuNode::Kind::Graph)
      continue;
    for (size_t slot = 0; slot < node.operands.size(); ++slot) {
      MuValue x = node.operands[slot], y = x;
      for (MuValue other : site.visible)
        if (other != x && draft.getShape(other) == draft.getShape(x))
          y = other;
      for (const Law &law : kLaws)
        list.push_back(
            {MutationKind::Identity, number,
             ("operand " + Twine(slot) + " written as " + law.what).str(),
             [=, rewrite = law.rewrite](Draft &d) {
               Inserter i{d, number, Shape(d.getShape(x))};
               MuValue same = rewrite(i, x, y);
               d.nodes[number].operands[slot] = same;
             }});
    }
    if (node.kind == MuNode::Kind::Operator && node.op == OpKind::Exp)
      list.push_back({MutationKind::Identity, number,
                      "written as exp(3 x / 4) exp(x / 4)",
                      [=](Draft &d) { rewriteExponential(d, number); }});
  }
}
