//===- LoweredPricer.cpp - What the lowering makes of programs ------------===//
//
// Writes a program as a function whose operations have their nodes as
// locations, which operations that take their place keep, and prices what the
// passes make of it.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Transforms/LoweredPricer.h"
#include "Mirage/Analysis/Cost/IR/CostAnalysis.h"
#include "Mirage/Analysis/Cost/IR/IssueTime.h"
#include "Mirage/Analysis/LayoutChains.h"
#include "Mirage/Dialect/Block/IR/BlockDialect.h"
#include "Mirage/Dialect/Mirage/IR/MirageDialect.h"
#include "Mirage/MuGraph/IR/ExportMuGraph.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include <limits>

using namespace mlir;
using namespace mirage;

/// The file of the locations whose lines are nodes.
static constexpr StringLiteral nodesFile = "nodes of a program";

/// Gives the operations of a function's body their nodes as locations. Returns
/// failure if an operation is no node.
static LogicalResult locateNodes(func::FuncOp function,
                                 const MuGraph &program) {
  auto operations = function.getBody().front().without_terminator();
  ArrayRef<unsigned> nodes = program.getRegion().nodes;
  if (static_cast<size_t>(llvm::range_size(operations)) != nodes.size())
    return failure();
  auto file = StringAttr::get(function.getContext(), nodesFile);
  for (auto [operation, number] : llvm::zip(operations, nodes)) {
    Location loc = FileLineColLoc::get(file, number, /*column=*/0);
    operation.walk([&](Operation *op) { op->setLoc(loc); });
  }
  return success();
}

/// Returns the nodes that an operation computes. What it loads has the location
/// of the operation that computes that.
static SmallVector<unsigned, 1> getNodes(Operation *operation,
                                         const MuGraph &program) {
  llvm::SmallSetVector<unsigned, 8> found;
  operation->walk([&](Operation *op) {
    if (isa<block::LoadOp>(op))
      return;
    op->getLoc()->walk([&](Location loc) {
      if (auto node = dyn_cast<FileLineColLoc>(loc);
          node && node.getFilename() == nodesFile &&
          program.getNode(node.getLine()).op != OpKind::Constant)
        found.insert(node.getLine());
      return WalkResult::advance();
    });
  });
  SmallVector<unsigned, 1> nodes(found.begin(), found.end());
  llvm::sort(nodes);
  return nodes;
}

/// Makes a module with launches of a program, some of whose arguments `define`
/// may let it compute.
static OwningOpRef<ModuleOp>
makeLaunches(const MuGraph &program, MLIRContext *context,
             const TargetDescription &target,
             const LoweredPricer::DefineInputs &define) {
  Location loc = UnknownLoc::get(context);
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  (*module)->setAttr(MirageDialect::getTargetAttrName(),
                     TargetAttr::get(context, target));
  OpBuilder builder(module->getBodyRegion());
  FailureOr<func::FuncOp> function =
      exportFunction(program, "program", builder, loc);
  if (failed(function) || failed(locateNodes(*function, program)))
    return {};
  if (define)
    define(*function);
  PassManager manager(context);
  buildLaunchesPipeline(manager, /*fuse=*/true);
  return succeeded(manager.run(*module)) ? std::move(module) : nullptr;
}

/// Returns the operators that the kernel of one operation alone computes beside
/// that, by this operation. What several kernels compute has no kernel either.
static DenseMap<Operation *, SmallVector<Operation *>>
findComputed(func::FuncOp function, const LayoutChains &chains) {
  DenseMap<Operation *, SmallVector<Operation *>> computed;
  DenseMap<Operation *, llvm::SmallSetVector<Operation *, 2>> readers;
  for (Operation &op :
       llvm::reverse(function.getBody().front().without_terminator())) {
    if (!chains.isAbsorbed(&op))
      continue;
    auto &own = readers[&op];
    for (Operation *user : op.getUsers())
      if (auto found = readers.find(user); found != readers.end())
        own.insert_range(llvm::to_vector(found->second));
      else
        own.insert(user);
    if (own.size() == 1)
      computed[own.front()].push_back(&op);
  }
  return computed;
}

/// Prices the function of such a module. Operators that only move elements take
/// no time where other kernels find their elements.
static std::optional<ProgramCost>
priceLaunches(ModuleOp module, const MuGraph &program,
              const TargetDescription &target) {
  func::FuncOp function = *module.getOps<func::FuncOp>().begin();
  CostAnalysis analysis(function);
  if (!analysis.isValid())
    return std::nullopt;
  LayoutChains chains(function,
                      DeviceBuffers(function, ScheduledLaunches::All));
  auto computed = findComputed(function, chains);
  ProgramCost cost;
  for (ProgramCost::Kernel &kernel : analysis.estimate(target).kernels) {
    Operation *operation = analysis.getOperation(kernel);
    if (chains.isAbsorbed(operation))
      continue;
    llvm::SmallSetVector<unsigned, 8> nodes;
    nodes.insert_range(getNodes(operation, program));
    for (Operation *other : computed.lookup(operation))
      nodes.insert_range(getNodes(other, program));
    if (nodes.empty())
      return std::nullopt;
    kernel.nodes.assign(nodes.begin(), nodes.end());
    llvm::sort(kernel.nodes);
    kernel.node = kernel.nodes.back();
    cost.microseconds += kernel.cost.microseconds;
    cost.kernels.push_back(std::move(kernel));
  }
  return cost;
}

