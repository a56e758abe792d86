//===- VerifyEquivalence.cpp - The pass over pairs of functions -----------===//
//
// Finds the pairs, asks the analysis, and reports; see Passes.td.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Equivalence/IR/EquivalenceAnalysis.h"
#include "Mirage/Analysis/Passes.h"
#include "Mirage/Dialect/Mirage/IR/MirageDialect.h"
#include "Mirage/Support/PassSupport.h"
#include "mlir/IR/Remarks.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/MapVector.h"
#include <cmath>

namespace mirage {
#define GEN_PASS_DEF_VERIFYEQUIVALENCE
#include "Mirage/Analysis/Passes.h.inc"
} // namespace mirage

using namespace mlir;
using namespace mirage;
using namespace mirage::equivalence;

namespace {

struct VerifyEquivalence
    : public mirage::impl::VerifyEquivalenceBase<VerifyEquivalence> {
  using VerifyEquivalenceBase::VerifyEquivalenceBase;

  void runOnOperation() override;

private:
  struct Pair {
    func::FuncOp lhs, rhs;
  };

  LogicalResult checkOptions();
  FailureOr<func::FuncOp> lookup(StringRef name, StringRef option);
  FailureOr<SmallVector<Pair>> findPairs();
  EquivalenceOptions getOptions() const;
  void report(Pair &pair, const EquivalenceAnswer &answer,
              const EquivalenceOptions &options);
  DictionaryAttr makeAttribute(Pair &pair, const EquivalenceAnswer &answer);
  SymbolRefAttr getPath(func::FuncOp function);
  /// "f", "inner::@f" in a nested module.
  std::string getPathName(func::FuncOp function);
};

} // namespace

LogicalResult VerifyEquivalence::checkOptions() {
  return mirage::checkOptions(
      getOperation().getLoc(), getArgument(),
      {{isErrorBound(errorBits), "error-bits", "positive and finite"},
       {maxTests >= RandomTestOptions().minTests, "max-tests",
        "at least 2, the tests that an acceptance takes"},
       {instabilityFactor >= 1 && std::isfinite(instabilityFactor),
        "instability-factor", "at least 1 and finite"},
       {floatWork > 0, "float-work", "positive"}});
}

FailureOr<func::FuncOp> VerifyEquivalence::lookup(StringRef name,
                                                  StringRef option) {
  // @f, or @inner::@f in a nested module.
  SmallVector<StringRef> parts;
  name.split(parts, "::");
  SmallVector<FlatSymbolRefAttr> path;
  for (StringRef part : parts) {
    part.consume_front("@");
    if (part.empty())
      return emitError(getOperation().getLoc())
             << "option " << option << " of " << getArgument() << " must be a "
             << "function's name, or a path such as inner::f; it is '" << name
             << "'";
    path.push_back(FlatSymbolRefAttr::get(&getContext(), part));
  }
  auto symbol =
      SymbolRefAttr::get(path.front().getAttr(), ArrayRef(path).drop_front());
  if (auto function = dyn_cast_or_null<func::FuncOp>(
          SymbolTable::lookupSymbolIn(getOperation(), symbol)))
    return function;
  return getOperation().emitError() << "the module has no function " << symbol
                                    << ", which option " << option << " names";
}

/// Returns the names that lead from the module that the pass runs on to the
/// function. Modules without a name are left out.
SymbolRefAttr VerifyEquivalence::getPath(func::FuncOp function) {
  SmallVector<FlatSymbolRefAttr> path{
      FlatSymbolRefAttr::get(function.getNameAttr())};
  for (Operation *op = function->getParentOp(); op && op != getOperation();
       op = op->getParentOp())
    if (auto name =
            op->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName()))
      path.push_back(FlatSymbolRefAttr::get(name));
  std::reverse(path.begin(), path.end());
  return SymbolRefAttr::get(path.front().getAttr(),
                            ArrayRef(path).drop_front());
}

std::string VerifyEquivalence::getPathName(func::FuncOp function) {
  SymbolRefAttr path = getPath(function);
  std::string name = path.getRootReference().str();
  for (FlatSymbolRefAttr part : path.getNestedReferences())
    name += ("::@" + part.getValue()).str();
  return name;
}

