//===- EquivalenceAnalysis.cpp - Do two functions compute the same --------===//
//
// Runs the stages, cheapest and strongest first, and puts answers together.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Equivalence/IR/EquivalenceAnalysis.h"
#include "Mirage/Analysis/Equivalence/Proof/Proof.h"
#include "Mirage/Analysis/Equivalence/RoundConstants.h"
#include "Mirage/MuGraph/IR/ImportMuGraph.h"
#include "Mirage/MuGraph/ShrinkPair.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mlir;
using namespace mirage;
using namespace mirage::equivalence;

StringRef equivalence::stringifyEquivalence(Equivalence equivalence) {
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

namespace {

/// Reads a function as a µGraph; errors become the answer's reason.
std::optional<ImportedGraph> import(func::FuncOp function,
                                    EquivalenceAnswer &answer) {
  Operation *culprit = nullptr;
  std::string message;
  // The error is at the operation, whose location alone a diagnostic keeps.
  ScopedDiagnosticHandler handler(
      function.getContext(), [&](Diagnostic &diagnostic) {
        if (message.empty()) {
          message = diagnostic.str();
          function->getParentOfType<ModuleOp>().walk([&](Operation *op) {
            if (!culprit && op->getLoc() == diagnostic.getLocation())
              culprit = op;
          });
        }
        return success();
      });
  FailureOr<ImportedGraph> graph = importMuGraph(function);
  if (succeeded(graph))
    return std::move(*graph);
  answer.reason = message;
  answer.operation = culprit ? culprit : function.getOperation();
  return std::nullopt;
}

std::string list(ArrayRef<std::string> names) {
  return llvm::join(names, ", ");
}

std::string countTests(unsigned tests) {
  return llvm::formatv("{0} test{1}", tests, tests == 1 ? "" : "s");
}

class Comparison {
public:
  Comparison(func::FuncOp lhs, func::FuncOp rhs,
             const EquivalenceOptions &options)
      : lhs(lhs), rhs(rhs), options(options) {}

  EquivalenceAnswer run() {
    if (lhs.getFunctionType() != rhs.getFunctionType() && !haveEqualShapes()) {
      answer.reason =
          llvm::formatv("the functions have different types, {0} "
                        "and {1}",
                        lhs.getFunctionType(), rhs.getFunctionType());
      answer.operation = rhs;
      return answer;
    }
    auto left = import(lhs, answer);
    if (!left)
      return answer;
    auto right = import(rhs, answer);
    if (!right)
      return answer;
    answer.hasResults = !left->graph.getRegion().results.empty();
    round(*left);
    round(*right);
    if (options.shrink)
      compareSmall(*left, *right);
    else
      compare(*left, *right);
    if (options.checkFloats && !options.shrink &&
        (answer.equivalence == Equivalence::Proved ||
         answer.equivalence == Equivalence::Equivalent))
      answer.floats =
          checkFloatingPoint(left->graph, right->graph, options.floats);
    return answer;
  }

private:
  /// Functions may differ in the element types of results: a candidate that is
  /// rounded elsewhere still computes the same.
  bool haveEqualShapes() {
    auto areEqual = [](TypeRange a, TypeRange b) {
      return a.size() == b.size() &&
             llvm::all_of(llvm::zip(a, b), [](auto pair) {
               auto x = dyn_cast<RankedTensorType>(std::get<0>(pair));
               auto y = dyn_cast<RankedTensorType>(std::get<1>(pair));
               return x && y && x.getShape() == y.getShape();
             });
    };
    return areEqual(lhs.getArgumentTypes(), rhs.getArgumentTypes()) &&
           areEqual(lhs.getResultTypes(), rhs.getResultTypes()) &&
           lhs.getArgumentTypes() == rhs.getArgumentTypes();
  }

  void round(ImportedGraph &program) {
    RoundedProgram rounded = roundConstants(program.graph);
    program.graph = std::move(rounded.graph);
    if (rounded.unknownCast && !unknownCast)
      unknownCast = program.operations[*rounded.unknownCast];
  }

  void compare(const ImportedGraph &left, const ImportedGraph &right) {
    if (options.prove)
      prove(left, right);
    if (options.test && answer.equivalence != Equivalence::Proved)
      test(left, right);
    else if (answer.equivalence != Equivalence::Proved)
      answer.reason = "there is no proof, and random tests were not asked for";
  }

  /// At small sizes, and at the functions' own where a difference may be one of
  /// sizes alone.
  void compareSmall(ImportedGraph &left, ImportedGraph &right) {
    ShrunkPair small = shrinkPair(left.graph, right.graph);
    bool mayDependOnSizes = small.mayDependOnSizes;
    answer.isAtSmallSizes = true;
    std::swap(left.graph, small.lhs);
    std::swap(right.graph, small.rhs);
    compare(left, right);
    if (answer.equivalence != Equivalence::Refuted || !mayDependOnSizes)
      return;
    std::swap(left.graph, small.lhs);
    std::swap(right.graph, small.rhs);
    answer = {};
    answer.isAtOwnSizes = true;
    if (options.prove)
      prove(left, right);
    if (answer.equivalence == Equivalence::Proved)
      return;
    double work = estimateWork(left.graph) + estimateWork(right.graph);
    if (work <= options.floats.work)
      return test(left, right);
    answer.isAtOwnSizes = false;
    answer.isAtSmallSizes = true;
    answer.reason = llvm::formatv(
        "the results differ at small sizes, which may be due to a size that "
        "was changed; a test at the functions' own sizes takes {0:e1} "
        "operations, more than option float-work",
        work);
    answer.operation = rhs;
  }

  void prove(const ImportedGraph &left, const ImportedGraph &right) {
    ProofResult proof = proveEquivalence(left.graph, right.graph);
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

  void test(const ImportedGraph &left, const ImportedGraph &right) {
    WorkerPool pool(options.threads);
    RandomTestOptions tests = options.tests;
    // At small sizes nothing is accepted for good.
    if (answer.isAtSmallSizes)
      tests.minTests = 1;
    answer.tests = runRandomTests(left.graph, right.graph, tests, pool);
    switch (answer.tests.kind) {
    case RandomTestResult::Kind::Undecided: {
      answer.reason = answer.tests.problem;
      const ImportedGraph &at = answer.tests.isInRhs ? right : left;
      if (answer.tests.location)
        answer.operation = at.operations[*answer.tests.location];
      return;
    }
    case RandomTestResult::Kind::Agree:
      if (answer.tests.getLog2Error() > -options.tests.errorBits) {
        answer.reason = llvm::formatv(
            "{0} found no difference, but {1} one with a probability of up to "
            "2^{2:f1}; 2^-{3:f1} was asked for",
            countTests(answer.tests.tests),
            answer.tests.tests == 1 ? "overlooks" : "overlook",
            std::min(0.0, answer.tests.getLog2Error()),
            options.tests.errorBits);
        return;
      }
      // At small sizes nothing is shown anyway.
      if (answer.tests.error.source == TestError::Source::AssumedIndependence &&
          !options.assumeIndependence && !answer.isAtSmallSizes) {
        answer.reason = llvm::formatv(
            "{0} found no difference, but that one is overlooked with a "
            "probability of at most 2^{1:f1} is known only if the arguments of "
            "exponentials vary independently of each other, which is not seen: "
            "{2}; option assume-independence takes it for granted",
            countTests(answer.tests.tests), answer.tests.getLog2Error(),
            answer.tests.error.whyDependent);
        answer.operation = rhs;
        return;
      }
      answer.equivalence = Equivalence::Equivalent;
      for (const MuGraph *graph : {&left.graph, &right.graph})
        for (std::string &name : getNamedConstants(*graph))
          if (!llvm::is_contained(answer.named, name))
            answer.named.push_back(std::move(name));
      return;
    case RandomTestResult::Kind::Differ:
      break;
    }
    if (unknownCast) {
      answer.reason = "the results differ, which may be due to how a cast "
                      "rounds what is made of constants";
      answer.operation = unknownCast;
      return;
    }
    if (areEqualIfRounded(left.graph, right.graph, tests, pool)) {
      answer.reason = "the results differ by an attribute that the type of its "
                      "operator does not hold; rounded to it they don't";
      answer.operation = rhs;
      return;
    }
    // Where all operations mean in the fields what they mean for reals, a
    // difference is a difference. Functions taken for unknown ones have
    // properties that the fields don't know: floats must show it, too.
    answer.floatDifference =
        findFloatDifference(left.graph, right.graph, options.floats);
    if (answer.tests.unknownFunctions.empty() || answer.floatDifference) {
      answer.equivalence = Equivalence::Refuted;
      return;
    }
    answer.reason = llvm::formatv(
        "the results differ by the laws that are known of {0}; floats show no "
        "difference",
        list(answer.tests.unknownFunctions));
    answer.operation = rhs;
  }

  /// Whether only one program writes an attribute with more digits than its
  /// operator computes with, of which the other has what is left.
  static bool areEqualIfRounded(const MuGraph &left, const MuGraph &right,
                                const RandomTestOptions &tests,
                                WorkerPool &pool) {
    std::optional<MuGraph> l = roundAttributes(left),
                           r = roundAttributes(right);
    return l.has_value() != r.has_value() &&
           runRandomTests(l ? *l : left, r ? *r : right, tests, pool).kind ==
               RandomTestResult::Kind::Agree;
  }

  func::FuncOp lhs, rhs;
  const EquivalenceOptions &options;
  EquivalenceAnswer answer;
  /// A cast of what is made of constants, to which number is not known.
  Operation *unknownCast = nullptr;
};

std::string printIndex(const Shape &index) {
  std::string text = "[";
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(index, os);
  return text + "]";
}

/// The kinds of inputs and results for which the candidate is worst, of those
/// for which the original has results. What is not finite is worse than any
/// number, and relative errors come before others.
void describeErrors(const FloatingPointReport &report, llvm::raw_ostream &os) {
  const FloatingPointErrors *worst = nullptr, *farthest = nullptr;
  bool hasMany = false;
  auto isWorse = [](double a, const FloatingPointErrors &x, double b,
                    const FloatingPointErrors *y) {
    if (!y || x.isZero == y->isZero || std::isinf(a) || std::isinf(b))
      return !y || a > b;
    return y->isZero;
  };
  for (const FloatingPointErrors &errors : report.errors) {
    hasMany |= errors.result > 0;
    if (isWorse(errors.rhs, errors, worst ? worst->rhs : 0, worst))
      worst = &errors;
    if (isWorse(errors.float64, errors, farthest ? farthest->float64 : 0,
                farthest))
      farthest = &errors;
  }
  if (!worst)
    return;
  auto where = [&](const FloatingPointErrors &errors) {
    std::string text = (errors.inputs + " inputs").str();
    if (errors.halved)
      text += llvm::formatv(" times 2^-{0}", errors.halved);
    if (hasMany)
      text += llvm::formatv(", result {0}", errors.result);
    if (errors.isZero)
      text += ", not relative";
    return text + (report.isShrunk ? ", fewer rows" : "");
  };
  os << llvm::formatv("; in floating point errors up to {0:e1}, of the "
                      "original {1:e1} ({2}); in float64 the two differ by up "
                      "to {3:e1} ({4})",
                      worst->rhs, worst->lhs, where(*worst), farthest->float64,
                      where(*farthest));
}

/// What errors were not looked for, and why.
void describeOmissions(const FloatingPointReport &report,
                       llvm::raw_ostream &os) {
  auto list = [&](ArrayRef<unsigned> results) {
    os << (results.size() == 1 ? "result " : "results ");
    llvm::interleaveComma(results, os);
  };
  for (const FloatingPointReport::LeftOut &left : report.leftOut)
    os << "; no element of result " << left.result
       << " is finite in the original on " << left.inputs << " inputs";
  if (!report.undefined.empty()) {
    os << "; left out are elements of ";
    list(report.undefined);
    os << " that are NaN in the original and numbers in the candidate";
  }
  if (!report.silent.empty()) {
    os << "; not accepted in floating point: floats say nothing of ";
    list(report.silent);
    os << ", not finite in the original on any inputs";
  }
  if (!report.undecided.empty() && report.isStable)
    os << "; not accepted in floating point: " << report.undecided;
}

} // namespace

std::string equivalence::describe(const EquivalenceAnswer &answer,
                                  StringRef lhs, StringRef rhs,
                                  const EquivalenceOptions &options) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "@" << rhs;
  switch (answer.equivalence) {
  case Equivalence::Proved:
    os << " computes what @" << lhs << " does: proved";
    break;
  case Equivalence::Equivalent:
    os << " computes what @" << lhs
       << llvm::formatv(" does: equivalent with error at most 2^{0:f1} "
                        "({1}, seed {2}",
                        answer.tests.getLog2Error(),
                        countTests(answer.tests.tests), options.tests.seed);
    if (answer.tests.error.source == TestError::Source::AssumedIndependence)
      os << ", exponentials assumed independent";
    if (!answer.tests.unknownFunctions.empty())
      os << ", whatever " << list(answer.tests.unknownFunctions)
         << (answer.tests.unknownFunctions.size() == 1 ? " is" : " are");
    os << ")";
    break;
  case Equivalence::Refuted: {
    const FieldDifference &difference = *answer.tests.difference;
    os << " does not compute what @" << lhs
       << llvm::formatv(" does: refuted, result {0} differs at {1}: {2}, where "
                        "@{3} has {4}, modulo {5} (seed {6}, test {7})",
                        difference.result, printIndex(difference.index),
                        difference.rhs, lhs, difference.lhs, difference.modulus,
                        options.tests.seed, difference.test);
    if (const auto &floats = answer.floatDifference)
      os << llvm::formatv(
          "; in float64, {0}on {1} inputs, result {2} at {3} is "
          "{4:e6}, where @{5} has {6:e6}",
          floats->isShrunk ? "at smaller sizes, " : "", floats->inputs,
          floats->result, printIndex(floats->index), floats->rhs, lhs,
          floats->lhs);
    break;
  }
  case Equivalence::Unknown:
    os << " may or may not compute what @" << lhs << " does: unknown, "
       << answer.reason;
    break;
  }
  if (!answer.named.empty())
    os << ", taking " << list(answer.named);
  if (!answer.hasResults && answer.equivalence == Equivalence::Proved)
    os << " (neither has a result)";
  if (options.shrink)
    os << (answer.isAtOwnSizes ? ", not at small sizes" : ", at small sizes");
  describeErrors(answer.floats, os);
  describeOmissions(answer.floats, os);
  if (!answer.floats.isStable)
    os << "; refused as numerically unstable: " << answer.floats.reason;
  return text;
}

const EquivalenceAnswer &
EquivalenceAnalysis::compare(func::FuncOp lhs, func::FuncOp rhs,
                             const EquivalenceOptions &options) {
  std::string key;
  llvm::raw_string_ostream os(key);
  auto add = [&](auto... parts) { ((os << parts << ' '), ...); };
  const RandomTestOptions &tests = options.tests;
  const FloatingPointOptions &floats = options.floats;
  add(lhs.getAsOpaquePointer(), rhs.getAsOpaquePointer(), tests.errorBits,
      tests.seed, tests.maxTests, floats.seed, floats.factor, floats.work,
      options.prove, options.test, options.checkFloats, options.shrink,
      options.assumeIndependence, floats.shortenSums, tests.minTests);
  auto [entry, isNew] = answers.try_emplace(key);
  if (isNew)
    entry->second = Comparison(lhs, rhs, options).run();
  return entry->second;
}
