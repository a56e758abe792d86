//===- Reduce.cpp - The search for a small interesting program ------------===//
//
// Implements mirage-reduce: reductions are tried on ranges of operations,
// which become shorter where nothing is gained any more. Upstream's
// reduction-tree is not used: it erases what others use and terminators, and of
// programs with regions it then copies some that are too broken for that.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Reduce/Passes.h"
#include "Mirage/Reduce/Reductions.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Reducer/Tester.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"
#include <tuple>

namespace mirage {
#define GEN_PASS_DEF_REDUCE
#include "Mirage/Reduce/Passes.h.inc"
} // namespace mirage

using namespace mlir;
using namespace mirage;

namespace {

/// How large a program is: operations, then values and operands, then
/// characters. What is accepted is smaller, so that a search ends.
using Size = std::tuple<size_t, size_t, size_t>;

/// The search for a small program that the tester finds interesting.
class Reducer {
public:
  Reducer(ModuleOp original, const Tester &tester)
      : original(original), tester(tester) {}

  /// Returns false if the original itself is not interesting.
  bool run();
  /// The smallest interesting program that was found.
  OwningOpRef<ModuleOp> best;

private:
  bool tryRange(const Reduction &reduction, size_t first, size_t count);
  bool tryRanges(size_t count);
  bool isInteresting(ModuleOp module) {
    return tester.isInteresting(module).first == Tester::Interestingness::True;
  }

  ModuleOp original;
  const Tester &tester;
  Size bestSize;
};

/// Remembers which operations are gone.
struct EraseListener : public RewriterBase::Listener {
  void notifyOperationErased(Operation *op) override { erased.insert(op); }

  llvm::DenseSet<Operation *> erased;
};

struct Reduce : public mirage::impl::ReduceBase<Reduce> {
  using ReduceBase::ReduceBase;

  void runOnOperation() override;
};

} // namespace

static Size measure(ModuleOp module) {
  size_t operations = 0, values = 0;
  module.walk([&](Operation *op) {
    ++operations;
    values += op->getNumOperands() + op->getNumResults();
    for (Region &region : op->getRegions())
      for (Block &block : region)
        values += block.getNumArguments();
  });
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os);
  return {operations, values, text.size()};
}

/// Returns the operations inside of the module, each before what is in it.
static std::vector<Operation *> list(ModuleOp module) {
  std::vector<Operation *> operations;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op != module)
      operations.push_back(op);
  });
  return operations;
}

/// Tries the reduction on `count` operations from the one of number `first` on,
/// together. Returns whether that is the best program now.
bool Reducer::tryRange(const Reduction &reduction, size_t first, size_t count) {
  OwningOpRef<ModuleOp> module = best->clone();
  std::vector<Operation *> operations = list(*module);
  EraseListener listener;
  IRRewriter rewriter(module->getContext(), &listener);
  bool isChanged = false;
  // Users come before what they use.
  for (size_t i = std::min(operations.size(), first + count); i-- > first;)
    if (!listener.erased.contains(operations[i]))
      isChanged |= reduction.apply(operations[i], rewriter);
  if (!isChanged)
    return false;
  if (failed(verify(*module))) {
    // The test must not see it. Only a bug in the reduction leads here.
    original.emitWarning() << "reduction " << reduction.name
                           << " made an illegal program";
    return false;
  }
  Size size = measure(*module);
  if (size >= bestSize || !isInteresting(*module))
    return false;
  best = std::move(module);
  bestSize = size;
  return true;
}

/// Tries every reduction on every range of `count` operations.
bool Reducer::tryRanges(size_t count) {
  bool isReduced = false;
  for (const Reduction &reduction : getReductions())
    // It begins at the end, where what uses others is.
    for (size_t end = list(*best).size(); end > 0;
         end -= std::min(end, count)) {
      size_t first = end - std::min(end, count);
      isReduced |= tryRange(reduction, first, end - first);
      end = std::min(end, list(*best).size());
    }
  return isReduced;
}

bool Reducer::run() {
  if (!isInteresting(original))
    return false;
  best = original.clone();
  bestSize = measure(*best);
  for (size_t count = list(*best).size(); count > 0;) {
    bool isReduced = tryRanges(count);
    // Single operations are tried until nothing is gained.
    if (!isReduced || count > 1)
      count /= 2;
  }
  return true;
}

void Reduce::runOnOperation() {
  ModuleOp module = getOperation();
  if (test.empty()) {
    emitError(module.getLoc())
        << "option test of " << getArgument()
        << " must be a program that ends with 1 for interesting programs";
    return signalPassFailure();
  }
  SmallVector<std::string> arguments(testArguments.begin(),
                                     testArguments.end());
  llvm::ErrorOr<std::string> program = llvm::sys::findProgramByName(test);
  if (!program || !llvm::sys::fs::can_execute(*program)) {
    emitError(module.getLoc()) << "option test of " << getArgument()
                               << ": there is no program '" << test << "'";
    return signalPassFailure();
  }
  Tester tester(*program, arguments);
  Reducer reducer(module, tester);
  if (!reducer.run()) {
    emitError(module.getLoc())
        << "the test does not find the program interesting: '" << test
        << "' must end with 1 for it";
    return signalPassFailure();
  }
  module->setAttrs(reducer.best.get()->getAttrDictionary());
  module.getBodyRegion().takeBody(reducer.best->getBodyRegion());
}
