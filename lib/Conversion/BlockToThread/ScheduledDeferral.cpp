//===- ScheduledDeferral.cpp - Products that are made one trip later ------===//
//
// Lets the instructions of a product run while the warps compute its next left
// operand. In attention, a trip multiplies the exponentials of the trip before
// by their values while it makes its own of the scores. Several warpgroups
// begin their products one after another, so that the products of one run while
// the others compute.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/SharedMemory.h"
#include "ScheduledLaunch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mirage;

//===----------------------------------------------------------------------===//
// Products that can be deferred
//===----------------------------------------------------------------------===//

/// Returns true if a value is computed of another one, or of one of which
/// `isSought` is true.
static bool dependsOn(Value value, llvm::function_ref<bool(Value)> isSought) {
  SmallVector<Value> worklist{value};
  SmallPtrSet<Operation *, 16> seen;
  while (!worklist.empty()) {
    Value next = worklist.pop_back_val();
    if (isSought(next))
      return true;
    Operation *op = next.getDefiningOp();
    if (!op || !seen.insert(op).second)
      continue;
    // A branch computes of what is used in it.
    op->walk([&](Operation *inner) {
      llvm::append_range(worklist, inner->getOperands());
    });
  }
  return false;
}

RelativeShifts mirage::findRelativeShifts(block::ForOp loop) {
  RelativeShifts shifts;
  auto accumulators = loop.getBody().getOps<block::AccumulateOp>();
  for (auto accumulate : accumulators)
    if (Value shift = accumulate.getShift())
      shifts.insert(shift);
  for (auto accumulate : accumulators)
    for (Value shift : llvm::to_vector(shifts)) {
      Value value = accumulate.getValue();
      bool isMaximum =
          accumulate.getKind() == AccumulateKind::Max && value == shift;
      bool isRelative = accumulate.getShift() == shift
                            ? isRelativeTo(value, shift)
                            : isMaximum || !dependsOn(value, [&](Value of) {
                                return of == shift;
                              });
      if (!isRelative)
        shifts.erase(shift);
    }
  return shifts;
}

/// Returns true if what makes a product's right operand of loaded tiles is for
/// this product alone, and adds the tiles that are in memory for it: they are
/// loaded, or prepared by warps beside those of the product.
static bool isForProductAlone(Operation *product, Value right,
                              ArrayRef<Preparation> preparations,
                              llvm::SmallDenseSet<Value, 2> &tiles) {
  SmallPtrSet<Operation *, 8> chain;
  SmallVector<Value> worklist{right};
  auto isPrepared = [&](Operation *op) {
    return llvm::any_of(preparations, [&](const Preparation &preparation) {
      return llvm::is_contained(preparation.operations, op);
    });
  };
  bool isLoaded = false;
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val().getDefiningOp();
    if (op && isa<block::ConstantOp>(op))
      continue;
    if (!op || op->getBlock() != product->getBlock())
      return false;
    if (!chain.insert(op).second)
      continue;
    if (auto load = dyn_cast<block::LoadOp>(op)) {
      if (!dependsOnLoop(load))
        return false;
      isLoaded = true;
      tiles.insert(load.getResult());
      continue;
    }
    auto compute = dyn_cast<ComputeOpInterface>(op);
    if (!compute || (!isPrepared(op) &&
                     getOpInfo(compute.getOpKind()).opClass != OpClass::Layout))
      return false;
    if (isPrepared(op))
      tiles.insert(op->getResult(0));
    llvm::append_range(worklist, op->getOperands());
  }
  return isLoaded && llvm::all_of(chain, [&](Operation *op) {
           return llvm::all_of(op->getUsers(), [&](Operation *user) {
             return user == product || chain.contains(user);
           });
         });
}

DeferredProducts mirage::findDeferredProducts(block::ForOp loop,
                                              const LaunchSchedule &schedule) {
  DeferredProducts deferred;
  RelativeShifts shifts = findRelativeShifts(loop);
  SmallVector<Preparation> preparations;
  if (schedule.loaderPrepares)
    preparations = findPreparations(loop, schedule);
  Block *body = &loop.getBody().front();
  for (auto product : body->getOps<block::MatmulOp>()) {
    block::AccumulateOp sum = getFusedAccumulator(product);
    bool addsUp = sum && (sum.getKind() == AccumulateKind::Sum ||
                          (sum.getKind() == AccumulateKind::RescaledSum &&
                           shifts.contains(sum.getShift())));
    auto isOther = [&](Value value) {
      Operation *op = value.getDefiningOp();
      return op && op->getBlock() == body && isMatmul(op) &&
             isWarpgroupProduct(op, schedule);
    };
    llvm::SmallDenseSet<Value, 2> tiles;
    if (!addsUp || !isWarpgroupProduct(product, schedule) ||
        isExchangedProduct(product, schedule) ||
        !dependsOn(product->getOperand(0), isOther) ||
        !isForProductAlone(product, product->getOperand(1), preparations,
                           tiles))
      continue;
    deferred.products.insert(product);
    deferred.tiles.insert(tiles.begin(), tiles.end());
  }
  return deferred;
}

