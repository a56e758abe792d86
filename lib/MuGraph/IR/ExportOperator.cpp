//===- ExportOperator.cpp - Operators of the table as operations ----------===//
//
// Checks what an operation would leave out or change, and creates it.
//
//===----------------------------------------------------------------------===//

#include "ExportOperator.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mlir;
using namespace mirage;

RankedTensorType mirage::getTensorType(MLIRContext *context,
                                       const MuGraph::Value &value) {
  return RankedTensorType::get(value.shape,
                               convertElementType(context, value.type));
}

/// Why no dense<…> of this type holds the values, or nothing.
static std::string checkConstant(const OpAttributes &attributes,
                                 RankedTensorType type) {
  if (!attributes.values)
    return "it has no values";
  size_t count = attributes.values->size();
  if (count != 1 && count != static_cast<size_t>(type.getNumElements()))
    return llvm::formatv("it has {0} values for {1} elements", count,
                         type.getNumElements());
  ElementType element = *convertElementType(type.getElementType());
  for (double value : *attributes.values)
    if (!std::isnan(value) && roundTo(element, value) != value)
      return llvm::formatv("its value {0:e} is none of type {1}", value,
                           runtime::stringifyElementType(element));
  return {};
}

FailureOr<Operation *> mirage::exportOperator(
    const MuNode &node, TypeRange types, Level level, ValueRange operands,
    OpBuilder &builder, Location loc,
    llvm::function_ref<InFlightDiagnostic(StringRef)> refuse) {
  const OpAttributes &attributes = node.attributes;
  SmallVector<Shape, 1> shapes;
  std::string error;
  if (failed(inferShapes(node.op, attributes, getShapes(operands.getTypes()),
                         shapes, error)))
    return refuse(error);
  if (shapes.size() != types.size())
    return refuse("") << "it has " << types.size() << " results instead of "
                      << shapes.size();
  Type element = cast<RankedTensorType>(types.front()).getElementType();
  // Attributes and results may say different things only in a graph.
  for (auto [type, shape] : llvm::zip_equal(types, shapes))
    if (auto expected = RankedTensorType::get(shape, element); type != expected)
      return refuse("") << "its result is " << type << " instead of "
                        << expected;
  if (node.op == OpKind::Cast && attributes.resultType &&
      convertElementType(builder.getContext(), *attributes.resultType) !=
          element)
    return refuse("") << "it casts to "
                      << runtime::stringifyElementType(*attributes.resultType)
                      << ", but its result is " << types.front();
  if (node.op == OpKind::Constant)
    if (error =
            checkConstant(attributes, cast<RankedTensorType>(types.front()));
        !error.empty())
      return refuse(error);
  return createComputeOp(builder, loc, level, node.op, attributes, operands,
                         element);
}
