//===- ComputeOpAttributes.cpp - Attributes between IR and semantics ------===//
//
// Reads the attributes of compute operators into plain ones and writes them
// back, by the names that ComputeOps.td gives them.
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
  DictionaryAttr dictionary;

  void read(StringRef name, int64_t &value) {
    if (auto attr = dictionary.getAs<IntegerAttr>(name))
      value = attr.getInt();
  }
  void read(StringRef name, double &value) {
    if (auto attr = dictionary.getAs<FloatAttr>(name))
      value = attr.getValueAsDouble();
  }
  void read(StringRef name, bool &value) { value = dictionary.contains(name); }
  void read(StringRef name, SmallVector<int64_t, 4> &value) {
    if (auto attr = dictionary.getAs<DenseI64ArrayAttr>(name))
      value.assign(attr.asArrayRef().begin(), attr.asArrayRef().end());
  }
  template <typename Attr, typename Enum>
  void readEnum(StringRef name, Enum &value) {
    if (auto attr = dictionary.getAs<Attr>(name))
      value = attr.getValue();
  }
};

/// Writes attributes into a list.
struct Writer {
  Builder builder;
  NamedAttrList list;

  void write(StringRef name, int64_t value) {
    list.append(name, builder.getI64IntegerAttr(value));
  }
  void write(StringRef name, double value) {
    list.append(name, builder.getF64FloatAttr(value));
  }
  void write(StringRef name, bool value) {
    if (value)
      list.append(name, builder.getUnitAttr());
  }
  void write(StringRef name, ArrayRef<int64_t> value) {
    list.append(name, builder.getDenseI64ArrayAttr(value));
  }
};
} // namespace

static void readConstant(DictionaryAttr dictionary, OpAttributes &attrs) {
  auto value = dictionary.getAs<DenseFPElementsAttr>("value");
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
  if (value.isSplat())
    values.push_back(convert(value.getSplatValue<APFloat>()));
  else
    for (const APFloat &number : value.getValues<APFloat>())
      values.push_back(convert(number));
  attrs.values = std::make_shared<const std::vector<double>>(std::move(values));
}

/// Epsilon is a number of the type that the norm is computed in: f32, or f64
/// for f64. So a norm written out with a constant tensor is the same program.
static void readEpsilon(Reader &reader, OpAttributes &attrs) {
  reader.read("epsilon", attrs.scalar);
  if (attrs.resultType != ElementType::f64)
    attrs.scalar = static_cast<float>(attrs.scalar);
}

