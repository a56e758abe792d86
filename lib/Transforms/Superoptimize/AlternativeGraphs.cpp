//===- AlternativeGraphs.cpp - Other graphs of a function -----------------===//
//
// A rule is applied in all places at once. What one place gains without another
// one needs no graph of its own, since the search takes kernels of different
// graphs in different places.
//
//===----------------------------------------------------------------------===//

#include "AlternativeGraphs.h"
#include "Mirage/Dialect/Mirage/IR/MirageDialect.h"
#include "Mirage/MuGraph/Comparison.h"
#include "Mirage/MuGraph/IR/ImportMuGraph.h"
#include "mlir/IR/BuiltinOps.h"
#include <deque>

using namespace mlir;
using namespace mirage;
using namespace mirage::search;

namespace {
/// A function in a module of its own, and the rules that were applied to it.
struct Rewritten {
  explicit Rewritten(func::FuncOp original, std::string rules = "")
      : module(ModuleOp::create(original.getLoc())),
        function(cast<func::FuncOp>(original->clone())),
        rules(std::move(rules)) {
    module->push_back(function);
  }

  OwningOpRef<ModuleOp> module;
  func::FuncOp function;
  std::string rules;
};
} // namespace

AlternativeGraphs
mirage::makeAlternatives(func::FuncOp function, const MuGraph &program,
                         const llvm::BitVector &constants,
                         const AlternativeOptions &options,
                         SmallVectorImpl<Location> &locations) {
  AlternativeGraphs made;
  if (!options.most)
    return made;
  std::deque<Rewritten> open;
  open.emplace_back(function);
  // Rules ask the function's own arguments.
  for (unsigned number : constants.set_bits())
    open.front().function.setArgAttr(number,
                                     MirageDialect::getConstantAttrName(),
                                     UnitAttr::get(function.getContext()));
  while (!open.empty()) {
    for (const auto &[name, patterns] : options.rules) {
      const Rewritten &from = open.front();
      Rewritten trial(from.function, from.rules.empty()
                                         ? name.str()
                                         : from.rules + ", " + name.str());
      if (!applyTransformRule(patterns, trial.function))
        continue;
      std::string reason;
      Location loc = function.getLoc();
      FailureOr<ImportedGraph> imported =
          importMuGraph(trial.function, reason, loc);
      if (failed(imported) || areIsomorphic(program, imported->graph) ||
          llvm::any_of(made.programs, [&](const AlternativeProgram &other) {
            return areIsomorphic(other.graph, imported->graph);
          }))
        continue;
      if (made.programs.size() == options.most) {
        made.isCut = true;
        return made;
      }
      made.programs.push_back({std::move(imported->graph),
                               static_cast<unsigned>(locations.size())});
      for (Operation *operation : imported->operations)
        locations.push_back(operation->getLoc());
      made.rules.push_back(trial.rules);
      open.push_back(std::move(trial));
    }
    open.pop_front();
  }
  return made;
}
