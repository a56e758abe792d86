//===- MovedViews.cpp - Pieces that leave views to what computes them -----===//
//
// A piece reads its tensors in any order, and has the views before what it
// reads (copyViews). A view that exchanges dimensions gives a tile of it more
// dimensions, or a product more axes to contract, and there are launches that
// only read what was viewed: a product of 1,024 rows and 4,096 columns has
// loops over chunks of 64 columns, which are none of 32 heads of 128. Stores
// have any order, too. So there are pieces with such a view at the other side:
// the one that reads it has it no more, and the one that computes what is
// viewed has it behind its result. Where nothing else could have it, it is a
// kernel of its own.
//
// These are pieces of their own, which are searched for after all others, and
// only for views that stand between kernels of the cheapest program.
//
//===----------------------------------------------------------------------===//

#include "Composer.h"
#include "llvm/ADT/DenseSet.h"
#include <cmath>

using namespace mirage;
using namespace mirage::search;

/// Returns whether a unit reshapes or transposes.
static bool isReordered(const ProgramUnits &units, unsigned unit) {
  const MuNode &node = units.getNode(unit);
  return node.kind == MuNode::Kind::Operator &&
         (node.op == OpKind::Reshape || node.op == OpKind::Transpose);
}

/// Finds the views of one value that a reader reads one behind the other, up to
/// the last transpose, from the last one on.
static OrderedView followViews(const ProgramUnits &units, unsigned last) {
  OrderedView view{UnitSet(units.size()), 0, std::nullopt};
  std::optional<unsigned> at = last;
  while (at && isReordered(units, *at)) {
    view.units.set(*at);
    const UnitSet &from = units.getOperands(*at);
    at = from.any() ? std::optional<unsigned>(from.find_first()) : std::nullopt;
  }
  view.source = at;
  return view;
}

/// Finds the views that transpose, stand before an operator that is no such
/// view, and are no part of a result alone.
std::vector<OrderedView> Composer::findOrderedViews() const {
  std::vector<OrderedView> views;
  for (unsigned unit = 0; unit < units.size(); ++unit) {
    if (!isReordered(units, unit) || units.getResults()[unit])
      continue;
    // Each view has one reader (copyViews), and a chain of them one end.
    llvm::SmallVector<unsigned, 1> readers;
    for (unsigned reader = unit + 1; reader < units.size(); ++reader)
      if (units.getOperands(reader)[unit])
        readers.push_back(reader);
    if (readers.size() != 1 || isReordered(units, readers.front()))
      continue;
    OrderedView view = followViews(units, unit);
    view.reader = readers.front();
    bool transposes = llvm::any_of(view.units.set_bits(), [&](unsigned own) {
      return units.getNode(own).op == OpKind::Transpose;
    });
    if (!transposes || (view.source && units.isView(*view.source)))
      continue;
    // What is read elsewhere, too, would be stored in both orders.
    if (view.source) {
      unsigned others = units.getResults()[*view.source];
      for (unsigned reader = 0; reader < units.size(); ++reader)
        others += units.getOperands(reader)[*view.source];
      if (others != 1)
        view.source.reset();
    }
    views.push_back(std::move(view));
  }
  return views;
}

