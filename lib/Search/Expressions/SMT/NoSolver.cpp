//===- NoSolver.cpp - A build without Z3 ----------------------------------===//
//
// Static tools have no Z3: every question stays open, and nothing is pruned
// because of it.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Expressions/SMT.h"

using namespace mirage::search;

bool mirage::search::hasSolver() { return false; }

SolverAnswer mirage::search::solveExtents(
    const ExtentConstraints &,
    llvm::ArrayRef<std::vector<ExtentConstraints::Equation>>, unsigned,
    ExtentValues *) {
  return SolverAnswer::Unknown;
}
