//===- Superoptimize.cpp - The search for C programs ----------------------===//
//
// Implements Mirage-C/Superoptimize.h: it runs the pass, and reads from the
// function what the pass notes there.
//
//===----------------------------------------------------------------------===//

#include "Mirage-C/Superoptimize.h"
#include "Mirage/Dialect/Mirage/IR/MirageDialect.h"
#include "Mirage/Transforms/Passes.h"
#include "VersionedStruct.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>

using namespace mlir;
using namespace mirage;

/// Sizes of the structs in the first version that had them. The last fields of
/// that version are named, so that further ones change nothing.
static constexpr size_t firstOptionsSize =
    offsetof(MirageSuperoptimizeOptions, interactive) + sizeof(bool);
static constexpr size_t firstResultSize =
    offsetof(MirageSuperoptimizeResult, reason) + sizeof(MlirStringRef);

/// Calls `visit` with each number and flag of the options of C and the option
/// of the pass that it is.
template <typename Options, typename PassOptions, typename Visit>
static void forOptions(Options &options, PassOptions &pass, Visit visit) {
  visit(options.maxBlockOperators, pass.maxBlockOperators);
  visit(options.maxKernelOperators, pass.maxKernelOperators);
  visit(options.kernels, pass.kernels);
  visit(options.gridDims, pass.gridDims);
  visit(options.loops, pass.loops);
  visit(options.best, pass.best);
  visit(options.keep, pass.keep);
  visit(options.threads, pass.threads);
  visit(options.effort, pass.effort);
  visit(options.seed, pass.seed);
  visit(options.minGain, pass.minGain);
  visit(options.errorBits, pass.errorBits);
  visit(options.deadline, pass.deadline);
  visit(options.pieces, pass.pieces);
  visit(options.keepOriginal, pass.keepOriginal);
  visit(options.interactive, pass.interactive);
}

/// Returns the defaults of the pass, but for `interactive`.
static MirageSuperoptimizeOptions getDefaults() {
  MirageSuperoptimizeOptions options = {};
  options.structSize = sizeof(options);
  options.target = mlirStringRefCreate("", 0);
  const SuperoptimizeOptions pass;
  forOptions(options, pass,
             [](auto &option, const auto &ofPass) { option = ofPass; });
  options.interactive = false;
  return options;
}

static SuperoptimizeOptions
getPassOptions(const MirageSuperoptimizeOptions &options, StringRef name) {
  SuperoptimizeOptions pass;
  pass.function = name.str();
  pass.target = unwrap(options.target).str();
  forOptions(options, pass,
             [](const auto &option, auto &ofPass) { ofPass = option; });
  return pass;
}

/// Reads the pass's note, which every function has that it was given.
static MirageSuperoptimizeResult readNote(func::FuncOp function) {
  auto note = function->getAttrOfType<DictionaryAttr>(
      MirageDialect::getSuperoptimizedAttrName());
  auto getNumber = [&](StringRef name) {
    auto number = note.getAs<FloatAttr>(name);
    return number ? number.getValueAsDouble() : std::nan("");
  };
  auto getText = [&](StringRef name) {
    auto text = note.getAs<StringAttr>(name);
    return text ? text.getValue() : StringRef("");
  };
  MirageSuperoptimizeResult result = {};
  result.verdict =
      llvm::StringSwitch<MirageSuperoptimizeVerdict>(getText("verdict"))
          .Case("proved", MirageSuperoptimizeProved)
          .Case("equivalent", MirageSuperoptimizeEquivalent)
          .Case("unchanged", MirageSuperoptimizeUnchanged)
          .Default(MirageSuperoptimizeUnsupported);
  result.wasCut = note.contains("cut");
  result.originalMicroseconds = getNumber("original_microseconds");
  result.fusedMicroseconds = getNumber("fused_microseconds");
  result.microseconds = getNumber("microseconds");
  result.log2Error = getNumber("log2_error");
  result.reason = wrap(getText("reason"));
  return result;
}

static LogicalResult superoptimize(ModuleOp module, StringRef name,
                                   const MirageSuperoptimizeOptions *given,
                                   MirageSuperoptimizeResult *result) {
  FailureOr<MirageSuperoptimizeOptions> options =
      read(given, getDefaults(), "mirageSuperoptimizeOptions", firstOptionsSize,
           module.getLoc());
  if (failed(options))
    return failure();
  if (result && failed(checkSize(*result, "mirageSuperoptimizeResult",
                                 firstResultSize, module.getLoc())))
    return failure();
  // Without a name the pass would take all functions that are marked.
  name.consume_front("@");
  auto function = module.lookupSymbol<func::FuncOp>(name);
  if (!function)
    return emitError(module.getLoc())
           << "the module has no function @" << name << " to search for";
  PassManager manager(module.getContext(), ModuleOp::getOperationName());
  manager.addPass(createSuperoptimize(getPassOptions(*options, name)));
  if (failed(manager.run(module)))
    return failure();
  if (result)
    initialize(result, result->structSize, readNote(function));
  return success();
}

void mirageSuperoptimizeOptionsInit(MirageSuperoptimizeOptions *options,
                                    size_t structSize) {
  initialize(options, structSize, getDefaults());
}

void mirageSuperoptimizeResultInit(MirageSuperoptimizeResult *result,
                                   size_t structSize) {
  initialize(result, structSize, MirageSuperoptimizeResult());
}

MlirLogicalResult mirageSuperoptimize(MlirModule module, MlirStringRef name,
                                      const MirageSuperoptimizeOptions *options,
                                      MirageSuperoptimizeResult *result) {
  if (mlirModuleIsNull(module))
    return mlirLogicalResultFailure();
  return wrap(superoptimize(unwrap(module), unwrap(name), options, result));
}
