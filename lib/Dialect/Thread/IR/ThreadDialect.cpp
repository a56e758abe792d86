//===- ThreadDialect.cpp - The dialect mirage_thread ----------------------===//
//
// Registers the dialect's operations and the hooks that all operations share.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Dialect/Thread/IR/ThreadDialect.h"
#include "Mirage/Support/Bytecode.h"
#include "mlir/Transforms/InliningUtils.h"

using namespace mlir;
using namespace mirage;
using namespace mirage::thread;

#include "Mirage/Dialect/Thread/IR/ThreadDialect.cpp.inc"

namespace {
/// Every operation may be inlined: none depends on its surrounding function.
struct InlineEverything : public DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
    return true;
  }
};
} // namespace

void ThreadDialect::initialize() {
  addInterfaces<InlineEverything, VersionedBytecode>();
  registerOperations();
  registerAttributes();
  registerTypes();
}

Operation *ThreadDialect::materializeConstant(OpBuilder &builder,
                                              Attribute value, Type type,
                                              Location loc) {
  auto elements = dyn_cast<DenseFPElementsAttr>(value);
  if (!elements || elements.getType() != type)
    return nullptr;
  return ConstantOp::create(builder, loc, elements);
}

void ThreadDialect::getCanonicalizationPatterns(
    RewritePatternSet &patterns) const {
  populateComputeCanonicalizations(patterns, getNamespace());
}
