//===- IssueTime.cpp - Time of the instructions of kernels ----------------===//
//
// Walks kernels once, and multiplies by the iterations of loops. Each operation
// stands for the instructions that ptxas makes of it. Of the two kernels whose
// instructions ncu counted, this counts 6 and 8 % more.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Cost/IR/IssueTime.h"
#include "ProductsInFlight.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/TypeSwitch.h"
#include <numeric>

using namespace mlir;
using namespace mirage;

/// Clocks from an instruction of a warp to its next one, where the warp is
/// alone on its scheduler, and clocks that a scheduler takes for an instruction
/// of each of several warps.
static constexpr double clocksAlone = 1.72, clocksShared = 1.2;
/// Warps whose instructions hide one another's latency on a scheduler.
static constexpr int64_t mostHiding = 8, schedulers = 4;
/// The clocks that one multiprocessor takes for the access of a thread to the
/// shared memory of another one, of 4 or of 16 bytes.
static constexpr double clocksOfClusterAccess = 0.3;
/// The instructions in whose place a warp waits at a barrier of its block, some
/// 34 clocks. Without them G11 takes 9.4 microseconds by the tiling that is
/// chosen, and 8.1 with them; vocabulary_distillation 47 and 44.
static constexpr double barrierInstructions = 20;
/// The instructions in whose place the tensor cores of a scheduler compute an
/// mma.sync: by their throughput 6.2 clocks on sm_90 and 8 on sm_80, so five to
/// seven. With six, and 120 multiprocessors for clusters, what is chosen among
/// the tilings of 208 launches is within a tenth of the fastest for 184, and
/// for 177 with two and 132.
static constexpr double mmaInstructions = 6;
static constexpr int64_t kWarpSize = 32;
/// What a kernel takes to start, and what those besides that multiply matrices.
static constexpr double startTime = 1.85, productStart = 0.47;
/// What those take besides whose warps have roles: they set up rings, and the
/// first tile goes through one.
static constexpr double roleStart = 0.8;
/// What the model says of starting, and the part of what it says of merging
/// that merging takes.
static constexpr double modelledStart = 2.72, mergePart = 0.61;
/// The clocks that an instruction of the code takes besides where the kernel
/// before was another one. 188 launches of whole models, by the profiler, have
/// 5.5 and the start below, whether or not the kernel ran a few launches ago.
/// Programs of one kernel that follows itself have 0.4, and those of two to
/// four 1.4.
static constexpr double fetchAmongMany = 5.5;
/// What a kernel takes to start among those of a model, where its code is
/// counted by itself, and its launch is prepared while others run.
static constexpr double startAmongMany = 0.6;
/// What it takes besides where kernels part into branches of a graph and meet
/// again, since none of them starts before all others have ended: a norm and
/// three products of it take 8.7 microseconds so, and 6.4 without this.
static constexpr double branchTime = 2.2;

/// Returns whether an operation chooses one of its operands by their order, so
/// that it need not convert them.
static bool isOrder(Operation *op) {
  return isa<arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
             arith::MinNumFOp>(op);
}

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
      // Two largest numbers of 16 bits are found at once, as they are.
      .Case([](LLVM::FPExtOp extension) {
        return llvm::all_of(extension->getUsers(), isOrder) ? 0 : 1;
      })
      .Case([](LLVM::FPTruncOp truncation) {
        Operation *source = truncation.getArg().getDefiningOp();
        return source && isOrder(source) ? 0 : 1;
      })
      .Case<arith::DivFOp, LLVM::FDivOp, math::TanhOp>(
          [](Operation *) { return 8; })
      .Case<arith::DivUIOp, arith::RemUIOp, arith::DivSIOp, arith::RemSIOp,
            LLVM::UDivOp, LLVM::URemOp, math::ExpOp>(
          [](Operation *) { return 4; })
      .Case<gpu::BarrierOp, NVVM::BarrierOp, NVVM::Barrier0Op>(
          [](Operation *) { return barrierInstructions; })
      .Case([](math::LogOp) { return 6; })
      .Case([](math::ErfOp) { return 20; })
      .Case([](NVVM::MmaOp) { return mmaInstructions; })
      .Default([](Operation *) { return 1; });
}

