//===- ProgramPasses.cpp - A program in loops one after another -----------===//
//
// The first pass in which a value can be computed follows from those of its
// operands. Each value is planned when it is needed, once for each pass.
//
//===----------------------------------------------------------------------===//

#include "ProgramPasses.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include <map>

using namespace mirage;
using namespace mirage::search;
using Kind = OperatorForm::Kind;

namespace {

class Planner {
public:
  /// `given` are values that are there before all loops, as give() says.
  Planner(const SearchProblem &problem, llvm::ArrayRef<ProgramStep> steps,
          std::optional<uint8_t> axis, SumPlace sums,
          llvm::ArrayRef<MuValue> given = {})
      : problem(problem), axis(axis), sums(sums) {
    const MuRegion &body = problem.getProgram().getRegion();
    for (auto [number, argument] : llvm::enumerate(body.arguments)) {
      Facts &known = facts[argument];
      known.argument = number;
      known.isInLoop = axis && hasAxis(number);
    }
    for (const ProgramStep &step : steps) {
      if (llvm::is_contained(given, step.result))
        facts[step.result].step = &step;
      else
        describe(step);
    }
  }

  /// Plans a launch that computes these values.
  ProgramPasses run(llvm::ArrayRef<MuValue> wanted) {
    for (MuValue value : wanted)
      plan.results.push_back(getWhole(value));
    return std::move(plan);
  }

  /// Says that an operator that was added computes a value.
  void give(MuValue value, unsigned number) { wholes[value] = number; }

  /// Adds an operator outside of loops, or a load.
  unsigned add(PlannedOperator planned) {
    if (planned.pass)
      plan.numLoops = std::max(plan.numLoops, *planned.pass + 1);
    plan.operators.push_back(std::move(planned));
    return plan.operators.size() - 1;
  }

  /// What is known of a value before it is planned.
  struct Facts {
    std::optional<unsigned> argument;
    const ProgramStep *step = nullptr;
    /// The value has a tile for each iteration.
    bool isInLoop = false;
    /// The operator reduces tiles along the axis of the loop.
    bool isPartial = false;
    /// The value is a maximum that is subtracted before an exponential. It may
    /// be the iteration's.
    bool isShift = false;
    /// The first loop that can compute the value's tiles, or what is reduced;
    /// for values outside of loops, how many loops come before.
    unsigned pass = 0;

    /// How many loops come before the value is there as a whole.
    unsigned getPassAfter() const {
      return pass + (isInLoop || isPartial ? 1 : 0);
    }
  };

  const Facts &getFacts(MuValue value) const { return facts.at(value); }

private:
  bool hasAxis(unsigned input) const {
    return llvm::any_of(problem.getInputs()[input].dims, [&](DimId dim) {
      return problem.getParts(dim).front().axis == axis;
    });
  }

  void describe(const ProgramStep &step) {
    const OperatorForm &form = problem.getForm(step.formId);
    hasProducts |= form.kind == Kind::Matmul;
    Facts own;
    own.step = &step;
    for (MuValue operand : step.operands) {
      const Facts &other = facts[operand];
      bool isTile = other.isInLoop || other.isShift;
      // A sum of tiles with a maximum is no tile itself.
      own.isInLoop |= other.isInLoop;
      own.pass = std::max(own.pass, isTile ? other.pass : other.getPassAfter());
    }
    if (own.isInLoop && form.isReducing() &&
        llvm::is_contained(problem.getReducedAxes()[step.reduced], *axis)) {
      own.isInLoop = false;
      own.isPartial = true;
      own.isShift = form.kind == Kind::ReduceMax;
    }
    // Outside of loops a maximum is that of all iterations.
    if (!own.isInLoop && !own.isPartial)
      for (MuValue operand : step.operands)
        own.pass = std::max(own.pass, facts[operand].getPassAfter());
    facts[step.result] = own;
  }

  static PlannedForm getForm(const ProgramStep &step) {
    return {step.formId, step.reduced};
  }

  unsigned accumulate(Kind kind, unsigned operand) {
    PlannedOperator accumulator;
    accumulator.accumulator = kind;
    accumulator.operands = {operand};
    return add(std::move(accumulator));
  }

