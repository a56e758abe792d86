//===- BodyReader.cpp - Values of bodies to nodes of scalar graphs --------===//
//
// Finds out where a value of a body comes from: a constant, an element of an
// operand, an element at known indices, a branch that is known, a table over
// the loops, or an operation (BodyOperations.cpp).
//
//===----------------------------------------------------------------------===//

#include "BodyReader.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mirage;

FailureOr<unsigned> BodyReader::read(Value value) {
  if (auto known = nodes.find(value); known != nodes.end())
    return known->second;
  FailureOr<unsigned> node = readNew(value);
  if (succeeded(node))
    nodes[value] = *node;
  return node;
}

FailureOr<unsigned> BodyReader::readNew(Value value) {
  Type type = getElementTypeOrSelf(value);
  MLIRContext *context = type.getContext();
  if (std::optional<double> number = importer.getNumber(value)) {
    if (type.isInteger(1))
      return op.graph.addSplat(Float32Type::get(context), *number);
    if (convertElementType(type))
      return op.graph.addSplat(cast<FloatType>(type), *number);
  }
  if (linalg && body.hasIntegers(value))
    if (std::optional<llvm::SmallBitVector> loops = body.getLoops(value))
      return readTable(value, *loops);
  if (auto argument = dyn_cast<BlockArgument>(value);
      argument && linalg && argument.getOwner() == linalg.getBlock())
    return readOperand(argument.getArgNumber());
  Operation *definition = value.getDefiningOp();
  if (isa_and_nonnull<scf::IfOp>(definition) && linalg)
    return readBranch(cast<OpResult>(value));
  if (auto extract = dyn_cast_or_null<tensor::ExtractOp>(definition);
      extract && linalg)
    return readExtract(extract);
  if (definition && !isa<ShapedType>(value.getType()))
    return readOperation(definition);
  return importer.refuse("its body reads a scalar of type " + toText(type) +
                         ", which is no constant");
}

FailureOr<unsigned> BodyReader::readTable(Value value,
                                          const llvm::SmallBitVector &loops) {
  Type type = getElementTypeOrSelf(value);
  bool isCondition = type.isInteger(1);
  if (!isCondition && !convertElementType(type))
    return importer.refuse("its elements are of " + toText(type));
  SmallVector<unsigned> order(loops.set_bits_begin(), loops.set_bits_end());
  SmallVector<Attribute> values =
      body.evaluate(value, order, op.starts, op.ranges);
  if (values.empty())
    return failure();
  if (isCondition) {
    type = Float32Type::get(type.getContext());
    for (Attribute &attribute : values)
      attribute = FloatAttr::get(
          type, cast<IntegerAttr>(attribute).getValue().isZero() ? 0.0 : 1.0);
  }
  if (llvm::all_equal(values))
    return op.graph.addSplat(cast<FloatType>(type),
                             toDouble(cast<FloatAttr>(values.front())));
  Shape shape;
  for (unsigned dim : order)
    shape.push_back(op.ranges[dim]);
  return op.graph.addTable(
      DenseElementsAttr::get(RankedTensorType::get(shape, type), values), loops,
      isCondition);
}

FailureOr<unsigned> BodyReader::readBranch(OpResult result) {
  auto branch = cast<scf::IfOp>(result.getOwner());
  std::optional<llvm::SmallBitVector> loops =
      body.getLoops(branch.getCondition());
  if (!loops || loops->count() > 1)
    return importer.refuse("'scf.if' has a condition that is not known for "
                           "each number of one loop");
  SmallVector<unsigned> order(loops->set_bits_begin(), loops->set_bits_end());
  SmallVector<Attribute> conditions =
      body.evaluate(branch.getCondition(), order, op.starts, op.ranges);
  if (conditions.empty())
    return failure();
  auto change = llvm::find_if(
      conditions, [&](Attribute c) { return c != conditions.front(); });
  if (change != conditions.end()) {
    split.emplace(order.front(),
                  op.starts[order.front()] + (change - conditions.begin()));
    return importer.refuse("'scf.if' branches on the index of a loop");
  }
  bool taken = !cast<IntegerAttr>(conditions.front()).getValue().isZero();
  Region &region = taken ? branch.getThenRegion() : branch.getElseRegion();
  return read(
      region.front().getTerminator()->getOperand(result.getResultNumber()));
}

