//===- CompareInParts.cpp - Comparison between common values --------------===//
//
// Goes through the values between the kernels of one program, and looks for
// each of them for an equal one of the other. Where there is one, both become
// one further argument of what is compared after it.
//
// Why this is right: where l(x) = r(x) for all inputs x, and L(x, c) = R(x, c)
// for all x and all numbers c, L(x, l(x)) = R(x, r(x)) follows. Numbers are
// finite, so that no value is cut that may be an infinity. Of what has no value
// only comparisons can tell, so that there none is cut that may have none.
//
//===----------------------------------------------------------------------===//

#include "CompareInParts.h"
#include "Mirage/Analysis/Equivalence/ValueFacts.h"
#include "Mirage/MuGraph/CloneMuGraph.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mirage;
using namespace mirage::equivalence;

namespace {

/// One of the two programs, with its values between kernels.
class CutProgram {
public:
  explicit CutProgram(const MuGraph &program);

  const MuGraph &getProgram() const { return program; }
  /// The values between kernels at which the program may be cut, in order.
  llvm::ArrayRef<MuValue> getValues() const { return candidates; }

  /// Makes the value the common value of this number, of which a program may
  /// have several copies.
  void cut(MuValue value, unsigned number) { cuts[value] = number; }
  std::optional<unsigned> getCut(MuValue value) const {
    auto found = cuts.find(value);
    return found == cuts.end() ? std::nullopt : std::optional(found->second);
  }

  /// What leads to some values, and from what: the arguments of `graph` are the
  /// program's, then common values.
  struct Part {
    MuGraph graph;
    /// Those that the values depend on: the program's arguments by position,
    /// and common values by number.
    llvm::SmallBitVector arguments, common;
  };
  /// Returns what leads to the results, if the program is cut at the common
  /// values `allowed`.
  Part extract(llvm::ArrayRef<MuValue> results,
               const llvm::SmallBitVector &allowed) const;

private:
  std::vector<bool> findConstants() const;
  void findCandidates();
  const MuGraph &program;
  llvm::SmallVector<MuValue> candidates;
  llvm::DenseMap<MuValue, unsigned> cuts;
};

class PartsComparison {
public:
  PartsComparison(const MuGraph &lhs, const MuGraph &rhs,
                  ArePartsEqual arePartsEqual)
      : lhs(lhs), rhs(rhs), arePartsEqual(arePartsEqual) {}

  std::optional<unsigned> run();

private:
  bool areEqual(llvm::ArrayRef<MuValue> left, llvm::ArrayRef<MuValue> right);
  void findEqual(MuValue right);

  CutProgram lhs, rhs;
  ArePartsEqual arePartsEqual;
  /// The number of common values.
  unsigned common = 0;
  unsigned comparisons = 0;
};

} // namespace

//===----------------------------------------------------------------------===//
// One program
//===----------------------------------------------------------------------===//

CutProgram::CutProgram(const MuGraph &program) : program(program) {
  findCandidates();
}

/// Returns which values between kernels no argument leads to.
std::vector<bool> CutProgram::findConstants() const {
  std::vector<bool> isConstant(program.getNumValues(), true);
  for (MuValue argument : program.getRegion().arguments)
    isConstant[argument] = false;
  for (unsigned number : program.getRegion().nodes) {
    const MuNode &node = program.getNode(number);
    bool areConstant = llvm::all_of(
        node.operands, [&](MuValue operand) { return isConstant[operand]; });
    for (MuValue value : node.results)
      isConstant[value] = areConstant;
  }
  return isConstant;
}

/// Finds the values that are finite whatever the inputs are, and in programs
/// that compare, have a value. What is made of constants is known better than
/// an argument, and is not cut.
void CutProgram::findCandidates() {
  llvm::SmallVector<MuValue> values;
  std::vector<bool> isConstant = findConstants();
  for (unsigned number : program.getRegion().nodes)
    for (MuValue value : program.getNode(number).results)
      if (!isConstant[value])
        values.push_back(value);
  MuGraph exposed = program;
  exposed.setResults(0, values);
  MuGraph primitives = expandToPrimitives(exposed);
  std::vector<ValueFacts> facts = findFacts(primitives);
  bool compares = false;
  for (unsigned number = 0; number < primitives.getNumNodes(); ++number) {
    const MuNode &node = primitives.getNode(number);
    compares |=
        node.kind == MuNode::Kind::Operator && node.op == OpKind::Compare;
  }
  for (auto [value, result] :
       llvm::zip_equal(values, primitives.getRegion().results))
    if (const ValueFacts &known = facts[result];
        !known.mayBeInfinite && !(compares && known.mayBeUndefined))
      candidates.push_back(value);
}

