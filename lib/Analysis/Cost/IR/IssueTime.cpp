//===- IssueTime.cpp - Time of the instructions of kernels ----------------===//
//
// Walks kernels once, and multiplies by the iterations of loops. Each operation
// stands for the instructions that ptxas makes of it. Of the two kernels whose
// instructions ncu counted, this counts 6 and 8 % more.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Cost/IR/IssueTime.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/TypeSwitch.h"
#include <numeric>

using namespace mlir;
using namespace mirage;

/// Clocks from an instruction of a warp to its next one, where the warp is
/// alone on its scheduler, and clocks that a scheduler takes for an instruction
/// of each of several warps.
static constexpr double clocksAlone = 2, clocksShared = 1.3;
/// Warps whose instructions hide one another's latency on a scheduler.
static constexpr int64_t mostHiding = 8, schedulers = 4;
/// What one multiprocessor loads a clock from the shared memory of others.
static constexpr double clusterBytesPerClock = 3;
/// What a kernel takes to start where the one before it leaves, and the part of
/// the model's time that is for starting.
static constexpr double startTime = 1.4, modelledStart = 2.5;

/// Returns the instructions that an operation becomes.
static double getInstructions(Operation *op) {
  return llvm::TypeSwitch<Operation *, double>(op)
      // These name values, or go into other instructions.
      .Case<arith::ConstantOp, LLVM::ConstantOp, LLVM::UndefOp, LLVM::PoisonOp,
            LLVM::ZeroOp, arith::IndexCastOp, arith::IndexCastUIOp,
            LLVM::ExtractElementOp, LLVM::InsertElementOp, LLVM::ExtractValueOp,
            LLVM::InsertValueOp, LLVM::BitcastOp, LLVM::AddrSpaceCastOp,
            LLVM::AddressOfOp, UnrealizedConversionCastOp, scf::YieldOp,
            scf::ConditionOp>([](Operation *) { return 0; })
      // Offsets that are constants go into the access.
      .Case([](LLVM::GEPOp) { return 0.5; })
      .Case<LLVM::ZExtOp, LLVM::TruncOp>([](Operation *) { return 0.2; })
      .Case<arith::DivFOp, LLVM::FDivOp, math::TanhOp>(
          [](Operation *) { return 8; })
      .Case<arith::DivUIOp, arith::RemUIOp, arith::DivSIOp, arith::RemSIOp,
            LLVM::UDivOp, LLVM::URemOp, math::ExpOp>(
          [](Operation *) { return 4; })
      .Case([](math::LogOp) { return 6; })
      .Case([](math::ErfOp) { return 20; })
      .Case([](NVVM::MmaOp) { return 2; })
      .Default([](Operation *) { return 1; });
}

static double getClusterBytes(Operation *op) {
  auto load = dyn_cast<LLVM::LoadOp>(op);
  constexpr unsigned ofCluster = 7;
  if (!load ||
      cast<LLVM::LLVMPointerType>(load.getAddr().getType()).getAddressSpace() !=
          ofCluster)
    return 0;
  Type type = load.getType();
  int64_t count = 1;
  if (auto vector = dyn_cast<VectorType>(type)) {
    count = vector.getNumElements();
    type = vector.getElementType();
  }
  return static_cast<double>(count * type.getIntOrFloatBitWidth()) / 8;
}

namespace {
/// Adds up what the operations of regions execute.
class InstructionCounter {
public:
  /// Returns nothing if the number of a loop's iterations is not known.
  std::optional<ThreadWork> count(Region &region);

private:
  std::optional<ThreadWork> count(Operation *op);
};
} // namespace

static void add(ThreadWork &sum, const ThreadWork &work, double times = 1) {
  sum.instructions += work.instructions * times;
  sum.clusterBytes += work.clusterBytes * times;
}

/// Returns the iterations of a loop; groups of warps begin at their own number,
/// so that the lower bound is no constant.
static std::optional<double> countIterations(scf::ForOp loop) {
  std::optional<int64_t> upper = getConstantIntValue(loop.getUpperBound()),
                         step = getConstantIntValue(loop.getStep());
  if (!upper || !step || *step <= 0)
    return std::nullopt;
  int64_t lower = getConstantIntValue(loop.getLowerBound()).value_or(0);
  return std::max<double>(0, std::ceil(static_cast<double>(*upper - lower) /
                                       static_cast<double>(*step)));
}

std::optional<ThreadWork> InstructionCounter::count(Operation *op) {
  ThreadWork work;
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    // Warps have one of both to do.
    for (Region *region : {&branch.getThenRegion(), &branch.getElseRegion()}) {
      std::optional<ThreadWork> part = count(*region);
      if (!part)
        return std::nullopt;
      if (part->instructions > work.instructions)
        work = *part;
    }
    work.instructions += 0.5;
    return work;
  }
  double times = 1;
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    std::optional<double> iterations = countIterations(loop);
    if (!iterations)
      return std::nullopt;
    times = *iterations;
    // The counter, and the branch.
    work.instructions = 2 * times;
  } else if (op->getNumRegions() == 0) {
    return ThreadWork{getInstructions(op), getClusterBytes(op)};
  }
  for (Region &region : op->getRegions()) {
    std::optional<ThreadWork> part = count(region);
    if (!part)
      return std::nullopt;
    add(work, *part, times);
  }
  return work;
}

