//===- JoinedProducts.cpp - Sums of products as one product ---------------===//
//
// Looks behind every addition for two products.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Launches/JoinedProducts.h"
#include "Mirage/Search/Launches/TileLayouts.h"

using namespace mirage;
using namespace mirage::search;
using Kind = OperatorForm::Kind;

namespace {
class Finder {
public:
  Finder(const SearchProblem &problem, const LaunchGraph &launch)
      : problem(problem), launch(launch), uses(launch.values.size(), 0) {
    for (const BlockOperator &op : launch.operators) {
      for (uint8_t operand : op.getOperands(getForm(op).getNumOperands()))
        ++uses[operand];
    }
    for (uint8_t output : launch.outputs)
      ++uses[output];
    // A rescaled sum reads its maximum.
    for (const LaunchGraph::Value &value : launch.values)
      if (value.shift)
        ++uses[value.shift.getValue()];
  }

  std::optional<JoinedSum> find(unsigned sum) const {
    const BlockOperator *add = getOperator(sum);
    if (!add || getForm(*add).kind != Kind::Binary ||
        getForm(*add).op != OpKind::Add)
      return std::nullopt;
    JoinedSum joined;
    joined.sum = sum;
    joined.products = {add->first, add->second};
    const BlockOperator *first = getOperator(add->first),
                        *second = getOperator(add->second);
    if (isSum(first, add->first) && isSum(second, add->second)) {
      joined.accumulators = joined.products;
      joined.products = {first->first, second->first};
    }
    return areJoinable(joined) ? std::optional(joined) : std::nullopt;
  }

private:
  const OperatorForm &getForm(const BlockOperator &op) const {
    return problem.getForm(op.formId);
  }
  /// The operator that computes a value; null for a load.
  const BlockOperator *getOperator(unsigned value) const {
    return value < launch.loads.size()
               ? nullptr
               : &launch.operators[value - launch.loads.size()];
  }
  /// Returns whether a value is a sum over a loop that is not rescaled, and
  /// that only one operator reads.
  bool isSum(const BlockOperator *op, unsigned value) const {
    return op && getForm(*op).kind == Kind::Accumulate && uses[value] == 1 &&
           !launch.values[op->first].shift;
  }
  bool isPlainProduct(unsigned value) const {
    const BlockOperator *op = getOperator(value);
    return op && getForm(*op).kind == Kind::Matmul && uses[value] == 1;
  }
  bool areJoinable(const JoinedSum &joined) const {
    auto [first, second] = joined.products;
    if (first == second || !isPlainProduct(first) || !isPlainProduct(second))
      return false;
    const LaunchGraph::Value &a = launch.values[first],
                             &b = launch.values[second];
    if (a.phase != b.phase || a.dims != b.dims)
      return false;
    ProductAxes one = getProductAxes(problem, launch, *getOperator(first)),
                other = getProductAxes(problem, launch, *getOperator(second));
    return one.batch == other.batch && one.rows == other.rows &&
           one.columns == other.columns;
  }

  const SearchProblem &problem;
  const LaunchGraph &launch;
  std::vector<unsigned> uses;
};
} // namespace

llvm::SmallVector<JoinedSum, 1>
mirage::search::findJoinedSums(const SearchProblem &problem,
                               const LaunchGraph &launch) {
  Finder finder(problem, launch);
  llvm::SmallVector<JoinedSum, 1> sums;
  for (unsigned value = 0; value < launch.values.size(); ++value)
    if (auto joined = finder.find(value))
      sums.push_back(*joined);
  return sums;
}
