//===- Table.h - What became of mutants -------------------------*- C++ -*-===//
//
// Counts answers of oracle and verifier by kind of mutation.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_TOOLS_MUTATE_TABLE_H
#define MIRAGE_TOOLS_MUTATE_TABLE_H

#include "Mirage/Analysis/Equivalence/Fields/RandomTests.h"
#include "Mutation.h"
#include "Oracle.h"
#include <array>

namespace mirage::mutate {

/// One mutant that is a program, and what the stages of the verifier say of it.
struct Outcome {
  enum class Answer : uint8_t { Proved, Equivalent, Refuted, Unknown };

  OracleAnswer oracle;
  bool isProved = false;
  equivalence::RandomTestResult tests;
  /// True if floats show a difference, too; this is asked where tests see one
  /// that may be due to unknown functions.
  bool floatsDiffer = false;
  /// These are set for what is accepted so far: if floats accept it, and if an
  /// element is finite in the original and not in the mutant, or infinite there
  /// and not the same here.
  bool floatsAccept = false, losesElements = false;

  /// Returns the answer of mirage-verify-equivalence.
  Answer getAnswer() const {
    if (isProved)
      return Answer::Proved;
    if (tests.kind == equivalence::RandomTestResult::Kind::Agree)
      return Answer::Equivalent;
    bool refuted = tests.kind == equivalence::RandomTestResult::Kind::Differ &&
                   (tests.unknownFunctions.empty() || floatsDiffer);
    return refuted ? Answer::Refuted : Answer::Unknown;
  }

  /// Returns the answer without floats.
  bool isAccepted() const {
    return isProved || tests.kind == equivalence::RandomTestResult::Kind::Agree;
  }
  bool isWronglyAccepted() const {
    return oracle.kind == OracleAnswer::Kind::Different && isAccepted();
  }
  /// Formally the mutant is equal, but floats must see what it is not.
  bool isUnseen() const {
    return isAccepted() && floatsAccept && losesElements;
  }
  bool isWronglyRefuted() const {
    return oracle.kind == OracleAnswer::Kind::Equal &&
           getAnswer() == Answer::Refuted;
  }
  /// A mutant that is proved must pass all tests that know all of its
  /// functions.
  bool isContradictory() const {
    return isProved &&
           tests.kind == equivalence::RandomTestResult::Kind::Differ &&
           tests.unknownFunctions.empty();
  }
  bool isViolation() const {
    return isWronglyAccepted() || isUnseen() || isWronglyRefuted() ||
           isContradictory();
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
    unsigned mutants = 0, legal = 0, violations = 0;
    /// Counts by OracleAnswer::Kind and by Outcome::Answer.
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
