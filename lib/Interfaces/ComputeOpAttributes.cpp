//===- ComputeOpAttributes.cpp - Attributes between IR and semantics ------===//
//
// Reads the attributes of compute operators into plain ones and writes them
// back, by the names that ComputeOps.td gives them. One function says which
// attributes an operator has; what reads and what writes are its visitors.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Dialect/Mirage/IR/MirageDialect.h"
#include "Mirage/Interfaces/ComputeOpSupport.h"
#include "Mirage/Interfaces/MuGraphOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;
using namespace mirage;

namespace {
/// Reads attributes of a dictionary, leaving defaults where one is missing.
struct Reader {
  OpAttributes &attrs;
  DictionaryAttr dictionary;
  unsigned numOperands;

  void visit(StringRef name, int64_t &value) {
    if (auto attr = dictionary.getAs<IntegerAttr>(name))
      value = attr.getInt();
  }
  void visit(StringRef name, double &value) {
    if (auto attr = dictionary.getAs<FloatAttr>(name))
      value = attr.getValueAsDouble();
  }
  void visit(StringRef name, bool &value) { value = dictionary.contains(name); }
  void visit(StringRef name, SmallVector<int64_t, 4> &value) {
    if (auto attr = dictionary.getAs<DenseI64ArrayAttr>(name))
      value.assign(attr.asArrayRef().begin(), attr.asArrayRef().end());
  }
  template <typename Attr, typename Enum>
  void visitEnum(StringRef name, Enum &value) {
    if (auto attr = dictionary.getAs<Attr>(name))
      value = attr.getValue();
  }

  void visitConstant(StringRef name);
  void visitGroup(StringRef name);
  void visitTF32(StringRef name) { visit(name, attrs.tf32); }
  void visitEpsilon(StringRef name);
  void visitWeight() { attrs.hasWeight = numOperands > 1; }
  void visitSegments(StringRef name, unsigned minOperands);
};

/// Writes attributes into a list.
struct Writer {
  const OpAttributes &attrs;
  Builder builder;
  Type elementType;
  NamedAttrList list;

  void visit(StringRef name, int64_t value) {
    list.append(name, builder.getI64IntegerAttr(value));
  }
  void visit(StringRef name, double value) {
    list.append(name, builder.getF64FloatAttr(value));
  }
  void visit(StringRef name, bool value) {
    if (value)
      list.append(name, builder.getUnitAttr());
  }
  void visit(StringRef name, const SmallVector<int64_t, 4> &value) {
    list.append(name, builder.getDenseI64ArrayAttr(value));
  }
  template <typename Attr, typename Enum>
  void visitEnum(StringRef name, Enum value) {
    list.append(name, Attr::get(builder.getContext(), value));
  }

  void visitConstant(StringRef name);
  void visitGroup(StringRef name) {
    if (attrs.group)
      visit(name, attrs.group);
  }
  void visitTF32(StringRef name) {
    if (attrs.tf32)
      list.append(name,
                  TypeAttr::get(FloatTF32Type::get(builder.getContext())));
  }
  void visitEpsilon(StringRef name) { visit(name, attrs.scalar); }
  /// An operand says that there is a weight.
  void visitWeight() {}
  void visitSegments(StringRef name, unsigned minOperands);
};
} // namespace

void Reader::visitConstant(StringRef name) {
  auto value = dictionary.getAs<DenseFPElementsAttr>(name);
  if (!value)
    return;
  std::vector<double> values;
  auto convert = [](const APFloat &number) {
    APFloat copy = number;
    bool losesInfo;
    copy.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                 &losesInfo);
    return copy.convertToDouble();
  };
  // Masks have millions of elements. Iterators over values take ten times as
  // long as copies of what is stored.
  auto append = [&](auto *first) {
    values.assign(first, first + value.getNumElements());
  };
  const char *stored = value.getRawData().data();
  if (value.isSplat())
    values.push_back(convert(value.getSplatValue<APFloat>()));
  else if (value.getElementType().isF32())
    append(reinterpret_cast<const float *>(stored));
  else if (value.getElementType().isF64())
    append(reinterpret_cast<const double *>(stored));
  else
    for (const APFloat &number : value.getValues<APFloat>())
      values.push_back(convert(number));
  attrs.values = std::make_shared<const std::vector<double>>(std::move(values));
}

