//===- RecomputeOutputs.h - What groups compute again -----------*- C++ -*-===//
//
// Lets a group compute what another one would store for it, where that takes
// less memory traffic: an image that was converted to f32, or of which a mean
// was subtracted, is twice as long as what it is made of.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_TRANSFORMS_DEFAULTLAUNCHES_RECOMPUTEOUTPUTS_H
#define MIRAGE_LIB_TRANSFORMS_DEFAULTLAUNCHES_RECOMPUTEOUTPUTS_H

#include "OperatorGroups.h"

namespace mirage {

/// Changes groups of operators of one block, and the operators. Each group can
/// be executed by a launch afterwards as before.
void recomputeOutputs(llvm::MutableArrayRef<OperatorGroup> groups,
                      const TargetDescription &target);

} // namespace mirage

#endif // MIRAGE_LIB_TRANSFORMS_DEFAULTLAUNCHES_RECOMPUTEOUTPUTS_H
