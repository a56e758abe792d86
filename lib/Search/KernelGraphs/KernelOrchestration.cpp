//===- KernelOrchestration.cpp - The cheapest kernels for a program -------===//
//
// Writes the choice of kernels as a binary program. The variables are, for each
// kernel, whether it runs, and for each unit, whether it is in device memory:
// at least as much as any kernel that reads it runs, and at most as much as
// kernels that write it do. So Eq. 4 of the Korch paper, which has a row for
// each kernel and each of its inputs with all kernels that write this input,
// has as many terms as kernels have inputs and outputs.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/KernelGraphs/KernelOrchestration.h"
#include "llvm/ADT/STLExtras.h"

using namespace mirage;
using namespace mirage::search;
using llvm::ArrayRef;

KernelOrchestration::Kernel
KernelOrchestration::makeKernel(const ProgramUnits &program, UnitSet units,
                                UnitSet outputs) {
  UnitSet inputs = program.getInputs(units);
  return {std::move(units), std::move(inputs), std::move(outputs)};
}

KernelOrchestration::KernelOrchestration(const ProgramUnits &program,
                                         std::vector<Kernel> kernels)
    : kernels(std::move(kernels)), results(program.getResults()),
      live(results) {
  for (unsigned unit = program.size(); unit-- > 0;)
    if (live[unit])
      live |= program.getOperands(unit);
}

KernelOrchestration::KernelOrchestration(UnitSet results,
                                         std::vector<Kernel> kernels)
    : kernels(std::move(kernels)), results(std::move(results)),
      live(this->results.size()) {
  // A plan computes what it takes all kernels together to do without.
  for (unsigned unit = 0; unit < live.size(); ++unit) {
    std::vector<unsigned> others;
    for (auto [number, kernel] : llvm::enumerate(this->kernels))
      if (!kernel.units[unit])
        others.push_back(number);
    UnitSet done(live.size());
    if (others.size() == this->kernels.size())
      continue;
    getOrder(others, done);
    if (!this->results.subsetOf(done))
      live.set(unit);
  }
}

double KernelOrchestration::Answer::getGap() const {
  return plan ? std::max(plan->cost - bound, 0.0) : 0;
}

/// Returns the kernels without which the cheapest plan costs as much: those
/// whose inputs can be computed, and for which no other kernel can stand that
/// writes all that they write, reads nothing else and costs no more.
std::vector<unsigned>
KernelOrchestration::getUseful(ArrayRef<Price> prices,
                               const Options &options) const {
  std::vector<unsigned> affordable;
  for (unsigned number = 0; number < kernels.size(); ++number)
    if (prices[number].cost < options.below &&
        prices[number].kernels <= options.maxKernels)
      affordable.push_back(number);
  UnitSet done(results.size());
  std::vector<unsigned> runnable;
  llvm::append_range(runnable, getOrder(affordable, done));
  llvm::sort(runnable);
  // What computes less may stand for a kernel only where nothing is said about
  // what is computed.
  if (!options.recomputes)
    return runnable;
  auto standsFor = [&](unsigned other, unsigned number) {
    const Price &a = prices[other], &b = prices[number];
    if (a.cost > b.cost || a.kernels > b.kernels ||
        !kernels[other].inputs.subsetOf(kernels[number].inputs) ||
        !kernels[number].outputs.subsetOf(kernels[other].outputs))
      return false;
    // Two kernels that can stand for each other count once: the first one
    // stays.
    bool isEqual = a.cost == b.cost && a.kernels == b.kernels &&
                   kernels[other].inputs == kernels[number].inputs &&
                   kernels[other].outputs == kernels[number].outputs;
    return !isEqual || other < number;
  };
  std::vector<std::vector<unsigned>> writers(results.size());
  for (unsigned number : runnable)
    for (unsigned unit : kernels[number].outputs.set_bits())
      writers[unit].push_back(number);
  std::vector<unsigned> useful;
  for (unsigned number : runnable) {
    int output = kernels[number].outputs.find_first();
    if (output >= 0 && llvm::none_of(writers[output], [&](unsigned other) {
          return other != number && standsFor(other, number);
        }))
      useful.push_back(number);
  }
  return useful;
}

