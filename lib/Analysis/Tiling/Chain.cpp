//===- Chain.cpp - Programs as chains of products -------------------------===//
//
// Follows the program from its result to the first operand.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Tiling/Chain.h"
#include "Mirage/MuGraph/ValueOrigins.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace mirage;
using namespace mirage::tiling;

ScheduleProblem
ChainShape::getScheduleProblem(llvm::ArrayRef<int64_t> tiles) const {
  ScheduleProblem problem;
  problem.products = getNumProducts();
  for (auto [size, tile] : llvm::zip_equal(sizes, tiles))
    problem.extents.push_back(llvm::divideCeil(size, tile));
  problem.normalized = normalized;
  problem.bindsColumns = freeGridDims > 1;
  return problem;
}

namespace {

class ChainReader {
public:
  ChainReader(const MuGraph &program, std::string &error,
              std::optional<unsigned> &location)
      : program(program), origins(program), error(error), location(location) {}

  std::optional<Chain> run();

private:
  bool fail(const MuNode &node, const llvm::Twine &reason) {
    error = reason.str();
    location = node.location;
    return false;
  }
  bool readOperator(unsigned number, const MuNode &node, MuValue &value);
  bool readProduct(unsigned number, const MuNode &node, MuValue &value);
  bool hasOneUse(MuValue value) const;
  bool readShapes();

  const MuGraph &program;
  ValueOrigins origins;
  std::string &error;
  std::optional<unsigned> &location;
  Chain chain;
  /// The operators that follow the product that is to be read next, from the
  /// last one on.
  llvm::SmallVector<unsigned, 2> operators;
};

} // namespace

bool ChainReader::hasOneUse(MuValue value) const {
  unsigned uses = llvm::count(program.getRegion().results, value);
  for (unsigned number : program.getRegion().nodes)
    uses += llvm::count(program.getNode(number).operands, value);
  return uses == 1;
}

static bool isSplat(const MuGraph &program, const ValueOrigins &origins,
                    MuValue value) {
  if (origins[value].isArgument)
    return false;
  const MuNode &node = program.getNode(origins[value].node);
  return node.kind == MuNode::Kind::Operator && node.op == OpKind::Constant &&
         node.attributes.values->size() == 1;
}

bool ChainReader::readOperator(unsigned number, const MuNode &node,
                               MuValue &value) {
  MuValue next = node.operands.front();
  if (node.op == OpKind::Softmax) {
    size_t last = program.getShape(next).size() - 1;
    if (node.attributes.dim != static_cast<int64_t>(last))
      return fail(node,
                  llvm::formatv("softmax is along dimension {0}, and that "
                                "of a row is {1}",
                                node.attributes.dim, last));
  } else if (!isElementwise(node.op)) {
    return fail(node, llvm::formatv("'{0}' is no operator of a chain: between "
                                    "products stand those that work element by "
                                    "element, and softmax",
                                    node.getName()));
  }
  unsigned values = 0;
  for (MuValue operand : node.operands) {
    if (isSplat(program, origins, operand))
      continue;
    next = operand;
    ++values;
  }
  if (values != 1)
    return fail(node, llvm::formatv("'{0}' has {1} operands that are not the "
                                    "same number everywhere; an operator of a "
                                    "chain has one, the result before it",
                                    node.getName(), values));
  if (program.getShape(next) != program.getShape(value))
    return fail(node, llvm::formatv("'{0}' changes the shape", node.getName()));
  operators.push_back(number);
  value = next;
  return true;
}

bool ChainReader::readProduct(unsigned number, const MuNode &node,
                              MuValue &value) {
  auto [lhs, rhs] = std::pair(node.operands[0], node.operands[1]);
  if (!origins[rhs].isArgument)
    return fail(node, "the right operand of a chain's product is an input, and "
                      "this is a result");
  if (lhs == rhs && origins[lhs].isArgument)
    return fail(node, "both operands are the same input; a chain loads each "
                      "input once");
  bool isFirst = origins[lhs].isArgument;
  if (node.attributes.transposeLhs && !isFirst)
    return fail(node, "the result before it is transposed; only the first left "
                      "operand of a chain may be");
  ChainProduct product;
  product.node = number;
  product.rhs = rhs;
  product.transposeRhs = node.attributes.transposeRhs;
  product.tf32 = node.attributes.tf32;
  for (unsigned op : llvm::reverse(operators)) {
    const MuNode &after = program.getNode(op);
    if (after.op == OpKind::Softmax) {
      if (product.softmax)
        return fail(after, "there are two softmax after one product");
      product.softmax = op;
      continue;
    }
    if (product.softmax && after.op != OpKind::Cast &&
        after.op != OpKind::Scale)
      return fail(after,
                  llvm::formatv("'{0}' follows softmax, whose denominators are "
                                "divided by after the next product: only casts "
                                "and scales may stand before that",
                                after.getName()));
    (product.softmax ? product.afterSoftmax : product.operators).push_back(op);
  }
  if (product.softmax && chain.products.empty())
    return fail(program.getNode(*product.softmax),
                "softmax stands after the last product; in a chain it stands "
                "between products");
  operators.clear();
  chain.products.push_back(std::move(product));
  value = lhs;
  if (isFirst)
    chain.transposeLhs = node.attributes.transposeLhs;
  return true;
}

