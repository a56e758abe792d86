//===- BlockDialect.cpp - The dialect mirage_block ------------------------===//
//
// Registers the dialect's operations and the hooks that all operations share.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Dialect/Block/IR/BlockDialect.h"
#include "Mirage/Support/Bytecode.h"
#include "mlir/Transforms/InliningUtils.h"

using namespace mlir;
using namespace mirage;
using namespace mirage::block;

#include "Mirage/Dialect/Block/IR/BlockDialect.cpp.inc"

namespace {
/// Every operation may be inlined: none depends on its surrounding function.
struct InlineEverything : public DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
    return true;
  }
};
} // namespace

void BlockDialect::initialize() {
  addInterfaces<InlineEverything, VersionedBytecode>();
  registerOperations();
}

Operation *BlockDialect::materializeConstant(OpBuilder &builder,
                                             Attribute value, Type type,
                                             Location loc) {
  auto elements = dyn_cast<DenseFPElementsAttr>(value);
  if (!elements || elements.getType() != type)
    return nullptr;
  return ConstantOp::create(builder, loc, elements);
}

void BlockDialect::getCanonicalizationPatterns(
    RewritePatternSet &patterns) const {
  populateComputeCanonicalizations(patterns, getNamespace());
}
