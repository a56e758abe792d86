//===- DescribeAnswer.cpp - What became of a comparison, in words ---------===//
//
// Writes the line that mirage-verify-equivalence prints for a pair.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Equivalence/CompareGraphs.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mirage;
using namespace mirage::equivalence;
using llvm::ArrayRef;

static std::string printIndex(const Shape &index) {
  std::string text = "[";
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(index, os);
  return text + "]";
}

/// The kinds of inputs and results for which the candidate is worst, of those
/// for which the original has results. What is not finite is worse than any
/// number, and relative errors come before others.
static void describeErrors(const FloatingPointReport &report,
                           llvm::raw_ostream &os) {
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
    if (errors.power)
      text += llvm::formatv(" times 2^{0}", errors.power);
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
static void describeOmissions(const FloatingPointReport &report,
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

std::string equivalence::describe(const ComparisonAnswer &answer,
                                  llvm::StringRef lhs, llvm::StringRef rhs,
                                  const ComparisonPolicy &policy) {
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
                        llvm::formatv("{0} test{1}", answer.tests.tests,
                                      answer.tests.tests == 1 ? "" : "s"),
                        policy.tests.seed);
    if (answer.tests.error.source == TestError::Source::AssumedIndependence)
      os << ", exponentials assumed independent";
    if (!answer.tests.unknownFunctions.empty())
      os << ", whatever " << llvm::join(answer.tests.unknownFunctions, ", ")
         << (answer.tests.unknownFunctions.size() == 1 ? " is" : " are");
    os << ")";
    break;
  case Equivalence::Refuted: {
    const FieldDifference &difference = *answer.tests.difference;
    os << " does not compute what @" << lhs
       << llvm::formatv(" does: refuted, result {0} differs at {1}: {2}, where "
                        "@{3} has {4}, modulo {5} (seed {6}, test {7}{8})",
                        difference.result, printIndex(difference.index),
                        difference.rhs, lhs, difference.lhs, difference.modulus,
                        policy.tests.seed, difference.test,
                        answer.isAtSmallSizes && !policy.shrink
                            ? ", at smaller sizes"
                            : "");
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
  if (answer.commonValues)
    os << llvm::formatv(", in parts between {0} common value{1}",
                        answer.commonValues,
                        answer.commonValues == 1 ? "" : "s");
  if (!answer.named.empty())
    os << ", taking " << llvm::join(answer.named, ", ");
  if (!answer.hasResults && answer.equivalence == Equivalence::Proved)
    os << " (neither has a result)";
  if (policy.shrink)
    os << (answer.isAtOwnSizes ? ", not at small sizes" : ", at small sizes");
  describeErrors(answer.floats, os);
  describeOmissions(answer.floats, os);
  if (!answer.floats.isStable)
    os << "; refused as numerically unstable: " << answer.floats.reason;
  return text;
}
