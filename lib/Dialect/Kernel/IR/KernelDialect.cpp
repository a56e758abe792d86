//===- KernelDialect.cpp - The dialect mirage_kernel ----------------------===//
//
// Registers the dialect's operations and the hooks that all operations share.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Dialect/Kernel/IR/KernelDialect.h"
#include "KernelCanonicalization.h"
#include "Mirage/Interfaces/DialectHooks.h"
#include "Mirage/Support/Bytecode.h"

using namespace mlir;
using namespace mirage;
using namespace mirage::kernel;

#include "Mirage/Dialect/Kernel/IR/KernelDialect.cpp.inc"

void KernelDialect::initialize() {
  addInterfaces<InlineEverything, VersionedBytecode>();
  registerOperations();
}

Operation *KernelDialect::materializeConstant(OpBuilder &builder,
                                              Attribute value, Type type,
                                              Location loc) {
  return materializeTensor<ConstantOp>(builder, value, type, loc);
}

void KernelDialect::getCanonicalizationPatterns(
    RewritePatternSet &patterns) const {
  populateComputeCanonicalizations(patterns, getNamespace());
  populateMoveNarrow(patterns);
}