void ScheduledLaunchBuilder::findDeferredTiles(block::ForOp loop) {
  if (loader && schedule.defersProducts)
    state->deferrals = findDeferredProducts(loop, schedule);
}

/// Returns true if a loop stays as it is where the schedule defers products,
/// since another loop of the launch has such products and this one has none.
bool ScheduledLaunchBuilder::leavesProductsOf(block::ForOp loop) {
  return state->deferrals.products.empty() &&
         launch.getBody()
             .walk([&](block::ForOp other) {
               return findDeferredProducts(other, schedule).products.empty()
                          ? WalkResult::advance()
                          : WalkResult::interrupt();
             })
             .wasInterrupted();
}

//===----------------------------------------------------------------------===//
// The loop of which products are deferred
//===----------------------------------------------------------------------===//

namespace mirage {
/// Makes a loop whose trips begin with the deferred products of the trip
/// before. The first trip stands before the loop without such products, and
/// those of the last one stand behind it.
class ScheduledLaunchBuilder::Deferral {
public:
  Deferral(ScheduledLaunchBuilder &launch, scf::ForOp loop)
      : launch(launch), builder(launch.builder), loop(loop),
        loc(loop.getLoc()) {}

  FailureOr<CarriedValues> run();

private:
  struct Product {
    /// The product, and the place of its sums among what the loop carries.
    thread::WarpgroupMmaOp op;
    unsigned carried;
    /// What takes its place in the present trip.
    thread::WarpgroupMmaOp begun;
  };
  bool find();
  /// Returns a value that follows from the number of a trip, for another trip.
  Value getOfTrip(Value value, Value trip);
  /// Emits a product of a trip with what it adds to and its left operand.
  thread::WarpgroupMmaOp create(const Product &product, Value sums, Value left,
                                Value trip);
  void emitTrip(IRMapping &map);
  void begin();
  void await(IRMapping &map);
  void createSequence();
  bool needsProducts(Operation &op);
  /// Returns true if the exponentials of a trip take more than half of the time
  /// that its products take.
  bool hasLongExponentials();
  void pass(Value trip);
  /// Passes the turn on behind the maxima of a trip, if an operation is the
  /// last one that makes any. What is computed of them follows.
  void passBehindMaxima(Operation &op, IRMapping &map);

  ScheduledLaunchBuilder &launch;
  OpBuilder &builder;
  scf::ForOp loop;
  Location loc;
  SmallVector<Product, 2> products;
  /// The product behind which the deferred ones begin: the last one that their
  /// left operands are made of.
  thread::WarpgroupMmaOp anchor;
  /// The order of the warpgroups, where there are several.
  Value sequence;
  /// The loop in the making, and its trip before the present one.
  scf::ForOp made;
  Value tripBefore;
  bool isAwaited = false, isPassed = false;
};
} // namespace mirage

bool ScheduledLaunchBuilder::Deferral::find() {
  Block *body = loop.getBody();
  for (auto [carried, sum] : launch.state->deferred) {
    auto op = sum.getDefiningOp<thread::WarpgroupMmaOp>();
    if (!op || op->getBlock() != body || op.isLhsInMemory() ||
        !op.getResult().hasOneUse() ||
        body->getTerminator()->getOperand(carried) != sum)
      return false;
    products.push_back({op, carried, {}});
  }
  for (auto op : body->getOps<thread::WarpgroupMmaOp>())
    if (llvm::any_of(products, [&](Product &product) {
          return dependsOn(Value(product.op.getLhs()),
                           [&](Value of) { return of == op.getResult(); });
        }))
      anchor = op;
  return anchor && !products.empty() && launch.state->deferredStages &&
         llvm::none_of(products, [&](const Product &other) {
           return other.op == anchor;
         });
}

Value ScheduledLaunchBuilder::Deferral::getOfTrip(Value value, Value trip) {
  if (value == loop.getInductionVar())
    return trip;
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != loop.getBody())
    return value;
  IRMapping map;
  for (Value operand : op->getOperands())
    map.map(operand, getOfTrip(operand, trip));
  return builder.clone(*op, map)->getResult(
      cast<OpResult>(value).getResultNumber());
}