static std::optional<ProgramCost>
price(const MuGraph &program, MLIRContext *context,
      const TargetDescription &target,
      const LoweredPricer::DefineInputs &define) {
  // What the passes say is for those who run them.
  ScopedDiagnosticHandler silence(context, [](Diagnostic &) {});
  OwningOpRef<ModuleOp> module = makeLaunches(program, context, target, define);
  return module ? priceLaunches(*module, program, target) : std::nullopt;
}

/// Returns what a program takes as it was measured; nothing if it was not.
std::optional<double> LoweredPricer::findMeasured(const MuGraph &program) {
  if (!measurements.measure)
    return std::nullopt;
  auto [found, isNew] = measured.try_emplace(toString(program));
  if (isNew)
    found->second =
        measurements.measure(program, estimate(program).microseconds);
  (found->second ? hasMeasured : hasUnmeasured) = true;
  return found->second;
}

std::optional<std::string> LoweredPricer::getMeasuredSource() const {
  if (!hasMeasured)
    return std::nullopt;
  std::string source = measurements.getSource();
  return hasUnmeasured ? source + " and the instructions of kernels" : source;
}

std::optional<double> LoweredPricer::estimateIssued(const MuGraph &program) {
  if (std::optional<double> time = findMeasured(program))
    return time;
  return estimateIssued(program, "");
}

std::optional<double> LoweredPricer::estimateIssued(const MuGraph &program,
                                                    StringRef passes) {
  if (!kernels)
    return std::nullopt;
  auto [found, isNew] =
      issued.try_emplace({toString(program), passes.str()}, std::nullopt);
  if (isNew)
    found->second = priceKernels(program, passes);
  return found->second;
}

/// Returns true if what the passes of the lowering say is written anywhere.
/// mirage-opt has an engine for remarks also where none are asked for.
static bool asksForRemarks(MLIRContext *context) {
  remark::detail::InFlightRemark probe = remark::missed(
      UnknownLoc::get(context),
      remark::RemarkOpts::name("general-lowering").category("mirage-schedule"));
  bool isAsked = static_cast<bool>(probe);
  // Its destructor would report it.
  probe = remark::detail::InFlightRemark();
  return isAsked;
}

void LoweredPricer::prepareIssued(ArrayRef<Question> questions,
                                  WorkerPool &pool) {
  // Remarks of passes are written one after another.
  if (!kernels || issued.empty() || !context->isMultithreadingEnabled() ||
      asksForRemarks(context))
    return;
  using Entry = decltype(issued)::iterator;
  SmallVector<std::pair<Entry, const MuGraph *>> asked;
  for (const Question &question : questions) {
    auto [entry, isNew] = issued.try_emplace(
        {toString(*question.program), question.passes}, std::nullopt);
    if (isNew)
      asked.push_back({entry, question.program});
  }
  pool.forEach(asked.size(), [&](int64_t number) {
    auto [entry, program] = asked[number];
    entry->second = priceKernels(*program, entry->first.second);
  });
}

void LoweredPricer::prepareIssued(ArrayRef<const MuGraph *> programs,
                                  WorkerPool &pool) {
  SmallVector<Question> questions;
  for (const MuGraph *program : programs)
    if (!findMeasured(*program))
      questions.push_back({program, ""});
  prepareIssued(questions, pool);
}

std::optional<double> LoweredPricer::priceKernels(const MuGraph &program,
                                                  StringRef passes) {
  ScopedDiagnosticHandler silence(context, [](Diagnostic &) {});
  constexpr double never = std::numeric_limits<double>::infinity();
  OwningOpRef<ModuleOp> module = makeLaunches(program, context, target, inputs);
  if (!module)
    return never;
  std::optional<ProgramCost> cost = priceLaunches(*module, program, target);
  PassManager manager(context);
  if (!passes.empty() && failed(parsePassPipeline(passes, manager)))
    return std::nullopt;
  kernels(manager);
  if (!cost || failed(manager.run(*module)))
    return never;
  std::optional<std::vector<IssuedLaunch>> launches =
      countInstructions(*module);
  if (!launches)
    return std::nullopt;
  auto modelled = llvm::map_to_vector<4>(
      cost->kernels, [](const ProgramCost::Kernel &kernel) {
        return ModelledTime{kernel.cost.launch,
                            kernel.cost.microseconds - kernel.cost.launch,
                            kernel.summary.tensorFlops > 0};
      });
  return mirage::estimateIssued(*launches, modelled, target, isAmongMany);
}

ProgramCost LoweredPricer::estimate(const MuGraph &program) {
  auto [found, isNew] = known.try_emplace(toString(program));
  if (isNew)
    found->second = price(program, context, target, inputs)
                        .value_or(estimateProgram(program, target));
  return found->second;
}
