//===- ProgramPieces.cpp - Parts of a program as programs -----------------===//
//
// Grows convex sets unit by unit, copies them out of the program, and puts
// other graphs in their place.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/KernelGraphs/ProgramPieces.h"
#include "Mirage/MuGraph/CloneMuGraph.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace mirage;
using namespace mirage::search;
using llvm::ArrayRef;

static bool isConstantNode(const MuNode &node) {
  return node.kind == MuNode::Kind::Operator && node.op == OpKind::Constant;
}

ProgramUnits::ProgramUnits(const MuGraph &program)
    : program(program), views(findViews(program)) {
  isConstant.assign(program.getNumValues(), false);
  for (unsigned number : program.getRegion().nodes) {
    if (isConstantNode(program.getNode(number)))
      isConstant[program.getNode(number).results[0]] = true;
    else
      nodes.push_back(number);
  }
  unitOf.assign(program.getNumValues(), size());
  operands.assign(size(), UnitSet(size()));
  ancestors = neighbours = operands;
  numReaders.assign(program.getNumValues(), 0);
  std::vector<UnitSet> readers(program.getNumValues(), UnitSet(size()));
  for (unsigned unit = 0; unit < size(); ++unit) {
    for (MuValue operand : getNode(unit).operands) {
      if (isConstant[operand])
        continue;
      readers[operand].set(unit);
      ++numReaders[operand];
      if (unsigned from = unitOf[operand]; from < size()) {
        operands[unit].set(from);
        ancestors[unit].set(from);
        ancestors[unit] |= ancestors[from];
      }
    }
    for (MuValue result : getNode(unit).results)
      unitOf[result] = unit;
  }
  for (MuValue value = 0; value < program.getNumValues(); ++value) {
    UnitSet together = readers[value];
    if (unitOf[value] < size())
      together.set(unitOf[value]);
    for (unsigned unit : together.set_bits())
      neighbours[unit] |= together;
  }
  for (unsigned unit = 0; unit < size(); ++unit)
    neighbours[unit].reset(unit);
  // A view is read by what stands behind it.
  leadsToResult = UnitSet(size());
  for (unsigned unit = size(); unit-- > 0;)
    if (isView(unit) && isReadByViewsOfResults(unit))
      leadsToResult.set(unit);
}

/// Returns whether only views that lead to results read a unit.
bool ProgramUnits::isReadByViewsOfResults(unsigned unit) const {
  for (unsigned reader = unit + 1; reader < size(); ++reader)
    if (operands[reader][unit] && !leadsToResult[reader])
      return false;
  return true;
}

UnitSet ProgramUnits::getResults() const {
  UnitSet units(size());
  for (MuValue result : program.getRegion().results)
    if (unitOf[result] < size())
      units.set(unitOf[result]);
  return units;
}

UnitSet ProgramUnits::getInputs(const UnitSet &units) const {
  UnitSet inputs(size());
  for (unsigned unit : units.set_bits())
    inputs |= operands[unit];
  inputs.reset(units);
  return inputs;
}

UnitSet ProgramUnits::getBoundary(const UnitSet &units) const {
  UnitSet boundary = getResults();
  for (unsigned unit = 0; unit < size(); ++unit)
    if (!units[unit])
      boundary |= operands[unit];
  boundary &= units;
  return boundary;
}

UnitSet ProgramUnits::getConvexHull(const UnitSet &units) const {
  UnitSet before(size());
  for (unsigned unit : units.set_bits())
    before |= ancestors[unit];
  // The hull has what is before one of them and after another.
  UnitSet hull = units;
  for (unsigned unit : before.set_bits())
    if (ancestors[unit].anyCommon(units))
      hull.set(unit);
  return hull;
}

bool ProgramUnits::isConnected(const UnitSet &units) const {
  if (units.none())
    return false;
  UnitSet reached(size());
  llvm::SmallVector<unsigned> pending = {
      static_cast<unsigned>(units.find_first())};
  reached.set(pending.front());
  while (!pending.empty()) {
    UnitSet next = neighbours[pending.pop_back_val()];
    next &= units;
    next.reset(reached);
    for (unsigned unit : next.set_bits())
      pending.push_back(unit);
    reached |= next;
  }
  return reached == units;
}

