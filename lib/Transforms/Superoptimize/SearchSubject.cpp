//===- SearchSubject.cpp - A function as the search takes it --------------===//
//
// Reads functions. A function that cannot be read or searched for is no error:
// it stays.
//
//===----------------------------------------------------------------------===//

#include "SearchSubject.h"
#include "Mirage/Dialect/Mirage/IR/MirageDialect.h"
#include "Mirage/MuGraph/IR/ImportMuGraph.h"
#include "Mirage/Support/PassSupport.h"
#include "ReplaceFunction.h"
#include "SearchRemarks.h"

using namespace mlir;
using namespace mirage;
using namespace mirage::search;

ProgramCost mirage::estimateApart(const MuGraph &program,
                                  const KernelGraphOptions &options) {
  if (options.pricer)
    return options.pricer->estimateApart(program);
  return estimateProgram(program, options.search.target, SearchSubject::model);
}

ProgramCost mirage::estimateFused(const MuGraph &program,
                                  const KernelGraphOptions &options) {
  if (options.pricer)
    return options.pricer->estimate(program);
  return estimateFusedProgram(program, options.search.target,
                              SearchSubject::model);
}

static bool isMarked(func::FuncOp function, unsigned number) {
  return function.getArgAttr(number, MirageDialect::getConstantAttrName()) !=
         nullptr;
}

/// Returns which arguments of a function are the same in each call. What calls
/// it passes arguments of its own on.
static llvm::BitVector findConstants(func::FuncOp function) {
  llvm::BitVector constants(function.getNumArguments());
  for (unsigned i = 0; i < constants.size(); ++i)
    if (isMarked(function, i))
      constants.set(i);
  if (!function.isPrivate())
    return constants;
  llvm::BitVector always(constants.size());
  bool isCalled = false;
  function->getParentOfType<ModuleOp>().walk([&](func::CallOp call) {
    if (call.getCallee() != function.getName())
      return;
    llvm::BitVector own(constants.size());
    auto caller = call->getParentOfType<func::FuncOp>();
    for (auto [i, operand] : llvm::enumerate(call.getOperands()))
      if (auto argument = dyn_cast<BlockArgument>(operand);
          argument && caller && argument.getOwner()->getParentOp() == caller &&
          isMarked(caller, argument.getArgNumber()))
        own.set(i);
    if (isCalled)
      always &= own;
    else
      always = std::move(own);
    isCalled = true;
  });
  return constants |= always;
}

std::optional<SearchSubject>
mirage::readSubject(func::FuncOp function, const KernelGraphOptions &options) {
  std::string reason;
  Location loc = function.getLoc();
  FailureOr<ImportedGraph> imported = importMuGraph(function, reason, loc);
  if (failed(imported)) {
    remarkOnStay(function, loc, reason);
    noteUnsupported(function, reason);
    return std::nullopt;
  }
  SearchSubject subject;
  for (Operation *operation : imported->operations)
    subject.locations.push_back(operation->getLoc());
  subject.constants = findConstants(function);
  subject.cost = estimateApart(imported->graph, options);
  subject.fused = estimateFused(imported->graph, options);
  subject.program = std::move(imported->graph);
  return subject;
}

void mirage::createTask(SearchSubject &subject, func::FuncOp function) {
  std::optional<unsigned> location;
  subject.task = SearchTask::create(subject.program, subject.reason, location);
  if (subject.task)
    return;
  subject.reasonLocation = location;
  remark::missed(subject.getReasonLocation(function.getLoc()),
                 getRemarkOptions(kDetailsCategory, "whole", function))
      << "the search cannot take the function as a whole: " + subject.reason;
}
