//===- Alternatives.cpp - Kernels of programs that compute the same -------===//
//
// A program may have alternatives, which differ from it in some places, as
// rules have rewritten them. Each has pieces of its own, of which those count
// that compute something that the program does not. Values of all these
// programs that are equal are one class (ValueClasses.h), so that one binary
// program chooses among the kernels of all: the cheapest whole may have kernels
// of one alternative in one place and of another one elsewhere, and what
// computes both sides of an alternative at once is a kernel like any other.
//
// Searches for pieces of alternatives come last, as long as the cheapest plan
// of what is known, and of them as they are guessed, promises a gain.
//
//===----------------------------------------------------------------------===//

#include "Composer.h"
#include "Mirage/Search/KernelGraphs/ValueClasses.h"
#include "llvm/ADT/DenseSet.h"
#include <cmath>
#include <map>

using namespace mirage;
using namespace mirage::search;
using llvm::ArrayRef;

//===----------------------------------------------------------------------===//
// Programs and their kernels
//===----------------------------------------------------------------------===//

/// Lists the pieces of an alternative that have some of its own units, which no
/// other program has. `best` is the time of the best program that is known.
void Composer::listOwnPieces(const UnitSet &own, double best,
                             unsigned mostKernels) {
  ownUnits = own;
  constants = control.constants;
  llvm::BitVector loaded = findLoaded(program, constants);
  for (unsigned number : loaded.set_bits()) {
    const auto &computed = program.getNode(number).results;
    loadedValues.insert(computed.begin(), computed.end());
  }
  known = bestKnown = bestAtGain = best;
  pricePlainUnits();
  maxKernels = mostKernels;
  noteShares(std::nullopt);
  if (units.size() > 0)
    addPieces();
  llvm::erase_if(pieces, [&](const Piece &piece) {
    return !piece.units.anyCommon(*ownUnits);
  });
  // No cover says what they may take.
  for (Piece &piece : pieces)
    piece.isOverlapping = true;
}

/// Gives the search for an alternative the time that is left.
void Composer::limitTime(Alternative &alternative) const {
  if (options.search.deadline > 0)
    alternative.options.search.deadline =
        std::max(clock.getSecondsLeft(), kInstant);
  alternative.control.stop = control.stop;
  alternative.control.constants = control.constants;
  alternative.control.getState = control.getState;
}

/// Adds the alternatives that compute something that no other program does,
/// programs that store tensors otherwise, and a choice among the kernels of
/// all.
void Composer::addAlternatives(const PieceCover &cover) {
  if (!hasBinarySolver() || !options.pieces || clock.isOver())
    return;
  equivalence::ComparisonPolicy policy;
  policy.test = policy.checkFloats = policy.compareParts = false;
  auto areEqual = [&](const MuGraph &lhs, const MuGraph &rhs) {
    return equivalence::compareGraphs(lhs, rhs, policy, execution).isEqual();
  };
  ValueClasses classes(control.constants);
  classOf = classes.add(units, areEqual).classes;
  for (auto [place, other] : llvm::enumerate(control.alternatives)) {
    if (clock.isOver())
      break;
    auto alternative = std::make_unique<Alternative>(options);
    limitTime(*alternative);
    alternative->composer = std::make_unique<Composer>(
        other.graph, bestKnown, alternative->options, alternative->control);
    alternative->place = place;
    Composer &composer = *alternative->composer;
    ValueClasses::Added added = classes.add(composer.units, areEqual);
    composer.classOf = std::move(added.classes);
    if (added.isNew.none())
      continue;
    composer.listOwnPieces(added.isNew, bestKnown, maxKernels);
    alternatives.push_back(std::move(alternative));
  }
  result.alternatives = alternatives.size();
  addStoredOrders(cover, classes);
  result.orders = alternatives.size() - result.alternatives;
  if (alternatives.empty())
    return;
  addKernels(*this, UnitSet(units.size(), true), classes.size());
  for (const auto &alternative : alternatives)
    addKernels(*alternative->composer, *alternative->composer->ownUnits,
               classes.size());
  UnitSet results(classes.size()), ofProgram = units.getResults();
  for (unsigned unit : ofProgram.set_bits())
    results.set(classOf[unit]);
  std::vector<KernelOrchestration::Kernel> kernels;
  for (AnyKernel &kernel : anyKernels)
    kernels.push_back(std::move(kernel.kernel));
  amongPrograms.emplace(std::move(results), std::move(kernels));
}

UnitSet Composer::getSingle(const Composer &composer, unsigned unit) {
  UnitSet alone(composer.units.size());
  alone.set(unit);
  return alone;
}

