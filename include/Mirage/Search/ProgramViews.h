//===- ProgramViews.h - Programs under views of their tensors ---*- C++ -*-===//
//
// Forms of a program that the search can do more with, up to reshapes of inputs
// and results, which cost nothing.
//
// Reshapes at the edges of a program are not for candidates to repeat: the
// program inside of them is searched for. And heads that share keys and values
// are rows: where a batch dimension stands before the rows of queries and has
// one set of keys, both become one dimension, whose tiles fill the tensor cores
// (Mirage paper, figure 4c).
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_PROGRAMVIEWS_H
#define MIRAGE_SEARCH_PROGRAMVIEWS_H

#include "Mirage/MuGraph/MuGraph.h"

namespace mirage::search {

/// A program that computes what another does on reshaped inputs, up to reshapes
/// of the results.
struct ProgramView {
  MuGraph program;
  /// For each input the other program's.
  llvm::SmallVector<unsigned, 4> inputs;
};

/// The program itself, without the reshapes of its inputs and before its
/// results.
ProgramView peelReshapes(const MuGraph &program);

/// The view with the dimension before the rows of its products merged into
/// them, if every operator allows it and some product gains.
std::optional<ProgramView> foldRows(const ProgramView &view);

/// A µGraph of a view as one of the program.
MuGraph applyView(const MuGraph &program, const ProgramView &view,
                  const MuGraph &graph);

} // namespace mirage::search

#endif // MIRAGE_SEARCH_PROGRAMVIEWS_H
