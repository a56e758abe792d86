//===- TileLayouts.h - The order of a tile's elements -----------*- C++ -*-===//
//
// Values of the search have axes, and no order of them. When a µGraph is made,
// each tile gets a layout: loads have that of their tensor, and operators take
// their operands' as far as they can. Where they cannot, a tile is reshaped or
// transposed. Both are free for what is loaded: a load may read its elements in
// any order.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_LAUNCHES_TILELAYOUTS_H
#define MIRAGE_SEARCH_LAUNCHES_TILELAYOUTS_H

#include "Mirage/Search/Launches/LaunchGraph.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <map>

namespace mirage::search {

/// Axes in some order.
using AxisList = llvm::SmallVector<uint8_t, 4>;

/// All axes of a layout, from the outermost to the innermost.
AxisList flatten(const TensorLayout &layout);
/// One dimension for each axis.
TensorLayout getFlatLayout(llvm::ArrayRef<uint8_t> axes);
/// The dimension of which the axis is the outermost one; nothing if there is
/// none.
std::optional<unsigned> findOutermost(const TensorLayout &layout, uint8_t axis);
/// The layout with other axes than these left out; nothing if some dimension
/// would keep only some of its axes.
std::optional<TensorLayout> restrict(const TensorLayout &layout,
                                     llvm::ArrayRef<uint8_t> axes);
/// The layout of a tensor in device memory if a launch cuts these axes: only
/// the outermost axis of a dimension can be cut.
TensorLayout getCutLayout(const TensorLayout &layout,
                          llvm::ArrayRef<uint8_t> cut);
/// The layout in which elementwise operators on values of these layouts give a
/// result with these axes.
TensorLayout combineLayouts(const SearchProblem &problem,
                            llvm::ArrayRef<TensorLayout> layouts,
                            llvm::ArrayRef<uint8_t> axes);

/// The axes of a product of matrices. The left operand has those of the batch,
/// the rows, and those that are summed; the right one those of the batch, the
/// columns, and those that are summed.
struct ProductAxes {
  AxisList batch, rows, columns, summed;
  /// The second operand is the left one.
  bool isSwapped = false;
};
ProductAxes getProductAxes(const SearchProblem &problem,
                           const LaunchGraph &launch, const BlockOperator &op);

/// The tiles of a launch, and their layouts.
class TileLayouts {
public:
  /// `getSize` says how many elements a tile with these dimensions has along an
  /// axis.
  using GetSize = llvm::function_ref<int64_t(const Dims &dims, uint8_t axis)>;

  TileLayouts(MuGraph &graph) : graph(graph) {}

  /// Says what a value's layout, dimensions and region are.
  void set(MuValue value, TensorLayout layout, const Dims &dims,
           unsigned region) {
    tiles[value] = {std::move(layout), dims, region};
  }
  /// The same as those of another value.
  void setLike(MuValue value, MuValue other, unsigned region) {
    tiles[value] = tiles.at(other);
    tiles[value].region = region;
  }
  const TensorLayout &get(MuValue value) const {
    return tiles.at(value).layout;
  }
  /// The region in which a value is defined.
  unsigned getRegion(MuValue value) const { return tiles.at(value).region; }
  /// The value in another layout of the same axes.
  MuValue arrange(MuValue value, const TensorLayout &layout, GetSize getSize);

private:
  struct Tile {
    TensorLayout layout;
    Dims dims;
    unsigned region = 0;
  };
  using Key = std::pair<MuValue, std::vector<std::vector<uint8_t>>>;

  MuValue reshape(MuValue value, const TensorLayout &layout, GetSize getSize);
  MuValue transpose(MuValue value, const TensorLayout &layout);
  MuValue add(OpKind kind, const OpAttributes &attributes, MuValue value,
              const TensorLayout &layout);

  MuGraph &graph;
  std::map<MuValue, Tile> tiles;
  std::map<Key, MuValue> arranged;
};

} // namespace mirage::search

#endif // MIRAGE_SEARCH_LAUNCHES_TILELAYOUTS_H
