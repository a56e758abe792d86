//===- DialectHooks.h - Hooks of the dialects with operators ----*- C++ -*-===//
//
// Holds what the dialects of all three levels tell MLIR alike.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_INTERFACES_DIALECTHOOKS_H
#define MIRAGE_INTERFACES_DIALECTHOOKS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/Transforms/InliningUtils.h"

namespace mirage {

/// Every operation may be inlined: none depends on its surrounding function.
struct InlineEverything : public mlir::DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(mlir::Operation *, mlir::Region *, bool,
                       mlir::IRMapping &) const final {
    return true;
  }
};

/// Creates the constant that a fold returned, or returns null for a value that
/// is no tensor of this type.
template <typename ConstantOp>
mlir::Operation *materializeTensor(mlir::OpBuilder &builder,
                                   mlir::Attribute value, mlir::Type type,
                                   mlir::Location loc) {
  auto elements = mlir::dyn_cast<mlir::DenseFPElementsAttr>(value);
  if (!elements || elements.getType() != type)
    return nullptr;
  return ConstantOp::create(builder, loc, elements);
}

} // namespace mirage

#endif // MIRAGE_INTERFACES_DIALECTHOOKS_H
