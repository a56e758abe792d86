//===- ValueClasses.cpp - Equal values of several programs ----------------===//
//
// Numbers values by what computes them, and asks about those units of a program
// that nothing of the first program is like. What they are compared with are
// units of the first program that nothing of this one is like. Both are
// functions of values that the two have in common.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/KernelGraphs/ValueClasses.h"
#include "Mirage/MuGraph/CloneMuGraph.h"
#include "Mirage/MuGraph/Comparison.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <set>

using namespace mirage;
using namespace mirage::search;

/// Returns a node as a program that has an argument for each operand.
static MuGraph extractNode(const MuGraph &program, unsigned number) {
  MuGraph alone;
  llvm::SmallVector<MuValue> operands;
  for (MuValue operand : program.getNode(number).operands)
    operands.push_back(alone.addArgument(0, program.getShape(operand),
                                         program.getValue(operand).type));
  alone.setResults(0, cloneNode(alone, 0, program, number, operands));
  return alone;
}

/// Returns the words by which keys name a value: the place of an argument, or
/// the class and place of a node's result.
static std::array<uint64_t, 2> nameArgument(uint64_t place) {
  return {0, place};
}
static std::array<uint64_t, 2> nameResult(uint64_t number, uint64_t place) {
  return {1 + number, place};
}

ValueClasses::Key ValueClasses::getKey(const Program &program,
                                       const MuNode &node,
                                       const MuGraph &alone) const {
  const MuGraph &graph = program.units->getProgram();
  const auto &arguments = graph.getRegion().arguments;
  Key key = {structuralHash(alone)};
  for (MuValue operand : node.operands) {
    std::array<uint64_t, 2> name;
    if (auto constant = program.ofConstants.find(operand);
        constant != program.ofConstants.end()) {
      name = nameResult(constant->second, 0);
    } else if (auto unit = program.unitOf.find(operand);
               unit != program.unitOf.end()) {
      const auto &results = program.units->getNode(unit->second).results;
      name = nameResult(program.ofUnits[unit->second],
                        llvm::find(results, operand) - results.begin());
    } else {
      name = nameArgument(llvm::find(arguments, operand) - arguments.begin());
    }
    llvm::append_range(key, name);
  }
  return key;
}

std::optional<unsigned> ValueClasses::findEntry(const Key &key,
                                                const MuGraph &alone) const {
  auto known = entries.find(key);
  if (known != entries.end())
    for (const Entry &entry : known->second)
      if (areIdentical(entry.alone, alone))
        return entry.number;
  return std::nullopt;
}

/// Returns the class of a node whose operands have theirs: a new one if nothing
/// is like it.
unsigned ValueClasses::getClass(const Program &program, unsigned node) {
  const MuGraph &graph = program.units->getProgram();
  MuGraph alone = extractNode(graph, node);
  Key key = getKey(program, graph.getNode(node), alone);
  if (std::optional<unsigned> known = findEntry(key, alone))
    return *known;
  entries[key].push_back({std::move(alone), numClasses});
  return numClasses++;
}

/// What a unit computes of values of some classes, as a program.
class ValueClasses::Cone {
public:
  Cone(const Program &program, unsigned unit, const std::set<unsigned> &common)
      : program(program), unit(unit) {
    llvm::SmallVector<unsigned> open = {unit};
    inside.resize(program.units->size());
    inside.set(unit);
    while (!open.empty()) {
      unsigned next = open.pop_back_val();
      for (MuValue operand : program.units->getNode(next).operands) {
        auto from = program.unitOf.find(operand);
        if (from == program.unitOf.end()) {
          if (!program.ofConstants.count(operand))
            arguments.insert(operand);
        } else if (unsigned number = program.ofUnits[from->second];
                   common.count(number) &&
                   program.units->getNode(from->second).results.size() == 1) {
          classes.insert(number);
        } else if (!inside[from->second]) {
          inside.set(from->second);
          open.push_back(from->second);
        }
      }
    }
  }

  /// The classes that the cone begins at.
  const std::set<unsigned> &getClasses() const { return classes; }
  /// The arguments that it reads, by their places.
  std::set<size_t> getArguments() const {
    const auto &all = program.units->getProgram().getRegion().arguments;
    std::set<size_t> places;
    for (MuValue argument : arguments)
      places.insert(llvm::find(all, argument) - all.begin());
    return places;
  }

  /// The cone as a program of the arguments at these places, which it reads,
  /// then of the classes.
  MuGraph build(const std::set<size_t> &places) const {
    const MuGraph &graph = program.units->getProgram();
    MuGraph cone;
    std::map<MuValue, MuValue> values;
    auto addArgument = [&](MuValue value) {
      return cone.addArgument(0, graph.getShape(value),
                              graph.getValue(value).type);
    };
    for (auto [place, argument] : llvm::enumerate(graph.getRegion().arguments))
      if (places.count(place))
        values[argument] = addArgument(argument);
    for (unsigned number : classes) {
      std::optional<MuValue> argument;
      for (unsigned own = 0; own < program.units->size(); ++own) {
        if (inside[own] || program.ofUnits[own] != number)
          continue;
        MuValue value = program.units->getNode(own).results[0];
        if (!argument)
          argument = addArgument(value);
        values[value] = *argument;
      }
    }
    for (unsigned number : graph.getRegion().nodes) {
      const MuNode &node = graph.getNode(number);
      auto own = program.unitOf.find(node.results[0]);
      if (own != program.unitOf.end() && !inside[own->second])
        continue;
      llvm::SmallVector<MuValue> operands;
      for (MuValue operand : node.operands)
        operands.push_back(values.at(operand));
      for (auto [value, copy] : llvm::zip_equal(
               node.results, cloneNode(cone, 0, graph, number, operands)))
        values[value] = copy;
    }
    cone.setResults(0, values.at(program.units->getNode(unit).results[0]));
    return eraseDeadNodes(cone);
  }

private:
  const Program &program;
  unsigned unit;
  UnitSet inside;
  std::set<unsigned> classes;
  std::set<MuValue> arguments;
};

