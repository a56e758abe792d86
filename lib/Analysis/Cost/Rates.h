//===- Rates.h - What a target does in a microsecond ------------*- C++ -*-===//
//
// The units in which EstimateKernel.cpp computes.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_ANALYSIS_COST_RATES_H
#define MIRAGE_LIB_ANALYSIS_COST_RATES_H

#include "Mirage/Semantics/Target.h"

namespace mirage {

/// The target's rates per microsecond.
struct Rates {
  explicit Rates(const TargetDescription &t)
      : hbm(t.hbmBandwidth * 1e3), hbmWrite(t.hbmWriteBandwidth * 1e3),
        l2(t.l2Bandwidth * 1e3), sm(t.smBandwidth * 1e3),
        copies(orSM(t.smCopyBandwidth, t)), bulk(orSM(t.smBulkBandwidth, t)),
        wgmma(t.tensorThroughput * 1e6 / t.multiprocessors),
        mmaSync(t.mmaSyncThroughput * 1e6 / t.multiprocessors),
        fma(t.fmaPerClock * clock(t)), special(t.specialPerClock * clock(t)),
        shared(t.sharedPerClock * clock(t)) {}

  static double clock(const TargetDescription &t) {
    return static_cast<double>(t.clock);
  }
  static double orSM(int64_t bandwidth, const TargetDescription &t) {
    return static_cast<double>(bandwidth ? bandwidth : t.smBandwidth) * 1e3;
  }

  // Bytes that the whole device moves, and those that one SM does: alone, and
  // while all do by copies of threads or in bulk.
  double hbm, hbmWrite, l2, sm, copies, bulk;
  // Flops, instructions and bytes of shared memory of one SM.
  double wgmma, mmaSync, fma, special, shared;
};

} // namespace mirage

#endif // MIRAGE_LIB_ANALYSIS_COST_RATES_H
