//===- ExactSums.cpp - Chains whose sums have no rounding errors ----------===//
//
// Follows how large a value can become through a chain whose inputs are -1, 0
// and 1, and compares it with the integers that its types hold.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Tiling/Chain.h"
#include "llvm/Support/MathExtras.h"

using namespace mirage;
using namespace mirage::tiling;

/// The largest integer up to which sums of integers in the type are exact. For
/// f32 it has two bits less than the type holds, because tensor cores align the
/// addends of a sum before they add them. Narrow types have none, since their
/// products may be summed with fewer bits than they say.
static int64_t getExactLimit(ElementType type) {
  switch (type) {
  case ElementType::f16:
    return int64_t(1) << 11;
  case ElementType::bf16:
    return int64_t(1) << 8;
  case ElementType::f32:
    return int64_t(1) << 22;
  case ElementType::f64:
    return int64_t(1) << 53;
  case ElementType::f8E4M3FN:
  case ElementType::f8E5M2:
    return 0;
  }
  llvm_unreachable("unknown element type");
}

static constexpr int64_t tf32Limit = int64_t(1) << 11;
/// The largest power of two that f16 holds.
static constexpr int64_t largestF16 = int64_t(1) << 15;

bool mirage::tiling::hasExactSums(const Chain &chain) {
  const MuGraph &program = chain.program;
  for (MuValue input : program.getRegion().arguments)
    if (getExactLimit(program.getValue(input).type) == 0)
      return false;
  int64_t bound = 1;
  for (auto [i, product] : llvm::enumerate(chain.products)) {
    if (product.softmax || !product.afterSoftmax.empty())
      return false;
    if (product.tf32 && bound > tf32Limit)
      bound *= 2; // Rounded up at most to the next power of two.
    MuValue sum = program.getNode(product.node).results.front();
    int64_t limit = getExactLimit(program.getValue(sum).type);
    if (llvm::MulOverflow(bound, chain.shape.sizes[getContractedLoop(i)],
                          bound) ||
        bound > limit)
      return false;
    for (unsigned number : product.operators) {
      const MuNode &node = program.getNode(number);
      if (node.op == OpKind::Relu)
        continue;
      if (node.op != OpKind::Cast)
        return false;
      ElementType type = program.getValue(node.results.front()).type;
      if (getExactLimit(type) == 0)
        return false;
      if (bound > getExactLimit(type))
        bound *= 2;
      // An infinity times zero would depend on what is beside it. That of the
      // last product meets nothing more.
      bool isLast = i + 1 == chain.products.size();
      if (type == ElementType::f16 && bound > largestF16 && !isLast)
        return false;
    }
  }
  return true;
}
