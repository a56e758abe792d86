//===- ThreadDialect.cpp - The dialect mirage_thread ----------------------===//
//
// Registers the dialect's operations and the hooks that all operations share.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Dialect/Thread/IR/ThreadDialect.h"
#include "Mirage/Interfaces/DialectHooks.h"
#include "Mirage/Support/Bytecode.h"

using namespace mlir;
using namespace mirage;
using namespace mirage::thread;

#include "Mirage/Dialect/Thread/IR/ThreadDialect.cpp.inc"

void ThreadDialect::initialize() {
  addInterfaces<InlineEverything, VersionedBytecode>();
  registerOperations();
  registerAttributes();
  registerTypes();
}

Operation *ThreadDialect::materializeConstant(OpBuilder &builder,
                                              Attribute value, Type type,
                                              Location loc) {
  return materializeTensor<ConstantOp>(builder, value, type, loc);
}

void ThreadDialect::getCanonicalizationPatterns(
    RewritePatternSet &patterns) const {
  populateComputeCanonicalizations(patterns, getNamespace());
}
