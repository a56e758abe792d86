//===- BinaryProgram.cpp - Binary linear programs -------------------------===//
//
// Keeps the variables and the rows of a binary program, and prints them.
//
//===----------------------------------------------------------------------===//

#include "Mirage/BinaryProgram/BinaryProgram.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include <cassert>
#include <cmath>

using namespace mirage;
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

void BinaryProgram::print(llvm::raw_ostream &os) const {
  // The format bounds the length of a line.
  constexpr unsigned termsOfLine = 8;
  unsigned printed = 0;
  auto printTerm = [&](double coefficient, Variable variable) {
    os << llvm::format(" %+.17g x%u", coefficient, variable);
    if (++printed % termsOfLine == 0)
      os << "\n";
  };
  os << "Minimize\n cost:";
  for (auto [variable, cost] : llvm::enumerate(costs))
    printTerm(cost, variable);
  os << "\nSubject To\n";
  for (auto [number, row] : llvm::enumerate(rows)) {
    os << " r" << number << ":";
    printed = 0;
    for (const Term &term : getRow(number))
      printTerm(term.coefficient, term.variable);
    os << llvm::format(" >= %.17g\n", row.atLeast);
  }
  os << "Bounds\n";
  for (Variable variable = 0; variable < costs.size(); ++variable)
    if (!binary[variable])
      os << " 0 <= x" << variable << " <= 1\n";
  os << "Binary\n";
  for (Variable variable = 0; variable < costs.size(); ++variable)
    if (binary[variable])
      os << " x" << variable << "\n";
  os << "End\n";
}