FailureOr<unsigned> BodyReader::readExtract(tensor::ExtractOp extract) {
  constexpr size_t mostSlices = 32;
  if (failed(importer.checkOperand(extract.getTensor())))
    return failure();
  auto type = cast<RankedTensorType>(extract.getTensor().getType());
  StructuredOperand operand;
  operand.tensor = extract.getTensor();
  for (auto [index, size] : llvm::zip(extract.getIndices(), type.getShape())) {
    std::optional<llvm::SmallBitVector> loops = body.getLoops(index);
    std::optional<unsigned> loop;
    if (loops && loops->any())
      loop = loops->find_first();
    if (!loops || loops->count() > 1 ||
        (loop && llvm::is_contained(operand.labels, loop)))
      return importer.refuse("'tensor.extract' has an index that is not known "
                             "for each number of one loop of its own");
    SmallVector<unsigned> order(loops->set_bits_begin(), loops->set_bits_end());
    SmallVector<Attribute> values =
        body.evaluate(index, order, op.starts, op.ranges);
    if (values.empty())
      return failure();
    auto &indices = operand.indices.emplace_back(
        llvm::map_to_vector(values, [](Attribute value) {
          return cast<IntegerAttr>(value).getInt();
        }));
    for (int64_t i : indices)
      if (i < 0 || i >= size)
        return importer.refuse("'tensor.extract' reads outside of its tensor");
    if (splitIntoSlices(indices).size() > mostSlices)
      return importer.refuse("'tensor.extract' reads elements in an order of "
                             "more than " +
                             Twine(mostSlices) + " slices");
    operand.labels.push_back(loop);
  }
  return addOperand(std::move(operand));
}

FailureOr<unsigned> BodyReader::readOperand(unsigned number) {
  OpOperand &operand = linalg->getOpOperand(number);
  Value tensor = operand.get();
  if (!isa<ShapedType>(tensor.getType()))
    return read(tensor);
  if (tensor.getDefiningOp<tensor::EmptyOp>())
    return importer.refuse("it reads elements of a tensor.empty");
  if (failed(importer.checkOperand(tensor)))
    return failure();
  FloatType type = importer.getFloatType(tensor);
  bool accumulates = linalg.isDpsInit(&operand) && op.reductions.any();
  if (!accumulates)
    if (std::optional<double> splat = importer.getSplat(tensor))
      return op.graph.addSplat(type, *splat);
  FailureOr<MapLabels> labels = readMap(linalg.getMatchingIndexingMap(&operand),
                                        cast<ShapedType>(tensor.getType()));
  if (failed(labels))
    return failure();
  return addOperand({tensor, *labels, {}});
}

unsigned BodyReader::addOperand(StructuredOperand operand) {
  llvm::SmallBitVector dims(op.ranges.size());
  operand.indices.resize(operand.labels.size());
  auto type = cast<ShapedType>(operand.tensor.getType());
  for (auto [label, indices, size] :
       llvm::zip(operand.labels, operand.indices, type.getShape())) {
    if (!label)
      continue;
    dims.set(*label);
    // If the loop runs over a part, these are the elements of that part.
    int64_t start = op.starts[*label], range = op.ranges[*label];
    if (indices.empty() && range != size)
      llvm::append_range(indices, llvm::seq(start, start + range));
  }
  op.operands.push_back(operand);
  return op.graph.addOperand(op.operands.size() - 1,
                             importer.getFloatType(operand.tensor), dims,
                             getElementTypeOrSelf(operand.tensor).isInteger(1));
}

FailureOr<MapLabels> BodyReader::readMap(AffineMap map, ShapedType type) {
  MapLabels labels;
  llvm::SmallBitVector seen(op.ranges.size());
  for (auto [expr, size] : llvm::zip(map.getResults(), type.getShape())) {
    if (auto constant = dyn_cast<AffineConstantExpr>(expr);
        constant && constant.getValue() == 0 && size == 1) {
      labels.push_back(std::nullopt);
      continue;
    }
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim || seen.test(dim.getPosition()))
      return importer.refuse("indexing map " + toText(map) +
                             " is no projected permutation");
    seen.set(dim.getPosition());
    labels.push_back(dim.getPosition());
  }
  return labels;
}
