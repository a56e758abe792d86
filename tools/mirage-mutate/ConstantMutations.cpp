//===- ConstantMutations.cpp - Numbers in attributes ----------------------===//
//
// Makes mutants with constants that are off by one unit in the last place of
// f64 and of f32, doubled, negated, or zero. Factors next to one are inserted
// by InsertionMutations.cpp.
//
//===----------------------------------------------------------------------===//

#include "Mutation.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mirage;
using namespace mirage::mutate;
using llvm::Twine;

namespace {
struct Change {
  MutationKind kind;
  const char *what;
  double (*apply)(double);
};
} // namespace

static const Change kChanges[] = {
    {MutationKind::ConstantUlpF64, "one ulp of f64 more",
     [](double x) { return std::nextafter(x, INFINITY); }},
    {MutationKind::ConstantUlpF64, "one ulp of f64 less",
     [](double x) { return std::nextafter(x, -INFINITY); }},
    {MutationKind::ConstantUlpF32, "one ulp of f32 more",
     [](double x) {
       return static_cast<double>(
           std::nextafter(static_cast<float>(x), INFINITY));
     }},
    {MutationKind::ConstantUlpF32, "one ulp of f32 less",
     [](double x) {
       return static_cast<double>(
           std::nextafter(static_cast<float>(x), -INFINITY));
     }},
    {MutationKind::ConstantValue, "doubled", [](double x) { return x * 2; }},
    {MutationKind::ConstantValue, "negated", [](double x) { return -x; }},
    {MutationKind::ConstantValue, "replaced by one",
     [](double) { return 1.0; }},
    {MutationKind::ConstantValue, "replaced by zero",
     [](double) { return 0.0; }},
};

void mutate::listConstantMutations(const Draft &draft, Mutations &list) {
  for (const Site &site : draft.getSites()) {
    unsigned number = site.node;
    const MuNode &node = draft.nodes[number];
    if (node.kind != MuNode::Kind::Operator)
      continue;
    auto addChanges = [&](llvm::StringRef name, double old,
                          std::function<void(OpAttributes &, double)> set) {
      for (const Change &change : kChanges) {
        double value = change.apply(old);
        if (value != old && !std::isnan(value) && std::isfinite(old))
          list.push_back(
              {change.kind, number,
               (name + " " + llvm::formatv("{0:e}", old).str() + " " +
                change.what)
                   .str(),
               [=](Draft &d) { set(d.nodes[number].attributes, value); }});
      }
    };
    const OpAttributes &old = node.attributes;
    switch (node.op) {
    case OpKind::Scale:
    case OpKind::Pow:
    case OpKind::Pad:
    case OpKind::RmsNorm:
    case OpKind::LayerNorm:
    case OpKind::GroupNorm:
    case OpKind::InstanceNorm:
    case OpKind::BatchNorm:
    case OpKind::Variance:
    case OpKind::Attention:
      addChanges("scalar", old.scalar,
                 [](OpAttributes &a, double value) { a.scalar = value; });
      break;
    case OpKind::Clamp:
      addChanges("lower bound", old.lower,
                 [](OpAttributes &a, double value) { a.lower = value; });
      addChanges("upper bound", old.upper,
                 [](OpAttributes &a, double value) { a.upper = value; });
      break;
    case OpKind::Constant: {
      size_t last = old.values->size() - 1;
      for (size_t i : {size_t(0), last}) {
        addChanges(
            "element", (*old.values)[i], [=](OpAttributes &a, double value) {
              auto copy = std::make_shared<std::vector<double>>(*a.values);
              (*copy)[i] = value;
              a.values = std::move(copy);
            });
        if (!last)
          break;
      }
      break;
    }
    default:
      break;
    }
  }
}