/// Returns those of some kernels that can run one after another, in such an
/// order, and adds what they write to `done`.
llvm::SmallVector<unsigned>
KernelOrchestration::getOrder(ArrayRef<unsigned> chosen, UnitSet &done) const {
  llvm::SmallVector<unsigned> order, waiting(chosen);
  for (size_t before = waiting.size() + 1; waiting.size() < before;) {
    before = waiting.size();
    llvm::erase_if(waiting, [&](unsigned number) {
      if (!kernels[number].inputs.subsetOf(done))
        return false;
      done |= kernels[number].outputs;
      order.push_back(number);
      return true;
    });
  }
  return order;
}

/// Returns sets of units that are read by kernels of a choice, and each of
/// which the choice computes only by what is in the set. No plan has that: one
/// of the first kernels that write a unit of the set reads none of the set.
/// `done` is what kernels write that can run one after another. The sets are
/// the least ones, which leave most choices that avoid them.
std::vector<UnitSet> KernelOrchestration::getLoops(ArrayRef<unsigned> chosen,
                                                   const UnitSet &done) const {
  // What each unit needs that is not done: what its writers read, and so on.
  std::vector<UnitSet> needs(results.size(), UnitSet(results.size()));
  UnitSet missing(results.size());
  for (unsigned number : chosen) {
    UnitSet lacks = kernels[number].inputs;
    lacks.reset(done);
    missing |= lacks;
    if (lacks.any())
      for (unsigned unit : kernels[number].outputs.set_bits())
        needs[unit] |= lacks;
  }
  for (unsigned middle : missing.set_bits())
    for (UnitSet &own : needs)
      if (own[middle])
        own |= needs[middle];
  std::vector<UnitSet> loops;
  for (unsigned unit : missing.set_bits()) {
    // A set is a least one if each of its units needs all others.
    bool isLeast = needs[unit][unit];
    for (unsigned other : needs[unit].set_bits())
      isLeast &= needs[other] == needs[unit];
    if (isLeast && !llvm::is_contained(loops, needs[unit]))
      loops.push_back(needs[unit]);
  }
  return loops;
}

/// Makes a plan of kernels that can run in this order. Kernels that write
/// nothing of use are left out.
KernelOrchestration::Plan
KernelOrchestration::makePlan(ArrayRef<unsigned> order,
                              ArrayRef<Price> prices) const {
  // The first kernel that writes a unit is the one that it is read from.
  UnitSet done(results.size()), needed = results;
  std::vector<UnitSet> first;
  for (unsigned number : order) {
    first.push_back(kernels[number].outputs);
    first.back().reset(done);
    done |= kernels[number].outputs;
  }
  Plan plan;
  plan.cost = 0;
  for (size_t i = order.size(); i-- > 0;) {
    const Kernel &kernel = kernels[order[i]];
    if (!first[i].anyCommon(needed))
      continue;
    needed |= kernel.inputs;
    plan.kernels.push_back(order[i]);
    plan.cost += prices[order[i]].cost;
    plan.launches += prices[order[i]].kernels;
  }
  std::reverse(plan.kernels.begin(), plan.kernels.end());
  return plan;
}

