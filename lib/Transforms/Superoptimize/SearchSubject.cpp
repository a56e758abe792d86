//===- SearchSubject.cpp - A function as the search takes it --------------===//
//
// Reads functions. A function that cannot be read or searched for is no error:
// it stays.
//
//===----------------------------------------------------------------------===//

#include "SearchSubject.h"
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
