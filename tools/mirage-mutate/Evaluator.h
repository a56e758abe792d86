//===- Evaluator.h - Results of µGraphs by definition -----------*- C++ -*-===//
//
// Computes single elements of a µGraph's values, backwards from the results, as
// the maps say which block and iteration an element comes from. Nothing is
// shared with the interpreter or with evaluation in finite fields but the
// meaning of operators (Element.h, Composite.h). Every element is computed once
// for each run of its region.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_TOOLS_MUTATE_EVALUATOR_H
#define MIRAGE_TOOLS_MUTATE_EVALUATOR_H

#include "Mirage/MuGraph/MuGraph.h"
#include "llvm/ADT/DenseMap.h"
#include <map>

namespace mirage::mutate {

/// The elements of one value, as far as they are known.
template <typename Number> struct Elements {
  Shape shape;
  std::vector<std::optional<Number>> numbers;
};

/// `Number` is Real or Rational.
template <typename Number> class Evaluator {
public:
  /// Elements of the inputs in row-major order; both must outlive this.
  Evaluator(const MuGraph &graph,
            const std::vector<std::vector<Number>> &inputs);

  Number getResult(unsigned result, int64_t linear);

private:
  /// A frame is one run of a region: by a block, by a thread, or in one
  /// iteration.
  struct Frame {
    unsigned region = 0;
    Frame *outer = nullptr;
    /// The graph or the loop that runs it.
    const MuNode *owner = nullptr;
    llvm::SmallVector<int64_t, 3> point;
    llvm::SmallVector<int64_t, 2> iterations;
    llvm::DenseMap<MuValue, Elements<Number>> known;
    std::map<std::pair<const MuNode *, llvm::SmallVector<int64_t, 3>>,
             std::unique_ptr<Frame>>
        inner;
  };
  /// The source of a value: a node's result, or an argument.
  struct Definition {
    unsigned region = 0;
    const MuNode *node = nullptr;
    unsigned number = 0;
  };
  struct System;
  struct CompositeBuilder;
  using Index = llvm::ArrayRef<int64_t>;

  void define(unsigned region);
  std::optional<double> getConstant(MuValue value, int64_t linear) const;
  Number get(Frame &frame, MuValue value, Index at);
  Number compute(Frame &frame, MuValue value, const Definition &from, Index at);
  Number computeOperator(Frame &frame, const MuNode &node, unsigned result,
                         Index at);
  Number computeLoad(Frame &frame, const MuNode &node, Index at);
  Number computeLoop(Frame &frame, const MuNode &loop, unsigned result,
                     Index at);
  Number computeGraph(Frame &frame, const MuNode &node, unsigned result,
                      Index at);
  /// Returns the frame of one block of a graph, or of one iteration of a loop.
  Frame &enter(Frame &frame, const MuNode &node, Index at);

  const MuGraph &graph;
  const std::vector<std::vector<Number>> &inputs;
  std::vector<Definition> definitions;
  Frame function;
};

} // namespace mirage::mutate

#endif // MIRAGE_TOOLS_MUTATE_EVALUATOR_H
