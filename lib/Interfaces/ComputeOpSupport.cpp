//===- ComputeOpSupport.cpp - Compute operators in IR ---------------------===//
//
// Implements types, inference, verification and construction of compute
// operators, all by way of the semantics table.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Interfaces/ComputeOpSupport.h"
#include "Mirage/Dialect/Block/IR/BlockDialect.h"
#include "Mirage/Dialect/Kernel/IR/KernelDialect.h"
#include "Mirage/Dialect/Thread/IR/ThreadDialect.h"
#include "Mirage/Interfaces/MuGraphOpInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mirage;

#include "Mirage/Interfaces/MuGraphOpInterface.cpp.inc"

// Every row of the table is an operation of each level.
#define MIRAGE_OP(Kind, ...)                                                   \
  static_assert(kernel::Kind##Op::getOpKind() == OpKind::Kind &&               \
                block::Kind##Op::getOpKind() == OpKind::Kind &&                \
                thread::Kind##Op::getOpKind() == OpKind::Kind);
#include "Mirage/Semantics/OpKinds.def"

StringRef mirage::getDialectName(Level level) {
  switch (level) {
  case Level::Kernel:
    return "mirage_kernel";
  case Level::Block:
    return "mirage_block";
  case Level::Thread:
    return "mirage_thread";
  }
  llvm_unreachable("unknown level");
}

std::optional<Level> mirage::getLevel(Operation *op) {
  StringRef dialect = op->getName().getDialectNamespace();
  for (Level level : {Level::Kernel, Level::Block, Level::Thread})
    if (dialect == getDialectName(level))
      return level;
  return std::nullopt;
}

bool mirage::isCustomOperator(Operation *op) {
  return isa<MuGraphOpInterface>(op) && !getLevel(op);
}

bool mirage::isKernelOperator(Operation *op) {
  return isa<MuGraphOpInterface>(op) &&
         getLevel(op).value_or(Level::Kernel) == Level::Kernel;
}

std::optional<PrimitiveClass> mirage::getPrimitiveClass(Operation *op) {
  if (isCustomOperator(op))
    return std::nullopt;
  if (auto compute = dyn_cast<ComputeOpInterface>(op))
    return compute.getPrimitiveClass();
  return PrimitiveClass::Opaque;
}

std::optional<ElementType> mirage::convertElementType(Type type) {
  return llvm::TypeSwitch<Type, std::optional<ElementType>>(type)
      .Case<Float16Type>([](Type) { return ElementType::f16; })
      .Case<BFloat16Type>([](Type) { return ElementType::bf16; })
      .Case<Float32Type>([](Type) { return ElementType::f32; })
      .Case<Float64Type>([](Type) { return ElementType::f64; })
      .Case<Float8E4M3FNType>([](Type) { return ElementType::f8E4M3FN; })
      .Case<Float8E5M2Type>([](Type) { return ElementType::f8E5M2; })
      .Default([](Type) { return std::nullopt; });
}

Type mirage::convertElementType(MLIRContext *context, ElementType type) {
  switch (type) {
  case ElementType::f16:
    return Float16Type::get(context);
  case ElementType::bf16:
    return BFloat16Type::get(context);
  case ElementType::f32:
    return Float32Type::get(context);
  case ElementType::f64:
    return Float64Type::get(context);
  case ElementType::f8E4M3FN:
    return Float8E4M3FNType::get(context);
  case ElementType::f8E5M2:
    return Float8E5M2Type::get(context);
  }
  llvm_unreachable("unknown element type");
}

SmallVector<Shape, 4> mirage::getShapes(TypeRange types) {
  SmallVector<Shape, 4> shapes;
  for (Type type : types)
    shapes.push_back(Shape(cast<RankedTensorType>(type).getShape()));
  return shapes;
}

int64_t mirage::getBytes(Type type) {
  auto shaped = cast<ShapedType>(type);
  return elementCount(shaped.getShape()) *
         (shaped.getElementTypeBitWidth() / 8);
}

int64_t mirage::getBytes(TypeRange types) {
  int64_t bytes = 0;
  for (Type type : types)
    bytes += getBytes(type);
  return bytes;
}

LogicalResult mirage::verifyTensorType(Operation *op, Type type,
                                       StringRef what) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return op->emitOpError() << what << " is no ranked tensor: " << type;
  for (auto [dim, size] : llvm::enumerate(tensor.getShape()))
    if (size <= 0)
      return op->emitOpError()
             << what << " " << type << " has "
             << (size == 0 ? "no element in" : "a dynamic") << " dimension "
             << dim << "; sizes must be static and positive (op_c1)";
  std::optional<int64_t> count = checkedElementCount(tensor.getShape());
  int64_t bytes;
  if (!count || llvm::MulOverflow<int64_t>(
                    *count, tensor.getElementTypeBitWidth() / 8, bytes))
    return op->emitOpError()
           << what << " " << type << " has 2^63 bytes or more (op_c2)";
  return success();
}

