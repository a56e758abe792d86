//===- KernelGraphs.cpp - Kernel graphs of several pieces -----------------===//
//
// Pieces are searched for as far as they are needed to know the cheapest way to
// put them together: the cover that would be cheapest if every piece that is
// not searched for took what it might take; its pieces are searched for; and so
// on, until they all are. What it might take is first a guess, which prefers
// small pieces, then the least that any kernel could take: the last cover is
// then the cheapest of all. A limit of pieces, the deadline and Ctrl-C end this
// earlier.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/KernelGraphs/KernelGraphs.h"
#include "Mirage/Analysis/Cost/CostModel.h"
#include "Mirage/MuGraph/CloneMuGraph.h"
#include "Mirage/MuGraph/Comparison.h"
#include "Mirage/Search/KernelGraphs/PieceCover.h"
#include "Mirage/Search/SearchClock.h"
#include "Mirage/Search/VerifyCandidate.h"
#include "Mirage/Semantics/ShapeRules.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mirage;
using namespace mirage::search;
using equivalence::Equivalence;
using llvm::ArrayRef;

/// The most pieces that are looked at, with those that equal others or that the
/// search cannot take.
static constexpr unsigned kLooks = 512;

/// Pieces that are searched for without a gain before the searches end.
static constexpr unsigned kPatience = 8;

static constexpr double kNever = std::numeric_limits<double>::infinity();

namespace {

class Composer {
public:
  Composer(const MuGraph &program, double known,
           const KernelGraphOptions &options, const KernelGraphControl &control)
      : program(eraseDeadNodes(program)), units(this->program), known(known),
        options(options), control(control),
        clock(options.search.deadline, control.stop),
        pool(options.search.threads),
        execution(pool, [this] { return clock.isGraceOver(); }) {}

  KernelGraphResult run();

private:
  using Price = PieceCover::Price;

  struct Piece {
    UnitSet units;
    double plain = 0, bound = 0;
    /// The time of its fastest direct launch, if it was asked for.
    std::optional<double> direct;
    /// The piece's place in result.pieces, once it was looked at.
    std::optional<unsigned> outcome;
    /// The piece must not be used: composing it was refused.
    bool isBanned = false;
  };

  void pricePlainUnits();
  UnitSet findUnsupported() const;
  double getBound(const UnitSet &piece) const;
  void addPieces();
  std::optional<unsigned> addPiece(UnitSet set);
  std::optional<unsigned> findPiece(const UnitSet &set);
  double getDirectTime(const UnitSet &set);
  void growGroups(const UnitSet &unsupported);
  bool canBeOne(const UnitSet &first, const UnitSet &second) const;
  void lookAtDirect(const PieceCover &cover);
  bool isSearched(const Piece &piece) const {
    return piece.outcome.has_value();
  }
  double getFoundCost(const Piece &piece) const;
  std::vector<Price> getPrices(bool isGuess) const;
  std::vector<Price> getKnownPrices() const;
  bool searchCheapest(const PieceCover &cover, bool isGuess);
  void look(const PieceCover &cover, unsigned number);
  std::optional<MuGraph> search(PieceOutcome &outcome, const MuGraph &piece,
                                const SearchTask &task, unsigned verified);
  bool replaceRefused(const PieceCover::Cover &cover);
  double getSlack(const PieceCover &cover, unsigned number) const;
  double getColdTime(const UnitSet &piece) const;
  void noteKnown(const PieceCover &cover);
  std::optional<unsigned> findEqual(const MuGraph &piece) const;
  void setCost(PieceOutcome &outcome, const MuGraph &graph) const;
  void choose(const PieceCover &cover);
  void noteEnd(const PieceCover &cover);
  SearchEnd getCut() const {
    return clock.wasInterrupted() ? SearchEnd::Interruption : SearchEnd::Time;
  }
  bool accept(const PieceCover::Cover &cover);

  /// The time below which a composition pays.
  double getTarget() const { return known * (1 - options.search.minGain); }

  const MuGraph program;
  ProgramUnits units;
  double known;
  const KernelGraphOptions &options;
  const KernelGraphControl &control;
  SearchClock clock;
  WorkerPool pool;
  /// Ends verification when a search that was cut has no time left.
  Execution execution;
  KernelGraphResult result;

