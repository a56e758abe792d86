//===- Table.cpp - What became of mutants ---------------------------------===//
//
// Prints a table in Markdown.
//
//===----------------------------------------------------------------------===//

#include "Table.h"
#include "llvm/Support/raw_ostream.h"

using namespace mirage;
using namespace mirage::mutate;

void Table::add(MutationKind kind, const Outcome &outcome) {
  Row &row = at(kind);
  ++row.mutants;
  ++row.legal;
  unsigned column = 3;
  if (outcome.accepts())
    column = 0;
  else if (outcome.refutes())
    column = 1;
  else if (outcome.verifier.kind == RandomTestResult::Kind::Differ)
    column = 2;
  ++row.at(outcome.oracle.kind)[column];
}

unsigned Table::getNumViolations() const {
  unsigned count = 0;
  for (const Row &row : rows)
    count += row.at(OracleAnswer::Kind::Different)[0] +
             row.at(OracleAnswer::Kind::Equal)[1];
  return count;
}

void Table::print(llvm::raw_ostream &os) const {
  os << "| Mutation | mutants | programs | different: refuted | differ? | "
        "undecided | **accepted** | equal: accepted | differ? | undecided | "
        "**refuted** | undefined: accepted | not | unsure: accepted | not "
        "|\n|---";
  for (unsigned column = 0; column < 14; ++column)
    os << "|---";
  os << "|\n";
  auto print = [&](llvm::StringRef name, const Row &row) {
    os << "| " << name << " | " << row.mutants << " | " << row.legal;
    for (auto kind :
         {OracleAnswer::Kind::Different, OracleAnswer::Kind::Equal}) {
      const auto &counts = row.at(kind);
      unsigned right = kind == OracleAnswer::Kind::Different ? 1 : 0;
      for (unsigned count :
           {counts[right], counts[2], counts[3], counts[1 - right]})
        os << " | " << count;
    }
    for (auto kind :
         {OracleAnswer::Kind::Undefined, OracleAnswer::Kind::Unknown}) {
      const auto &counts = row.at(kind);
      os << " | " << counts[0] << " | " << counts[1] + counts[2] + counts[3];
    }
    os << " |\n";
  };
  Row total;
  for (auto [number, row] : llvm::enumerate(rows)) {
    total.mutants += row.mutants;
    total.legal += row.legal;
    for (size_t i = 0; i < row.counts.size(); ++i)
      for (size_t j = 0; j < row.counts[i].size(); ++j)
        total.counts[i][j] += row.counts[i][j];
    if (row.mutants)
      print(getName(static_cast<MutationKind>(number)), row);
  }
  print("all", total);
}
