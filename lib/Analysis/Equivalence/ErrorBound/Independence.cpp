//===- Independence.cpp - Exponentials of independent numbers -------------===//
//
// Sorts the arguments of exponentials of both graphs into families, and looks
// for an order of the families in which each has a witness that no earlier one
// contains. Constants and results of unknown functions are taken off first:
// they are independent numbers by themselves.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Equivalence/ErrorBound/Independence.h"
#include "Mirage/Analysis/Equivalence/Proof/OutputBox.h"
#include "Witness.h"
#include "llvm/ADT/Twine.h"
#include <cmath>

using namespace mirage;
using namespace mirage::equivalence;

namespace {
/// Checks one element of a result.
class Check {
public:
  Check(const MuGraph &lhs, const MuGraph &rhs, unsigned number,
        const OutputBox &box)
      : number(number), algebra({4096, 64, 10'000'000}),
        numInputs(lhs.getRegion().arguments.size()),
        element(makeElement(box, algebra)),
        left(lhs, algebra, tables, kMaxParts),
        right(rhs, algebra, tables, kMaxParts) {}

  /// Checks the element, or appends to `boxes` if its box is to be split.
  Independence run(const OutputBox &box,
                   llvm::SmallVectorImpl<OutputBox> &boxes);

  static constexpr unsigned kMaxParts = 64;

private:
  /// An argument is a sum of multiples of a member of a family (if any), of
  /// function results, and of one.
  struct Argument {
    std::optional<unsigned> family;
    Rational coefficient{0}, constant{0};
    llvm::SmallVector<Rational, 2> functions;
  };

  void sort(const Polynomial &exponent);
  std::optional<unsigned> findFamily(const Polynomial &core);
  void findWitnesses();
  void measure();
  void fail(const llvm::Twine &why) {
    if (result.problem.empty())
      result.problem = why.str();
  }
  std::string print(const Family &family) {
    return algebra.toString(family.getMember(algebra), 200);
  }

  unsigned number;
  Algebra algebra;
  unsigned numInputs;
  ConstantTables tables;
  OutputElement element;
  SymbolicEvaluation left, right;
  std::vector<Family> families;
  std::vector<Argument> arguments;
  Independence result;
};
} // namespace

/// Returns whether a term is a multiple of the result of a function.
static bool isFunction(const Monomial &m) {
  if (m.factors.size() != 1 || m.factors[0].exponent != Rational(1) ||
      !m.bound.empty())
    return false;
  const Atom &atom = *m.factors[0].atom;
  return atom.kind == Atom::Kind::Unknown ||
         (atom.kind == Atom::Kind::Read && atom.tensor.isUnknown());
}

void Check::sort(const Polynomial &exponent) {
  Argument argument;
  Polynomial core;
  for (const Monomial &m : exponent.monomials)
    if (m.factors.empty())
      argument.constant = abs(m.coefficient);
    else if (isFunction(m))
      argument.functions.push_back(abs(m.coefficient));
    else
      core.monomials.push_back(m);
  if (!core.isZero()) {
    argument.coefficient = abs(core.monomials.front().coefficient);
    core =
        algebra.scale(core, Rational(1) / core.monomials.front().coefficient);
    argument.family = findFamily(core);
  }
  arguments.push_back(std::move(argument));
}

std::optional<unsigned> Check::findFamily(const Polynomial &core) {
  llvm::SmallVector<Variable, 4> variables;
  for (const Monomial &m : core.monomials)
    for (const Factor &factor : m.factors)
      for (Variable v : factor.atom->variables)
        if (!algebra.variables.isFixed(v) && !llvm::is_contained(m.bound, v) &&
            !llvm::is_contained(variables, v))
          variables.push_back(v);
  Polynomial one = algebra.exp(core), sum = algebra.sum(variables, one);
  if (algebra.isStopped())
    return std::nullopt;
  // The normal form knows more than the model, which takes ln 2 for any number:
  // exp(x + ln 2) must stay an exponential of two numbers.
  bool isProduct =
      one.monomials.size() == 1 &&
      one.monomials[0].coefficient == Rational(1) &&
      one.monomials[0].factors.size() == core.monomials.size() &&
      sum.monomials.size() == 1 &&
      llvm::all_of(sum.monomials[0].factors, [](const Factor &factor) {
        return factor.atom->kind == Atom::Kind::Exp &&
               factor.atom->argument.monomials.size() == 1;
      });
  if (!isProduct) {
    fail("the argument " + algebra.toString(core, 200) + " has no normal form");
    return std::nullopt;
  }
  // The walk leaves none of these, and what follows knows nothing of them.
  if (isProduct && hasOtherFunction({sum.monomials[0]}))
    fail("the argument " + algebra.toString(core, 200) +
         " has a function of another kind");
  for (auto [i, family] : llvm::enumerate(families))
    if (algebra.areAlike(family.exponentials, sum.monomials[0]))
      return i;
  families.push_back({std::move(sum.monomials[0])});
  return families.size() - 1;
}

