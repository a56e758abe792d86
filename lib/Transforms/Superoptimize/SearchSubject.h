//===- SearchSubject.h - A function as the search takes it ------*- C++ -*-===//
//
// Takes a function of IR to the search's problem.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_TRANSFORMS_SUPEROPTIMIZE_SEARCHSUBJECT_H
#define MIRAGE_LIB_TRANSFORMS_SUPEROPTIMIZE_SEARCHSUBJECT_H

#include "AlternativeGraphs.h"
#include "Mirage/Analysis/Cost/CostModel.h"
#include "Mirage/Search/KernelGraphs/KernelGraphs.h"
#include "Mirage/Semantics/Target.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mirage {

struct SearchSubject {
  MuGraph program;
  /// The arguments that are the same in each call, by their places: those that
  /// are marked so, or get what is in all calls of the function.
  llvm::BitVector constants;
  /// Other graphs of the function.
  AlternativeGraphs alternatives;
  /// The operations, by MuNode::location; those of other graphs follow.
  llvm::SmallVector<mlir::Location> locations;
  /// The program; nothing, with the reason, if the search cannot take the
  /// function as a whole.
  std::optional<search::SearchTask> task;
  std::string reason;
  /// The place of the reason among the locations, if it has one.
  std::optional<unsigned> reasonLocation;
  mlir::Location getReasonLocation(mlir::Location function) const {
    return reasonLocation ? locations[*reasonLocation] : function;
  }
  /// The model that all times of a search come from.
  static constexpr CostModel model = CostModel::Mirage;
  /// What the function takes by the model with kernels for each operator, and
  /// with operators fused: as a library and any compiler would do it, or as a
  /// pricer says.
  ProgramCost cost, fused;
};

/// Reads a function; returns nothing if it is no µGraph, and
/// mirage.superoptimized holds why. The function's remark, which says so, is at
/// the operation that is the reason.
std::optional<SearchSubject>
readSubject(mlir::func::FuncOp function,
            const search::KernelGraphOptions &options);

/// Returns what a program takes with kernels for each operator, and with
/// operators fused, as SearchSubject says.
ProgramCost estimateApart(const MuGraph &program,
                          const search::KernelGraphOptions &options);
ProgramCost estimateFused(const MuGraph &program,
                          const search::KernelGraphOptions &options);

/// Makes the task of a function that was read. Where the search cannot take the
/// function as a whole, a remark among the details is at the operation that is
/// the reason.
void createTask(SearchSubject &subject, mlir::func::FuncOp function);

} // namespace mirage

#endif // MIRAGE_LIB_TRANSFORMS_SUPEROPTIMIZE_SEARCHSUBJECT_H