FailureOr<SmallVector<VerifyEquivalence::Pair>> VerifyEquivalence::findPairs() {
  SmallVector<Pair> pairs;
  if (lhs.empty() != rhs.empty())
    return getOperation().emitError()
           << "options lhs and rhs name a pair: both are needed";
  if (!lhs.empty()) {
    auto left = lookup(lhs, "lhs"), right = lookup(rhs, "rhs");
    if (failed(left) || failed(right))
      return failure();
    pairs.push_back({*left, *right});
    return pairs;
  }
  // Functions are looked for in nested modules, too, which may have functions
  // of their own.
  WalkResult walked = getOperation().walk([&](FunctionOpInterface candidate) {
    auto name = candidate->getAttrOfType<FlatSymbolRefAttr>(
        MirageDialect::getEquivalentToAttrName());
    if (!name)
      return WalkResult::advance();
    auto original =
        SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(candidate, name);
    auto function = dyn_cast<func::FuncOp>(*candidate);
    if (!function)
      candidate.emitError() << "'" << MirageDialect::getEquivalentToAttrName()
                            << "' is for func.func only";
    else if (!original)
      candidate.emitError()
          << "'" << MirageDialect::getEquivalentToAttrName() << "' names "
          << name << ", which is no function of the module";
    else
      pairs.push_back({original, function});
    return function && original ? WalkResult::advance()
                                : WalkResult::interrupt();
  });
  if (walked.wasInterrupted())
    return failure();
  if (pairs.empty())
    return getOperation().emitError()
           << "there is nothing to compare: name two functions by the options "
              "lhs and rhs, or give functions an attribute '"
           << MirageDialect::getEquivalentToAttrName() << "'";
  return pairs;
}

EquivalenceOptions VerifyEquivalence::getOptions() const {
  EquivalenceOptions options;
  options.threads = threads;
  ComparisonPolicy &policy = options.policy;
  policy.tests.errorBits = errorBits;
  policy.tests.seed = seed;
  policy.tests.maxTests = maxTests;
  policy.floats.seed = seed;
  policy.floats.factor = instabilityFactor;
  policy.floats.work = floatWork;
  policy.prove = prove;
  policy.test = test;
  policy.checkFloats = checkFloats;
  policy.shrink = shrink;
  policy.assumeIndependence = assumeIndependence;
  policy.compareParts = compareParts;
  return options;
}

/// Returns, for each kind of inputs, the greatest errors of a result: of the
/// candidate in its own precision, and in float64.
static llvm::MapVector<StringRef, std::pair<double, double>>
getWorstErrors(const FloatingPointReport &report) {
  llvm::MapVector<StringRef, std::pair<double, double>> worst;
  for (const FloatingPointErrors &errors : report.errors) {
    auto &[storage, float64] = worst[errors.inputs];
    storage = std::max(storage, errors.rhs);
    float64 = std::max(float64, errors.float64);
  }
  return worst;
}

void VerifyEquivalence::report(Pair &pair, const EquivalenceAnswer &answer,
                               const EquivalenceOptions &options) {
  std::string original = getPathName(pair.lhs),
              candidate = getPathName(pair.rhs);
  llvm::outs() << describe(answer, original, candidate, options.policy) << "\n";
  llvm::outs().flush();
  StringRef kind = stringifyEquivalence(answer.equivalence);
  auto remarkOptions =
      remark::RemarkOpts::name(kind).category("mirage-verify-equivalence");
  if (answer.isAccepted())
    remark::passed(pair.rhs.getLoc(), remarkOptions)
        << "@" + candidate + " computes what @" + original + " does";
  else
    remark::failed(pair.rhs.getLoc(), remarkOptions)
        << "@" + candidate + " is not accepted for @" + original;
  if (!answer.named.empty())
    remark::analysis(pair.rhs.getLoc(), remarkOptions)
        << "taking " + llvm::join(answer.named, ", ");
  if (!answer.whyNotProved.empty())
    remark::missed(pair.rhs.getLoc(), remarkOptions)
        << "no proof: " + answer.whyNotProved;
  for (const FloatingPointErrors &errors : answer.floats.errors)
    remark::analysis(pair.rhs.getLoc(), remarkOptions)
        << ("errors on " + errors.inputs + " inputs").str()
        << remark::metric("result", errors.result)
        << remark::metric("original", llvm::formatv("{0:e2}", errors.lhs).str())
        << remark::metric("candidate",
                          llvm::formatv("{0:e2}", errors.rhs).str())
        << remark::metric("float64",
                          llvm::formatv("{0:e2}", errors.float64).str());
  if (answer.equivalence == Equivalence::Unknown && answer.operation)
    answer.operation->emitRemark() << answer.reason;
  if (answer.floats.hazard && answer.operation)
    answer.operation->emitRemark()
        << "this operation " << describeHazard(answer.floats.hazard->kind)
        << " on inputs for which the original is accurate: "
        << answer.floats.reason;
  if (annotate)
    pair.rhs->setAttr(MirageDialect::getEquivalenceAttrName(),
                      makeAttribute(pair, answer));
}

