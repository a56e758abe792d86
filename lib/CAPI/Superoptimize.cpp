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

/// Returns the defaults of the pass, but for `interactive`.
static MirageSuperoptimizeOptions getDefaults() {
  SuperoptimizeOptions pass;
  MirageSuperoptimizeOptions options = {};
  options.structSize = sizeof(options);
  options.target = mlirStringRefCreate("", 0);
  options.maxBlockOperators = pass.maxBlockOperators;
  options.maxKernelOperators = pass.maxKernelOperators;
  options.kernels = pass.kernels;
  options.gridDims = pass.gridDims;
  options.loops = pass.loops;
  options.best = pass.best;
  options.keep = pass.keep;
  options.threads = pass.threads;
  options.effort = pass.effort;
  options.seed = pass.seed;
  options.minGain = pass.minGain;
  options.errorBits = pass.errorBits;
  options.deadline = pass.deadline;
  options.pieces = pass.pieces;
  options.keepOriginal = pass.keepOriginal;
  options.interactive = false;
  return options;
}

static SuperoptimizeOptions
getPassOptions(const MirageSuperoptimizeOptions &options, StringRef name) {
  SuperoptimizeOptions pass;
  pass.function = name.str();
  pass.target = unwrap(options.target).str();
  pass.maxBlockOperators = options.maxBlockOperators;
  pass.maxKernelOperators = options.maxKernelOperators;
  pass.kernels = options.kernels;
  pass.gridDims = options.gridDims;
  pass.loops = options.loops;
  pass.best = options.best;
  pass.keep = options.keep;
  pass.threads = options.threads;
  pass.effort = options.effort;
  pass.seed = options.seed;
  pass.minGain = options.minGain;
  pass.errorBits = options.errorBits;
  pass.deadline = options.deadline;
  pass.pieces = options.pieces;
  pass.keepOriginal = options.keepOriginal;
  pass.interactive = options.interactive;
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
