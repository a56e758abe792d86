//===- Pipelines.h - Named sequences of passes ------------------*- C++ -*-===//
//
// Declares the pipelines that users run by name.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_PIPELINES_PIPELINES_H
#define MIRAGE_PIPELINES_PIPELINES_H

#include "Mirage/Transforms/TilingMeasure.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

namespace mirage {

/// The options of the part of the lowering that makes launches.
struct LowerToLaunchesOptions
    : public mlir::PassPipelineOptions<LowerToLaunchesOptions> {
  Option<std::string> chip{
      *this, "chip",
      llvm::cl::desc("Target of modules that name none: sm_80 or sm_90a"),
      llvm::cl::init("sm_90a")};
  Option<bool> fuse{
      *this, "fuse",
      llvm::cl::desc("Make launches of pre-defined operators that stand beside "
                     "each other (mirage-default-launches)"),
      llvm::cl::init(true)};
  Option<bool> load{
      *this, "load",
      llvm::cl::desc(
          "Move what constant arguments alone decide into a function "
          "that runs when the program is loaded (mirage-split-load)"),
      llvm::cl::init(true)};
};

/// What chooses how launches are executed.
enum class LaunchMeasure : uint8_t {
  Model,
  Instructions,
  Device,
  Recorded,
  Auto
};

/// The options of the part of the lowering that stays in Mirage's dialects.
struct LowerToThreadOptions
    : public mlir::PassPipelineOptions<LowerToThreadOptions> {
  Option<std::string> chip{
      *this, "chip",
      llvm::cl::desc("Target of modules that name none: sm_80 or sm_90a"),
      llvm::cl::init("sm_90a")};
  Option<int64_t> threads{*this, "threads",
                          llvm::cl::desc("Threads of every block"),
                          llvm::cl::init(256)};
  Option<bool> schedule{
      *this, "schedule",
      llvm::cl::desc(
          "Choose schedules for launches (mirage-schedule-launches); "
          "without it they go by way of the general lowering"),
      llvm::cl::init(true)};
  Option<bool> fuse{
      *this, "fuse",
      llvm::cl::desc("Make launches of pre-defined operators that stand beside "
                     "each other (mirage-default-launches)"),
      llvm::cl::init(true)};
  Option<int64_t> clusterBlocks{
      *this, "cluster-blocks",
      llvm::cl::desc("Blocks of a cluster in schedules that are chosen, at "
                     "most: 1 to 8, 1 where nothing can launch clusters; 0: as "
                     "many as the cost model finds fastest"),
      llvm::cl::init(0)};
  Option<bool> selectBuffers{
      *this, "select-buffers",
      llvm::cl::desc("Let the parts of a tensor be buffers of their own, among "
                     "which the blocks of a kernel select"),
      llvm::cl::init(true)};
  Option<bool> bulkCopies{
      *this, "bulk-copies",
      llvm::cl::desc("Let kernels take tensor maps for the copy engine, which "
                     "who launches them makes as the manifest says"),
      llvm::cl::init(true)};
  Option<bool> load{
      *this, "load",
      llvm::cl::desc(
          "Move what constant arguments alone decide into a function "
          "that runs when the program is loaded (mirage-split-load)"),
      llvm::cl::init(true)};
  Option<LaunchMeasure> measure{
      *this, "measure",
      llvm::cl::desc("What says which tilings and schedules of launches are "
                     "fastest (mirage-tune-launches); what has a schedule "
                     "stays as it is"),
      llvm::cl::init(LaunchMeasure::Instructions),
      llvm::cl::values(
          clEnumValN(LaunchMeasure::Model, "model",
                     "the cost model, as launches are"),
          clEnumValN(LaunchMeasure::Instructions, "instructions",
                     "the cost model, and the instructions of the kernels"),
          clEnumValN(LaunchMeasure::Device, "device", "the first GPU"),
          clEnumValN(LaunchMeasure::Recorded, "recorded",
                     "the file measurements"),
          clEnumValN(LaunchMeasure::Auto, "auto",
                     "device, else recorded, else the model"))};
  Option<std::string> measurements{
      *this, "measurements",
      llvm::cl::desc("File of measured times in JSON: read if it is there, and "
                     "with measure=device written"),
      llvm::cl::init("")};
};

struct LowerToNVVMOptions
    : public LowerToThreadOptions,
      public mlir::PassPipelineOptions<LowerToNVVMOptions> {
  using mlir::PassPipelineOptions<LowerToNVVMOptions>::createFromString;

  Option<int> optLevel{
      *this, "opt-level",
      llvm::cl::desc("Optimization level of the NVPTX backend"),
      llvm::cl::init(3)};
};

struct ImportOptions : public mlir::PassPipelineOptions<ImportOptions> {
  Option<bool> assumeAssertions{
      *this, "assume-assertions",
      llvm::cl::desc("Take assertions in bodies as given and drop them"),
      llvm::cl::init(false)};
};

/// The options that are passed on to mirage-partition and mirage-superoptimize.
struct OptimizeOptions : public mlir::PassPipelineOptions<OptimizeOptions> {
  Option<std::string> chip{
      *this, "chip",
      llvm::cl::desc("Target of modules that name none: sm_80 or sm_90a"),
      llvm::cl::init("sm_90a")};
  Option<bool> clusters{
      *this, "clusters",
      llvm::cl::desc("Whether what launches the kernels can launch clusters, "
                     "which IREE cannot"),
      llvm::cl::init(true)};
  Option<bool> assumeAssertions{
      *this, "assume-assertions",
      llvm::cl::desc("Take assertions in bodies as given and drop them"),
      llvm::cl::init(false)};
  Option<bool> load{
      *this, "load",
      llvm::cl::desc(
          "Move what constant arguments alone decide into a function "
          "that runs when the program is loaded (mirage-split-load)"),
      llvm::cl::init(true)};
  Option<bool> search{
      *this, "search",
      llvm::cl::desc("Search for subprograms; without it they are what "
                     "mirage-superoptimize would be given"),
      llvm::cl::init(true)};
  Option<unsigned> maxOperators{
      *this, "max-operators",
      llvm::cl::desc("Operators of a subprogram, at most"), llvm::cl::init(24)};
  Option<unsigned> maxBlockOperators{
      *this, "max-block-operators",
      llvm::cl::desc("Operators of a block graph, accumulators among them; 0 "
                     "for as many as the search has states for, up to 32"),
      llvm::cl::init(0)};
  Option<unsigned> maxKernelOperators{
      *this, "max-kernel-operators",
      llvm::cl::desc(
          "Kernels of a subprogram's kernel graph, or as many as its "
          "own if it has more"),
      llvm::cl::init(5)};
  Option<unsigned> kernels{
      *this, "kernels",
      llvm::cl::desc("Launches of a candidate for a subprogram or a piece of "
                     "it, at most: 1 or 2"),
      llvm::cl::init(2)};
  Option<bool> pieces{*this, "pieces",
                      llvm::cl::desc("Search for pieces of a subprogram, too"),
                      llvm::cl::init(true)};
  Option<unsigned> alternatives{
      *this, "alternatives",
      llvm::cl::desc("Other graphs that rules make of a subprogram, whose "
                     "kernels are chosen among as well, at most"),
      llvm::cl::init(8)};
  Option<unsigned> orders{
      *this, "orders",
      llvm::cl::desc("Orders of dimensions in which tensors between kernels "
                     "may be stored beside the program's, at most"),
      llvm::cl::init(4)};
  Option<uint64_t> effort{
      *this, "effort",
      llvm::cl::desc("Work of the searches for a subprogram of n operators, in "
                     "thousands of prefixes of block graphs, and n^3 / 2000 "
                     "times as much besides; 0 for no limit"),
      llvm::cl::init(2000)};
  Option<double> minGain{
      *this, "min-gain",
      llvm::cl::desc("The part of its time that a replacement must gain"),
      llvm::cl::init(0.01)};
  Option<unsigned> gridDims{
      *this, "grid-dims",
      llvm::cl::desc("Grid dimensions of a launch, at most: 1, 2 or 3"),
      llvm::cl::init(3)};
  Option<unsigned> loops{*this, "loops",
                         llvm::cl::desc("Loops of a launch, at most: 0 to 3"),
                         llvm::cl::init(3)};
  Option<unsigned> best{
      *this, "best",
      llvm::cl::desc("Accepted candidates after which a search ends"),
      llvm::cl::init(1)};
  Option<unsigned> threads{
      *this, "threads",
      llvm::cl::desc("Threads of a search; 0 for as many as processors"),
      llvm::cl::init(0)};
  Option<uint64_t> seed{*this, "seed", llvm::cl::desc("Seed of random tests"),
                        llvm::cl::init(0)};
  Option<double> errorBits{
      *this, "error-bits",
      llvm::cl::desc("Accept different programs with a probability of at most "
                     "2^-error-bits"),
      llvm::cl::init(40)};
  Option<double> deadline{*this, "deadline",
                          llvm::cl::desc("Seconds after which the search for "
                                         "one subprogram generates nothing "
                                         "more; checks of what was generated "
                                         "take up to 30 seconds more; 0 for "
                                         "none"),
                          llvm::cl::init(0)};
  Option<unsigned> keep{
      *this, "keep",
      llvm::cl::desc("Accepted candidates of a subprogram to keep"),
      llvm::cl::init(1)};
  Option<bool> keepOriginal{*this, "keep-original",
                            llvm::cl::desc("Keep replaced subprograms"),
                            llvm::cl::init(false)};
  Option<std::string> stats{
      *this, "stats",
      llvm::cl::desc("File for counts and times of the searches in JSON; - for "
                     "a table on stderr"),
      llvm::cl::init("")};
  Option<std::string> resume{
      *this, "resume",
      llvm::cl::desc("File with what searches have generated: read if it is "
                     "there, and written at the end"),
      llvm::cl::init("")};
  Option<TilingMeasure> measure{
      *this, "measure",
      llvm::cl::desc("What says the times by which the best candidates are "
                     "compared in the end"),
      llvm::cl::init(TilingMeasure::Instructions),
      llvm::cl::values(
          clEnumValN(TilingMeasure::Instructions, "instructions",
                     "the instructions of the kernels"),
          clEnumValN(TilingMeasure::Device, "device", "the first GPU"),
          clEnumValN(TilingMeasure::Recorded, "recorded",
                     "the file measurements, and instructions for what it has "
                     "not"),
          clEnumValN(TilingMeasure::Auto, "auto",
                     "device, else recorded, else instructions"))};
  Option<std::string> measurements{
      *this, "measurements",
      llvm::cl::desc("File of measured times in JSON: read if it is there, and "
                     "with measure=device written"),
      llvm::cl::init("")};
  Option<bool> tune{
      *this, "tune",
      llvm::cl::desc("Choose the tilings of the launches by the instructions "
                     "of their kernels (mirage-tune-launches), unless measure "
                     "asks for other times"),
      llvm::cl::init(true)};
  Option<std::string> prune{
      *this, "prune",
      llvm::cl::desc(
          "What recognizes useless prefixes: normal-form, smt, both or none"),
      llvm::cl::init("normal-form")};
  Option<bool> interactive{
      *this, "interactive",
      llvm::cl::desc("Show on stderr where a search is, and take Ctrl-C as a "
                     "request to end it"),
      llvm::cl::init(true)};
};

/// Builds mirage-lower-to-launches, the first part of mirage-lower-to-thread:
/// all that kernels are made of is in one function, and launches are in the
/// place of pre-defined operators.
void buildLowerToLaunchesPipeline(mlir::OpPassManager &manager,
                                  const LowerToLaunchesOptions &options);

/// Builds the part of mirage-lower-to-nvvm that makes kernels of the NVVM
/// dialect of launches, with loops and branches as operations of scf.
void buildKernelsPipeline(mlir::OpPassManager &manager);

/// Builds mirage-lower-to-thread, which takes kernel graphs to a gpu.module of
/// mirage_thread operations, and to host functions that launch its kernels. It
/// is the first part of mirage-lower-to-nvvm.
void buildLowerToThreadPipeline(mlir::OpPassManager &manager,
                                const LowerToThreadOptions &options);

/// Builds mirage-lower-to-nvvm, which takes kernel graphs to a gpu.module of
/// llvm.func kernels with an NVVM target, and to host functions that launch
/// them.
void buildLowerToNVVMPipeline(mlir::OpPassManager &manager,
                              const LowerToNVVMOptions &options);

/// Fails, with an error at the operation that is the reason, unless the
/// function `entry` of a module that was lowered is launches of kernels alone.
mlir::LogicalResult checkIsLowered(mlir::ModuleOp module,
                                   llvm::StringRef entry);

/// Runs a pipeline on a copy of the module with only the function `entry` and
/// what it calls, since other functions may have no lowering. No argument of it
/// is constant any more. Errors are at what cannot be lowered, or stays beside
/// the kernels. `setUp` may add
/// to the pass manager what a tool's command line asks for.
mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>>
lowerEntry(mlir::ModuleOp module, llvm::StringRef entry,
           llvm::function_ref<void(mlir::OpPassManager &)> build,
           llvm::function_ref<void(mlir::PassManager &)> setUp = nullptr);

/// Builds mirage-import-linalg, which converts operations of linalg, tensor and
/// arith on tensors to mirage_kernel operators. What it cannot convert stays.
void buildImportLinalgPipeline(mlir::OpPassManager &manager,
                               const ImportOptions &options);

/// Builds mirage-import-tosa, which does the same for TOSA, by way of linalg.
void buildImportTosaPipeline(mlir::OpPassManager &manager,
                             const ImportOptions &options);

/// Builds mirage-optimize, which takes operations of linalg, TOSA, tensor and
/// arith to verified µGraphs. What it cannot convert stays. Subprograms stay
/// functions, which are called.
void buildOptimizePipeline(mlir::OpPassManager &manager,
                           const OptimizeOptions &options);

/// Registers the interfaces by which upstream's convert-to-llvm lowers what the
/// pipeline leaves to it. mlir-opt registers them itself.
void registerLoweringInterfaces(mlir::DialectRegistry &registry);

void registerPipelines();

} // namespace mirage

#endif // MIRAGE_PIPELINES_PIPELINES_H
