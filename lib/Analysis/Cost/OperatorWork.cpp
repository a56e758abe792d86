//===- OperatorWork.cpp - Arithmetic of an operator by unit ---------------===//
//
// Products go to the tensor cores if their operands' type allows it, filled up
// to an instruction's shape in the better of both orders of operands (the one
// with fewer rows than the shape becomes the columns).
//
//===----------------------------------------------------------------------===//

#include "OperatorWork.h"
#include "Mirage/Analysis/Cost/ProductTiles.h"
#include "Mirage/Semantics/Cost.h"
#include "Mirage/Semantics/MatrixInstruction.h"
#include "Mirage/Semantics/ProductDims.h"
#include "Mirage/Semantics/ShapeRules.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include <cmath>

using namespace mirage;

// The shape of wgmma m64nNk16, with N a multiple of 8 up to 256 (PTX ISA).
static constexpr double wgmmaRows = WarpgroupInstruction::rows,
                        wgmmaColumns = WarpgroupInstruction::mostColumns,
                        columnStep = WarpgroupInstruction::columnStep;

static double roundUp(double value, double step) {
  return std::ceil(value / step) * step;
}

/// Returns whether the right operand provides the rows of wgmma, since fewer
/// elements are filled up so.
static bool isExchanged(double m, double n) {
  return roundUp(n, wgmmaRows) * roundUp(m, columnStep) <
         roundUp(m, wgmmaRows) * roundUp(n, columnStep);
}

double mirage::getBytes(const MuGraph &graph, MuValue value) {
  return static_cast<double>(elementCount(graph.getShape(value))) *
         byteSize(graph.getValue(value).type);
}

llvm::SmallVector<Product, 2> mirage::getProducts(const MuGraph &graph,
                                                  const MuNode &node) {
  const OpAttributes &attributes = node.attributes;
  ShapeRef result = graph.getShape(node.results[0]);
  double elements = elementCount(result);
  llvm::SmallVector<Product, 2> products;
  auto add = [&](double m, double n, double k, unsigned lhs, unsigned rhs) {
    Product p{elements / (m * n), m, n, k, lhs, rhs, 0, 0, false};
    double rowsOfLhs = std::ceil(m / wgmmaRows),
           columnsOfRhs = std::ceil(n / wgmmaColumns);
    if (isExchanged(m, n)) {
      columnsOfRhs = std::ceil(n / wgmmaRows);
      rowsOfLhs = std::ceil(m / wgmmaColumns);
    }
    p.lhsReads = getBytes(graph, node.operands[lhs]) * columnsOfRhs;
    p.rhsReads = getBytes(graph, node.operands[rhs]) * rowsOfLhs;
    ElementType type = graph.getValue(node.operands[lhs]).type;
    p.isOfLanes = !getTensorCoreTime(type, attributes.tf32);
    if (p.isOfLanes) {
      // A lane has as many rows as columns of the sums that it has registers
      // for, and reads both operands for each of its sums.
      constexpr double mostSums = 64, leastLanes = 128;
      double side = std::sqrt(std::clamp(m * n / leastLanes, 1.0, mostSums));
      double reads = elements * k * byteSize(type) / side;
      p.lhsReads = std::max(p.lhsReads, reads);
      p.rhsReads = std::max(p.rhsReads, reads);
    }
    products.push_back(p);
  };
  auto shapeOf = [&](unsigned i) { return graph.getShape(node.operands[i]); };
  switch (node.op) {
  case OpKind::Matmul:
    add(result.rbegin()[1], result.back(),
        shapeOf(0)[getContractedDim(attributes, ProductOperand::Lhs,
                                    shapeOf(0).size())],
        0, 1);
    break;
  case OpKind::ConcatMatmul:
    for (unsigned i : {0, 1})
      add(result.rbegin()[1], result.back(), shapeOf(i).back(), i, i + 2);
    break;
  case OpKind::Conv2d: {
    bool isNCHW = attributes.convLayout == ConvLayout::NCHW;
    double channels = shapeOf(1)[isNCHW ? 0 : 3];
    double perGroup = channels / attributes.convGroups;
    add(elements / channels, perGroup, elementCount(shapeOf(1)) / channels, 0,
        1);
    break;
  }
  case OpKind::Attention: {
    double m = result.rbegin()[1], keys = shapeOf(1).rbegin()[1];
    add(m, result.back(), keys, 0, 2);
    double batch = products.front().batch;
    products.insert(products.begin(),
                    Product{batch, m, keys,
                            static_cast<double>(shapeOf(0).back()), 0, 1, 0, 0,
                            false});
    break;
  }
  default:
    break;
  }
  return products;
}

void mirage::addWork(const MuGraph &graph, const MuNode &node, double times,
                     bool tensorCores, KernelSummary &summary) {
  auto shapes = llvm::map_to_vector<4>(node.operands, [&](MuValue operand) {
    return Shape(graph.getShape(operand));
  });
  OpCounts counts = countOp(node.op, node.attributes, shapes);
  summary.exponentials += counts.exponentials * times;
  double others = counts.flops;
  std::optional<double> time;
  if (tensorCores && !node.operands.empty())
    time = getTensorCoreTime(graph.getValue(node.operands[0]).type,
                             node.attributes.tf32);
  for (const Product &p : getProducts(graph, node)) {
    double flops = 2 * p.batch * p.m * p.n * p.k;
    others -= flops;
    if (!time) {
      summary.otherFlops += flops * times;
      summary.scalarInstructions += flops / 2 * times;
      continue;
    }
    addTensorFlops(p.batch, p.m, p.n, p.k, *time * times, summary);
  }
  summary.otherFlops += others * times;
  summary.scalarInstructions += others * times;
}
