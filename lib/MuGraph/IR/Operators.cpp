//===- Operators.cpp - Operations as operators of the table ---------------===//
//
// An operation stands for an operator of the semantics table: Mirage's compute
// operations do, and those of arith and tensor that surround them.
//
//===----------------------------------------------------------------------===//

#include "Operators.h"
#include "Mirage/Dialect/Block/IR/BlockDialect.h"
#include "Mirage/Interfaces/MuGraphOpInterface.h"
#include "Mirage/MuGraph/IR/ImportMuGraph.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mirage;

FailureOr<MuGraph::Value> mirage::importType(Type type, std::string &error) {
  constexpr int64_t mostElements = int64_t(1) << 31;
  auto tensor = dyn_cast<RankedTensorType>(type);
  std::optional<ElementType> element;
  if (tensor)
    element = convertElementType(tensor.getElementType());
  llvm::raw_string_ostream os(error);
  if (!element || !tensor.hasStaticShape()) {
    os << type << " is no tensor of floats of static shape";
    return failure();
  }
  std::optional<int64_t> count = checkedElementCount(tensor.getShape());
  if (!count || *count > mostElements || *count == 0) {
    os << type << " does not have between 1 and " << mostElements
       << " elements";
    return failure();
  }
  return MuGraph::Value{Shape(tensor.getShape()), *element};
}

InFlightDiagnostic mirage::emitNotExecuted(Operation *op) {
  return op->emitError() << "the interpreter does not execute '"
                         << op->getName() << "'";
}

LogicalResult mirage::checkTypes(Operation *op) {
  for (Type type :
       llvm::concat<const Type>(llvm::to_vector(op->getOperandTypes()),
                                llvm::to_vector(op->getResultTypes()))) {
    std::string error;
    // Loads name the variables of the loops around them.
    if (type.isIndex() && isa<block::LoadOp>(op))
      continue;
    if (failed(importType(type, error)))
      return emitNotExecuted(op) << ": " << error;
  }
  return success();
}

/// The operator of an operation outside of Mirage's dialects.
static std::optional<OpKind> getGlueOperator(Operation *op,
                                             OpAttributes &attrs) {
  using Result = std::optional<OpKind>;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case<arith::AddFOp>([](auto) { return OpKind::Add; })
      .Case<arith::SubFOp>([](auto) { return OpKind::Sub; })
      .Case<arith::MulFOp>([](auto) { return OpKind::Mul; })
      .Case<arith::DivFOp>([](auto) { return OpKind::Div; })
      .Case<arith::MaximumFOp>([](auto) { return OpKind::Max; })
      .Case<arith::MinimumFOp>([](auto) { return OpKind::Min; })
      .Case<arith::NegFOp>([&](auto) {
        attrs.scalar = -1;
        return OpKind::Scale;
      })
      .Case<arith::ExtFOp>([](auto) { return OpKind::Cast; })
      .Case<arith::TruncFOp>([](arith::TruncFOp op) -> Result {
        auto mode = op.getRoundingmode();
        if (mode && *mode != arith::RoundingMode::to_nearest_even)
          return std::nullopt;
        return OpKind::Cast;
      })
      .Case<arith::ConstantOp>([&](arith::ConstantOp op) -> Result {
        attrs = readOpAttributes(OpKind::Constant, op->getAttrDictionary(), 0,
                                 op->getResultTypes());
        return OpKind::Constant;
      })
      .Case<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(
          [](auto) { return OpKind::Reshape; })
      .Case<tensor::ExtractSliceOp>([&](tensor::ExtractSliceOp op) -> Result {
        if (!op.getOffsets().empty() || !op.getSizes().empty() ||
            !op.getStrides().empty())
          return std::nullopt;
        attrs.offsets = Shape(op.getStaticOffsets());
        attrs.sizes = Shape(op.getStaticSizes());
        attrs.strides = Shape(op.getStaticStrides());
        return OpKind::Slice;
      })
      .Default([](Operation *) { return std::nullopt; });
}

FailureOr<Operator> mirage::getOperator(Operation *op) {
  Operator what;
  if (auto compute = dyn_cast<ComputeOpInterface>(op)) {
    what.kind = compute.getOpKind();
    what.attributes = compute.getOpAttributes();
  } else {
    std::optional<OpKind> kind = getGlueOperator(op, what.attributes);
    if (!kind)
      return emitNotExecuted(op);
    what.kind = *kind;
  }
  if (failed(checkTypes(op)))
    return failure();
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  what.type = *convertElementType(type.getElementType());
  what.attributes.resultShape = Shape(type.getShape());
  if (what.kind == OpKind::Constant && !what.attributes.values)
    return emitNotExecuted(op) << ": its value is no dense<…>";
  // Mirage's operations are verified; here this guards the glue.
  SmallVector<Shape, 1> results;
  std::string error;
  if (failed(inferShapes(what.kind, what.attributes,
                         getShapes(op->getOperandTypes()), results, error)))
    return emitNotExecuted(op) << ": " << error;
  if (ArrayRef<int64_t>(results.front()) != type.getShape())
    what.resultShape = Shape(type.getShape());
  return what;
}