OpAttributes mirage::readOpAttributes(OpKind kind, DictionaryAttr dictionary,
                                      unsigned numOperands,
                                      TypeRange resultTypes) {
  OpAttributes attrs;
  Reader reader{dictionary};
  if (!resultTypes.empty())
    if (auto type = dyn_cast<RankedTensorType>(resultTypes.front())) {
      attrs.resultShape = Shape(type.getShape());
      attrs.resultType = convertElementType(type.getElementType());
    }
  switch (kind) {
  case OpKind::Gelu:
    reader.readEnum<GeluFormAttr>("form", attrs.geluForm);
    break;
  case OpKind::Clamp:
    reader.read("lower", attrs.lower);
    reader.read("upper", attrs.upper);
    break;
  case OpKind::Scale:
    reader.read("factor", attrs.scalar);
    break;
  case OpKind::Pow:
    reader.read("exponent", attrs.scalar);
    break;
  case OpKind::Constant:
    readConstant(dictionary, attrs);
    break;
  case OpKind::Repeat:
    reader.read("times", attrs.repeats);
    break;
  case OpKind::Transpose:
    reader.read("permutation", attrs.permutation);
    break;
  case OpKind::Slice:
    reader.read("offsets", attrs.offsets);
    reader.read("sizes", attrs.sizes);
    reader.read("strides", attrs.strides);
    break;
  case OpKind::Split:
    reader.read("parts", attrs.parts);
    reader.read("dim", attrs.dim);
    break;
  case OpKind::Compare:
    reader.readEnum<CompareKindAttr>("kind", attrs.compareKind);
    break;
  case OpKind::Variance:
    reader.read("dim", attrs.dim);
    reader.read("correction", attrs.scalar);
    reader.read("keep", attrs.keep);
    break;
  case OpKind::Attention:
    reader.read("scale", attrs.scalar);
    break;
  case OpKind::Concat:
  case OpKind::Softmax:
  case OpKind::LogSoftmax:
    reader.read("dim", attrs.dim);
    break;
  case OpKind::Pad:
    reader.read("low", attrs.offsets);
    reader.read("high", attrs.sizes);
    reader.read("value", attrs.scalar);
    break;
  case OpKind::Reduce:
    reader.read("dim", attrs.dim);
    reader.read("keep", attrs.keep);
    if (auto group = dictionary.getAs<IntegerAttr>("group"))
      // A group of zero elements is no reduction of the whole dimension.
      attrs.group = group.getInt() == 0 ? -1 : group.getInt();
    reader.readEnum<ReduceKindAttr>("kind", attrs.reduceKind);
    break;
  case OpKind::Matmul:
    reader.read("transpose_lhs", attrs.transposeLhs);
    reader.read("transpose_rhs", attrs.transposeRhs);
    reader.read("compute", attrs.tf32);
    break;
  case OpKind::Conv2d:
    reader.read("strides", attrs.convStrides);
    reader.read("padding", attrs.convPadding);
    reader.read("dilations", attrs.convDilations);
    reader.read("groups", attrs.convGroups);
    reader.readEnum<ConvLayoutAttr>("layout", attrs.convLayout);
    break;
  case OpKind::RmsNorm:
    readEpsilon(reader, attrs);
    attrs.hasWeight = numOperands > 1;
    break;
  case OpKind::GroupNorm:
    reader.read("groups", attrs.groups);
    [[fallthrough]];
  case OpKind::LayerNorm:
  case OpKind::InstanceNorm:
  case OpKind::BatchNorm:
    readEpsilon(reader, attrs);
    // The last two segments of every norm.
    if (auto segments =
            dictionary.getAs<DenseI32ArrayAttr>("operandSegmentSizes");
        segments && segments.size() >= 3) {
      attrs.hasWeight = segments.asArrayRef().take_back(2).front();
      attrs.hasBias = segments.asArrayRef().back();
    }
    break;
  default:
    break;
  }
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
  Writer writer{Builder(context), {}};
  switch (kind) {
  case OpKind::Gelu:
    writer.list.append("form", GeluFormAttr::get(context, attrs.geluForm));
    break;
  case OpKind::Clamp:
    writer.write("lower", attrs.lower);
    writer.write("upper", attrs.upper);
    break;
  case OpKind::Scale:
    writer.write("factor", attrs.scalar);
    break;
  case OpKind::Pow:
    writer.write("exponent", attrs.scalar);
    break;
  case OpKind::Constant: {
    SmallVector<APFloat> values;
    auto floatType = cast<FloatType>(elementType);
    for (double value : *attrs.values)
      values.push_back(FloatAttr::get(floatType, value).getValue());
    auto type = RankedTensorType::get(attrs.resultShape, elementType);
    writer.list.append("value", DenseFPElementsAttr::get(type, values));
    break;
  }
  case OpKind::Repeat:
    writer.write("times", ArrayRef<int64_t>(attrs.repeats));
    break;
  case OpKind::Transpose:
    writer.write("permutation", ArrayRef<int64_t>(attrs.permutation));
    break;
  case OpKind::Slice:
    writer.write("offsets", ArrayRef<int64_t>(attrs.offsets));
    writer.write("sizes", ArrayRef<int64_t>(attrs.sizes));
    writer.write("strides", ArrayRef<int64_t>(attrs.strides));
    break;
  case OpKind::Split:
    writer.write("parts", attrs.parts);
    writer.write("dim", attrs.dim);
    break;
  case OpKind::Compare:
    writer.list.append("kind",
                       CompareKindAttr::get(context, attrs.compareKind));
    break;
  case OpKind::Variance:
    writer.write("dim", attrs.dim);
    writer.write("correction", attrs.scalar);
    writer.write("keep", attrs.keep);
    break;
  case OpKind::Attention:
    writer.write("scale", attrs.scalar);
    break;
  case OpKind::Concat:
  case OpKind::Softmax:
  case OpKind::LogSoftmax:
    writer.write("dim", attrs.dim);
    break;
  case OpKind::Pad:
    writer.write("low", ArrayRef<int64_t>(attrs.offsets));
    writer.write("high", ArrayRef<int64_t>(attrs.sizes));
    writer.write("value", attrs.scalar);
    break;
  case OpKind::Reduce:
    writer.write("dim", attrs.dim);
    writer.write("keep", attrs.keep);
    if (attrs.group)
      writer.write("group", attrs.group);
    writer.list.append("kind", ReduceKindAttr::get(context, attrs.reduceKind));
    break;
  case OpKind::Matmul:
    writer.write("transpose_lhs", attrs.transposeLhs);
    writer.write("transpose_rhs", attrs.transposeRhs);
    if (attrs.tf32)
      writer.list.append("compute", TypeAttr::get(FloatTF32Type::get(context)));
    break;
  case OpKind::Conv2d:
    writer.write("strides", ArrayRef<int64_t>(attrs.convStrides));
    writer.write("padding", ArrayRef<int64_t>(attrs.convPadding));
    writer.write("dilations", ArrayRef<int64_t>(attrs.convDilations));
    writer.write("groups", attrs.convGroups);
    writer.list.append("layout",
                       ConvLayoutAttr::get(context, attrs.convLayout));
    break;
  case OpKind::RmsNorm:
    writer.write("epsilon", attrs.scalar);
    break;
  case OpKind::GroupNorm:
    writer.write("groups", attrs.groups);
    [[fallthrough]];
  case OpKind::LayerNorm:
  case OpKind::InstanceNorm:
  case OpKind::BatchNorm: {
    writer.write("epsilon", attrs.scalar);
    // Operands that must be there, then weight and bias.
    SmallVector<int32_t> segments(getOpInfo(kind).minOperands, 1);
    segments.push_back(attrs.hasWeight);
    segments.push_back(attrs.hasBias);
    writer.list.append("operandSegmentSizes",
                       DenseI32ArrayAttr::get(context, segments));
    break;
  }
  default:
    break;
  }
  return std::move(writer.list);
}
