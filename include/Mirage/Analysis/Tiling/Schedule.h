//===- Schedule.h - Where loops and statements of a chain stand -*- C++ -*-===//
//
// A schedule is what a tiling expression means for one block, after the
// memory-access optimization of MCFuser (section III-B, figures 4 and 5): Load,
// Compute and Store statements, their order, and the loops around each.
//
// Names of tensors are the paper's: A is multiplied with B to C, C with D to E,
// and so on.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_ANALYSIS_TILING_SCHEDULE_H
#define MIRAGE_ANALYSIS_TILING_SCHEDULE_H

#include "Mirage/Analysis/Tiling/TilingExpression.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/BitVector.h"

namespace mirage::tiling {

/// The loops around something, outermost first.
using LoopPath = llvm::SmallVector<Loop, 6>;

inline char getRhsName(unsigned product) { return 'B' + 2 * product; }
inline char getResultName(unsigned product) { return 'C' + 2 * product; }

struct Statement {
  enum class Kind : uint8_t { Load, Compute, Store };
  Kind kind = Kind::Load;
  /// The product whose operand or result the tensor is.
  unsigned product = 0;
  char tensor = 'A';
  /// The loops that select the tile; a product's are its three.
  llvm::SmallVector<Loop, 3> related;
  LoopPath loops;

  /// The statement's name as the paper writes it: `L_A`, `C_C`, `S_E`.
  std::string getName() const;
};

/// Statements in an order in which they can run; consecutive ones share the
/// loops that their paths begin with.
struct ScheduleDAG {
  std::vector<Statement> statements;
  /// Pairs of positions of statements: the first must run before the second.
  std::vector<std::pair<unsigned, unsigned>> dependences;

  const Statement &get(Statement::Kind kind, char tensor) const;
};

/// The DAG in the paper's notation: `mh(n(k(L_A,L_B,C_C),L_D,C_E),S_E)`.
std::string toString(const ScheduleDAG &dag);

/// What is known of a chain when it is scheduled.
struct ScheduleProblem {
  unsigned products = 1;
  /// Iterations of each loop.
  llvm::SmallVector<int64_t, 6> extents;
  /// Products whose result is normalized along its columns (softmax).
  llvm::BitVector normalized;
  /// Says whether blocks may be bound along the last product's columns, too (a
  /// grid has three dimensions, and batches need some).
  bool bindsColumns = true;
};

/// The loops of a block around each product. Loops of extent one are deleted.
/// What else is done with an expression, in this order:
///
///  - m goes to the blocks, wherever it stands: all products have it, and
///    iterations share nothing that is worth keeping. So do the last product's
///    columns if they are outside of everything else; elsewhere blocks along
///    them would compute what others compute.
///  - A product runs when its operand is complete, so outside of the loops that
///    the products before it sum over.
///  - A result leaves the loops that its consumer is not in: as a sum over
///    those that contract, put together along those of its columns. The
///    consumer takes what was put together whole. Loops which the result does
///    not depend on are no loops of its product, unless the consumer is inside.
///    Before a softmax they are none within the loop over its columns: all
///    that is summed relative to one maximum is summed in one place.
struct Schedule {
  bool bindsRows = false, bindsColumns = false;
  /// The loops around each product, from the outermost on. Products share a
  /// loop if their paths are the same up to it.
  std::vector<LoopPath> paths;
  unsigned products = 1;

  Loop getLastColumns() const { return getColumnLoop(products - 1); }
  /// The loops of blocks, m first.
  LoopPath getGrid() const;
  /// The number of loops that products j and j + 1 share.
  unsigned getSharedDepth(unsigned product) const;
  /// Returns whether a result of a product but the last is put together from
  /// several tiles, which the block keeps until it is used (rule 2).
  bool keepsIntermediateTiles() const;
  /// The expression of this schedule. It is the same for all expressions that
  /// make the schedule.
  TilingExpression getExpression() const;
  /// The expression without the blocks' loops: the paper's per-block
  /// subexpression.
  TilingExpression getBlockExpression() const;
  /// The DAG with each memory statement at its rightmost related loop.
  ScheduleDAG getDAG() const;
};

/// The DAG with all statements of a product in the innermost loop of its
/// branch, where they are before any of them moves (figure 4a). The expression
/// must be legal.
ScheduleDAG getInitialDAG(const TilingExpression &expression,
                          unsigned products);

/// The schedule of an expression. Nothing, and the reason, if the expression's
/// loops are not those of a chain of so many products, one after another.
std::optional<Schedule> schedule(const TilingExpression &expression,
                                 const ScheduleProblem &problem,
                                 std::string &error);

} // namespace mirage::tiling

#endif // MIRAGE_ANALYSIS_TILING_SCHEDULE_H
