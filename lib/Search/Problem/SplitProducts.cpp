//===- SplitProducts.cpp - Products of which slices are used --------------===//
//
// Follows slices of products, through casts and other orders of dimensions, and
// computes each of them as a product of its own.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Problem/SplitProducts.h"
#include "Mirage/Semantics/Windows.h"
#include "PartRules.h"
#include "ProgramRewriter.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace mirage;
using namespace mirage::search;
using llvm::ArrayRef;

namespace {
class ProductSplitter : public ProgramRewriter {
public:
  explicit ProductSplitter(const MuGraph &program)
      : ProgramRewriter(program), rules(program) {
    for (unsigned number : from.getRegion().nodes)
      for (MuValue operand : from.getNode(number).operands)
        readingNodes[operand].push_back(&from.getNode(number));
    for (MuValue result : from.getRegion().results)
      results.insert(result);
  }

private:
  std::optional<MuValue> rewrite(const MuNode &node,
                                 ArrayRef<MuValue> operands) override {
    if (node.kind != MuNode::Kind::Operator || node.op != OpKind::Slice ||
        !isOfSplitProduct(node))
      return std::nullopt;
    isChanged = true;
    return getPart(node.operands[0], getWindow(node.attributes));
  }

  static TensorWindow getWindow(const OpAttributes &slice) {
    return {Shape(slice.offsets), Shape(slice.sizes)};
  }

  /// Returns whether an operator has the elements of its operand, in another
  /// order or type.
  static bool isPassing(const MuNode &node) {
    return node.kind == MuNode::Kind::Operator &&
           (node.op == OpKind::Cast || node.op == OpKind::Reshape ||
            node.op == OpKind::Transpose);
  }

  /// The product that a value is computed of by such operators alone, if there
  /// is one.
  const MuNode *findProduct(MuValue value) const {
    const MuNode *node = rules.getDefinition(value);
    while (node && isPassing(*node))
      node = rules.getDefinition(node->operands[0]);
    return node && node->op == OpKind::Matmul ? node : nullptr;
  }

  bool isOfSplitProduct(const MuNode &slice) {
    const MuNode *product = findProduct(slice.operands[0]);
    if (!product)
      return false;
    auto [known, isNew] = splits.try_emplace(product, false);
    if (isNew) {
      llvm::SmallVector<TensorWindow> windows;
      known->second = canSplit(product->results[0], *product, windows);
    }
    return splits[product];
  }

  /// Returns whether nothing but slices is used of a value that is computed of
  /// a product, each of which is a product of windows of the operands, and none
  /// of which computes what another one does. `windows` are those of the
  /// product.
  bool canSplit(MuValue value, const MuNode &product,
                llvm::SmallVectorImpl<TensorWindow> &windows) const {
    auto found = readingNodes.find(value);
    if (results.contains(value) || found == readingNodes.end())
      return false;
    for (const MuNode *reader : found->second) {
      if (isPassing(*reader)) {
        if (!canSplit(reader->results[0], product, windows))
          return false;
        continue;
      }
      if (reader->kind != MuNode::Kind::Operator ||
          reader->op != OpKind::Slice || !hasUnitStrides(*reader))
        return false;
      std::optional<TensorWindow> window =
          findWindow(value, getWindow(reader->attributes), product);
      if (!window || llvm::any_of(windows, [&](const TensorWindow &other) {
            return overlap(other, *window);
          }))
        return false;
      windows.push_back(*window);
    }
    return true;
  }

  /// The windows of a node's operands for a window of its result, if the
  /// operator computes one of the other.
  std::optional<OperandWindows> findOperands(const MuNode &node,
                                             const TensorWindow &window) const {
    auto terms = rules.getTerms(node, window);
    if (!terms || terms->size() != 1 ||
        terms->front().size() != node.operands.size())
      return std::nullopt;
    return terms->front();
  }

  /// Returns the window of a product's result that a window of a value is,
  /// which is computed of it, if windows of its operands in device memory give
  /// that.
  std::optional<TensorWindow> findWindow(MuValue value, TensorWindow window,
                                         const MuNode &product) const {
    while (value != product.results[0]) {
      const MuNode *node = rules.getDefinition(value);
      std::optional<OperandWindows> operands = findOperands(*node, window);
      if (!operands)
        return std::nullopt;
      value = node->operands[0];
      window = operands->front();
    }
    std::optional<OperandWindows> operands = findOperands(product, window);
    if (!operands)
      return std::nullopt;
    bool isPart = false;
    for (auto [operand, part] : llvm::zip_equal(product.operands, *operands)) {
      if (part == getWholeWindow(from.getShape(operand)))
        continue;
      isPart = true;
      if (!isStored(operand, part))
        return std::nullopt;
    }
    return isPart ? std::optional(window) : std::nullopt;
  }

