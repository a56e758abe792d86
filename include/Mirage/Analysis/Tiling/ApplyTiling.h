//===- ApplyTiling.h - Block graphs from tilings, and back ------*- C++ -*-===//
//
// Makes a launch of a chain and a tiling, and finds the tiling of a launch.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_ANALYSIS_TILING_APPLYTILING_H
#define MIRAGE_ANALYSIS_TILING_APPLYTILING_H

#include "Mirage/Analysis/Tiling/Chain.h"
#include "Mirage/Analysis/Tiling/TilingModel.h"

namespace mirage::tiling {

/// The schedule of a tiling of this chain. Nothing, and the reason, if there is
/// none, or if a tile does not divide its dimension, since block graphs pad
/// nothing.
std::optional<Schedule> getSchedule(const ChainShape &shape,
                                    const Tiling &tiling, std::string &error);

/// The chain as one launch of nested and sequential loops. Loads stand at their
/// rightmost related loop. Softmax over a dimension that a loop divides is
/// computed relative to each tile's maximum and rescaled.
std::optional<MuGraph> applyTiling(const Chain &chain, const Tiling &tiling,
                                   std::string &error);

/// The launch of a schedule of this chain. The tiles must divide their
/// dimensions.
MuGraph applySchedule(const Chain &chain, const Schedule &schedule,
                      llvm::ArrayRef<int64_t> tiles);

/// The tiling of a function whose only kernel is a launch of a chain's products
/// in nested and sequential loops: without loops of one iteration, blocks'
/// loops first. Nothing, and the reason, if none has these loops.
std::optional<Tiling> findTiling(const MuGraph &graph, std::string &error);

} // namespace mirage::tiling

#endif // MIRAGE_ANALYSIS_TILING_APPLYTILING_H
