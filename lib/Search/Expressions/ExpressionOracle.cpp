//===- ExpressionOracle.cpp - What is pruned by expressions ---------------===//
//
// Applies operators to abstract values, and decides containment in the goals,
// once for every question.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Expressions/ExpressionOracle.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mirage;
using namespace mirage::search;

std::optional<Prune> mirage::search::parsePrune(llvm::StringRef text) {
  return llvm::StringSwitch<std::optional<Prune>>(text)
      .Case("none", Prune::None)
      .Case("normal-form", Prune::NormalForm)
      .Case("smt", Prune::SMT)
      .Case("both", Prune::Both)
      .Default(std::nullopt);
}

ExpressionOracle::ExpressionOracle(const SearchProblem &problem, Prune prune)
    : problem(problem), prune(prune), evaluator(context), binding(context),
      tiles(problem) {
  auto expressions = problem.getGoals(evaluator, binding);
  for (const Expression *goal : expressions)
    goals.push_back(normalForms.get(goal));
  for (const Expression *argument :
       problem.getPlainArguments(evaluator, binding))
    plainArguments.push_back(normalForms.get(argument));
  if (prune == Prune::SMT || prune == Prune::Both) {
    solver = std::make_unique<ContainmentSolver>(expressions);
    constraints = problem.getConstraints();
  }
  for (unsigned axis = 0; axis < problem.getNumAxes(); ++axis)
    if (problem.isSummed(axis))
      summed.insert(axis);
  for (unsigned goal : goals)
    if (goal != NormalForms::kTooLarge)
      for (unsigned denominator : normalForms.getDenominators(goal))
        denominators.insert(denominator);
  inArguments = binding.getBoundInArguments();
  inDenominators = binding.getBoundInDenominators();
}

/// The axes that sums over a monomial have bound in it. In arguments only what
/// stands in them directly is known to be bound from outside; and if the
/// monomial itself stands in an argument (`isInside`), it is not known from how
/// far outside.
AxisSet ExpressionOracle::getBound(unsigned monomial, bool isInside) const {
  AxisSet bound;
  auto addArguments = [&](unsigned polynomial) {
    if (isInside)
      return;
    for (auto [inner, count] : normalForms.getPolynomial(polynomial).terms)
      for (auto [atom, power] : normalForms.getMonomial(inner).atoms)
        if (!normalForms.getAtom(atom).isFunction)
          bound |= binding.getBoundAsArgument(normalForms.getAtom(atom).name);
  };
  const NormalForms::MonomialData &data = normalForms.getMonomial(monomial);
  for (auto [atom, power] : data.atoms) {
    const NormalForms::AtomData &symbol = normalForms.getAtom(atom);
    // A maximum binds what it is taken of, and needs no sum for that.
    if (symbol.isFunction &&
        context.getName(symbol.name) == AbstractEvaluator::kMaximum)
      continue;
    if (symbol.isFunction)
      llvm::for_each(symbol.arguments, addArguments);
    else
      bound |= binding.getBound(symbol.name);
  }
  addArguments(data.exponent);
  addArguments(data.root);
  return bound;
}

AxisSet ExpressionOracle::getSummedAxes(const Expression *expression) {
  NormalForms::Polynomial normalForm = normalForms.get(expression);
  AxisSet axes;
  if (normalForm != NormalForms::kTooLarge)
    for (auto [monomial, count] : normalForms.getPolynomial(normalForm).terms)
      axes |= problem.getAxes(normalForms.getMonomial(monomial).extent);
  return axes;
}

/// Returns whether the normal form `part` is contained in a goal's. What is
/// summed over an axis, in part or as a whole, is not multiplied by what the
/// same sum binds, only by what another whole sum over the axis does.
/// Denominators have factors that sums outside of them have bound. `summedAxes`
/// are the axes over which the part sums and no sum is still to come; a sum to
/// come would bind the factors, too.
bool ExpressionOracle::isNormalFormContained(unsigned part,
                                             AxisSet summedAxes) {
  return part == NormalForms::kTooLarge ||
         llvm::any_of(goals, [&](unsigned goal) {
           auto accept = [&](unsigned inside, unsigned factor) {
             return denominators.contains(inside) ||
                    (getBound(factor, inside != goal) & summedAxes)
                        .isSubsetOf(problem.getWholeAxes(
                            normalForms.getMonomial(factor).extent));
           };
           return normalForms.contains(goal, part, accept) !=
                  Containment::NotContained;
         });
}