/// Returns true for an access to the shared memory of the cluster.
static bool isClusterAccess(Operation *op) {
  constexpr unsigned ofCluster = 7;
  if (auto assembly = dyn_cast<LLVM::InlineAsmOp>(op))
    return assembly.getAsmString().contains("st.async");
  Value address;
  if (auto load = dyn_cast<LLVM::LoadOp>(op))
    address = load.getAddr();
  else if (auto store = dyn_cast<LLVM::StoreOp>(op))
    address = store.getAddr();
  return address &&
         cast<LLVM::LLVMPointerType>(address.getType()).getAddressSpace() ==
             ofCluster;
}

namespace {
/// What a warp executes.
struct WarpWork {
  double instructions = 0, clusterAccesses = 0;
  /// The instructions, each counted once.
  double code = 0;
  /// The clocks for which it waits for products by wgmma.
  double waited = 0;

  void add(const WarpWork &other, double times = 1) {
    instructions += other.instructions * times;
    clusterAccesses += other.clusterAccesses * times;
    code += other.code;
    waited += other.waited * times;
  }
  double getClocks() const { return clocksAlone * instructions + waited; }
};

/// Adds up what the operations of regions execute in one warp.
class InstructionCounter {
public:
  explicit InstructionCounter(int64_t warp) : firstThread(warp * kWarpSize) {}

  /// Returns nothing if the number of a loop's iterations is not known.
  std::optional<WarpWork> count(Region &region) {
    return region.empty() ? WarpWork() : count(region.front());
  }
  /// Returns the ways that the warp took where a function's blocks part.
  ArrayRef<Block *> getWays() const { return ways; }

private:
  using Count = std::optional<WarpWork>;
  Count count(Block &block);
  Count takeWay(Block &block) {
    ways.push_back(&block);
    return count(block);
  }
  Count count(Operation *op);
  Count countBranches(Value condition, llvm::function_ref<Count()> countThen,
                      llvm::function_ref<Count()> countElse);
  Attribute evaluate(Value value, int64_t thread);

  int64_t firstThread;
  ProductsInFlight products;
  /// The blocks that are being counted, among which control does not return.
  llvm::SmallPtrSet<Block *, 4> open;
  SmallVector<Block *, 2> ways;
  DenseMap<std::pair<Value, int64_t>, Attribute> known;
};
} // namespace

/// Returns the value of an integer in a thread, as far as that follows from the
/// thread's number, and nothing else.
Attribute InstructionCounter::evaluate(Value value, int64_t thread) {
  auto [entry, isNew] = known.try_emplace({value, thread});
  if (!isNew)
    return entry->second;
  Operation *op = value.getDefiningOp();
  if (!op || op->getNumRegions() != 0)
    return {};
  auto threadId = dyn_cast<gpu::ThreadIdOp>(op);
  if (isa<NVVM::ThreadIdXOp>(op) ||
      (threadId && threadId.getDimension() == gpu::Dimension::x))
    return known[{value, thread}] = IntegerAttr::get(value.getType(), thread);
  // All lanes have what one of them has.
  if (auto exchange = dyn_cast<NVVM::ShflOp>(op)) {
    auto lane =
        dyn_cast_or_null<IntegerAttr>(evaluate(exchange.getOffset(), thread));
    if (exchange.getKind() != NVVM::ShflKind::idx || !lane)
      return {};
    Attribute shared = evaluate(exchange.getVal(),
                                thread - thread % kWarpSize + lane.getInt());
    return known[{value, thread}] = shared;
  }
  SmallVector<Attribute> operands;
  for (Value operand : op->getOperands()) {
    operands.push_back(evaluate(operand, thread));
    if (!operands.back())
      return {};
  }
  Attribute result;
  if (auto compare = dyn_cast<LLVM::ICmpOp>(op)) {
    auto lhs = dyn_cast<IntegerAttr>(operands[0]),
         rhs = dyn_cast<IntegerAttr>(operands[1]);
    // The predicates of both dialects have the same numbers.
    if (lhs && rhs)
      result = BoolAttr::get(
          op->getContext(),
          arith::applyCmpPredicate(
              static_cast<arith::CmpIPredicate>(compare.getPredicate()),
              lhs.getValue(), rhs.getValue()));
  } else if (SmallVector<OpFoldResult> folded;
             succeeded(op->fold(operands, folded)) && folded.size() == 1) {
    result = dyn_cast<Attribute>(folded.front());
  }
  return known[{value, thread}] = result;
}

