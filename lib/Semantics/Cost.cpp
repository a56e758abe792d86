//===- Cost.cpp - Arithmetic and traffic of one operator ------------------===//
//
// Counts arithmetic: elementwise operators by the table and the number of
// elements, reductions and products by their extents, composite ones by their
// decomposition.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Semantics/Cost.h"
#include "Mirage/Semantics/Composite.h"
#include "Mirage/Semantics/ProductDims.h"
#include "Mirage/Semantics/ShapeRules.h"

using namespace mirage;

namespace {
/// Adds up the counts of the operators a composite operator consists of.
struct CountingBuilder {
  OpCounts &counts;

  Shape apply(OpKind kind, const OpAttributes &attrs,
              llvm::ArrayRef<Shape> operands) {
    llvm::SmallVector<Shape, 1> results;
    std::string error;
    if (llvm::failed(inferShapes(kind, attrs, operands, results, error)))
      llvm_unreachable("a composite operator's parts have legal shapes");
    OpCounts part = countOp(kind, attrs, operands);
    counts.flops += part.flops;
    counts.exponentials += part.exponentials;
    return results.front();
  }
};
} // namespace

OpCounts mirage::countOp(OpKind kind, const OpAttributes &attrs,
                         llvm::ArrayRef<Shape> operands) {
  const OpInfo &info = getOpInfo(kind);
  llvm::SmallVector<Shape, 1> results;
  std::string error;
  if (llvm::failed(inferShapes(kind, attrs, operands, results, error)))
    return {};
  OpCounts counts;
  for (const Shape &shape : operands)
    counts.elementsRead += elementCount(shape);
  for (const Shape &shape : results)
    counts.elementsWritten += elementCount(shape);
  int64_t written = counts.elementsWritten;
  counts.flops = info.flops * written;
  counts.exponentials = info.exponentials * written;
  switch (kind) {
  case OpKind::Reduce:
    counts.flops = counts.elementsRead;
    break;
  case OpKind::Matmul:
    counts.flops = 2 * written *
                   operands[0][getContractedDim(attrs, ProductOperand::Lhs,
                                                operands[0].size())];
    break;
  case OpKind::ConcatMatmul:
    counts.flops = 2 * written * (operands[0].back() + operands[1].back());
    break;
  case OpKind::Conv2d: {
    const Shape &filter = operands[1];
    int64_t outChannels = filter[attrs.convLayout == ConvLayout::NCHW ? 0 : 3];
    counts.flops = 2 * written * (elementCount(filter) / outChannels);
    break;
  }
#define MIRAGE_COMPOSITE_OP(Kind, ...) case OpKind::Kind:
#include "Mirage/Semantics/OpKinds.def"
    buildComposite(kind, attrs, operands[0], operands, CountingBuilder{counts});
    break;
    // The table has the counts of these.
#define MIRAGE_ELEMENTWISE_OP(Kind, ...) case OpKind::Kind:
#include "Mirage/Semantics/OpKinds.def"
#define MIRAGE_CONSTANT_OP(Kind, ...) case OpKind::Kind:
#include "Mirage/Semantics/OpKinds.def"
#define MIRAGE_LAYOUT_OP(Kind, ...) case OpKind::Kind:
#include "Mirage/Semantics/OpKinds.def"
    break;
  }
  return counts;
}
