//===- Equivalence.cpp - Comparisons of functions for C -------------------===//
//
// Implements Mirage-C/Equivalence.h by EquivalenceAnalysis.
//
//===----------------------------------------------------------------------===//

#include "Mirage-C/Equivalence.h"
#include "Mirage/Analysis/Equivalence/IR/EquivalenceAnalysis.h"
#include "Mirage/Support/PassSupport.h"
#include "VersionedStruct.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/CAPI/Wrap.h"
#include <cmath>

using namespace mlir;
using namespace mirage;
using namespace mirage::equivalence;

namespace {
/// What an answer of C points to: that of the analysis, and its sentence.
struct Answer {
  EquivalenceAnswer answer;
  std::string message;
};
} // namespace

DEFINE_C_API_PTR_METHODS(MirageEquivalenceAnswer, Answer)

/// Size of the options in the first version that had them.
static constexpr size_t firstOptionsSize =
    offsetof(MirageEquivalenceOptions, assumeIndependence) + sizeof(bool);

/// Calls `visit` with each of the options of C and the option of the analysis
/// that it is. The random tests and those of floats have the same seed.
template <typename Options, typename AnalysisOptions, typename Visit>
static void forOptions(Options &options, AnalysisOptions &analysis,
                       Visit visit) {
  auto &policy = analysis.policy;
  visit(options.errorBits, policy.tests.errorBits);
  visit(options.instabilityFactor, policy.floats.factor);
  visit(options.floatWork, policy.floats.work);
  visit(options.seed, policy.floats.seed);
  visit(options.seed, policy.tests.seed);
  visit(options.maxTests, policy.tests.maxTests);
  visit(options.threads, analysis.threads);
  visit(options.prove, policy.prove);
  visit(options.test, policy.test);
  visit(options.checkFloats, policy.checkFloats);
  visit(options.shrink, policy.shrink);
  visit(options.assumeIndependence, policy.assumeIndependence);
}

static MirageEquivalenceOptions getDefaults() {
  const EquivalenceOptions analysis;
  MirageEquivalenceOptions options = {};
  options.structSize = sizeof(options);
  forOptions(options, analysis,
             [](auto &option, const auto &ofAnalysis) { option = ofAnalysis; });
  return options;
}

static EquivalenceOptions
getAnalysisOptions(const MirageEquivalenceOptions &options) {
  EquivalenceOptions analysis;
  forOptions(options, analysis,
             [](const auto &option, auto &ofAnalysis) { ofAnalysis = option; });
  return analysis;
}

static LogicalResult check(const MirageEquivalenceOptions &options,
                           Location loc) {
  return checkOptions(
      loc, "mirageVerifyEquivalence",
      {{isErrorBound(options.errorBits), "errorBits", "positive and finite"},
       {options.maxTests >= RandomTestOptions().minTests, "maxTests",
        "at least 2, the tests that an acceptance takes"},
       {options.instabilityFactor >= 1 &&
            std::isfinite(options.instabilityFactor),
        "instabilityFactor", "at least 1 and finite"},
       {options.floatWork > 0, "floatWork", "positive"}});
}

/// Returns null, with an error, if there is no such function.
static func::FuncOp lookup(ModuleOp module, StringRef name) {
  name.consume_front("@");
  auto function = module.lookupSymbol<func::FuncOp>(name);
  if (!function)
    emitError(module.getLoc())
        << "the module has no function @" << name << " to compare";
  return function;
}

static Answer *compare(ModuleOp module, StringRef original, StringRef candidate,
                       const MirageEquivalenceOptions *given) {
  FailureOr<MirageEquivalenceOptions> options =
      read(given, getDefaults(), "mirageEquivalenceOptions", firstOptionsSize,
           module.getLoc());
  if (failed(options) || failed(check(*options, module.getLoc())))
    return nullptr;
  func::FuncOp lhs = lookup(module, original), rhs = lookup(module, candidate);
  if (!lhs || !rhs)
    return nullptr;
  EquivalenceOptions analysisOptions = getAnalysisOptions(*options);
  auto answer = std::make_unique<Answer>();
  answer->answer =
      EquivalenceAnalysis(module).compare(lhs, rhs, analysisOptions);
  answer->message = describe(answer->answer, lhs.getName(), rhs.getName(),
                             analysisOptions.policy);
  return answer.release();
}

void mirageEquivalenceOptionsInit(MirageEquivalenceOptions *options,
                                  size_t structSize) {
  initialize(options, structSize, getDefaults());
}

MlirLogicalResult mirageVerifyEquivalence(
    MlirModule module, MlirStringRef original, MlirStringRef candidate,
    const MirageEquivalenceOptions *options, MirageEquivalenceAnswer *answer) {
  *answer = MirageEquivalenceAnswer{nullptr};
  if (!mlirModuleIsNull(module))
    *answer = wrap(
        compare(unwrap(module), unwrap(original), unwrap(candidate), options));
  return wrap(success(answer->ptr != nullptr));
}

void mirageEquivalenceAnswerDestroy(MirageEquivalenceAnswer answer) {
  delete unwrap(answer);
}

MirageEquivalence
mirageEquivalenceAnswerGetEquivalence(MirageEquivalenceAnswer answer) {
  switch (unwrap(answer)->answer.equivalence) {
  case Equivalence::Proved:
    return MirageEquivalenceProved;
  case Equivalence::Equivalent:
    return MirageEquivalenceEquivalent;
  case Equivalence::Refuted:
    return MirageEquivalenceRefuted;
  case Equivalence::Unknown:
    return MirageEquivalenceUnknown;
  }
  llvm_unreachable("unknown answer");
}

bool mirageEquivalenceAnswerIsAccepted(MirageEquivalenceAnswer answer) {
  return unwrap(answer)->answer.isAccepted();
}

void mirageEquivalenceAnswerGetMessage(MirageEquivalenceAnswer answer,
                                       MlirStringCallback callback,
                                       void *userData) {
  callback(wrap(StringRef(unwrap(answer)->message)), userData);
}

double mirageEquivalenceAnswerGetLog2Error(MirageEquivalenceAnswer answer) {
  const EquivalenceAnswer &known = unwrap(answer)->answer;
  return known.equivalence == Equivalence::Equivalent
             ? known.tests.getLog2Error()
             : std::nan("");
}

bool mirageEquivalenceAnswerGetWitness(MirageEquivalenceAnswer answer,
                                       MirageWitness *witness) {
  const EquivalenceAnswer &known = unwrap(answer)->answer;
  if (known.equivalence != Equivalence::Refuted)
    return false;
  const FieldDifference &difference = *known.tests.difference;
  *witness = {
      difference.result,       static_cast<intptr_t>(difference.index.size()),
      difference.index.data(), difference.lhs,
      difference.rhs,          difference.modulus};
  return true;
}

bool mirageEquivalenceAnswerGetFloatWitness(MirageEquivalenceAnswer answer,
                                            MirageFloatWitness *witness) {
  const EquivalenceAnswer &known = unwrap(answer)->answer;
  if (known.equivalence != Equivalence::Refuted || !known.floatDifference)
    return false;
  const FloatDifference &difference = *known.floatDifference;
  *witness = {
      difference.result,       static_cast<intptr_t>(difference.index.size()),
      difference.index.data(), difference.lhs,
      difference.rhs,          difference.isShrunk};
  return true;
}

MlirOperation
mirageEquivalenceAnswerGetOperation(MirageEquivalenceAnswer answer) {
  return wrap(unwrap(answer)->answer.operation);
}
