//===- RegisterLayout.cpp - How a tile lies in registers ------------------===//
//
// Implements the arithmetic of layouts: digits are moved from dimension to
// dimension, split and joined; nothing is enumerated but a tile's registers.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Schedule/RegisterLayout.h"
#include "Mirage/Semantics/MatrixInstruction.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <functional>
#include <numeric>

using namespace mirage;

static int64_t countPlaces(llvm::ArrayRef<LayoutMode> modes) {
  int64_t count = 1;
  for (const LayoutMode &mode : modes)
    count *= mode.size;
  return count;
}

static LayoutModes simplify(llvm::ArrayRef<LayoutMode> modes) {
  LayoutModes result;
  for (LayoutMode mode : modes) {
    if (mode.size == 1)
      continue;
    if (mode.isReplicated())
      mode.stride = 0;
    if (!result.empty()) {
      LayoutMode &last = result.back();
      if (last.dim == mode.dim && mode.stride == last.stride * last.size) {
        last.size *= mode.size;
        continue;
      }
    }
    result.push_back(mode);
  }
  return result;
}

RegisterLayout::RegisterLayout(LayoutModes registers, LayoutModes lanes,
                               LayoutModes warps)
    : registers(std::move(registers)), lanes(std::move(lanes)),
      warps(std::move(warps)) {
  canonicalize();
}

void RegisterLayout::canonicalize() {
  for (LayoutModes *modes : {&registers, &lanes, &warps})
    *modes = simplify(*modes);
}

void RegisterLayout::forModes(llvm::function_ref<void(LayoutMode &)> body) {
  for (LayoutModes *modes : {&registers, &lanes, &warps})
    for (LayoutMode &mode : *modes)
      body(mode);
}

int64_t RegisterLayout::getNumRegisters() const {
  return countPlaces(registers);
}

int64_t RegisterLayout::getNumWarps() const { return countPlaces(warps); }

std::optional<std::string> RegisterLayout::findFault(ShapeRef shape) const {
  if (countPlaces(lanes) != kWarpSize)
    return "it has " + std::to_string(countPlaces(lanes)) +
           " lanes, and a warp has 32";
  llvm::SmallVector<LayoutModes, 4> ofDim(shape.size());
  for (const LayoutModes *modes : {&registers, &lanes, &warps})
    for (const LayoutMode &mode : *modes) {
      if (mode.size < 1)
        return std::string("a mode has no positive size");
      if (mode.isReplicated())
        continue;
      if (*mode.dim < 0 || *mode.dim >= static_cast<int64_t>(shape.size()))
        return "there is no dimension " + std::to_string(*mode.dim);
      ofDim[*mode.dim].push_back(mode);
    }
  for (auto [dim, modes] : llvm::enumerate(ofDim)) {
    llvm::sort(modes, [](const LayoutMode &a, const LayoutMode &b) {
      return a.stride < b.stride;
    });
    int64_t next = 1;
    for (const LayoutMode &mode : modes) {
      if (mode.stride != next)
        return "along dimension " + std::to_string(dim) +
               " a mode has stride " + std::to_string(mode.stride) + " where " +
               std::to_string(next) + " would give each element one place";
      next *= mode.size;
    }
    if (next < shape[dim])
      return "along dimension " + std::to_string(dim) + " it has places for " +
             std::to_string(next) + " of " + std::to_string(shape[dim]) +
             " elements";
  }
  return std::nullopt;
}

Shape RegisterLayout::getOffsets(int64_t number, unsigned rank) const {
  Shape offsets(rank, 0);
  for (const LayoutMode &mode : registers) {
    if (!mode.isReplicated())
      offsets[*mode.dim] += number % mode.size * mode.stride;
    number /= mode.size;
  }
  return offsets;
}

std::optional<int64_t> RegisterLayout::findRegister(ShapeRef offsets) const {
  Shape left(offsets);
  int64_t number = 0;
  // The digits of a dimension are read off from the largest stride down.
  auto order = llvm::to_vector(llvm::seq<unsigned>(0, registers.size()));
  llvm::sort(order, [&](unsigned a, unsigned b) {
    return registers[a].stride > registers[b].stride;
  });
  for (unsigned i : order) {
    const LayoutMode &mode = registers[i];
    if (mode.isReplicated())
      continue;
    int64_t digit = std::min(left[*mode.dim] / mode.stride, mode.size - 1);
    left[*mode.dim] -= digit * mode.stride;
    for (const LayoutMode &before : llvm::ArrayRef(registers).take_front(i))
      digit *= before.size;
    number += digit;
  }
  if (llvm::any_of(left, [](int64_t rest) { return rest != 0; }))
    return std::nullopt;
  return number;
}

