//===- AbsorbLayouts.h - Layouts that launches store ------------*- C++ -*-===//
//
// What blocks have whole they can store in another arrangement: a reflection or
// a repetition of what a launch computes is stored by the launch, and needs no
// kernel behind it.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_TRANSFORMS_DEFAULTLAUNCHES_ABSORBLAYOUTS_H
#define MIRAGE_LIB_TRANSFORMS_DEFAULTLAUNCHES_ABSORBLAYOUTS_H

#include "Mirage/Semantics/Target.h"
#include "mlir/IR/Block.h"

namespace mirage {

/// Moves slices, concatenations and reshapes into the launches of a block of a
/// function that compute what they arrange. They must be made of one
/// launch's results alone, must end in one concatenation, which is all of them
/// that anything else reads, and must leave the dimensions alone that the grid
/// divides. A block's tensors must still fit into the shared memory of the
/// target, and the launch must be faster by the cost model than what it and
/// the operators behind it take as two kernels.
void absorbLayouts(mlir::Block &block, const TargetDescription &target);

} // namespace mirage

#endif // MIRAGE_LIB_TRANSFORMS_DEFAULTLAUNCHES_ABSORBLAYOUTS_H
