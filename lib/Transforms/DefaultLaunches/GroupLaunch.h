//===- GroupLaunch.h - The launch of a group --------------------*- C++ -*-===//
//
// Emits the launch that executes a group: the loop of its product, and behind
// it the group's other operators on a block's part.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_TRANSFORMS_DEFAULTLAUNCHES_GROUPLAUNCH_H
#define MIRAGE_LIB_TRANSFORMS_DEFAULTLAUNCHES_GROUPLAUNCH_H

#include "OperatorGroups.h"

namespace mirage {

/// Replaces a group by a launch. What it reads is padded to whole tiles, and of
/// its results the parts are taken that the group's outputs have.
void createLaunch(const OperatorGroup &group, const GroupAxes &axes,
                  const GroupTiling &tiling);

/// Returns the bytes of shared memory that the plan takes for the launch of a
/// product of matrices and what follows it, by which the verifier accepts the
/// launch (launch_c6).
int64_t planGroupMemory(const OperatorGroup &group, const GroupAxes &axes,
                        const GroupTiling &tiling);

} // namespace mirage

#endif // MIRAGE_LIB_TRANSFORMS_DEFAULTLAUNCHES_GROUPLAUNCH_H