/// Counts the branch that a warp takes: both where its first and its last
/// thread take different ones, or the longer one if nobody knows.
std::optional<WarpWork>
InstructionCounter::countBranches(Value condition,
                                  llvm::function_ref<Count()> countThen,
                                  llvm::function_ref<Count()> countElse) {
  auto first = dyn_cast_or_null<IntegerAttr>(evaluate(condition, firstThread)),
       last = dyn_cast_or_null<IntegerAttr>(
           evaluate(condition, firstThread + kWarpSize - 1));
  bool isKnown = first && last;
  if (isKnown && first == last)
    return first.getValue().isZero() ? countElse() : countThen();
  ProductsInFlight before = products;
  Count then = countThen();
  ProductsInFlight behindThen = products;
  if (!isKnown)
    products = before;
  Count otherwise = countElse();
  if (!then || !otherwise)
    return std::nullopt;
  if (isKnown) {
    then->add(*otherwise);
    return then;
  }
  if (then->instructions < otherwise->instructions)
    return otherwise;
  products = behindThen;
  return then;
}

/// Returns the numbers that an integer may be, as far as that follows from the
/// operations that compute it.
static ConstantIntRanges getRange(Value value) {
  unsigned width = ConstantIntRanges::getStorageBitwidth(value.getType());
  ConstantIntRanges all = ConstantIntRanges::maxRange(width);
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return ConstantIntRanges::constant(APInt(width, *constant, true, true));
  auto op = value.getDefiningOp<InferIntRangeInterface>();
  if (!op || width == 0)
    return all;
  SmallVector<ConstantIntRanges> operands;
  for (Value operand : op->getOperands()) {
    if (ConstantIntRanges::getStorageBitwidth(operand.getType()) == 0)
      return all;
    operands.push_back(getRange(operand));
  }
  op.inferResultRanges(operands,
                       [&](Value result, const ConstantIntRanges &range) {
                         if (result == value)
                           all = range;
                       });
  return all;
}

/// Returns the iterations of a loop; groups of warps begin at their own number,
/// so that the lower bound is no constant. Masks may leave some blocks fewer
/// iterations than others, and blocks that stay may have fewer turns.
static std::optional<double> countIterations(scf::ForOp loop) {
  std::optional<int64_t> step = getConstantIntValue(loop.getStep());
  ConstantIntRanges range = getRange(loop.getUpperBound());
  // What nobody knows is as much as there are numbers.
  constexpr int64_t most = int64_t(1) << 30;
  int64_t upper = range.smax().getSExtValue();
  if (!step || *step <= 0 || upper >= most)
    return std::nullopt;
  int64_t lower = getConstantIntValue(loop.getLowerBound()).value_or(0);
  return std::max<double>(0, std::ceil(static_cast<double>(upper - lower) /
                                       static_cast<double>(*step)));
}

std::optional<WarpWork> InstructionCounter::count(Operation *op) {
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    Count work = countBranches(
        branch.getCondition(), [&] { return count(branch.getThenRegion()); },
        [&] { return count(branch.getElseRegion()); });
    if (work)
      work->add({0.5, 0, 0.5});
    return work;
  }
  WarpWork work;
  double times = 1;
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    std::optional<double> iterations = countIterations(loop);
    if (!iterations)
      return std::nullopt;
    times = *iterations;
    // The counter, and the branch.
    work = {2 * times, 0, 2};
  } else if (op->getNumRegions() == 0) {
    double instructions = getInstructions(op);
    products.advance(clocksAlone * instructions);
    WarpWork own{instructions, isClusterAccess(op) ? double(kWarpSize) : 0,
                 instructions};
    if (auto assembly = dyn_cast<LLVM::InlineAsmOp>(op))
      own.waited = products.execute(assembly.getAsmString());
    return own;
  }
  for (Region &region : op->getRegions()) {
    Count part = count(region);
    if (!part)
      return std::nullopt;
    work.add(*part, times);
    products.repeat((times - 1) * part->getClocks());
  }
  return work;
}