int64_t RegisterLayout::getReach(int64_t dim) const {
  int64_t reach = 0;
  for (const LayoutModes *modes : {&registers, &lanes, &warps})
    for (const LayoutMode &mode : *modes)
      if (mode.dim == dim)
        reach += (mode.size - 1) * mode.stride;
  return reach;
}

static bool varies(llvm::ArrayRef<LayoutMode> modes, int64_t dim) {
  return llvm::any_of(modes,
                      [&](const LayoutMode &mode) { return mode.dim == dim; });
}

bool RegisterLayout::variesOverLanes(int64_t dim) const {
  return varies(lanes, dim);
}

bool RegisterLayout::variesOverWarps(int64_t dim) const {
  return varies(warps, dim);
}

RegisterLayout RegisterLayout::withoutDim(int64_t dim) const {
  RegisterLayout result = *this;
  llvm::erase_if(result.registers,
                 [&](const LayoutMode &mode) { return mode.dim == dim; });
  result.forModes([&](LayoutMode &mode) {
    if (mode.dim == dim)
      mode.dim.reset();
  });
  result.canonicalize();
  return result;
}

RegisterLayout RegisterLayout::project(ShapeRef shape) const {
  RegisterLayout result = *this;
  for (auto [dim, size] : llvm::enumerate(shape))
    if (size == 1)
      result = result.withoutDim(dim);
  return result;
}

RegisterLayout
RegisterLayout::transpose(llvm::ArrayRef<int64_t> permutation) const {
  RegisterLayout result = *this;
  result.forModes([&](LayoutMode &mode) {
    if (!mode.isReplicated())
      mode.dim = llvm::find(permutation, *mode.dim) - permutation.begin();
  });
  return result;
}

static Shape getRowMajorStrides(ShapeRef shape) {
  Shape strides(shape.size(), 1);
  for (size_t i = shape.size(); i-- > 1;)
    strides[i - 1] = strides[i] * shape[i];
  return strides;
}

/// Returns the dimension of `to` that is dimension `dim` of `from`: as many
/// elements, and between the same others.
static std::optional<int64_t> findSameDim(int64_t dim, ShapeRef from,
                                          ShapeRef to) {
  Shape fromStrides = getRowMajorStrides(from);
  Shape toStrides = getRowMajorStrides(to);
  for (size_t i = 0; i < to.size(); ++i)
    if (to[i] == from[dim] && toStrides[i] == fromStrides[dim])
      return i;
  return std::nullopt;
}

/// Converts digits of the row-major order of `from` to digits of that of `to`.
/// Those along a dimension of one element, number d, come out along dimension
/// to.size() + d. Returns false where a digit is none.
static bool reshapeModes(llvm::ArrayRef<LayoutMode> modes, ShapeRef from,
                         ShapeRef to, LayoutModes &converted) {
  Shape fromStrides = getRowMajorStrides(from);
  Shape toStrides = getRowMajorStrides(to);
  for (LayoutMode mode : modes) {
    if (mode.isReplicated() || from[*mode.dim] == 1) {
      if (!mode.isReplicated())
        *mode.dim += to.size();
      converted.push_back(mode);
      continue;
    }
    if (std::optional<int64_t> same = findSameDim(*mode.dim, from, to)) {
      converted.push_back({mode.size, *same, mode.stride});
      continue;
    }
    // The digit steps through row-major order by `step`, `left` times.
    int64_t step = mode.stride * fromStrides[*mode.dim], left = mode.size;
    for (size_t dim = to.size(); dim-- > 0 && left > 1;) {
      int64_t end = toStrides[dim] * to[dim];
      if (to[dim] == 1 || step >= end)
        continue;
      if (step % toStrides[dim])
        return false;
      int64_t stride = step / toStrides[dim];
      int64_t size = dim == 0
                         ? left
                         : std::min<int64_t>(left, llvm::divideCeil(end, step));
      if (left % size || (size < left && step * size != end))
        return false;
      converted.push_back({size, static_cast<int64_t>(dim), stride});
      left /= size;
      step *= size;
    }
    if (left > 1)
      return false;
  }
  return true;
}

/// Returns the dimension of `to` whose end the places beyond the end of a
/// dimension of one element shall be beyond: one that has one element, too, if
/// possible between the same others, or else the first.
static int64_t findDimBeyond(int64_t dim, ShapeRef from, ShapeRef to) {
  Shape fromStrides = getRowMajorStrides(from);
  Shape toStrides = getRowMajorStrides(to);
  int64_t found = 0;
  for (size_t i = 0; i < to.size(); ++i) {
    if (to[i] != 1)
      continue;
    found = i;
    if (toStrides[i] == fromStrides[dim])
      break;
  }
  return found;
}

