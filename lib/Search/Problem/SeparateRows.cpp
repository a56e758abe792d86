//===- SeparateRows.cpp - Products of a batch for groups of rows ----------===//
//
// Finds reshapes of products whose slices cut a dimension inside of others, and
// makes a dimension of the batch of these.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Problem/SeparateRows.h"
#include "Mirage/Semantics/ShapeRules.h"
#include "PartRules.h"
#include "ProgramRewriter.h"
#include "llvm/ADT/STLExtras.h"

using namespace mirage;
using namespace mirage::search;
using llvm::ArrayRef;

namespace {

/// How a dimension of a product's result is divided.
struct DividedRows {
  /// Columns are divided, and not rows.
  bool ofColumns;
  int64_t groups, size;
};

class RowSeparator : public ProgramRewriter {
public:
  explicit RowSeparator(const MuGraph &program)
      : ProgramRewriter(program), definitions(program.getNumValues()),
        slices(program.getNumValues()) {
    for (unsigned number : program.getRegion().nodes) {
      const MuNode &node = program.getNode(number);
      for (MuValue result : node.results)
        definitions[result] = &node;
      if (node.kind == MuNode::Kind::Operator && node.op == OpKind::Slice &&
          hasUnitStrides(node))
        slices[node.operands[0]].push_back(&node);
    }
  }

private:
  const MuNode *findDefinition(MuValue value, OpKind kind) const {
    const MuNode *node = definitions[value];
    return node && node->kind == MuNode::Kind::Operator && node->op == kind
               ? node
               : nullptr;
  }

  /// Returns the one dimension of which slices that are all that reads a value
  /// take parts; nothing if there is none.
  std::optional<size_t> findCutDim(MuValue value) const {
    if (slices[value].empty() || slices[value].size() != readers[value])
      return std::nullopt;
    std::optional<size_t> cut;
    for (const MuNode *slice : slices[value])
      for (auto [dim, size] : llvm::enumerate(from.getShape(value))) {
        if (slice->attributes.sizes[dim] == size)
          continue;
        if (cut.value_or(dim) != dim)
          return std::nullopt;
        cut = dim;
      }
    return cut;
  }

  /// Returns how the dimension before `cut` divides the rows or the columns of
  /// a product with this result, if its reshape keeps the other ones.
  static std::optional<DividedRows> divide(ShapeRef product, ShapeRef reshaped,
                                           size_t cut) {
    int64_t columns = product.back();
    for (size_t border = 0; border <= reshaped.size(); ++border) {
      if (elementCount(reshaped.drop_front(border)) != columns)
        continue;
      bool ofColumns = cut >= border;
      ShapeRef own =
          ofColumns ? reshaped.drop_front(border) : reshaped.take_front(border);
      size_t place = ofColumns ? cut - border : cut;
      DividedRows groups = {ofColumns, elementCount(own.take_front(place)),
                            elementCount(own.drop_front(place))};
      if (groups.groups > 1)
        return groups;
    }
    return std::nullopt;
  }

  /// Returns whether an argument has these elements in this order.
  bool isStored(MuValue value) const {
    while (const MuNode *node = findDefinition(value, OpKind::Reshape))
      value = node->operands[0];
    return !definitions[value];
  }

  MuValue reshape(MuValue value, ShapeRef shape) {
    if (to.getShape(value) == shape)
      return value;
    OpAttributes attributes;
    attributes.resultShape = Shape(shape);
    return add(OpKind::Reshape, attributes, {value}, to.getValue(value).type);
  }

  /// Exchanges the first two of three dimensions.
  MuValue exchange(MuValue value) {
    OpAttributes attributes;
    attributes.permutation = {1, 0, 2};
    return add(OpKind::Transpose, attributes, {value}, to.getValue(value).type);
  }

  std::optional<MuValue> rewrite(const MuNode &node,
                                 ArrayRef<MuValue> operands) override {
    if (node.kind != MuNode::Kind::Operator || node.op != OpKind::Reshape ||
        readers[node.operands[0]] != 1)
      return std::nullopt;
    const MuNode *product = findDefinition(node.operands[0], OpKind::Matmul);
    std::optional<size_t> cut = findCutDim(node.results[0]);
    if (!product || !cut)
      return std::nullopt;
    ShapeRef result = from.getShape(node.results[0]);
    std::optional<DividedRows> groups =
        divide(from.getShape(product->results[0]), result, *cut);
    if (!groups)
      return std::nullopt;
    bool isOne = llvm::all_of(product->operands, [&](MuValue operand) {
      return elementCount(from.getShape(operand).drop_back(2)) == 1;
    });
    size_t side = groups->ofColumns ? 1 : 0;
    if (!isOne || !isStored(product->operands[side]))
      return std::nullopt;
    isChanged = true;
    const OpAttributes &attributes = product->attributes;
    // This is true if the divided dimension of the matrix is its first one.
    bool isFirst =
        groups->ofColumns ? attributes.transposeRhs : !attributes.transposeLhs;
    std::array<MuValue, 2> matrices;
    for (auto [number, operand] : llvm::enumerate(product->operands)) {
      ShapeRef matrix = from.getShape(operand).take_back(2);
      MuValue own = values.lookup(operand);
      if (number != side)
        matrices[number] = reshape(own, {1, matrix[0], matrix[1]});
      else if (isFirst)
        matrices[number] =
            reshape(own, {groups->groups, groups->size, matrix[1]});
      else
        matrices[number] =
            exchange(reshape(own, {matrix[0], groups->groups, groups->size}));
    }
    MuValue made = add(OpKind::Matmul, attributes, matrices,
                       from.getValue(product->results[0]).type);
    return reshape(groups->ofColumns ? exchange(made) : made, result);
  }

  std::vector<const MuNode *> definitions;
  /// The slices that read each value, of elements that are beside each other.
  std::vector<llvm::SmallVector<const MuNode *, 3>> slices;
};

} // namespace

MuGraph mirage::search::separateRows(const MuGraph &program) {
  if (program.getNumRegions() > 1)
    return program;
  return RowSeparator(program).run().value_or(program);
}