/// Adds the kernels of some units of a program, each alone, and of its pieces.
void Composer::addKernels(Composer &composer, const UnitSet &alone,
                          unsigned numClasses) {
  auto getClasses = [&](const UnitSet &set) {
    UnitSet numbers(numClasses);
    for (unsigned unit : set.set_bits())
      numbers.set(composer.classOf[unit]);
    return numbers;
  };
  auto add = [&](const UnitSet &set, const UnitSet &outputs,
                 std::optional<unsigned> piece, unsigned unit) {
    KernelOrchestration::Kernel kernel = {
        getClasses(set), getClasses(composer.units.getInputs(set)),
        getClasses(outputs)};
    anyKernels.push_back({&composer, piece, unit, std::move(kernel)});
  };
  for (unsigned unit : alone.set_bits()) {
    UnitSet set = getSingle(composer, unit);
    add(set, set, std::nullopt, unit);
  }
  for (auto [number, piece] : llvm::enumerate(composer.pieces))
    add(piece.units, piece.outputs, number, 0);
}

//===----------------------------------------------------------------------===//
// Searches
//===----------------------------------------------------------------------===//

/// Returns the prices of all kernels: of pieces of alternatives that are not
/// known, what they may take at this boldness, or never without one.
std::vector<PieceCover::Price>
Composer::getPricesOfAll(std::optional<unsigned> boldness) const {
  std::vector<PieceCover::Price> prices;
  for (const AnyKernel &kernel : anyKernels) {
    const Composer &composer = *kernel.composer;
    PieceCover::Price price;
    if (!kernel.piece) {
      price = {composer.plainCosts[kernel.unit],
               composer.plainKernels[kernel.unit]};
    } else if (const Piece &piece = composer.pieces[*kernel.piece];
               composer.isKnown(piece)) {
      price = {composer.getKnownCost(piece),
               piece.fused ? piece.fusedKernels
                           : composer.result.pieces[*piece.outcome].launches};
    } else {
      bool isOwn = &composer == this;
      auto guess = [&] {
        return piece.unmoved ? composer.guessMovedTime(piece, *boldness)
                             : composer.guessTime(piece, *boldness);
      };
      price.cost = isOwn || !boldness ? kNever : piece.direct.value_or(guess());
      price.kernels = 1;
    }
    price.cost = std::max(price.cost, 0.0);
    prices.push_back(price);
  }
  return prices;
}

/// Finds the cheapest kernels of all programs that take less than `below`.
std::optional<KernelOrchestration::Plan>
Composer::planAmongAll(ArrayRef<PieceCover::Price> prices, double below) {
  KernelOrchestration::Options limits;
  limits.maxKernels = maxKernels;
  limits.below = below;
  limits.iterations = kMostIterations;
  auto isOver = [&] {
    show("choice among alternatives");
    return clock.isOver();
  };
  limits.isOver = isOver;
  KernelOrchestration::Answer answer = amongPrograms->find(prices, limits);
  noteOrchestration(answer, below);
  return answer.plan;
}

/// Returns the time that kernels of all programs take at least, where those of
/// the program itself have these prices; infinity without alternatives.
double Composer::getBoundAmongAll(const PieceCover::Prices &own) const {
  if (!amongPrograms)
    return kNever;
  std::map<const Composer *, PieceCover::Prices> ofPrograms = {{this, own}};
  for (const auto &alternative : alternatives)
    ofPrograms[alternative->composer.get()] =
        alternative->composer->getBoundPrices();
  std::vector<PieceCover::Price> prices;
  for (const AnyKernel &kernel : anyKernels) {
    const PieceCover::Prices &all = ofPrograms[kernel.composer];
    PieceCover::Price price =
        kernel.piece ? all.pieces[*kernel.piece] : all.units[kernel.unit];
    price.cost = std::max(price.cost, 0.0);
    prices.push_back(price);
  }
  KernelOrchestration::Options limits;
  limits.maxKernels = maxKernels;
  limits.nodes = 0;
  auto watch = [&] {
    show("bound of alternatives");
    return false;
  };
  limits.isOver = watch;
  return amongPrograms->find(prices, limits).bound;
}