void Check::findWitnesses() {
  // Families are taken from the last one of the order to the first.
  std::vector<const Family *> left;
  for (const Family &family : families)
    left.push_back(&family);
  auto isLast = [&](const Family *family) {
    for (unsigned i = 0; i < numInputs; ++i) {
      auto input = TensorNumber::getInput(i);
      if (isWitness(*family, input, algebra, tables) &&
          llvm::none_of(left, [&](const Family *other) {
            return other != family && containsTensor(*other, input);
          }))
        return true;
    }
    return false;
  };
  while (!left.empty()) {
    auto found = llvm::find_if(left, isLast);
    if (found == left.end())
      break;
    left.erase(found);
  }
  if (left.size() == 1)
    fail("of the arguments " + print(*left[0]) +
         " not each is seen to be linear in a number of its own");
  else if (!left.empty())
    fail("the arguments " + print(*left[0]) + " and " + print(*left[1]) +
         " are not seen to be linear in numbers of their own");
}

static double toDouble(const Rational &value) {
  constexpr int64_t most = int64_t(1) << 50;
  if (value.num > most || value.den > most)
    return INFINITY;
  return static_cast<double>(static_cast<int64_t>(value.num)) /
         static_cast<double>(static_cast<int64_t>(value.den));
}

/// Numbers that are independent stay so if they are multiplied. So the unit of
/// each family is as large as its multiples allow.
void Check::measure() {
  Rational constantUnit = 0, functionUnit = 0;
  std::vector<Rational> units(families.size(), 0);
  for (const Argument &argument : arguments) {
    constantUnit = getGcd(constantUnit, argument.constant);
    for (const Rational &coefficient : argument.functions)
      functionUnit = getGcd(functionUnit, coefficient);
    if (argument.family)
      units[*argument.family] =
          getGcd(units[*argument.family], argument.coefficient);
  }
  for (const Argument &argument : arguments) {
    Rational degree = 0;
    if (argument.constant.num != 0)
      degree += argument.constant / constantUnit;
    for (const Rational &coefficient : argument.functions)
      degree += coefficient / functionUnit;
    if (argument.family)
      degree += argument.coefficient / units[*argument.family];
    result.degree = std::max(result.degree, toDouble(reduce(degree)));
  }
  for (const Family &family : families) {
    result.arguments += family.getSize(algebra);
    result.hasFunctions |= containsFunction(family);
  }
}

Independence Check::run(const OutputBox &box,
                        llvm::SmallVectorImpl<OutputBox> &boxes) {
  std::vector<Polynomial> exponents;
  left.collectExponents(number, element.at, TensorNumber::Program::Lhs,
                        exponents);
  if (!algebra.isStopped())
    right.collectExponents(number, element.at, TensorNumber::Program::Rhs,
                           exponents);
  if (split(box, element, algebra, boxes))
    return {};
  for (const Polynomial &exponent : exponents)
    if (!algebra.isStopped())
      sort(exponent);
  if (algebra.stop == Algebra::Stop::Split)
    fail("a condition on indices has no answer");
  if (algebra.isStopped())
    fail(algebra.reason);
  if (!result.problem.empty())
    return std::move(result);
  findWitnesses();
  measure();
  return std::move(result);
}

/// The maximum of a number and an infinity is that number, and nothing unknown.
static bool hasInfiniteExponent(const FieldPlan &plan) {
  const MuGraph &graph = plan.getGraph();
  for (unsigned number = 0; number < graph.getNumNodes(); ++number) {
    const MuNode &node = graph.getNode(number);
    if (node.kind != MuNode::Kind::Operator ||
        llvm::none_of(node.results,
                      [&](MuValue v) { return plan.needs(v, kPlaneQ); }))
      continue;
    if ((node.op == OpKind::Pad && std::isinf(node.attributes.scalar)) ||
        (node.op == OpKind::Constant &&
         llvm::any_of(*node.attributes.values,
                      [](double value) { return std::isinf(value); })))
      return true;
  }
  return false;
}

Independence equivalence::checkIndependence(const FieldPlan &lhs,
                                            const FieldPlan &rhs) {
  Independence all;
  if (hasInfiniteExponent(lhs) || hasInfiniteExponent(rhs)) {
    all.problem = "the argument of an exponential contains an infinity";
    return all;
  }
  const MuGraph &l = lhs.getGraph(), &r = rhs.getGraph();
  if (!hasModerateSizes(l) || !hasModerateSizes(r)) {
    all.problem = "a tensor is empty or has more than 2^40 elements";
    return all;
  }
  for (unsigned i = 0; i < l.getRegion().results.size(); ++i) {
    llvm::SmallVector<OutputBox, 4> boxes{
        OutputBox(l.getShape(l.getRegion().results[i]))};
    for (unsigned count = 0; !boxes.empty(); ++count) {
      if (count == Check::kMaxParts) {
        all.problem = "a result falls into more than " +
                      std::to_string(Check::kMaxParts) + " parts";
        return all;
      }
      OutputBox box = boxes.pop_back_val();
      Independence one = Check(l, r, i, box).run(box, boxes);
      if (!one.problem.empty())
        return one;
      all.degree = std::max(all.degree, one.degree);
      all.arguments = std::max(all.arguments, one.arguments);
      all.hasFunctions |= one.hasFunctions;
    }
  }
  return all;
}