/// Compares a unit with one of the first program, between values that both have
/// on the way.
bool ValueClasses::compare(const Program &program, unsigned unit,
                           unsigned other, AreEqual areEqual) const {
  // The program may be the first one itself; its units before this one are the
  // only ones that have classes then.
  std::set<unsigned> own(program.ofUnits.begin(), program.ofUnits.end()),
      common;
  for (unsigned number : first->ofUnits)
    if (own.count(number))
      common.insert(number);
  while (true) {
    Cone left(*first, other, common), right(program, unit, common);
    if (left.getClasses() != right.getClasses()) {
      // If only one of the two is computed from a value, that value is no
      // border: both are compared with what computes it.
      std::erase_if(common, [&](unsigned number) {
        return left.getClasses().count(number) !=
               right.getClasses().count(number);
      });
      continue;
    }
    std::set<size_t> read = left.getArguments(), ofRight = right.getArguments();
    auto isConstant = [&](size_t place) {
      return place < constants.size() && constants[place];
    };
    std::vector<size_t> unlike;
    std::set_symmetric_difference(read.begin(), read.end(), ofRight.begin(),
                                  ofRight.end(), std::back_inserter(unlike));
    if (!llvm::all_of(unlike, isConstant))
      return false;
    read.insert(ofRight.begin(), ofRight.end());
    return areEqual(left.build(read), right.build(read));
  }
}

/// Returns the class of a unit of the first program that equals a unit. Those
/// are compared that nothing of this program is like.
std::optional<unsigned> ValueClasses::findEqual(const Program &program,
                                                unsigned unit,
                                                const UnitSet &open,
                                                AreEqual areEqual,
                                                unsigned &comparisons) const {
  const MuGraph &graph = program.units->getProgram(),
                &firstGraph = first->units->getProgram();
  const MuNode &node = program.units->getNode(unit);
  if (node.results.size() != 1)
    return std::nullopt;
  const MuGraph::Value &wanted = graph.getValue(node.results[0]);
  for (unsigned other : open.set_bits()) {
    const MuNode &candidate = first->units->getNode(other);
    if (candidate.results.size() != 1)
      continue;
    const MuGraph::Value &value = firstGraph.getValue(candidate.results[0]);
    if (value.type != wanted.type || value.shape != wanted.shape)
      continue;
    if (comparisons++ == kMostComparisons)
      return std::nullopt;
    if (compare(program, unit, other, areEqual))
      return first->ofUnits[other];
  }
  return std::nullopt;
}

/// Says that what computes values of one class computes those of another one.
void ValueClasses::unite(unsigned number, unsigned with) {
  for (auto &[key, list] : entries)
    for (Entry &entry : list)
      if (entry.number == number)
        entry.number = with;
}

ValueClasses::Added
ValueClasses::add(const ProgramUnits &units, AreEqual areEqual,
                  const std::map<unsigned, unsigned> &same) {
  Program program(units);
  UnitSet newUnits(units.size());
  const MuGraph &graph = units.getProgram();
  for (unsigned unit = 0; unit < units.size(); ++unit)
    for (MuValue result : units.getNode(unit).results)
      program.unitOf[result] = unit;
  for (unsigned number : graph.getRegion().nodes)
    if (MuValue result = graph.getNode(number).results[0];
        !program.unitOf.count(result))
      program.ofConstants[result] = getClass(program, number);
  unsigned known = numClasses;
  UnitSet open;
  if (first) {
    // What the programs are alike in without a comparison is compared with
    // nothing.
    Program alike = program;
    std::set<unsigned> found;
    unsigned fresh = ~0u;
    for (unsigned unit = 0; unit < units.size(); ++unit) {
      MuGraph alone = extractNode(graph, units.getNodes()[unit]);
      std::optional<unsigned> number =
          findEntry(getKey(alike, units.getNode(unit), alone), alone);
      alike.ofUnits.push_back(number.value_or(fresh--));
      if (number)
        found.insert(*number);
    }
    open.resize(first->units->size());
    for (unsigned unit = 0; unit < open.size(); ++unit)
      if (!found.count(first->ofUnits[unit]))
        open.set(unit);
  }
  unsigned comparisons = 0;
  for (unsigned unit = 0; unit < units.size(); ++unit) {
    unsigned number = getClass(program, units.getNodes()[unit]);
    if (number < known) {
      program.ofUnits.push_back(number);
      continue;
    }
    newUnits.set(unit);
    std::optional<unsigned> equal;
    if (auto other = same.find(unit); other != same.end())
      equal = program.ofUnits[other->second];
    else if (first && areEqual && comparisons <= kMostComparisons)
      equal = findEqual(program, unit, open, areEqual, comparisons);
    if (equal)
      unite(number, *equal);
    number = equal.value_or(number);
    program.ofUnits.push_back(number);
  }
  Added added = {program.ofUnits, std::move(newUnits)};
  if (!first)
    first = std::move(program);
  return added;
}