CutProgram::Part
CutProgram::extract(llvm::ArrayRef<MuValue> results,
                    const llvm::SmallBitVector &allowed) const {
  MuGraph whole;
  llvm::DenseMap<MuValue, MuValue> copies;
  auto addArgument = [&](MuValue value) {
    return whole.addArgument(0, program.getShape(value),
                             program.getValue(value).type);
  };
  const MuRegion &body = program.getRegion();
  for (MuValue argument : body.arguments)
    copies[argument] = addArgument(argument);
  // Common values are numbered alike in both programs, which may have several
  // copies of one.
  std::vector<std::optional<MuValue>> common(allowed.size());
  for (unsigned number : allowed.set_bits())
    for (auto [value, other] : cuts)
      if (other == number) {
        if (!common[number])
          common[number] = addArgument(value);
        copies[value] = *common[number];
      }
  for (unsigned number : body.nodes) {
    const MuNode &node = program.getNode(number);
    llvm::SmallVector<MuValue> operands;
    for (MuValue operand : node.operands)
      operands.push_back(copies.lookup(operand));
    for (auto [value, copy] : llvm::zip_equal(
             node.results, cloneNode(whole, 0, program, number, operands)))
      copies.try_emplace(value, copy);
  }
  llvm::SmallVector<MuValue> copied;
  for (MuValue value : results)
    copied.push_back(copies.lookup(value));
  whole.setResults(0, copied);
  // Launches lose the operands that no result depends on.
  Part part = {eraseDeadNodes(whole),
               llvm::SmallBitVector(body.arguments.size()),
               llvm::SmallBitVector(allowed.size())};
  const MuRegion &live = part.graph.getRegion();
  std::vector<bool> isUsed(part.graph.getNumValues());
  for (MuValue result : live.results)
    isUsed[result] = true;
  for (unsigned number : live.nodes)
    for (MuValue operand : part.graph.getNode(number).operands)
      isUsed[operand] = true;
  const auto *argument = live.arguments.begin();
  for (unsigned position = 0; position < body.arguments.size(); ++position)
    if (isUsed[*argument++])
      part.arguments.set(position);
  for (unsigned number : allowed.set_bits())
    if (isUsed[*argument++])
      part.common.set(number);
  return part;
}

/// Returns the part without arguments that it does not depend on.
static MuGraph dropUnused(const CutProgram::Part &part,
                          const llvm::SmallBitVector &allowed) {
  MuGraph graph = part.graph;
  llvm::SmallVector<MuValue> used;
  const auto *argument = graph.getRegion().arguments.begin();
  for (unsigned position = 0; position < part.arguments.size();
       ++position, ++argument)
    if (part.arguments[position])
      used.push_back(*argument);
  for (unsigned number : allowed.set_bits()) {
    if (part.common[number])
      used.push_back(*argument);
    ++argument;
  }
  graph.setArguments(0, used);
  return eraseDeadNodes(graph);
}

//===----------------------------------------------------------------------===//
// Both programs
//===----------------------------------------------------------------------===//

/// Compares what leads to these values. Parts begin at common values that lead
/// to them in both programs: where one program alone goes by a common value,
/// what leads to it belongs to the part.
bool PartsComparison::areEqual(llvm::ArrayRef<MuValue> left,
                               llvm::ArrayRef<MuValue> right) {
  llvm::SmallBitVector allowed(common, true);
  CutProgram::Part ofLeft, ofRight;
  while (true) {
    ofLeft = lhs.extract(left, allowed);
    ofRight = rhs.extract(right, allowed);
    if (ofLeft.common == ofRight.common)
      break;
    llvm::SmallBitVector onOneSide = ofLeft.common;
    onOneSide ^= ofRight.common;
    allowed.reset(onOneSide);
  }
  // Values that depend on different inputs are taken for different ones.
  if (ofLeft.arguments != ofRight.arguments ||
      comparisons == kMostPartComparisons)
    return false;
  ++comparisons;
  return arePartsEqual(dropUnused(ofLeft, allowed),
                       dropUnused(ofRight, allowed));
}

/// Looks for a value of `lhs` that equals one of `rhs`, and makes both a common
/// one.
void PartsComparison::findEqual(MuValue right) {
  const MuGraph::Value &wanted = rhs.getProgram().getValue(right);
  for (MuValue left : lhs.getValues()) {
    const MuGraph::Value &value = lhs.getProgram().getValue(left);
    if (value.type != wanted.type || value.shape != wanted.shape)
      continue;
    if (!areEqual(left, right))
      continue;
    std::optional<unsigned> number = lhs.getCut(left);
    if (!number)
      number = common++;
    lhs.cut(left, *number);
    rhs.cut(right, *number);
    return;
  }
}

std::optional<unsigned> PartsComparison::run() {
  for (MuValue right : rhs.getValues())
    findEqual(right);
  if (!common || !areEqual(lhs.getProgram().getRegion().results,
                           rhs.getProgram().getRegion().results))
    return std::nullopt;
  return common;
}

//===----------------------------------------------------------------------===//
// Interface
//===----------------------------------------------------------------------===//

std::optional<unsigned> equivalence::compareInParts(const MuGraph &lhs,
                                                    const MuGraph &rhs,
                                                    ArePartsEqual areEqual) {
  return PartsComparison(lhs, rhs, areEqual).run();
}
