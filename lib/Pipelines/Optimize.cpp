//===- Optimize.cpp - The pipeline mirage-optimize ------------------------===//
//
// Builds the pipeline from a framework's program to verified µGraphs, each
// stage a pass of its own.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Pipelines/Pipelines.h"
#include "Mirage/Transforms/Passes.h"

using namespace mlir;
using namespace mirage;

void mirage::buildOptimizePipeline(OpPassManager &manager,
                                   const OptimizeOptions &options) {
  ImportOptions import;
  import.assumeAssertions = options.assumeAssertions;
  // In programs without TOSA these stages find nothing to do.
  buildImportTosaPipeline(manager, import);

  AttachTargetOptions target;
  target.chip = options.chip;
  target.clusters = options.clusters;
  manager.addPass(createAttachTarget(target));

  // Rules that move something into weights are for programs whose weights are
  // computed once.
  if (options.load && options.search) {
    TransformGraphsOptions transform;
    // What weights become is computed before there are subprograms. The search
    // tries the other rules with what it makes of them, if it chooses among
    // kernels: it reads windows of a weight itself, and finds more with a
    // product that is one.
    if (options.pieces && options.alternatives)
      transform.enabled = {"ScaledColumns", "ScaledInput", "NormWeight"};
    else
      transform.disabled = {"SlicedProduct"};
    manager.addPass(createTransformGraphs(transform));
  }

  // Between convolutions the search finds launches for channels that are
  // innermost, as the lowering has them.
  ExpandConvolutionsOptions convolutions;
  convolutions.products = false;
  manager.addPass(createExpandConvolutions(convolutions));

  // What is left to search for takes what a load function makes as it is.
  if (options.load)
    manager.addPass(createSplitLoad());

  // There is no fission: the search takes composite operators apart itself, and
  // parts are fewer operators with them.
  PartitionOptions partition;
  partition.maxOperators = options.maxOperators;
  manager.addPass(createPartition(partition));

  if (!options.search)
    return;
  SuperoptimizeOptions search;
  search.maxBlockOperators = options.maxBlockOperators;
  search.maxKernelOperators = options.maxKernelOperators;
  search.kernels = options.kernels;
  search.pieces = options.pieces;
  search.effort = options.effort;
  search.alternatives = options.alternatives;
  search.orders = options.orders;
  search.minGain = options.minGain;
  search.fused = true;
  search.measure = options.measure;
  search.measurements = options.measurements;
  search.gridDims = options.gridDims;
  search.loops = options.loops;
  search.best = options.best;
  search.threads = options.threads;
  search.seed = options.seed;
  search.errorBits = options.errorBits;
  search.deadline = options.deadline;
  search.keep = options.keep;
  search.keepOriginal = options.keepOriginal;
  search.stats = options.stats;
  search.resume = options.resume;
  search.prune = options.prune;
  search.interactive = options.interactive;
  manager.addPass(createSuperoptimize(search, buildKernelsPipeline));

  // Schedules are left to the lowering, whose options say what they may have,
  // and so are the tilings of what was measured.
  TuneLaunchesOptions tuning;
  tuning.measure = TilingMeasure::Instructions;
  tuning.schedules = false;
  tuning.interactive = options.interactive;
  if (options.tune && options.measure == TilingMeasure::Instructions)
    manager.addPass(createTuneLaunches(tuning, buildKernelsPipeline));
}