  /// Returns what an operator computes in a loop, or in the body.
  unsigned apply(const Facts &value, std::optional<unsigned> pass) {
    PlannedOperator planned;
    planned.pass = pass;
    planned.tensor = value.argument;
    if (value.step)
      planned.form = getForm(*value.step);
    if (value.step)
      for (MuValue operand : value.step->operands)
        planned.operands.push_back(pass ? getTile(operand, *pass)
                                        : getWhole(operand));
    return add(std::move(planned));
  }

  /// Returns a value as an iteration of a loop sees it.
  unsigned getTile(MuValue value, unsigned pass) {
    const Facts &known = facts[value];
    bool isOwn = known.isInLoop || (known.isShift && known.pass == pass);
    if (!isOwn)
      return getWhole(value);
    auto [place, isNew] = tiles.insert({{value, pass}, 0});
    if (isNew)
      place->second = apply(known, pass);
    return place->second;
  }

  /// Returns a value behind the loops that it needs.
  unsigned getWhole(MuValue value) {
    if (auto place = wholes.find(value); place != wholes.end())
      return place->second;
    const Facts &known = facts[value];
    unsigned number = 0;
    if (known.isInLoop) {
      number = accumulate(Kind::AccumulateConcat, getTile(value, known.pass));
    } else if (known.isPartial) {
      number = accumulatePartial(known, value);
    } else {
      number = apply(known, std::nullopt);
    }
    wholes[value] = number;
    return number;
  }

  /// Returns what is summed over the loop's axis, or the maximum over it.
  unsigned accumulatePartial(const Facts &known, MuValue value) {
    Kind kind = problem.getForm(known.step->formId).kind;
    bool isSum = kind == Kind::ReduceSum;
    if (isSum && sums == SumPlace::BehindLoop) {
      PlannedOperator whole;
      whole.form = getForm(*known.step);
      whole.operands = {accumulate(
          Kind::Accumulate, getTile(known.step->operands[0], known.pass))};
      return add(std::move(whole));
    }
    plan.sumsBesideProducts |= isSum && hasProducts;
    unsigned tile =
        known.isShift ? getTile(value, known.pass) : apply(known, known.pass);
    return accumulate(kind == Kind::ReduceMax        ? Kind::AccumulateMax
                      : kind == Kind::ReducePlainMax ? Kind::AccumulatePlainMax
                                                     : Kind::Accumulate,
                      tile);
  }

  const SearchProblem &problem;
  std::optional<uint8_t> axis;
  SumPlace sums;
  bool hasProducts = false;
  llvm::DenseMap<MuValue, Facts> facts;
  std::map<std::pair<MuValue, unsigned>, unsigned> tiles;
  llvm::DenseMap<MuValue, unsigned> wholes;
  ProgramPasses plan;
};

/// Finds out which launch computes what if blocks divide an axis.
class Splitter {
public:
  Splitter(const SearchProblem &problem, llvm::ArrayRef<ProgramStep> steps,
           uint8_t axis)
      : problem(problem), planner(problem, steps, axis, SumPlace::InLoop),
        axis(axis) {
    for (auto [argument, input] : llvm::zip_equal(
             problem.getProgram().getRegion().arguments, problem.getInputs()))
      axes[argument] = problem.getAxes(input.dims);
    for (const ProgramStep &step : steps) {
      AxisSet own;
      for (MuValue operand : step.operands)
        own |= axes[operand];
      axes[step.result] = own - getReduced(step);
    }
  }

