//===- Mutation.h - Small changes of µGraphs --------------------*- C++ -*-===//
//
// Declares what may go wrong in a µGraph, as changes of a draft. Every function
// lists all changes of its kind at all places of a draft; many are illegal,
// which Draft::build finds, and some change nothing of what is computed, which
// the oracle finds.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_TOOLS_MUTATE_MUTATION_H
#define MIRAGE_TOOLS_MUTATE_MUTATION_H

#include "Draft.h"
#include <functional>
#include <string>

namespace mirage::mutate {

enum class MutationKind : uint8_t {
  None,
  IMap,
  FMap,
  OMap,
  StoreReduction,
  Grid,
  LoopExtent,
  Accumulator,
  Source,
  OperandOrder,
  OperandReplaced,
  Operator,
  FactorMissing,
  Reduction,
  Transpose,
  ConstantUlpF64,
  ConstantUlpF32,
  ConstantValue,
  Shift,
  Broadcast,
  Layout,
  Results,
  Identity,
  ExponentialLaw,
  NotFinite,
  Two,
};
inline constexpr unsigned kNumMutationKinds =
    static_cast<unsigned>(MutationKind::Two) + 1;

llvm::StringRef getName(MutationKind kind);

struct Mutation {
  MutationKind kind = MutationKind::None;
  unsigned node = 0;
  /// The change in words, without the node.
  std::string what;
  std::function<void(Draft &)> apply;
};

using Mutations = std::vector<Mutation>;

// The functions below are grouped by file.
void listMapMutations(const Draft &draft, Mutations &list);
void listExtentMutations(const Draft &draft, Mutations &list);
void listAccumulatorMutations(const Draft &draft, Mutations &list);
void listOperandMutations(const Draft &draft, Mutations &list);
void listOperatorMutations(const Draft &draft, Mutations &list);
void listReductionMutations(const Draft &draft, Mutations &list);
void listConstantMutations(const Draft &draft, Mutations &list);
void listLayoutMutations(const Draft &draft, Mutations &list);
void listInsertions(const Draft &draft, Mutations &list);
void listIdentities(const Draft &draft, Mutations &list);
void listResultMutations(const Draft &draft, Mutations &list);

/// Lists all of the above.
Mutations listMutations(const Draft &draft);

/// Describes a node for messages: "node 12 (matmul): ...".
std::string describe(const Draft &draft, const Mutation &mutation);

/// Returns "load", "matmul", ...
llvm::StringRef getMnemonic(const MuNode &node);

} // namespace mirage::mutate

#endif // MIRAGE_TOOLS_MUTATE_MUTATION_H