std::optional<RegisterLayout> RegisterLayout::reshape(ShapeRef from,
                                                      ShapeRef to) const {
  // A place beyond an inner dimension would become another element if it did
  // not stay a dimension.
  for (auto [dim, size] : llvm::enumerate(from))
    if (size != 1 && dim != 0 && overhangs(from, dim) &&
        !findSameDim(dim, from, to))
      return std::nullopt;
  RegisterLayout result;
  if (!reshapeModes(registers, from, to, result.registers) ||
      !reshapeModes(lanes, from, to, result.lanes) ||
      !reshapeModes(warps, from, to, result.warps))
    return std::nullopt;
  // Along a dimension of one element all places but the first are beyond the
  // end. They stay so if each of their digits steps over a whole dimension.
  for (int64_t dim = 0, e = from.size(); dim < e; ++dim) {
    int64_t passedOn = to.size() + dim;
    if (from[dim] != 1 || getReach(dim) == 0)
      continue;
    if (to.empty())
      return std::nullopt;
    int64_t target = findDimBeyond(dim, from, to), whole = 1;
    result.forModes([&](LayoutMode &mode) {
      if (mode.dim == target)
        whole *= mode.size;
    });
    result.forModes([&](LayoutMode &mode) {
      if (mode.dim != passedOn)
        return;
      mode.dim = target;
      mode.stride *= whole;
    });
  }
  result.canonicalize();
  return result;
}

bool RegisterLayout::agreesWith(const RegisterLayout &other) const {
  if (lanes != other.lanes || warps != other.warps)
    return false;
  auto sorted = [](const LayoutModes &modes) {
    LayoutModes result = modes;
    llvm::sort(result, [](const LayoutMode &a, const LayoutMode &b) {
      return std::tie(a.dim, a.stride) < std::tie(b.dim, b.stride);
    });
    return simplify(result);
  };
  return sorted(registers) == sorted(other.registers);
}

llvm::hash_code mirage::hash_value(const RegisterLayout &layout) {
  llvm::hash_code code = 0;
  for (const LayoutModes *modes :
       {&layout.registers, &layout.lanes, &layout.warps}) {
    code = llvm::hash_combine(code, modes->size());
    for (const LayoutMode &mode : *modes)
      code = llvm::hash_combine(code, mode.size, mode.dim, mode.stride);
  }
  return code;
}

//===----------------------------------------------------------------------===//
// Layouts to choose from
//===----------------------------------------------------------------------===//

/// Fragments are made of parts of so many rows and columns, of which each lane
/// has two neighbours.
static constexpr int64_t part = 8;

/// Returns the layout of a matrix of a product. Eight rows of it, or columns of
/// a right operand, lie over groups of four lanes, and a lane has so many
/// neighbours along the other dimension.
static RegisterLayout getProductLayout(MatrixRole role, ShapeRef shape,
                                       const WarpGrid &warps,
                                       std::optional<int64_t> warpDim,
                                       int64_t neighbours) {
  int64_t outer = shape.size() - 2, inner = shape.size() - 1;
  RegisterLayout layout;
  // What has more rows or columns than one part is repeated in registers, and
  // rows and columns that are shared over warps are dealt in whole
  // instructions.
  int64_t spread = role == MatrixRole::Rhs ? inner : outer;
  int64_t pairs = role == MatrixRole::Rhs ? outer : inner;
  layout.lanes = {{4, pairs, neighbours}, {8, spread, 1}};
  layout.registers = {{neighbours, pairs, 1}};
  LayoutModes warpModes(4);
  int64_t warpsOf[] = {warps.rows, warps.columns, warps.replicas, warps.batch};
  for (auto [mode, size] : llvm::zip(warpModes, warpsOf))
    mode.size = size;
  // Adds what is left of a dimension beyond the `covered` first.
  auto share = [&](int64_t dim, int64_t covered, LayoutMode *warpMode,
                   int64_t step) {
    int64_t parts = llvm::divideCeil(shape[dim], step);
    if (step > covered && shape[dim] > covered)
      layout.registers.push_back({step / covered, dim, covered});
    int64_t perWarp = parts;
    int64_t stride = step;
    // The last warps have less where the parts are not shared evenly. Each has
    // one, but for those of a warpgroup.
    bool inTurn = warps.rowsInTurn && dim == outer;
    if (warpMode && (inTurn || parts >= warpMode->size)) {
      perWarp = llvm::divideCeil(parts, warpMode->size);
      warpMode->dim = dim;
      warpMode->stride = inTurn ? step : step * perWarp;
      if (inTurn)
        stride = step * warpMode->size;
    }
    layout.registers.push_back({perWarp, dim, stride});
  };
  switch (role) {
  case MatrixRole::Lhs:
    share(outer, part, &warpModes[0], MatrixInstruction::rows);
    share(inner, part, nullptr, part);
    break;
  case MatrixRole::Rhs:
    share(outer, part, nullptr, part);
    share(inner, part, &warpModes[1], MatrixInstruction::columns);
    break;
  case MatrixRole::Accumulator:
    share(outer, part, &warpModes[0], MatrixInstruction::rows);
    share(inner, 4 * neighbours, &warpModes[1], 4 * neighbours);
    break;
  }
  for (int64_t dim = 0; dim < outer; ++dim) {
    bool shared = warpDim == dim && shape[dim] == warps.batch;
    if (shared) {
      warpModes[3].dim = dim;
      warpModes[3].stride = 1;
    } else {
      layout.registers.push_back({shape[dim], dim, 1});
    }
  }
  return RegisterLayout(layout.registers, layout.lanes, warpModes);
}

