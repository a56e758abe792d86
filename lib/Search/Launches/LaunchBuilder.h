//===- LaunchBuilder.h - Launches of a candidate as µGraphs -----*- C++ -*-===//
//
// Builds the launches of a candidate, whose sizes are chosen, in a µGraph.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_SEARCH_LAUNCHES_LAUNCHBUILDER_H
#define MIRAGE_LIB_SEARCH_LAUNCHES_LAUNCHBUILDER_H

#include "Mirage/Search/Launches/Instantiate.h"
#include "Mirage/Search/Launches/JoinedProducts.h"
#include "Mirage/Search/Launches/TileLayouts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include <map>

namespace mirage::search {

/// A tensor in device memory.
struct DeviceTensor {
  MuValue value;
  TensorLayout layout;
  /// The tensor is stored together with the one before it, and has no value of
  /// its own.
  bool isStacked = false;
};

/// Builds the launches of a candidate one after another. The operators of a
/// launch are in InstantiateOperators.cpp.
class LaunchBuilder {
public:
  LaunchBuilder(const SearchProblem &problem, const Candidate &candidate,
                llvm::ArrayRef<LaunchSizes> sizes)
      : problem(problem), candidate(candidate), sizes(sizes),
        computeType(getComputeType(problem)), layouts(graph) {
    for (const TensorInfo &input : problem.getInputs())
      addArgument(input.layout, input.type);
  }

  /// Builds all launches.
  MuGraph run();
  /// Returns the values of the candidate's results from a tensor on.
  llvm::SmallVector<MuValue> getResults(size_t firstTensor) const;
  /// Builds one launch, with the results of those before as arguments.
  MuGraph runLaunch(unsigned number);

private:
  /// Returns the graph with these results.
  MuGraph finish(llvm::ArrayRef<MuValue> results);
  void addArgument(const TensorLayout &layout, ElementType type) {
    tensors.push_back({graph.addArgument(0, getShape(layout), type), layout});
  }
  int64_t getPartSize(const AxisPart &part) const {
    int64_t size = getAxisSize(problem, candidate, sizes, part.axis);
    const LaunchGraph &own = candidate.launches[launch];
    auto divide = [&](int64_t extent) {
      assert(size % extent == 0 && "extents divide what they cut");
      size /= extent;
    };
    if (part.removed.contains(kGrid))
      for (auto [dim, axis] : llvm::enumerate(own.gridAxes))
        if (axis == part.axis)
          divide(sizes[launch].grid[dim]);
    if (part.removed.contains(kLoop))
      divide(getLoopExtent(part.axis));
    return size;
  }
  /// Returns whether a tile has only some of the elements of axes. The elements
  /// of a split are parts themselves.
  bool isPartial(const Dims &dims, llvm::ArrayRef<uint8_t> axes) const {
    return llvm::any_of(dims, [&](DimId dim) {
      const AxisPart &part = problem.getParts(dim).front();
      return llvm::is_contained(axes, part.axis) &&
             !problem.isSplitAxis(part.axis) &&
             getPartSize(part) < problem.getAxisSize(part.axis);
    });
  }
  int64_t getLoopExtent(uint8_t axis) const {
    llvm::SmallVector<uint8_t, 2> axes =
        candidate.launches[launch].getLoopAxes();
    return sizes[launch].loops[llvm::find(axes, axis) - axes.begin()];
  }
  /// The shape of a tensor in device memory.
  Shape getShape(const TensorLayout &layout) const {
    Shape shape;
    for (llvm::ArrayRef<uint8_t> dim : layout) {
      int64_t size = 1;
      for (uint8_t axis : dim)
        size *= getAxisSize(problem, candidate, sizes, axis);
      shape.push_back(size);
    }
    return shape;
  }
  /// The elements of a tile along an axis.
  int64_t getTileSize(const Dims &dims, uint8_t axis) const {
    for (DimId dim : dims)
      if (problem.getParts(dim).front().axis == axis)
        return getPartSize(problem.getParts(dim).front());
    llvm_unreachable("the tile has the axis");
  }
  MuValue arrange(MuValue value, const TensorLayout &layout) {
    return layouts.arrange(value, layout, [&](const Dims &dims, uint8_t axis) {
      return getTileSize(dims, axis);
    });
  }
  /// The value of that number in a layout. One that elementwise operators make
  /// of loads is made anew in another order, so that what was loaded is
  /// transposed.
  MuValue arrangeNumber(uint8_t number, const TensorLayout &layout);
  AxisList getAxes(const Dims &dims) const {
    AxisList axes;
    for (DimId dim : dims)
      axes.push_back(problem.getParts(dim).front().axis);
    return axes;
  }
  MuValue reshapeTensor(MuValue tensor, const TensorLayout &layout) {
    Shape shape = getShape(layout);
    if (ShapeRef(graph.getShape(tensor)) == ShapeRef(shape))
      return tensor;
    OpAttributes attributes;
    attributes.resultShape = shape;
    return graph.addOperator(0, OpKind::Reshape, attributes, {tensor},
                             graph.getValue(tensor).type);
  }

