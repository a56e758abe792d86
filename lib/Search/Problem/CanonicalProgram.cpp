//===- CanonicalProgram.cpp - One form of a program's spellings -----------===//
//
// Copies the program operator by operator, and moves casts and transposes of
// what was copied as each operator that reads them is added.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Problem/CanonicalProgram.h"
#include "Mirage/Search/Problem/JoinParts.h"
#include "Mirage/Search/Problem/JoinRows.h"
#include "Mirage/Search/Problem/SeparateRows.h"
#include "Mirage/Search/Problem/SplitProducts.h"
#include "Mirage/Semantics/MatrixInstruction.h"
#include "Mirage/Semantics/ShapeRules.h"
#include "ProgramRewriter.h"
#include "llvm/ADT/STLExtras.h"

using namespace mirage;
using namespace mirage::search;
using llvm::ArrayRef;

/// Returns whether a permutation exchanges the last two dimensions alone.
static bool exchangesLast(ArrayRef<int64_t> permutation) {
  auto rank = static_cast<int64_t>(permutation.size());
  if (rank < 2 || permutation[rank - 1] != rank - 2 ||
      permutation[rank - 2] != rank - 1)
    return false;
  return llvm::all_of(
      llvm::enumerate(permutation.drop_back(2)), [](auto entry) {
        return entry.value() == static_cast<int64_t>(entry.index());
      });
}

/// Returns whether a permutation moves dimensions of size one alone, so that
/// elements stay in their order.
static bool keepsOrder(ArrayRef<int64_t> permutation, ShapeRef shape) {
  int64_t last = -1;
  for (int64_t dim : permutation)
    if (shape[dim] != 1 && dim < std::exchange(last, dim))
      return false;
  return true;
}

namespace {

class Canonicalizer : public ProgramRewriter {
public:
  explicit Canonicalizer(const MuGraph &program) : ProgramRewriter(program) {}

private:
  void noteRewritten(const MuNode &node, ArrayRef<MuValue> operands,
                     MuValue result, size_t known) override {
    // A value that was there before has the readers that it had, too.
    isAlone[result] = readers[node.results[0]] == 1 &&
                      (result >= known ||
                       (isAlone.lookup(result) && isAlone.lookup(operands[0])));
  }
  void noteCopied(const MuNode &node, ArrayRef<MuValue> copies) override {
    for (auto [result, copy] : llvm::zip_equal(node.results, copies)) {
      definitions[copy] = to.getNumNodes() - 1;
      isAlone[copy] = readers[result] == 1;
    }
  }

  /// The operator of this kind that computes a value; nothing if another one
  /// does. The copy stays as it is while others are added.
  std::optional<MuNode> find(MuValue value, OpKind kind) const {
    auto found = definitions.find(value);
    if (found == definitions.end())
      return std::nullopt;
    const MuNode &node = to.getNode(found->second);
    if (node.kind != MuNode::Kind::Operator || node.op != kind)
      return std::nullopt;
    return node;
  }
  /// The same if nothing but what is added now reads the value.
  std::optional<MuNode> findAlone(MuValue value, OpKind kind) const {
    return isAlone.lookup(value) ? find(value, kind) : std::nullopt;
  }
  /// The transpose of a matrix that computes a value; nothing if there is none.
  std::optional<MuNode> findExchange(MuValue value) const {
    std::optional<MuNode> node = find(value, OpKind::Transpose);
    return node && exchangesLast(node->attributes.permutation) ? node
                                                               : std::nullopt;
  }

  unsigned getBytes(MuValue value) const {
    return byteSize(to.getValue(value).type);
  }

  MuValue add(OpKind kind, const OpAttributes &attributes,
              ArrayRef<MuValue> operands, ElementType type) {
    MuValue result = ProgramRewriter::add(kind, attributes, operands, type);
    definitions[result] = to.getNumNodes() - 1;
    isAlone[result] = true;
    return result;
  }

  /// Returns what a value was cast from, if the cast made it wider, which
  /// changes no number.
  std::optional<MuValue> findNarrow(MuValue value) const {
    std::optional<MuNode> cast = find(value, OpKind::Cast);
    if (!cast || getBytes(cast->operands[0]) >= getBytes(value))
      return std::nullopt;
    return cast->operands[0];
  }

  /// Adds the attention of what queries, keys and values were cast from;
  /// nothing if that has not the type wanted. Its scores are f32 as well, and
  /// so may its mask be.
  std::optional<MuValue> addNarrowAttention(MuValue value, ElementType type) {
    std::optional<MuNode> attention = findAlone(value, OpKind::Attention);
    if (!attention || byteSize(type) != 2 ||
        to.getValue(value).type != ElementType::f32)
      return std::nullopt;
    auto operands = llvm::to_vector(ArrayRef(attention->operands));
    for (MuValue &operand : llvm::MutableArrayRef(operands).take_front(3)) {
      std::optional<MuValue> narrow = findNarrow(operand);
      if (!narrow || to.getValue(*narrow).type != type)
        return std::nullopt;
      operand = *narrow;
    }
    isChanged = true;
    return add(OpKind::Attention, attention->attributes, operands, type);
  }

