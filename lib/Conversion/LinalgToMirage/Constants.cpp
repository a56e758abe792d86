//===- Constants.cpp - Tensors known at compile time ----------------------===//
//
// Finds the elements of tensors that are constants, or are computed of
// constants, and converts constant operations.
//
//===----------------------------------------------------------------------===//

#include "BodyReader.h"
#include "ConstantBody.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mirage;

/// Returns the elements of an attribute, also of one whose bytes are a
/// resource.
static DenseElementsAttr getElements(Attribute attribute) {
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(attribute)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    bool isSplat;
    if (!blob || !DenseElementsAttr::isValidRawBuffer(resource.getType(),
                                                      blob->getData(), isSplat))
      return {};
    return DenseElementsAttr::getFromRawBuffer(resource.getType(),
                                               blob->getData());
  }
  return dyn_cast<DenseElementsAttr>(attribute);
}

LogicalResult mirage::convertConstant(Importer &importer, Operation *op) {
  Value result = op->getResult(0);
  if (auto why = explainUnsupported(result.getType(), /*orCondition=*/true))
    return importer.refuse(*why);
  DenseElementsAttr known = importer.getConstant(result);
  if (!known)
    return importer.refuse("its elements are not known here");
  // A condition becomes one or zero, in f32.
  if (known.getElementType().isInteger(1)) {
    auto one = APFloat(1.0f), zero = APFloat(0.0f);
    known = cast<DenseIntElementsAttr>(known).mapValues(
        Float32Type::get(op->getContext()), [&](const APInt &value) {
          return (value.isZero() ? zero : one).bitcastToAPInt();
        });
  }
  auto elements = cast<DenseFPElementsAttr>(known);
  OpBuilder opBuilder(op);
  importer.map(result,
               TensorBuilder(opBuilder, op->getLoc()).constant(elements));
  return success();
}

std::optional<double> Importer::getNumber(Value scalar) {
  Attribute constant;
  // The number may be taken out of a tensor.
  if (auto extract = scalar.getDefiningOp<tensor::ExtractOp>()) {
    if (std::optional<double> splat = getSplat(extract.getTensor()))
      return splat;
    if (extract.getTensor().getType().getRank() == 0)
      if (DenseElementsAttr elements = getConstant(extract.getTensor()))
        constant = elements.getSplatValue<Attribute>();
  } else {
    matchPattern(scalar, m_Constant(&constant));
  }
  if (auto number = dyn_cast_or_null<FloatAttr>(constant))
    return toDouble(number);
  if (auto number = dyn_cast_or_null<IntegerAttr>(constant);
      number && number.getType().isInteger(1))
    return number.getValue().isZero() ? 0.0 : 1.0;
  return std::nullopt;
}

std::optional<double> Importer::getSplat(Value tensor) {
  Operation *op = tensor.getDefiningOp();
  if (!op)
    return std::nullopt;
  if (auto fill = dyn_cast<linalg::FillOp>(op))
    return getNumber(fill.getInputs()[0]);
  if (auto splat = dyn_cast<tensor::SplatOp>(op))
    return getNumber(splat.getInput());
  if (auto generic = dyn_cast<linalg::GenericOp>(op))
    return getNumber(generic.getBody()->getTerminator()->getOperand(
        cast<OpResult>(tensor).getResultNumber()));
  DenseElementsAttr elements;
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::CastOp,
          tensor::ExtractSliceOp>(op))
    return getSplat(op->getOperand(0));
  if (!matchPattern(op, m_Constant(&elements)) || !elements.isSplat())
    return std::nullopt;
  if (isa<FloatType>(elements.getElementType()))
    return toDouble(elements.getSplatValue<FloatAttr>());
  if (elements.getElementType().isInteger(1))
    return elements.getSplatValue<bool>() ? 1.0 : 0.0;
  return std::nullopt;
}

double mirage::toDouble(FloatAttr number) { return number.getValueAsDouble(); }

DenseElementsAttr Importer::getConstant(Value tensor) {
  auto known = constants.find(tensor);
  if (known != constants.end())
    return known->second;
  DenseElementsAttr elements = findConstant(tensor);
  return constants[tensor] = elements;
}

/// Returns the elements that a structured operation of constants computes.
static DenseElementsAttr evaluateStructured(Importer &importer,
                                            linalg::LinalgOp op,
                                            OpResult result,
                                            RankedTensorType type) {
  AffineMap map = op.getIndexingMapMatchingResult(result);
  if (!op.hasPureTensorSemantics() || !map.isPermutation() ||
      op.getNumParallelLoops() != op.getNumLoops())
    return {};
  ConstantBody body(importer, op);
  Value yielded =
      op.getBlock()->getTerminator()->getOperand(result.getResultNumber());
  if (!body.getLoops(yielded))
    return {};
  SmallVector<unsigned> order;
  for (AffineExpr dim : map.getResults())
    order.push_back(cast<AffineDimExpr>(dim).getPosition());
  SmallVector<int64_t> ranges = op.getStaticLoopRanges(),
                       starts(ranges.size(), 0);
  SmallVector<Attribute> values = body.evaluate(yielded, order, starts, ranges);
  return values.empty() ? DenseElementsAttr()
                        : DenseElementsAttr::get(type, values);
}

DenseElementsAttr Importer::findConstant(Value tensor) {
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  Operation *op = tensor.getDefiningOp();
  if (!op || !type || !type.hasStaticShape() || type.getNumElements() == 0)
    return {};
  Attribute attribute;
  if (matchPattern(op, m_Constant(&attribute)))
    return getElements(attribute);
  if (auto from = dyn_cast<tensor::FromElementsOp>(op)) {
    SmallVector<Attribute> values;
    for (Value element : from.getElements())
      if (matchPattern(element, m_Constant(&attribute)))
        values.push_back(attribute);
    if (values.size() == from.getElements().size())
      return DenseElementsAttr::get(type, values);
    return {};
  }
  if (auto splat = dyn_cast<tensor::SplatOp>(op))
    return matchPattern(splat.getInput(), m_Constant(&attribute))
               ? DenseElementsAttr::get(type, attribute)
               : DenseElementsAttr();
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::CastOp>(op)) {
    DenseElementsAttr elements = getConstant(op->getOperand(0));
    return elements ? elements.reshape(type) : elements;
  }
  if (auto linalg = dyn_cast<linalg::LinalgOp>(op))
    return evaluateStructured(*this, linalg, cast<OpResult>(tensor), type);
  return {};
}
