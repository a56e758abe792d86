//===- CheckShapes.h - Whether a graph has the shapes it must have -*- C++
//-*-===//
//
// Holds the shapes of a graph's values to the rules of its operators.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_MUGRAPH_CHECKSHAPES_H
#define MIRAGE_MUGRAPH_CHECKSHAPES_H

#include "Mirage/MuGraph/MuGraph.h"
#include "llvm/Support/LogicalResult.h"

namespace mirage {

/// Fails, and says why, if results of an operator have other shapes than its
/// rule gives them (Semantics/ShapeRules.h), or if it takes no such operands.
llvm::LogicalResult checkShapes(const MuGraph &graph, std::string &error);

} // namespace mirage

#endif // MIRAGE_MUGRAPH_CHECKSHAPES_H