/// Writes the binary program. The first variables are the useful kernels', in
/// their order, the next those of all units.
void KernelOrchestration::addRows(BinaryProgram &binary,
                                  ArrayRef<unsigned> useful,
                                  ArrayRef<Price> prices,
                                  const Options &options) const {
  using Term = BinaryProgram::Term;
  unsigned numUnits = results.size();
  // The terms of the kernels that write, and that compute, each unit.
  std::vector<std::vector<Term>> writing(numUnits), computing(numUnits);
  for (unsigned number : useful) {
    BinaryProgram::Variable runs = binary.addBinary(prices[number].cost);
    for (unsigned unit : kernels[number].outputs.set_bits())
      writing[unit].push_back({runs, 1});
    for (unsigned unit : kernels[number].units.set_bits())
      computing[unit].push_back({runs, 1});
  }
  for (unsigned unit = 0; unit < numUnits; ++unit)
    binary.addFraction(0);
  auto isThere = [&](unsigned unit) -> BinaryProgram::Variable {
    return useful.size() + unit;
  };
  auto getKernel = [&](const Term &term) -> const Kernel & {
    return kernels[useful[term.variable]];
  };

  // What is in device memory is written there (Eq. 3 and 4).
  for (unsigned unit = 0; unit < numUnits; ++unit) {
    std::vector<Term> &row = writing[unit];
    row.push_back({isThere(unit), -1});
    binary.addRow(row, 0);
    if (results[unit])
      binary.addRow({{isThere(unit), 1}}, 1);
  }
  // What a kernel reads is there (Eq. 4).
  for (auto [place, number] : llvm::enumerate(useful))
    for (unsigned unit : kernels[number].inputs.set_bits())
      binary.addRow({{isThere(unit), 1}, {static_cast<unsigned>(place), -1}},
                    0);
  // Every plan satisfies these rows, too; they make the relaxation stronger.
  // Some kernel computes each unit that no plan does without. If it is one that
  // reads another unit, that is there.
  for (unsigned unit : live.set_bits()) {
    binary.addRow(computing[unit], 1);
    UnitSet read(numUnits);
    for (const Term &term : computing[unit])
      read |= getKernel(term).inputs;
    for (unsigned input : read.set_bits()) {
      std::vector<Term> row = {{isThere(input), 1}};
      for (const Term &term : computing[unit])
        if (!getKernel(term).inputs[input])
          row.push_back(term);
      binary.addRow(row, 1);
    }
  }
  if (options.maxKernels != std::numeric_limits<unsigned>::max()) {
    std::vector<Term> row;
    for (auto [place, number] : llvm::enumerate(useful))
      row.push_back({static_cast<unsigned>(place),
                     -static_cast<double>(prices[number].kernels)});
    binary.addRow(row, -static_cast<double>(options.maxKernels));
  }
  if (!options.recomputes)
    for (std::vector<Term> &row : computing) {
      binary.addRow(row, 1);
      for (Term &term : row)
        term.coefficient = -1;
      binary.addRow(row, -1);
    }
}

/// Adds rows that leave out a loop: one of the first kernels that write a unit
/// of it reads none of it.
void KernelOrchestration::addLoop(BinaryProgram &binary,
                                  ArrayRef<unsigned> useful,
                                  const UnitSet &loop) const {
  std::vector<BinaryProgram::Term> row;
  for (auto [place, number] : llvm::enumerate(useful))
    if (kernels[number].outputs.anyCommon(loop) &&
        !kernels[number].inputs.anyCommon(loop))
      row.push_back({static_cast<unsigned>(place), 1});
  for (unsigned unit : loop.set_bits()) {
    row.push_back({static_cast<unsigned>(useful.size()) + unit, -1});
    binary.addRow(row, 0);
    row.pop_back();
  }
}

KernelOrchestration::Answer
KernelOrchestration::find(ArrayRef<Price> prices,
                          const Options &options) const {
  std::vector<unsigned> useful = getUseful(prices, options);
  BinaryProgram binary;
  addRows(binary, useful, prices, options);
  Answer answer;
  answer.bound = 0;
  while (true) {
    if (options.observe)
      options.observe(binary);
    BinaryProgram::Answer solution = binary.minimize(
        options.nodes - std::min(options.nodes, answer.nodes), options.below,
        options.iterations - std::min(options.iterations, answer.iterations),
        options.isOver);
    answer.nodes += solution.nodes;
    answer.iterations += solution.iterations;
    answer.variables = binary.getNumVariables();
    answer.rows = binary.getNumRows();
    if (solution.status == BinaryProgram::Status::Infeasible) {
      answer.bound = options.below;
      return answer;
    }
    answer.isOptimal = solution.status == BinaryProgram::Status::Optimal;
    answer.bound = std::max(answer.bound, solution.bound);
    if (solution.values.empty())
      return answer;
    std::vector<unsigned> chosen;
    for (auto [place, number] : llvm::enumerate(useful))
      if (solution.values[place] > 0.5)
        chosen.push_back(number);
    UnitSet done(results.size());
    llvm::SmallVector<unsigned> order = getOrder(chosen, done);
    if (results.subsetOf(done)) {
      answer.plan = makePlan(order, prices);
      return answer;
    }
    if (!answer.isOptimal)
      return answer;
    std::vector<UnitSet> loops = getLoops(chosen, done);
    if (loops.empty()) {
      // The solver has taken a row for satisfied that is not.
      answer.isOptimal = false;
      return answer;
    }
    for (const UnitSet &loop : loops)
      addLoop(binary, useful, loop);
    answer.loops += loops.size();
  }
}
