//===- OperatorGroups.h - Operators that one launch executes ----*- C++ -*-===//
//
// Divides the pre-defined operators of a kernel graph into groups that a launch
// executes each: a product of matrices with the elementwise operators behind
// it, or elementwise operators and reductions that blocks compute for a part of
// their rows each.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_TRANSFORMS_DEFAULTLAUNCHES_OPERATORGROUPS_H
#define MIRAGE_LIB_TRANSFORMS_DEFAULTLAUNCHES_OPERATORGROUPS_H

#include "Mirage/Dialect/Kernel/IR/KernelDialect.h"
#include "Mirage/Semantics/Target.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/SetVector.h"

namespace mirage {

/// The part of a product that a block makes, and what an iteration contracts.
struct ProductTile {
  int64_t rows = 0, columns = 0, depth = 0;
  /// The matrices of the innermost batch dimension of which a block makes these
  /// rows. They are more than one only where all have the same right operand,
  /// so that all their rows are those of one product.
  int64_t matrices = 1;
  /// The contracted dimension is padded to a multiple of so many iterations,
  /// which the blocks of a cluster can share then.
  int64_t sharers = 1;

  int64_t getNumRows() const { return matrices * rows; }
  /// The bytes of a block's sums in f32: of a depthwise convolution, with a
  /// term, its factors and what these are made of.
  int64_t getSumBytes(bool isDepthwise) const {
    constexpr int64_t valuesOfTerm = 5;
    return int64_t(sizeof(float)) * getNumRows() * columns *
           (isDepthwise ? valuesOfTerm : 1);
  }
};

/// Operators of one block of a function, in its order.
struct OperatorGroup {
  llvm::SmallVector<mlir::Operation *> ops;
  /// The product or the depthwise convolution that the others take the result
  /// of, and its tile.
  mlir::Operation *product = nullptr;
  ProductTile tile;

  bool contains(mlir::Operation *op) const {
    return op && llvm::is_contained(ops, op);
  }
  /// The results that something outside of the group uses.
  llvm::SmallVector<mlir::Value> getOutputs() const;
  /// What the operators beside the product take from outside of the group,
  /// without constants that a block makes itself.
  llvm::SetVector<mlir::Value> getInputs() const;
};

/// Returns true if an operand is a constant that a block makes itself: the same
/// value everywhere.
bool isSplat(mlir::Value value);

/// Returns the dimensions of a shape that are not of size one.
llvm::SmallVector<int64_t> getLongDims(llvm::ArrayRef<int64_t> shape);

/// The dimensions of a group's values that are one axis, since an element's
/// index along one of them is its index along the others. A product's operands
/// have none. A dimension of size one belongs to no axis.
class GroupAxes {
public:
  explicit GroupAxes(const OperatorGroup &group);

  std::optional<unsigned> find(mlir::Value value, int64_t dim) const;
  unsigned getNumAxes() const { return sizes.size(); }
  int64_t getSize(unsigned axis) const { return sizes[axis]; }
  /// Returns true if an operator of the group reduces along the axis, of which
  /// a block then has all.
  bool isReduced(unsigned axis) const { return reduced[axis]; }
  /// Returns the dimension of the value that is the axis.
  std::optional<int64_t> findDim(mlir::Value value, unsigned axis) const;

private:
  /// The number of a value's first dimension.
  llvm::DenseMap<mlir::Value, unsigned> first;
  /// The axis of each dimension by its number.
  llvm::IntEqClasses classes;
  /// The axes by the classes of dimensions.
  llvm::SmallVector<std::optional<unsigned>> axes;
  llvm::SmallVector<int64_t> sizes;
  llvm::SmallVector<bool> reduced;
};

/// How the blocks of a launch share the axes of a group.
struct GroupTiling {
  /// By axis: the size of a block's part, and the number of blocks. Their
  /// product is the axis's size, or more where the last part is padded.
  llvm::SmallVector<int64_t> tiles, extents;
  /// The axis of each dimension of the grid, and its extent. A dimension
  /// without an axis has one block.
  llvm::SmallVector<std::optional<unsigned>> gridAxes;
  llvm::SmallVector<int64_t> grid;
  /// The axis of which a block has a part in each iteration of a loop, and the
  /// number of iterations. Whatever has the axis is reduced along it.
  std::optional<unsigned> loopAxis = std::nullopt;
  int64_t iterations = 1;

  /// The type of a block's part of a value, and of the value with padding.
  mlir::RankedTensorType getTileType(mlir::Value value,
                                     const GroupAxes &axes) const;
  mlir::RankedTensorType getPaddedType(mlir::Value value,
                                       const GroupAxes &axes) const;
};

/// Returns how the blocks share a group, or nothing if no launch can execute
/// it: every output has the axes that the grid divides, and a block's values
/// fit into its registers and shared memory.
std::optional<GroupTiling> chooseTiling(const OperatorGroup &group,
                                        const GroupAxes &axes,
                                        const TargetDescription &target);

/// Returns true if the reduction `op` takes so little, beside values of
/// `largest` elements, that every block may reduce all of it again.
bool isReducedAgain(mlir::Operation *op, int64_t largest);

/// Divides the operators of a block into groups. `products` says which products
/// become launches and with which tiles.
llvm::SmallVector<OperatorGroup>
findGroups(mlir::Block &block,
           const llvm::DenseMap<mlir::Operation *, ProductTile> &products,
           const TargetDescription &target);

} // namespace mirage

#endif // MIRAGE_LIB_TRANSFORMS_DEFAULTLAUNCHES_OPERATORGROUPS_H
