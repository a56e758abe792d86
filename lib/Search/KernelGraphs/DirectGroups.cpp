//===- DirectGroups.cpp - Groups of operators with direct launches --------===//
//
// Makes groups of operators, of any number, which launches that follow them
// compute faster than the groups that plain fusion makes.
//
//===----------------------------------------------------------------------===//

#include "Composer.h"

using namespace mirage;
using namespace mirage::search;

/// Returns the time in the program of the fastest direct launch of a piece of
/// these units that has so many passes at most, and is found before so much of
/// the search's time has passed; infinity if there is none. Nothing is verified
/// for it. Adds the work that this takes.
double Composer::findDirectTime(const ProgramUnits::Piece &piece,
                                const UnitSet &set, unsigned passes,
                                double partOfTime, uint64_t &work) const {
  std::string reason;
  std::optional<unsigned> location;
  auto task = SearchTask::create(piece.program, reason, location);
  if (!task)
    return kNever;
  SearchOptions own = options.search;
  own.directOnly = true;
  own.best = own.verified = 0;
  own.loops = std::min(own.loops, 1u);
  own.passes = passes;
  if (own.deadline > 0)
    own.deadline =
        std::max(own.deadline * partOfTime - clock.getSeconds(), kInstant);
  SearchControl stopping;
  stopping.stop = control.stop;
  ProgramSearch search(*task, own, stopping);
  search.raise(own.states);
  work += search.getWork();
  return search.finish().cheapest - getColdTime(set);
}

/// Returns the time in the program of the fastest direct launch of some units,
/// or of their own kernels if that is less.
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
    ProgramUnits::Piece own = units.extract(set);
    unsigned all = options.search.passes, once = std::min(all, 1u);
    uint64_t work = 0;
    piece.direct = findDirectTime(own, set, once, kListing, work);
    // Several passes are for what no launch with one can do.
    if (*piece.direct == kNever && all > once)
      piece.direct = findDirectTime(own, set, all, kListing, work);
  }
  return std::min(*piece.direct, plain);
}

/// Returns whether no direct launch does what plain fusion makes one kernel of.
bool Composer::lacksLaunch(const UnitSet &set) {
  unsigned work = units.countWork(set);
  if (work < 2 || work > ProgramUnits::Limits().units || set.all())
    return false;
  (void)getDirectTime(set);
  auto piece = llvm::find_if(
      pieces, [&](const Piece &piece) { return piece.units == set; });
  return piece != pieces.end() && piece->direct == kNever;
}

/// Returns whether two sets hang together and can run at once.
bool Composer::canBeOne(const UnitSet &first, const UnitSet &second) const {
  UnitSet both = first;
  both |= second;
  return units.isConnected(both) && units.getConvexHull(both) == both;
}

/// Returns the parts of a kernel that plain fusion makes: what computes beside
/// a product may as well belong to what reads it.
std::vector<UnitSet>
Composer::getParts(const ProgramCost::Kernel &kernel) const {
  UnitSet whole = units.getConvexHull(getUnits(kernel));
  const MuNode &anchor = program.getNode(kernel.node);
  if (anchor.kind != MuNode::Kind::Operator ||
      getOpInfo(anchor.op).opClass != OpClass::Contraction)
    return {whole};
  auto isMoved = [&](unsigned unit) {
    const MuNode &node = units.getNode(unit);
    return node.kind == MuNode::Kind::Operator &&
           (node.op == OpKind::Cast || isLayout(node.op));
  };
  // The product, with what only moves its elements.
  UnitSet core(units.size());
  for (unsigned unit : whole.set_bits())
    if (units.getNodes()[unit] == kernel.node ||
        (isMoved(unit) && units.getOperands(unit).anyCommon(core)))
      core.set(unit);
  UnitSet rest = whole;
  rest.reset(core);
  std::vector<UnitSet> parts;
  for (unsigned unit : rest.set_bits()) {
    UnitSet part(units.size());
    part.set(unit);
    // Parts that hang together with the unit become one with it.
    llvm::erase_if(parts, [&](const UnitSet &other) {
      bool isJoined = canBeOne(part, other);
      if (isJoined)
        part |= other;
      return isJoined;
    });
    parts.push_back(std::move(part));
  }
  parts.insert(parts.begin(), std::move(core));
  if (llvm::any_of(parts, [&](const UnitSet &part) {
        return units.getConvexHull(part) != part;
      }))
    return {whole};
  return parts;
}

