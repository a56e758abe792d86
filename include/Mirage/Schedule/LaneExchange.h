//===- LaneExchange.h - Elements that lanes exchange ------------*- C++ -*-===//
//
// Lanes that have few neighbours of a row each, as those of matrix
// instructions, can have as many together that one access moves them: they
// exchange what they have by shuffles (PTX ISA, "shfl.sync"), without shared
// memory.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SCHEDULE_LANEEXCHANGE_H
#define MIRAGE_SCHEDULE_LANEEXCHANGE_H

#include "Mirage/Schedule/RegisterLayout.h"
#include <vector>

namespace mirage {

/// An exchange between one digit of the lanes' numbers, which may be a part of a
/// mode, and as large a digit of the registers'.
struct LaneExchange {
  /// So many lanes, a power of two, exchange elements, and their numbers differ
  /// by multiples of `distance`.
  int64_t size = 1, distance = 1;
  /// The registers in groups of `size`. Lane i of those that exchange sends
  /// register `from[group * size + j]` to lane j, which has it in register
  /// `to[group * size + i]` then.
  std::vector<int64_t> from, to;
};

/// Returns the exchange that takes tiles from one layout to another one, if
/// there is one.
std::optional<LaneExchange> findLaneExchange(const RegisterLayout &from,
                                             const RegisterLayout &to);

/// Returns a layout in which each lane has so many neighbours along a dimension
/// one after the other, where an exchange of lanes takes tiles there that lie
/// as `layout` says.
std::optional<RegisterLayout> gatherNeighbours(const RegisterLayout &layout,
                                               int64_t dim, int64_t count);

/// Returns the layouts behind exchanges, one after the other, by which each lane
/// comes to have so many neighbours along a dimension, or as many as exchanges
/// reach: one if gatherNeighbours finds it, and otherwise pairs of lanes
/// exchange halves, also of what they have along other dimensions. Sums of 80
/// columns are ten parts of eight, of which four lanes cannot have as many each,
/// but 20 in two rows. There is none where lanes have nothing to exchange.
llvm::SmallVector<RegisterLayout, 1>
gatherInSteps(const RegisterLayout &layout, int64_t dim, int64_t count);

} // namespace mirage

#endif // MIRAGE_SCHEDULE_LANEEXCHANGE_H
