//===- Emitter.cpp - Scalar graphs to elementwise operators ---------------===//
//
// Brings operands into the order of an iteration space, with dimensions of
// size one for the loops that don't index them, and applies the nodes.
//
//===----------------------------------------------------------------------===//

#include "StructuredOp.h"

using namespace mlir;
using namespace mirage;

Labels mirage::getLabels(const MapLabels &labels) {
  Labels present;
  for (std::optional<unsigned> label : labels)
    if (label)
      present.push_back(*label);
  return present;
}

Value Emitter::alignTensor(Value tensor, const MapLabels &labels,
                           ArrayRef<unsigned> order) {
  Labels sorted = llvm::filter_to_vector<6>(
      order, [&](unsigned label) { return llvm::is_contained(labels, label); });
  Labels present = getLabels(labels);
  // Dimensions without a label have size one.
  Shape shape;
  for (auto [label, size] : llvm::zip(labels, TensorBuilder::getShape(tensor)))
    if (label)
      shape.push_back(size);
  if (present != sorted)
    tensor = builder.arrange(builder.reshape(tensor, shape), present, sorted);
  Shape aligned;
  for (unsigned label : order)
    aligned.push_back(llvm::is_contained(labels, label) ? op.ranges[label] : 1);
  return builder.reshape(tensor, aligned);
}

/// Returns the elements `indices` of dimension `dim`, as slices one after
/// another.
static Value gather(TensorBuilder &builder, Value tensor, unsigned dim,
                    ArrayRef<int64_t> indices) {
  SmallVector<Value> parts;
  Shape sizes = TensorBuilder::getShape(tensor);
  SmallVector<int64_t> starts(sizes.size(), 0), strides(sizes.size(), 1);
  for (auto [start, size, stride] : splitIntoSlices(indices)) {
    starts[dim] = start;
    sizes[dim] = size;
    strides[dim] = stride;
    parts.push_back(builder.slice(tensor, starts, sizes, strides));
  }
  OpAttributes attrs;
  attrs.dim = dim;
  return parts.size() == 1 ? parts.front()
                           : builder.apply(OpKind::Concat, attrs, parts);
}

Value Emitter::align(const StructuredOperand &operand,
                     ArrayRef<unsigned> order) {
  Value tensor = importer.lookup(operand.tensor);
  for (auto [dim, indices] : llvm::enumerate(operand.indices))
    if (!indices.empty())
      tensor = gather(builder, tensor, dim, indices);
  return alignTensor(tensor, operand.labels, order);
}

Value Emitter::emit(unsigned node, ArrayRef<unsigned> order) {
  if (cachedOrder != order) {
    cache.clear();
    cachedOrder.assign(order.begin(), order.end());
  }
  return emitNode(node, order);
}

Value Emitter::emitNode(unsigned number, ArrayRef<unsigned> order) {
  if (Value known = cache.lookup(number))
    return known;
  const ScalarNode &node = op.graph[number];
  Value value;
  switch (node.form) {
  case ScalarNode::Form::Operand:
    value = align(op.operands[node.operand], order);
    break;
  case ScalarNode::Form::Splat:
    value = builder.splat(node.type, Shape(order.size(), 1), node.value);
    break;
  case ScalarNode::Form::Table: {
    MapLabels labels;
    for (unsigned dim : node.dims.set_bits())
      labels.push_back(dim);
    value =
        alignTensor(builder.constant(cast<DenseFPElementsAttr>(node.elements)),
                    labels, order);
    break;
  }
  case ScalarNode::Form::Apply: {
    SmallVector<Value, 3> args;
    for (unsigned arg : node.args)
      args.push_back(emitNode(arg, order));
    value = builder.apply(node.kind, node.attrs, args, node.type);
    break;
  }
  }
  return cache[number] = value;
}

Labels Emitter::getNaturalOrder(unsigned number) {
  Labels order;
  SmallVector<unsigned> pending{number};
  llvm::DenseSet<unsigned> seen;
  while (!pending.empty()) {
    unsigned next = pending.pop_back_val();
    if (!seen.insert(next).second)
      continue;
    const ScalarNode &node = op.graph[next];
    pending.append(node.args.rbegin(), node.args.rend());
    if (node.form != ScalarNode::Form::Operand)
      continue;
    Labels labels = getLabels(op.operands[node.operand].labels);
    if (labels.size() > order.size())
      order = labels;
  }
  for (unsigned dim : op.graph[number].dims.set_bits())
    if (!llvm::is_contained(order, dim))
      order.push_back(dim);
  return order;
}

Value Emitter::finish(const StructuredResult &result, Value value,
                      ArrayRef<unsigned> labels) {
  value = builder.arrange(value, labels, getLabels(result.labels));
  ArrayRef<int64_t> sizes = TensorBuilder::getType(value).getShape();
  Shape shape, full;
  for (std::optional<unsigned> label : result.labels) {
    shape.push_back(label ? sizes.front() : 1);
    full.push_back(label ? op.ranges[*label] : 1);
    if (label)
      sizes = sizes.drop_front();
  }
  return builder.broadcast(builder.reshape(value, shape), full);
}
