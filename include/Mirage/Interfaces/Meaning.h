//===- Meaning.h - What custom operators compute ----------------*- C++ -*-===//
//
// Takes custom operators apart: operations of other dialects that state by
// MuGraphOpInterface what they compute. What they state is checked here, so
// that nobody else needs to.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_INTERFACES_MEANING_H
#define MIRAGE_INTERFACES_MEANING_H

#include "Mirage/Interfaces/MuGraphOpInterface.h"
#include "mlir/IR/Region.h"

namespace mirage {

/// The meaning of a custom operator, in compute operators of mirage_kernel
/// alone: the custom operators in its meaning are taken apart as well. It
/// stands in a block of its own; the program that the operator is part of stays
/// untouched.
class Meaning {
public:
  /// Fails with an error at `op` that names the constraint (meaning_c1 to
  /// meaning_c6) if what it states is no meaning.
  static mlir::FailureOr<Meaning> get(MuGraphOpInterface op);

  /// Operators in an order in which they can run. The block's arguments are the
  /// operator's operands; there is no terminator.
  mlir::Block &getBody() const { return region->front(); }
  /// Returns the operator's results: values or arguments of the block.
  llvm::ArrayRef<mlir::Value> getResults() const { return results; }

  /// Moves the operators before `op` and gives its results their values. Leaves
  /// `op` without uses.
  void inlineAt(mlir::Operation *op) &&;

private:
  friend class MeaningExpander;
  std::unique_ptr<mlir::Region> region;
  llvm::SmallVector<mlir::Value> results;
};

/// Returns the custom operators that stand in `root` but not in launches.
llvm::SmallVector<MuGraphOpInterface>
findCustomOperators(mlir::Operation *root);

/// Replaces the custom operators in `root` by their meaning. `report` is called
/// before each replacement. Fails with an error at the first one whose meaning
/// is invalid.
llvm::LogicalResult expandCustomOperators(
    mlir::Operation *root,
    llvm::function_ref<void(mlir::Operation *, const Meaning &)> report = {});

/// Builds a meaning operator by operator. From the first illegal one on nothing
/// is built, and `finish` fails; an error says which constraint of the table it
/// breaks. It can also be the builder of `buildComposite` (Composite.h).
class MeaningBuilder {
public:
  MeaningBuilder(mlir::Operation *op, mlir::OpBuilder &builder)
      : op(op), builder(builder) {}

  /// Returns the first result of an operator of the table, or null after an
  /// illegal one. Its element type is `elementType`, or that of the first
  /// operand.
  mlir::Value apply(OpKind kind, const OpAttributes &attributes,
                    llvm::ArrayRef<mlir::Value> operands,
                    mlir::Type elementType = {});
  mlir::Value apply(OpKind kind, llvm::ArrayRef<mlir::Value> operands) {
    return apply(kind, {}, operands);
  }
  /// Returns `value` with another element type, or itself if it has that type.
  mlir::Value cast(mlir::Value value, mlir::Type elementType);
  /// Returns a number of `like`'s element type and rank with all sizes one,
  /// which can be combined with it elementwise.
  mlir::Value constant(double number, mlir::Value like);

  /// Ends the meaning: returns what buildMeaning has to return.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  finish(mlir::ValueRange results) const;

private:
  mlir::Operation *op;
  mlir::OpBuilder &builder;
  bool isIllegal = false;
};

} // namespace mirage

#endif // MIRAGE_INTERFACES_MEANING_H