/// Calls `test` with all subsets of a set until it says yes.
static bool anySubset(AxisSet set, llvm::function_ref<bool(AxisSet)> test) {
  bool found = false;
  set.forEachSubset(set.size(), [&](AxisSet subset) {
    found = test(subset);
    return !found;
  });
  return found;
}

/// Calls `test` with the ways in which an expression can be part of a goal
/// until it says yes. The expression can be as it is, or be summed over some of
/// its free axes: itself, as (a part of) the argument of a function, or as a
/// denominator.
bool ExpressionOracle::anyWay(const Expression *expression, Test test) {
  return anyPart(expression, problem.getPartAxes(),
                 [&](const Expression *part) { return anySum(part, test); });
}

/// Calls `test` with the expression as it is, and at all places of the axes
/// that the program takes parts of, until it says yes.
bool ExpressionOracle::anyPart(
    const Expression *expression, AxisSet axes,
    llvm::function_ref<bool(const Expression *)> test) {
  axes &= binding.getFreeAxes(expression);
  if (axes.empty())
    return test(expression);
  unsigned axis = *axes.begin();
  AxisSet rest = axes - AxisSet({axis});
  return anyPart(expression, rest, test) ||
         llvm::any_of(problem.getPlaces(axis), [&](uint8_t place) {
           return anyPart(binding.select(expression, axis, place), rest, test);
         });
}

bool ExpressionOracle::anySum(const Expression *expression, Test test) {
  AxisSet free = binding.getFreeAxes(expression);
  AxisSet summedAxes = getSummedAxes(expression);
  return anySubset(free & summed, [&](AxisSet sums) {
    const Expression *total = binding.bind(expression, sums);
    for (unsigned axis : sums)
      total = context.sum(problem.getExtent(problem.getWholeAxis(axis)), total);
    AxisSet rest = free - sums;
    return anySubset(rest & inArguments, [&](AxisSet inside) {
      const Expression *argument =
          binding.bind(total, inside, /*isArgument=*/true);
      return anySubset((rest - inside) & inDenominators, [&](AxisSet below) {
        return test(binding.bind(argument, below), summedAxes - sums);
      });
    });
  });
}

bool ExpressionOracle::isContained(const Expression *expression,
                                   const ExtentConstraints &constraints) {
  return anyWay(expression, [&](const Expression *way, AxisSet summedAxes) {
    if (prune != Prune::SMT &&
        !isNormalFormContained(normalForms.get(way), summedAxes))
      return false;
    return !solver ||
           solver->contains(way, constraints) != Containment::NotContained;
  });
}

bool ExpressionOracle::isAlwaysContained(const AbstractValue &value) {
  if (value.role != AbstractValue::Role::Plain)
    return true;
  auto known = always.find(value.expression);
  if (known != always.end())
    return known->second;
  return always[value.expression] = anyWay(
             value.expression, [&](const Expression *way, AxisSet summedAxes) {
               return (prune == Prune::SMT ||
                       isNormalFormContained(normalForms.get(way),
                                             summedAxes)) &&
                      solver->isAlwaysContained(way);
             });
}

ExpressionOracle::Answer ExpressionOracle::judge(AbstractValue value) {
  Answer answer;
  answer.value = value;
  answer.normalForm = normalForms.get(value.expression);
  answer.isContained = prune == Prune::None ||
                       value.role != AbstractValue::Role::Plain ||
                       isContained(value.expression, constraints);
  answer.hasSum = hasSum(value.expression);
  return answer;
}

bool ExpressionOracle::hasSum(const Expression *expression) {
  if (expression->kind == Expression::Kind::Sum)
    return true;
  auto known = sums.find(expression);
  if (known != sums.end())
    return known->second;
  bool result =
      llvm::any_of(expression->operands,
                   [&](const Expression *operand) { return hasSum(operand); });
  return sums[expression] = result;
}

