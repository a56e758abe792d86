//===- Subject.h - Pairs of functions to make mutants of --------*- C++ -*-===//
//
// A pair of functions of a file as µGraphs, and the mutants of the second.
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
  /// Nothing if the mutation is illegal.
  std::optional<MuGraph> graph;
};

class Subject {
public:
  /// Without names, @NAME and @NAME_mugraph of NAME.mlir, or else the only
  /// function, twice. Errors are printed; functions that are no µGraphs are
  /// errors, too, but then there is a subject.
  static std::optional<Subject> load(mlir::MLIRContext &context,
                                     llvm::StringRef path, llvm::StringRef lhs,
                                     llvm::StringRef rhs);

  /// Whether the functions are µGraphs.
  bool isImported() const { return imported; }
  const std::string &getPath() const { return path; }
  const MuGraph &getLhs() const { return lhs.graph; }
  const MuGraph &getRhs() const { return rhs.graph; }
  /// Elements of all values of both.
  int64_t getSize() const;
  /// Makes extents small, those of both programs alike. Nodes may get other
  /// numbers.
  void shrink();

  /// The program itself, and then at least `count` mutants that are programs
  /// with the inputs and results of the other, and those found on the way that
  /// are none: of single mutations as many of each kind, by turns; where these
  /// do not suffice, of two. Kinds that are skipped are left out.
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