void Reader::visitGroup(StringRef name) {
  // A group of zero elements is no reduction of the whole dimension.
  if (auto group = dictionary.getAs<IntegerAttr>(name))
    attrs.group = group.getInt() == 0 ? -1 : group.getInt();
}

/// Epsilon is a number of the type that the norm is computed in: f32, or f64
/// for f64. So a norm written out with a constant tensor is the same program.
void Reader::visitEpsilon(StringRef name) {
  visit(name, attrs.scalar);
  if (attrs.resultType != ElementType::f64)
    attrs.scalar = static_cast<float>(attrs.scalar);
}

void Reader::visitSegments(StringRef name, unsigned minOperands) {
  // Weight and bias are the last two segments of every norm.
  if (auto segments = dictionary.getAs<DenseI32ArrayAttr>(name);
      segments && segments.size() >= 3) {
    attrs.hasWeight = segments.asArrayRef().take_back(2).front();
    attrs.hasBias = segments.asArrayRef().back();
  }
}

void Writer::visitConstant(StringRef name) {
  auto type = RankedTensorType::get(attrs.resultShape, elementType);
  ArrayRef<double> numbers = *attrs.values;
  if (elementType.isF64()) {
    list.append(name, DenseFPElementsAttr::get(type, numbers));
    return;
  }
  if (elementType.isF32()) {
    list.append(name,
                DenseFPElementsAttr::get(type, SmallVector<float>(numbers)));
    return;
  }
  SmallVector<APFloat> values;
  auto floatType = cast<FloatType>(elementType);
  for (double value : numbers)
    values.push_back(FloatAttr::get(floatType, value).getValue());
  list.append(name, DenseFPElementsAttr::get(type, values));
}

void Writer::visitSegments(StringRef name, unsigned minOperands) {
  // The operands that must be there stand before weight and bias.
  SmallVector<int32_t> segments(minOperands, 1);
  segments.push_back(attrs.hasWeight);
  segments.push_back(attrs.hasBias);
  list.append(name, DenseI32ArrayAttr::get(builder.getContext(), segments));
}

/// Visits the attributes of a norm with segments of operands.
template <typename Visitor> static void visitNorm(OpKind kind, Visitor &v) {
  v.visitEpsilon("epsilon");
  v.visitSegments("operandSegmentSizes", getOpInfo(kind).minOperands);
}

/// Visits the attributes of an elementwise operator.
template <typename Visitor>
static void visitElementwise(OpKind kind, Visitor &v) {
  auto &attrs = v.attrs;
  switch (kind) {
  case OpKind::Compare:
    return v.template visitEnum<CompareKindAttr>("kind", attrs.compareKind);
  case OpKind::Gelu:
    return v.template visitEnum<GeluFormAttr>("form", attrs.geluForm);
  case OpKind::Clamp:
    v.visit("lower", attrs.lower);
    return v.visit("upper", attrs.upper);
  case OpKind::Scale:
    return v.visit("factor", attrs.scalar);
  case OpKind::Pow:
    return v.visit("exponent", attrs.scalar);
  // These have no attributes.
  case OpKind::Add:
  case OpKind::Sub:
  case OpKind::Mul:
  case OpKind::Div:
  case OpKind::Max:
  case OpKind::Min:
  case OpKind::Select:
  case OpKind::Abs:
  case OpKind::Exp:
  case OpKind::Exp2:
  case OpKind::Log:
  case OpKind::Sqrt:
  case OpKind::Rsqrt:
  case OpKind::Square:
  case OpKind::Silu:
  case OpKind::Sigmoid:
  case OpKind::Mish:
  case OpKind::Relu:
  case OpKind::Tanh:
  case OpKind::Erf:
  case OpKind::Cast:
    return;
#define MIRAGE_ELEMENTWISE_OP(...)
#define MIRAGE_OP(Kind, ...) case OpKind::Kind:
#include "Mirage/Semantics/OpKinds.def"
    break;
  }
  llvm_unreachable("not an elementwise operator");
}

