//===- ThreadDialect.cpp - The dialect mirage_thread ----------------------===//
//
// Registers the dialect's operations and the hooks that all operations share.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Dialect/Thread/IR/ThreadDialect.h"
#include "Mirage/Dialect/Thread/IR/MemoryLayoutAttr.h"
#include "Mirage/Interfaces/DialectHooks.h"
#include "Mirage/Schedule/RowLayout.h"
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

/// Returns true if an operation computes a tile of a block graph by an operator
/// of one of these classes.
static bool isBlockOperator(Operation *op, ArrayRef<OpClass> classes) {
  auto compute = dyn_cast<ComputeOpInterface>(op);
  return compute && op->getName().getDialectNamespace() == "mirage_block" &&
         llvm::is_contained(classes, getOpInfo(compute.getOpKind()).opClass);
}

/// Verifies what is said of the registers of an operator. The lowering checks
/// that it can be executed so.
static LogicalResult verifyRegisterLayout(Operation *op, Attribute value) {
  if (isBlockOperator(op, {OpClass::Elementwise, OpClass::Reduction}) &&
      isa<LayoutAttr>(value))
    return success();
  return op->emitOpError()
         << "'" << ThreadDialect::getRegisterLayoutAttrName()
         << "' belongs on an elementwise operator or a reduction of a block "
            "graph and holds a #mirage_thread.layout (schedule_c17)";
}

/// Verifies what is said of a tile in shared memory. The lowering checks that
/// it can lie there so.
static LogicalResult verifyMemoryLayout(Operation *op, Attribute value) {
  auto rows = dyn_cast<StringAttr>(value);
  bool isTile = op->getName().getStringRef() == "mirage_block.load" ||
                isBlockOperator(op, {OpClass::Elementwise, OpClass::Reduction,
                                     OpClass::Contraction, OpClass::Layout});
  if (isTile && rows && RowLayout::parse(rows.getValue()))
    return success();
  return op->emitOpError()
         << "'" << memoryLayoutAttrName
         << "' belongs on a load or an operator of a block graph and holds "
            "\"dense\", \"gaps of \" and a "
            "number of elements from 1 to "
         << RowLayout::mostGap
         << ", or \"chunks of \" and 16, 32 or 64 (schedule_c18)";
}

LogicalResult
ThreadDialect::verifyOperationAttribute(Operation *op,
                                        NamedAttribute attribute) {
  if (attribute.getName() == getRegisterLayoutAttrName())
    return verifyRegisterLayout(op, attribute.getValue());
  if (attribute.getName() == memoryLayoutAttrName)
    return verifyMemoryLayout(op, attribute.getValue());
  return op->emitError() << "the dialect mirage_thread has no attribute '"
                         << attribute.getName().getValue() << "'; known are '"
                         << getRegisterLayoutAttrName() << "' and '"
                         << memoryLayoutAttrName << "'";
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