  std::vector<double> plainCosts;
  std::vector<unsigned> plainKernels;
  double plainTotal = 0;
  unsigned maxKernels = 0;
  /// Microseconds of the cheapest program that is known, and of the cheapest
  /// one that is made of pieces.
  double bestKnown = 0, bestCover = 0;
  /// The number of pieces that may be searched for: some more than those after
  /// which the last gain was found.
  unsigned allowed = kPatience;
  /// As many pieces were searched for as the limits allow; as many without a
  /// gain.
  bool isLimited = false, endsForNoGain = false;
  std::vector<Piece> pieces;
  /// For each outcome the piece's program, and the best µGraph that was found.
  std::vector<MuGraph> programs;
  std::vector<std::optional<MuGraph>> found;
};

} // namespace

//===----------------------------------------------------------------------===//
// Pieces and what is known of their costs
//===----------------------------------------------------------------------===//

void Composer::pricePlainUnits() {
  plainCosts.assign(units.size(), 0);
  plainKernels.assign(units.size(), 0);
  ProgramCost cost = estimateProgram(program, options.search.target);
  plainTotal = cost.microseconds;
  for (const ProgramCost::Kernel &kernel : cost.kernels) {
    const auto *unit = llvm::find(units.getNodes(), kernel.node);
    plainCosts[unit - units.getNodes().begin()] = kernel.cost.microseconds;
    plainKernels[unit - units.getNodes().begin()] = 1;
  }
  // As many kernels as the program has are never too many.
  maxKernels = std::max(options.kernelOperators,
                        static_cast<unsigned>(cost.kernels.size()));
}

/// Finds the operators that can be in no piece: those that the search cannot
/// take alone, but for operators that move elements, which it may take in
/// pieces only.
UnitSet Composer::findUnsupported() const {
  UnitSet unsupported(units.size());
  for (unsigned unit = 0; unit < units.size(); ++unit) {
    const MuNode &node = units.getNode(unit);
    if (node.kind == MuNode::Kind::Operator && isLayout(node.op))
      continue;
    UnitSet alone(units.size());
    alone.set(unit);
    std::string reason;
    unsigned location = 0;
    if (node.kind != MuNode::Kind::Operator ||
        !SearchTask::create(units.extract(alone).program, reason, location))
      unsupported.set(unit);
  }
  return unsupported;
}

/// The time that a piece takes at least, as one kernel: its inputs and results
/// pass L2, and those that are the program's own pass device memory. Other
/// tensors may be in L2.
double Composer::getBound(const UnitSet &piece) const {
  ProgramUnits::Piece graph = units.extract(piece);
  const MuRegion &body = program.getRegion();
  double cold = 0, all = 0;
  auto add = [&](ArrayRef<MuValue> values, ArrayRef<MuValue> outer) {
    for (MuValue value : values) {
      auto bytes = static_cast<double>(elementCount(program.getShape(value)) *
                                       byteSize(program.getValue(value).type));
      all += bytes;
      if (llvm::is_contained(outer, value))
        cold += bytes;
    }
  };
  // A kernel may read a part of an input only.
  if (llvm::none_of(piece.set_bits(), [&](unsigned unit) {
        return units.getNode(unit).op == OpKind::Slice;
      }))
    add(graph.inputs, body.arguments);
  add(graph.results, body.results);
  const TargetDescription &target = options.search.target;
  double launch = lowerBound(0, 0, 0, target);
  double l2 = all / (static_cast<double>(target.l2Bandwidth) * 1e3);
  return std::max(lowerBound(cold, 0, 0, target), launch + l2);
}

/// Returns whether a reshape reads nothing of the piece, or nothing of the
/// piece reads it. Without such a reshape the piece is no less.
static bool hasLooseReshape(const ProgramUnits &units, const UnitSet &piece) {
  UnitSet read(units.size());
  for (unsigned unit : piece.set_bits())
    read |= units.getOperands(unit);
  return llvm::any_of(piece.set_bits(), [&](unsigned unit) {
    return units.getNode(unit).op == OpKind::Reshape &&
           (!read[unit] || !units.getOperands(unit).anyCommon(piece));
  });
}

