//===- LoopDependences.h - What iterations work on --------------*- C++ -*-===//
//
// Says how the values of a loop's body depend on the iteration, by which a loop
// may have another number of iterations.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_CONVERSION_BLOCKTOTHREAD_LOOPDEPENDENCES_H
#define MIRAGE_LIB_CONVERSION_BLOCKTOTHREAD_LOOPDEPENDENCES_H

#include "Mirage/Dialect/Block/IR/BlockDialect.h"

namespace mirage {

/// Says how a value of a loop's body depends on the iteration.
struct Dependence {
  enum Kind : uint8_t {
    /// The value is the same in all iterations.
    Same,
    /// Iterations have neighbouring parts of dimension `dim`.
    Part,
    /// Iterations have terms of a sum, or of a maximum.
    Term,
    Maximum,
    /// The value depends on it in a way that this analysis does not follow.
    Other
  } kind = Same;
  int64_t dim = 0;
  /// The maximum over the iteration's elements to which it is relative, if it
  /// is. Such a value may only be part of a rescaled sum with that maximum as
  /// its shift.
  mlir::Value shift = {};
};

class LoopDependences {
public:
  explicit LoopDependences(block::ForOp loop) : loop(loop) {}

  /// Analyzes the body. Returns true if what iterations work on can be put
  /// together and taken apart.
  bool analyze();

  // These say what was found.
  Dependence get(mlir::Value value) const { return dependences.lookup(value); }
  /// Returns the entry of a load's fmap for this loop, if it has one.
  std::optional<int64_t> getLoopEntry(block::LoadOp load) const;
  /// Returns the bytes of the tiles that are loaded where all iterations are
  /// one.
  int64_t getLoadedBytes() const { return loadedBytes; }
  /// Returns true if the loop puts tiles together.
  bool joinsTiles() const { return hasConcat; }

private:
  Dependence analyze(ComputeOpInterface op);
  Dependence analyzeProduct(ComputeOpInterface op);
  bool admits(block::AccumulateOp accumulate);

  block::ForOp loop;
  llvm::DenseMap<mlir::Value, Dependence> dependences;
  int64_t loadedBytes = 0;
  bool hasConcat = false;
};

} // namespace mirage

#endif // MIRAGE_LIB_CONVERSION_BLOCKTOTHREAD_LOOPDEPENDENCES_H
