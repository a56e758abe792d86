//===- LaunchParts.cpp - How many parts launches leave to others ----------===//
//
// Walks from retiling to retiling by moves that change what launches leave to
// one another.
//
//===----------------------------------------------------------------------===//

#include "LaunchParts.h"
#include "Mirage/Analysis/Cost/CostModel.h"
#include "Mirage/Analysis/Cost/IR/CostAnalysis.h"
#include "Mirage/Dialect/Block/IR/BlockDialect.h"
#include "Mirage/Dialect/Mirage/IR/MirageDialect.h"
#include "Mirage/Dialect/Thread/IR/MemoryLayoutAttr.h"
#include "Mirage/Dialect/Thread/IR/ThreadDialect.h"
#include "Mirage/MuGraph/IR/ImportMuGraph.h"
#include "Mirage/MuGraph/Retile.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include <cmath>
#include <map>
#include <queue>

using namespace mlir;
using namespace mirage;

static constexpr StringLiteral entryName = "launch";

void mirage::removeSchedule(kernel::LaunchOp launch) {
  launch->removeAttr(MirageDialect::getScheduleAttrName());
  launch.getBody().walk([](Operation *op) {
    op->removeAttr(thread::ThreadDialect::getRegisterLayoutAttrName());
    op->removeAttr(thread::memoryLayoutAttrName);
  });
}

void mirage::dropUnitGridDims(kernel::LaunchOp launch) {
  SmallVector<int64_t> grid(launch.getGrid());
  // Entries of maps stand for dimensions in their order.
  auto getRest = [&](ArrayRef<int64_t> entries) {
    SmallVector<int64_t> rest;
    for (auto [extent, entry] : llvm::zip_equal(grid, entries))
      if (extent > 1)
        rest.push_back(entry);
    if (rest.empty())
      rest.push_back(entries.front());
    return rest;
  };
  launch.setGrid(getRest(grid));
  launch.getBody().walk([&](Operation *op) {
    if (auto load = dyn_cast<block::LoadOp>(op))
      load.setImap(getRest(load.getImap()));
    else if (auto store = dyn_cast<block::StoreOp>(op))
      store.setOmap(getRest(store.getOmap()));
  });
}

kernel::LaunchOp mirage::findMergingLaunch(kernel::LaunchOp launch) {
  kernel::LaunchOp reader;
  for (Operation *user : launch->getUsers()) {
    auto other = dyn_cast<kernel::LaunchOp>(user);
    if (!other || other->getBlock() != launch->getBlock() ||
        (reader && other != reader))
      return nullptr;
    reader = other;
  }
  return reader;
}

SmallVector<Value>
mirage::getOuterOperands(ArrayRef<kernel::LaunchOp> launches) {
  SmallVector<Value> operands;
  for (kernel::LaunchOp launch : launches)
    for (Value operand : launch->getOperands())
      if (!llvm::is_contained(launches, operand.getDefiningOp()))
        operands.push_back(operand);
  return operands;
}

size_t mirage::countKernels(kernel::LaunchOp launch,
                            const TargetDescription &target) {
  auto movesElements = [](Operation *op) {
    auto compute = dyn_cast_or_null<ComputeOpInterface>(op);
    return compute && getOpInfo(compute.getOpKind()).opClass == OpClass::Layout;
  };
  if (llvm::none_of(launch->getUsers(), movesElements) &&
      llvm::none_of(launch->getOperands(), [&](Value operand) {
        return movesElements(operand.getDefiningOp());
      }))
    return 0;
  CostAnalysis analysis(launch->getParentOfType<func::FuncOp>());
  return analysis.isValid() ? analysis.estimate(target).kernels.size() : 0;
}

OwningOpRef<ModuleOp>
mirage::writeLaunches(ArrayRef<kernel::LaunchOp> launches) {
  kernel::LaunchOp last = launches.back();
  OpBuilder builder(last.getContext());
  Location loc = last.getLoc();
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  builder.setInsertionPointToStart(module->getBody());
  SmallVector<Value> operands = getOuterOperands(launches);
  auto function = func::FuncOp::create(
      builder, loc, entryName,
      builder.getFunctionType(TypeRange(ValueRange(operands)),
                              last->getResultTypes()));
  Block *body = function.addEntryBlock();
  builder.setInsertionPointToStart(body);
  IRMapping mapping;
  auto arguments = body->getArguments();
  for (kernel::LaunchOp launch : launches) {
    auto copy = cast<kernel::LaunchOp>(builder.clone(*launch));
    removeSchedule(copy);
    for (OpOperand &operand : copy->getOpOperands())
      if (llvm::is_contained(launches, operand.get().getDefiningOp())) {
        operand.set(mapping.lookup(operand.get()));
      } else {
        operand.set(arguments.front());
        arguments = arguments.drop_front();
      }
    mapping.map(launch->getResults(), copy->getResults());
  }
  func::ReturnOp::create(
      builder, loc, llvm::map_to_vector(last->getResults(), [&](Value result) {
        return mapping.lookup(result);
      }));
  return module;
}

