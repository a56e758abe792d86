//===- CheckShapes.cpp - Whether a graph has the shapes it must have ------===//
//
// Infers the shapes of each operator's results again.
//
//===----------------------------------------------------------------------===//

#include "Mirage/MuGraph/CheckShapes.h"
#include "Mirage/Semantics/ShapeRules.h"

using namespace mirage;

llvm::LogicalResult mirage::checkShapes(const MuGraph &graph,
                                        std::string &error) {
  for (unsigned number = 0; number < graph.getNumNodes(); ++number) {
    const MuNode &node = graph.getNode(number);
    if (node.kind != MuNode::Kind::Operator)
      continue;
    llvm::SmallVector<Shape, 4> operands;
    for (MuValue operand : node.operands)
      operands.push_back(Shape(graph.getShape(operand)));
    llvm::SmallVector<Shape, 1> results;
    if (failed(inferShapes(node.op, node.attributes, operands, results, error)))
      return llvm::failure();
    for (auto [result, shape] : llvm::zip_equal(node.results, results))
      if (graph.getShape(result) != ShapeRef(shape)) {
        error = "a result has another shape than its operator gives it";
        return llvm::failure();
      }
  }
  return llvm::success();
}
