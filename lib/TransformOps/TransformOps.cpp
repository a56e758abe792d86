//===- TransformOps.cpp - Mirage in schedules -----------------------------===//
//
// Implements the operations that Mirage adds to the transform dialect. Two of
// them run a pass for a function of the payload. What the payload is unsuited
// for is a silenceable failure, which a schedule can react to; what is wrong
// with the schedule is a definite one.
//
//===----------------------------------------------------------------------===//

#include "Mirage/TransformOps/TransformOps.h"
#include "Mirage/Analysis/Equivalence/IR/EquivalenceAnalysis.h"
#include "Mirage/Analysis/Tiling/Chain.h"
#include "Mirage/Dialect/Block/IR/BlockDialect.h"
#include "Mirage/Dialect/Kernel/IR/KernelDialect.h"
#include "Mirage/Dialect/Thread/IR/ThreadDialect.h"
#include "Mirage/MuGraph/IR/ImportMuGraph.h"
#include "Mirage/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mirage;
using namespace mirage::equivalence;

//===----------------------------------------------------------------------===//
// Passes for functions
//===----------------------------------------------------------------------===//

/// Returns how a pass's options write a value, or nothing for a value that no
/// option has.
static std::optional<std::string> printOption(Attribute value) {
  if (auto flag = dyn_cast<BoolAttr>(value))
    return flag.getValue() ? "true" : "false";
  if (auto number = dyn_cast<IntegerAttr>(value))
    return llvm::toString(number.getValue(), 10, /*Signed=*/true);
  if (auto number = dyn_cast<FloatAttr>(value))
    return llvm::formatv("{0:e17}", number.getValueAsDouble()).str();
  auto text = dyn_cast<StringAttr>(value);
  // Anything else would be taken for more than one option.
  if (text && text.getValue().find_first_of(" \t\n{}\"'") == StringRef::npos)
    return text.str();
  return std::nullopt;
}

/// Sets the options of a pass for the function. A failure is a definite one.
static LogicalResult setOptions(Operation *op, Pass &pass,
                                func::FuncOp function, DictionaryAttr options,
                                StringRef defaults) {
  std::string text = ("function=" + function.getName() + " " + defaults).str();
  for (NamedAttribute option : options) {
    StringRef name = option.getName();
    std::optional<std::string> value = printOption(option.getValue());
    if (name == "function")
      return op->emitError()
             << "option function is the handle's function and cannot be given";
    if (!value)
      return op->emitError()
             << "option " << name << " is " << option.getValue()
             << "; an option is a number, true or false, or a string without "
                "spaces, quotes and braces";
    text += (" " + name + "=" + *value).str();
  }
  return pass.initializeOptions(text, [&](const Twine &message) {
    // The parser of options is one of command lines, and ends its lines.
    std::string line = message.str();
    return op->emitError() << StringRef(line).trim() << " (options of "
                           << pass.getArgument() << ")";
  });
}

/// Sets `module` to the one of which the function is a symbol. The failure, if
/// it is none, says what would happen there.
static DiagnosedSilenceableFailure
findModule(func::FuncOp function, StringRef consequence, ModuleOp &module) {
  module = dyn_cast_or_null<ModuleOp>(function->getParentOp());
  if (module && module.lookupSymbol(function.getName()) == function)
    return DiagnosedSilenceableFailure::success();
  return mlir::emitSilenceableFailure(function)
         << "is no symbol of a module, where " << consequence;
}

static LogicalResult runPass(ModuleOp module, std::unique_ptr<Pass> pass) {
  PassManager manager(module.getContext(), ModuleOp::getOperationName());
  manager.addPass(std::move(pass));
  return manager.run(module);
}

using Effects = SmallVectorImpl<MemoryEffects::EffectInstance>;

/// Adds the effects of an operation that replaces the bodies of a handle's
/// functions.
static void addReplacingEffects(Operation *op, Effects &effects) {
  transform::consumesHandle(op->getOpOperands(), effects);
  transform::producesHandle(op->getResults(), effects);
  transform::modifiesPayload(effects);
}

//===----------------------------------------------------------------------===//
// transform.mirage.superoptimize
//===----------------------------------------------------------------------===//

DiagnosedSilenceableFailure
TransformSuperoptimizeOp::applyToOne(transform::TransformRewriter &rewriter,
                                     func::FuncOp target,
                                     transform::ApplyToEachResultList &results,
                                     transform::TransformState &state) {
  ModuleOp module;
  DiagnosedSilenceableFailure found =
      findModule(target, "the search would replace it", module);
  if (!found.succeeded())
    return found;
  // The programs of other compilers keep stderr and signals to themselves.
  std::unique_ptr<Pass> pass = createSuperoptimize();
  if (failed(
          setOptions(*this, *pass, target, getOptions(), "interactive=false")))
    return DiagnosedSilenceableFailure::definiteFailure();
  DictionaryAttr attributes = target->getDiscardableAttrDictionary();
  if (failed(runPass(module, std::move(pass)))) {
    auto failure = emitDefiniteFailure("mirage-superoptimize failed");
    failure.attachNote(target.getLoc()) << "for this function";
    return failure;
  }
  auto note = target->getAttrOfType<DictionaryAttr>(
      MirageDialect::getSuperoptimizedAttrName());
  auto verdict = note.getAs<StringAttr>("verdict");
  if (verdict.getValue() == "unsupported") {
    // A failure that is silenced leaves the payload as it was.
    target->setDiscardableAttrs(attributes);
    return mlir::emitSilenceableFailure(target)
           << "has nothing that can be searched for: "
           << note.getAs<StringAttr>("reason").getValue();
  }
  results.push_back(target);
  results.push_back(verdict);
  return DiagnosedSilenceableFailure::success();
}