/// Everything that the printed line says, for programs to read.
DictionaryAttr
VerifyEquivalence::makeAttribute(Pair &pair, const EquivalenceAnswer &answer) {
  Builder builder(&getContext());
  NamedAttrList attributes;
  auto setNumber = [&](StringRef name, double value) {
    attributes.set(name, builder.getF64FloatAttr(value));
  };
  auto setInteger = [&](StringRef name, uint64_t value) {
    attributes.set(name, builder.getIntegerAttr(
                             builder.getIntegerType(64, /*isSigned=*/false),
                             static_cast<int64_t>(value)));
  };
  auto setText = [&](StringRef name, StringRef text) {
    if (!text.empty())
      attributes.set(name, builder.getStringAttr(text));
  };
  setText("answer", stringifyEquivalence(answer.equivalence));
  attributes.set("original", getPath(pair.lhs));
  if (answer.isAtSmallSizes)
    setText("sizes", "small");
  setText("reason", answer.reason);
  if (answer.equivalence == Equivalence::Equivalent) {
    setNumber("log2_error", answer.tests.getLog2Error());
    setInteger("tests", answer.tests.tests);
    setInteger("seed", seed);
  }
  if (answer.equivalence == Equivalence::Refuted) {
    const FieldDifference &difference = *answer.tests.difference;
    setInteger("result", difference.result);
    attributes.set("index", builder.getDenseI64ArrayAttr(difference.index));
    setInteger("value", difference.rhs);
    setInteger("original_value", difference.lhs);
    setInteger("modulus", difference.modulus);
    setInteger("seed", seed);
    setInteger("test", difference.test);
    if (const auto &floats = answer.floatDifference) {
      setInteger("float64_result", floats->result);
      attributes.set("float64_index",
                     builder.getDenseI64ArrayAttr(floats->index));
      setNumber("float64_value", floats->rhs);
      setNumber("float64_original_value", floats->lhs);
      setText("float64_inputs", floats->inputs);
      if (floats->isShrunk)
        setText("float64_sizes", "small");
    }
  }
  if (answer.commonValues)
    setInteger("common_values", answer.commonValues);
  setText("taking", llvm::join(answer.named, ", "));
  if (!answer.floats.isStable)
    setText("unstable", answer.floats.reason);
  else
    setText("floats_undecided", answer.floats.undecided);
  auto setResults = [&](StringRef name, ArrayRef<unsigned> results) {
    if (!results.empty())
      attributes.set(name, builder.getDenseI64ArrayAttr(SmallVector<int64_t>(
                               results.begin(), results.end())));
  };
  setResults("floats_silent", answer.floats.silent);
  setResults("floats_undefined", answer.floats.undefined);
  SmallVector<std::string> leftOut;
  for (const FloatingPointReport::LeftOut &left : answer.floats.leftOut)
    leftOut.push_back(
        llvm::formatv("result {0} on {1} inputs", left.result, left.inputs));
  setText("floats_left_out", llvm::join(leftOut, ", "));
  if (answer.floats.isShrunk)
    setText("error_sizes", "small");
  // The worst of each kind's results.
  for (const auto &[inputs, worst] : getWorstErrors(answer.floats)) {
    setNumber(("error_" + inputs).str(), worst.first);
    setNumber(("float64_" + inputs).str(), worst.second);
  }
  return attributes.getDictionary(&getContext());
}

void VerifyEquivalence::runOnOperation() {
  if (failed(checkOptions()))
    return signalPassFailure();
  FailureOr<SmallVector<Pair>> pairs = findPairs();
  if (failed(pairs))
    return signalPassFailure();
  EquivalenceOptions options = getOptions();
  auto &analysis = getAnalysis<EquivalenceAnalysis>();
  bool areAllAccepted = true;
  for (auto [number, pair] : llvm::enumerate(*pairs)) {
    if (pairs->size() > 1 && llvm::errs().is_displayed())
      llvm::errs() << "\rcomparing pair " << number + 1 << " of "
                   << pairs->size() << "\r";
    const EquivalenceAnswer &answer =
        analysis.compare(pair.lhs, pair.rhs, options);
    areAllAccepted &= answer.isAccepted();
    report(pair, answer, options);
  }
  if (!areAllAccepted && failOnRefusal)
    return signalPassFailure();
  if (!annotate)
    markAllAnalysesPreserved();
}
