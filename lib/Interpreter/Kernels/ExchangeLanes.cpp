//===- ExchangeLanes.cpp - Elements that lanes exchange -------------------===//
//
// Moves elements between the lanes of a warp by where the layouts say that they
// are, and not by the shuffles that the lowering makes.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Interpreter/Kernels/RegisterTile.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mirage;

static constexpr int64_t warpSize = RegisterLayout::kWarpSize;

TileFault mirage::runExchange(const RegisterTile &operand,
                              RegisterTile &result) {
  size_t rank = result.type.shape.size();
  // Places beyond the tile have numbers, too.
  Shape extents(rank, 0);
  for (size_t dim = 0; dim < rank; ++dim)
    extents[dim] = std::max(operand.type.layout.getReach(dim),
                            result.type.layout.getReach(dim)) +
                   1;
  auto getElements = [&](const RegisterTile &tile) {
    std::vector<int64_t> places =
        getThreadPlaces(tile.type.layout, rank, tile.numThreads);
    std::vector<int64_t> elements;
    for (int64_t thread = 0; thread < tile.numThreads; ++thread)
      for (int64_t number = 0; number < tile.numRegisters; ++number) {
        Shape offset = tile.type.layout.getOffsets(number, rank);
        int64_t element = 0;
        for (size_t dim = 0; dim < rank; ++dim)
          element = element * extents[dim] + places[thread * rank + dim] +
                    offset[dim];
        elements.push_back(element);
      }
    return elements;
  };
  std::vector<int64_t> from = getElements(operand), to = getElements(result);
  int64_t ofWarp = warpSize * operand.numRegisters;
  for (int64_t warp = 0; warp < result.numThreads / warpSize; ++warp) {
    llvm::DenseMap<int64_t, double> values;
    for (int64_t i = warp * ofWarp; i < (warp + 1) * ofWarp; ++i)
      values.try_emplace(from[i], operand.values[i]);
    for (int64_t i = warp * warpSize * result.numRegisters;
         i < (warp + 1) * warpSize * result.numRegisters; ++i) {
      auto found = values.find(to[i]);
      if (found == values.end())
        return llvm::formatv("needs an element in thread {0} that no lane of "
                             "its warp has",
                             i / result.numRegisters)
            .str();
      result.values[i] = found->second;
    }
  }
  return std::nullopt;
}
