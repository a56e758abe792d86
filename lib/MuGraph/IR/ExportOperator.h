//===- ExportOperator.h - Operators of the table as operations --*- C++ -*-===//
//
// The operation of any compute operator at any level, made from its row of the
// table and its plain attributes.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_MUGRAPH_IR_EXPORTOPERATOR_H
#define MIRAGE_LIB_MUGRAPH_IR_EXPORTOPERATOR_H

#include "Mirage/Interfaces/ComputeOpSupport.h"
#include "Mirage/MuGraph/MuGraph.h"

namespace mirage {

mlir::RankedTensorType getTensorType(mlir::MLIRContext *context,
                                     const MuGraph::Value &value);

/// The operation of an operator whose results have these types. `refuse` emits
/// an error with the reason why there is none.
mlir::FailureOr<mlir::Operation *> exportOperator(
    const MuNode &node, mlir::TypeRange types, Level level,
    mlir::ValueRange operands, mlir::OpBuilder &builder, mlir::Location loc,
    llvm::function_ref<mlir::InFlightDiagnostic(llvm::StringRef)> refuse);

} // namespace mirage

#endif // MIRAGE_LIB_MUGRAPH_IR_EXPORTOPERATOR_H
