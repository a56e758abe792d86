//===- DivideResults.cpp - Results of unlike widths in equal parts --------===//
//
// Writes results as concatenations of slices of themselves, which
// SeparateParts.cpp moves to the inputs: a part of a product is a product with
// a part of the weight.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Problem/ProgramViews.h"
#include "Mirage/Semantics/Windows.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace mirage;
using namespace mirage::search;

/// The only dimension in which the results' sizes differ, if there is one.
static std::optional<size_t> findUnlikeDim(const MuGraph &program) {
  llvm::ArrayRef<MuValue> results = program.getRegion().results;
  if (results.size() < 2)
    return std::nullopt;
  ShapeRef first = program.getShape(results.front());
  std::optional<size_t> unlike;
  for (MuValue result : results.drop_front()) {
    ShapeRef other = program.getShape(result);
    if (other.size() != first.size())
      return std::nullopt;
    for (size_t dim = 0; dim < first.size(); ++dim) {
      if (other[dim] == first[dim])
        continue;
      if (unlike && *unlike != dim)
        return std::nullopt;
      unlike = dim;
    }
  }
  return unlike;
}

/// The result as a concatenation of slices that are each of size `unit` along a
/// dimension.
static MuValue divide(MuGraph &program, MuValue result, size_t dim,
                      int64_t unit) {
  const Shape shape(program.getShape(result));
  ElementType type = program.getValue(result).type;
  llvm::SmallVector<MuValue> parts;
  OpAttributes slice;
  slice.offsets.assign(shape.size(), 0);
  slice.strides.assign(shape.size(), 1);
  slice.sizes.assign(shape.begin(), shape.end());
  slice.sizes[dim] = unit;
  for (int64_t begin = 0; begin < shape[dim]; begin += unit) {
    slice.offsets[dim] = begin;
    parts.push_back(
        program.addOperator(0, OpKind::Slice, slice, {result}, type));
  }
  OpAttributes concat;
  concat.dim = static_cast<int64_t>(dim);
  return program.addOperator(0, OpKind::Concat, concat, parts, type);
}

std::optional<ProgramView>
mirage::search::divideResults(const ProgramView &view) {
  if (!view.results.empty() || view.numStacked ||
      view.program.getNumRegions() > 1)
    return std::nullopt;
  std::optional<size_t> dim = findUnlikeDim(view.program);
  if (!dim)
    return std::nullopt;
  ProgramView divided = view;
  MuGraph &program = divided.program;
  auto results = llvm::to_vector(program.getRegion().results);
  int64_t unit = 0, all = 0;
  for (MuValue result : results) {
    int64_t size = program.getShape(result)[*dim];
    unit = std::gcd(unit, size);
    all += size;
  }
  if (all / unit > static_cast<int64_t>(kMostSelectedParts))
    return std::nullopt;
  for (MuValue &result : results)
    if (program.getShape(result)[*dim] > unit)
      result = divide(program, result, *dim, unit);
  program.setResults(0, results);
  return divided;
}