  /// Adds a cast, before what moves elements if it makes them narrower. Of a
  /// value that was cast to a wider type, it is a cast of what that was before.
  MuValue addCast(MuValue value, ElementType type) {
    if (std::optional<MuValue> narrow = findNarrow(value)) {
      isChanged = true;
      return to.getValue(*narrow).type == type ? *narrow
                                               : addCast(*narrow, type);
    }
    if (std::optional<MuValue> narrow = addNarrowAttention(value, type))
      return *narrow;
    for (OpKind kind :
         {OpKind::Reshape, OpKind::Transpose, OpKind::Broadcast}) {
      std::optional<MuNode> moved = findAlone(value, kind);
      if (!moved || byteSize(type) >= getBytes(value))
        continue;
      isChanged = true;
      MuValue narrow = addCast(moved->operands[0], type);
      return addMoved(kind, moved->attributes, narrow);
    }
    OpAttributes attributes;
    attributes.resultType = type;
    return add(OpKind::Cast, attributes, {value}, type);
  }

  /// Adds an operator that moves elements, before a cast that makes them wider.
  /// A transposed product is a product, and a reshaped reshape is one reshape.
  MuValue addMoved(OpKind kind, const OpAttributes &attributes, MuValue value) {
    ElementType type = to.getValue(value).type;
    if (kind == OpKind::Reshape) {
      if (ShapeRef(attributes.resultShape) == to.getShape(value)) {
        isChanged = true;
        return value;
      }
      if (std::optional<MuNode> first = find(value, OpKind::Reshape)) {
        isChanged = true;
        return addMoved(kind, attributes, first->operands[0]);
      }
    }
    std::optional<MuNode> cast = findAlone(value, OpKind::Cast);
    if (cast && kind != OpKind::Broadcast &&
        byteSize(type) > getBytes(cast->operands[0])) {
      isChanged = true;
      return addCast(addMoved(kind, attributes, cast->operands[0]), type);
    }
    if (kind == OpKind::Transpose && exchangesLast(attributes.permutation)) {
      std::optional<MuNode> product =
          findAlone(cast ? cast->operands[0] : value, OpKind::Matmul);
      if (product) {
        isChanged = true;
        MuValue exchanged =
            exchange(*product, to.getValue(product->results[0]).type);
        return cast ? addCast(exchanged, type) : exchanged;
      }
    }
    return add(kind, attributes, {value}, type);
  }

  /// Adds the transposed product.
  MuValue exchange(const MuNode &product, ElementType type) {
    OpAttributes attributes = product.attributes;
    attributes.transposeLhs = !product.attributes.transposeRhs;
    attributes.transposeRhs = !product.attributes.transposeLhs;
    return add(OpKind::Matmul, attributes,
               {product.operands[1], product.operands[0]}, type);
  }

  /// Returns the matrix that a transposed one is made of; casts to a wider type
  /// are taken of it.
  std::optional<MuValue> findUntransposed(MuValue value) {
    if (std::optional<MuNode> moved = findExchange(value))
      return moved->operands[0];
    std::optional<MuNode> cast = find(value, OpKind::Cast);
    if (!cast || getBytes(value) <= getBytes(cast->operands[0]))
      return std::nullopt;
    std::optional<MuNode> moved = findExchange(cast->operands[0]);
    if (!moved)
      return std::nullopt;
    return add(OpKind::Cast, cast->attributes, {moved->operands[0]},
               to.getValue(value).type);
  }

  /// Returns the transposed product that a product reads on its left, cast or
  /// not; nothing if something else reads it, too, or it is no product.
  std::optional<MuValue> exchangeRead(MuValue value) {
    std::optional<MuNode> cast = findAlone(value, OpKind::Cast);
    std::optional<MuNode> product =
        findAlone(cast ? cast->operands[0] : value, OpKind::Matmul);
    if (!product)
      return std::nullopt;
    MuValue exchanged =
        exchange(*product, to.getValue(product->results[0]).type);
    return cast ? addCast(exchanged, to.getValue(value).type) : exchanged;
  }