/// Searches for pieces of alternatives that are part of a plan that promises a
/// gain, as long as there is work left for them. Direct launches are found
/// first, in the time of some thousand states.
void Composer::searchAlternatives(const PieceCover &cover) {
  if (!amongPrograms)
    return;
  auto most = static_cast<uint64_t>(kPartOfAlternatives *
                                    static_cast<double>(result.mostWork));
  uint64_t begin = result.work;
  double best = bestKnown;
  for (unsigned boldness = 0;
       boldness <= kBoldest && !clock.isOver() && result.work - begin < most;) {
    std::vector<PieceCover::Price> prices = getPricesOfAll(boldness);
    std::optional<KernelOrchestration::Plan> plan =
        planAmongAll(prices, best * (1 - options.search.minGain));
    AnyKernel *next = nullptr;
    double largest = 0;
    bool hasNewTimes = false;
    for (unsigned number :
         plan ? plan->kernels : llvm::SmallVector<unsigned>()) {
      AnyKernel &kernel = anyKernels[number];
      if (!kernel.piece)
        continue;
      Composer &composer = *kernel.composer;
      Piece &piece = composer.pieces[*kernel.piece];
      if (composer.isKnown(piece))
        continue;
      if (!piece.direct) {
        piece.direct = composer.findDirectTime(
            composer.units.extract(piece.units, piece.outputs), piece.units,
            options.search.passes, /*partOfTime=*/1, result.work);
        hasNewTimes = true;
      }
      double gain = composer.getPresent(piece) - prices[number].cost;
      if (!next || gain > largest) {
        next = &kernel;
        largest = gain;
      }
    }
    if (hasNewTimes)
      continue;
    if (!next) {
      if (plan)
        best = std::min(best, plan->cost);
      ++boldness;
      continue;
    }
    Composer &composer = *next->composer;
    Piece &piece = composer.pieces[*next->piece];
    uint64_t before = composer.result.work;
    unsigned searched = composer.result.searched;
    composer.look(cover, *next->piece, kPieceStates);
    composer.noteOutcome(piece.units,
                         composer.getFoundCost(piece) < piece.plain);
    result.work += composer.result.work - before;
    result.searched += composer.result.searched - searched;
  }
}

//===----------------------------------------------------------------------===//
// The kernel graph
//===----------------------------------------------------------------------===//

namespace {

/// Puts a program together of kernels of several programs.
class MixedProgram {
public:
  explicit MixedProgram(const MuGraph &program) {
    for (MuValue argument : program.getRegion().arguments)
      arguments.push_back(whole.addArgument(0, program.getShape(argument),
                                            program.getValue(argument).type));
  }

  /// A program with the classes of its units.
  struct Source {
    const ProgramUnits &units;
    ArrayRef<unsigned> classOf;
  };

  /// Adds a graph of inputs and results that are values of a program. Returns
  /// false if some input is not there.
  bool addGraph(const Source &source, const MuGraph &graph,
                ArrayRef<MuValue> inputs, ArrayRef<MuValue> results) {
    llvm::SmallVector<MuValue> mapped;
    for (MuValue input : inputs) {
      std::optional<MuValue> value = find(source, input);
      if (!value)
        return false;
      mapped.push_back(*value);
    }
    for (auto [result, copy] :
         llvm::zip_equal(results, cloneInto(whole, 0, graph, mapped)))
      values.try_emplace(*getName(source, result), copy);
    return true;
  }
  bool setResults(const Source &source) {
    llvm::SmallVector<MuValue> results;
    for (MuValue result : source.units.getProgram().getRegion().results) {
      std::optional<MuValue> value = find(source, result);
      if (!value)
        return false;
      results.push_back(*value);
    }
    whole.setResults(0, results);
    return true;
  }
  MuGraph finish() { return eraseDeadNodes(whole); }

private:
  /// The class of the unit that computes a value, and which of its results it
  /// is.
  using Name = std::pair<unsigned, unsigned>;
  static std::optional<Name> getName(const Source &source, MuValue value) {
    for (unsigned unit = 0; unit < source.units.size(); ++unit) {
      const auto &results = source.units.getNode(unit).results;
      if (const auto *found = llvm::find(results, value);
          found != results.end())
        return Name(source.classOf[unit], found - results.begin());
    }
    return std::nullopt;
  }
  /// Returns the value of the whole, which is there if a kernel has written it.
  std::optional<MuValue> find(const Source &source, MuValue value) {
    const MuGraph &program = source.units.getProgram();
    const MuRegion &body = program.getRegion();
    if (const auto *argument = llvm::find(body.arguments, value);
        argument != body.arguments.end())
      return arguments[argument - body.arguments.begin()];
    if (std::optional<Name> name = getName(source, value)) {
      auto known = values.find(*name);
      return known == values.end() ? std::nullopt
                                   : std::optional(known->second);
    }
    for (unsigned number : body.nodes)
      if (llvm::is_contained(program.getNode(number).results, value))
        return cloneNode(whole, 0, program, number, {}).front();
    return std::nullopt;
  }

  MuGraph whole;
  llvm::SmallVector<MuValue> arguments;
  std::map<Name, MuValue> values;
};

} // namespace