/// Returns whether the piece with a cast beside it is no worse: with one to a
/// type that is no wider, behind a result that nothing else reads, or from such
/// a type, before an input that nothing else reads. Launches cast what they
/// load and store without an operator more, and move fewer bytes.
static bool lacksCast(const ProgramUnits &units, const UnitSet &piece,
                      unsigned mostUnits) {
  if (piece.count() >= mostUnits)
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
  std::vector<UnitSet> sets = units.enumeratePieces(unsupported, limits);
  // The whole is what superoptimize() searches for.
  llvm::erase_if(sets, [&](const UnitSet &set) {
    return set.all() || hasLooseReshape(units, set) ||
           lacksCast(units, set, limits.units);
  });
  result.enumerated = sets.size();
  for (UnitSet &set : sets)
    addPiece(std::move(set));
  growGroups(unsupported);
}

/// Adds a piece, if a kernel could be faster than the operators' own. Returns
/// its number.
std::optional<unsigned> Composer::addPiece(UnitSet set) {
  Piece piece;
  for (unsigned unit : set.set_bits())
    piece.plain += plainCosts[unit];
  piece.bound = getBound(set);
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

/// Returns the time in the program of the fastest direct launch of some units,
/// or of their own kernels if that is less. Nothing is verified for it.
double Composer::getDirectTime(const UnitSet &set) {
  double plain = 0;
  for (unsigned unit : set.set_bits())
    plain += plainCosts[unit];
  if (set.count() < 2 || set.all())
    return plain;
  std::optional<unsigned> number = findPiece(set);
  if (!number)
    return plain;
  Piece &piece = pieces[*number];
  if (!piece.direct) {
    piece.direct = kNever;
    std::string reason;
    unsigned location = 0;
    MuGraph program = units.extract(set).program;
    if (auto task = SearchTask::create(program, reason, location)) {
      SearchOptions own = options.search;
      own.directOnly = true;
      own.best = own.verified = 0;
      own.loops = std::min(own.loops, 1u);
      piece.direct = superoptimize(*task, own).cheapest - getColdTime(set);
    }
  }
  return std::min(*piece.direct, plain);
}

/// Returns whether two sets hang together and can run at once.
bool Composer::canBeOne(const UnitSet &first, const UnitSet &second) const {
  UnitSet both = first;
  both |= second;
  return units.isConnected(both) && units.getConvexHull(both) == both;
}

/// Finds pieces of any number of operators: those that plain fusion makes one
/// kernel of, and as long as it makes the program faster, two of them that
/// become one, with direct launches for all of them.
void Composer::growGroups(const UnitSet &unsupported) {
  std::vector<std::pair<UnitSet, double>> groups;
  for (const ProgramCost::Kernel &kernel :
       estimateFusedProgram(program, options.search.target).kernels) {
    UnitSet set(units.size());
    for (unsigned node : kernel.nodes)
      set.set(llvm::find(units.getNodes(), node) - units.getNodes().begin());
    set = units.getConvexHull(set);
    if (!set.anyCommon(unsupported))
      groups.push_back({set, getDirectTime(set)});
  }
  while (!clock.isOver()) {
    double mostGain = 0;
    std::pair<size_t, size_t> chosen;
    UnitSet joined;
    for (size_t i = 0; i < groups.size(); ++i)
      for (size_t j = i + 1; j < groups.size(); ++j) {
        if (!canBeOne(groups[i].first, groups[j].first))
          continue;
        UnitSet both = groups[i].first;
        both |= groups[j].first;
        double apart = groups[i].second + groups[j].second;
        if (apart - getBound(both) <= mostGain)
          continue;
        if (double gain = apart - getDirectTime(both); gain > mostGain) {
          mostGain = gain;
          chosen = {i, j};
          joined = both;
        }
      }
    if (mostGain <= 0)
      return;
    groups[chosen.first] = {joined, getDirectTime(joined)};
    groups.erase(groups.begin() + static_cast<ptrdiff_t>(chosen.second));
  }
}

/// The cost of what was found for a piece; infinite if nothing pays.
double Composer::getFoundCost(const Piece &piece) const {
  const PieceOutcome &outcome = result.pieces[*piece.outcome];
  bool pays =
      outcome.unsupported.empty() &&
      outcome.microseconds <= piece.plain * (1 - options.search.minGain);
  return pays && !piece.isBanned ? outcome.microseconds : kNever;
}

/// The prices of units that stay, then of pieces. A piece that was not searched
/// for has its lower bound, or a guess: the more operators it has, the less
/// likely it is that one kernel does them all as well as any could.
std::vector<PieceCover::Price> Composer::getPrices(bool isGuess) const {
  static constexpr double kUnits = 12;
  std::vector<Price> prices;
  for (unsigned unit = 0; unit < units.size(); ++unit)
    prices.push_back({plainCosts[unit], plainKernels[unit]});
  for (const Piece &piece : pieces) {
    if (isSearched(piece)) {
      prices.push_back(
          {getFoundCost(piece), result.pieces[*piece.outcome].launches});
      continue;
    }
    double part = (piece.units.count() - 1) / kUnits;
    double guess = std::min(piece.bound + (piece.plain - piece.bound) *
                                              std::min(part, 1.0),
                            piece.direct.value_or(kNever));
    prices.push_back({isGuess ? guess : piece.bound, 1});
  }
  return prices;
}

std::vector<PieceCover::Price> Composer::getKnownPrices() const {
  std::vector<Price> prices = getPrices(/*isGuess=*/false);
  for (auto [number, piece] : llvm::enumerate(pieces))
    if (!isSearched(piece))
      prices[units.size() + number].cost = kNever;
  return prices;
}

//===----------------------------------------------------------------------===//
// Searches
//===----------------------------------------------------------------------===//

std::optional<unsigned> Composer::findEqual(const MuGraph &piece) const {
  for (auto [number, other] : llvm::enumerate(programs))
    if (areIdentical(piece, other))
      return number;
  return std::nullopt;
}

/// Sets the time that a µGraph takes in place of the piece, where tensors may
/// be in L2, or written once for several readers.
void Composer::setCost(PieceOutcome &outcome, const MuGraph &graph) const {
  MuGraph whole = units.replace({{outcome.units, &graph}});
  ProgramCost cost = estimateProgram(whole, options.search.target);
  unsigned others = 0;
  double rest = 0;
  for (unsigned unit = 0; unit < units.size(); ++unit)
    if (!outcome.units[unit]) {
      rest += plainCosts[unit];
      others += plainKernels[unit];
    }
  outcome.microseconds = cost.microseconds - rest;
  outcome.launches =
      cost.kernels.size() > others ? cost.kernels.size() - others : 0;
}

/// Returns the time in the program below which a piece is part of a program
/// that is faster than what is known, if all other pieces took what they may
/// take at least.
double Composer::getSlack(const PieceCover &cover, unsigned number) const {
  // A piece that is so cheap is part of the cheapest cover.
  static constexpr double kFree = -1e9;
  std::vector<Price> prices = getPrices(/*isGuess=*/false);
  prices[units.size() + number].cost = kFree;
  std::optional<PieceCover::Cover> cheapest = cover.find(prices, maxKernels);
  if (!cheapest || !llvm::is_contained(cheapest->pieces, units.size() + number))
    return 0;
  return bestKnown - (cheapest->cost - kFree);
}

/// Returns how much longer a piece may take alone than in the program: alone it
/// reads all of its inputs from device memory.
double Composer::getColdTime(const UnitSet &piece) const {
  double bytes = 0;
  for (MuValue value : units.extract(piece).inputs)
    if (!llvm::is_contained(program.getRegion().arguments, value))
      bytes += static_cast<double>(elementCount(program.getShape(value)) *
                                   byteSize(program.getValue(value).type));
  return bytes /
         (static_cast<double>(options.search.target.hbmBandwidth) * 1e3);
}

/// Searches for a piece. The candidate has been sorted out as right, and if
/// `verified` is one, has passed all questions, too.
std::optional<MuGraph> Composer::search(PieceOutcome &outcome,
                                        const MuGraph &piece,
                                        const SearchTask &task,
                                        unsigned verified) {
  std::optional<MuGraph> graph;
  SearchOptions own = options.search;
  own.states = std::min(own.states, options.pieceStates);
  own.paying = outcome.paying;
  own.best = 1;
  // Floats are asked about the composition with all work.
  own.verified = verified;
  // Several loops are for what no other kernel could do first.
  own.loops = std::min(own.loops, 1u);
  // Of pieces that are larger than the enumeration's, those are looked at that
  // need none.
  own.directOnly =
      units.countWork(outcome.units) > ProgramUnits::Limits().units;
  if (own.deadline > 0)
    own.deadline = std::max(own.deadline - clock.getSeconds(), 1e-3);
  SearchControl searchControl;
  searchControl.stop = control.stop;
  if (control.getState)
    searchControl.state = control.getState(piece, own);
  std::string phase;
  double before = clock.getSeconds();
  if (control.report)
    searchControl.report = [&](const SearchProgress &progress) {
      SearchProgress whole = progress;
      phase = llvm::formatv("piece {0}/{1}: {2}", result.searched,
                            std::min(allowed, options.pieces), progress.phase);
      whole.phase = phase;
      whole.seconds += before;
      control.report(whole);
    };
  SearchResult searched = superoptimize(task, own, searchControl);
  outcome.statistics = searched.statistics;
  outcome.end = searched.end;
  for (const JudgedCandidate &candidate : searched.judged) {
    if (!candidate.isAccepted() || (verified && !candidate.isVerified))
      continue;
    outcome.verdict = candidate.verdict;
    graph = instantiate(task, candidate);
    setCost(outcome, *graph);
    break;
  }
  return graph;
}

/// Searches for a piece, unless it is known.
void Composer::look(const PieceCover &cover, unsigned number) {
  Piece &piece = pieces[number];
  ProgramUnits::Piece own = units.extract(piece.units);
  PieceOutcome outcome;
  outcome.units = piece.units;
  for (unsigned unit : piece.units.set_bits())
    outcome.operators.push_back(units.getNode(unit).op);
  outcome.location = units.getNode(piece.units.find_first()).location;
  outcome.plain = piece.plain;
  outcome.bound = piece.bound;
  outcome.microseconds = kNever;
  outcome.paying = std::min(getSlack(cover, number),
                            piece.plain * (1 - options.search.minGain)) +
                   getColdTime(piece.units);
  outcome.equalTo = findEqual(own.program);
  // Where an equal piece had to be faster, this one may find what that did not.
  if (outcome.equalTo && !found[*outcome.equalTo] &&
      result.pieces[*outcome.equalTo].paying < outcome.paying)
    outcome.equalTo.reset();
  piece.outcome = result.pieces.size();
  programs.push_back(std::move(own.program));
  found.emplace_back();
  const MuGraph &graph = programs.back();
  if (outcome.equalTo) {
    const PieceOutcome &equal = result.pieces[*outcome.equalTo];
    outcome.unsupported = equal.unsupported;
    outcome.verdict = equal.verdict;
    outcome.end = equal.end;
    found.back() = found[*outcome.equalTo];
    if (found.back())
      setCost(outcome, *found.back());
  } else {
    unsigned location = 0;
    if (auto task = SearchTask::create(graph, outcome.unsupported, location)) {
      outcome.unsupported.clear();
      ++result.searched;
      found.back() = search(outcome, graph, *task, /*verified=*/0);
    }
  }
  result.pieces.push_back(std::move(outcome));
}

/// Notes the time of the cheapest program that is known, and where it gains,
/// lets the searches go on.
void Composer::noteKnown(const PieceCover &cover) {
  std::optional<PieceCover::Cover> best =
      cover.find(getKnownPrices(), maxKernels);
  if (!best || best->cost >= bestCover)
    return;
  if (best->cost <= bestCover * (1 - options.search.minGain))
    allowed = result.searched + kPatience;
  bestCover = best->cost;
  bestKnown = std::min(bestKnown, bestCover);
}

/// Searches for the largest unknown piece of the cover that is cheapest by what
/// is known. Returns false if there is none, or if no cover could pay.
bool Composer::searchCheapest(const PieceCover &cover, bool isGuess) {
  std::optional<PieceCover::Cover> cheapest =
      cover.find(getPrices(isGuess), maxKernels);
  if (!cheapest || cheapest->cost >= bestKnown * (1 - options.search.minGain))
    return false;
  std::optional<unsigned> next;
  for (unsigned number : cheapest->pieces)
    if (number >= units.size()) {
      unsigned own = number - units.size();
      if (!isSearched(pieces[own]) &&
          (!next || pieces[own].units.count() > pieces[*next].units.count()))
        next = own;
    }
  if (!next)
    return false;
  look(cover, *next);
  noteKnown(cover);
  return true;
}

/// Searches for the pieces of the cover that is cheapest if each is a direct
/// launch.
void Composer::lookAtDirect(const PieceCover &cover) {
  std::vector<Price> prices = getPrices(/*isGuess=*/false);
  for (auto [number, piece] : llvm::enumerate(pieces))
    prices[units.size() + number].cost = piece.direct.value_or(kNever);
  std::optional<PieceCover::Cover> cheapest = cover.find(prices, maxKernels);
  if (!cheapest || cheapest->cost >= bestKnown * (1 - options.search.minGain))
    return;
  for (unsigned number : cheapest->pieces)
    if (number >= units.size() && !clock.isOver())
      look(cover, number - units.size());
  noteKnown(cover);
  allowed = result.searched + kPatience;
}

//===----------------------------------------------------------------------===//
// The kernel graph
//===----------------------------------------------------------------------===//

/// Verifies a composition as a whole. It is right if its pieces are, so that a
/// proof or tests that don't come to an end change nothing.
bool Composer::accept(const PieceCover::Cover &cover) {
  std::vector<ProgramUnits::Replacement> replacements;
  Verdict judged;
  judged.equivalence = Equivalence::Proved;
  double error = 0;
  for (unsigned number : cover.pieces) {
    if (number < units.size())
      continue;
    const Piece &piece = pieces[number - units.size()];
    const PieceOutcome &outcome = result.pieces[*piece.outcome];
    replacements.push_back({piece.units, &*found[*piece.outcome]});
    if (outcome.verdict.equivalence == Equivalence::Equivalent) {
      judged.equivalence = Equivalence::Equivalent;
      error += std::exp2(outcome.verdict.log2Error);
    }
  }
  judged.log2Error = std::log2(error);
  KernelGraph graph;
  graph.graph = units.replace(replacements);
  ProgramCost cost = estimateProgram(graph.graph, options.search.target);
  graph.microseconds = cost.microseconds;
  graph.kernels = cost.kernels.size();
  if (graph.microseconds >= getTarget()) {
    result.rejected.push_back("it is not faster");
    return false;
  }
  graph.isVerifiedWhole = verifyComposition(program, graph.graph,
                                            options.search, execution, judged);
  graph.verdict = judged;
  if (!judged.isAccepted()) {
    result.rejected.push_back(judged.reason);
    return false;
  }
  result.best = std::move(graph);
  for (unsigned number : cover.pieces)
    if (number >= units.size())
      result.pieces[*pieces[number - units.size()].outcome].isUsed = true;
  return true;
}

/// Asks all questions about the pieces of a composition that was refused, and
/// searches for others in place of those that are refused alone. Returns
/// whether there are such pieces.
bool Composer::replaceRefused(const PieceCover::Cover &cover) {
  equivalence::GraphComparer acceptor(getAcceptingPolicy(options.search),
                                      execution);
  bool hasRefused = false;
  for (unsigned number : cover.pieces) {
    if (number < units.size())
      continue;
    unsigned own = *pieces[number - units.size()].outcome;
    own = result.pieces[own].equalTo.value_or(own);
    PieceOutcome &outcome = result.pieces[own];
    if (outcome.isVerified || !found[own])
      continue;
    outcome.isVerified = true;
    if (getVerdict(acceptor.compare(programs[own], *found[own])).isAccepted())
      continue;
    hasRefused = true;
    outcome.microseconds = kNever;
    std::string reason;
    unsigned location = 0;
    found[own].reset();
    if (auto task = SearchTask::create(programs[own], reason, location))
      found[own] = search(outcome, programs[own], *task, /*verified=*/1);
    for (auto [i, other] : llvm::enumerate(result.pieces))
      if (other.equalTo == own) {
        found[i] = found[own];
        other.verdict = outcome.verdict;
        other.microseconds = kNever;
        if (found[i])
          setCost(other, *found[i]);
      }
  }
  return hasRefused;
}

/// Chooses the cheapest composition of what was found. As long as it is refused
/// as a whole, pieces that are refused alone are replaced, or the one that
/// gains least is left out.
void Composer::choose(const PieceCover &cover) {
  while (true) {
    std::optional<PieceCover::Cover> best =
        cover.find(getKnownPrices(), maxKernels);
    if (!best || best->cost >= getTarget() || accept(*best))
      return;
    if (replaceRefused(*best))
      continue;
    Piece *least = nullptr;
    double leastGain = kNever;
    for (unsigned number : best->pieces)
      if (number >= units.size()) {
        Piece &piece = pieces[number - units.size()];
        double gain = piece.plain - getFoundCost(piece);
        if (gain < leastGain) {
          leastGain = gain;
          least = &piece;
        }
      }
    if (!least)
      return;
    least->isBanned = true;
  }
}

/// Says what ended the searches, and what they leave possible. Of a piece whose
/// search left nothing, what was found is the least that it takes.
void Composer::noteEnd(const PieceCover &cover) {
  std::vector<Price> prices = getPrices(/*isGuess=*/false);
  bool isUnknown = false;
  SearchEnd end = SearchEnd::Bound;
  for (auto [number, piece] : llvm::enumerate(pieces)) {
    if (!isSearched(piece)) {
      isUnknown = true;
      continue;
    }
    const PieceOutcome &outcome = result.pieces[*piece.outcome];
    if (!outcome.unsupported.empty() || !leavesPrograms(outcome.end))
      continue;
    end = std::max(end, outcome.end);
    prices[units.size() + number] = {piece.bound, 1};
  }
  if (auto cheapest = cover.find(prices, maxKernels))
    result.bound = cheapest->cost;
  if (clock.wasCut() || result.end >= SearchEnd::Time)
    result.end = getCut();
  else if (double best = result.best ? result.best->microseconds : known;
           result.bound < best * (1 - options.search.minGain))
    result.end = !isUnknown      ? end
                 : isLimited     ? SearchEnd::Pieces
                 : endsForNoGain ? std::max(end, SearchEnd::NoGain)
                                 : end;
}

KernelGraphResult Composer::run() {
  if (clock.isOver())
    result.end = getCut();
  if (units.size() < 2 || options.pieces == 0 || clock.wasCut())
    return std::move(result);
  bestKnown = known;
  pricePlainUnits();
  bestCover = plainTotal;
  addPieces();
  if (pieces.empty())
    return std::move(result);
  std::vector<UnitSet> sets;
  for (unsigned unit = 0; unit < units.size(); ++unit) {
    sets.emplace_back(units.size());
    sets.back().set(unit);
  }
  for (const Piece &piece : pieces)
    sets.push_back(piece.units);
  PieceCover cover(units, sets);
  result.isExact = cover.isExact();
  lookAtDirect(cover);
  // `pieces` is a limit of searches; what is known, or unsupported, costs none.
  for (bool isGuess : {true, false})
    while (result.searched < std::min(allowed, options.pieces) &&
           result.pieces.size() < kLooks && !clock.isOver() &&
           searchCheapest(cover, isGuess)) {
    }
  endsForNoGain = result.searched >= allowed;
  isLimited =
      result.searched >= options.pieces || result.pieces.size() >= kLooks;
  choose(cover);
  noteEnd(cover);
  return std::move(result);
}

KernelGraphResult
mirage::search::composeKernelGraph(const MuGraph &program, double known,
                                   const KernelGraphOptions &options,
                                   const KernelGraphControl &control) {
  return Composer(program, known, options, control).run();
}