std::optional<ThreadWork> InstructionCounter::count(Region &region) {
  ThreadWork sum;
  for (Block &block : region)
    for (Operation &op : block) {
      std::optional<ThreadWork> work = count(&op);
      if (!work)
        return std::nullopt;
      add(sum, *work);
    }
  return sum;
}

/// Returns the product of constants, or nothing if one is none.
static std::optional<int64_t> multiply(gpu::KernelDim3 sizes) {
  int64_t product = 1;
  for (Value size : {sizes.x, sizes.y, sizes.z}) {
    std::optional<int64_t> constant = getConstantIntValue(size);
    if (!constant)
      return std::nullopt;
    product *= *constant;
  }
  return product;
}

/// Returns the buffer that a view is of.
static Value getBuffer(Value view) {
  while (auto op = view.getDefiningOp<ViewLikeOpInterface>())
    view = op.getViewSource();
  return view;
}

std::optional<std::vector<IssuedLaunch>>
mirage::countInstructions(ModuleOp module) {
  std::vector<IssuedLaunch> launches;
  // What stands first writes a buffer, those that follow read it.
  llvm::DenseMap<Value, unsigned> writers;
  llvm::DenseMap<Operation *, std::optional<ThreadWork>> known;
  WalkResult walk = module.walk([&](gpu::LaunchFuncOp launch) {
    Operation *kernel = SymbolTable::lookupSymbolIn(module, launch.getKernel());
    auto function = dyn_cast_or_null<LLVM::LLVMFuncOp>(kernel);
    std::optional<int64_t> blocks = multiply(launch.getGridSizeOperandValues()),
                           threads =
                               multiply(launch.getBlockSizeOperandValues());
    if (!function || !blocks || !threads)
      return WalkResult::interrupt();
    auto [work, isNew] = known.try_emplace(kernel);
    if (isNew)
      work->second = InstructionCounter().count(function.getBody());
    if (!work->second)
      return WalkResult::interrupt();
    IssuedLaunch &issued = launches.emplace_back();
    issued.kernel = function.getName().str();
    issued.blocks = *blocks;
    issued.threads = *threads;
    issued.work = *work->second;
    unsigned number = launches.size() - 1;
    for (Value operand : launch.getKernelOperands()) {
      Value buffer = getBuffer(operand);
      if (isa<BlockArgument>(buffer))
        continue;
      auto [writer, isFirst] = writers.try_emplace(buffer, number);
      if (!isFirst && writer->second != number)
        issued.dependences.push_back(writer->second);
    }
    return WalkResult::advance();
  });
  if (walk.wasInterrupted())
    return std::nullopt;
  return launches;
}

/// Returns the blocks of the busiest multiprocessor.
static int64_t getBlocksOfBusiest(const IssuedLaunch &launch,
                                  const TargetDescription &target) {
  return llvm::divideCeil(launch.blocks, target.multiprocessors);
}

/// Returns the clocks for which the busiest multiprocessor issues something,
/// and loads from others.
static double getBusyClocks(const IssuedLaunch &launch,
                            const TargetDescription &target, double blocks) {
  auto threads = static_cast<double>(launch.threads);
  return blocks * (launch.work.instructions * clocksShared *
                       std::ceil(threads / 32) / schedulers +
                   launch.work.clusterBytes * threads / clusterBytesPerClock);
}

double IssuedLaunch::getTime(const TargetDescription &target) const {
  int64_t ofBusiest = getBlocksOfBusiest(*this, target);
  int64_t atOnce =
      std::min({ofBusiest, mostHiding,
                std::max<int64_t>(1, target.threadsPerSM / threads)});
  auto waves = static_cast<double>(llvm::divideCeil(ofBusiest, atOnce));
  double alone = clocksAlone * waves * work.instructions +
                 work.clusterBytes * static_cast<double>(threads * ofBusiest) /
                     clusterBytesPerClock;
  return std::max(alone, getBusyClocks(*this, target,
                                       static_cast<double>(ofBusiest))) /
         static_cast<double>(target.clock);
}

double mirage::estimateIssued(ArrayRef<IssuedLaunch> launches,
                              ArrayRef<double> modelled,
                              const TargetDescription &target) {
  auto getRest = [](double microseconds) {
    return std::max(0.0, microseconds - modelledStart);
  };
  // If the model has other kernels than there are, each launch takes an equal
  // share of their time.
  bool areSame = modelled.size() == launches.size();
  double all = 0;
  for (double microseconds : modelled)
    all += getRest(microseconds);
  // Launches that do not wait for each other are executed at the same time, as
  // far as multiprocessors are not busy.
  double longest = 0, busy = 0;
  std::vector<double> ends;
  for (auto [number, launch] : llvm::enumerate(launches)) {
    double rest = areSame ? getRest(modelled[number])
                          : all / static_cast<double>(launches.size());
    double begin = 0;
    for (unsigned other : launch.dependences)
      begin = std::max(begin, ends[other]);
    ends.push_back(begin + startTime + rest + launch.getTime(target));
    longest = std::max(longest, ends.back());
    busy += getBusyClocks(launch, target,
                          static_cast<double>(launch.blocks) /
                              static_cast<double>(target.multiprocessors)) /
            static_cast<double>(target.clock);
  }
  return std::max(longest, busy);
}