RegisterLayout mirage::getMatrixLayout(MatrixRole role, ShapeRef shape,
                                       const WarpGrid &warps,
                                       std::optional<int64_t> warpDim) {
  return getProductLayout(role, shape, warps, warpDim, /*neighbours=*/2);
}

RegisterLayout mirage::getLaneSumsLayout(ShapeRef shape, const WarpGrid &warps,
                                         std::optional<int64_t> warpDim) {
  return getProductLayout(MatrixRole::Accumulator, shape, warps, warpDim,
                          /*neighbours=*/4);
}

RegisterLayout mirage::getLaneOperandLayout(MatrixRole role,
                                            const RegisterLayout &sums,
                                            ShapeRef shape, bool transposed) {
  int64_t outer = shape.size() - 2, inner = shape.size() - 1;
  bool isLhs = role == MatrixRole::Lhs;
  int64_t contracted = isLhs != transposed ? inner : outer;
  Shape kept(shape);
  if (transposed)
    std::swap(kept[outer], kept[inner]);
  kept[isLhs ? inner : outer] = 1;
  RegisterLayout layout = sums.project(kept);
  if (transposed) {
    auto permutation = llvm::to_vector(llvm::seq<int64_t>(0, shape.size()));
    std::swap(permutation[outer], permutation[inner]);
    layout = layout.transpose(permutation);
  }
  LayoutModes registers = layout.registers;
  registers.insert(contracted == inner ? registers.begin() : registers.end(),
                   {shape[contracted], contracted, 1});
  return RegisterLayout(registers, layout.lanes, layout.warps);
}

RegisterLayout mirage::getOperandLayout(MatrixRole role,
                                        const RegisterLayout &accumulator,
                                        ShapeRef shape) {
  int64_t outer = shape.size() - 2, inner = shape.size() - 1;
  bool isLhs = role == MatrixRole::Lhs;
  int64_t contracted = isLhs ? inner : outer, kept = isLhs ? outer : inner;
  RegisterLayout layout;
  layout.lanes = {{4, contracted, 2}, {8, kept, 1}};
  layout.registers = {{2, contracted, 1}};
  // An instruction has two parts of eight rows.
  if (isLhs)
    layout.registers.push_back({MatrixInstruction::rows / part, outer, part});
  layout.registers.push_back({shape[contracted] / part, contracted, part});
  for (const LayoutMode &mode : accumulator.registers) {
    bool isPart =
        mode.dim == kept && mode.stride >= (isLhs ? MatrixInstruction::rows
                                                  : MatrixInstruction::columns);
    // A digit that goes on from the eight rows of a part is cut there.
    if (isLhs && mode.dim == outer && mode.stride == part && mode.size > 2)
      layout.registers.push_back(
          {mode.size / 2, outer, MatrixInstruction::rows});
    else if (isPart || (mode.dim && *mode.dim < outer && shape[*mode.dim] > 1))
      layout.registers.push_back(mode);
  }
  layout.warps = accumulator.warps;
  for (LayoutMode &mode : layout.warps)
    if (!mode.isReplicated() && mode.dim != kept &&
        (*mode.dim >= outer || shape[*mode.dim] == 1))
      mode = LayoutMode::replicated(mode.size);
  return RegisterLayout(layout.registers, layout.lanes, layout.warps);
}

