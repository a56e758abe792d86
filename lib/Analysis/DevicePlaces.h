//===- DevicePlaces.h - Tensors and their places ----------------*- C++ -*-===//
//
// What the plan of buffers asks of tensors, of operators that only rename them,
// and of their places.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_ANALYSIS_DEVICEPLACES_H
#define MIRAGE_LIB_ANALYSIS_DEVICEPLACES_H

#include "Mirage/Analysis/DeviceBuffers.h"

namespace mirage {

inline mlir::RankedTensorType getTensorType(mlir::Value tensor) {
  return llvm::cast<mlir::RankedTensorType>(tensor.getType());
}

inline Shape getShapeOf(mlir::Value tensor) {
  return Shape(getTensorType(tensor).getShape());
}

inline ElementType getElement(mlir::Value tensor) {
  return *convertElementType(getTensorType(tensor).getElementType());
}

/// Returns true for an operator that gives the bytes of its operand another
/// shape.
bool isView(mlir::Operation *op);

/// Returns the place of the same bytes under another shape, if it has one.
std::optional<DeviceBuffers::Place>
reshapePlace(const DeviceBuffers::Place &place, ShapeRef from, ShapeRef to);

/// Returns the place of a transpose of a tensor that lies in a buffer as it is.
std::optional<DeviceBuffers::Place>
transposePlace(const DeviceBuffers::Place &place, ShapeRef from, ShapeRef to,
               const OpAttributes &transpose);

} // namespace mirage

#endif // MIRAGE_LIB_ANALYSIS_DEVICEPLACES_H
