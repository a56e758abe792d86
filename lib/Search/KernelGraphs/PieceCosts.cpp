//===- PieceCosts.cpp - The pieces of a program and their costs -----------===//
//
// Lists the pieces, those of any number of operators among them, and says what
// each takes: as operators of its own, at least, as a guess, as a direct
// launch, and as it was found.
//
//===----------------------------------------------------------------------===//

#include "Composer.h"
#include "Mirage/Search/Problem/NeededElements.h"
#include "Mirage/Semantics/Cost.h"
#include "Mirage/Semantics/ShapeRules.h"
#include <numeric>

using namespace mirage;
using namespace mirage::search;
using llvm::ArrayRef;

void Composer::pricePlainUnits() {
  auto addUp = [&](const ProgramCost &cost, std::vector<double> &costs,
                   std::vector<unsigned> &kernels) {
    costs.assign(units.size(), 0);
    kernels.assign(units.size(), 0);
    for (const ProgramCost::Kernel &kernel : cost.kernels) {
      auto unit =
          llvm::find(units.getNodes(), kernel.node) - units.getNodes().begin();
      costs[unit] += kernel.cost.microseconds;
      ++kernels[unit];
    }
  };
  failures.assign(units.size(), 0);
  shares.assign(units.size(), 0);
  addUp(estimateLibrary(program), libraryCosts, libraryKernels);
  ProgramCost cost = priceCalled(program, [&](const MuGraph &called) {
    return options.pricer ? options.pricer->estimateApart(called)
                          : estimateProgram(called, options.search.target);
  });
  addUp(cost, plainCosts, plainKernels);
  // As many kernels as the program has are never too many.
  maxKernels = std::max(options.kernelOperators,
                        static_cast<unsigned>(cost.kernels.size()));
  known = std::min(known, estimate(original).microseconds);
  ProgramCost own = estimate(program);
  // What is in no kernel takes no time: the lowering only places it.
  UnitSet inKernels(units.size());
  for (const ProgramCost::Kernel &kernel : own.kernels)
    inKernels |= getUnits(kernel);
  for (unsigned unit = 0; unit < units.size(); ++unit)
    if (!inKernels[unit]) {
      plainCosts[unit] = 0;
      plainKernels[unit] = 0;
    }
  plainTotal = std::accumulate(plainCosts.begin(), plainCosts.end(), 0.0);
}

/// Returns the time of what a call computes of a program, by the program's
/// nodes.
ProgramCost Composer::priceCalled(const MuGraph &graph, Price price) const {
  std::optional<CalledProgram> called = separateLoaded(graph, constants);
  if (!called)
    return price(graph);
  ProgramCost cost = price(called->graph);
  for (ProgramCost::Kernel &kernel : cost.kernels) {
    kernel.node = called->nodes[kernel.node];
    for (unsigned &node : kernel.nodes)
      node = called->nodes[node];
  }
  return cost;
}

/// Returns the time of a program as it is executed.
ProgramCost Composer::estimate(const MuGraph &graph) const {
  return priceCalled(graph, [&](const MuGraph &called) {
    return options.pricer ? options.pricer->estimate(called)
                          : estimateProgram(called, options.search.target);
  });
}

/// Returns the time of a program with kernels of a library.
ProgramCost Composer::estimateLibrary(const MuGraph &graph) const {
  return priceCalled(graph, [&](const MuGraph &called) {
    return estimateProgram(called, options.search.target);
  });
}

/// Returns the units of which a kernel of the program is made.
UnitSet Composer::getUnits(const ProgramCost::Kernel &kernel) const {
  UnitSet set(units.size());
  for (unsigned node : kernel.nodes)
    set.set(llvm::find(units.getNodes(), node) - units.getNodes().begin());
  return set;
}

/// Finds the operators that can be in no piece: those that the search cannot
/// take alone, but for operators that move elements, which it may take in
/// pieces only, and those that no call computes.
UnitSet Composer::findUnsupported() const {
  UnitSet unsupported(units.size());
  llvm::BitVector loaded = findLoaded(program, constants);
  for (unsigned unit = 0; unit < units.size(); ++unit) {
    const MuNode &node = units.getNode(unit);
    if (loaded[units.getNodes()[unit]]) {
      unsupported.set(unit);
      continue;
    }
    if (node.kind == MuNode::Kind::Operator && isLayout(node.op))
      continue;
    UnitSet alone(units.size());
    alone.set(unit);
    std::string reason;
    std::optional<unsigned> location;
    if (node.kind != MuNode::Kind::Operator ||
        !SearchTask::create(units.extract(alone).program, reason, location))
      unsupported.set(unit);
  }
  return unsupported;
}

/// Returns whether a value is in device memory when the program is called.
bool Composer::isInMemory(MuValue value) const {
  return llvm::is_contained(program.getRegion().arguments, value) ||
         loadedValues.contains(value);
}

