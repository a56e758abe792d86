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

std::optional<SearchSubject>
mirage::readSubject(func::FuncOp function, const TargetDescription &target) {
  std::string reason;
  Location loc = function.getLoc();
  FailureOr<ImportedGraph> imported = importMuGraph(function, reason, loc);
  std::optional<SearchSubject> subject;
  if (succeeded(imported)) {
    subject.emplace();
    for (Operation *operation : imported->operations)
      subject->locations.push_back(operation->getLoc());
    unsigned location = imported->operations.size();
    subject->task = SearchTask::create(imported->graph, reason, location);
    subject->microseconds =
        estimateProgram(imported->graph, target).microseconds;
    subject->program = std::move(imported->graph);
    if (subject->task)
      return subject;
    if (location < subject->locations.size())
      loc = subject->locations[location];
  }
  remark::missed(
      loc, getRemarkOptions("mirage-superoptimize", "unsupported", function))
      << remark::reason("{0}", reason);
  if (subject)
    subject->reason = reason;
  else
    noteUnsupported(function, reason);
  return subject;
}
