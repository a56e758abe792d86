//===- JoinBatchDims.cpp - Two batch dimensions as one --------------------===//
//
// A batch may be one dimension, or two that stand beside each other: the
// program computes the same. But a grid has at most three dimensions, and two
// batch dimensions take two of them. So they become one.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Problem/ProgramViews.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace mirage;
using namespace mirage::search;

namespace {
class BatchJoiner {
public:
  explicit BatchJoiner(const ProgramView &from)
      : from(from.program), view(getSurroundings(from)) {}

  std::optional<ProgramView> run() {
    // A launch reads a window where it stands, along the tensor's dimensions.
    bool hasWindow = llvm::any_of(view.inputs, [](const ViewInput &input) {
      return input.window.has_value();
    });
    if (hasWindow || !findBatch())
      return std::nullopt;
    for (MuValue argument : from.getRegion().arguments)
      values[argument] = view.program.addArgument(
          0, join(from.getShape(argument)), from.getValue(argument).type);
    for (unsigned number : from.getRegion().nodes) {
      MuNode node = from.getNode(number);
      if (!joinAttributes(node))
        return std::nullopt;
      for (MuValue &operand : node.operands)
        operand = values.lookup(operand);
      for (MuValue &result : node.results) {
        const MuGraph::Value &value = from.getValue(result);
        result = values[result] =
            view.program.addValue(join(value.shape), value.type);
      }
      view.program.addNode(0, std::move(node));
    }
    llvm::SmallVector<MuValue> results;
    for (MuValue result : from.getRegion().results)
      results.push_back(values.lookup(result));
    view.program.setResults(0, results);
    return std::move(view);
  }

private:
  /// Tensors of matrices have two batch dimensions and the two of a matrix. In
  /// those of more, heads are grouped, and the groups are told apart.
  static constexpr size_t kRank = 4;

  static bool hasBatch(ShapeRef shape) { return shape.size() == kRank; }

  /// Finds the sizes of the batch dimensions, which all tensors have but
  /// vectors and matrices, and those of which there is one for the whole batch.
  bool findBatch() {
    for (MuValue value = 0; value < from.getNumValues(); ++value) {
      ShapeRef shape = from.getShape(value);
      if (shape.size() < 3 ||
          (hasBatch(shape) && shape[0] == 1 && shape[1] == 1))
        continue;
      if (!hasBatch(shape) || shape[0] == 1 || shape[1] == 1 ||
          (outer && (outer != shape[0] || inner != shape[1])))
        return false;
      outer = shape[0];
      inner = shape[1];
    }
    return outer > 0;
  }

  Shape join(ShapeRef shape) const {
    Shape joined(shape);
    if (!hasBatch(shape))
      return joined;
    joined[1] *= joined[0];
    joined.erase(joined.begin());
    return joined;
  }

  /// Makes a node's attributes those for joined tensors. Returns false if it
  /// does something to one of the two dimensions, or may.
  bool joinAttributes(MuNode &node) const {
    if (node.kind != MuNode::Kind::Operator)
      return false;
    bool isNorm = node.op == OpKind::RmsNorm || node.op == OpKind::LayerNorm;
    for (auto [number, operand] : llvm::enumerate(node.operands))
      if (!hasBatch(from.getShape(operand)) && !(isNorm && number > 0))
        return false;
    OpAttributes &attributes = node.attributes;
    switch (node.op) {
    case OpKind::Matmul:
    case OpKind::Attention:
    case OpKind::RmsNorm:
    case OpKind::LayerNorm:
      return true;
    case OpKind::Reduce:
    case OpKind::Softmax:
    case OpKind::LogSoftmax:
      return --attributes.dim > 0;
    case OpKind::Transpose:
      if (attributes.permutation[0] != 0 || attributes.permutation[1] != 1)
        return false;
      attributes.permutation.erase(attributes.permutation.begin());
      for (int64_t &dim : attributes.permutation)
        dim = std::max<int64_t>(0, dim - 1);
      return true;
    case OpKind::Constant:
    case OpKind::Broadcast:
    case OpKind::Reshape:
      attributes.resultShape = join(attributes.resultShape);
      // Elements of the batch must stay in their places.
      return node.op != OpKind::Reshape ||
             ShapeRef(from.getShape(node.operands[0])).take_front(2) ==
                 ShapeRef(from.getShape(node.results[0])).take_front(2);
    default:
      return isElementwise(node.op);
    }
  }

  const MuGraph &from;
  ProgramView view;
  llvm::DenseMap<MuValue, MuValue> values;
  int64_t outer = 0, inner = 0;
};
} // namespace

std::optional<ProgramView>
mirage::search::joinBatchDims(const ProgramView &view) {
  return BatchJoiner(view).run();
}