/// The time that a piece takes at least, as one kernel: its inputs and results
/// pass L2, and those that are the program's own pass device memory. Other
/// tensors may be in L2.
double Composer::getBound(const UnitSet &piece, const UnitSet &outputs) const {
  ProgramUnits::Piece graph = units.extract(piece, outputs);
  const MuRegion &body = program.getRegion();
  double cold = 0, all = 0;
  auto add = [&](MuValue value, int64_t elements, bool isOuter) {
    auto bytes =
        static_cast<double>(elements * byteSize(program.getValue(value).type));
    all += bytes;
    if (isOuter)
      cold += bytes;
  };
  // A kernel may read a part of an input only.
  for (auto [input, elements] :
       llvm::zip_equal(graph.inputs, countNeededElements(graph.program)))
    add(input, elements, isInMemory(input));
  for (MuValue result : graph.results)
    add(result, elementCount(program.getShape(result)),
        llvm::is_contained(body.results, result));
  const TargetDescription &target = options.search.target;
  double launch = lowerBound(0, 0, 0, target);
  double l2 = all / (static_cast<double>(target.l2Bandwidth) * 1e3);
  return std::max(lowerBound(cold, 0, 0, target), launch + l2);
}

/// Returns the time that one kernel takes at least for the products of some
/// units.
double Composer::getProductsTime(const UnitSet &piece) const {
  double flops = 0;
  for (unsigned unit : piece.set_bits()) {
    const MuNode &node = units.getNode(unit);
    if (node.kind != MuNode::Kind::Operator || isLayout(node.op) ||
        !(node.op == OpKind::Attention ||
          getOpInfo(node.op).opClass == OpClass::Contraction))
      continue;
    llvm::SmallVector<Shape, 4> shapes;
    for (MuValue operand : node.operands)
      shapes.emplace_back(program.getShape(operand));
    flops +=
        static_cast<double>(countOp(node.op, node.attributes, shapes).flops);
  }
  return lowerBound(0, flops, 0, options.search.target);
}

/// Returns whether the piece with a cast beside it is no worse: with one to a
/// type that is no wider, behind a result that nothing else reads, or from such
/// a type, before an input that nothing else reads. Launches cast what they
/// load and store without an operator more, and move fewer bytes.
static bool lacksCast(const ProgramUnits &units, const UnitSet &piece,
                      unsigned mostUnits) {
  if (units.countWork(piece) >= mostUnits)
    return false;
  const MuGraph &program = units.getProgram();
  auto getBytes = [&](MuValue value) {
    return byteSize(program.getValue(value).type);
  };
  auto isResult = [&](unsigned unit) {
    return llvm::any_of(units.getNode(unit).results, [&](MuValue value) {
      return llvm::is_contained(program.getRegion().results, value);
    });
  };
  // Users of a unit.
  auto getUsers = [&](unsigned unit) {
    UnitSet users(units.size());
    for (unsigned user = 0; user < units.size(); ++user)
      if (units.getOperands(user)[unit])
        users.set(user);
    return users;
  };
  for (unsigned unit = 0; unit < units.size(); ++unit) {
    const MuNode &node = units.getNode(unit);
    if (piece[unit] || node.kind != MuNode::Kind::Operator ||
        node.op != OpKind::Cast)
      continue;
    auto before = getBytes(node.operands[0]), after = getBytes(node.results[0]);
    const UnitSet &source = units.getOperands(unit);
    if (before >= after && source.any() && !source.test(piece) &&
        getUsers(source.find_first()).count() == 1 &&
        !isResult(source.find_first()))
      return true;
    UnitSet users = getUsers(unit);
    if (before <= after && users.any() && !users.test(piece) && !isResult(unit))
      return true;
  }
  return false;
}

void Composer::addPieces() {
  ProgramUnits::Limits limits;
  UnitSet unsupported = findUnsupported();
  std::vector<UnitSet> sets =
      units.enumeratePieces(unsupported, limits, &result.leftOut);
  // The whole is what superoptimize() searches for. Views that only others read
  // are in the pieces of these.
  UnitSet none(units.size());
  // The whole of an alternative is searched for here. A set of units that the
  // program has as well is searched for with the program.
  llvm::erase_if(sets, [&](const UnitSet &set) {
    return (ownUnits ? !set.anyCommon(*ownUnits) : set.all()) ||
           units.withoutLooseViews(set, none) != set ||
           lacksCast(units, set, limits.units);
  });
  result.enumerated = sets.size();
  for (UnitSet &set : sets)
    addPiece(std::move(set));
  if (!ownUnits)
    growGroups(unsupported);
  if (options.pricer)
    addFusedPieces();
}

