//===- ProductsInFlight.cpp - Products that a warp waits for --------------===//
//
// Reads the instructions of products out of the assembly statements that
// convert-mirage-thread-to-nvvm writes.
//
//===----------------------------------------------------------------------===//

#include "ProductsInFlight.h"
#include <algorithm>
#include <optional>

using namespace mirage;
using llvm::StringRef;

/// Returns the clocks for which the instructions of products by wgmma in an
/// assembly statement keep the tensor cores of a multiprocessor busy: 64 rows
/// and 16 elements of the contracted dimension take half a clock a column.
static double getTensorClocks(StringRef assembly) {
  constexpr llvm::StringLiteral name = "wgmma.mma_async.sync.aligned.m64n";
  double clocks = 0;
  for (size_t at = assembly.find(name); at != StringRef::npos;
       at = assembly.find(name, at)) {
    assembly = assembly.drop_front(at + name.size());
    at = 0;
    unsigned columns = 0;
    if (!assembly.consumeInteger(10, columns))
      clocks += 0.5 * columns;
  }
  return clocks;
}

/// Returns how many groups of such products may still run behind a statement,
/// if it waits for the others.
static std::optional<size_t> getAwaitedGroups(StringRef assembly) {
  constexpr llvm::StringLiteral name = "wgmma.wait_group.sync.aligned ";
  size_t at = assembly.find(name), others = 0;
  if (at == StringRef::npos ||
      assembly.drop_front(at + name.size()).consumeInteger(10, others))
    return std::nullopt;
  return others;
}

double ProductsInFlight::execute(StringRef assembly) {
  // Products end in the order in which they begin.
  if (double clocks = getTensorClocks(assembly); clocks > 0)
    ends.push_back((ends.empty() ? now : std::max(now, ends.back())) + clocks);
  std::optional<size_t> others = getAwaitedGroups(assembly);
  double waited = 0;
  while (others && ends.size() > *others) {
    waited = std::max(waited, ends.front() - now);
    ends.erase(ends.begin());
  }
  now += waited;
  return waited;
}

void ProductsInFlight::repeat(double clocks) {
  now += clocks;
  for (double &end : ends)
    end += clocks;
}