/// Adds the pieces that have some views at the other side, of those that were
/// searched for and of small ones. Returns a cover that chooses among all
/// pieces; nothing if there are no others, or if they are so many that the
/// cover would look at fewer programs than the given one.
std::optional<PieceCover> Composer::addMovedViews(const PieceCover &cover) {
  std::vector<OrderedView> views = findOrderedViews();
  std::optional<PieceCover::Cover> best =
      cover.find(getKnownPrices(), maxKernels);
  if (!best)
    return std::nullopt;
  // Inside of a launch a view takes nothing.
  llvm::erase_if(views, [&](const OrderedView &view) {
    return view.source && llvm::any_of(best->pieces, [&](unsigned number) {
             return pieces[number].units[*view.source] &&
                    pieces[number].units[view.reader];
           });
  });
  llvm::DenseSet<UnitSet> known;
  for (const Piece &piece : pieces)
    if (!piece.fused)
      known.insert(piece.units);
  size_t apart = pieces.size();
  auto move = [&](const UnitSet &piece, double microseconds) {
    UnitSet moved = piece;
    bool reads = false;
    for (const OrderedView &view : views) {
      bool computes = view.source && piece[*view.source];
      bool isRead = view.units.anyCommon(piece);
      if (isRead && !computes)
        moved.reset(view.units);
      else if (computes && !isRead)
        moved |= view.units;
      reads |= isRead && !computes;
    }
    if (moved.all() || units.countWork(moved) == 0 ||
        !known.insert(moved).second)
      return;
    ++result.enumerated;
    if (std::optional<unsigned> number = addPiece(std::move(moved))) {
      pieces[*number].unmoved = microseconds;
      pieces[*number].readsMoved = reads;
    }
  };
  for (size_t number = 0; number < apart; ++number) {
    const Piece &piece = pieces[number];
    bool isSmall = units.countWork(piece.units) <= kSmall;
    if (piece.fused || (!isSearched(piece) && !isSmall))
      continue;
    double found = isSearched(piece) ? getFoundCost(piece) : kNever;
    move(UnitSet(piece.units), std::min(found, piece.plain));
  }
  // The whole is no piece, and may be one without views of its inputs.
  UnitSet all(units.size(), true);
  if (units.countWork(all) <= ProgramUnits::Limits().units &&
      !all.anyCommon(findUnsupported()))
    move(all, bestKnown);
  if (pieces.size() == apart)
    return std::nullopt;
  std::vector<UnitSet> sets;
  for (const Piece &piece : pieces)
    sets.push_back(piece.units);
  PieceCover wider(units, sets, groups);
  if (cover.isExact() && !wider.isExact()) {
    pieces.resize(apart);
    return std::nullopt;
  }
  return wider;
}

/// Returns the time that a piece with moved views might take. One that has
/// them behind its results stores them in another order, which takes no
/// longer. One that reads what was viewed may be faster without them.
double Composer::guessMovedTime(const Piece &piece, unsigned boldness) const {
  double unmoved = *piece.unmoved;
  if (!piece.readsMoved)
    return unmoved;
  return piece.floor + std::max(unmoved - piece.floor, 0.0) / (2u << boldness);
}

/// Searches for the pieces with moved views that are part of a program that
/// promises a gain, as long as there is work left for it.
void Composer::searchMovedViews(const PieceCover &wider) {
  auto most = static_cast<uint64_t>(kPartOfMoved *
                                    static_cast<double>(result.mostWork));
  uint64_t begin = getWorkOfPieces();
  double atBegin = bestKnown;
  for (unsigned boldness = 0; boldness <= kBoldest;) {
    if (clock.isOver() || getWorkOfPieces() - begin >= most)
      return;
    PieceCover::Prices prices = getKnownPrices();
    for (auto [number, piece] : llvm::enumerate(pieces))
      if (piece.unmoved && !isSearched(piece))
        prices.pieces[number] = {guessMovedTime(piece, boldness), 1};
    std::optional<PieceCover::Cover> cheapest = wider.find(prices, maxKernels);
    double least = bestKnown * options.search.minGain * kLeastPromise;
    std::optional<unsigned> next;
    double largest = 0;
    if (cheapest && cheapest->cost < bestKnown - least)
      for (unsigned number : cheapest->pieces) {
        const Piece &piece = pieces[number];
        if (isKnown(piece))
          continue;
        if (double gap = *piece.unmoved - prices.pieces[number].cost;
            !next || gap > largest) {
          next = number;
          largest = gap;
        }
      }
    if (!next) {
      ++boldness;
      continue;
    }
    look(wider, *next);
    noteKnown(wider);
  }
  // What was found may leave something else to others.
  if (bestKnown < atBegin)
    for (unsigned searches = 0; searches < kFewestSearches && !clock.isOver() &&
                                getWorkOfPieces() - begin < most;
         ++searches)
      if (!searchMostPromising(wider, /*boldness=*/0))
        return;
}