/// Returns the program that the kernels of a plan are; nothing if an operator
/// with several results has not written one that is read.
std::optional<MuGraph>
Composer::composeOfAll(const KernelOrchestration::Plan &plan) const {
  MixedProgram mixed(program);
  for (unsigned number : plan.kernels) {
    const AnyKernel &kernel = anyKernels[number];
    const Composer &composer = *kernel.composer;
    MixedProgram::Source source = {composer.units, composer.classOf};
    UnitSet set = getSingle(composer, kernel.unit), outputs = set;
    const Piece *piece = nullptr;
    if (kernel.piece) {
      piece = &composer.pieces[*kernel.piece];
      set = piece->units;
      outputs = piece->outputs;
    }
    ProgramUnits::Piece own = composer.units.extract(set, outputs);
    const MuGraph &graph =
        piece && !piece->fused ? *composer.found[*piece->outcome] : own.program;
    if (!mixed.addGraph(source, graph, own.inputs, own.results))
      return std::nullopt;
  }
  if (!mixed.setResults({units, classOf}))
    return std::nullopt;
  return mixed.finish();
}

/// Notes of which programs a plan that was chosen has kernels, and which
/// pieces.
void Composer::noteUsed(const KernelOrchestration::Plan &plan) {
  UnitSet used(control.alternatives.size());
  llvm::DenseSet<const Alternative *> orders;
  for (unsigned number : plan.kernels) {
    const AnyKernel &kernel = anyKernels[number];
    for (const auto &alternative : alternatives) {
      if (alternative->composer.get() != kernel.composer)
        continue;
      if (alternative->place)
        used.set(*alternative->place);
      else
        orders.insert(alternative.get());
    }
    if (!kernel.piece)
      continue;
    const Piece &piece = kernel.composer->pieces[*kernel.piece];
    if (piece.outcome)
      kernel.composer->result.pieces[*piece.outcome].isUsed = true;
  }
  llvm::append_range(result.usedAlternatives, used.set_bits());
  result.usedOrders = orders.size();
}

/// Adds what became of the pieces of alternatives to the result.
void Composer::reportAlternatives() {
  for (auto &alternative : alternatives) {
    KernelGraphResult &own = alternative->composer->result;
    unsigned first = result.pieces.size();
    result.enumerated += own.enumerated;
    result.prunedCost += own.prunedCost;
    for (PieceOutcome &outcome : own.pieces) {
      if (outcome.equalTo)
        *outcome.equalTo += first;
      if (alternative->place)
        outcome.location +=
            control.alternatives[*alternative->place].firstLocation;
      outcome.isOfAlternative = true;
      result.pieces.push_back(std::move(outcome));
    }
  }
}

/// Chooses the cheapest kernels of all programs, if they gain over the cheapest
/// of the program itself as much as a program must gain. A plan that is refused
/// loses the piece of an alternative that gains most in it.
void Composer::chooseAmongAll(const PieceCover &cover) {
  if (!amongPrograms)
    return;
  std::optional<PieceCover::Cover> own = findBest(cover);
  double below = std::min(getTarget(), own ? own->cost : kNever) *
                 (1 - options.search.minGain);
  for (unsigned tries = 0; tries < kMostRefused; ++tries) {
    std::vector<PieceCover::Price> prices = getPricesOfAll(std::nullopt);
    for (auto [number, kernel] : llvm::enumerate(anyKernels))
      if (kernel.isRefused)
        prices[number].cost = kNever;
    std::optional<KernelOrchestration::Plan> plan = planAmongAll(prices, below);
    if (!plan)
      return;
    if (std::optional<MuGraph> graph = composeOfAll(*plan)) {
      show("verification of an alternative");
      // Kernels of an alternative may read what is computed when the program is
      // loaded.
      constants = control.constants;
      ProgramCost cost = estimate(*graph);
      constants.clear();
      KernelGraph whole = verifyGraph(std::move(*graph), cost);
      if (whole.microseconds < getTarget() && whole.verdict.isAccepted()) {
        result.best = std::move(whole);
        noteUsed(*plan);
        return;
      }
      result.rejected.push_back(whole.verdict.isAccepted()
                                    ? "it is not faster"
                                    : whole.verdict.reason);
    }
    AnyKernel *most = nullptr;
    double largest = -kNever;
    for (unsigned number : plan->kernels) {
      AnyKernel &kernel = anyKernels[number];
      if (kernel.composer == this)
        continue;
      double plain = kernel.piece ? kernel.composer->pieces[*kernel.piece].plain
                                  : prices[number].cost;
      if (plain - prices[number].cost > largest) {
        largest = plain - prices[number].cost;
        most = &kernel;
      }
    }
    if (!most)
      return;
    most->isRefused = true;
  }
}
