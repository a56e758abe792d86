//===- RegisterLayout.h - How a tile lies in registers ----------*- C++ -*-===//
//
// Says which register of which lane of which warp holds an element of a tile.
// A place (register, lane, warp) is three numbers; each is read in a mixed
// radix, whose digits are the layout's modes, and a digit moves the element
// along one dimension of the tile. This is a thread-value layout in the sense
// of CuTe, written down mode by mode.
//
// Fragments of matrix instructions are such layouts (PTX ISA, "Matrix Fragments
// for mma.m16n8k16 with floating point type"), and so is what remains of them
// when dimensions are reduced, transposed, split or joined.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SCHEDULE_REGISTERLAYOUT_H
#define MIRAGE_SCHEDULE_REGISTERLAYOUT_H

#include "Mirage/Semantics/OpAttributes.h"
#include "llvm/ADT/Hashing.h"
#include <optional>
#include <string>

namespace mirage {

/// Describes one digit: it has `size` values, and each step moves the element
/// by `stride` along dimension `dim`. Without a dimension, places that differ
/// in this digit hold the same element.
struct LayoutMode {
  int64_t size = 1;
  std::optional<int64_t> dim;
  int64_t stride = 0;

  static LayoutMode replicated(int64_t size) { return {size, std::nullopt, 0}; }

  bool isReplicated() const { return !dim; }
  bool operator==(const LayoutMode &other) const {
    return size == other.size && dim == other.dim && stride == other.stride;
  }
};

using LayoutModes = llvm::SmallVector<LayoutMode, 4>;

class RegisterLayout {
public:
  /// A warp has so many lanes.
  static constexpr int64_t kWarpSize = 32;

  /// These are the digits, those that change fastest first. Modes of size one
  /// are left out, and neighbours that count on become one.
  LayoutModes registers, lanes, warps;

  RegisterLayout() = default;
  RegisterLayout(LayoutModes registers, LayoutModes lanes, LayoutModes warps);

  int64_t getNumRegisters() const;
  int64_t getNumWarps() const;

  /// Returns what is wrong with this as a layout of tiles of this shape, or
  /// nothing: lanes are those of a warp, and each element has a place. Places
  /// may lie beyond the tile in a dimension; they hold nothing.
  std::optional<std::string> findFault(ShapeRef shape) const;

  /// Returns the element's place in the tile that this register has where lane
  /// and warp are zero.
  Shape getOffsets(int64_t number, unsigned rank) const;
  /// Returns the register with these offsets, if there is one.
  std::optional<int64_t> findRegister(ShapeRef offsets) const;

  /// Returns the largest index, in any place, along a dimension.
  int64_t getReach(int64_t dim) const;
  /// Returns true if places lie beyond the tile along a dimension.
  bool overhangs(ShapeRef shape, int64_t dim) const {
    return getReach(dim) >= shape[dim];
  }
  /// Returns true if elements that differ along a dimension are in different
  /// lanes, or warps.
  bool variesOverLanes(int64_t dim) const;
  bool variesOverWarps(int64_t dim) const;

  /// Returns the layout of what has one element along `dim` where this has
  /// many: its registers' modes along `dim` are left out, those of lanes and
  /// warps are replicated.
  RegisterLayout withoutDim(int64_t dim) const;
  /// Returns the layout where these dimensions have size one.
  RegisterLayout project(ShapeRef shape) const;
  /// Result dimension i is this layout's dimension permutation[i].
  RegisterLayout transpose(llvm::ArrayRef<int64_t> permutation) const;
  /// Returns the layout of the tile of shape `from` read in row-major order as
  /// one of shape `to`, where there is one.
  std::optional<RegisterLayout> reshape(ShapeRef from, ShapeRef to) const;

  /// Returns true if lanes and warps hold the same elements in both; which
  /// register has them may differ.
  bool agreesWith(const RegisterLayout &other) const;

