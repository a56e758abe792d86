//===- CompareGraphs.cpp - Do two µGraphs compute the same ----------------===//
//
// Runs the stages, and puts answers together: a test at small sizes, which
// refutes what is wrong at any size in no time; the proof; tests at the
// programs' own sizes; both part by part, where neither knows the answer for
// the whole; floating point.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Equivalence/CompareGraphs.h"
#include "CompareInParts.h"
#include "Mirage/Analysis/Equivalence/Proof/Proof.h"
#include "Mirage/Analysis/Equivalence/RoundConstants.h"
#include "Mirage/MuGraph/Comparison.h"
#include "Mirage/MuGraph/ShrinkPair.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mirage;
using namespace mirage::equivalence;

llvm::StringRef equivalence::stringifyEquivalence(Equivalence equivalence) {
  switch (equivalence) {
  case Equivalence::Proved:
    return "proved";
  case Equivalence::Equivalent:
    return "equivalent";
  case Equivalence::Refuted:
    return "refuted";
  case Equivalence::Unknown:
    return "unknown";
  }
  llvm_unreachable("unknown answer");
}

/// Scalar operations of a pair that is tested at its own sizes at once: that
/// takes no longer than making it small.
static constexpr double kSmallWork = 1e6;
/// Scalar operations of a test that waits for proofs of parts. These may take
/// as long as ten such tests, but a proof says more.
static constexpr double kPartWork = 1e7;
/// Those of a test at small sizes that waits for a proof at the programs' own,
/// for which there must be so many for each element of these programs'
/// constants, too: a proof looks at each. Proofs about a mask of a million
/// elements take 0.03 seconds; a test of attention with it, which cannot be
/// made small, takes 11.
static constexpr double kProofWork = 1e7, kProofWorkOfConstant = 100;

/// Returns how many elements a program's constants have.
static size_t countConstants(const MuGraph &program) {
  size_t elements = 0;
  for (unsigned number = 0; number < program.getNumNodes(); ++number)
    if (const auto &values = program.getNode(number).attributes.values)
      elements += values->size();
  return elements;
}

static double getWork(const ShrunkPair &pair) {
  return estimateWork(pair.lhs) + estimateWork(pair.rhs);
}

static std::optional<ShrunkPair> shrinkForTest(const MuGraph &left,
                                               const MuGraph &right);

namespace {

class Comparison {
public:
  Comparison(const MuGraph &lhs, const MuGraph &rhs,
             const ComparisonPolicy &policy, const Execution &execution,
             FloatingPointChecker &floats)
      : lhs(round(lhs, false)), rhs(round(rhs, true)), policy(policy),
        execution(execution), floats(floats) {}

  ComparisonAnswer run() {
    answer.hasResults = !lhs.getRegion().results.empty();
    if (policy.shrink) {
      compareSmall();
      return std::move(answer);
    }
    std::optional<ShrunkPair> small;
    if (policy.test)
      small = shrinkForTest(lhs, rhs);
    bool isLong = small && policy.prove &&
                  getWork(*small) > std::max(kProofWork, getProofWork());
    if (small && !isLong && isRefuted(*small))
      return std::move(answer);
    if (policy.floatsFirst && policy.checkFloats && !checkFloats())
      return std::move(answer);
    if (!isLong || proveOrRefute(*small))
      compare(lhs, rhs);
    if (!policy.floatsFirst && policy.checkFloats && answer.isEqual())
      checkFloats();
    return std::move(answer);
  }

private:
  MuGraph round(const MuGraph &program, bool isInRhs) {
    RoundedProgram rounded = roundConstants(program);
    if (rounded.unknownCast && !unknownCast)
      unknownCast = Culprit{isInRhs, *rounded.unknownCast};
    return std::move(rounded.graph);
  }

