//===- OrientProducts.cpp - Which operand of a product is on the left -----===//
//
// Tries a candidate with the operands of its products exchanged.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/OrientProducts.h"
#include "Mirage/Search/Launches/Instantiate.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/STLExtras.h"

using namespace mirage;
using namespace mirage::search;

/// Returns the products of a launch in groups: of one group are those whose
/// results are combined element by element, accumulated or not.
static llvm::SmallVector<llvm::SmallVector<BlockOperator *, 4>, 4>
groupProducts(const SearchProblem &problem, LaunchGraph &launch) {
  using Kind = OperatorForm::Kind;
  llvm::IntEqClasses classes(launch.values.size());
  unsigned number = launch.loads.size();
  for (const BlockOperator &op : launch.operators) {
    const OperatorForm &form = problem.getForm(op.formId);
    bool keepsElements =
        form.kind != Kind::Matmul && form.kind != Kind::ReduceSum &&
        form.kind != Kind::ReduceMax && form.kind != Kind::ReducePlainMax;
    // What is loaded may have any order.
    for (uint8_t operand : op.getOperands(form.getNumOperands()))
      if (keepsElements && operand >= launch.loads.size())
        classes.join(operand, number);
    ++number;
  }
  classes.compress();
  llvm::SmallVector<llvm::SmallVector<BlockOperator *, 4>, 4> groups(
      classes.getNumClasses());
  for (auto [position, op] : llvm::enumerate(launch.operators))
    if (problem.getForm(op.formId).kind == Kind::Matmul)
      groups[classes[launch.loads.size() + position]].push_back(&op);
  llvm::erase_if(groups, [](const auto &group) { return group.empty(); });
  return groups;
}

bool mirage::search::exchangeProducts(const SearchProblem &problem,
                                      Candidate &candidate) {
  bool hasProducts = false;
  for (LaunchGraph &launch : candidate.launches)
    for (BlockOperator &op : launch.operators)
      if (problem.getForm(op.formId).kind == OperatorForm::Kind::Matmul) {
        op.isExchanged ^= 1;
        hasProducts = true;
      }
  return hasProducts;
}

/// Returns whether a candidate transposes tiles.
static bool transposesTiles(const SearchProblem &problem,
                            const JudgedCandidate &candidate) {
  MuGraph graph = instantiate(problem, candidate.candidate, candidate.sizes);
  for (unsigned number = 0; number < graph.getNumNodes(); ++number)
    if (const MuNode &node = graph.getNode(number);
        node.kind == MuNode::Kind::Operator && node.op == OpKind::Transpose)
      return true;
  return false;
}

void mirage::search::orientCandidate(const SearchProblem &problem,
                                     const TargetDescription &target,
                                     SizeSearchOptions sizing, double edge,
                                     double resolution,
                                     JudgedCandidate &candidate) {
  candidate.isOriented = true;
  // Calls `change`, and once more where it makes the candidate not faster by
  // more than a part of its time. Returns whether it does.
  auto tryChange = [&](llvm::function_ref<void()> change, double least) {
    if (sizing.isOver && sizing.isOver())
      return false;
    change();
    sizing.limit = candidate.microseconds * (1 - least) - edge;
    if (std::optional<ChosenSizes> sizes =
            chooseSizes(problem, candidate.candidate, target, sizing)) {
      candidate.candidate.joinsProducts = sizes->joinsProducts;
      candidate.sizes = sizes->sizes;
      candidate.microseconds = sizes->microseconds + edge;
      return true;
    }
    change();
    return false;
  };
  bool &flag = candidate.candidate.transposesLoads;
  auto tryExchange = [&](llvm::ArrayRef<BlockOperator *> products) {
    auto exchange = [&] {
      for (BlockOperator *product : products)
        product->isExchanged ^= 1;
    };
    return tryChange(exchange, resolution) || flag ||
           tryChange(
               [&] {
                 exchange();
                 flag = !flag;
               },
               resolution);
  };
  auto tryTransposedLoads = [&] {
    // A graph without pairs of transposes is taken even if it is faster by less
    // than the cost model can tell.
    if (!flag && transposesTiles(problem, candidate))
      tryChange([&] { flag = !flag; }, /*least=*/0);
  };
  tryTransposedLoads();
  for (LaunchGraph &launch : candidate.candidate.launches) {
    auto groups = groupProducts(problem, launch);
    llvm::SmallVector<BlockOperator *, 4> products;
    for (const auto &group : groups)
      products.append(group);
    llvm::sort(products);
    if (products.size() > 1)
      tryExchange(products);
    for (const auto &group : groups)
      if (group.size() > 1 && group.size() < products.size())
        tryExchange(group);
    for (BlockOperator *product : products)
      tryExchange(product);
  }
  tryTransposedLoads();
}
