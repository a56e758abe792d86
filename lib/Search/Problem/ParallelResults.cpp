//===- ParallelResults.cpp - Axes that results may share ------------------===//
//
// Compares the dimensions of the first result with those of each other one, in
// their order, and the columns of products of one value with each other.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Problem/ParallelResults.h"
#include "Mirage/Semantics/ProductDims.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <numeric>

using namespace mirage;
using namespace mirage::search;
using llvm::ArrayRef;

namespace {

class ParallelDims {
public:
  ParallelDims(const SearchProblem &problem, const MuGraph &program)
      : problem(problem), program(program) {}

  std::vector<AlikeDims> find() {
    size_t numResults = problem.getResults().size();
    for (size_t other = 1; other < numResults; ++other)
      match(other);
    std::vector<AlikeDims> groups;
    for (const auto &[dim, others] : matched)
      groups.push_back(makeGroup(dim, others));
    return groups;
  }

private:
  /// A result's number, and a dimension of it.
  using ResultDim = std::pair<size_t, size_t>;

  AxisSet getAxes(ResultDim place) const {
    AxisSet axes;
    for (uint8_t axis : problem.getResults()[place.first].layout[place.second])
      axes.insert(axis);
    return axes;
  }
  int64_t getSize(ResultDim place) const {
    MuValue value = program.getRegion().results[place.first];
    return program.getShape(value)[place.second];
  }

  /// Returns the dimensions of a result that a grid may divide and that have no
  /// axis of another result.
  llvm::SmallVector<ResultDim, 4> getOwnDims(size_t result,
                                             size_t other) const {
    AxisSet others = problem.getAxes(problem.getResults()[other].dims);
    AxisSet parts = problem.getPartAxes();
    llvm::SmallVector<ResultDim, 4> own;
    size_t rank = problem.getResults()[result].layout.size();
    for (size_t dim = 0; dim < rank; ++dim) {
      AxisSet axes = getAxes({result, dim});
      bool isDivisible = llvm::all_of(axes, [&](uint8_t axis) {
        return !problem.isSummed(axis) && !parts.contains(axis) &&
               !others.contains(axis);
      });
      if (!axes.empty() && isDivisible)
        own.push_back({result, dim});
    }
    return own;
  }

  void match(size_t other) {
    for (auto [mine, theirs] :
         llvm::zip(getOwnDims(0, other), getOwnDims(other, 0)))
      if (getSize(mine) == getSize(theirs))
        matched[mine].push_back(theirs);
  }

  AlikeDims makeGroup(ResultDim first, ArrayRef<ResultDim> others) const {
    AlikeDims group;
    auto add = [&](ResultDim place) {
      group.dims.push_back({program.getRegion().results[place.first],
                            static_cast<unsigned>(place.second)});
    };
    add(first);
    group.unit = getSize(first);
    llvm::for_each(others, add);
    return group;
  }

  const SearchProblem &problem;
  const MuGraph &program;
  /// The dimensions of other results that fit to one of the first result.
  std::map<ResultDim, llvm::SmallVector<ResultDim, 2>> matched;
};

} // namespace

std::vector<AlikeDims>
mirage::search::findParallelDims(const SearchProblem &problem,
                                 const MuGraph &program) {
  return ParallelDims(problem, program).find();
}

//===----------------------------------------------------------------------===//
// Columns of products
//===----------------------------------------------------------------------===//

namespace {

/// A dimension of a value.
using ValueDim = std::pair<MuValue, unsigned>;

/// Finds the dimensions that products keep of the matrices with which they
/// multiply one value, in whatever order, shape and type they read it.
class ColumnSearch {
public:
  explicit ColumnSearch(const MuGraph &program)
      : program(program), axes(computeAxes(program)) {
    for (unsigned number : program.getRegion().nodes) {
      const MuNode &node = program.getNode(number);
      for (MuValue result : node.results)
        definitions[result] = &node;
      if (node.kind == MuNode::Kind::Operator && node.op == OpKind::Matmul) {
        add(node, ProductOperand::Lhs);
        add(node, ProductOperand::Rhs);
      }
    }
  }

