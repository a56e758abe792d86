//===- Subject.cpp - Pairs of functions to make mutants of ----------------===//
//
// Reads functions, and chooses among their mutations.
//
//===----------------------------------------------------------------------===//

#include "Subject.h"
#include "Mirage/MuGraph/ShrinkPair.h"
#include "Mirage/Semantics/ShapeRules.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <random>

using namespace mirage;
using namespace mirage::mutate;

static mlir::func::FuncOp findFunction(mlir::ModuleOp module,
                                       llvm::StringRef name) {
  return module.lookupSymbol<mlir::func::FuncOp>(name);
}

std::optional<Subject> Subject::load(mlir::MLIRContext &context,
                                     llvm::StringRef path,
                                     llvm::StringRef lhsName,
                                     llvm::StringRef rhsName) {
  Subject subject;
  subject.path = path.str();
  subject.module = mlir::parseSourceFile<mlir::ModuleOp>(path, &context);
  if (!subject.module)
    return std::nullopt;
  std::string stem = llvm::sys::path::stem(path).str();
  mlir::func::FuncOp lhs =
      findFunction(*subject.module, lhsName.empty() ? stem : lhsName);
  mlir::func::FuncOp rhs = findFunction(
      *subject.module, rhsName.empty() ? stem + "_mugraph" : rhsName.str());
  if (lhsName.empty() && rhsName.empty() && (!lhs || !rhs)) {
    auto functions = subject.module->getOps<mlir::func::FuncOp>();
    if (llvm::hasSingleElement(functions))
      lhs = rhs = *functions.begin();
  }
  if (!lhs || !rhs) {
    llvm::errs() << path << ": error: choose functions with --lhs and --rhs\n";
    return std::nullopt;
  }
  auto left = importMuGraph(lhs), right = importMuGraph(rhs);
  if (succeeded(left) && succeeded(right)) {
    subject.lhs = std::move(*left);
    subject.rhs = std::move(*right);
    subject.imported = true;
  }
  return subject;
}

int64_t Subject::getSize() const {
  int64_t size = 0;
  for (const MuGraph *graph : {&lhs.graph, &rhs.graph})
    for (MuValue value = 0; value < graph->getNumValues(); ++value)
      size += elementCount(graph->getShape(value));
  return size;
}

void Subject::shrink() {
  ShrunkPair pair = shrinkPair(lhs.graph, rhs.graph);
  lhs.graph = std::move(pair.lhs);
  rhs.graph = std::move(pair.rhs);
}

/// Returns true if results have the shapes of the other's.
static bool fits(const MuGraph &graph, const MuGraph &other) {
  const auto &a = graph.getRegion().results, &b = other.getRegion().results;
  return a.size() == b.size() && llvm::all_of(llvm::zip(a, b), [&](auto pair) {
           auto [x, y] = pair;
           return graph.getShape(x) == other.getShape(y);
         });
}

/// Takes the kinds by turns, each in random order.
static Mutations arrange(Mutations list, std::mt19937_64 &random) {
  // This is not std::shuffle, which libraries define differently.
  for (size_t i = list.size(); i > 1; --i)
    std::swap(list[i - 1], list[random() % i]);
  std::vector<Mutations> byKind(kNumMutationKinds);
  for (Mutation &mutation : list)
    byKind[static_cast<unsigned>(mutation.kind)].push_back(std::move(mutation));
  Mutations arranged;
  for (size_t turn = 0; arranged.size() < list.size(); ++turn)
    for (Mutations &kind : byKind)
      if (turn < kind.size())
        arranged.push_back(std::move(kind[turn]));
  return arranged;
}

std::vector<Mutant>
Subject::makeMutants(unsigned count, uint64_t seed,
                     llvm::ArrayRef<MutationKind> skipped) const {
  std::mt19937_64 random(seed);
  Draft original(rhs.graph);
  Mutations list = listMutations(original);
  llvm::erase_if(list, [&](const Mutation &mutation) {
    return llvm::is_contained(skipped, mutation.kind);
  });
  list = arrange(std::move(list), random);
  std::vector<Mutant> mutants;
  unsigned legal = 0;
  auto add = [&](MutationKind kind, llvm::ArrayRef<const Mutation *> parts) {
    Mutant mutant;
    mutant.number = mutants.size();
    mutant.kind = kind;
    Draft draft = original;
    for (const Mutation *mutation : parts) {
      mutation->apply(draft);
      mutant.description += mutant.description.empty() ? "" : "; ";
      mutant.description += describe(original, *mutation);
    }
    mutant.graph = draft.build();
    if (mutant.graph && !fits(*mutant.graph, lhs.graph))
      mutant.graph.reset();
    bool isLegal = mutant.graph.has_value();
    legal += isLegal;
    mutants.push_back(std::move(mutant));
    return isLegal;
  };
  Mutation none;
  none.apply = [](Draft &) {};
  add(MutationKind::None, {&none});
  std::vector<const Mutation *> legalOnes;
  for (const Mutation &mutation : list) {
    if (legal > count)
      break;
    if (add(mutation.kind, {&mutation}))
      legalOnes.push_back(&mutation);
  }
  bool takesTwo = !llvm::is_contained(skipped, MutationKind::Two);
  for (unsigned attempts = 0; takesTwo && legal <= count &&
                              legalOnes.size() > 1 && attempts < 4 * count;
       ++attempts) {
    const Mutation *first = legalOnes[random() % legalOnes.size()],
                   *second = legalOnes[random() % legalOnes.size()];
    // Two changes of one node might contradict each other.
    if (first->node != second->node)
      add(MutationKind::Two, {first, second});
  }
  return mutants;
}
