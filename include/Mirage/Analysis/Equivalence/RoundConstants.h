//===- RoundConstants.h - Programs with the numbers they hold ---*- C++ -*-===//
//
// Numbers that a program writes down are rounded before anything is computed:
// constants by casts, attributes to the type in which their operator computes.
// What a program computes from its inputs is not rounded here; programs are
// compared as if it never was.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_ANALYSIS_EQUIVALENCE_ROUNDCONSTANTS_H
#define MIRAGE_ANALYSIS_EQUIVALENCE_ROUNDCONSTANTS_H

#include "Mirage/MuGraph/MuGraph.h"

namespace mirage::equivalence {

struct RoundedProgram {
  MuGraph graph;
  /// The value of `graph` that stands for each value of the program.
  std::vector<MuValue> values;
  /// MuNode::location of a cast of something else that is made of constants
  /// only. Another program may have the rounded number as a constant.
  std::optional<unsigned> unknownCast;
};

/// The program with rounded constants in the place of casts of constants, of
/// slices and other layouts of them, of their maxima, magnitudes and opposites,
/// also where launches load them. (What operators compute from constants in
/// other ways is rounded as what they compute from inputs, which is to say not
/// at all.)
RoundedProgram roundConstants(const MuGraph &graph);

/// The program with attributes rounded to the types in which their operators
/// compute, or nothing if these types hold them.
std::optional<MuGraph> roundAttributes(const MuGraph &graph);

} // namespace mirage::equivalence

#endif // MIRAGE_ANALYSIS_EQUIVALENCE_ROUNDCONSTANTS_H