/// Visits the attributes of one operator, each with its name in IR and the
/// member of OpAttributes that holds it.
template <typename Visitor>
static void visitAttributes(OpKind kind, Visitor &v) {
  auto &attrs = v.attrs;
  switch (kind) {
#define MIRAGE_ELEMENTWISE_OP(Kind, ...) case OpKind::Kind:
#include "Mirage/Semantics/OpKinds.def"
    return visitElementwise(kind, v);
  case OpKind::Constant:
    return v.visitConstant("value");
  case OpKind::Repeat:
    return v.visit("times", attrs.repeats);
  case OpKind::Transpose:
    return v.visit("permutation", attrs.permutation);
  case OpKind::Slice:
    v.visit("offsets", attrs.offsets);
    v.visit("sizes", attrs.sizes);
    return v.visit("strides", attrs.strides);
  case OpKind::Split:
    v.visit("parts", attrs.parts);
    return v.visit("dim", attrs.dim);
  case OpKind::Pad:
    v.visit("low", attrs.offsets);
    v.visit("high", attrs.sizes);
    return v.visit("value", attrs.scalar);
  case OpKind::Reduce:
    v.visit("dim", attrs.dim);
    v.visit("keep", attrs.keep);
    v.visitGroup("group");
    return v.template visitEnum<ReduceKindAttr>("kind", attrs.reduceKind);
  case OpKind::Matmul:
    v.visit("transpose_lhs", attrs.transposeLhs);
    v.visit("transpose_rhs", attrs.transposeRhs);
    return v.visitTF32("compute");
  case OpKind::Conv2d:
    v.visit("strides", attrs.convStrides);
    v.visit("padding", attrs.convPadding);
    v.visit("dilations", attrs.convDilations);
    v.visit("groups", attrs.convGroups);
    return v.template visitEnum<ConvLayoutAttr>("layout", attrs.convLayout);
  case OpKind::RmsNorm:
    v.visitEpsilon("epsilon");
    return v.visitWeight();
  case OpKind::GroupNorm:
    v.visit("groups", attrs.groups);
    return visitNorm(kind, v);
  case OpKind::LayerNorm:
  case OpKind::InstanceNorm:
  case OpKind::BatchNorm:
    return visitNorm(kind, v);
  case OpKind::Variance:
    v.visit("dim", attrs.dim);
    v.visit("correction", attrs.scalar);
    return v.visit("keep", attrs.keep);
  case OpKind::Attention:
    return v.visit("scale", attrs.scalar);
  case OpKind::Concat:
  case OpKind::Softmax:
  case OpKind::LogSoftmax:
    return v.visit("dim", attrs.dim);
  // The result type holds all that these need to know.
  case OpKind::Broadcast:
  case OpKind::Reshape:
  case OpKind::ConcatMatmul:
    return;
  }
  llvm_unreachable("unknown operator");
}

OpAttributes mirage::readOpAttributes(OpKind kind, DictionaryAttr dictionary,
                                      unsigned numOperands,
                                      TypeRange resultTypes) {
  OpAttributes attrs;
  if (!resultTypes.empty())
    if (auto type = dyn_cast<RankedTensorType>(resultTypes.front())) {
      attrs.resultShape = Shape(type.getShape());
      attrs.resultType = convertElementType(type.getElementType());
    }
  Reader reader{attrs, dictionary, numOperands};
  visitAttributes(kind, reader);
  return attrs;
}

OpAttributes mirage::readOpAttributes(Operation *op) {
  auto dictionary =
      dyn_cast_or_null<DictionaryAttr>(op->getPropertiesAsAttribute());
  if (!dictionary)
    dictionary = DictionaryAttr::get(op->getContext());
  return readOpAttributes(cast<ComputeOpInterface>(op).getOpKind(), dictionary,
                          op->getNumOperands(), op->getResultTypes());
}

NamedAttrList mirage::writeOpAttributes(MLIRContext *context, OpKind kind,
                                        const OpAttributes &attrs,
                                        unsigned numOperands,
                                        Type elementType) {
  Writer writer{attrs, Builder(context), elementType, {}};
  visitAttributes(kind, writer);
  return std::move(writer.list);
}
