//===- TilingReport.h - What a tile search did ------------------*- C++ -*-===//
//
// A search's decisions as remarks and as JSON.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_TRANSFORMS_TILE_TILINGREPORT_H
#define MIRAGE_LIB_TRANSFORMS_TILE_TILINGREPORT_H

#include "Mirage/Search/Tiling/TuneChain.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/JSON.h"

namespace mirage {

/// Whether fusing the chain can pay: phi of each product and P / W.
void remarkOnMemoryBound(mlir::func::FuncOp function,
                         const tiling::ChainShape &shape,
                         const TargetDescription &target);

/// What each rule left, and what the search met.
void remarkOnSearch(mlir::func::FuncOp function,
                    const tiling::TunedChain &tuned);

llvm::json::Object toJSON(const tiling::Chain &chain,
                          const tiling::TunedChain &tuned,
                          const tiling::TuneOptions &options, double seconds);

} // namespace mirage

#endif // MIRAGE_LIB_TRANSFORMS_TILE_TILINGREPORT_H
