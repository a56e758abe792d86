//===- WindowLoops.cpp - Loops of operations that read windows ------------===//
//
// Implements the classification of loops by the maps that they occur in.
//
//===----------------------------------------------------------------------===//

#include "WindowLoops.h"

using namespace mlir;
using namespace mirage;

/// Matches stride * dim, where the stride may be left out.
static bool matchTerm(AffineExpr expr, unsigned &dim, int64_t &factor) {
  factor = 1;
  if (auto product = dyn_cast<AffineBinaryOpExpr>(expr);
      product && product.getKind() == AffineExprKind::Mul) {
    auto constant = dyn_cast<AffineConstantExpr>(product.getRHS());
    if (!constant)
      return false;
    factor = constant.getValue();
    expr = product.getLHS();
  }
  auto dimExpr = dyn_cast<AffineDimExpr>(expr);
  if (dimExpr)
    dim = dimExpr.getPosition();
  return dimExpr && factor >= 1;
}

bool WindowLoops::matchInput(AffineMap map) {
  for (AffineExpr expr : map.getResults()) {
    if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
      input.push_back(dim.getPosition());
      continue;
    }
    auto sum = dyn_cast<AffineBinaryOpExpr>(expr);
    Spatial s;
    if (!sum || sum.getKind() != AffineExprKind::Add ||
        !matchTerm(sum.getLHS(), s.output, s.stride) ||
        !matchTerm(sum.getRHS(), s.tap, s.dilation))
      return false;
    if (isReduction(s.output)) {
      std::swap(s.output, s.tap);
      std::swap(s.stride, s.dilation);
    }
    if (isReduction(s.output) || !isReduction(s.tap))
      return false;
    spatial.push_back(s);
    input.push_back(s.output);
  }
  return spatial.size() == 1 || spatial.size() == 2;
}

static bool matchDims(AffineMap map, Labels &labels) {
  for (AffineExpr expr : map.getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim)
      return false;
    labels.push_back(dim.getPosition());
  }
  return true;
}

bool WindowLoops::match() {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  if (maps.size() != 3 || op.getNumDpsInputs() != 2 || !matchInput(maps[0]) ||
      !matchDims(maps[1], filter) || !matchDims(maps[2], output))
    return false;
  for (unsigned dim = 0; dim < ranges.size(); ++dim) {
    bool isTap =
        llvm::any_of(spatial, [&](const Spatial &s) { return s.tap == dim; });
    bool isImage = llvm::any_of(
        spatial, [&](const Spatial &s) { return s.output == dim; });
    auto isIn = [&](ArrayRef<unsigned> labels) {
      return llvm::count(labels, dim) == 1;
    };
    bool i = isIn(input), f = isIn(filter), o = isIn(output);
    if (isTap && !i && f && !o)
      continue;
    if (isImage && i && !f && o)
      continue;
    if (isTap || isImage || isReduction(dim) == o)
      return false;
    if (i && f && o)
      groups.push_back(dim);
    else if (i && f)
      inputChannels.push_back(dim);
    else if (i && o)
      batch.push_back(dim);
    else if (f && o)
      outputChannels.push_back(dim);
    else
      return false;
  }
  // The channels stand before the image, if there are any.
  channelsFirst = true;
  for (auto [position, dim] : llvm::enumerate(input))
    if (dim == spatial.front().output)
      for (unsigned later : ArrayRef(input).drop_front(position + 1))
        if (llvm::is_contained(groups, later) ||
            llvm::is_contained(inputChannels, later))
          channelsFirst = false;
  return true;
}

LogicalResult mirage::convertWindows(Importer &importer, linalg::LinalgOp op) {
  WindowLoops loops(op);
  return loops.match() && loops.isPooling() ? convertPooling(importer, op)
                                            : convertConvolution(importer, op);
}

bool mirage::readsWindows(linalg::LinalgOp op) {
  return !op.hasDynamicShape() && op->getNumResults() == 1 &&
         WindowLoops(op).match();
}