thread::WarpgroupMmaOp
ScheduledLaunchBuilder::Deferral::create(const Product &product, Value sums,
                                         Value left, Value trip) {
  thread::WarpgroupMmaOp op = product.op;
  SmallVector<Value> offsets;
  for (Value offset : op.getRhsOffsets())
    offsets.push_back(getOfTrip(offset, trip));
  return thread::WarpgroupMmaOp::create(
      builder, op.getLoc(), sums, left, ValueRange(),
      getOfTrip(op.getRhs(), trip), offsets, op.getOnes(), op.getTransposeLhs(),
      op.getTransposeRhs());
}

/// Makes the barriers by which several warpgroups take turns.
void ScheduledLaunchBuilder::Deferral::createSequence() {
  constexpr int64_t warps = WarpgroupInstruction::warps;
  int64_t groups = launch.schedule.getNumWarps() / warps;
  // The sequences of other loops have barriers, too.
  int64_t all = groups;
  for (auto other : launch.function.getOps<thread::SequenceOp>())
    all += other.getResult().getType().getGroups();
  if (groups < 2 || all > thread::SequenceType::mostGroups)
    return;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(launch.loader);
  auto type = thread::SequenceType::get(builder.getContext(), groups, warps);
  sequence = thread::SequenceOp::create(
      builder, loc, type, builder.getI64IntegerAttr(launch.bytes));
  launch.bytes += llvm::alignTo(type.getNumBytes(), 128);
}

bool ScheduledLaunchBuilder::Deferral::hasLongExponentials() {
  // A multiprocessor of compute capability 9.0 makes 16 exponentials in a clock
  // (CUDA C++ Programming Guide, "Arithmetic Instructions"), and 2048 products
  // of 16 bits.
  constexpr int64_t productsInTimeOfOne = 2048 / 16;
  int64_t multiplied = 0, exponentials = 0;
  for (auto op : loop.getBody()->getOps<thread::WarpgroupMmaOp>())
    multiplied +=
        cast<RankedTensorType>(op.getResult().getType()).getNumElements() *
        op.getDepth();
  for (const Product &product : products) {
    thread::WarpgroupMmaOp op = product.op;
    exponentials +=
        cast<RankedTensorType>(op.getLhs().getType()).getNumElements();
  }
  return multiplied < 2 * exponentials * productsInTimeOfOne;
}

/// Lets the next warpgroup begin its products.
void ScheduledLaunchBuilder::Deferral::pass(Value trip) {
  if (sequence && !std::exchange(isPassed, true))
    thread::SequencePassOp::create(builder, loc, TypeRange(), sequence, trip,
                                   ValueRange());
}

void ScheduledLaunchBuilder::Deferral::passBehindMaxima(Operation &op,
                                                        IRMapping &map) {
  SmallVector<Value> maxima, now;
  for (auto [shift, value] : launch.state->newMaxima)
    if (value.getDefiningOp() &&
        value.getDefiningOp()->getBlock() == loop.getBody())
      maxima.push_back(value);
  llvm::sort(maxima, [](Value a, Value b) {
    return a.getDefiningOp()->isBeforeInBlock(b.getDefiningOp());
  });
  if (maxima.empty() || maxima.back() != op.getResult(0) || !sequence ||
      std::exchange(isPassed, true))
    return;
  for (Value value : maxima)
    now.push_back(map.lookup(value));
  auto passed =
      thread::SequencePassOp::create(builder, loc, TypeRange(now), sequence,
                                     map.lookup(loop.getInductionVar()), now);
  for (auto [value, result] : llvm::zip_equal(maxima, passed.getResults()))
    map.map(value, result);
}

void ScheduledLaunchBuilder::Deferral::begin() {
  thread::RingAwaitOp::create(builder, loc, launch.state->deferredStages,
                              tripBefore);
  unsigned numCarried = loop.getNumRegionIterArgs();
  for (auto [i, product] : llvm::enumerate(products))
    product.begun = create(product, made.getRegionIterArg(product.carried),
                           made.getRegionIterArg(numCarried + i), tripBefore);
}

void ScheduledLaunchBuilder::Deferral::await(IRMapping &map) {
  isAwaited = true;
  for (Product &product : products)
    map.map(
        loop.getRegionIterArg(product.carried),
        thread::WarpgroupWaitOp::create(builder, loc, product.begun.getResult())
            .getResult());
  thread::RingReleaseOp::create(builder, loc, launch.state->deferredStages,
                                tripBefore);
}

/// Returns true if the deferred products must be there before an operation: it
/// takes their sums, or it begins to make the next left operand, for which the
/// registers of the one that they read are needed.
bool ScheduledLaunchBuilder::Deferral::needsProducts(Operation &op) {
  if (auto compute = dyn_cast<ComputeOpInterface>(op);
      compute && (compute.getOpKind() == OpKind::Exp ||
                  compute.getOpKind() == OpKind::Exp2)) {
    auto type = cast<RankedTensorType>(op.getResult(0).getType());
    for (Product &product : products)
      if (type.getNumElements() >=
          cast<RankedTensorType>(product.op.getLhs().getType())
              .getNumElements())
        return true;
  }
  return op
      .walk([&](Operation *inner) {
        for (Product &product : products)
          if (llvm::is_contained(inner->getOperands(),
                                 loop.getRegionIterArg(product.carried)) ||
              llvm::is_contained(inner->getOperands(), product.op.getLhs()))
            return WalkResult::interrupt();
        return WalkResult::advance();
      })
      .wasInterrupted();
}

