//===- TilingMeasure.h - Where times of tilings come from -------*- C++ -*-===//
//
// Declares the values of option `measure` of mirage-tile. Those that are no
// models are also those of mirage-tune-launches.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_TRANSFORMS_TILINGMEASURE_H
#define MIRAGE_TRANSFORMS_TILINGMEASURE_H

#include <cstdint>

namespace mirage {

enum class TilingMeasure : uint8_t {
  // A model stands for a measurement, with the same result on every machine.
  Mirage,
  Published,
  General,
  /// The instructions of the kernels, beside the model's time.
  Instructions,
  /// Kernels are run.
  Device,
  /// Kernels have been run.
  Recorded,
  /// The first of Device, Recorded and the estimate's model that is possible
  /// here.
  Auto,
};

} // namespace mirage

#endif // MIRAGE_TRANSFORMS_TILINGMEASURE_H
