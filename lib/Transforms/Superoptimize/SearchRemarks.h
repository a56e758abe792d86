//===- SearchRemarks.h - A search's decisions as remarks --------*- C++ -*-===//
//
// Says in remarks what became of each subprogram, one remark for each, and on
// demand what became of each candidate and piece, and what each rule pruned.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_TRANSFORMS_SUPEROPTIMIZE_SEARCHREMARKS_H
#define MIRAGE_LIB_TRANSFORMS_SUPEROPTIMIZE_SEARCHREMARKS_H

#include "Mirage/Search/KernelGraphs/KernelGraphs.h"
#include "SearchSubject.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mirage {

/// The category of the one remark that each subprogram gets, and of all others.
inline constexpr llvm::StringLiteral kCategory = "mirage-superoptimize";
inline constexpr llvm::StringLiteral kDetailsCategory =
    "mirage-superoptimize-details";

/// Emits the remark of a subprogram that stays because the search can take no
/// part of it.
void remarkOnStay(mlir::func::FuncOp function, mlir::Location loc,
                  llvm::StringRef reason);

/// Emits a remark for each candidate that was judged, for each rule that
/// pruned, and one if the search was cut.
void remarkOnSearch(mlir::func::FuncOp function,
                    const search::SearchResult &result);

/// Emits a remark for each piece that was looked at, at its first operation.
void remarkOnPieces(mlir::func::FuncOp function, const SearchSubject &subject,
                    const search::KernelGraphResult &result);

/// Emits a remark on the other graphs that rules make of the function, and one
/// if there are more than are looked at.
void remarkOnAlternatives(mlir::func::FuncOp function,
                          const SearchSubject &subject,
                          const search::KernelGraphResult &result);

} // namespace mirage

#endif // MIRAGE_LIB_TRANSFORMS_SUPEROPTIMIZE_SEARCHREMARKS_H
