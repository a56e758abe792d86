//===- Cone.h - What a value is computed from -------------------*- C++ -*-===//
//
// A cone is a result together with the operators that compute it from some
// leaves. The walk begins with one operator and takes in the latest leaf again
// and again, so that every cone with few leaves is met, smaller ones first.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_TRANSFORMS_RAISECOMPOSITES_CONE_H
#define MIRAGE_LIB_TRANSFORMS_RAISECOMPOSITES_CONE_H

#include "Mirage/Interfaces/MuGraphOpInterface.h"
#include "Mirage/Semantics/ElementGraph.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/SetVector.h"

namespace mirage {

struct Cone {
  mlir::Operation *root = nullptr;
  /// Operators inside, among them the constants with one value for all
  /// elements. Later ones come first.
  llvm::SetVector<mlir::Operation *> operators;
  /// Values that the cone reads, without those constants.
  llvm::SetVector<mlir::Value> leaves;

  mlir::Value getResult() const { return root->getResult(0); }
};

/// Returns the value that all elements of a constant have, if it is one.
std::optional<double> getSplatValue(mlir::Value value);

/// Calls `visit` for the cones of `root`, each containing the one before, up to
/// a limit of operators. Cones hold elementwise operators, reductions, and the
/// layout operators that norms are written with.
void forEachCone(mlir::Operation *root,
                 llvm::function_ref<void(const Cone &)> visit);

/// The cone as a graph without IR.
struct ConeGraph {
  ElementGraph graph;
  ElementGraph::Node result;
  /// The graph's variables, in the order of the cone's leaves.
  llvm::SmallVector<ElementGraph::Node> leaves;
  /// The graph's tensor for every value in the cone.
  llvm::DenseMap<mlir::Value, ElementGraph::Node> nodes;

  explicit ConeGraph(const Cone &cone);
};

} // namespace mirage

#endif // MIRAGE_LIB_TRANSFORMS_RAISECOMPOSITES_CONE_H