  void buildLaunch(unsigned number);
  void buildRegion(RegionId region);
  /// The number of a region in the µGraph.
  unsigned getRegion(RegionId region) const {
    return regions[region.getNumber()];
  }
  void buildStep(Phase phase);
  void buildLoop(unsigned number);
  llvm::SmallVector<int64_t, 3> getGrid() const;
  std::optional<unsigned> findGridDim(uint8_t axis) const;
  MuValue buildLoad(const LoadChoice &load);

  // InstantiateOperators.cpp
  MuValue buildConstant(double number, size_t rank, unsigned region);
  llvm::SmallVector<uint8_t, 3>
  sortByLayout(llvm::SmallVector<uint8_t, 3> operands) const;
  void findMadeOfLoads();
  TensorLayout chooseElementwiseLayout(const BlockOperator &op,
                                       unsigned number) const;
  MuValue buildElementwise(const BlockOperator &op, unsigned number,
                           const TensorLayout &layout);
  MuValue buildProduct(const BlockOperator &op, unsigned number);
  MuValue buildReduction(const BlockOperator &op, unsigned number);
  MuValue buildComposite(const BlockOperator &op, unsigned number);
  MuValue buildPart(const BlockOperator &op, unsigned number);
  MuValue buildOperator(const BlockOperator &op, unsigned number);
  MuValue buildJoined(const JoinedSum &joined);

  MuValue buildAccumulator(const BlockOperator &op, unsigned number);
  std::optional<unsigned> findStoredByIterations(unsigned number) const;
  TensorLayout getResultLayout(unsigned result) const;
  TensorLayout getAccumulatedLayout(unsigned number) const;
  const JoinedSum *findReplacing(unsigned number) const;
  MuValue cast(MuValue value, ElementType type);
  MuValue store(uint8_t number, const TensorLayout &layout, ElementType type);
  MuValue storeStacked(const StackedResults &stacked);
  const StackedResults *findStacked(unsigned result) const;
  void buildStores(llvm::ArrayRef<MuValue> operands);

  const SearchProblem &problem;
  const Candidate &candidate;
  llvm::ArrayRef<LaunchSizes> sizes;
  ElementType computeType;
  MuGraph graph;
  std::vector<DeviceTensor> tensors;

  /// The launch that is being built, and its body.
  unsigned launch = 0;
  unsigned body = 0;
  /// Numbers of the launch's regions in the µGraph, in their order.
  llvm::SmallVector<unsigned, 4> regions;
  llvm::SmallVector<MuValue> values;
  /// The tensors that the launch loads, inside of it.
  std::map<uint8_t, DeviceTensor> arguments;
  TileLayouts layouts;
  /// Says for each value of the launch whether it was loaded, or elementwise
  /// operators make it of what was.
  std::vector<bool> isMadeOfLoads;
  /// Such values in other orders than they have in `values`.
  std::map<std::pair<uint8_t, TensorLayout>, MuValue> reordered;
  /// This is true once some launch has had such values.
  bool wasReordered = false;
  std::map<std::pair<MuValue, ElementType>, MuValue> casts;
  llvm::SmallVector<JoinedSum, 1> joinedSums;
};

} // namespace mirage::search

#endif // MIRAGE_LIB_SEARCH_LAUNCHES_LAUNCHBUILDER_H