  bool operator==(const RegisterLayout &other) const {
    return registers == other.registers && lanes == other.lanes &&
           warps == other.warps;
  }

private:
  void forModes(llvm::function_ref<void(LayoutMode &)> body);
  void canonicalize();
};

llvm::hash_code hash_value(const RegisterLayout &layout);

/// How many warps share the rows, the columns and the batch of a product, and
/// how many have the same part of it. The number of a warp counts them in the
/// order rows, columns, replicas, batch.
struct WarpGrid {
  int64_t rows = 1, columns = 1, replicas = 1, batch = 1;
  /// This is true if the warps take 16 rows each in turn, as those of a
  /// warpgroup do, and not neighbouring rows. The last of them may then have
  /// none that exist.
  bool rowsInTurn = false;

  int64_t getNumWarps() const { return rows * columns * replicas * batch; }
};

/// What a matrix is in a product.
enum class MatrixRole : uint8_t { Lhs, Rhs, Accumulator };

/// Returns the layout of one of the three matrices of a product by mma.m16n8k16
/// (PTX ISA). `shape` is the matrix, [batch …, rows, columns] for the left
/// operand and the accumulator, [batch …, contracted, columns] for the right
/// one; of the batch dimensions `warpDim`, where given, is shared by the warps,
/// if its size is not one, and the others are in registers. Rows and columns
/// reach over the edge where the instruction is larger than the matrix.
RegisterLayout getMatrixLayout(MatrixRole role, ShapeRef shape,
                               const WarpGrid &warps,
                               std::optional<int64_t> warpDim = std::nullopt);

/// Returns the layout of an operand of which each warp has what the
/// accumulators need that it has: `shape` is the operand, [batch …, rows,
/// contracted] or [batch …, contracted, columns], and the contracted size a
/// multiple of 16.
RegisterLayout getOperandLayout(MatrixRole role,
                                const RegisterLayout &accumulator,
                                ShapeRef shape);

/// Returns the layout of the sums of a product that lanes compute by
/// themselves, with fused multiply-adds: `shape` is [batch …, rows, columns],
/// and `warpDim` as in getMatrixLayout. A lane has four neighbours of each row,
/// which a load of 16 bytes of f32 multiplies, and rows at a distance of eight.
RegisterLayout getLaneSumsLayout(ShapeRef shape, const WarpGrid &warps,
                                 std::optional<int64_t> warpDim = std::nullopt);

/// Returns the layout of an operand of which each lane has what the sums need
/// that it has, all contracted elements of its rows or columns. `shape` is that
/// of the operand, whose last two dimensions are exchanged where it is
/// `transposed`. Registers go first along the innermost dimension, so that
/// neighbours in memory are loaded together.
RegisterLayout getLaneOperandLayout(MatrixRole role, const RegisterLayout &sums,
                                    ShapeRef shape, bool transposed);

/// Returns a layout in which each lane has up to `vector` neighbours of the
/// innermost dimension, lanes and then warps go along it as far as it reaches,
/// and the rest of either along the other dimensions from the innermost on.
RegisterLayout getVectorLayout(ShapeRef shape, int64_t warps, int64_t vector);

/// Returns a layout in which each warp has rows of its own, along which its
/// lanes go with runs of up to `vector` neighbours, so that no warps share what
/// is reduced of a row. Returns nothing where the warps cannot share the rows
/// evenly.
std::optional<RegisterLayout> getRowLayout(ShapeRef shape, int64_t warps,
                                           int64_t vector);

/// Returns a layout as getVectorLayout does in which lanes and warps that would
/// have what others have go on along the dimension of which each has most, and
/// beyond its end; along the innermost one where each has several runs of
/// neighbours.
RegisterLayout getSpreadVectorLayout(ShapeRef shape, int64_t warps,
                                     int64_t vector);

} // namespace mirage

#endif // MIRAGE_SCHEDULE_REGISTERLAYOUT_H