  bool isRefuted(const ShrunkPair &small);
  bool proveOrRefute(const ShrunkPair &small);
  void compareSmall();
  void compare(const MuGraph &left, const MuGraph &right);
  void compareWhole(const MuGraph &left, const MuGraph &right);
  /// How parts are known to be equal: by which tests, what was taken for what,
  /// and the probability that some answer about parts is wrong.
  struct PartRecord {
    RandomTestResult tests;
    std::vector<std::string> named;
    double error = 0;
  };
  /// Says whether parts that have no proof are tested.
  enum class PartTests : bool { No, Yes };
  bool arePartsEqual(const MuGraph &left, const MuGraph &right, PartTests tests,
                     PartRecord &record) const;
  void compareParts(const MuGraph &left, const MuGraph &right, PartTests tests);
  bool mayCompareParts() const {
    // A test at small sizes accepts nothing for good.
    return policy.compareParts && !answer.isAtSmallSizes;
  }
  void prove(const MuGraph &left, const MuGraph &right);
  void test(const MuGraph &left, const MuGraph &right);
  bool differAtSmallSizes(const MuGraph &left, const MuGraph &right) const;
  void judgeAgreement(const MuGraph &left, const MuGraph &right);
  void judgeDifference(const MuGraph &left, const MuGraph &right);
  bool areEqualIfRounded(const MuGraph &left, const MuGraph &right) const;

  /// The options of tests. At small sizes nothing is accepted for good, so that
  /// one test is enough.
  RandomTestOptions getTestOptions() const {
    RandomTestOptions tests = policy.tests;
    if (answer.isAtSmallSizes)
      tests.minTests = 1;
    return tests;
  }

  /// Returns what proofs take for the programs' constants.
  double getProofWork() const {
    return kProofWorkOfConstant *
           static_cast<double>(countConstants(lhs) + countConstants(rhs));
  }

  /// Returns whether floats accept the candidate.
  bool checkFloats() {
    answer.floats = floats.check(lhs, rhs);
    if (const std::optional<Hazard> &hazard = answer.floats.hazard)
      answer.culprit = {true, hazard->location};
    return answer.floats.isAccepted();
  }

  void setUnknown(std::string reason, std::optional<Culprit> culprit) {
    answer.reason = std::move(reason);
    answer.culprit = culprit;
  }

  /// Returns whether the bound of the tests' error needs something that is not
  /// seen and must not be taken for granted.
  bool isIndependenceOpen(const RandomTestResult &tests) const {
    return tests.error.source == TestError::Source::AssumedIndependence &&
           !policy.assumeIndependence;
  }

  /// Adds names to others, each once.
  static void addNamed(llvm::ArrayRef<std::string> names,
                       std::vector<std::string> &to) {
    for (const std::string &name : names)
      if (!llvm::is_contained(to, name))
        to.push_back(name);
  }

  static std::string count(unsigned tests) {
    return llvm::formatv("{0} test{1}", tests, tests == 1 ? "" : "s");
  }
  static constexpr Culprit kCandidate = {true, std::nullopt};

  /// A cast of what is made of constants, to which number is not known. Set
  /// while the programs are rounded, so that it stands before them.
  std::optional<Culprit> unknownCast;
  const MuGraph lhs, rhs;
  const ComparisonPolicy &policy;
  const Execution &execution;
  FloatingPointChecker &floats;
  ComparisonAnswer answer;
  /// There is no proof at the programs' own sizes.
  bool isUnproved = false;
};

} // namespace

//===----------------------------------------------------------------------===//
// Small sizes
//===----------------------------------------------------------------------===//

/// Returns the programs at small sizes if one test there is worth its while.
/// A difference shows nothing where it may come from the sizes that were
/// changed; then all that is summed over keeps its size, and fewer rows,
/// columns and heads are tested.
static std::optional<ShrunkPair> shrinkForTest(const MuGraph &left,
                                               const MuGraph &right) {
  double own = estimateWork(left) + estimateWork(right);
  if (own <= kSmallWork)
    return std::nullopt;
  for (bool keepReductions : {false, true}) {
    ShrinkOptions options;
    options.keepReductions = keepReductions;
    ShrunkPair small = shrinkPair(left, right, options);
    if (!small.mayDependOnSizes && getWork(small) <= own / 2)
      return small;
  }
  return std::nullopt;
}