std::vector<unsigned> ProgramUnits::getDepthFirstOrder() const {
  std::vector<unsigned> order;
  UnitSet done(size());
  /// Units whose operands are being added, and the next operand of each.
  llvm::SmallVector<std::pair<unsigned, unsigned>> path;
  // Units that nothing reads are visited in the program's order.
  UnitSet read(size());
  for (const UnitSet &operandsOfOne : operands)
    read |= operandsOfOne;
  for (unsigned last = 0; last < size(); ++last) {
    if (read[last])
      continue;
    path.push_back({last, 0});
    while (!path.empty()) {
      auto &[unit, next] = path.back();
      if (next == getNode(unit).operands.size()) {
        if (!done[unit])
          order.push_back(unit);
        done.set(unit);
        path.pop_back();
        continue;
      }
      MuValue operand = getNode(unit).operands[next++];
      if (unsigned from = unitOf[operand]; from < size() && !done[from])
        path.push_back({from, 0});
    }
  }
  return order;
}

std::vector<unsigned> ProgramUnits::getOrder(ArrayRef<UnitSet> sets) const {
  std::vector<const UnitSet *> setOf(size(), nullptr);
  for (const UnitSet &set : sets)
    for (unsigned unit : set.set_bits())
      setOf[unit] = &set;
  std::vector<unsigned> order;
  UnitSet done(size());
  // Adds the first unit that is not there and can run, with its set or alone.
  auto addFirst = [&](bool withSets) {
    for (unsigned unit = 0; unit < size(); ++unit) {
      if (done[unit])
        continue;
      UnitSet together(size());
      together.set(unit);
      if (withSets && setOf[unit]) {
        together = *setOf[unit];
        together.reset(done);
      }
      if (!canRun(together, done))
        continue;
      llvm::append_range(order, together.set_bits());
      done |= together;
      return true;
    }
    return false;
  };
  while (order.size() < size())
    if (!addFirst(/*withSets=*/true))
      addFirst(/*withSets=*/false);
  return order;
}

unsigned ProgramUnits::countWork(const UnitSet &units) const {
  unsigned count = 0;
  for (unsigned unit : units.set_bits())
    count += !isView(unit);
  return count;
}

UnitSet ProgramUnits::withViews(UnitSet units) const {
  for (unsigned unit = size(); unit-- > 0;)
    if (units[unit])
      for (unsigned from : operands[unit].set_bits())
        if (isView(from))
          units.set(from);
  // Views that only lead to results belong to what computes them, if nothing
  // else reads that.
  for (unsigned unit = 0; unit < size(); ++unit)
    if (leadsToResult[unit] && operands[unit].anyCommon(units) &&
        numReaders[getNode(unit).operands[0]] == 1)
      units.set(unit);
  return units;
}

UnitSet ProgramUnits::withoutLooseViews(UnitSet units,
                                        const UnitSet &excluded) const {
  // What reads a view comes behind it, and may be a view that is loose itself.
  for (unsigned unit = size(); unit-- > 0;) {
    if (!units[unit] || !isView(unit) || leadsToResult[unit])
      continue;
    bool isKept = false;
    for (unsigned reader = unit + 1; reader < size() && !isKept; ++reader)
      isKept = operands[reader][unit] && (units[reader] || excluded[reader]);
    if (!isKept)
      units.reset(unit);
  }
  return units;
}