/// Adds pieces that stand for operators that stay and are executed together.
/// Kernels that compute parts of one operator belong together.
void Composer::addFusedPieces() {
  struct Together {
    UnitSet units;
    double microseconds;
    unsigned kernels;
  };
  std::vector<Together> all;
  for (const ProgramCost::Kernel &kernel : estimate(program).kernels) {
    Together own{getUnits(kernel), kernel.cost.microseconds, 1};
    llvm::erase_if(all, [&](const Together &other) {
      if (!own.units.anyCommon(other.units))
        return false;
      own.units |= other.units;
      own.microseconds += other.microseconds;
      own.kernels += other.kernels;
      return true;
    });
    all.push_back(std::move(own));
  }
  for (const Together &own : all) {
    Piece piece;
    piece.units = units.getConvexHull(own.units);
    // Between the units of a kernel are only those that take no time.
    bool isWhole = llvm::all_of(piece.units.set_bits(), [&](unsigned unit) {
      return own.units[unit] || plainKernels[unit] == 0;
    });
    if (piece.units.count() < 2 || !isWhole)
      continue;
    for (unsigned unit : piece.units.set_bits())
      piece.plain += plainCosts[unit];
    piece.fused = piece.bound = piece.floor = own.microseconds;
    piece.fusedKernels = own.kernels;
    piece.outputs = units.getBoundary(piece.units);
    pieces.push_back(std::move(piece));
  }
}

/// Adds a piece, if a kernel could be faster than the operators' own. Returns
/// its number.
std::optional<unsigned> Composer::addPiece(UnitSet set) {
  Piece piece;
  for (unsigned unit : set.set_bits())
    piece.plain += plainCosts[unit];
  piece.outputs = units.getBoundary(set);
  piece.bound = getBound(set, piece.outputs);
  piece.floor = std::max(piece.bound, getProductsTime(set));
  piece.units = std::move(set);
  if (piece.bound > piece.plain * (1 - options.search.minGain)) {
    ++result.prunedCost;
    return std::nullopt;
  }
  pieces.push_back(std::move(piece));
  return pieces.size() - 1;
}

/// Returns the number of a piece, which is added if it is new and could pay.
std::optional<unsigned> Composer::findPiece(const UnitSet &set) {
  auto known = llvm::find_if(
      pieces, [&](const Piece &piece) { return piece.units == set; });
  if (known != pieces.end())
    return known - pieces.begin();
  ++result.enumerated;
  return addPiece(set);
}

/// The cost of what was found for a piece; infinite if nothing pays.
double Composer::getFoundCost(const Piece &piece) const {
  const PieceOutcome &outcome = result.pieces[*piece.outcome];
  bool pays =
      outcome.unsupported.empty() &&
      outcome.microseconds <= piece.plain * (1 - options.search.minGain);
  return pays && !piece.isBanned ? outcome.microseconds : kNever;
}

/// Returns the states of each phase of a piece's next search.
uint64_t Composer::getNextStates(const Piece &piece) const {
  uint64_t states =
      isSearched(piece) ? result.pieces[*piece.outcome].states : 0;
  return states ? states * kRaise : kPieceStates;
}

/// Returns the work that is left. What the whole took beyond its part is not
/// taken from the pieces: one raise of it may take several times the states of
/// a phase.
uint64_t Composer::getWorkLeft() const {
  auto partOfWhole = static_cast<uint64_t>(
      kPartOfWhole * static_cast<double>(result.mostWork));
  uint64_t done = std::min(workOfWhole, partOfWhole) + getWorkOfPieces();
  return result.mostWork - std::min(done, result.mostWork);
}

/// Returns whether a search with so many states in each phase is within the
/// work that is left, about, and notes it if not.
bool Composer::hasWorkFor(uint64_t states) const {
  bool fits = getWorkLeft() >= states;
  isLimited |= !fits;
  return fits;
}

/// The same for the whole, which leaves a part of the work to pieces.
bool Composer::hasWorkForWhole(uint64_t states) const {
  auto most = static_cast<uint64_t>(kPartOfWhole *
                                    static_cast<double>(result.mostWork));
  bool fits = most - std::min(workOfWhole, most) >= states;
  isLimited |= !fits;
  return fits && hasWorkFor(states);
}

/// Returns whether the search for a piece was ended by its states, and may go
/// on with more.
bool Composer::canBeRaised(const Piece &piece) const {
  const PieceOutcome &outcome = result.pieces[*piece.outcome];
  return outcome.unsupported.empty() &&
         (outcome.end == SearchEnd::States ||
          outcome.end == SearchEnd::Configurations) &&
         !piece.isBanned && hasWorkFor(getNextStates(piece));
}

/// The part of the time beyond the lower bound that another search with more
/// states may gain.
static double guessGain(unsigned boldness, uint64_t raise) {
  return (0.5 - 0.5 / (1u << boldness)) / static_cast<double>(raise);
}

