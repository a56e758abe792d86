//===- IdentityMutations.cpp - Changes that change nothing ----------------===//
//
// Applies laws of arithmetic to operators and operands: a verifier must still
// accept the program. Among them are laws that it does not know; then it may
// say that it does not know, but not that programs differ.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Semantics/ShapeRules.h"
#include "Mutation.h"
#include "llvm/ADT/Twine.h"
#include <cmath>

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
  MuValue constant(double value) {
    return d.insertConstantBefore(node, value, shape.size(), ElementType::f64);
  }
  /// Returns a slice of `shape`, with an offset along the last dimension.
  OpAttributes getPart(int64_t offset) {
    OpAttributes slice;
    slice.offsets.assign(shape.size(), 0);
    slice.offsets.back() = offset;
    slice.sizes = shape;
    slice.strides.assign(shape.size(), 1);
    return slice;
  }
  MuValue scale(MuValue a, double factor) {
    OpAttributes attributes;
    attributes.scalar = factor;
    return (*this)(OpKind::Scale, {a}, attributes);
  }
};

struct Law {
  const char *what;
  /// Inserts operators whose value equals `x`; `y` is another value of its
  /// shape, or x itself.
  MuValue (*rewrite)(Inserter &i, MuValue x, MuValue y);
  MutationKind kind = MutationKind::Identity;
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
    {"1 / (1 / x)",
     [](Inserter &i, MuValue x, MuValue) {
       MuValue one = i.constant(1);
       return i(OpKind::Div, {one, i(OpKind::Div, {one, x})});
     }},
    // These are named numbers (ExactConstant.h).
    {"x sqrt(2) sqrt(2) / 2",
     [](Inserter &i, MuValue x, MuValue) {
       return i.scale(i.scale(i.scale(x, M_SQRT2), M_SQRT2), 0.5);
     }},
    {"x ln(2) log2(e)",
     [](Inserter &i, MuValue x, MuValue) {
       return i.scale(i.scale(x, M_LN2), M_LOG2E);
     }},
    {"x exp(0)",
     [](Inserter &i, MuValue x, MuValue) {
       return i(OpKind::Mul, {x, i(OpKind::Exp, {i.constant(0)})});
     }},
    {"x exp2(1) / 2",
     [](Inserter &i, MuValue x, MuValue) {
       MuValue two = i(OpKind::Exp2, {i.constant(1)});
       return i.scale(i(OpKind::Mul, {x, two}), 0.5);
     },
     MutationKind::ExponentialLaw},
    {"x exp(y) exp(-y)",
     [](Inserter &i, MuValue x, MuValue y) {
       MuValue up = i(OpKind::Mul, {x, i(OpKind::Exp, {y})});
       return i(OpKind::Mul, {up, i(OpKind::Exp, {i.scale(y, -1)})});
     }},
    {"x exp(y) / exp2(y log2(e))",
     [](Inserter &i, MuValue x, MuValue y) {
       MuValue up = i(OpKind::Mul, {x, i(OpKind::Exp, {y})});
       return i(OpKind::Div, {up, i(OpKind::Exp2, {i.scale(y, M_LOG2E)})});
     }},
    // These are equal for exact numbers; floats must refuse them where results
    // show it.
    {"x - inf + inf",
     [](Inserter &i, MuValue x, MuValue) {
       MuValue infinity = i.constant(-HUGE_VAL);
       return i(OpKind::Sub, {i(OpKind::Add, {x, infinity}), infinity});
     },
     MutationKind::NotFinite},
    {"x 2^1536 / 2^1536",
     [](Inserter &i, MuValue x, MuValue) {
       MuValue up = i.scale(i.scale(x, 0x1p768), 0x1p768);
       return i.scale(i.scale(up, 0x1p-768), 0x1p-768);
     },
     MutationKind::NotFinite},
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
    // Elements are moved there and back.
    {"flattened and not",
     [](Inserter &i, MuValue x, MuValue) {
       OpAttributes flat, back;
       flat.resultShape = {elementCount(i.shape)};
       back.resultShape = i.shape;
       return i(OpKind::Reshape, {i(OpKind::Reshape, {x}, flat)}, back);
     }},
    {"repeated and cut",
     [](Inserter &i, MuValue x, MuValue) {
       OpAttributes repeat;
       repeat.repeats.assign(i.shape.size(), 2);
       return i(OpKind::Slice, {i(OpKind::Repeat, {x}, repeat)},
                i.getPart(i.shape.back()));
     }},
    {"padded and cut",
     [](Inserter &i, MuValue x, MuValue) {
       OpAttributes pad;
       pad.offsets.assign(i.shape.size(), 0);
       pad.sizes.assign(i.shape.size(), 1);
       pad.offsets.back() = 1;
       return i(OpKind::Slice, {i(OpKind::Pad, {x}, pad)}, i.getPart(1));
     }},
    {"[x, y] cut",
     [](Inserter &i, MuValue x, MuValue y) {
       OpAttributes concat;
       concat.dim = static_cast<int64_t>(i.shape.size()) - 1;
       return i(OpKind::Slice, {i(OpKind::Concat, {y, x}, concat)},
                i.getPart(i.shape.back()));
     }},
};

/// Applies the law exp(x) = exp(x - y) exp(y), with y = x / 4.
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
      if (draft.getShape(node.operands[slot]).empty())
        continue;
      MuValue x = node.operands[slot], y = x;
      for (MuValue other : site.visible)
        if (other != x && draft.getShape(other) == draft.getShape(x))
          y = other;
      for (const Law &law : kLaws)
        list.push_back(
            {law.kind, number,
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