std::vector<UnitSet> ProgramUnits::enumeratePieces(const UnitSet &excluded,
                                                   const Limits &limits,
                                                   LeftOut *leftOut) const {
  llvm::SetVector<UnitSet, std::vector<UnitSet>> pieces;
  auto add = [&](UnitSet hull) {
    if (!hull.anyCommon(excluded) && countWork(hull) <= limits.units)
      pieces.insert(std::move(hull));
  };
  // There are few sets of neighbours in an order.
  auto addRuns = [&](ArrayRef<unsigned> order) {
    for (size_t first = 0; first < order.size(); ++first) {
      UnitSet run(size());
      for (unsigned unit : order.drop_front(first)) {
        run.set(unit);
        if (excluded[unit] || countWork(run) > limits.units)
          break;
        if (isConnected(run))
          add(withViews(run));
      }
    }
  };
  addRuns(getOrder({}));
  addRuns(getDepthFirstOrder());
  // Sets grow by one unit and what lies between, which leads to every convex
  // set that hangs together. They grow until there are as many as the limit
  // allows.
  llvm::SetVector<UnitSet, std::vector<UnitSet>> grown;
  for (unsigned unit = 0; unit < size(); ++unit)
    if (!excluded[unit]) {
      UnitSet single(size());
      single.set(unit);
      grown.insert(withViews(std::move(single)));
    }
  llvm::DenseSet<UnitSet> tooLarge;
  size_t i = 0;
  for (; i < grown.size() && grown.size() < limits.pieces; ++i) {
    UnitSet piece = grown[i], around(size());
    for (unsigned unit : piece.set_bits())
      around |= neighbours[unit];
    around.reset(piece);
    for (unsigned unit : around.set_bits()) {
      UnitSet larger = piece;
      larger.set(unit);
      larger = withViews(getConvexHull(larger));
      if (larger.anyCommon(excluded))
        continue;
      if (countWork(larger) <= limits.units)
        grown.insert(std::move(larger));
      else if (leftOut && !larger.all())
        tooLarge.insert(std::move(larger));
    }
  }
  if (leftOut)
    *leftOut = {tooLarge.size(), grown.size() - i};
  for (const UnitSet &piece : grown)
    add(piece);
  // Pieces of views alone do no work.
  std::vector<UnitSet> result = pieces.takeVector();
  llvm::erase_if(result,
                 [&](const UnitSet &piece) { return countWork(piece) == 0; });
  return result;
}

void ProgramUnits::findBoundary(const UnitSet &units, const UnitSet &outputs,
                                llvm::SmallVectorImpl<MuValue> &inputs,
                                llvm::SmallVectorImpl<MuValue> &results) const {
  llvm::SmallSetVector<MuValue, 8> read;
  llvm::DenseSet<MuValue> needed(program.getRegion().results.begin(),
                                 program.getRegion().results.end());
  for (unsigned unit = 0; unit < size(); ++unit)
    for (MuValue operand : getNode(unit).operands) {
      bool isComputed = unitOf[operand] < size() && units[unitOf[operand]];
      if (!units[unit])
        needed.insert(operand);
      else if (!isComputed && !isConstant[operand])
        read.insert(operand);
    }
  inputs.assign(read.begin(), read.end());
  for (unsigned unit : outputs.set_bits()) {
    bool isNeeded = llvm::any_of(getNode(unit).results, [&](MuValue result) {
      return needed.contains(result);
    });
    for (MuValue result : getNode(unit).results)
      if (!isNeeded || needed.contains(result))
        results.push_back(result);
  }
}

ProgramUnits::Piece ProgramUnits::extract(const UnitSet &units,
                                          const UnitSet &outputs) const {
  Piece piece;
  findBoundary(units, outputs, piece.inputs, piece.results);
  llvm::DenseMap<MuValue, MuValue> values;
  for (MuValue input : piece.inputs)
    values[input] = piece.program.addArgument(0, program.getShape(input),
                                              program.getValue(input).type);
  llvm::DenseMap<MuValue, unsigned> constants;
  for (unsigned number : program.getRegion().nodes)
    if (isConstantNode(program.getNode(number)))
      constants[program.getNode(number).results[0]] = number;
  for (unsigned unit : units.set_bits()) {
    llvm::SmallVector<MuValue> mapped;
    for (MuValue operand : getNode(unit).operands) {
      if (isConstant[operand] && !values.count(operand))
        values[operand] =
            cloneNode(piece.program, 0, program, constants[operand], {})[0];
      mapped.push_back(values.lookup(operand));
    }
    for (auto [result, copy] :
         llvm::zip(getNode(unit).results,
                   cloneNode(piece.program, 0, program, nodes[unit], mapped)))
      values[result] = copy;
  }
  piece.program.setResults(
      0, llvm::map_to_vector(piece.results, [&](MuValue result) {
        return values.lookup(result);
      }));
  return piece;
}