/// Returns true if arithmetic in `narrow` may be accumulated and kept in
/// `wide`.
static bool isWider(Type wide, Type narrow) {
  auto a = dyn_cast<FloatType>(wide), b = dyn_cast<FloatType>(narrow);
  if (!a || !b)
    return false;
  // Every wider type is f32 or f64; f8 can be widened to f16 and bf16 too.
  return a.getWidth() > b.getWidth();
}

static bool mayWiden(OpKind kind) {
  OpClass opClass = getOpInfo(kind).opClass;
  return opClass == OpClass::Contraction || opClass == OpClass::Reduction;
}

/// Checks op_c3 and op_c4, on the operands' element types.
static LogicalResult verifyElementTypes(Operation *op, OpKind kind) {
  Type element;
  constexpr unsigned attentionMask = 3;
  for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
    Type type = cast<RankedTensorType>(operand.getType()).getElementType();
    if (kind == OpKind::Attention && i == attentionMask) {
      if (type != element &&
          !(type.isF32() && element.getIntOrFloatBitWidth() == 16))
        return op->emitOpError()
               << "the mask has element type " << type << " beside queries of "
               << element << "; it has theirs, or f32 beside 16 bits "
               << "(attention_c6)";
      continue;
    }
    if (element && type != element)
      return op->emitOpError() << "operands have element types " << element
                               << " and " << type << " (op_c4)";
    element = type;
  }
  bool storesEightBits = isLayout(kind) || kind == OpKind::Cast ||
                         kind == OpKind::Matmul || kind == OpKind::Constant;
  for (Value value :
       llvm::concat<Value>(llvm::to_vector(op->getOperands()),
                           llvm::to_vector_of<Value>(op->getResults()))) {
    Type type = cast<RankedTensorType>(value.getType()).getElementType();
    if (type.getIntOrFloatBitWidth() == 8 && !storesEightBits)
      return op->emitOpError()
             << "computes with " << type
             << ", which is for storage; cast to a wider type first (op_c3)";
  }
  if (kind == OpKind::Matmul && op->hasAttr("compute") && !element.isF32())
    return op->emitOpError() << "rounds operands of " << element
                             << " to tf32, which goes with f32 (matmul_c4)";
  return success();
}

LogicalResult mirage::verifyComputeOp(Operation *op) {
  auto muGraphOp = cast<ComputeOpInterface>(op);
  OpKind kind = muGraphOp.getOpKind();
  for (auto [i, operand] : llvm::enumerate(op->getOperands()))
    if (failed(verifyTensorType(op, operand.getType(),
                                "operand " + std::to_string(i))))
      return failure();
  for (auto [i, result] : llvm::enumerate(op->getResults()))
    if (failed(verifyTensorType(op, result.getType(),
                                "result " + std::to_string(i))))
      return failure();
  if (failed(verifyElementTypes(op, kind)))
    return failure();

  if (auto value = op->getAttrOfType<ElementsAttr>("value"))
    if (kind == OpKind::Constant && !isa<DenseFPElementsAttr>(value))
      return op->emitOpError(
          "the value is no dense attribute of floats (constant_c1)");

  SmallVector<Shape, 1> inferred;
  std::string error;
  // No shape depends on the values of a constant, of which masks have millions.
  OpAttributes attrs =
      kind == OpKind::Constant
          ? readOpAttributes(kind, DictionaryAttr::get(op->getContext()),
                             /*numOperands=*/0, op->getResultTypes())
          : muGraphOp.getOpAttributes();
  // This stands before the shape rule, which makes as many shapes as there are
  // parts.
  if (kind == OpKind::Split && attrs.parts != op->getNumResults())
    return op->emitOpError()
           << "has " << op->getNumResults() << " results, but parts is "
           << attrs.parts << " (split_c2)";
  if (failed(inferShapes(kind, attrs, muGraphOp.getOperandShapes(), inferred,
                         error)))
    return op->emitOpError(error);
  for (auto [result, shape] : llvm::zip(op->getResults(), inferred)) {
    auto type = cast<RankedTensorType>(result.getType());
    if (type.getShape() != ArrayRef<int64_t>(shape))
      return op->emitOpError()
             << "result has shape " << toString(type.getShape()) << ", not "
             << toString(shape)
             << (kind == OpKind::Cast ? " (cast_c1)" : " (op_c5)");
    if (op->getNumOperands() == 0 || kind == OpKind::Cast)
      continue;
    Type element =
        cast<RankedTensorType>(op->getOperand(0).getType()).getElementType();
    if (type.getElementType() != element &&
        !(mayWiden(kind) && isWider(type.getElementType(), element)))
      return op->emitOpError()
             << "result has element type " << type.getElementType()
             << " where operands have " << element << " (op_c5)";
  }
  return success();
}

