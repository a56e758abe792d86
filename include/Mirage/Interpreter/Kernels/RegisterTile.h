//===- RegisterTile.h - Tiles in the registers of a block -------*- C++ -*-===//
//
// A tile that lies in registers as a layout says, and what the threads of a
// block do with such tiles. Every thread works on its own registers, exchanges
// between lanes are those of the instructions, and a thread that would need an
// element which is in another one's registers is a fault: a wrong layout gives
// a fault or wrong numbers, as on a GPU.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_INTERPRETER_KERNELS_REGISTERTILE_H
#define MIRAGE_INTERPRETER_KERNELS_REGISTERTILE_H

#include "Mirage/Schedule/RegisterLayout.h"
#include "Mirage/Semantics/ElementType.h"
#include "Mirage/Semantics/OpKind.h"
#include <optional>
#include <string>
#include <vector>

namespace mirage {

/// What a tile is, apart from its values.
struct TileType {
  ElementType element = ElementType::f32;
  Shape shape;
  RegisterLayout layout;
};

/// The registers of all threads of a block. Each holds a number that its
/// element type can represent; places beyond the tile hold NaN.
struct RegisterTile {
  TileType type;
  int64_t numThreads = 0, numRegisters = 0;
  /// Register r of thread t is number t * numRegisters + r.
  std::vector<double> values;

  RegisterTile() = default;
  RegisterTile(const TileType &type, int64_t numThreads);

  double &at(int64_t thread, int64_t number) {
    return values[thread * numRegisters + number];
  }
  double at(int64_t thread, int64_t number) const {
    return values[thread * numRegisters + number];
  }
  /// Returns true if another tile of the type has the same numbers, or NaN in
  /// the same places.
  bool hasSameNumbers(const RegisterTile &other) const;
};

/// An operand of an operator: a tile, or one number everywhere.
struct TileOperand {
  const RegisterTile *tile = nullptr;
  double number = 0;
  /// The operand's shape and type, also where it is a number.
  Shape shape;
  ElementType element = ElementType::f32;
};

/// What is wrong, as the predicate of a sentence whose subject is the
/// operation, or nothing.
using TileFault = std::optional<std::string>;

/// Returns the element that each thread's first register has, for each
/// dimension: thread t's along dimension d is number t * rank + d. `threads` is
/// a multiple of 32. The last digit of a warp's number is what is left of it.
std::vector<int64_t> getThreadPlaces(const RegisterLayout &layout,
                                     unsigned rank, int64_t threads);
/// Returns whether each thread is the first of those that hold the same
/// elements.
std::vector<bool> getFirstReplicas(const RegisterLayout &layout,
                                   int64_t threads);
/// Returns what keeps a layout from being one of a block of so many threads.
TileFault checkLayout(const TileType &type, int64_t threads);

/// Each of these fills `result`, whose type is known, and returns what is
/// wrong.
TileFault runElementwise(OpKind kind, const OpAttributes &attrs,
                         llvm::ArrayRef<TileOperand> operands,
                         RegisterTile &result);
/// Reduces the dimension attrs.dim: registers first, then lanes by exchanges.
TileFault runReduction(const OpAttributes &attrs, const RegisterTile &operand,
                       RegisterTile &result);
/// Runs a reshape, transpose or slice, which moves nothing between threads.
TileFault runRelabeling(OpKind kind, const OpAttributes &attrs,
                        const RegisterTile &operand, RegisterTile &result);

/// Moves elements between the lanes of each warp.
TileFault runExchange(const RegisterTile &operand, RegisterTile &result);

/// The elements of a tile that their indices make `inside` or `outside`; see
/// mirage_thread.index_mask.
struct TileMask {
  int64_t base = 0;
  llvm::ArrayRef<int64_t> coefficients;
  std::optional<int64_t> from, below;
  double inside = 0, outside = 0;
};
void fillMask(const TileMask &mask, RegisterTile &result);

/// A product lhs x rhs + accumulator.
struct TileProduct {
  const RegisterTile &lhs, &rhs, &accumulator;
  bool transposeLhs = false, transposeRhs = false;
};
/// Runs a product by mma.m16n8k16.
TileFault runProduct(const TileProduct &product, RegisterTile &result);
/// Runs a product by fused multiply-adds in f32: each thread computes the sums
/// that it has, from operands that it has.
TileFault runMultiplyAdds(const TileProduct &product, RegisterTile &result);

/// c += a x b for one instruction of a warp, with depth contracted elements:
/// a is 16 x depth, b is depth x 8 and c is 16 x 8, in row-major order.
void multiplyMatrices(llvm::ArrayRef<float> a, llvm::ArrayRef<float> b,
                      llvm::MutableArrayRef<float> c, int64_t depth);

} // namespace mirage

#endif // MIRAGE_INTERPRETER_KERNELS_REGISTERTILE_H