/// Returns whether some unit of a set reads what another set computes.
bool Composer::readsFrom(const UnitSet &reader, const UnitSet &set) const {
  return llvm::any_of(reader.set_bits(), [&](unsigned unit) {
    return units.getOperands(unit).anyCommon(set);
  });
}

/// Finds pieces of any number of operators: those that plain fusion makes one
/// kernel of, and as long as it makes the program faster, two of them that
/// become one, or one with all that read it, with direct launches for all of
/// them.
void Composer::growGroups(const UnitSet &unsupported) {
  std::vector<double> times;
  auto withOwnViews = [&](UnitSet set) {
    return units.withoutLooseViews(units.withViews(std::move(set)),
                                   unsupported);
  };
  auto add = [&](UnitSet set) {
    if (set.anyCommon(unsupported) || units.countWork(set) == 0)
      return;
    times.push_back(getDirectTime(set));
    groups.push_back(std::move(set));
  };
  for (const ProgramCost::Kernel &kernel :
       estimateFusedProgram(program, options.search.target).kernels)
    for (UnitSet &part : getParts(kernel)) {
      UnitSet set = withOwnViews(std::move(part));
      if (set.anyCommon(unsupported) || !lacksLaunch(set)) {
        add(std::move(set));
        continue;
      }
      // Some of these operators may be one launch where all of them are none.
      for (unsigned unit : set.set_bits()) {
        UnitSet alone(units.size());
        alone.set(unit);
        add(withOwnViews(std::move(alone)));
      }
    }
  auto isOver = [&] {
    double deadline = options.search.deadline;
    return clock.isOver() ||
           (deadline > 0 && clock.getSeconds() > deadline * kListing);
  };
  while (true) {
    double mostGain = 0;
    llvm::SmallVector<size_t> chosen;
    UnitSet joined;
    // Compares groups with one of all their units.
    auto consider = [&](llvm::ArrayRef<size_t> together) {
      UnitSet all(units.size());
      double apart = 0;
      for (size_t group : together) {
        all |= groups[group];
        apart += times[group];
      }
      if (!units.isConnected(all) || units.getConvexHull(all) != all)
        return;
      all =
          units.withoutLooseViews(units.withViews(std::move(all)), unsupported);
      if (apart - getBound(all, units.getBoundary(all)) <= mostGain)
        return;
      if (double gain = apart - getDirectTime(all); gain > mostGain) {
        mostGain = gain;
        chosen.assign(together.begin(), together.end());
        joined = all;
      }
    };
    for (size_t i = 0; i < groups.size(); ++i) {
      llvm::SmallVector<size_t> withReaders{i};
      for (size_t j = 0; j < groups.size(); ++j) {
        if (isOver())
          return;
        if (j > i)
          consider({i, j});
        if (j != i && readsFrom(groups[j], groups[i]))
          withReaders.push_back(j);
      }
      // Products that are beside each other take what follows each of them at
      // once, or they are no longer alike.
      if (withReaders.size() > 2)
        consider(withReaders);
    }
    if (mostGain <= 0)
      return;
    llvm::sort(chosen);
    times[chosen.front()] = getDirectTime(joined);
    groups[chosen.front()] = std::move(joined);
    for (size_t group : llvm::reverse(llvm::drop_begin(chosen))) {
      times.erase(times.begin() + static_cast<ptrdiff_t>(group));
      groups.erase(groups.begin() + static_cast<ptrdiff_t>(group));
    }
  }
}
