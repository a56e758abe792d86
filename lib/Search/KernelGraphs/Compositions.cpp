//===- Compositions.cpp - Programs with pieces replaced -------------------===//
//
// Takes the cheapest composition of what was found for pieces that is accepted
// as a whole, and finds the pieces to which it is due that others are not.
//
//===----------------------------------------------------------------------===//

#include "Composer.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mirage;
using namespace mirage::search;
using llvm::ArrayRef;

/// Returns the program with some pieces replaced.
MuGraph Composer::compose(ArrayRef<unsigned> replaced) const {
  std::vector<ProgramUnits::Replacement> replacements;
  for (unsigned number : replaced) {
    const Piece &piece = pieces[number];
    replacements.push_back(
        {piece.units, piece.outputs, &*found[*piece.outcome]});
  }
  return units.replace(replacements);
}

/// Says which phase the choice of kernels is in, behind the search for pieces.
void Composer::show(llvm::StringRef phase, uint64_t done,
                    uint64_t total) const {
  if (!control.report)
    return;
  SearchProgress progress;
  progress.phase = phase;
  progress.done = done;
  progress.total = total;
  progress.bestMicroseconds = bestKnown;
  progress.seconds = clock.getSeconds();
  control.report(progress);
}

/// Says whether programs are not to be verified any more. Any thread that
/// verifies asks this, from time to time.
bool Composer::isVerificationOver() {
  if (std::unique_lock lock(showing, std::try_to_lock); lock)
    show("verification of the whole");
  return clock.isGraceOver();
}

/// Verifies the program with some pieces replaced, as a whole: all that
/// mirage-verify-equivalence asks is asked about it.
KernelGraph Composer::verify(ArrayRef<unsigned> replaced) {
  if (control.report)
    show(llvm::formatv("composition {0}: pieces", verdicts.size() + 1).str(),
         replaced.size(), composed);
  MuGraph graph = compose(replaced);
  ProgramCost cost = estimate(graph);
  return verifyGraph(std::move(graph), cost);
}

/// Verifies a program that takes this one's place, and takes so long.
KernelGraph Composer::verifyGraph(MuGraph composed, const ProgramCost &cost) {
  KernelGraph graph;
  graph.graph = std::move(composed);
  graph.microseconds = cost.microseconds;
  graph.kernels = cost.kernels.size();
  auto [known, isNew] = verdicts.try_emplace(toString(graph.graph));
  if (isNew)
    known->second = getVerdict(acceptor.compare(original, graph.graph));
  graph.verdict = known->second;
  return graph;
}

/// Returns the pieces of a cover that are replaced, those first that gain most.
llvm::SmallVector<unsigned>
Composer::getReplaced(const PieceCover::Cover &cover) const {
  llvm::SmallVector<unsigned> replaced(cover.pieces);
  llvm::erase_if(replaced,
                 [&](unsigned number) { return pieces[number].fused; });
  llvm::sort(replaced, [&](unsigned a, unsigned b) {
    double gainOfA = pieces[a].plain - getFoundCost(pieces[a]);
    double gainOfB = pieces[b].plain - getFoundCost(pieces[b]);
    return std::tie(gainOfB, a) < std::tie(gainOfA, b);
  });
  return replaced;
}

/// Takes a composition if it is accepted as a whole.
bool Composer::accept(ArrayRef<unsigned> replaced) {
  composed = replaced.size();
  KernelGraph graph = verify(replaced);
  if (graph.microseconds >= getTarget() || !graph.verdict.isAccepted()) {
    result.rejected.push_back(
        graph.verdict.isAccepted() ? "it is not faster" : graph.verdict.reason);
    return false;
  }
  result.best = std::move(graph);
  for (unsigned number : replaced)
    result.pieces[*pieces[number].outcome].isUsed = true;
  return true;
}

/// Returns a piece without which a composition might be accepted: the first, of
/// those that gain most first, with which those before it are refused.
unsigned Composer::findRefused(ArrayRef<unsigned> replaced) {
  size_t accepted = 0, refused = replaced.size();
  while (refused - accepted > 1) {
    size_t middle = (accepted + refused) / 2;
    bool isRight = verify(replaced.take_front(middle)).verdict.isAccepted();
    (isRight ? accepted : refused) = middle;
  }
  return replaced[refused - 1];
}

/// Asks all questions about the pieces of a composition that was refused, and
/// searches for others in place of those that are refused alone. Returns
/// whether there are such pieces.
bool Composer::replaceRefused(const PieceCover::Cover &cover) {
  equivalence::GraphComparer pieceAcceptor(getAcceptingPolicy(options.search),
                                           execution);
  bool hasRefused = false;
  for (unsigned number : cover.pieces) {
    if (pieces[number].fused)
      continue;
    unsigned own = *pieces[number].outcome;
    own = result.pieces[own].equalTo.value_or(own);
    PieceOutcome &outcome = result.pieces[own];
    if (outcome.isVerified || !found[own])
      continue;
    outcome.isVerified = true;
    if (getVerdict(pieceAcceptor.compare(programs[own], *found[own]))
            .isAccepted())
      continue;
    hasRefused = true;
    outcome.microseconds = kNever;
    std::string reason;
    std::optional<unsigned> location;
    found[own].reset();
    slowPieces.erase(own);
    if (auto task = SearchTask::create(programs[own], reason, location))
      found[own] = search(outcome, programs[own], *task, /*verified=*/1);
    propagate(own);
  }
  return hasRefused;
}

/// Chooses the cheapest composition of what was found, of pieces that don't
/// make its kernels too slow. As long as it is refused as a whole, pieces that
/// are refused alone are replaced, or one is left out with which others are
/// refused.
void Composer::choose(const PieceCover &cover) {
  while (true) {
    std::optional<PieceCover::Cover> best = findBest(cover);
    if (!best || best->cost >= getTarget())
      return;
    llvm::SmallVector<unsigned> replaced = getReplaced(*best);
    if (banSlowPieces(replaced)) {
      searchOn(cover);
      continue;
    }
    // Without a piece this is the program in the form that it was brought to.
    if (accept(replaced) || replaced.empty())
      return;
    if (!replaceRefused(*best))
      pieces[findRefused(replaced)].isBanned = true;
    searchOn(cover);
  }
}