  std::optional<SplitProgram> run() {
    for (MuValue result : problem.getProgram().getRegion().results)
      if (!visitSecond(problem.getStepValue(result)))
        return std::nullopt;
    AxisSet secondReduced = std::exchange(reduced, {});
    if (split.stored.empty())
      return std::nullopt;
    visited.clear();
    for (MuValue value : split.stored)
      visitFirst(value);
    // A first launch that reduces nothing over the axis leaves nothing to
    // merge.
    if (!reduced.contains(axis))
      return std::nullopt;
    AxisSet all = AxisSet::getBelow(problem.getNumAxes());
    for (unsigned other = 0; other < problem.getNumAxes(); ++other)
      if (problem.getAxisSize(other) == 1)
        all.erase(other);
    all -= problem.getPartAxes();
    split.firstGrid = all - reduced;
    split.firstGrid.erase(axis);
    for (MuValue value : split.stored)
      split.firstGrid &= axes.at(value);
    split.secondGrid = all - secondReduced;
    for (const TensorInfo &result : problem.getResults())
      split.secondGrid &= problem.getAxes(result.dims);
    split.firstReduced = reduced;
    return std::move(split);
  }

private:
  /// Returns the axes that an operator reduces.
  AxisSet getReduced(const ProgramStep &step) const {
    const OperatorForm &form = problem.getForm(step.formId);
    AxisSet own;
    if (form.isReducing())
      for (uint8_t other : problem.getReducedAxes()[step.reduced])
        own.insert(other);
    return own;
  }
  /// Returns the axes that an operator reduces or needs as wholes.
  AxisSet getNeeded(const ProgramStep &step) const {
    const OperatorForm &form = problem.getForm(step.formId);
    return form.kind == Kind::Composite ? problem.getAxes(form.along)
                                        : getReduced(step);
  }

  /// Visits what the second launch computes. Returns false if it would reduce
  /// over the axis, or could not merge what the first one has reduced.
  bool visitSecond(MuValue value) {
    if (!visited.insert(value).second)
      return true;
    const auto &known = planner.getFacts(value);
    if (known.argument)
      return true;
    Kind kind = problem.getForm(known.step->formId).kind;
    bool isProduct =
        known.isInLoop && problem.getForm(known.step->formId).isReducing();
    // No operator takes a maximum over blocks that is a value like others.
    if (known.isPartial && kind == Kind::ReducePlainMax)
      return false;
    if (known.pass == 0 && (known.isPartial || isProduct)) {
      split.stored.push_back(value);
      split.storesTiles |= isProduct;
      return true;
    }
    AxisSet needed = getNeeded(*known.step);
    if (known.isPartial || needed.contains(axis))
      return false;
    reduced |= needed;
    return llvm::all_of(known.step->operands,
                        [&](MuValue operand) { return visitSecond(operand); });
  }

  /// Visits what the first launch computes.
  void visitFirst(MuValue value) {
    const auto &known = planner.getFacts(value);
    if (known.argument || !visited.insert(value).second)
      return;
    reduced |= getNeeded(*known.step);
    for (MuValue operand : known.step->operands)
      visitFirst(operand);
  }

  const SearchProblem &problem;
  Planner planner;
  uint8_t axis;
  llvm::DenseMap<MuValue, AxisSet> axes;
  llvm::DenseSet<MuValue> visited;
  AxisSet reduced;
  SplitProgram split;
};

static auto isKind(Kind kind) {
  return [kind](const OperatorForm &form) { return form.kind == kind; };
}

/// Plans how parts along an axis are merged. Those that are relative to maxima
/// of their own become relative to the largest.
class PartMerger {
public:
  PartMerger(const SearchProblem &problem, Planner &planner, uint8_t axis,
             llvm::ArrayRef<StoredPart> parts)
      : problem(problem), planner(planner), parts(parts), loads(parts.size()),
        wholes(parts.size()), factors(parts.size()) {
    if (auto found = problem.findReduced(problem.getSplitAxis(axis)))
      reduced = *found;
  }

  /// Returns what computes the value of which these are parts.
  std::optional<unsigned> merge(unsigned part) {
    if (wholes[part])
      return wholes[part];
    std::optional<unsigned> merged;
    if (!parts[part].isSplit)
      merged = load(part);
    else if (parts[part].isMaximum)
      merged = apply(isKind(Kind::ReduceMax), {load(part)});
    else if (std::optional<unsigned> terms = rescale(part))
      merged = apply(
          [](const OperatorForm &form) {
            return form.kind == Kind::ReduceSum && form.splitsOnly;
          },
          {*terms});
    return wholes[part] = merged;
  }

private:
  using Test = llvm::function_ref<bool(const OperatorForm &)>;

  /// Adds an operator of the first form for which a test holds.
  std::optional<unsigned> apply(Test test, llvm::ArrayRef<unsigned> operands) {
    const auto *form = llvm::find_if(problem.getForms(), test);
    if (form == problem.getForms().end())
      return std::nullopt;
    PlannedOperator planned;
    planned.form = {static_cast<FormId>(form - problem.getForms().begin()),
                    form->isReducing() ? reduced : uint8_t(0)};
    planned.operands.assign(operands.begin(), operands.end());
    return planner.add(std::move(planned));
  }

