//===- Table.h - What became of mutants -------------------------*- C++ -*-===//
//
// Counts answers of oracle and verifier by kind of mutation.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_TOOLS_MUTATE_TABLE_H
#define MIRAGE_TOOLS_MUTATE_TABLE_H

#include "Mirage/Analysis/Equivalence/RandomTests.h"
#include "Mutation.h"
#include "Oracle.h"
#include <array>

namespace mirage::mutate {

/// One mutant that is a program.
struct Outcome {
  OracleAnswer oracle;
  RandomTestResult verifier;

  bool accepts() const {
    return verifier.kind == RandomTestResult::Kind::Agree;
  }
  /// Unknown functions may be to blame for a difference; then it is none that
  /// the verifier is sure of.
  bool refutes() const {
    return verifier.kind == RandomTestResult::Kind::Differ &&
           verifier.unknownFunctions.empty();
  }
  bool isWronglyAccepted() const {
    return oracle.kind == OracleAnswer::Kind::Different && accepts();
  }
  bool isWronglyRefuted() const {
    return oracle.kind == OracleAnswer::Kind::Equal && refutes();
  }
};

class Table {
public:
  void addIllegal(MutationKind kind) { ++at(kind).mutants; }
  void add(MutationKind kind, const Outcome &outcome);

  void print(llvm::raw_ostream &os) const;
  unsigned getNumViolations() const;

private:
  struct Row {
    unsigned mutants = 0, legal = 0;
    /// By OracleAnswer::Kind: accepted, refuted, a difference that may be due
    /// to unknown functions, undecided.
    std::array<std::array<unsigned, 4>, 4> counts{};

    std::array<unsigned, 4> &at(OracleAnswer::Kind kind) {
      return counts[static_cast<unsigned>(kind)];
    }
    const std::array<unsigned, 4> &at(OracleAnswer::Kind kind) const {
      return counts[static_cast<unsigned>(kind)];
    }
  };
  Row &at(MutationKind kind) { return rows[static_cast<unsigned>(kind)]; }

  std::array<Row, kNumMutationKinds> rows;
};

} // namespace mirage::mutate

#endif // MIRAGE_TOOLS_MUTATE_TABLE_H