/// Emits a trip without the products that are deferred: the first one, or one
/// of the loop.
void ScheduledLaunchBuilder::Deferral::emitTrip(IRMapping &map) {
  Value trip = map.lookup(loop.getInductionVar());
  bool passesLate = hasLongExponentials(), isBegun = false;
  isPassed = false;
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (llvm::any_of(products,
                     [&](const Product &product) { return product.op == &op; }))
      continue;
    if (isBegun && needsProducts(op)) {
      pass(trip);
      if (made && !isAwaited)
        await(map);
    }
    if (&op == anchor && sequence)
      thread::SequenceAwaitOp::create(builder, loc, sequence, trip);
    // All groups meet at a barrier, also those that wait for their turns.
    bool hasBarrier = op.walk([](thread::BarrierOp) {
                          return WalkResult::interrupt();
                        }).wasInterrupted();
    if (isBegun && hasBarrier)
      pass(trip);
    builder.clone(op, map);
    if (isBegun && passesLate && op.getNumResults() == 1)
      passBehindMaxima(op, map);
    if (&op != anchor)
      continue;
    isBegun = true;
    if (made)
      begin();
    // Products of one group run while another one computes exponentials. Where
    // these take long, a group has its maxima before the next one begins, so
    // that the exponentials of one do not wait for those of another.
    if (!passesLate)
      pass(trip);
    map.map(anchor.getResult(),
            thread::WarpgroupWaitOp::create(builder, op.getLoc(),
                                            map.lookup(anchor.getResult()))
                .getResult());
  }
  pass(trip);
  if (made && !isAwaited)
    await(map);
}

FailureOr<ScheduledLaunchBuilder::CarriedValues>
ScheduledLaunchBuilder::Deferral::run() {
  if (!find())
    return failure();
  createSequence();
  Operation *yield = loop.getBody()->getTerminator();
  // Returns what the loop carries behind a trip: the sums before the product
  // is added, and the left operand.
  auto getCarried = [&](const IRMapping &map) {
    SmallVector<Value> values;
    for (Value value : yield->getOperands())
      values.push_back(map.lookupOrDefault(value));
    for (Product &product : products) {
      values[product.carried] =
          map.lookupOrDefault(product.op.getAccumulator());
      values.push_back(map.lookupOrDefault(product.op.getLhs()));
    }
    return values;
  };
  builder.setInsertionPoint(loop);
  IRMapping first;
  first.map(loop.getInductionVar(), loop.getLowerBound());
  for (auto [argument, initial] :
       llvm::zip(loop.getRegionIterArgs(), loop.getInitArgs()))
    first.map(argument, initial);
  emitTrip(first);

  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value second = arith::AddIOp::create(builder, loc, loop.getLowerBound(), one);
  made = scf::ForOp::create(builder, loc, second, loop.getUpperBound(),
                            loop.getStep(), getCarried(first));
  if (!made.getBody()->empty())
    made.getBody()->getTerminator()->erase();
  builder.setInsertionPointToStart(made.getBody());
  IRMapping map;
  map.map(loop.getInductionVar(), made.getInductionVar());
  for (auto [i, argument] : llvm::enumerate(loop.getRegionIterArgs()))
    map.map(argument, made.getRegionIterArg(i));
  tripBefore = arith::SubIOp::create(builder, loc, made.getInductionVar(), one);
  emitTrip(map);
  scf::YieldOp::create(builder, loc, getCarried(map));

  builder.setInsertionPointAfter(made);
  unsigned numCarried = loop.getNumRegionIterArgs();
  CarriedValues results(made.getResults().take_front(numCarried));
  Value last = arith::SubIOp::create(builder, loc, loop.getUpperBound(), one);
  thread::RingAwaitOp::create(builder, loc, launch.state->deferredStages, last);
  for (auto [i, product] : llvm::enumerate(products))
    results[product.carried] = create(product, results[product.carried],
                                      made.getResult(numCarried + i), last)
                                   .getResult();
  thread::RingReleaseOp::create(builder, loc, launch.state->deferredStages,
                                last);
  builder.setInsertionPointAfter(loop);
  loop.erase();
  return results;
}

FailureOr<ScheduledLaunchBuilder::CarriedValues>
ScheduledLaunchBuilder::deferProducts(scf::ForOp loop) {
  return Deferral(*this, loop).run();
}
