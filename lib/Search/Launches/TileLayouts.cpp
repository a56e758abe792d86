//===- TileLayouts.cpp - The order of a tile's elements -------------------===//
//
// Chooses layouts, and adds the reshapes and transpositions between them.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Launches/TileLayouts.h"
#include "llvm/ADT/STLExtras.h"

using namespace mirage;
using namespace mirage::search;
using llvm::ArrayRef;

AxisList mirage::search::flatten(const TensorLayout &layout) {
  AxisList axes;
  for (ArrayRef<uint8_t> dim : layout)
    llvm::append_range(axes, dim);
  return axes;
}

TensorLayout mirage::search::getFlatLayout(ArrayRef<uint8_t> axes) {
  TensorLayout layout;
  for (uint8_t axis : axes)
    layout.push_back({axis});
  return layout;
}

std::optional<unsigned>
mirage::search::findOutermost(const TensorLayout &layout, uint8_t axis) {
  for (auto [dim, axes] : llvm::enumerate(layout))
    if (!axes.empty() && axes.front() == axis)
      return dim;
  return std::nullopt;
}

std::optional<TensorLayout> mirage::search::restrict(const TensorLayout &layout,
                                                     ArrayRef<uint8_t> axes) {
  TensorLayout result;
  for (ArrayRef<uint8_t> dim : layout) {
    auto isKept = [&](uint8_t axis) { return llvm::is_contained(axes, axis); };
    auto kept = llvm::count_if(dim, isKept);
    if (kept != 0 && kept != static_cast<ptrdiff_t>(dim.size()))
      return std::nullopt;
    result.emplace_back();
    if (kept)
      result.back().assign(dim.begin(), dim.end());
  }
  return result;
}

TensorLayout mirage::search::getCutLayout(const TensorLayout &layout,
                                          ArrayRef<uint8_t> cut) {
  bool canBeCut = llvm::all_of(cut, [&](uint8_t axis) {
    return findOutermost(layout, axis).has_value();
  });
  return canBeCut ? layout : getFlatLayout(flatten(layout));
}

/// Dimension by dimension, where one of the layouts has axes there; nothing if
/// two have different ones.
static std::optional<TensorLayout> overlay(ArrayRef<TensorLayout> layouts) {
  TensorLayout result = layouts.front();
  for (const TensorLayout &layout : layouts.drop_front()) {
    if (layout.size() != result.size())
      return std::nullopt;
    for (auto [dim, other] : llvm::zip(result, layout)) {
      if (!dim.empty() && !other.empty() && dim != other)
        return std::nullopt;
      if (dim.empty())
        dim = other;
    }
  }
  return result;
}

TensorLayout mirage::search::combineLayouts(const SearchProblem &problem,
                                            ArrayRef<TensorLayout> layouts,
                                            ArrayRef<uint8_t> axes) {
  auto isWhole = [&](const TensorLayout &layout) {
    return flatten(layout).size() == axes.size();
  };
  if (auto all = overlay(layouts); all && isWhole(*all))
    return *all;
  // The layout that has most axes stays as it is, if others fit into it.
  const TensorLayout &largest = *llvm::max_element(
      layouts, [](const TensorLayout &a, const TensorLayout &b) {
        return flatten(a).size() < flatten(b).size();
      });
  bool fits = isWhole(largest) &&
              llvm::all_of(layouts, [&](const TensorLayout &layout) {
                return restrict(largest, flatten(layout)).has_value();
              });
  if (fits)
    return largest;
  AxisList order = flatten(largest);
  for (uint8_t axis : axes) {
    if (llvm::is_contained(order, axis))
      continue;
    auto *at = llvm::find_if(
        order, [&](uint8_t other) { return problem.isBefore(axis, other); });
    order.insert(at, axis);
  }
  return getFlatLayout(order);
}

