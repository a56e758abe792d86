//===- SearchGroups.cpp - Equal functions share a search ------------------===//
//
// Compares each function with the groups whose hash it has.
//
//===----------------------------------------------------------------------===//

#include "SearchGroups.h"
#include "Mirage/MuGraph/Comparison.h"

using namespace mlir;
using namespace mirage;

std::vector<SearchGroup>
mirage::groupFunctions(ArrayRef<func::FuncOp> functions,
                       const search::KernelGraphOptions &options,
                       const AlternativeOptions &alternatives) {
  std::vector<SearchGroup> groups;
  std::map<uint64_t, SmallVector<unsigned>> groupsOfHash;
  for (func::FuncOp function : functions) {
    std::optional<SearchSubject> subject = readSubject(function, options);
    if (!subject)
      continue;
    SmallVector<unsigned> &sameHash =
        groupsOfHash[structuralHash(subject->program)];
    const unsigned *known = llvm::find_if(sameHash, [&](unsigned group) {
      return areIdentical(groups[group].subject.program, subject->program);
    });
    if (known != sameHash.end()) {
      groups[*known].functions.push_back(function);
      continue;
    }
    sameHash.push_back(groups.size());
    createTask(*subject, function);
    subject->alternatives = makeAlternatives(function, subject->program,
                                             alternatives, subject->locations);
    groups.push_back({std::move(*subject), {function}});
  }
  return groups;
}