  using Dims = llvm::SmallVector<ValueDim, 4>;
  /// Returns these dimensions, those of each value apart.
  std::vector<Dims> takeColumns() {
    std::vector<Dims> all;
    for (auto &[value, dims] : columns)
      all.push_back(std::move(dims));
    return all;
  }

  /// Returns the dimension of an argument that casts and transposes make a
  /// dimension of; nothing if it is computed otherwise.
  std::optional<ValueDim> findArgument(ValueDim dim) const {
    while (const MuNode *node = definitions.lookup(dim.first)) {
      if (node->op == OpKind::Transpose)
        dim.second = node->attributes.permutation[dim.second];
      else if (node->op != OpKind::Cast)
        return std::nullopt;
      dim.first = node->operands[0];
    }
    return dim;
  }

private:
  /// Returns what has a value's elements before it is read.
  MuValue findSource(MuValue value) const {
    const MuNode *node = definitions.lookup(value);
    while (node && (node->op == OpKind::Cast || node->op == OpKind::Reshape ||
                    node->op == OpKind::Transpose)) {
      value = node->operands[0];
      node = definitions.lookup(value);
    }
    return value;
  }

  /// Notes what a product keeps of the matrix beside its operand `own`.
  void add(const MuNode &node, ProductOperand own) {
    bool isLeft = own == ProductOperand::Lhs;
    MuValue value = node.operands[isLeft ? 0 : 1],
            matrix = node.operands[isLeft ? 1 : 0];
    size_t rank = program.getShape(value).size();
    if (program.getShape(matrix).size() != rank)
      return;
    size_t contracted = getContractedDim(node.attributes, own, rank);
    auto kept = static_cast<unsigned>(
        getKeptDim(node.attributes,
                   isLeft ? ProductOperand::Rhs : ProductOperand::Lhs, rank));
    const auto &summed = axes.dims[value][contracted];
    columns[{findSource(value), {summed.begin(), summed.end()}}].push_back(
        {matrix, kept});
  }

  const MuGraph &program;
  Axes axes;
  llvm::DenseMap<MuValue, const MuNode *> definitions;
  /// The key is a value with those of its axes that products sum over.
  std::map<std::pair<MuValue, std::vector<unsigned>>, Dims> columns;
};

} // namespace

/// Returns whether dimensions are of unlike sizes.
static bool areUnlike(const MuGraph &program, ArrayRef<ValueDim> dims) {
  auto getSize = [&](ValueDim dim) {
    return program.getShape(dim.first)[dim.second];
  };
  return llvm::any_of(dims, [&](ValueDim dim) {
    return getSize(dim) != getSize(dims.front());
  });
}

bool mirage::search::hasUnlikeColumns(const MuGraph &program) {
  return llvm::any_of(
      ColumnSearch(program).takeColumns(),
      [&](ArrayRef<ValueDim> dims) { return areUnlike(program, dims); });
}

std::vector<AlikeDims>
mirage::search::findColumnUnits(const ProgramView &view) {
  const MuGraph &program = view.program;
  llvm::DenseMap<MuValue, const ViewInput *> inputs;
  for (auto [input, argument] :
       llvm::zip_equal(view.inputs, program.getRegion().arguments))
    inputs[argument] = &input;
  ColumnSearch search(program);
  std::vector<AlikeDims> groups;
  for (ArrayRef<ValueDim> matrices : search.takeColumns()) {
    AlikeDims group;
    group.unit = 0;
    for (ValueDim matrix : matrices)
      if (std::optional<ValueDim> own = search.findArgument(matrix)) {
        group.unit =
            std::gcd(group.unit, program.getShape(own->first)[own->second]);
        group.dims.push_back(*own);
      }
    auto isWindow = [&](ValueDim dim) {
      const ViewInput &input = *inputs.lookup(dim.first);
      return input.window &&
             input.number == inputs.lookup(group.dims.front().first)->number;
    };
    if (areUnlike(program, group.dims) && group.unit > 1 &&
        !llvm::all_of(group.dims, isWindow) &&
        llvm::all_of(group.dims, [&](ValueDim dim) {
          return program.getShape(dim.first)[dim.second] / group.unit <=
                 AlikeDims::kMostUnits;
        }))
      groups.push_back(std::move(group));
  }
  return groups;
}