  std::optional<MuValue> rewriteProduct(const MuNode &node,
                                        ArrayRef<MuValue> operands) {
    OpAttributes attributes = node.attributes;
    std::array<MuValue, 2> matrices = {operands[0], operands[1]};
    bool isRead = false;
    for (auto [matrix, isTransposed] :
         {std::pair(&matrices[0], &attributes.transposeLhs),
          std::pair(&matrices[1], &attributes.transposeRhs)})
      if (std::optional<MuValue> other = findUntransposed(*matrix)) {
        *matrix = *other;
        *isTransposed = !*isTransposed;
        isRead = true;
      }
    if (attributes.transposeLhs)
      if (std::optional<MuValue> exchanged = exchangeRead(matrices[0])) {
        matrices[0] = *exchanged;
        attributes.transposeLhs = false;
        isRead = true;
      }
    ElementType type = from.getValue(node.results[0]).type;
    if (std::optional<std::array<MuValue, 2>> exact =
            findExact(matrices, type)) {
      matrices = *exact;
      // Elements of two bytes are numbers of tf32.
      attributes.tf32 = false;
      isRead = true;
    }
    if (!isRead)
      return std::nullopt;
    isChanged = true;
    return add(OpKind::Matmul, attributes, matrices, type);
  }

  /// Returns the matrices that those of a product were cast from without loss,
  /// if tensor cores multiply them and give the same result.
  std::optional<std::array<MuValue, 2>>
  findExact(const std::array<MuValue, 2> &matrices, ElementType result) const {
    std::array<MuValue, 2> exact;
    for (auto [matrix, narrow] : llvm::zip_equal(matrices, exact)) {
      std::optional<MuNode> cast = find(matrix, OpKind::Cast);
      if (!cast || getBytes(cast->operands[0]) != 2 || getBytes(matrix) != 4)
        return std::nullopt;
      narrow = cast->operands[0];
    }
    ElementType type = to.getValue(exact[0]).type;
    if (to.getValue(exact[1]).type != type || !isMatrixResult(type, result) ||
        result != ElementType::f32)
      return std::nullopt;
    return exact;
  }

  /// Returns the softmax of what something was subtracted from, if it is the
  /// same all along the dimension.
  std::optional<MuValue> rewriteSoftmax(const MuNode &node, MuValue operand) {
    std::optional<MuNode> difference = find(operand, OpKind::Sub);
    if (!difference)
      return std::nullopt;
    MuValue minuend = difference->operands[0],
            subtrahend = difference->operands[1];
    auto dim = static_cast<size_t>(node.attributes.dim);
    ShapeRef shape = to.getShape(operand), row = to.getShape(subtrahend);
    if (to.getShape(minuend) != shape || row.size() != shape.size() ||
        row[dim] != 1 || shape[dim] == 1 ||
        to.getValue(minuend).type != to.getValue(operand).type)
      return std::nullopt;
    isChanged = true;
    return add(node.op, node.attributes, {minuend},
               from.getValue(node.results[0]).type);
  }

  std::optional<MuValue> rewrite(const MuNode &node,
                                 ArrayRef<MuValue> operands) override {
    if (node.kind != MuNode::Kind::Operator)
      return std::nullopt;
    switch (node.op) {
    case OpKind::Cast:
      return addCast(operands[0], from.getValue(node.results[0]).type);
    case OpKind::Transpose:
      // Products read matrices transposed, also those of one row, but for those
      // of one element.
      if ((!exchangesLast(node.attributes.permutation) ||
           elementCount(to.getShape(operands[0]).take_back(2)) == 1) &&
          keepsOrder(node.attributes.permutation, to.getShape(operands[0]))) {
        OpAttributes reshape;
        reshape.resultShape = Shape(from.getShape(node.results[0]));
        isChanged = true;
        return addMoved(OpKind::Reshape, reshape, operands[0]);
      }
      [[fallthrough]];
    case OpKind::Reshape:
    case OpKind::Slice:
      return addMoved(node.op, node.attributes, operands[0]);
    case OpKind::Matmul:
      return rewriteProduct(node, operands);
    case OpKind::Softmax:
    case OpKind::LogSoftmax:
      return rewriteSoftmax(node, operands[0]);
    default:
      return std::nullopt;
    }
  }

  /// The nodes that compute values of the copy, and which of these values have
  /// one reader, which may be still to come.
  llvm::DenseMap<MuValue, unsigned> definitions;
  llvm::DenseMap<MuValue, bool> isAlone;
};

} // namespace

MuGraph mirage::search::canonicalizeProgram(const MuGraph &program,
                                            RowGroups groups) {
  if (program.getNumRegions() > 1)
    return program;
  auto rewrite = [](const MuGraph &graph) {
    return Canonicalizer(graph).run().value_or(graph);
  };
  MuGraph joined = rewrite(joinRows(joinParts(program)));
  if (groups == RowGroups::Separate)
    joined = separateRows(joined);
  return rewrite(splitProducts(joined));
}
