//===- BinaryProgram.cpp - Binary linear programs -------------------------===//
//
// Keeps the variables and the rows of a binary program.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/KernelGraphs/BinaryProgram.h"
#include "llvm/ADT/STLExtras.h"
#include <cassert>
#include <cmath>

using namespace mirage::search;
using llvm::ArrayRef;

BinaryProgram::Variable BinaryProgram::addVariable(double cost, bool isBinary) {
  assert(std::isfinite(cost) && "what costs infinitely much is no variable");
  costs.push_back(cost);
  binary.push_back(isBinary);
  return costs.size() - 1;
}

BinaryProgram::Variable BinaryProgram::addBinary(double cost) {
  return addVariable(cost, /*isBinary=*/true);
}

BinaryProgram::Variable BinaryProgram::addFraction(double cost) {
  return addVariable(cost, /*isBinary=*/false);
}

void BinaryProgram::addRow(ArrayRef<Term> sum, double atLeast) {
  rows.push_back({terms.size(), atLeast});
  llvm::append_range(terms, sum);
}

ArrayRef<BinaryProgram::Term> BinaryProgram::getRow(unsigned row) const {
  size_t begin = rows[row].begin;
  size_t end = row + 1 < rows.size() ? rows[row + 1].begin : terms.size();
  return ArrayRef(terms).slice(begin, end - begin);
}