  /// Returns whether a window of a matrix is one of an argument, of which a
  /// reshape gives other dimensions, and a transpose another order. What is
  /// computed is not computed in parts.
  bool isStored(MuValue matrix, TensorWindow window) const {
    const MuNode *node = rules.getDefinition(matrix);
    if (node && node->op == OpKind::Transpose) {
      window = findOperands(*node, window)->front();
      matrix = node->operands[0];
      node = rules.getDefinition(matrix);
    }
    bool isArgument = !node || (node->op == OpKind::Reshape &&
                                !rules.getDefinition(node->operands[0]));
    return isArgument && isWindow(getSlice(window), from.getValue(matrix).type);
  }

  static OpAttributes getSlice(const TensorWindow &window) {
    OpAttributes slice;
    slice.offsets = window.offsets;
    slice.sizes = window.sizes;
    slice.strides.assign(window.sizes.size(), 1);
    return slice;
  }

  /// Adds a window of a product's operand.
  MuValue getMatrix(MuValue matrix, const TensorWindow &window,
                    unsigned location) {
    if (window == getWholeWindow(from.getShape(matrix)))
      return values.lookup(matrix);
    ElementType type = from.getValue(matrix).type;
    const MuNode *node = rules.getDefinition(matrix);
    if (node && node->op == OpKind::Transpose)
      return to.addOperator(
          0, node->op, node->attributes,
          {getMatrix(node->operands[0], findOperands(*node, window)->front(),
                     location)},
          type, location);
    return to.addOperator(0, OpKind::Slice, getSlice(window),
                          {values.lookup(matrix)}, type, location);
  }

  /// Adds a window of a value that is computed of a product.
  MuValue getPart(MuValue value, const TensorWindow &window) {
    const MuNode &node = *rules.getDefinition(value);
    OperandWindows operands = *findOperands(node, window);
    llvm::SmallVector<MuValue> parts;
    for (auto [operand, part] : llvm::zip_equal(node.operands, operands)) {
      if (node.op != OpKind::Matmul) {
        parts.push_back(getPart(operand, part));
        continue;
      }
      parts.push_back(getMatrix(operand, part, node.location));
    }
    OpAttributes attributes = node.attributes;
    if (node.op == OpKind::Reshape)
      attributes.resultShape = window.sizes;
    bool isMatrix = node.op == OpKind::Matmul && window.sizes.size() > 2 &&
                    llvm::all_of(ArrayRef(window.sizes).drop_back(2),
                                 [](int64_t extent) { return extent == 1; });
    if (isMatrix)
      for (MuValue &part : parts)
        part = reshape(part, to.getShape(part).take_back(2), node.location);
    MuValue made = to.addOperator(0, node.op, attributes, parts,
                                  from.getValue(value).type, node.location);
    return isMatrix ? reshape(made, window.sizes, node.location) : made;
  }

  MuValue reshape(MuValue value, ShapeRef shape, unsigned location) {
    OpAttributes attributes;
    attributes.resultShape = Shape(shape);
    return to.addOperator(0, OpKind::Reshape, attributes, {value},
                          to.getValue(value).type, location);
  }

  PartRules rules;
  llvm::DenseMap<MuValue, llvm::SmallVector<const MuNode *, 2>> readingNodes;
  llvm::DenseSet<MuValue> results;
  llvm::DenseMap<const MuNode *, bool> splits;
};
} // namespace

MuGraph mirage::search::splitProducts(const MuGraph &program) {
  bool isFlat = program.getNumRegions() == 1;
  bool hasSlices = llvm::any_of(program.getRegion().nodes, [&](unsigned n) {
    const MuNode &node = program.getNode(n);
    return node.kind == MuNode::Kind::Operator && node.op == OpKind::Slice;
  });
  if (!isFlat || !hasSlices)
    return program;
  return ProductSplitter(program).run().value_or(program);
}