ProductAxes mirage::search::getProductAxes(const SearchProblem &problem,
                                           const LaunchGraph &launch,
                                           const BlockOperator &op) {
  ProductAxes product;
  ArrayRef<uint8_t> reduced = problem.getReducedAxes()[op.reduced];
  product.summed.assign(reduced.begin(), reduced.end());
  auto getAxes = [&](uint8_t value) {
    AxisList axes;
    for (DimId dim : launch.values[value].dims)
      axes.push_back(problem.getParts(dim).front().axis);
    return axes;
  };
  AxisList first = getAxes(op.first), second = getAxes(op.second);
  for (uint8_t axis : first) {
    bool isShared = llvm::is_contained(second, axis);
    if (!isShared)
      product.rows.push_back(axis);
    else if (!llvm::is_contained(reduced, axis))
      product.batch.push_back(axis);
  }
  for (uint8_t axis : second)
    if (!llvm::is_contained(first, axis))
      product.columns.push_back(axis);
  // Rows come before columns in the program. A single row is on the left.
  auto isAnyBefore = [&](ArrayRef<uint8_t> axes, ArrayRef<uint8_t> others) {
    return llvm::any_of(axes, [&](uint8_t axis) {
      return llvm::any_of(
          others, [&](uint8_t other) { return problem.isBefore(axis, other); });
    });
  };
  product.isSwapped =
      product.columns.empty() || (isAnyBefore(product.columns, product.rows) &&
                                  !isAnyBefore(product.rows, product.columns));
  product.isSwapped ^= op.isExchanged != 0;
  if (product.isSwapped)
    std::swap(product.rows, product.columns);
  return product;
}

MuValue TileLayouts::add(OpKind kind, const OpAttributes &attributes,
                         MuValue value, const TensorLayout &layout) {
  const Tile &tile = tiles.at(value);
  MuValue result = graph.addOperator(tile.region, kind, attributes, {value},
                                     graph.getValue(value).type);
  set(result, layout, tile.dims, tile.region);
  return result;
}

MuValue TileLayouts::reshape(MuValue value, const TensorLayout &layout,
                             GetSize getSize) {
  if (get(value) == layout)
    return value;
  OpAttributes attributes;
  for (ArrayRef<uint8_t> dim : layout) {
    int64_t size = 1;
    for (uint8_t axis : dim)
      size *= getSize(tiles.at(value).dims, axis);
    attributes.resultShape.push_back(size);
  }
  return add(OpKind::Reshape, attributes, value, layout);
}

/// Exchanges whole dimensions.
MuValue TileLayouts::transpose(MuValue value, const TensorLayout &layout) {
  OpAttributes attributes;
  const TensorLayout &from = get(value);
  for (const auto &dim : layout)
    for (auto [number, other] : llvm::enumerate(from))
      if (other == dim && !llvm::is_contained(attributes.permutation, number)) {
        attributes.permutation.push_back(static_cast<int64_t>(number));
        break;
      }
  return add(OpKind::Transpose, attributes, value, layout);
}

MuValue TileLayouts::arrange(MuValue value, const TensorLayout &layout,
                             GetSize getSize) {
  const TensorLayout from = get(value);
  if (from == layout)
    return value;
  Key key{value, {}};
  for (ArrayRef<uint8_t> dim : layout)
    key.second.emplace_back(dim.begin(), dim.end());
  auto [entry, isNew] = arranged.try_emplace(std::move(key), value);
  if (!isNew)
    return entry->second;
  AxisList order = flatten(layout);
  MuValue result = value;
  // One element may stand anywhere.
  auto getLong = [&](AxisList axes) {
    llvm::erase_if(axes, [&](uint8_t axis) {
      return getSize(tiles.at(value).dims, axis) == 1;
    });
    return axes;
  };
  if (getLong(flatten(from)) != getLong(order)) {
    TensorLayout sorted = from, wanted = layout;
    llvm::sort(sorted);
    llvm::sort(wanted);
    if (sorted == wanted)
      return entry->second = transpose(value, layout);
    result = reshape(result, getFlatLayout(flatten(from)), getSize);
    result = transpose(result, getFlatLayout(order));
  }
  return entry->second = reshape(result, layout, getSize);
}