namespace {

/// Puts a program together again with graphs in place of pieces.
class Assembly {
public:
  explicit Assembly(const MuGraph &program) : program(program) {
    for (MuValue argument : program.getRegion().arguments)
      values[argument] = whole.addArgument(0, program.getShape(argument),
                                           program.getValue(argument).type);
    for (unsigned number : program.getRegion().nodes)
      if (const MuNode &node = program.getNode(number); isConstantNode(node))
        addNode(number);
  }

  void addNode(unsigned number) {
    const MuNode &node = program.getNode(number);
    define(node.results,
           cloneNode(whole, 0, program, number, map(node.operands)));
  }
  /// Adds a graph that computes `results` of `inputs`.
  void addGraph(const MuGraph &graph, ArrayRef<MuValue> inputs,
                ArrayRef<MuValue> results) {
    define(results, cloneInto(whole, 0, graph, map(inputs)));
  }
  MuGraph finish() {
    whole.setResults(0, map(program.getRegion().results));
    return eraseDeadNodes(whole);
  }

private:
  llvm::SmallVector<MuValue> map(ArrayRef<MuValue> list) const {
    return llvm::map_to_vector(
        list, [&](MuValue value) { return values.lookup(value); });
  }
  void define(ArrayRef<MuValue> results, ArrayRef<MuValue> copies) {
    for (auto [result, copy] : llvm::zip_equal(results, copies))
      values[result] = copy;
  }

  const MuGraph &program;
  MuGraph whole;
  /// The values of the new program, by those of the old one.
  llvm::DenseMap<MuValue, MuValue> values;
};

} // namespace

UnitSet ProgramUnits::getRemaining(ArrayRef<Replacement> replacements) const {
  UnitSet needed = getResults(), written(size());
  for (const Replacement &replacement : replacements) {
    needed |= getInputs(replacement.units);
    written |= replacement.outputs;
  }
  needed.reset(written);
  for (unsigned unit = size(); unit-- > 0;)
    if (needed[unit]) {
      needed |= operands[unit];
      needed.reset(written);
    }
  return needed;
}

MuGraph ProgramUnits::replace(ArrayRef<Replacement> replacements) const {
  Assembly assembly(program);
  UnitSet remaining = getRemaining(replacements), done(size());
  std::vector<bool> isPlaced(replacements.size());
  // A piece runs at once, and so does any other unit, as soon as all that it
  // reads is there.
  auto addPieces = [&](unsigned unit) {
    bool advances = false;
    for (auto [number, replacement] : llvm::enumerate(replacements)) {
      if (isPlaced[number] || !replacement.units[unit] ||
          !canRun(replacement.units, done))
        continue;
      llvm::SmallVector<MuValue> inputs, results;
      findBoundary(replacement.units, replacement.outputs, inputs, results);
      assembly.addGraph(*replacement.graph, inputs, results);
      isPlaced[number] = true;
      done |= replacement.outputs;
      advances = true;
    }
    return advances;
  };
  auto addUnit = [&](unsigned unit) {
    if (done[unit] || !operands[unit].subsetOf(done))
      return false;
    assembly.addNode(nodes[unit]);
    done.set(unit);
    return true;
  };
  UnitSet results = getResults();
  while (!results.subsetOf(done) || llvm::is_contained(isPlaced, false)) {
    bool advances = false;
    for (unsigned unit = 0; unit < size(); ++unit) {
      advances |= addPieces(unit);
      advances |= remaining[unit] && addUnit(unit);
    }
    // What a cycle needs is computed without it: the first unit that is not
    // there depends on what is there alone.
    for (unsigned unit = 0; unit < size() && !advances; ++unit)
      advances = addUnit(unit);
  }
  return assembly.finish();
}
