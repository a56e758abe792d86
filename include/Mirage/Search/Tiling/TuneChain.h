//===- TuneChain.h - The best tiling of a chain -----------------*- C++ -*-===//
//
// Makes the space of a chain's tilings, prunes it by the rules, and searches it
// by a model or by measurements.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_TILING_TUNECHAIN_H
#define MIRAGE_SEARCH_TILING_TUNECHAIN_H

#include "Mirage/Analysis/Cost/CostModel.h"
#include "Mirage/Analysis/Tiling/ApplyTiling.h"
#include "Mirage/Search/Tiling/SearchTiling.h"

namespace mirage::tiling {

struct TuneOptions {
  TargetDescription target;
  /// The model that estimates, and the one that stands for measurements where
  /// there are none.
  CostModel estimate = CostModel::Mirage, measure = CostModel::Mirage;
  /// Block graphs pad nothing, so that rule 3 allows no padding here; without
  /// it the sizes of the space count all tiles, and those that divide are
  /// searched. Shared memory is the target's.
  PruningRules rules;
  TilingSearchOptions search;
};

struct TunedChain {
  Tiling tiling;
  /// The times of the chosen tiling: measured, and as estimated when it was
  /// selected.
  double microseconds = 0, estimatedMicroseconds = 0;
  TilingSpace space;
  TilingSearchResult search;
};

/// Microseconds of a tiling, written without loops of one iteration, that was
/// estimated to take so long; infinite if it is no candidate.
using MeasureTiling =
    llvm::function_ref<double(const Tiling &, double estimated)>;

/// The best tiling of a chain. Nothing, and the reason, if no candidate fits or
/// the chain is too long to generate its expressions. `measure` is asked once
/// for each tiling; without it the model TuneOptions::measure is.
std::optional<TunedChain> tuneChain(const Chain &chain,
                                    const TuneOptions &options,
                                    std::string &error,
                                    MeasureTiling measure = {});

/// Microseconds of a tiling by a model, which are infinite if a tile does not
/// divide its dimension, or the block graph does not fit into the target's
/// shared memory (launch_c6).
double estimateTiling(const Chain &chain, const Tiling &tiling,
                      const TargetDescription &target, CostModel model);

/// Bytes of shared memory that the block graph takes (launch_c6).
int64_t planSharedMemory(const Chain &chain, const Schedule &schedule,
                         llvm::ArrayRef<int64_t> tiles);

} // namespace mirage::tiling

#endif // MIRAGE_SEARCH_TILING_TUNECHAIN_H
