//===- Recognition.h - Which operator a cone computes -----------*- C++ -*-===//
//
// A cone computes an operator if their values agree, element for element, for
// inputs of several magnitudes, up to the rounding of the cone's constants. How
// the cone is written does not matter.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_TRANSFORMS_RAISECOMPOSITES_RECOGNITION_H
#define MIRAGE_LIB_TRANSFORMS_RAISECOMPOSITES_RECOGNITION_H

#include "Cone.h"

namespace mirage {

/// An operator that computes a cone's result. The first operand is the input,
/// which is one of the cone's leaves or the transpose of one. The others are
/// leaves that are vectors and need a reshape to rank one.
struct Recognized {
  OpKind kind;
  OpAttributes attributes;
  llvm::SmallVector<mlir::Value, 3> operands;
  /// The operator's input is the first operand times this number.
  double factor = 1;
};

/// Returns the activation function or norm that the cone computes.
std::optional<Recognized> recognize(const Cone &cone);

} // namespace mirage

#endif // MIRAGE_LIB_TRANSFORMS_RAISECOMPOSITES_RECOGNITION_H
