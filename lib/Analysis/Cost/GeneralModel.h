//===- GeneralModel.h - Time of one kernel of the general lowering --------===//
//
// Declares what CostModel::General says of a kernel.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_ANALYSIS_COST_GENERALMODEL_H
#define MIRAGE_LIB_ANALYSIS_COST_GENERALMODEL_H

#include "Mirage/Analysis/Cost/CostModel.h"

namespace mirage {

/// Returns the time in microseconds of what the general lowering makes of a
/// launch, whose summary has its counts (KernelSummary::general).
KernelCost estimateGeneral(const KernelSummary &summary,
                           const TargetDescription &target);

} // namespace mirage

#endif // MIRAGE_LIB_ANALYSIS_COST_GENERALMODEL_H
