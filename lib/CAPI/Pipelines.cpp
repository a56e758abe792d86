//===- Pipelines.cpp - Pipelines and translations for C -------------------===//
//
// Implements Mirage-C/Pipelines.h. What a parser or a translation says of bad
// input becomes a diagnostic.
//
//===----------------------------------------------------------------------===//

#include "Mirage-C/Pipelines.h"
#include "Mirage/Target/IREE.h"
#include "Mirage/Target/PTX.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/CAPI/Utils.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mirage;

static LogicalResult runPipeline(ModuleOp module, StringRef pipeline) {
  std::string message;
  llvm::raw_string_ostream os(message);
  FailureOr<OpPassManager> parsed = parsePassPipeline(pipeline, os);
  if (failed(parsed))
    return emitError(module.getLoc())
           << "'" << pipeline
           << "' is no pipeline: " << StringRef(message).ltrim().rtrim();
  if (parsed->getOpAnchorName() != ModuleOp::getOperationName())
    return emitError(module.getLoc())
           << "pipeline '" << pipeline << "' is for "
           << parsed->getOpAnchorName()
           << "; one for modules is written builtin.module(...)";
  PassManager manager(module.getContext(), ModuleOp::getOperationName());
  static_cast<OpPassManager &>(manager) = std::move(*parsed);
  return manager.run(module);
}

MlirLogicalResult mirageRunPipeline(MlirModule module, MlirStringRef pipeline) {
  if (mlirModuleIsNull(module))
    return mlirLogicalResultFailure();
  return wrap(runPipeline(unwrap(module), unwrap(pipeline)));
}

MlirLogicalResult mirageTranslateToPTX(MlirModule module,
                                       MlirStringCallback ptx,
                                       MlirStringCallback manifest,
                                       void *userData) {
  if (mlirModuleIsNull(module))
    return mlirLogicalResultFailure();
  OwningOpRef<ModuleOp> copy = unwrap(module).clone();
  FailureOr<PTXProgram> program = translateToPTX(*copy);
  if (failed(program))
    return mlirLogicalResultFailure();
  ptx(wrap(StringRef(program->ptx)), userData);
  manifest(wrap(StringRef(runtime::printManifest(program->manifest))),
           userData);
  return mlirLogicalResultSuccess();
}

MlirLogicalResult mirageTranslateToIREE(MlirModule module,
                                        MlirStringRef lowering,
                                        MlirStringCallback callback,
                                        void *userData) {
  if (mlirModuleIsNull(module))
    return mlirLogicalResultFailure();
  LowerToNVVMOptions options;
  setIREEDefaults(options);
  std::string message;
  llvm::raw_string_ostream errors(message);
  if (failed(options.parseFromString(unwrap(lowering), errors))) {
    emitError(unwrap(module).getLoc())
        << "'" << unwrap(lowering)
        << "' are no options of mirage-lower-to-nvvm: "
        << StringRef(message).trim();
    return mlirLogicalResultFailure();
  }
  OwningOpRef<ModuleOp> copy = unwrap(module).clone();
  if (failed(translateToIREE(*copy, options)))
    return mlirLogicalResultFailure();
  mlir::detail::CallbackOstream os(callback, userData);
  copy->print(os, OpPrintingFlags().printGenericOpForm());
  return mlirLogicalResultSuccess();
}
