//===- FramePlan.h - Where a running graph keeps its values -----*- C++ -*-===//
//
// The function, and every block or thread of a graph, runs in a frame of its
// own: a place for each value of the body and of the loops in it. The plan
// numbers these places and says after which node a value is not needed anymore.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_INTERPRETER_FRAMEPLAN_H
#define MIRAGE_LIB_INTERPRETER_FRAMEPLAN_H

#include "Mirage/MuGraph/MuGraph.h"

namespace mirage {

class FramePlan {
public:
  explicit FramePlan(const MuGraph &graph);

  /// The place of a value in its frame.
  unsigned getPlace(MuValue value) const { return places[value]; }
  /// Places of a frame that runs `body`: region 0, or the body of a graph.
  unsigned getNumPlaces(unsigned body) const { return numPlaces[body]; }
  /// The places whose values nothing needs once node number `node` has run: in
  /// the same iteration, for values of a loop's body.
  llvm::ArrayRef<unsigned> getLastUses(unsigned node) const {
    return lastUses[node];
  }

private:
  class Planner;

  std::vector<unsigned> places;
  std::vector<unsigned> numPlaces;
  std::vector<llvm::SmallVector<unsigned, 2>> lastUses;
};

} // namespace mirage

#endif // MIRAGE_LIB_INTERPRETER_FRAMEPLAN_H