const ExpressionOracle::Answer &ExpressionOracle::getInput(unsigned input) {
  while (inputs.size() <= input)
    inputs.push_back(judge(problem.getInput(inputs.size(), binding)));
  return inputs[input];
}

bool ExpressionOracle::canExponentiate(const AbstractValue &value) {
  auto [entry, isNew] = exponentials.try_emplace(value.expression, true);
  if (isNew)
    entry->second = judge({context.exp(value.expression),
                           AbstractValue::Role::Plain, std::nullopt})
                        .isContained;
  return entry->second;
}

const ExpressionOracle::Answer *
ExpressionOracle::find(const QuestionKey &key) const {
  auto known = questions.find(key);
  return known == questions.end() ? nullptr : &answers[known->second];
}

const ExpressionOracle::Answer &ExpressionOracle::keep(const QuestionKey &key,
                                                       Answer answer) {
  questions[key] = answers.size();
  answers.push_back(std::move(answer));
  return answers.back();
}

/// A value as a part of a key.
static uint64_t getKey(const AbstractValue &value) {
  return uint64_t(value.expression->number) << 2 |
         static_cast<uint64_t>(value.role);
}

const ExpressionOracle::Answer &
ExpressionOracle::apply(FormId formId, llvm::ArrayRef<AbstractValue> values,
                        DimId extent) {
  const AbstractValue &first = values.front();
  QuestionKey key = {getKey(first) << 24 | uint64_t(formId) << 16 | extent,
                     {values.size() > 1 ? getKey(values[1]) + 1 : 0,
                      values.size() > 2 ? getKey(values[2]) + 1 : 0}};
  if (const Answer *known = find(key))
    return *known;

  const OperatorForm &form = problem.getForm(formId);
  AbstractValue result;
  if (form.kind == OperatorForm::Kind::Part) {
    result = first;
    result.expression =
        binding.select(first.expression,
                       problem.getParts(form.along).front().axis, form.place);
  } else if (form.kind == OperatorForm::Kind::Composite) {
    result = problem.applyComposite(form, first, evaluator, binding);
  } else if (form.kind == OperatorForm::Kind::ReducePlainMax) {
    result = problem.applyMaximum(first, problem.getAxes(extent), evaluator,
                                  binding);
  } else {
    llvm::SmallVector<AbstractValue, 3> operands(values.begin(), values.end());
    for (auto [position, value] : form.constants) {
      OpAttributes number;
      number.values = std::make_shared<const std::vector<double>>(1, value);
      AbstractValue constant = evaluator.apply(
          OpKind::Constant, number, {}, llvm::ArrayRef<SymbolicExtent>());
      operands.insert(operands.begin() + position, constant);
    }
    MuNode node;
    node.op = form.op;
    node.attributes = form.attributes;
    result =
        problem.apply(node, operands,
                      extent == kUnitDim ? std::nullopt : std::optional(extent),
                      evaluator, binding);
  }
  return keep(key, judge(result));
}

const ExpressionOracle::Answer &
ExpressionOracle::accumulate(FormId formId, const AbstractValue &value,
                             uint8_t axis) {
  // No other question has the form of an accumulator.
  QuestionKey key = {getKey(value) << 24 | uint64_t(formId) << 16 | axis,
                     {0, 0}};
  if (const Answer *known = find(key))
    return *known;
  if (problem.getForm(formId).kind == OperatorForm::Kind::AccumulatePlainMax) {
    return keep(key, judge(problem.applyMaximum(
                         value, AxisSet({problem.getUnsplit(axis)}), evaluator,
                         binding)));
  }
  AccumulateKind kind = AccumulateKind::Sum;
  if (problem.getForm(formId).kind == OperatorForm::Kind::AccumulateMax)
    kind = AccumulateKind::Max;
  else if (problem.getForm(formId).kind == OperatorForm::Kind::AccumulateConcat)
    kind = AccumulateKind::Concat;
  AbstractValue summed = value;
  if (kind == AccumulateKind::Sum)
    summed.expression =
        binding.bind(value.expression, AxisSet({problem.getUnsplit(axis)}));
  return keep(key, judge(evaluator.accumulate(kind, summed,
                                              problem.getFactor(axis, kLoop))));
}
