//===- ProductTiles.cpp - Tiles of products and instructions --------------===//
//
// Follows what mirage-schedule-launches chooses.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Cost/ProductTiles.h"
#include "Mirage/Semantics/MatrixInstruction.h"
#include "Mirage/Semantics/ShapeRules.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <numeric>

using namespace mirage;

/// Contracted elements that wgmma multiplies while no loads overlap it: those
/// of two groups of warps that load for themselves, and those of two warpgroups
/// for which others load (products of 128 blocks with 16 and 64 iterations of
/// 64 contracted elements; 12 and 6 iterations of 64 and of 128 overlap as
/// much).
static constexpr double serialDepth = 320, serialDepthOfPairs = 160,
                        measuredDepth = 64;
/// Parts of products for which a warp has registers where rows stay together.
static constexpr int64_t partsOfWarp = 16;

static constexpr int64_t columnStep = WarpgroupInstruction::columnStep;

void ProductTiles::addRows(int64_t rows) {
  commonRows = std::gcd(commonRows, rows);
}

void ProductTiles::add(int64_t rows, int64_t columns, int64_t depth,
                       bool transposeLhs, bool transposeRhs) {
  addRows(rows);
  commonColumns = std::gcd(commonColumns, columns);
  mostDepth = std::max(mostDepth, depth);
  rowsFill &= fillsWarpgroups(rows);
  columnsFill &= fillsWarpgroups(columns);
  rowsAreRows &= !transposeLhs;
  columnsAreRows &= transposeRhs;
  auto parts = [](int64_t size, int64_t part) {
    return static_cast<int64_t>(llvm::divideCeil(size, part));
  };
  int64_t rowParts = parts(rows, MatrixInstruction::rows);
  mostRowParts = std::max(mostRowParts, rowParts);
  mostParts = std::max(mostParts,
                       rowParts * parts(columns, MatrixInstruction::columns));
}

/// Returns how many warps have rows of their own: four, or eight where four
/// have no registers for what they make of them (mirage-schedule-launches).
int64_t ProductTiles::getRowSharers() const {
  constexpr int64_t mostSharers = 4;
  bool isCrowded = mostParts > mostSharers * partsOfWarp;
  bool isEven = commonRows % (2 * mostSharers * MatrixInstruction::rows) == 0;
  return std::clamp<int64_t>(
      mostRowParts, 1, isCrowded && isEven ? 2 * mostSharers : mostSharers);
}

bool ProductTiles::sharesRows() const {
  return mostParts > getRowSharers() * partsOfWarp;
}

bool ProductTiles::fillPairs() const {
  return commonRows % (2 * WarpgroupInstruction::rows) == 0;
}

int64_t ProductTiles::countRowWarps(int64_t iterations) const {
  constexpr int64_t mostWarps = 8, leastIterations = 4;
  int64_t sharers = getRowSharers();
  auto columnWarps =
      static_cast<int64_t>(llvm::divideCeil(mostParts, sharers * partsOfWarp));
  int64_t warps = sharers * std::max<int64_t>(1, columnWarps);
  for (int64_t groups = 2; warps * 2 <= mostWarps && iterations % groups == 0 &&
                           iterations / groups >= leastIterations;
       groups *= 2)
    warps *= 2;
  return warps;
}

void ProductTiles::setInstruction(bool rowsStayTogether,
                                  KernelSummary &summary) const {
  // The rows of the products are those of wgmma, or their columns where nothing
  // depends on the order. Some of the instruction's rows may lie beyond the
  // end, and its last columns where they are rows in memory.
  bool isExchanged = !rowsStayTogether && columnsFill &&
                     (commonRows % columnStep == 0 || rowsAreRows);
  bool hasColumns = commonColumns % columnStep == 0 || columnsAreRows;
  summary.fillsWarpgroups =
      commonRows > 0 && ((rowsFill && hasColumns) || isExchanged);
  summary.multipliesAlone = !rowsStayTogether;
  // The first iteration begins when all of its loads are there; where warps
  // load for themselves, the second one waits for that as well. Iterations over
  // keys have the depth of those that were measured.
  bool isPair = fillPairs();
  double depth = rowsStayTogether
                     ? measuredDepth
                     : static_cast<double>(std::max<int64_t>(1, mostDepth));
  summary.serialIterations = std::max(
      isPair ? 1.0 : 2.0, (isPair ? serialDepthOfPairs : serialDepth) / depth);
}

//===----------------------------------------------------------------------===//
// Instructions' shapes
//===----------------------------------------------------------------------===//

static double fillUp(double value, double step) {
  return std::ceil(value / step) * step;
}

/// How many elements the tiles of a result have for instructions of so many
/// rows, in the better of both orders of operands.
static double fill(double rows, double columns, double instructionRows) {
  constexpr double step = MatrixInstruction::columns;
  return std::min(fillUp(rows, instructionRows) * fillUp(columns, step),
                  fillUp(columns, instructionRows) * fillUp(rows, step));
}

void mirage::addTensorFlops(double batch, double rows, double columns,
                            double depth, double time, KernelSummary &summary) {
  // The shapes of wgmma m64nNk16 and of mma.sync m16n8k16 (PTX ISA).
  constexpr double contractedStep = 16;
  double filled = 2 * batch * fillUp(depth, contractedStep) * time;
  summary.tensorFlops += 2 * batch * rows * columns * depth * time;
  summary.wgmmaFlops +=
      filled * fill(rows, columns, WarpgroupInstruction::rows);
  summary.mmaSyncFlops += filled * fill(rows, columns, MatrixInstruction::rows);
}

//===----------------------------------------------------------------------===//
// Rows in memory
//===----------------------------------------------------------------------===//

double mirage::getSkippedPart(ShapeRef tensor, ShapeRef tile,
                              unsigned elementBytes) {
  constexpr int64_t line = 128; // Of the L2 cache.
  // Rows that follow one another without a gap are one.
  int64_t run = elementBytes;
  for (size_t dim = tile.size(); dim-- > 0;) {
    run *= tile[dim];
    if (tile[dim] != tensor[dim])
      break;
  }
  if (run % line == 0)
    return 0;
  double touched = run + line - std::gcd(run, line);
  return touched / static_cast<double>(run) - 1;
}

double mirage::getNarrowPart(ShapeRef tensor, ShapeRef tile,
                             unsigned elementBytes) {
  constexpr int64_t widest = 16;
  if (tile.empty())
    return 0;
  int64_t rest = (tile.back() | tensor.back()) * elementBytes % widest;
  if (rest == 0 || elementCount(tile) == 0)
    return 0;
  int64_t access =
      std::gcd(widest, std::gcd(tile.back(), tensor.back()) * elementBytes);
  return 2.0 * widest / static_cast<double>(access) - 1;
}