std::optional<MuGraph>
mirage::importLaunches(ArrayRef<kernel::LaunchOp> launches,
                       std::string &reason) {
  OwningOpRef<ModuleOp> module = writeLaunches(launches);
  Location loc = launches.back()->getLoc();
  FailureOr<ImportedGraph> imported =
      importMuGraph(*module->getOps<func::FuncOp>().begin(), reason, loc);
  if (failed(imported))
    return std::nullopt;
  return std::move(imported->graph);
}

void mirage::replaceLaunches(ArrayRef<kernel::LaunchOp> launches,
                             func::FuncOp function) {
  kernel::LaunchOp last = launches.back();
  OpBuilder builder(last);
  IRMapping mapping;
  mapping.map(function.getArguments(), getOuterOperands(launches));
  for (Operation &op : function.getBody().front().without_terminator()) {
    Operation *copy = builder.clone(op, mapping);
    copy->walk([&](Operation *inner) { inner->setLoc(last.getLoc()); });
  }
  Operation *end = function.getBody().front().getTerminator();
  for (auto [was, is] : llvm::zip_equal(last->getResults(), end->getOperands()))
    was.replaceAllUsesWith(mapping.lookup(is));
  for (kernel::LaunchOp launch : llvm::reverse(launches))
    launch.erase();
}

/// Says which tensors launches leave to one another.
static std::string describeBetween(const MuGraph &program) {
  const MuRegion &body = program.getRegion();
  std::string text;
  llvm::raw_string_ostream os(text);
  for (unsigned number : body.nodes)
    for (MuValue result : program.getNode(number).results)
      if (!llvm::is_contained(body.results, result)) {
        llvm::interleave(program.getShape(result), os, "x");
        os << ' ';
      }
  return text;
}

/// Returns whether launches leave one part to one another where those of
/// `program`, which they are a retiling of, leave several. Then the second one
/// merges nothing, and reads and writes what the first one could have computed.
static bool leavesOnePart(const MuGraph &other, const MuGraph &program) {
  const MuRegion &body = program.getRegion(), &otherBody = other.getRegion();
  for (auto [number, otherNumber] :
       llvm::zip_equal(body.nodes, otherBody.nodes))
    for (auto [result, otherResult] :
         llvm::zip_equal(program.getNode(number).results,
                         other.getNode(otherNumber).results))
      for (auto [size, otherSize] : llvm::zip_equal(
               program.getShape(result), other.getShape(otherResult)))
        if (otherSize == 1 && size != 1)
          return true;
  return false;
}

std::vector<MuGraph> mirage::listOtherParts(const MuGraph &program,
                                            const TargetDescription &target,
                                            double slack, size_t most) {
  // So many tilings are priced for one pair of launches, at most.
  constexpr size_t mostWalked = 200;
  struct Tiling {
    MuGraph program;
    std::string between;
    double microseconds = 0;
  };
  std::map<std::string, Tiling> tilings;
  std::priority_queue<std::pair<double, std::string>,
                      std::vector<std::pair<double, std::string>>,
                      std::greater<>>
      next;
  double least = std::numeric_limits<double>::infinity();
  auto add = [&](const MuGraph &other, const std::string &between) {
    double time = estimateProgram(other, target).microseconds;
    std::string name = describeTilings(other);
    if (!std::isfinite(time) ||
        !tilings.try_emplace(name, Tiling{other, between, time}).second)
      return;
    least = std::min(least, time);
    next.push({time, std::move(name)});
  };
  add(program, describeBetween(program));
  while (!next.empty() && tilings.size() < mostWalked) {
    auto [time, name] = next.top();
    next.pop();
    if (time > least * slack)
      break;
    const Tiling &from = tilings.at(name);
    for (const MuGraph &other : getRetilings(from.program))
      if (std::string between = describeBetween(other);
          between != from.between && !leavesOnePart(other, program))
        add(other, between);
  }
  // For each number of parts the fastest tiling is kept.
  std::map<std::string, const Tiling *> fastest;
  for (const auto &[name, tiling] : tilings) {
    auto [entry, isNew] = fastest.try_emplace(tiling.between, &tiling);
    if (!isNew && tiling.microseconds < entry->second->microseconds)
      entry->second = &tiling;
  }
  fastest.erase(describeBetween(program));
  std::vector<const Tiling *> sorted;
  for (const auto &[between, tiling] : fastest)
    if (tiling->microseconds <= least * slack)
      sorted.push_back(tiling);
  llvm::sort(sorted, [](const Tiling *a, const Tiling *b) {
    return a->microseconds != b->microseconds
               ? a->microseconds < b->microseconds
               : a->between < b->between;
  });
  if (sorted.size() > most)
    sorted.resize(most);
  std::vector<MuGraph> programs;
  for (const Tiling *tiling : sorted)
    programs.push_back(tiling->program);
  return programs;
}
