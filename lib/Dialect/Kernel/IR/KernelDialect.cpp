//===- KernelDialect.cpp - The dialect mirage_kernel ----------------------===//
//
// Registers the dialect's operations and the hooks that all operations share.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Dialect/Kernel/IR/KernelDialect.h"
#include "Mirage/Support/Bytecode.h"
#include "mlir/Transforms/InliningUtils.h"

using namespace mlir;
using namespace mirage;
using namespace mirage::kernel;

#include "Mirage/Dialect/Kernel/IR/KernelDialect.cpp.inc"

namespace {
/// Every operation may be inlined: none depends on its surrounding function.
struct InlineEverything : public DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
    return true;
  }
};
} // namespace

void KernelDialect::initialize() {
  addInterfaces<InlineEverything, VersionedBytecode>();
  registerOperations();
}

Operation *KernelDialect::materializeConstant(OpBuilder &builder,
                                              Attribute value, Type type,
                                              Location loc) {
  auto elements = dyn_cast<DenseFPElementsAttr>(value);
  if (!elements || elements.getType() != type)
    return nullptr;
  return ConstantOp::create(builder, loc, elements);
}

void KernelDialect::getCanonicalizationPatterns(
    RewritePatternSet &patterns) const {
  populateComputeCanonicalizations(patterns, getNamespace());
}
