//===- Pattern.cpp - Which elements of a tensor are special ---------------===//
//
// Numbers lines and the places in them.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Equivalence/Floats/Pattern.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mirage;
using namespace mirage::equivalence;

bool Pattern::contains(ShapeRef shape, int64_t element, Random random) const {
  if (kind == Kind::All)
    return true;
  if (kind == Kind::Halves || kind == Kind::OtherHalves) {
    bool isInPart = kind == Kind::Halves;
    int64_t rest = element;
    for (size_t i = shape.size(); i-- > 0; rest /= shape[i])
      isInPart ^= rest % shape[i] >= (shape[i] + 1) / 2;
    return isInPart || random(element, 1) % 8 == 0;
  }
  int64_t stride = 1, extent = shape[dim], size = block ? block : extent;
  for (int64_t inner : shape.drop_front(dim + 1))
    stride *= inner;
  int64_t index = element / stride % extent,
          line = (element / (stride * extent) * stride + element % stride) *
                     (extent / size) +
                 index / size;
  if (kind == Kind::AllButFourths)
    return index % 4 != 0;
  // The places are not chosen by chance, so that tensors of the same lines have
  // the same ones.
  if (kind == Kind::Lines)
    return line % 2 == 1;
  if (kind == Kind::AllLinesButOne) {
    uint64_t lines = 1;
    for (int64_t other : shape)
      lines *= other;
    lines /= size;
    return line != static_cast<int64_t>(random(0, 3) % lines);
  }
  bool isChosen =
      static_cast<int64_t>((random(line, 2) >> 8) % size) == index % size;
  return isChosen == (kind == Kind::One);
}

std::string Pattern::getName() const {
  static constexpr llvm::StringLiteral names[] = {
      "all",    "all but one",       "one",
      "lines",  "all lines but one", "all but fourths",
      "halves", "the other halves"};
  std::string name = llvm::formatv("{0} of dimension {1}",
                                   names[static_cast<unsigned>(kind)], dim);
  return block ? name + " by " + std::to_string(block) : name;
}

llvm::SmallVector<Pattern>
equivalence::getPatterns(ShapeRef shape, llvm::ArrayRef<int64_t> sizes,
                         bool onlyLines) {
  using Kind = Pattern::Kind;
  llvm::SmallVector<Pattern> patterns;
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  // What goes wrong most often comes first.
  auto addForLines = [&](Kind kind) {
    for (unsigned dim : llvm::reverse(llvm::seq<unsigned>(0, shape.size()))) {
      bool areLines = kind == Kind::Lines || kind == Kind::AllLinesButOne;
      if (shape[dim] == 1 || (areLines && shape[dim] == count))
        continue;
      patterns.push_back({kind, dim, 0});
    }
  };
  if (!onlyLines)
    addForLines(Kind::AllButOne);
  addForLines(Kind::Lines);
  addForLines(Kind::AllLinesButOne);
  patterns.push_back({Kind::All, 0, 0});
  auto addForBlocks = [&](Kind kind) {
    for (unsigned dim = 0; dim < shape.size(); ++dim)
      for (int64_t size : sizes)
        if (size > 1 && size < shape[dim] && shape[dim] % size == 0)
          patterns.push_back({kind, dim, size});
  };
  addForBlocks(onlyLines ? Kind::Lines : Kind::AllButOne);
  if (onlyLines || count == 1)
    return patterns;
  addForLines(Kind::One);
  addForLines(Kind::AllButFourths);
  patterns.push_back({Kind::Halves, 0, 0});
  patterns.push_back({Kind::OtherHalves, 0, 0});
  return patterns;
}