/// Most wrong candidates are wrong at any size, and one test at small sizes
/// shows it.
bool Comparison::isRefuted(const ShrunkPair &small) {
  ComparisonAnswer before = answer;
  answer.isAtSmallSizes = true;
  test(small.lhs, small.rhs);
  if (answer.equivalence == Equivalence::Refuted)
    return true;
  answer = std::move(before);
  return false;
}

/// Proves the programs equal before a long test at small sizes, which most
/// right candidates are spared then. Returns whether neither gives an answer.
bool Comparison::proveOrRefute(const ShrunkPair &small) {
  prove(lhs, rhs);
  isUnproved = answer.equivalence != Equivalence::Proved;
  return isUnproved && !isRefuted(small);
}

/// Compares at small sizes, and at the programs' own where a difference may be
/// one of sizes alone.
void Comparison::compareSmall() {
  ShrunkPair small = shrinkPair(lhs, rhs);
  answer.isAtSmallSizes = true;
  compare(small.lhs, small.rhs);
  if (answer.equivalence != Equivalence::Refuted || !small.mayDependOnSizes)
    return;
  answer = {};
  answer.hasResults = !lhs.getRegion().results.empty();
  answer.isAtOwnSizes = true;
  if (policy.prove)
    prove(lhs, rhs);
  if (answer.equivalence == Equivalence::Proved)
    return;
  double work = estimateWork(lhs) + estimateWork(rhs);
  if (work <= policy.floats.work)
    return test(lhs, rhs);
  answer.isAtOwnSizes = false;
  answer.isAtSmallSizes = true;
  setUnknown(
      llvm::formatv(
          "the results differ at small sizes, which may be due to a size that "
          "was changed; a test at the functions' own sizes takes {0:e1} "
          "operations, more than option float-work",
          work),
      kCandidate);
}

//===----------------------------------------------------------------------===//
// Proof and tests
//===----------------------------------------------------------------------===//

void Comparison::compare(const MuGraph &left, const MuGraph &right) {
  compareWhole(left, right);
  if (mayCompareParts() && answer.equivalence == Equivalence::Unknown)
    compareParts(left, right, PartTests::Yes);
}

void Comparison::compareWhole(const MuGraph &left, const MuGraph &right) {
  if (policy.prove && !isUnproved)
    prove(left, right);
  if (answer.equivalence == Equivalence::Proved)
    return;
  if (!policy.test) {
    answer.reason = "there is no proof, and random tests were not asked for";
    return;
  }
  double work = estimateWork(left) + estimateWork(right);
  if (policy.prove && mayCompareParts() && work > kPartWork) {
    compareParts(left, right, PartTests::No);
    if (answer.equivalence == Equivalence::Proved)
      return;
  }
  if (work > policy.testWork)
    return setUnknown(
        llvm::formatv("there is no proof, and a test takes {0:e1} operations, "
                      "more than the {1:e1} that it may take",
                      work, policy.testWork),
        std::nullopt);
  test(left, right);
}

void Comparison::prove(const MuGraph &left, const MuGraph &right) {
  ProofResult proof = proveEquivalence(left, right);
  if (proof.kind == ProofResult::Kind::Proved) {
    answer.equivalence = Equivalence::Proved;
    answer.named = std::move(proof.named);
    return;
  }
  answer.whyNotProved = proof.reason;
  for (auto [number, output] : llvm::enumerate(proof.outputs)) {
    if (output.kind == ProofResult::Kind::Proved)
      continue;
    answer.whyNotProved =
        llvm::formatv("result {0}: {1}", number, output.reason);
    return;
  }
}