/// Returns a layout of runs of neighbours; where warps have rows of their own,
/// none of them goes along the innermost dimension.
static RegisterLayout getRunLayout(ShapeRef shape, int64_t warps,
                                   int64_t vector, bool haveRows) {
  RegisterLayout layout;
  int64_t lanesLeft = RegisterLayout::kWarpSize, warpsLeft = warps;
  LayoutModes rest;
  for (size_t dim = shape.size(); dim-- > 0;) {
    int64_t size = shape[dim], stride = 1;
    auto take = [&](LayoutModes &modes, int64_t most) {
      // The largest number of places that fills the dimension evenly.
      int64_t count = std::min(most, size);
      while (count > 1 && (size % count || most % count))
        --count;
      if (count > 1)
        modes.push_back({count, static_cast<int64_t>(dim), stride});
      size /= count;
      stride *= count;
      return count;
    };
    if (dim + 1 == shape.size())
      take(layout.registers, vector);
    lanesLeft /= take(layout.lanes, lanesLeft);
    if (!haveRows || dim + 1 < shape.size())
      warpsLeft /= take(layout.warps, warpsLeft);
    if (size > 1)
      rest.push_back({size, static_cast<int64_t>(dim), stride});
  }
  layout.registers.append(rest);
  if (lanesLeft > 1)
    layout.lanes.push_back(LayoutMode::replicated(lanesLeft));
  if (warpsLeft > 1)
    layout.warps.push_back(LayoutMode::replicated(warpsLeft));
  return RegisterLayout(layout.registers, layout.lanes, layout.warps);
}

RegisterLayout mirage::getVectorLayout(ShapeRef shape, int64_t warps,
                                       int64_t vector) {
  return getRunLayout(shape, warps, vector, /*haveRows=*/false);
}

std::optional<RegisterLayout>
mirage::getRowLayout(ShapeRef shape, int64_t warps, int64_t vector) {
  RegisterLayout layout = getRunLayout(shape, warps, vector, /*haveRows=*/true);
  if (llvm::any_of(layout.warps,
                   [](const LayoutMode &mode) { return mode.isReplicated(); }))
    return std::nullopt;
  return layout;
}

RegisterLayout mirage::getSpreadVectorLayout(ShapeRef shape, int64_t warps,
                                             int64_t vector) {
  RegisterLayout layout = getVectorLayout(shape, warps, vector);
  // Along the innermost dimension, neighbours that are accessed together stay
  // together.
  auto isNeighbours = [&](const LayoutMode &mode) {
    return *mode.dim + 1 == static_cast<int64_t>(shape.size()) &&
           mode.stride == 1;
  };
  auto *row = llvm::find_if(layout.registers, [&](const LayoutMode &mode) {
    return isNeighbours(mode) && mode.size > vector;
  });
  if (row != layout.registers.end())
    if (int64_t run = std::gcd(row->size, vector); run > 1) {
      LayoutMode rest = {row->size / run, row->dim, run};
      row->size = run;
      layout.registers.insert(std::next(row), rest);
    }
  // Warps that share a row exchange what they reduce of it, which does not pay
  // for a few elements.
  constexpr int64_t leastOfRow = 4;
  auto maySpread = [&](const LayoutMode &mode) {
    bool isInRow = *mode.dim + 1 == static_cast<int64_t>(shape.size());
    return isInRow ? mode.size >= leastOfRow &&
                         (!isNeighbours(mode) || mode.size > vector)
                   : mode.size > 1;
  };
  // A digit of the registers that may be spread has the largest stride of its
  // dimension. The one is spread that leaves the fewest registers.
  auto spread = [&](LayoutModes &modes, auto isMore) {
    if (modes.empty() || !modes.back().isReplicated())
      return;
    auto getLeft = [&](const LayoutMode &mode) {
      return static_cast<double>(
                 llvm::divideCeil(mode.size, modes.back().size)) /
             static_cast<double>(mode.size);
    };
    LayoutMode *most = nullptr;
    for (LayoutMode &mode : layout.registers) {
      if (!maySpread(mode))
        continue;
      double left = getLeft(mode), least = most ? getLeft(*most) : 2;
      if (left < least || (left == least && isMore(mode.size, most->size)))
        most = &mode;
    }
    if (!most)
      return;
    int64_t size = modes.back().size;
    modes.back() = {size, most->dim, most->stride};
    most->stride *= size;
    most->size = llvm::divideCeil(most->size, size);
  };
  // Two dimensions may leave equally many registers: lanes go along the inner
  // one then, and warps along the outer one.
  spread(layout.lanes, std::greater<>());
  spread(layout.warps, std::greater_equal<>());
  return RegisterLayout(layout.registers, layout.lanes, layout.warps);
}
