//===- BlockDialect.cpp - The dialect mirage_block ------------------------===//
//
// Registers the dialect's operations and the hooks that all operations share.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Dialect/Block/IR/BlockDialect.h"
#include "Mirage/Interfaces/DialectHooks.h"
#include "Mirage/Support/Bytecode.h"

using namespace mlir;
using namespace mirage;
using namespace mirage::block;

#include "Mirage/Dialect/Block/IR/BlockDialect.cpp.inc"

void BlockDialect::initialize() {
  addInterfaces<InlineEverything, VersionedBytecode>();
  registerOperations();
}

Operation *BlockDialect::materializeConstant(OpBuilder &builder,
                                             Attribute value, Type type,
                                             Location loc) {
  return materializeTensor<ConstantOp>(builder, value, type, loc);
}

void BlockDialect::getCanonicalizationPatterns(
    RewritePatternSet &patterns) const {
  populateComputeCanonicalizations(patterns, getNamespace());
}