void Comparison::test(const MuGraph &left, const MuGraph &right) {
  answer.tests = runRandomTests(left, right, getTestOptions(), execution);
  switch (answer.tests.kind) {
  case RandomTestResult::Kind::Undecided:
    answer.reason = answer.tests.problem;
    if (answer.tests.location)
      answer.culprit = {answer.tests.isInRhs, answer.tests.location};
    return;
  case RandomTestResult::Kind::Agree:
    return judgeAgreement(left, right);
  case RandomTestResult::Kind::Differ:
    return judgeDifference(left, right);
  }
}

/// Returns whether two parts are known to be equal, and notes how.
bool Comparison::arePartsEqual(const MuGraph &left, const MuGraph &right,
                               PartTests mayTest, PartRecord &record) const {
  if (areIsomorphic(left, right))
    return true;
  RandomTestOptions options = policy.tests;
  options.errorBits += std::log2(kMostPartComparisons);
  // What finds a difference might have overlooked one.
  double errorOfDifference = std::exp2(-options.errorBits);
  if (policy.test && differAtSmallSizes(left, right)) {
    record.error += errorOfDifference;
    return false;
  }
  if (policy.prove) {
    ProofResult proof = proveEquivalence(left, right);
    if (proof.kind == ProofResult::Kind::Proved) {
      addNamed(proof.named, record.named);
      return true;
    }
  }
  if (!policy.test || mayTest == PartTests::No ||
      estimateWork(left) + estimateWork(right) > policy.testWork)
    return false;
  RandomTestResult tests = runRandomTests(left, right, options, execution);
  if (tests.kind != RandomTestResult::Kind::Agree ||
      tests.getLog2Error() > -options.errorBits || isIndependenceOpen(tests)) {
    record.error += errorOfDifference;
    return false;
  }
  for (const MuGraph *part : {&left, &right})
    addNamed(getNamedConstants(*part), record.named);
  addNamed(tests.unknownFunctions, record.tests.unknownFunctions);
  record.tests.tests += tests.tests;
  record.error += std::exp2(tests.getLog2Error());
  if (tests.error.source == TestError::Source::AssumedIndependence)
    record.tests.error.source = tests.error.source;
  return true;
}

/// Compares the programs between common values, if that leads to an acceptance.
/// The programs alone decide which parts are compared as long as no test errs,
/// so that the probability of an error is at most the sum over all comparisons,
/// those that find a difference among them.
void Comparison::compareParts(const MuGraph &left, const MuGraph &right,
                              PartTests tests) {
  PartRecord record;
  std::optional<unsigned> common = compareInParts(
      left, right, [&](const MuGraph &leftPart, const MuGraph &rightPart) {
        return arePartsEqual(leftPart, rightPart, tests, record);
      });
  if (!common)
    return;
  answer.commonValues = *common;
  answer.reason.clear();
  answer.culprit.reset();
  answer.named = std::move(record.named);
  answer.tests = std::move(record.tests);
  if (!answer.tests.tests) {
    answer.equivalence = Equivalence::Proved;
    answer.whyNotProved.clear();
    return;
  }
  answer.equivalence = Equivalence::Equivalent;
  answer.tests.kind = RandomTestResult::Kind::Agree;
  answer.tests.error.log2 = std::log2(record.error) / answer.tests.tests;
}

/// Returns whether one test at small sizes tells two parts apart, by laws that
/// hold for reals.
bool Comparison::differAtSmallSizes(const MuGraph &left,
                                    const MuGraph &right) const {
  std::optional<ShrunkPair> small = shrinkForTest(left, right);
  RandomTestOptions options = policy.tests;
  options.minTests = 1;
  if (!small)
    return false;
  RandomTestResult tests =
      runRandomTests(small->lhs, small->rhs, options, execution);
  // Fields know few laws of some functions, such as maxima. Parts that contain
  // these may be equal, and have a proof, although a test tells them apart.
  return tests.kind == RandomTestResult::Kind::Differ &&
         tests.unknownFunctions.empty();
}

