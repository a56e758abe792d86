//===- SearchSubject.cpp - A function as the search takes it --------------===//
//
// Reads functions. A function that cannot be read or searched for is no error:
// it stays.
//
//===----------------------------------------------------------------------===//

#include "SearchSubject.h"
#include "Mirage/Analysis/Cost/CostModel.h"
#include "Mirage/MuGraph/IR/ImportMuGraph.h"
#include "Mirage/Support/PassSupport.h"
#include "ReplaceFunction.h"

using namespace mlir;
using namespace mirage;
using namespace mirage::search;

static void remarkOnReason(func::FuncOp function, Location loc,
                           const std::string &reason) {
  remark::missed(
      loc, getRemarkOptions("mirage-superoptimize", "unsupported", function))
      << remark::reason("{0}", reason);
}

std::optional<SearchSubject>
mirage::readSubject(func::FuncOp function, const TargetDescription &target) {
  std::string reason;
  Location loc = function.getLoc();
  FailureOr<ImportedGraph> imported = importMuGraph(function, reason, loc);
  if (failed(imported)) {
    remarkOnReason(function, loc, reason);
    noteUnsupported(function, reason);
    return std::nullopt;
  }
  SearchSubject subject;
  for (Operation *operation : imported->operations)
    subject.locations.push_back(operation->getLoc());
  subject.microseconds = estimateProgram(imported->graph, target).microseconds;
  subject.program = std::move(imported->graph);
  return subject;
}

void mirage::createTask(SearchSubject &subject, func::FuncOp function) {
  unsigned location = subject.locations.size();
  subject.task = SearchTask::create(subject.program, subject.reason, location);
  if (subject.task)
    return;
  remarkOnReason(function,
                 location < subject.locations.size()
                     ? subject.locations[location]
                     : function.getLoc(),
                 subject.reason);
}
