//===- NeededElements.cpp - What a program needs of its arguments ---------===//
//
// Follows values from results to arguments.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Problem/NeededElements.h"
#include "Mirage/Semantics/ShapeRules.h"
#include "PartRules.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace mirage;
using namespace mirage::search;

namespace {
/// What is known of a value.
struct Need {
  int64_t elements = 0;
  /// The slices that are taken of it and have no element in common.
  llvm::SmallVector<TensorWindow, 2> windows;
  int64_t ofWindows = 0;

  void atLeast(int64_t count) { elements = std::max(elements, count); }
  int64_t get() const { return std::max(elements, ofWindows); }
};
} // namespace

llvm::SmallVector<int64_t>
mirage::search::countNeededElements(const MuGraph &program) {
  std::vector<Need> needs(program.getNumValues());
  auto getAll = [&](MuValue value) {
    return elementCount(program.getShape(value));
  };
  auto needAll = [&](MuValue value) { needs[value].atLeast(getAll(value)); };
  llvm::for_each(program.getRegion().results, needAll);
  for (unsigned number : llvm::reverse(program.getRegion().nodes)) {
    const MuNode &node = program.getNode(number);
    if (node.kind != MuNode::Kind::Operator) {
      llvm::for_each(node.operands, needAll);
      continue;
    }
    int64_t needed = needs[node.results[0]].get();
    if (node.op == OpKind::Slice) {
      Need &need = needs[node.operands[0]];
      need.atLeast(needed);
      TensorWindow window{Shape(node.attributes.offsets),
                          Shape(node.attributes.sizes)};
      if (hasUnitStrides(node) &&
          llvm::none_of(need.windows, [&](const TensorWindow &other) {
            return overlap(window, other);
          })) {
        need.windows.push_back(std::move(window));
        need.ofWindows += needed;
      }
    } else if (needed == getAll(node.results[0])) {
      llvm::for_each(node.operands, needAll);
    } else if (node.op == OpKind::Reshape || node.op == OpKind::Transpose ||
               node.op == OpKind::Cast) {
      needs[node.operands[0]].atLeast(needed);
    }
  }
  return llvm::map_to_vector(
      program.getRegion().arguments,
      [&](MuValue argument) { return needs[argument].get(); });
}
