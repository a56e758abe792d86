//===- OperatorMutations.cpp - Operators and their operands ---------------===//
//
// Makes mutants with operands exchanged, replaced or left out, and with
// operators in place of others.
//
//===----------------------------------------------------------------------===//

#include "Mutation.h"
#include "llvm/ADT/Twine.h"

using namespace mirage;
using namespace mirage::mutate;
using llvm::Twine;

/// Returns values that can stand where `value` stands.
static llvm::SmallVector<MuValue> getSubstitutes(const Draft &draft,
                                                 llvm::ArrayRef<MuValue> among,
                                                 MuValue value) {
  llvm::SmallVector<MuValue> substitutes;
  for (MuValue other : among)
    if (other != value && draft.getShape(other) == draft.getShape(value) &&
        draft.values[other].type == draft.values[value].type)
      substitutes.push_back(other);
  return substitutes;
}

void mutate::listOperandMutations(const Draft &draft, Mutations &list) {
  for (const Site &site : draft.getSites()) {
    unsigned number = site.node;
    const MuNode &node = draft.nodes[number];
    bool isLoad = node.kind == MuNode::Kind::Load;
    bool isSource = isLoad || node.kind == MuNode::Kind::Graph;
    for (size_t i = 0; i < node.operands.size(); ++i) {
      for (MuValue other : getSubstitutes(
               draft, isLoad ? site.arguments : site.visible, node.operands[i]))
        list.push_back(
            {isSource ? MutationKind::Source : MutationKind::OperandReplaced,
             number,
             (Twine("operand ") + Twine(i) + " becomes %" + Twine(other)).str(),
             [=](Draft &d) { d.nodes[number].operands[i] = other; }});
      if (isSource)
        continue;
      for (size_t j = 0; j < i; ++j)
        if (node.operands[i] != node.operands[j])
          list.push_back({MutationKind::OperandOrder, number,
                          (Twine("operands ") + Twine(j) + " and " + Twine(i) +
                           " exchanged")
                              .str(),
                          [=](Draft &d) {
                            auto &operands = d.nodes[number].operands;
                            std::swap(operands[i], operands[j]);
                          }});
    }
  }
}

/// Operators of which one may stand for the other, with no attributes of their
/// own but those that default.
static llvm::ArrayRef<OpKind> getAlternatives(OpKind kind) {
  static constexpr OpKind kBinary[] = {OpKind::Add, OpKind::Sub, OpKind::Mul,
                                       OpKind::Div, OpKind::Max, OpKind::Min};
  static constexpr OpKind kUnary[] = {
      OpKind::Exp,     OpKind::Exp2, OpKind::Log,  OpKind::Sqrt, OpKind::Rsqrt,
      OpKind::Square,  OpKind::Silu, OpKind::Gelu, OpKind::Mish, OpKind::Relu,
      OpKind::Sigmoid, OpKind::Tanh, OpKind::Erf,  OpKind::Abs};
  static constexpr OpKind kSoftmax[] = {OpKind::Softmax, OpKind::LogSoftmax};
  for (llvm::ArrayRef<OpKind> family :
       {llvm::ArrayRef<OpKind>(kBinary), llvm::ArrayRef<OpKind>(kUnary),
        llvm::ArrayRef<OpKind>(kSoftmax)})
    if (llvm::is_contained(family, kind))
      return family;
  return {};
}

static void listAlternatives(const MuNode &node, unsigned number,
                             Mutations &list) {
  auto add = [&](const Twine &what, std::function<void(MuNode &)> f) {
    list.push_back({MutationKind::Operator, number, what.str(),
                    [=](Draft &d) { f(d.nodes[number]); }});
  };
  for (OpKind other : getAlternatives(node.op))
    if (other != node.op)
      add(Twine("becomes ") + getOpInfo(other).mnemonic,
          [=](MuNode &n) { n.op = other; });
  const OpAttributes &old = node.attributes;
  if (node.op == OpKind::Compare)
    for (unsigned kind = 0; kind <= static_cast<unsigned>(CompareKind::GE);
         ++kind)
      if (auto other = static_cast<CompareKind>(kind); other != old.compareKind)
        add(Twine("compares by ") + stringifyCompareKind(other),
            [=](MuNode &n) { n.attributes.compareKind = other; });
  if (node.op == OpKind::Gelu)
    add("takes the other form", [](MuNode &n) {
      GeluForm &form = n.attributes.geluForm;
      form = form == GeluForm::Erf ? GeluForm::Tanh : GeluForm::Erf;
    });
  if (node.op == OpKind::RmsNorm || node.op == OpKind::LayerNorm)
    add("becomes the other norm", [](MuNode &n) {
      n.op = n.op == OpKind::RmsNorm ? OpKind::LayerNorm : OpKind::RmsNorm;
    });
}

void mutate::listOperatorMutations(const Draft &draft, Mutations &list) {
  for (const Site &site : draft.getSites()) {
    unsigned number = site.node;
    const MuNode &node = draft.nodes[number];
    if (node.kind != MuNode::Kind::Operator)
      continue;
    listAlternatives(node, number, list);
    if (!isElementwise(node.op) && !isComposite(node.op))
      continue;
    MuValue result = node.results[0];
    for (auto [i, operand] : llvm::enumerate(node.operands))
      if (draft.getShape(operand) == draft.getShape(result)) {
        MuValue kept = operand;
        list.push_back(
            {MutationKind::FactorMissing, number,
             (Twine("left out, operand ") + Twine(i) + " in its place").str(),
             [=](Draft &d) { d.replaceUses(result, kept); }});
      }
  }
}

void mutate::listResultMutations(const Draft &draft, Mutations &list) {
  for (auto [number, region] : llvm::enumerate(draft.regions))
    for (size_t i = 0; i < region.results.size(); ++i)
      for (size_t j = 0; j < i; ++j)
        if (region.results[i] != region.results[j] &&
            draft.getShape(region.results[i]) ==
                draft.getShape(region.results[j])) {
          unsigned owner = 0;
          for (auto [n, node] : llvm::enumerate(draft.nodes))
            if (number && node.body == number)
              owner = n;
          unsigned at = number;
          list.push_back({MutationKind::Results, owner,
                          (Twine("results ") + Twine(j) + " and " + Twine(i) +
                           " of region " + Twine(at) + " exchanged")
                              .str(),
                          [=](Draft &d) {
                            auto &results = d.regions[at].results;
                            std::swap(results[i], results[j]);
                          }});
        }
}