LogicalResult mirage::inferComputeTypes(StringRef name, OpKind kind,
                                        MLIRContext *context,
                                        std::optional<Location> location,
                                        ValueRange operands,
                                        DictionaryAttr attributes,
                                        SmallVectorImpl<Type> &results) {
  auto fail = [&](const Twine &message) {
    return emitOptionalError(location, "'", name, "' op ", message);
  };
  for (Value operand : operands) {
    auto tensor = dyn_cast<RankedTensorType>(operand.getType());
    if (!tensor || !tensor.hasStaticShape())
      return fail("operands must be ranked tensors of static shape (op_c1)");
  }
  const OpInfo &info = getOpInfo(kind);
  if (operands.size() < info.minOperands)
    return fail("expected at least " + Twine(info.minOperands) + " operands");
  SmallVector<Shape, 1> shapes;
  std::string error;
  OpAttributes attrs = readOpAttributes(
      kind, attributes ? attributes : DictionaryAttr::get(context),
      operands.size(), {});
  if (failed(inferShapes(kind, attrs, getShapes(operands.getTypes()), shapes,
                         error)))
    return fail(error);
  Type element =
      cast<RankedTensorType>(operands.front().getType()).getElementType();
  for (const Shape &shape : shapes)
    results.push_back(RankedTensorType::get(shape, element));
  return success();
}

LogicalResult mirage::reifyComputeShapes(Operation *op, OpBuilder &builder,
                                         ReifiedRankedShapedTypeDims &shapes) {
  for (Value result : op->getResults()) {
    SmallVector<OpFoldResult> &dims = shapes.emplace_back();
    for (int64_t size : cast<RankedTensorType>(result.getType()).getShape())
      dims.push_back(builder.getIndexAttr(size));
  }
  return success();
}

SmallVector<Value> mirage::buildRow(Operation *op, OpKind kind,
                                    OpBuilder &builder) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  return createComputeOp(builder, op->getLoc(), Level::Kernel, kind,
                         readOpAttributes(op), op->getOperands(),
                         type.getElementType())
      ->getResults();
}

Operation *mirage::createComputeOp(OpBuilder &builder, Location loc,
                                   Level level, OpKind kind,
                                   const OpAttributes &attributes,
                                   ValueRange operands, Type elementType) {
  if (!elementType) {
    assert((!operands.empty() || attributes.resultType) &&
           "an element type is needed");
    elementType =
        attributes.resultType
            ? convertElementType(builder.getContext(), *attributes.resultType)
            : cast<RankedTensorType>(operands.front().getType())
                  .getElementType();
  }
  SmallVector<Shape, 1> shapes;
  std::string error;
  if (failed(inferShapes(kind, attributes, getShapes(operands.getTypes()),
                         shapes, error)))
    llvm::report_fatal_error(llvm::Twine("illegal operator built: ") + error);
  std::string name =
      (getDialectName(level) + "." + getOpInfo(kind).mnemonic).str();
  OperationState state(loc, name);
  state.addOperands(operands);
  for (const Shape &shape : shapes)
    state.addTypes(RankedTensorType::get(shape, elementType));
  state.addAttributes(writeOpAttributes(builder.getContext(), kind, attributes,
                                        operands.size(), elementType)
                          .getAttrs());
  return builder.create(state);
}
