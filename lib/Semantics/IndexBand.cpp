//===- IndexBand.cpp - Constants of two numbers made of indices -----------===//
//
// Compares the diagonals of a matrix.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Semantics/IndexBand.h"
#include <cstring>

using namespace mirage;

bool IndexBand::exchangeSides() {
  if (lower <= least) {
    lower = upper;
    upper = largest + 1;
  } else if (upper > largest) {
    upper = lower;
    lower = least;
  } else {
    return false;
  }
  std::swap(inside, outside);
  return true;
}

std::optional<IndexBand>
mirage::findIndexBand(ShapeRef shape, llvm::ArrayRef<char> bytes,
                      size_t elementBytes,
                      llvm::function_ref<double(int64_t)> getElement) {
  IndexBand band;
  band.coefficients.assign(shape.size(), 0);
  int64_t rows = 1, columns = 0;
  for (size_t dim = shape.size(); dim-- > 0;) {
    if (shape[dim] == 1)
      continue;
    if (columns == 0) {
      columns = shape[dim];
      band.coefficients[dim] = 1;
    } else if (rows == 1) {
      rows = shape[dim];
      band.coefficients[dim] = -1;
    } else {
      return std::nullopt;
    }
  }
  if (columns == 0 ||
      bytes.size() != static_cast<size_t>(rows * columns) * elementBytes)
    return std::nullopt;
  auto at = [&](int64_t row, int64_t column) {
    return bytes.data() + (row * columns + column) * elementBytes;
  };
  // Each row is the one above, moved by one column.
  for (int64_t row = 1; row < rows; ++row)
    if (std::memcmp(at(row, 1), at(row - 1, 0), (columns - 1) * elementBytes))
      return std::nullopt;
  band.least = 1 - rows;
  band.largest = columns - 1;
  // The diagonals have runs of equal elements, two or three of them.
  auto getPosition = [&](int64_t diagonal) {
    return diagonal < 0 ? -diagonal * columns : diagonal;
  };
  auto areEqual = [&](int64_t a, int64_t b) {
    return std::memcmp(bytes.data() + getPosition(a) * elementBytes,
                       bytes.data() + getPosition(b) * elementBytes,
                       elementBytes) == 0;
  };
  llvm::SmallVector<int64_t, 3> runs{band.least};
  for (int64_t diagonal = band.least + 1; diagonal <= band.largest; ++diagonal)
    if (!areEqual(diagonal, diagonal - 1)) {
      if (runs.size() == 3)
        return std::nullopt;
      runs.push_back(diagonal);
    }
  if (runs.size() < 2 || (runs.size() == 3 && !areEqual(runs[0], runs[2])))
    return std::nullopt;
  band.lower = runs[1];
  band.upper = runs.size() == 3 ? runs[2] : band.largest + 1;
  band.outside = getElement(getPosition(runs[0]));
  band.inside = getElement(getPosition(runs[1]));
  return band;
}
