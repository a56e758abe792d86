//===- TilingMeasure.h - Where times of tilings come from -------*- C++ -*-===//
//
// Option `measure` of mirage-tile.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_TRANSFORMS_TILINGMEASURE_H
#define MIRAGE_TRANSFORMS_TILINGMEASURE_H

#include <cstdint>

namespace mirage {

enum class TilingMeasure : uint8_t {
  // Models stand for a measurement: the same on every machine.
  Mirage,
  Published,
  General,
  /// Kernels are run.
  Device,
  /// Kernels have been run.
  Recorded,
  /// The first of Device, Recorded and the model of the estimate that can be.
  Auto,
};

} // namespace mirage

#endif // MIRAGE_TRANSFORMS_TILINGMEASURE_H