/// Returns how many searches for pieces with what a piece mostly is have
/// failed, in units of those that halve what is hoped for.
double Composer::getDoubt(const Piece &piece) const {
  double doubt = 0;
  for (unsigned unit : piece.units.set_bits())
    doubt += plainCosts[unit] * failures[unit];
  return piece.plain > 0 ? doubt / piece.plain / kDoubted : 0;
}

/// Divides the time of the best program that is known among units: the time of
/// a piece, or of the whole, as that of their own kernels.
void Composer::noteShares(const std::optional<PieceCover::Cover> &best) {
  bool isCover = best && best->cost <= bestKnown;
  double part = plainTotal > 0 ? bestKnown / plainTotal : 1;
  for (unsigned unit = 0; unit < units.size(); ++unit)
    shares[unit] = plainCosts[unit] * (isCover ? 1 : std::min(part, 1.0));
  if (!isCover)
    return;
  for (unsigned number : best->pieces) {
    const Piece &piece = pieces[number];
    for (unsigned unit : piece.units.set_bits())
      shares[unit] *= getKnownCost(piece) / piece.plain;
  }
}

/// Returns the time that a piece has in the best program that is known.
double Composer::getPresent(const Piece &piece) const {
  double present = 0;
  for (unsigned unit : piece.units.set_bits())
    present += shares[unit];
  return std::min(present, piece.plain);
}

void Composer::noteOutcome(const UnitSet &piece, bool isGain) {
  for (unsigned unit : piece.set_bits())
    failures[unit] = isGain ? 0 : failures[unit] + 1;
}

/// Returns the time that a piece might take. The more operators a piece has
/// that was not searched for, and the more searches for others of its operators
/// have failed, the less likely it is that one kernel does them all as well as
/// any could; and the more states a search had, the less is likely to be found
/// with more. Boldness takes some of these doubts away.
double Composer::guessTime(const Piece &piece, unsigned boldness) const {
  static constexpr double kUnits = 24;
  if (isSearched(piece)) {
    double known = std::min(getFoundCost(piece), piece.plain);
    uint64_t raise = getNextStates(piece) / kPieceStates / kRaise;
    return known -
           std::max(known - piece.floor, 0.0) * guessGain(boldness, raise);
  }
  double part = std::min((piece.units.count() - 1) / kUnits, 1.0);
  part = boldness > kBoldest ? 0 : part / (1u << boldness);
  part = 1 - (1 - part) / (1 + getDoubt(piece));
  double gap = std::max(getPresent(piece) - piece.floor, 0.0);
  return std::min(piece.floor + gap * part, piece.direct.value_or(kNever));
}

/// Returns the time that the whole might take if it is searched for with more
/// states; infinity if it is not.
double Composer::guessTimeOfWhole(unsigned boldness) const {
  if (!control.whole || uselessRaises >= kUselessRaises ||
      !control.whole->canBeRaised() || !hasWorkForWhole(statesOfWhole * kRaise))
    return kNever;
  double best = std::min(control.whole->getBest(), bestKnown);
  uint64_t raise = std::max<uint64_t>(statesOfWhole / kWholeStates, 1);
  UnitSet all(units.size(), true);
  double floor = std::max(control.whole->getBound(), getProductsTime(all));
  return best - std::max(best - floor, 0.0) * guessGain(boldness, raise);
}

/// The prices of pieces by what they might take.
PieceCover::Prices Composer::getPrices(unsigned boldness) const {
  PieceCover::Prices prices = getBoundPrices();
  for (auto [number, piece] : llvm::enumerate(pieces)) {
    PieceCover::Price &price = prices.pieces[number];
    if (piece.fused)
      continue;
    if (!isSearched(piece)) {
      price.cost = guessTime(piece, boldness);
    } else if (boldness > 0 && canBeRaised(piece)) {
      price.cost = guessTime(piece, boldness);
      price.kernels = std::max(price.kernels, 1u);
    }
  }
  return prices;
}

/// The prices of what is known. A piece that was not searched for has its lower
/// bound.
PieceCover::Prices Composer::getBoundPrices() const {
  PieceCover::Prices prices;
  for (unsigned unit = 0; unit < units.size(); ++unit)
    prices.units.push_back({plainCosts[unit], plainKernels[unit]});
  for (const Piece &piece : pieces) {
    if (isSearched(piece))
      prices.pieces.push_back(
          {getFoundCost(piece), result.pieces[*piece.outcome].launches});
    else
      prices.pieces.push_back({piece.bound, piece.fusedKernels});
  }
  return prices;
}

/// The prices of what was found.
PieceCover::Prices Composer::getKnownPrices() const {
  PieceCover::Prices prices = getBoundPrices();
  for (auto [number, piece] : llvm::enumerate(pieces))
    if (!isKnown(piece))
      prices.pieces[number].cost = kNever;
  return prices;
}
