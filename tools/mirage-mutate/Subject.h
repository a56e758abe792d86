//===- Subject.h - Pairs of functions to make mutants of --------*- C++ -*-===//
//
// Holds a pair of functions of a file as µGraphs, and the mutants of the
// second.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_TOOLS_MUTATE_SUBJECT_H
#define MIRAGE_TOOLS_MUTATE_SUBJECT_H

#include "Mirage/MuGraph/IR/ImportMuGraph.h"
#include "Mutation.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace mirage::mutate {

/// One or two mutations; the number tells it from others of the same seed.
struct Mutant {
  unsigned number = 0;
  MutationKind kind = MutationKind::None;
  std::string description;
  /// The mutant; nothing if the mutation is illegal.
  std::optional<MuGraph> graph;
};

class Subject {
public:
  /// Reads the functions of these names; without names, @NAME and @NAME_mugraph
  /// of NAME.mlir, or else the only function, twice. Errors are printed;
  /// functions that are no µGraphs are errors, too, but then there is a
  /// subject.
  static std::optional<Subject> load(mlir::MLIRContext &context,
                                     llvm::StringRef path, llvm::StringRef lhs,
                                     llvm::StringRef rhs);

  /// True if the functions are µGraphs.
  bool isImported() const { return imported; }
  const std::string &getPath() const { return path; }
  const MuGraph &getLhs() const { return lhs.graph; }
  const MuGraph &getRhs() const { return rhs.graph; }
  /// Returns the number of elements of all values of both.
  int64_t getSize() const;
  /// Makes the extents of both programs small, in the same way. Nodes may get
  /// other numbers.
  void shrink();

  /// Returns the program itself, and then at least `count` mutants that are
  /// programs with the inputs and results of the other, and those found on the
  /// way that are none. Single mutations come by turns, as many of each kind;
  /// where these do not suffice, two mutations are combined. Kinds that are
  /// skipped are left out.
  std::vector<Mutant> makeMutants(unsigned count, uint64_t seed,
                                  llvm::ArrayRef<MutationKind> skipped) const;

private:
  Subject() = default;

  std::string path;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  ImportedGraph lhs, rhs;
  bool imported = false;
};

} // namespace mirage::mutate

#endif // MIRAGE_TOOLS_MUTATE_SUBJECT_H
