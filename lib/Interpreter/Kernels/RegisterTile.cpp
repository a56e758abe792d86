//===- RegisterTile.cpp - Tiles in the registers of a block ---------------===//
//
// Runs operators thread by thread, each on its own registers, in the order in
// which the lowering to NVVM has them.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Interpreter/Kernels/RegisterTile.h"
#include "Mirage/Semantics/Arithmetic.h"
#include "Mirage/Semantics/Element.h"
#include "Mirage/Semantics/ProductDims.h"
#include <array>

using namespace mirage;
using llvm::ArrayRef;

static constexpr int64_t warpSize = RegisterLayout::kWarpSize;
static constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

RegisterTile::RegisterTile(const TileType &type, int64_t numThreads)
    : type(type), numThreads(numThreads),
      numRegisters(type.layout.getNumRegisters()),
      values(numThreads * numRegisters, nothing) {}

bool RegisterTile::hasSameNumbers(const RegisterTile &other) const {
  return values.size() == other.values.size() &&
         llvm::all_of(llvm::zip(values, other.values), [](auto pair) {
           auto [a, b] = pair;
           return a == b || (std::isnan(a) && std::isnan(b));
         });
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

/// Calls body(mode, digit) for each digit of a number, of which the last one is
/// what is left.
template <typename Body>
static void forDigits(ArrayRef<LayoutMode> modes, int64_t number, Body body) {
  for (auto [i, mode] : llvm::enumerate(modes)) {
    body(mode, i + 1 == modes.size() ? number : number % mode.size);
    number /= mode.size;
  }
}

std::vector<int64_t> mirage::getThreadPlaces(const RegisterLayout &layout,
                                             unsigned rank, int64_t threads) {
  std::vector<int64_t> places(threads * rank, 0);
  for (int64_t thread = 0; thread < threads; ++thread) {
    auto add = [&](const LayoutMode &mode, int64_t digit) {
      if (!mode.isReplicated())
        places[thread * rank + *mode.dim] += digit * mode.stride;
    };
    forDigits(layout.lanes, thread % warpSize, add);
    forDigits(layout.warps, thread / warpSize, add);
  }
  return places;
}

std::vector<bool> mirage::getFirstReplicas(const RegisterLayout &layout,
                                           int64_t threads) {
  std::vector<bool> isFirst(threads, true);
  for (int64_t thread = 0; thread < threads; ++thread) {
    auto check = [&](const LayoutMode &mode, int64_t digit) {
      if (mode.isReplicated() && digit != 0)
        isFirst[thread] = false;
    };
    forDigits(layout.lanes, thread % warpSize, check);
    forDigits(layout.warps, thread / warpSize, check);
  }
  return isFirst;
}

TileFault mirage::checkLayout(const TileType &type, int64_t threads) {
  int64_t warps = type.layout.getNumWarps();
  if (warps * warpSize == threads)
    return std::nullopt;
  return "has a layout of " + std::to_string(warps) + " warps in a block of " +
         std::to_string(threads / warpSize);
}

static std::vector<Shape> getRegisterOffsets(const RegisterLayout &layout,
                                             unsigned rank) {
  std::vector<Shape> offsets(layout.getNumRegisters());
  for (size_t i = 0; i < offsets.size(); ++i)
    offsets[i] = layout.getOffsets(i, rank);
  return offsets;
}

static std::string describeThread(int64_t thread) {
  return "lane " + std::to_string(thread % warpSize) + " of warp " +
         std::to_string(thread / warpSize);
}

static std::string inWrongThread(int64_t thread) {
  return "needs an element in " + describeThread(thread) +
         " that is in another thread's registers";
}

/// Checks that each thread with elements of a result has the elements of the
/// operand at the same indices, or at index zero where it has one element.
static TileFault checkPlaces(const RegisterLayout &operand,
                             ShapeRef operandShape,
                             const RegisterLayout &result, ShapeRef resultShape,
                             int64_t threads) {
  size_t rank = resultShape.size();
  std::vector<int64_t> from = getThreadPlaces(operand, rank, threads);
  std::vector<int64_t> to = getThreadPlaces(result, rank, threads);
  for (int64_t thread = 0; thread < threads; ++thread) {
    bool hasElements = true, hasOperand = true;
    for (size_t dim = 0; dim < rank; ++dim) {
      int64_t place = to[thread * rank + dim];
      hasElements &= place < resultShape[dim];
      hasOperand &=
          from[thread * rank + dim] == (operandShape[dim] == 1 ? 0 : place);
    }
    if (hasElements && !hasOperand)
      return inWrongThread(thread);
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Elementwise operators
//===----------------------------------------------------------------------===//

/// Finds for each register of the result the operand's register that the same
/// thread reads.
static TileFault findSources(const TileOperand &operand,
                             const RegisterTile &result,
                             std::vector<int64_t> &sources) {
  const TileType &type = operand.tile->type;
  if (TileFault fault = checkPlaces(type.layout, type.shape, result.type.layout,
                                    result.type.shape, result.numThreads))
    return fault;
  for (const Shape &offsets :
       getRegisterOffsets(result.type.layout, result.type.shape.size())) {
    Shape from = offsets;
    for (auto [offset, size] : llvm::zip(from, type.shape))
      if (size == 1)
        offset = 0;
    std::optional<int64_t> source = type.layout.findRegister(from);
    if (!source)
      return std::string("has an operand without a register for an element "
                         "that its result has in the same thread");
    sources.push_back(*source);
  }
  return std::nullopt;
}

template <typename T>
static void evaluateElements(OpKind kind, const OpAttributes &attrs,
                             ArrayRef<TileOperand> operands,
                             ArrayRef<std::vector<int64_t>> sources,
                             RegisterTile &result) {
  Arithmetic<T> s;
  llvm::SmallVector<T, 3> x(operands.size());
  for (int64_t thread = 0; thread < result.numThreads; ++thread)
    for (int64_t number = 0; number < result.numRegisters; ++number) {
      for (auto [i, operand] : llvm::enumerate(operands))
        x[i] = static_cast<T>(operand.tile
                                  ? operand.tile->at(thread, sources[i][number])
                                  : operand.number);
      T value = evaluateScalar<Arithmetic<T>>(kind, attrs, x, s);
      result.at(thread, number) =
          roundTo(result.type.element, static_cast<double>(value));
    }
}

TileFault mirage::runElementwise(OpKind kind, const OpAttributes &attrs,
                                 ArrayRef<TileOperand> operands,
                                 RegisterTile &result) {
  std::vector<std::vector<int64_t>> sources(operands.size());
  bool isDouble = false;
  for (auto [operand, source] : llvm::zip(operands, sources)) {
    isDouble |= operand.element == ElementType::f64;
    if (!operand.tile)
      continue;
    if (TileFault fault = findSources(operand, result, source))
      return fault;
  }
  if (isDouble)
    evaluateElements<double>(kind, attrs, operands, sources, result);
  else
    evaluateElements<float>(kind, attrs, operands, sources, result);
  return std::nullopt;
}

void mirage::fillMask(const TileMask &mask, RegisterTile &result) {
  const TileType &type = result.type;
  size_t rank = type.shape.size();
  std::vector<int64_t> places =
      getThreadPlaces(type.layout, rank, result.numThreads);
  std::vector<Shape> offsets = getRegisterOffsets(type.layout, rank);
  for (int64_t thread = 0; thread < result.numThreads; ++thread)
    for (int64_t number = 0; number < result.numRegisters; ++number) {
      int64_t sum = mask.base;
      bool isBeyond = false;
      for (size_t dim = 0; dim < rank; ++dim) {
        int64_t index = places[thread * rank + dim] + offsets[number][dim];
        isBeyond |= index >= type.shape[dim];
        sum += mask.coefficients[dim] * index;
      }
      bool isInside = (!mask.from || sum >= *mask.from) &&
                      (!mask.below || sum < *mask.below);
      if (!isBeyond)
        result.at(thread, number) =
            roundTo(type.element, isInside ? mask.inside : mask.outside);
    }
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// Combines registers of each thread into those of the result, whose numbers
/// `targets` has, then exchanges with the lanes that have other elements.
template <typename T>
static void reduceElements(const OpAttributes &attrs,
                           const RegisterTile &operand,
                           ArrayRef<int64_t> targets, RegisterTile &result) {
  Arithmetic<T> s;
  auto combine = [&](T a, T b) {
    return attrs.reduceKind == ReduceKind::Max ? s.max(a, b) : s.add(a, b);
  };
  std::vector<T> sums(result.values.size()), exchanged;
  std::vector<bool> isBegun(result.values.size(), false);
  for (int64_t thread = 0; thread < operand.numThreads; ++thread)
    for (auto [number, target] : llvm::enumerate(targets)) {
      T element = static_cast<T>(operand.at(thread, number));
      int64_t place = thread * result.numRegisters + target;
      sums[place] = isBegun[place] ? combine(sums[place], element) : element;
      isBegun[place] = true;
    }
  int64_t distance = 1;
  for (const LayoutMode &mode : operand.type.layout.lanes) {
    for (int64_t step = 1; mode.dim == attrs.dim && step < mode.size;
         step *= 2) {
      exchanged = sums;
      for (int64_t thread = 0; thread < operand.numThreads; ++thread)
        for (int64_t i = 0; i < result.numRegisters; ++i)
          sums[thread * result.numRegisters + i] = combine(
              exchanged[thread * result.numRegisters + i],
              exchanged[(thread ^ (distance * step)) * result.numRegisters +
                        i]);
    }
    distance *= mode.size;
  }
  for (auto [value, sum] : llvm::zip(result.values, sums)) {
    if (attrs.reduceKind == ReduceKind::Mean)
      sum = s.div(sum, s.constant(operand.type.shape[attrs.dim]));
    value = roundTo(result.type.element, static_cast<double>(sum));
  }
}

/// The shape of an operand when a dimension is reduced and kept.
static Shape getReducedShape(const TileType &type, int64_t dim) {
  Shape shape = type.shape;
  shape[dim] = 1;
  return shape;
}

TileFault mirage::runReduction(const OpAttributes &attrs,
                               const RegisterTile &operand,
                               RegisterTile &result) {
  const TileType &from = operand.type;
  const RegisterLayout &layout = from.layout;
  if (attrs.group)
    return std::string("reduces groups, which are not in registers");
  if (layout.variesOverWarps(attrs.dim))
    return std::string("reduces over several warps");
  if (layout.overhangs(from.shape, attrs.dim))
    return std::string("reduces places beyond the end of the dimension");
  for (const LayoutMode &mode : layout.lanes)
    if (mode.dim == attrs.dim && !llvm::has_single_bit(uint64_t(mode.size)))
      return std::string("exchanges between lanes whose number is no power of "
                         "two");
  // The result's layout with the dimension that it may have dropped.
  RegisterLayout target = result.type.layout;
  Shape targetShape = result.type.shape;
  if (!attrs.keep) {
    target = RegisterLayout();
    auto shift = [&](const LayoutModes &modes) {
      LayoutModes shifted = modes;
      for (LayoutMode &mode : shifted)
        if (mode.dim && *mode.dim >= attrs.dim)
          ++*mode.dim;
      return shifted;
    };
    const RegisterLayout &dropped = result.type.layout;
    target = RegisterLayout(shift(dropped.registers), shift(dropped.lanes),
                            shift(dropped.warps));
    targetShape.insert(targetShape.begin() + attrs.dim, 1);
  }
  // After the exchanges a thread has what it would have of one element.
  if (TileFault fault = checkPlaces(layout.withoutDim(attrs.dim),
                                    getReducedShape(from, attrs.dim), target,
                                    targetShape, operand.numThreads))
    return fault;
  std::vector<int64_t> targets;
  for (Shape offsets : getRegisterOffsets(layout, from.shape.size())) {
    offsets[attrs.dim] = 0;
    std::optional<int64_t> place = target.findRegister(offsets);
    if (!place)
      return std::string("has a result in a layout that does not follow from "
                         "its operand's");
    targets.push_back(*place);
  }
  if (result.type.element == ElementType::f64)
    reduceElements<double>(attrs, operand, targets, result);
  else
    reduceElements<float>(attrs, operand, targets, result);
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Layout operators
//===----------------------------------------------------------------------===//

/// Returns the operand's element that is the result's element `at`.
static Shape getSourceElement(OpKind kind, const OpAttributes &attrs,
                              ShapeRef from, ShapeRef to, const Shape &at) {
  Shape source(from.size(), 0);
  if (kind == OpKind::Transpose) {
    for (auto [i, dim] : llvm::enumerate(attrs.permutation))
      source[dim] = at[i];
  } else if (kind == OpKind::Slice) {
    for (size_t i = 0; i < at.size(); ++i)
      source[i] = at[i] * attrs.strides[i] + attrs.offsets[i];
  } else if (kind == OpKind::Pad) {
    source = at;
  } else {
    int64_t linear = 0;
    for (auto [index, size] : llvm::zip(at, to))
      linear = linear * size + index;
    for (size_t i = from.size(); i-- > 0; linear /= from[i])
      source[i] = linear % from[i];
  }
  return source;
}

TileFault mirage::runRelabeling(OpKind kind, const OpAttributes &attrs,
                                const RegisterTile &operand,
                                RegisterTile &result) {
  const TileType &from = operand.type, &to = result.type;
  size_t fromRank = from.shape.size(), rank = to.shape.size();
  std::vector<int64_t> fromPlaces =
      getThreadPlaces(from.layout, fromRank, operand.numThreads);
  std::vector<int64_t> places =
      getThreadPlaces(to.layout, rank, result.numThreads);
  std::vector<Shape> fromOffsets = getRegisterOffsets(from.layout, fromRank);
  std::vector<Shape> offsets = getRegisterOffsets(to.layout, rank);
  std::vector<int64_t> sources(offsets.size());
  for (size_t number = 0; number < offsets.size(); ++number) {
    sources[number] = number;
    if (kind != OpKind::Slice)
      continue;
    Shape start = offsets[number];
    for (auto [index, offset] : llvm::zip(start, attrs.offsets))
      index += offset;
    sources[number] = from.layout.findRegister(start).value_or(-1);
  }
  for (int64_t thread = 0; thread < result.numThreads; ++thread)
    for (size_t number = 0; number < offsets.size(); ++number) {
      Shape at = offsets[number];
      bool exists = true;
      for (size_t dim = 0; dim < rank; ++dim) {
        at[dim] += places[thread * rank + dim];
        exists &= at[dim] < to.shape[dim];
      }
      if (!exists)
        continue;
      if (kind == OpKind::Pad &&
          llvm::any_of(llvm::zip(at, from.shape), [](auto pair) {
            return std::get<0>(pair) >= std::get<1>(pair);
          })) {
        result.at(thread, number) = attrs.scalar;
        continue;
      }
      Shape source = getSourceElement(kind, attrs, from.shape, to.shape, at);
      int64_t place = sources[number];
      bool isThere = place >= 0 && place < operand.numRegisters;
      for (size_t dim = 0; isThere && dim < fromRank; ++dim)
        isThere =
            fromPlaces[thread * fromRank + dim] + fromOffsets[place][dim] ==
            source[dim];
      if (!isThere)
        return inWrongThread(thread);
      result.at(thread, number) = operand.at(thread, place);
    }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

void mirage::multiplyMatrices(ArrayRef<float> a, ArrayRef<float> b,
                              llvm::MutableArrayRef<float> c, int64_t depth) {
  for (int64_t row = 0; row < 16; ++row) {
    std::array<double, 8> sums;
    std::copy_n(c.begin() + row * 8, 8, sums.begin());
    for (int64_t k = 0; k < depth; ++k) {
      double factor = a[row * depth + k];
      for (int64_t column = 0; column < 8; ++column)
        sums[column] += factor * b[k * 8 + column];
    }
    for (int64_t column = 0; column < 8; ++column)
      c[row * 8 + column] = static_cast<float>(sums[column]);
  }
}

namespace {
/// Runs one mma.m16n8k16 after another for a warp. Lane l has, with g = l / 4
/// and p = l % 4, pairs of neighbours: of a at rows g and g + 8 and columns 2 p
/// and 2 p + 8, of b at rows 2 p and 2 p + 8 and column g, and of the
/// accumulators at rows g and g + 8 and column 2 p (PTX ISA, "Matrix Fragments
/// for mma.m16n8k16 with floating point type").
class WarpProduct {
public:
  WarpProduct(const TileProduct &product, RegisterTile &result)
      : product(product), result(result), rank(result.type.shape.size()) {}

  TileFault run();

private:
  static constexpr int64_t depth = 16;
  /// The register with the first of two neighbours of an operand, or none where
  /// the instruction gets zeros.
  using Register = std::optional<int64_t>;
  Register find(const RegisterTile &tile, Shape at) const;
  static Shape getIndex(ShapeRef batch, bool transposed, int64_t row,
                        int64_t column);
  TileFault runPart(ShapeRef batch, int64_t row, int64_t column, int64_t from);

  const TileProduct &product;
  RegisterTile &result;
  int64_t rank;
};
} // namespace

WarpProduct::Register WarpProduct::find(const RegisterTile &tile,
                                        Shape at) const {
  for (auto [index, size] : llvm::zip(at, tile.type.shape))
    if (size == 1)
      index = 0;
  return tile.type.layout.findRegister(at);
}

Shape WarpProduct::getIndex(ShapeRef batch, bool transposed, int64_t row,
                            int64_t column) {
  Shape index(batch);
  index.push_back(transposed ? column : row);
  index.push_back(transposed ? row : column);
  return index;
}

TileFault WarpProduct::runPart(ShapeRef batch, int64_t row, int64_t column,
                               int64_t from) {
  std::array<Register, 4> as, cs;
  std::array<Register, 2> bs;
  for (int64_t i = 0; i < 4; ++i) {
    as[i] = find(product.lhs, getIndex(batch, product.transposeLhs,
                                       row + i % 2 * 8, from + i / 2 * 8));
    cs[i] = result.type.layout.findRegister(
        getIndex(batch, false, row + i / 2 * 8, column + i % 2));
  }
  for (int64_t i = 0; i < 2; ++i)
    bs[i] = find(product.rhs,
                 getIndex(batch, product.transposeRhs, from + i * 8, column));
  for (Register number : as)
    if (number && *number + 1 >= product.lhs.numRegisters)
      return std::string("has a left operand without pairs of neighbours");
  for (Register number : bs)
    if (number && *number + 1 >= product.rhs.numRegisters)
      return std::string("has a right operand without pairs of neighbours");

  for (int64_t warp = 0; warp < result.numThreads; warp += warpSize) {
    std::array<float, 16 *depth> a = {};
    std::array<float, depth * 8> b = {};
    std::array<float, 16 * 8> c = {};
    for (int64_t lane = 0; lane < warpSize; ++lane) {
      int64_t group = lane / 4, pair = lane % 4 * 2, thread = warp + lane;
      for (int64_t i = 0; i < 4; ++i)
        for (int64_t j = 0; as[i] && j < 2; ++j)
          a[(group + i % 2 * 8) * depth + pair + i / 2 * 8 + j] =
              product.lhs.at(thread, *as[i] + j);
      for (int64_t i = 0; i < 2; ++i)
        for (int64_t j = 0; bs[i] && j < 2; ++j)
          b[(pair + i * 8 + j) * 8 + group] =
              product.rhs.at(thread, *bs[i] + j);
      for (int64_t i = 0; i < 4; ++i)
        if (cs[i])
          c[(group + i / 2 * 8) * 8 + pair + i % 2] = result.at(thread, *cs[i]);
    }
    multiplyMatrices(a, b, c, depth);
    for (int64_t lane = 0; lane < warpSize; ++lane)
      for (int64_t i = 0; i < 4; ++i)
        if (cs[i])
          result.at(warp + lane, *cs[i]) =
              c[(lane / 4 + i / 2 * 8) * 8 + lane % 4 * 2 + i % 2];
  }
  return std::nullopt;
}

TileFault WarpProduct::run() {
  int64_t outer = rank - 2, inner = rank - 1;
  int64_t contracted = product.lhs.type.shape[getContractedDim(
      product.transposeLhs, ProductOperand::Lhs, rank)];
  result.values = product.accumulator.values;
  for (int64_t number = 0; number < result.numRegisters; ++number) {
    Shape offsets = result.type.layout.getOffsets(number, rank);
    if (offsets[outer] % 16 || offsets[inner] % 8)
      continue;
    for (int64_t from = 0; from < contracted; from += depth)
      if (TileFault fault = runPart(ShapeRef(offsets).drop_back(2),
                                    offsets[outer], offsets[inner], from))
        return fault;
  }
  return std::nullopt;
}

TileFault mirage::runProduct(const TileProduct &product, RegisterTile &result) {
  return WarpProduct(product, result).run();
}

TileFault mirage::runMultiplyAdds(const TileProduct &product,
                                  RegisterTile &result) {
  int64_t rank = result.type.shape.size();
  auto getContracted = [&](bool transposed, ProductOperand side) {
    return getContractedDim(transposed, side, rank);
  };
  // Returns the register with the element of an operand that a sum multiplies
  // as the contracted element number `i`.
  auto find = [&](const RegisterTile &tile, ProductOperand side,
                  bool transposed, ShapeRef sum, int64_t i) {
    Shape place(sum);
    place[getKeptDim(transposed, side, rank)] =
        sum[side == ProductOperand::Lhs ? rank - 2 : rank - 1];
    place[getContracted(transposed, side)] = i;
    for (auto [index, size] : llvm::zip(place, tile.type.shape))
      if (size == 1)
        index = 0;
    return tile.type.layout.findRegister(place);
  };
  int64_t depth =
      product.lhs.type
          .shape[getContracted(product.transposeLhs, ProductOperand::Lhs)];
  result.values = product.accumulator.values;
  for (int64_t number = 0; number < result.numRegisters; ++number) {
    Shape offsets = result.type.layout.getOffsets(number, rank);
    for (int64_t i = 0; i < depth; ++i) {
      auto a = find(product.lhs, ProductOperand::Lhs, product.transposeLhs,
                    offsets, i);
      auto b = find(product.rhs, ProductOperand::Rhs, product.transposeRhs,
                    offsets, i);
      if (!a || !b)
        return std::string("has a sum whose operands are in other lanes");
      for (int64_t thread = 0; thread < result.numThreads; ++thread)
        result.at(thread, number) =
            std::fma(static_cast<float>(product.lhs.at(thread, *a)),
                     static_cast<float>(product.rhs.at(thread, *b)),
                     static_cast<float>(result.at(thread, number)));
    }
  }
  return std::nullopt;
}
