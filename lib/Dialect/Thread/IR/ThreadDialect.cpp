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

LogicalResult
ThreadDialect::verifyOperationAttribute(Operation *op,
                                        NamedAttribute attribute) {
  if (attribute.getName() != getRegisterLayoutAttrName())
    return op->emitError() << "the dialect mirage_thread has no attribute '"
                           << attribute.getName().getValue() << "'; known is '"
                           << getRegisterLayoutAttrName() << "'";
  // The lowering checks that the operator can be executed so.
  auto compute = dyn_cast<ComputeOpInterface>(op);
  if (compute && op->getName().getDialectNamespace() == "mirage_block" &&
      isa<LayoutAttr>(attribute.getValue())) {
    OpClass opClass = getOpInfo(compute.getOpKind()).opClass;
    if (opClass == OpClass::Elementwise || opClass == OpClass::Reduction)
      return success();
  }
  return op->emitOpError()
         << "'" << getRegisterLayoutAttrName()
         << "' belongs on an elementwise operator or a reduction of a block "
            "graph and holds a #mirage_thread.layout (schedule_c17)";
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