/// Counts a block, and those that follow it.
std::optional<WarpWork> InstructionCounter::count(Block &block) {
  if (!open.insert(&block).second)
    return std::nullopt;
  llvm::scope_exit close([&] { open.erase(&block); });
  WarpWork sum;
  for (Operation &op : block) {
    Count work = count(&op);
    if (!work)
      return std::nullopt;
    sum.add(*work);
  }
  // A branch of a function ends the block that it is in; where the threads of
  // one warp part, the longer way is what both take.
  Operation *end = block.empty() ? nullptr : &block.back();
  if (!end || end->getNumSuccessors() == 0)
    return sum;
  Count rest;
  if (end->getNumSuccessors() == 1) {
    rest = count(*end->getSuccessor(0));
  } else if (auto branch = dyn_cast<LLVM::CondBrOp>(end)) {
    rest = countBranches(
        branch.getCondition(), [&] { return takeWay(*branch.getTrueDest()); },
        [&] { return takeWay(*branch.getFalseDest()); });
  }
  if (!rest)
    return std::nullopt;
  sum.add(*rest);
  return sum;
}

/// Counts what the warps of a block of so many threads execute.
static std::optional<BlockWork> countBlock(Region &body, int64_t threads) {
  BlockWork work;
  SmallVector<Block *, 2> ways;
  for (int64_t warp = 0; warp * kWarpSize < threads; ++warp) {
    InstructionCounter counter(warp);
    std::optional<WarpWork> own = counter.count(body);
    if (!own)
      return std::nullopt;
    if (warp == 0)
      ways.assign(counter.getWays().begin(), counter.getWays().end());
    work.hasRoles |= counter.getWays() != ArrayRef(ways);
    work.longest = std::max(work.longest, own->instructions);
    if (own->waited > 0 && own->getClocks() > work.chainClocks) {
      work.chainClocks = own->getClocks();
      work.waitedClocks = own->waited;
    }
    work.code = std::max(work.code, own->code);
    work.all += own->instructions;
    work.clusterAccesses += own->clusterAccesses;
  }
  return work;
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
  DenseMap<std::pair<Operation *, int64_t>, std::optional<BlockWork>> known;
  WalkResult walk = module.walk([&](gpu::LaunchFuncOp launch) {
    Operation *kernel = SymbolTable::lookupSymbolIn(module, launch.getKernel());
    auto function = dyn_cast_or_null<LLVM::LLVMFuncOp>(kernel);
    std::optional<int64_t> blocks = multiply(launch.getGridSizeOperandValues()),
                           threads =
                               multiply(launch.getBlockSizeOperandValues());
    if (!function || !blocks || !threads)
      return WalkResult::interrupt();
    auto [work, isNew] = known.try_emplace({kernel, *threads});
    if (isNew)
      work->second = countBlock(function.getBody(), *threads);
    if (!work->second)
      return WalkResult::interrupt();
    IssuedLaunch &issued = launches.emplace_back();
    issued.kernel = function.getName().str();
    issued.blocks = *blocks;
    issued.threads = *threads;
    if (auto cluster = function->getAttrOfType<DenseI32ArrayAttr>(
            NVVM::NVVMDialect::getClusterDimAttrName()))
      issued.clusterBlocks = llvm::product_of(cluster.asArrayRef());
    if (Value bytes = launch.getDynamicSharedMemorySize())
      issued.sharedBytes = getConstantIntValue(bytes).value_or(0);
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

/// Returns the blocks of the busiest multiprocessor. Clusters find no room on
/// some of them, and others have more blocks then.
static int64_t getBlocksOfBusiest(const IssuedLaunch &launch,
                                  const TargetDescription &target) {
  return llvm::divideCeil(launch.blocks,
                          target.getMultiprocessors(launch.clusterBlocks));
}

/// Returns the clocks for which the busiest multiprocessor issues something,
/// and accesses others.
static double getBusyClocks(const IssuedLaunch &launch, double blocks) {
  return blocks *
         (launch.work.all * clocksShared / static_cast<double>(schedulers) +
          launch.work.clusterAccesses * clocksOfClusterAccess);
}

double IssuedLaunch::getTime(const TargetDescription &target) const {
  int64_t ofBusiest = getBlocksOfBusiest(*this, target);
  int64_t atOnce =
      std::min({ofBusiest, mostHiding,
                std::max<int64_t>(1, target.threadsPerSM / threads)});
  auto waves = static_cast<double>(llvm::divideCeil(ofBusiest, atOnce));
  auto busiest = static_cast<double>(ofBusiest);
  double alone = clocksAlone * waves * work.longest +
                 work.clusterAccesses * busiest * clocksOfClusterAccess;
  return std::max(alone, getBusyClocks(*this, busiest)) /
         static_cast<double>(target.clock);
}

double IssuedLaunch::getChainTime(const TargetDescription &target) const {
  int64_t ofBusiest = getBlocksOfBusiest(*this, target);
  int64_t beside = std::max<int64_t>(1, target.threadsPerSM / threads);
  if (sharedBytes > 0)
    beside =
        std::clamp<int64_t>(target.sharedMemoryPerSM / sharedBytes, 1, beside);
  return static_cast<double>(llvm::divideCeil(ofBusiest, beside)) *
         work.chainClocks / static_cast<double>(target.clock);
}

/// Returns what a kernel takes to start and to merge, and among many others to
/// fetch its code.
static double getStart(const IssuedLaunch &launch, const ModelledTime &time,
                       bool isAmongMany, const TargetDescription &target) {
  double merge = mergePart * std::max(0.0, time.launch - modelledStart);
  if (isAmongMany)
    return startAmongMany + merge +
           fetchAmongMany * launch.work.code /
               static_cast<double>(target.clock);
  return startTime + (time.hasProducts ? productStart : 0) +
         (launch.work.hasRoles ? roleStart : 0) + merge;
}

double mirage::estimateIssued(ArrayRef<IssuedLaunch> launches,
                              ArrayRef<ModelledTime> modelled,
                              const TargetDescription &target,
                              bool isAmongMany) {
  // If the model has other kernels than there are, each launch takes an equal
  // share of their time.
  auto count = static_cast<double>(launches.size());
  ModelledTime share;
  for (const ModelledTime &kernel : modelled) {
    share.launch += kernel.launch / count;
    share.rest += kernel.rest / count;
    share.hasProducts |= kernel.hasProducts;
  }
  auto getModelled = [&](unsigned number) {
    return modelled.size() == launches.size() ? modelled[number] : share;
  };
  // Launches that follow one another and do not wait for each other are
  // branches of a graph, as long as the longest of them if multiprocessors are
  // not busy.
  double busy = 0, elapsed = 0;
  unsigned begin = 0;
  while (begin < launches.size()) {
    unsigned end = begin;
    double longest = 0, start = 0;
    auto follows = [&](unsigned other) { return other >= begin; };
    while (end < launches.size() &&
           llvm::none_of(launches[end].dependences, follows)) {
      const IssuedLaunch &launch = launches[end];
      ModelledTime time = getModelled(end);
      start = std::max(start, getStart(launch, time, isAmongMany, target));
      double issue = launch.getTime(target);
      double beside = launch.work.hasRoles ? std::max(time.rest, issue)
                                           : std::hypot(time.rest, issue);
      longest = std::max({longest, beside, launch.getChainTime(target)});
      busy += getBusyClocks(launch,
                            static_cast<double>(launch.blocks) /
                                static_cast<double>(target.multiprocessors)) /
              static_cast<double>(target.clock);
      ++end;
    }
    elapsed += start + longest + (end - begin > 1 ? branchTime : 0);
    begin = end;
  }
  return std::max(elapsed, busy);
}
