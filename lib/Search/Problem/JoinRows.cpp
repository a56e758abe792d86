//===- JoinRows.cpp - Rows of products in one dimension -------------------===//
//
// Copies the program operator by operator, with reshapes around products and
// transposes, of which those that undo each other fall away.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Problem/JoinRows.h"
#include "Mirage/Semantics/ShapeRules.h"
#include "Mirage/Semantics/Windows.h"
#include "ProgramRewriter.h"
#include "llvm/ADT/STLExtras.h"

using namespace mirage;
using namespace mirage::search;
using llvm::ArrayRef;

namespace {

/// A transpose with one dimension for each run of dimensions that it moves
/// together.
struct JoinedTranspose {
  Shape from, to;
  llvm::SmallVector<int64_t, 4> permutation;
};

class RowJoiner : public ProgramRewriter {
public:
  explicit RowJoiner(const MuGraph &program)
      : ProgramRewriter(program), isReshaped(program.getNumValues(), true) {
    for (unsigned number : program.getRegion().nodes)
      if (const MuNode &node = program.getNode(number);
          node.kind != MuNode::Kind::Operator || node.operands.size() != 1 ||
          !keepsOrder(node.op, node.attributes,
                      program.getShape(node.operands[0])))
        for (MuValue operand : node.operands)
          isReshaped[operand] = false;
    for (MuValue result : program.getRegion().results)
      isReshaped[result] = false;
  }

private:
  /// Returns whether a value is there in this shape already.
  bool hasShape(MuValue value, ShapeRef shape) const {
    auto reshaped = unreshaped.find(value);
    return to.getShape(reshaped == unreshaped.end()
                           ? value
                           : reshaped->second) == shape;
  }

  MuValue addReshape(MuValue value, ShapeRef shape) {
    if (auto reshaped = unreshaped.find(value); reshaped != unreshaped.end())
      value = reshaped->second;
    if (to.getShape(value) == shape)
      return value;
    OpAttributes attributes;
    attributes.resultShape.assign(shape.begin(), shape.end());
    MuValue result =
        add(OpKind::Reshape, attributes, {value}, to.getValue(value).type);
    unreshaped[result] = value;
    return result;
  }

  std::optional<MuValue> rewriteProduct(const MuNode &node,
                                        ArrayRef<MuValue> operands) {
    ShapeRef rows = from.getShape(node.operands[0]),
             matrix = from.getShape(node.operands[1]);
    auto isOne = [](int64_t size) { return size == 1; };
    if (node.attributes.transposeLhs || rows.size() < 3 ||
        !llvm::all_of(matrix.drop_back(2), isOne))
      return std::nullopt;
    // Launches load a value once for each of the shapes in which it is read,
    // other than by dimensions of size one.
    Shape joined = {elementCount(rows.drop_back()), rows.back()};
    bool isBatchOfOne = llvm::all_of(rows.drop_back(2), isOne);
    if (!hasShape(operands[0], joined) &&
        !(isBatchOfOne && hasShape(operands[1], matrix.take_back(2))))
      return std::nullopt;
    isChanged = true;
    MuValue result = node.results[0];
    MuValue product = add(OpKind::Matmul, node.attributes,
                          {addReshape(operands[0], joined),
                           addReshape(operands[1], matrix.take_back(2))},
                          from.getValue(result).type);
    return addReshape(product, from.getShape(result));
  }

  /// Returns how a transpose moves dimensions together; nothing if there are no
  /// two that it does, apart from those of size one. These are left out where
  /// that is enough.
  static std::optional<JoinedTranspose> join(ArrayRef<int64_t> permutation,
                                             ShapeRef shape, bool dropsOnes) {
    /// Runs of dimensions, as what is transposed has them, in the order of the
    /// result.
    struct Run {
      int64_t first, last, size;
    };
    llvm::SmallVector<int64_t, 4> places(shape.size(), 0);
    int64_t next = 0;
    for (auto [dim, size] : llvm::enumerate(shape))
      if (size != 1)
        places[dim] = next++;
    llvm::SmallVector<Run, 4> runs;
    for (int64_t dim : permutation) {
      if (shape[dim] == 1)
        continue;
      int64_t place = places[dim];
      if (!runs.empty() && runs.back().last + 1 == place) {
        runs.back().last = place;
        runs.back().size *= shape[dim];
      } else {
        runs.push_back({place, place, shape[dim]});
      }
    }
    bool isShorter = static_cast<int64_t>(runs.size()) < next ||
                     (dropsOnes && runs.size() < shape.size());
    if (!isShorter || runs.size() < 2)
      return std::nullopt;
    llvm::SmallVector<size_t, 4> order(runs.size());
    for (size_t i = 0; i < order.size(); ++i)
      order[i] = i;
    llvm::sort(order, [&](size_t a, size_t b) {
      return runs[a].first < runs[b].first;
    });
    JoinedTranspose joined;
    joined.permutation.resize(runs.size());
    for (auto [place, run] : llvm::enumerate(order)) {
      joined.from.push_back(runs[run].size);
      joined.permutation[run] = static_cast<int64_t>(place);
    }
    for (const Run &run : runs)
      joined.to.push_back(run.size);
    return joined;
  }

  std::optional<MuValue> rewriteTranspose(const MuNode &node, MuValue value) {
    ArrayRef<int64_t> permutation = node.attributes.permutation;
    ShapeRef shape = from.getShape(node.operands[0]);
    // What transposes matrices of a batch is read by products.
    size_t fixed = 0;
    while (fixed < permutation.size() &&
           permutation[fixed] == static_cast<int64_t>(fixed))
      ++fixed;
    if (fixed > 0 && fixed + 2 == permutation.size())
      return std::nullopt;
    std::optional<JoinedTranspose> joined =
        join(permutation, shape, isReshaped[node.results[0]]);
    if (!joined ||
        (!hasShape(value, joined->from) && readers[node.operands[0]] > 1))
      return std::nullopt;
    isChanged = true;
    OpAttributes attributes;
    attributes.permutation = joined->permutation;
    MuValue moved =
        add(OpKind::Transpose, attributes, {addReshape(value, joined->from)},
            from.getValue(node.results[0]).type);
    return addReshape(moved, from.getShape(node.results[0]));
  }

  std::optional<MuValue> rewrite(const MuNode &node,
                                 ArrayRef<MuValue> operands) override {
    if (node.kind != MuNode::Kind::Operator)
      return std::nullopt;
    switch (node.op) {
    case OpKind::Matmul:
      return rewriteProduct(node, operands);
    case OpKind::Transpose:
      return rewriteTranspose(node, operands[0]);
    case OpKind::Reshape:
      return addReshape(operands[0], from.getShape(node.results[0]));
    default:
      return std::nullopt;
    }
  }

  /// Says for each value of the program whether reshapes alone read it.
  std::vector<bool> isReshaped;
  /// What a value of the copy is a reshape of.
  llvm::DenseMap<MuValue, MuValue> unreshaped;
};

} // namespace

MuGraph mirage::search::joinRows(const MuGraph &program) {
  if (program.getNumRegions() > 1)
    return program;
  return RowJoiner(program).run().value_or(program);
}