void Comparison::judgeAgreement(const MuGraph &left, const MuGraph &right) {
  const RandomTestResult &tests = answer.tests;
  if (tests.getLog2Error() > -policy.tests.errorBits)
    return setUnknown(
        llvm::formatv(
            "{0} found no difference, but {1} one with a probability of up to "
            "2^{2:f1}; 2^-{3:f1} was asked for",
            count(tests.tests), tests.tests == 1 ? "overlooks" : "overlook",
            std::min(0.0, tests.getLog2Error()), policy.tests.errorBits),
        std::nullopt);
  // At small sizes nothing is shown anyway.
  if (isIndependenceOpen(tests) && !answer.isAtSmallSizes)
    return setUnknown(
        llvm::formatv(
            "{0} found no difference, but that one is overlooked with a "
            "probability of at most 2^{1:f1} is known only if the arguments of "
            "exponentials vary independently of each other, which is not seen: "
            "{2}; option assume-independence takes it for granted",
            count(tests.tests), tests.getLog2Error(), tests.error.whyDependent),
        kCandidate);
  answer.equivalence = Equivalence::Equivalent;
  for (const MuGraph *graph : {&left, &right})
    addNamed(getNamedConstants(*graph), answer.named);
}

void Comparison::judgeDifference(const MuGraph &left, const MuGraph &right) {
  if (unknownCast)
    return setUnknown("the results differ, which may be due to how a cast "
                      "rounds what is made of constants",
                      unknownCast);
  if (areEqualIfRounded(left, right))
    return setUnknown("the results differ by an attribute that the type of its "
                      "operator does not hold; rounded to it they don't",
                      kCandidate);
  // Where all operations mean in the fields what they mean for reals, a
  // difference is a difference. Functions taken for unknown ones have
  // properties that the fields don't know: floats must show it, too.
  bool isRefuted = answer.tests.unknownFunctions.empty();
  if (policy.findExamples)
    answer.floatDifference = findFloatDifference(
        left, right, policy.floats, /*isExample=*/isRefuted, execution);
  if (answer.floatDifference && answer.isAtSmallSizes && !policy.shrink)
    answer.floatDifference->isShrunk = true;
  if (isRefuted || answer.floatDifference) {
    answer.equivalence = Equivalence::Refuted;
    return;
  }
  setUnknown(
      llvm::formatv("the results differ by the laws that are known of {0}{1}",
                    llvm::join(answer.tests.unknownFunctions, ", "),
                    policy.findExamples ? "; floats show no difference" : ""),
      kCandidate);
}

/// Returns whether only one program writes an attribute with more digits than
/// its operator computes with, of which the other has what is left.
bool Comparison::areEqualIfRounded(const MuGraph &left,
                                   const MuGraph &right) const {
  std::optional<MuGraph> l = roundAttributes(left), r = roundAttributes(right);
  return l.has_value() != r.has_value() &&
         runRandomTests(l ? *l : left, r ? *r : right, getTestOptions(),
                        execution)
                 .kind == RandomTestResult::Kind::Agree;
}

//===----------------------------------------------------------------------===//
// Interface
//===----------------------------------------------------------------------===//

ComparisonAnswer equivalence::compareGraphs(const MuGraph &lhs,
                                            const MuGraph &rhs,
                                            const ComparisonPolicy &policy,
                                            const Execution &execution) {
  FloatingPointChecker floats(policy.floats, execution, /*keepsRuns=*/false);
  return Comparison(lhs, rhs, policy, execution, floats).run();
}

GraphComparer::GraphComparer(const ComparisonPolicy &policy,
                             const Execution &execution)
    : policy(policy), execution(execution),
      floats(this->policy.floats, execution, /*keepsRuns=*/true) {}

ComparisonAnswer GraphComparer::compare(const MuGraph &lhs,
                                        const MuGraph &rhs) {
  return Comparison(lhs, rhs, policy, execution, floats).run();
}
