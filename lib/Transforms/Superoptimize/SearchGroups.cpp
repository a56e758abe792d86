//===- SearchGroups.cpp - Equal functions share a search ------------------===//
//
// Compares each function with the groups whose hash it has, and finds those
// that are called beside others.
//
//===----------------------------------------------------------------------===//

#include "SearchGroups.h"
#include "Mirage/MuGraph/Comparison.h"

using namespace mlir;
using namespace mirage;

/// Returns those of the functions that some function calls besides others of
/// them, directly or by what it calls.
static DenseSet<Operation *> findAmongMany(ArrayRef<func::FuncOp> functions) {
  DenseSet<Operation *> searched, among;
  for (func::FuncOp function : functions)
    searched.insert(function);
  if (searched.size() < 2)
    return among;
  auto module = functions.front()->getParentOfType<ModuleOp>();
  SymbolTableCollection tables;
  for (auto root : module.getOps<FunctionOpInterface>()) {
    SetVector<Operation *> reached;
    reached.insert(root);
    for (unsigned i = 0; i < reached.size(); ++i)
      reached[i]->walk([&](CallOpInterface call) {
        if (Operation *callee = call.resolveCallableInTable(&tables))
          reached.insert(callee);
      });
    reached.remove_if([&](Operation *op) { return !searched.contains(op); });
    if (reached.size() > 1)
      among.insert(reached.begin(), reached.end());
  }
  return among;
}

std::vector<SearchGroup>
mirage::groupFunctions(ArrayRef<func::FuncOp> functions,
                       const search::KernelGraphOptions &options,
                       const AlternativeOptions &alternatives) {
  std::vector<SearchGroup> groups;
  std::map<uint64_t, SmallVector<unsigned>> groupsOfHash;
  DenseSet<Operation *> among = findAmongMany(functions);
  for (func::FuncOp function : functions) {
    std::optional<SearchSubject> subject = readSubject(function, options);
    if (!subject)
      continue;
    SmallVector<unsigned> &sameHash =
        groupsOfHash[structuralHash(subject->program)];
    const unsigned *known = llvm::find_if(sameHash, [&](unsigned group) {
      return groups[group].isAmongMany == among.contains(function) &&
             groups[group].subject.constants == subject->constants &&
             areIdentical(groups[group].subject.program, subject->program);
    });
    if (known != sameHash.end()) {
      groups[*known].functions.push_back(function);
      continue;
    }
    sameHash.push_back(groups.size());
    createTask(*subject, function);
    subject->alternatives =
        makeAlternatives(function, subject->program, subject->constants,
                         alternatives, subject->locations);
    groups.push_back(
        {std::move(*subject), {function}, among.contains(function)});
  }
  return groups;
}
