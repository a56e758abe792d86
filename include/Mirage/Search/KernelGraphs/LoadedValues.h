//===- LoadedValues.h - What is computed when a program is loaded -*- C++
//-*-===//
//
// Some arguments of a program are the same in each call, as weights are. What
// operators compute of such arguments alone is computed once, when the program
// is loaded (mirage-split-load), and takes no time in a call.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_KERNELGRAPHS_LOADEDVALUES_H
#define MIRAGE_SEARCH_KERNELGRAPHS_LOADEDVALUES_H

#include "Mirage/MuGraph/MuGraph.h"
#include "llvm/ADT/BitVector.h"
#include <optional>

namespace mirage::search {

/// Returns which nodes of a program's body are computed when it is loaded, by
/// their numbers, where some of its arguments are constants, by their places:
/// operators of these alone, but for views, which are read in place.
llvm::BitVector findLoaded(const MuGraph &program,
                           const llvm::BitVector &constants);

/// What a call computes of a program.
struct CalledProgram {
  /// The program without the nodes that are loaded, whose results are arguments
  /// behind its own.
  MuGraph graph;
  /// The program's node that each node of the body is.
  std::vector<unsigned> nodes;
};

/// Returns what a call computes; nothing if that is all of the program.
std::optional<CalledProgram> separateLoaded(const MuGraph &program,
                                            const llvm::BitVector &constants);

} // namespace mirage::search

#endif // MIRAGE_SEARCH_KERNELGRAPHS_LOADEDVALUES_H