/// The rows and columns of an operand.
static std::pair<int64_t, int64_t> getMatrix(ShapeRef shape, bool transposed) {
  int64_t rows = shape.rbegin()[1], columns = shape.back();
  return transposed ? std::pair(columns, rows) : std::pair(rows, columns);
}

bool ChainReader::readShapes() {
  ChainShape &shape = chain.shape;
  MuValue result = program.getRegion().results.front();
  ShapeRef whole = program.getShape(result);
  chain.batch.assign(whole.begin(), whole.end() - 2);
  unsigned batches = 0;
  for (int64_t size : chain.batch) {
    shape.batch *= size;
    batches += size > 1;
  }
  if (batches > 2) {
    error = llvm::formatv("the result has {0} dimensions before rows; a grid "
                          "has three dimensions, of which rows need one",
                          batches);
    return false;
  }
  shape.freeGridDims = 3 - batches;
  auto getBytes = [&](MuValue value) {
    return byteSize(program.getValue(value).type);
  };
  auto [rows, contracted] =
      getMatrix(program.getShape(chain.lhs), chain.transposeLhs);
  shape.sizes = {rows, contracted};
  shape.lhsBytes = getBytes(chain.lhs);
  for (auto [i, product] : llvm::enumerate(chain.products)) {
    shape.sizes.push_back(
        getMatrix(program.getShape(product.rhs), product.transposeRhs).second);
    shape.rhsBytes.push_back(getBytes(product.rhs));
    bool isLast = i + 1 == chain.products.size();
    shape.resultBytes.push_back(getBytes(
        isLast ? result
               : program.getNode(chain.products[i + 1].node).operands[0]));
    shape.normalized.push_back(product.softmax.has_value());
  }
  return true;
}

std::optional<Chain> ChainReader::run() {
  const MuRegion &body = program.getRegion();
  if (body.results.size() != 1) {
    error = llvm::formatv("a chain has one result, and this function has {0}",
                          body.results.size());
    return std::nullopt;
  }
  MuValue value = body.results.front();
  while (!origins[value].isArgument) {
    unsigned number = origins[value].node;
    const MuNode &node = program.getNode(number);
    if (node.kind != MuNode::Kind::Operator) {
      fail(node, "a chain is made of operators of kernel level, and this is a "
                 "launch");
      return std::nullopt;
    }
    if (!hasOneUse(value)) {
      fail(node, "the result of an operator of a chain is used once, and this "
                 "one is used several times");
      return std::nullopt;
    }
    bool isRead = node.op == OpKind::Matmul ? readProduct(number, node, value)
                                            : readOperator(number, node, value);
    if (!isRead)
      return std::nullopt;
  }
  if (chain.products.empty() || !operators.empty()) {
    error = chain.products.empty()
                ? "there is no product"
                : "there are operators before the first product";
    if (!operators.empty())
      location = program.getNode(operators.back()).location;
    return std::nullopt;
  }
  if (chain.products.size() + 2 > maxLoops) {
    error = llvm::formatv("there are {0} products; there are names for the "
                          "loops of {1}",
                          chain.products.size(), maxLoops - 2);
    return std::nullopt;
  }
  chain.lhs = value;
  std::reverse(chain.products.begin(), chain.products.end());
  chain.program = program;
  if (!readShapes())
    return std::nullopt;
  return std::move(chain);
}

std::optional<Chain>
mirage::tiling::readChain(const MuGraph &program, std::string &error,
                          std::optional<unsigned> &location) {
  return ChainReader(program, error, location).run();
}