  unsigned load(unsigned part) {
    if (!loads[part]) {
      PlannedOperator planned;
      planned.tensor = problem.getInputs().size() + part;
      loads[part] = planner.add(std::move(planned));
    }
    return *loads[part];
  }

  /// Returns the parts, relative to the largest maximum if they have any.
  std::optional<unsigned> rescale(unsigned part) {
    std::optional<unsigned> maximum = parts[part].maximum;
    if (!maximum)
      return load(part);
    std::optional<unsigned> factor = getFactor(*maximum);
    if (!factor)
      return std::nullopt;
    return apply(
        [](const OperatorForm &form) {
          return form.kind == Kind::Binary && form.op == OpKind::Mul;
        },
        {load(part), *factor});
  }

  /// Returns the exponential of each maximum less the largest.
  std::optional<unsigned> getFactor(unsigned maximum) {
    if (factors[maximum])
      return factors[maximum];
    std::optional<OpKind> exponential = getExponential();
    std::optional<unsigned> largest = merge(maximum);
    if (!exponential || !largest)
      return std::nullopt;
    std::optional<unsigned> difference =
        apply(isKind(Kind::SubtractShift), {load(maximum), *largest});
    if (!difference)
      return std::nullopt;
    return factors[maximum] = apply(
               [&](const OperatorForm &form) {
                 return form.kind == Kind::Unary && form.op == *exponential;
               },
               {*difference});
  }

  /// Returns the exponential that the program has; nothing if it has two, since
  /// then the one to rescale with is not known.
  std::optional<OpKind> getExponential() const {
    std::optional<OpKind> found;
    for (const OperatorForm &form : problem.getForms()) {
      if (form.kind != Kind::Unary ||
          (form.op != OpKind::Exp && form.op != OpKind::Exp2))
        continue;
      if (found && *found != form.op)
        return std::nullopt;
      found = form.op;
    }
    return found;
  }

  const SearchProblem &problem;
  Planner &planner;
  llvm::ArrayRef<StoredPart> parts;
  uint8_t reduced = 0;
  std::vector<std::optional<unsigned>> loads, wholes, factors;
};

/// Returns the values that are the program's results.
static llvm::SmallVector<MuValue> getResults(const SearchProblem &problem) {
  return llvm::map_to_vector(
      problem.getProgram().getRegion().results,
      [&](MuValue result) { return problem.getStepValue(result); });
}

} // namespace

ProgramPasses mirage::search::planPasses(const SearchProblem &problem,
                                         llvm::ArrayRef<ProgramStep> steps,
                                         std::optional<uint8_t> axis,
                                         SumPlace sums) {
  return Planner(problem, steps, axis, sums).run(getResults(problem));
}

std::optional<SplitProgram>
mirage::search::splitProgram(const SearchProblem &problem,
                             llvm::ArrayRef<ProgramStep> steps, uint8_t axis) {
  return Splitter(problem, steps, axis).run();
}

ProgramPasses mirage::search::planFirst(const SearchProblem &problem,
                                        llvm::ArrayRef<ProgramStep> steps,
                                        const SplitProgram &split,
                                        std::optional<uint8_t> axis,
                                        SumPlace sums) {
  return Planner(problem, steps, axis, sums).run(split.stored);
}

std::optional<ProgramPasses>
mirage::search::planSecond(const SearchProblem &problem,
                           llvm::ArrayRef<ProgramStep> steps, uint8_t axis,
                           llvm::ArrayRef<StoredPart> parts, bool hasLoop) {
  llvm::SmallVector<MuValue> given;
  for (const StoredPart &part : parts)
    if (part.value)
      given.push_back(*part.value);
  Planner planner(problem, steps,
                  hasLoop ? std::optional<uint8_t>(axis) : std::nullopt,
                  SumPlace::InLoop, given);
  PartMerger merger(problem, planner, axis, parts);
  for (auto [place, part] : llvm::enumerate(parts)) {
    if (!part.value)
      continue;
    std::optional<unsigned> merged = merger.merge(place);
    if (!merged)
      return std::nullopt;
    planner.give(*part.value, *merged);
  }
  return planner.run(getResults(problem));
}
