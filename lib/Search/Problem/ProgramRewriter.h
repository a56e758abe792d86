//===- ProgramRewriter.h - Copies of programs by rules ----------*- C++ -*-===//
//
// The frame of what brings programs to one form: it copies a program operator
// by operator, and a rule says what an operator becomes.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_SEARCH_PROBLEM_PROGRAMREWRITER_H
#define MIRAGE_LIB_SEARCH_PROBLEM_PROGRAMREWRITER_H

#include "Mirage/MuGraph/MuGraph.h"
#include "llvm/ADT/DenseMap.h"

namespace mirage::search {

class ProgramRewriter {
public:
  virtual ~ProgramRewriter() = default;

  /// Returns the program as the rules have it, without what no result needs;
  /// nothing if no rule changed it.
  std::optional<MuGraph> run();

protected:
  /// The program, which has no launches, has to outlive the rewriter.
  explicit ProgramRewriter(const MuGraph &program);

  /// Adds what an operator of the program becomes, for operands of the copy,
  /// and returns its result; nothing if the operator has to be copied. Sets
  /// `isChanged` where that is something else than a copy.
  virtual std::optional<MuValue> rewrite(const MuNode &node,
                                         llvm::ArrayRef<MuValue> operands) = 0;

  /// Is told the result of a rewritten operator, and the number of values that
  /// the copy had before.
  virtual void noteRewritten(const MuNode &node,
                             llvm::ArrayRef<MuValue> operands, MuValue result,
                             size_t known) {}
  /// Is told the results of the node that was copied last.
  virtual void noteCopied(const MuNode &node, llvm::ArrayRef<MuValue> copies) {}

  /// Adds an operator to the copy, at the location of the one that is
  /// rewritten.
  MuValue add(OpKind kind, const OpAttributes &attributes,
              llvm::ArrayRef<MuValue> operands, ElementType type) {
    return to.addOperator(0, kind, attributes, operands, type, location);
  }

  const MuGraph &from;
  MuGraph to;
  /// How many operators read each value of the program. Results have more than
  /// one reader.
  std::vector<unsigned> readers;
  /// The copy's value for each value of the program that was reached.
  llvm::DenseMap<MuValue, MuValue> values;
  unsigned location = 0;
  bool isChanged = false;
};

} // namespace mirage::search

#endif // MIRAGE_LIB_SEARCH_PROBLEM_PROGRAMREWRITER_H
