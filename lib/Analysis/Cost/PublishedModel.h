//===- PublishedModel.h - Time of one kernel as MCFuser estimates it ------===//
//
// Declares what CostModel::Published says of a kernel.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_ANALYSIS_COST_PUBLISHEDMODEL_H
#define MIRAGE_LIB_ANALYSIS_COST_PUBLISHEDMODEL_H

#include "Mirage/Analysis/Cost/CostModel.h"

namespace mirage {

/// Returns the time of the kernel's bytes and flops, in microseconds, and which
/// of both is longer.
KernelCost estimatePublished(const KernelSummary &summary,
                             const TargetDescription &target);

} // namespace mirage

#endif // MIRAGE_LIB_ANALYSIS_COST_PUBLISHEDMODEL_H
