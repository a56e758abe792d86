//===- GeneralLowering.h - Work of block graphs as lowered ------*- C++ -*-===//
//
// This model says what the general lowering (docs/Lowering.md) makes of a
// launch, which is not what a good kernel does: every value lies in shared
// memory, every operation is executed by all threads of the block together
// where it stands, and a barrier follows it.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_ANALYSIS_COST_GENERALLOWERING_H
#define MIRAGE_ANALYSIS_COST_GENERALLOWERING_H

#include "Mirage/MuGraph/MuGraph.h"
#include "Mirage/Semantics/Target.h"
#include <array>

namespace mirage {

/// What a thread of a block, or a warp for matrix instructions, does one after
/// another. The counts are of rounds: of 1000 elements a thread of 256 computes
/// up to 4.
struct GeneralWork {
  enum Kind : uint8_t {
    /// Operations, each with a barrier. Loads in a row are one operation.
    Barriers,
    /// Copies from or to device memory, or within shared memory, of up to 16
    /// bytes.
    Copies,
    /// mma.sync instructions of 16 x 8 x 16 (of 8 for tf32).
    Matrix,
    /// Elements of what has no such instruction and is no reduction.
    Elements,
    /// Elements that a thread reduces, or multiplies and adds, in a sequence.
    Reduced,
    Exponentials,
  };
  static constexpr unsigned numKinds = Exponentials + 1;

  std::array<double, numKinds> rounds = {};
};

/// The work of one block of the launch with so many threads.
GeneralWork countGeneralWork(const MuGraph &graph, const MuNode &launch,
                             int64_t threads = 256);

/// Microseconds on the target without the launch itself, with `occupancy`
/// blocks resident on an SM at once. A round waits for some clocks, in which
/// resident blocks run, and works for some, in which they do not. Both are
/// fitted to measured kernels (docs/performance/tiling.md).
double estimateGeneralWork(const GeneralWork &work, int64_t blocks,
                           int64_t occupancy, const TargetDescription &target);

llvm::StringRef stringifyGeneralWork(GeneralWork::Kind kind);

} // namespace mirage

#endif // MIRAGE_ANALYSIS_COST_GENERALLOWERING_H