void TransformSuperoptimizeOp::getEffects(Effects &effects) {
  addReplacingEffects(*this, effects);
}

//===----------------------------------------------------------------------===//
// transform.mirage.tile
//===----------------------------------------------------------------------===//

/// Returns why the function is no chain, with its place, or nothing if it is
/// one.
static std::optional<std::string> findWhyNoChain(func::FuncOp function,
                                                 Location &loc) {
  std::string reason;
  FailureOr<ImportedGraph> imported = importMuGraph(function, reason, loc);
  if (failed(imported))
    return reason;
  std::optional<unsigned> location;
  if (tiling::readChain(imported->graph, reason, location))
    return std::nullopt;
  if (location && *location < imported->operations.size())
    loc = imported->operations[*location]->getLoc();
  return reason;
}

DiagnosedSilenceableFailure
TransformTileOp::applyToOne(transform::TransformRewriter &rewriter,
                            func::FuncOp target,
                            transform::ApplyToEachResultList &results,
                            transform::TransformState &state) {
  ModuleOp module;
  DiagnosedSilenceableFailure found =
      findModule(target, "it would be tiled", module);
  if (!found.succeeded())
    return found;
  Location loc = target.getLoc();
  if (std::optional<std::string> reason = findWhyNoChain(target, loc))
    return mlir::emitSilenceableFailure(loc)
           << "@" << target.getName()
           << " is no chain of products: " << *reason;
  std::unique_ptr<Pass> pass = createTile();
  if (failed(setOptions(*this, *pass, target, getOptions(), "")))
    return DiagnosedSilenceableFailure::definiteFailure();
  // Whether a chain has a tiling depends on its shapes, so that a schedule may
  // try one. What the pass says becomes the failure.
  SmallVector<Diagnostic> diagnostics;
  LogicalResult isTiled = success();
  {
    ScopedDiagnosticHandler handler(
        getContext(), [&](Diagnostic &diagnostic) -> LogicalResult {
          if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
            return failure();
          diagnostics.push_back(std::move(diagnostic));
          return success();
        });
    isTiled = runPass(module, std::move(pass));
  }
  if (failed(isTiled))
    return DiagnosedSilenceableFailure::silenceableFailure(
        std::move(diagnostics));
  results.push_back(target);
  return DiagnosedSilenceableFailure::success();
}

void TransformTileOp::getEffects(Effects &effects) {
  addReplacingEffects(*this, effects);
}

//===----------------------------------------------------------------------===//
// transform.mirage.verify_equivalent
//===----------------------------------------------------------------------===//

LogicalResult TransformVerifyEquivalentOp::verify() {
  if (!isErrorBound(getErrorBits().convertToDouble()))
    return emitOpError("error_bits must be positive and finite");
  return success();
}

DiagnosedSilenceableFailure
TransformVerifyEquivalentOp::apply(transform::TransformRewriter &rewriter,
                                   transform::TransformResults &results,
                                   transform::TransformState &state) {
  SmallVector<Operation *> originals(state.getPayloadOps(getOriginal())),
      candidates(state.getPayloadOps(getCandidate()));
  if (originals.size() != candidates.size())
    return emitSilenceableError()
           << "has " << originals.size() << " originals and "
           << candidates.size() << " candidates";
  EquivalenceOptions options;
  ComparisonPolicy &policy = options.policy;
  policy.tests.errorBits = getErrorBits().convertToDouble();
  policy.tests.seed = policy.floats.seed = getSeed();
  policy.checkFloats = getCheckFloats();
  policy.shrink = getShrink();

  SmallVector<Attribute> verdicts;
  for (auto [left, right] : llvm::zip_equal(originals, candidates)) {
    auto original = cast<func::FuncOp>(left);
    auto candidate = cast<func::FuncOp>(right);
    EquivalenceAnalysis analysis(candidate);
    const EquivalenceAnswer &answer =
        analysis.compare(original, candidate, options);
    if (!answer.isAccepted()) {
      auto failure =
          mlir::emitSilenceableFailure(candidate.getLoc())
          << describe(answer, original.getName(), candidate.getName(), policy);
      failure.attachNote(original.getLoc()) << "this is the original";
      if (answer.operation && answer.operation != candidate &&
          answer.operation != original)
        failure.attachNote(answer.operation->getLoc())
            << "it is because of this";
      return failure;
    }
    verdicts.push_back(
        rewriter.getStringAttr(stringifyEquivalence(answer.equivalence)));
  }
  results.setParams(cast<OpResult>(getVerdict()), verdicts);
  return DiagnosedSilenceableFailure::success();
}

void TransformVerifyEquivalentOp::getEffects(Effects &effects) {
  transform::onlyReadsHandle(getOperation()->getOpOperands(), effects);
  transform::producesHandle(getOperation()->getResults(), effects);
  transform::onlyReadsPayload(effects);
}

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

namespace {
class MirageExtension
    : public transform::TransformDialectExtension<MirageExtension> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(MirageExtension)

  void init() {
    declareDependentDialect<func::FuncDialect>();
    declareGeneratedDialect<MirageDialect>();
    declareGeneratedDialect<kernel::KernelDialect>();
    declareGeneratedDialect<block::BlockDialect>();
    declareGeneratedDialect<thread::ThreadDialect>();
    registerTransformOps<
#define GET_OP_LIST
#include "Mirage/TransformOps/TransformOps.cpp.inc"
        >();
  }
};
} // namespace

#define GET_OP_CLASSES
#include "Mirage/TransformOps/TransformOps.cpp.inc"

void mirage::registerTransformDialectExtension(DialectRegistry &registry) {
  registry.addExtensions<MirageExtension>();
}
