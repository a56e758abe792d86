//===- ProgramPasses.cpp - A program in loops one after another -----------===//
//
// The first pass in which a value can be computed follows from those of its
// operands. Each value is planned when it is needed, once for each pass.
//
//===----------------------------------------------------------------------===//

#include "ProgramPasses.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace mirage;
using namespace mirage::search;
using Kind = OperatorForm::Kind;

namespace {

class Planner {
public:
  Planner(const SearchProblem &problem, llvm::ArrayRef<ProgramStep> steps,
          std::optional<uint8_t> axis, SumPlace sums)
      : problem(problem), axis(axis), sums(sums) {
    const MuRegion &body = problem.getProgram().getRegion();
    for (auto [number, argument] : llvm::enumerate(body.arguments)) {
      Facts &known = facts[argument];
      known.argument = number;
      known.isInLoop = axis && hasAxis(number);
    }
    for (const ProgramStep &step : steps)
      describe(step);
  }

  ProgramPasses run() {
    for (MuValue result : problem.getProgram().getRegion().results)
      plan.results.push_back(getWhole(problem.getStepValue(result)));
    return std::move(plan);
  }

private:
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

  unsigned add(PlannedOperator planned) {
    if (planned.pass)
      plan.numLoops = std::max(plan.numLoops, *planned.pass + 1);
    plan.operators.push_back(std::move(planned));
    return plan.operators.size() - 1;
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
    planned.argument = value.argument;
    planned.step = value.step;
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
      whole.step = known.step;
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

} // namespace

ProgramPasses mirage::search::planPasses(const SearchProblem &problem,
                                         llvm::ArrayRef<ProgramStep> steps,
                                         std::optional<uint8_t> axis,
                                         SumPlace sums) {
  return Planner(problem, steps, axis, sums).run();
}
