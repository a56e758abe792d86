//===- RealFunctions.h - Functions in binary128 -----------------*- C++ -*-===//
//
// Declares functions without error bounds, which Real.cpp adds: relative errors
// are of a few roundings, for erf absolute ones of some dozens.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_TOOLS_MUTATE_REALFUNCTIONS_H
#define MIRAGE_TOOLS_MUTATE_REALFUNCTIONS_H

#include "Real.h"

namespace mirage::mutate {

// Each constant is the sum of three doubles.
inline const Quad kQuadLn2 = Quad(6.931471805599452862e-01) +
                             Quad(2.319046813846299558e-17) +
                             Quad(5.707708438416212066e-34);
inline const Quad kQuadPi = Quad(3.141592653589793116e+00) +
                            Quad(1.224646799147353207e-16) +
                            Quad(-2.994769809718339666e-33);

/// Returns x 2^exponent.
Quad scaleByPower(Quad x, int exponent);
Quad quadExp(Quad x);
/// x must be positive in both.
Quad quadLog(Quad x);
Quad quadSqrt(Quad x);
Quad quadErf(Quad x);

} // namespace mirage::mutate

#endif // MIRAGE_TOOLS_MUTATE_REALFUNCTIONS_H
