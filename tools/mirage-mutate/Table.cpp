//===- Table.cpp - What became of mutants ---------------------------------===//
//
// Prints a table in Markdown.
//
//===----------------------------------------------------------------------===//

#include "Table.h"
#include "llvm/Support/raw_ostream.h"

using namespace mirage;
using namespace mirage::equivalence;
using namespace mirage::mutate;

void Table::add(MutationKind kind, const Outcome &outcome) {
  Row &row = at(kind);
  ++row.mutants;
  ++row.legal;
  row.violations += outcome.isViolation();
  Outcome::Answer answer = outcome.getAnswer();
  // Mutants that floats accept count as accepted.
  if (outcome.oracle.kind == OracleAnswer::Kind::Undefined &&
      outcome.isAccepted() && !outcome.floatsAccept)
    answer = Outcome::Answer::Unknown;
  ++row.at(outcome.oracle.kind)[static_cast<unsigned>(answer)];
}

unsigned Table::getNumViolations() const {
  unsigned count = 0;
  for (const Row &row : rows)
    count += row.violations;
  return count;
}

void Table::print(llvm::raw_ostream &os) const {
  os << "| Mutation | mutants | programs | different: refuted | unknown | "
        "**accepted** | equal: proved | equivalent | unknown | **refuted** | "
        "undefined: accepted | not | unsure: accepted | not |\n|---";
  for (unsigned column = 0; column < 13; ++column)
    os << "|---";
  os << "|\n";
  enum { Proved, Equivalent, Refuted, Unknown };
  auto print = [&](llvm::StringRef name, const Row &row) {
    os << "| " << name << " | " << row.mutants << " | " << row.legal;
    const auto &different = row.at(OracleAnswer::Kind::Different);
    for (unsigned count : {different[Refuted], different[Unknown],
                           different[Proved] + different[Equivalent]})
      os << " | " << count;
    const auto &equal = row.at(OracleAnswer::Kind::Equal);
    for (unsigned count :
         {equal[Proved], equal[Equivalent], equal[Unknown], equal[Refuted]})
      os << " | " << count;
    for (auto kind :
         {OracleAnswer::Kind::Undefined, OracleAnswer::Kind::Unknown}) {
      const auto &counts = row.at(kind);
      os << " | " << counts[Proved] + counts[Equivalent] << " | "
         << counts[Refuted] + counts[Unknown];
    }
    os << " |\n";
  };
  Row total;
  for (auto [number, row] : llvm::enumerate(rows)) {
    total.mutants += row.mutants;
    total.legal += row.legal;
    total.violations += row.violations;
    for (size_t i = 0; i < row.counts.size(); ++i)
      for (size_t j = 0; j < row.counts[i].size(); ++j)
        total.counts[i][j] += row.counts[i][j];
    if (row.mutants)
      print(getName(static_cast<MutationKind>(number)), row);
  }
  print("all", total);
}
