//===- TilingReport.h - What a tile search did ------------------*- C++ -*-===//
//
// Reports a search's decisions as remarks and as JSON.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_TRANSFORMS_TILE_TILINGREPORT_H
#define MIRAGE_LIB_TRANSFORMS_TILE_TILINGREPORT_H

#include "Mirage/Search/Tiling/TuneChain.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/JSON.h"

namespace mirage {

/// Says whether fusing the chain can pay: phi of each product and P / W.
void remarkOnMemoryBound(mlir::func::FuncOp function,
                         const tiling::ChainShape &shape,
                         const TargetDescription &target);

/// Says how many candidates each rule left, and what the search met; `source`
/// is what measured.
void remarkOnSearch(mlir::func::FuncOp function,
                    const tiling::TunedChain &tuned, llvm::StringRef source);

/// Describes a tiling of the function: bytes, times by the models, and whether
/// it can pay.
llvm::json::Object toJSON(mlir::func::FuncOp function,
                          const tiling::Chain &chain,
                          const tiling::Tiling &tiling,
                          const tiling::TuneOptions &options);

/// Describes a tiling and says how it was found.
void addSearch(llvm::json::Object &entry, const tiling::TunedChain &tuned,
               llvm::StringRef source, double seconds);

} // namespace mirage

#endif // MIRAGE_LIB_TRANSFORMS_TILE_TILINGREPORT_H
