//===- Table.cpp - What became of mutants ---------------------------------===//
//
// Prints a table in Markdown.
//
//===----------------------------------------------------------------------===//

#include "Table.h"
#include "llvm/Support/FormatVariadic.h"
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
  ++row.counts[static_cast<unsigned>(outcome.oracle.kind)][column];
}

unsigned Table::getNumViolations() const {
  unsigned count = 0;
  for (const Row &row : rows)
    count +=
        row.counts[static_cast<unsigned>(OracleAnswer::Kind::Different)][0] +
        row.counts[static_cast<unsigned>(OracleAnswer::Kind::Equal)][1];
  return count;
}

void Table::print(llvm::raw_ostream &os) const {
  os << "| Mutation | Mutants | Legal | Different: refuted | differ? | "
        "undecided "
        "| **accepted** | Equal: accepted | differ? | undecided | **refuted** "
        "| "
        "Oracle unsure: accepted | not accepted |\n"
     << "|---|---|---|---|---|---|---|---|---|---|---|---|---|\n";
  auto print = [&](llvm::StringRef name, const Row &row) {
    const auto &equal = row.counts[0], &different = row.counts[1],
               &unknown = row.counts[2];
    os << llvm::formatv("| {0} | {1} | {2} | {3} | {4} | {5} | {6} | {7} | {8} "
                        "| {9} | {10} | {11} | {12} |\n",
                        name, row.mutants, row.legal, different[1],
                        different[2], different[3], different[0], equal[0],
                        equal[2], equal[3], equal[1], unknown[0],
                        unknown[1] + unknown[2] + unknown[3]);
  };
  Row total;
  for (auto [number, row] : llvm::enumerate(rows)) {
    total.mutants += row.mutants;
    total.legal += row.legal;
    for (size_t i = 0; i < 3; ++i)
      for (size_t j = 0; j < 4; ++j)
        total.counts[i][j] += row.counts[i][j];
    if (row.mutants)
      print(getName(static_cast<MutationKind>(number)), row);
  }
  print("all", total);
}
