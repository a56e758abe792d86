//===- RandomTests.cpp - Equivalence by random tests ----------------------===//
//
// Draws models and compares results in them.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Equivalence/Fields/RandomTests.h"
#include "Mirage/Analysis/Equivalence/Fields/FieldEvaluation.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mirage;
using namespace mirage::equivalence;

/// The first element in which two tensors differ.
static std::optional<int64_t> findDifference(const FieldTensor &a,
                                             const FieldTensor &b) {
  int64_t count = a.size();
  auto [x, y] = std::mismatch(a.data.get(), a.data.get() + count, b.data.get());
  if (x == a.data.get() + count)
    return std::nullopt;
  return x - a.data.get();
}

static Shape delinearize(ShapeRef shape, int64_t linear) {
  Shape index(shape.size());
  for (size_t dim = shape.size(); dim-- > 0; linear /= shape[dim])
    index[dim] = linear % shape[dim];
  return index;
}

namespace {
class Tester {
public:
  Tester(const FieldPlan &lhs, const FieldPlan &rhs,
         const RandomTestOptions &options, const Execution &execution)
      : lhs(lhs), rhs(rhs), options(options), execution(execution) {}

  RandomTestResult run() {
    for (const FieldPlan *plan : {&lhs, &rhs})
      if (const auto &problem = plan->getProblem()) {
        result.problem = problem->message;
        result.location = problem->location;
        result.isInRhs = plan == &rhs;
        return result;
      }
    unsigned least = options.minTests, most = options.maxTests;
    result.error = getTestError(lhs, rhs, options.errorBits / most);
    unsigned tests = least;
    if (result.error.log2 < 0)
      tests = static_cast<unsigned>(
          std::clamp(std::ceil(options.errorBits / -result.error.log2),
                     static_cast<double>(least), static_cast<double>(most)));
    uint64_t number = 0;
    while (result.tests < tests) {
      if (!runTest(number++))
        return result;
    }
    result.kind = RandomTestResult::Kind::Agree;
    return result;
  }

private:
  /// False if the answer is known.
  bool runTest(uint64_t number) {
    FieldModel model(options.seed, number);
    std::vector<FieldTensor> inputs =
        drawInputs({&lhs, &rhs}, model, execution);
    FieldResults left = evaluateInField(lhs, model, inputs, execution);
    if (left.dividedByZero)
      return redraw(*left.dividedByZero, false);
    FieldResults right;
    if (!left.wasStopped)
      right = evaluateInField(rhs, model, inputs, execution);
    if (left.wasStopped || right.wasStopped) {
      result.problem = "the tests were stopped";
      return false;
    }
    if (right.dividedByZero)
      return redraw(*right.dividedByZero, true);
    ++result.tests;
    for (auto [i, a] : llvm::enumerate(left.tensors)) {
      const FieldTensor &b = right.tensors[i];
      std::optional<int64_t> at = findDifference(a, b);
      if (!at)
        continue;
      result.kind = RandomTestResult::Kind::Differ;
      result.difference = {static_cast<unsigned>(i),
                           delinearize(a.shape, *at),
                           a.data[*at],
                           b.data[*at],
                           model.getField(kPlaneP).getModulus(),
                           number};
      return false;
    }
    return true;
  }

  /// A denominator that is zero for random inputs time and again is zero for
  /// all.
  bool redraw(unsigned location, bool isInRhs) {
    constexpr unsigned kMaxRedraws = 3;
    if (++redraws < kMaxRedraws)
      return true;
    result.problem = "a denominator is zero for every input";
    result.location = location;
    result.isInRhs = isInRhs;
    return false;
  }

  const FieldPlan &lhs, &rhs;
  const RandomTestOptions &options;
  const Execution &execution;
  RandomTestResult result;
  unsigned redraws = 0;
};
} // namespace

static RandomTestResult runRandomTests(const MuGraph &lhs, const MuGraph &rhs,
                                       const RandomTestOptions &options,
                                       const Execution &execution,
                                       const ExpandOptions &expand) {
  MuGraph l = expandToPrimitives(lhs, expand),
          r = expandToPrimitives(rhs, expand);
  FieldPlan left(l), right(r);
  RandomTestResult result = Tester(left, right, options, execution).run();
  for (const FieldPlan *plan : {&left, &right})
    for (const std::string &name : plan->getUnknownFunctions())
      if (!llvm::is_contained(result.unknownFunctions, name))
        result.unknownFunctions.push_back(name);
  llvm::sort(result.unknownFunctions);
  return result;
}

bool equivalence::isErrorBound(double bits) {
  // NaN is none.
  return bits > 0 && std::isfinite(bits);
}

std::optional<std::string>
equivalence::findProblem(const RandomTestOptions &options) {
  if (!isErrorBound(options.errorBits))
    return "the error asked for must be positive and finite bits";
  if (options.minTests < 1)
    return "no tests show nothing";
  if (options.maxTests < options.minTests)
    return llvm::formatv("acceptance takes {0} tests, modulo other primes "
                         "each, and only {1} may be run",
                         options.minTests, options.maxTests);
  return std::nullopt;
}

RandomTestResult equivalence::runRandomTests(const MuGraph &lhs,
                                             const MuGraph &rhs,
                                             const RandomTestOptions &options,
                                             const Execution &execution) {
  if (std::optional<std::string> problem = findProblem(options)) {
    RandomTestResult result;
    result.problem = std::move(*problem);
    return result;
  }
  RandomTestResult first = ::runRandomTests(lhs, rhs, options, execution, {});
  if (first.kind != RandomTestResult::Kind::Differ)
    return first;
  // One program may spell these functions by exponentials. As exponentials they
  // may be outside of Lax, each for itself.
  std::optional<RandomTestResult> different;
  // Each of three attempts may err.
  constexpr double attemptBits = 2;
  RandomTestOptions stricter = options;
  stricter.errorBits += attemptBits;
  auto isUsed = [&](llvm::StringRef name) {
    return llvm::is_contained(first.unknownFunctions, name);
  };
  for (const ExpandOptions &expand :
       {ExpandOptions{true, true}, ExpandOptions{true, false},
        ExpandOptions{false, true}}) {
    if ((expand.sigmoid && !isUsed("sigmoid")) ||
        (expand.tanh && !isUsed("tanh")))
      continue;
    RandomTestResult result =
        ::runRandomTests(lhs, rhs, stricter, execution, expand);
    if (result.kind == RandomTestResult::Kind::Agree) {
      result.error.log2 += attemptBits / result.tests;
      return result;
    }
    if (result.kind == RandomTestResult::Kind::Differ && !different)
      different = std::move(result);
  }
  // With more of the functions known a difference means more.
  return different ? *different : first;
}
