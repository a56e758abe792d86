//===- Mirage-C/Superoptimize.h - The search, for C programs ------*- C -*-===//
//
// Declares the pass mirage-superoptimize as a function of one function of a
// module, its options and what became of it.
//
// Both structs may get further fields at their ends. Their first field is
// the size that they had where the program was compiled: a library that is
// newer than the program takes defaults for fields that the program does not
// know, and a program that is newer than the library gets an error.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_C_SUPEROPTIMIZE_H
#define MIRAGE_C_SUPEROPTIMIZE_H

#include "mlir-c/IR.h"
#include "mlir-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

/// These are the options of mirageSuperoptimize. Each comment begins with the
/// default. They are those of the pass mirage-superoptimize, except for
/// `interactive`, and errors call them by the pass's names
/// (max-block-operators).
typedef struct MirageSuperoptimizeOptions {
  /// This is the size of the struct in bytes; mirageSuperoptimizeOptionsInit
  /// sets it.
  size_t structSize;
  /// The search is for this GPU: "sm_80" or "sm_90a". The default is empty,
  /// which means the one that the module's mirage.target names, or sm_90a if it
  /// has none.
  MlirStringRef target;
  /// The default is 0. A block graph has at most so many operators, up to 32.
  /// If the number is 0, the budget of states decides how many operators the
  /// search tries, up to 32.
  uint32_t maxBlockOperators;
  /// The default is 5. A kernel graph that is made of pieces has at most so
  /// many kernels.
  uint32_t maxKernelOperators;
  /// The default is 2. A candidate has at most so many launches: 1 or 2.
  uint32_t kernels;
  /// The default is 3. A launch has at most so many grid dimensions: 1 to 3.
  uint32_t gridDims;
  /// The default is 3. A launch has at most so many loops: 0 to 3.
  uint32_t loops;
  /// The default is 1. The search ends after so many accepted candidates.
  uint32_t best;
  /// The default is 1. So many accepted candidates are kept as functions, the
  /// best one among them.
  uint32_t keep;
  /// The default is 0. So many threads run, and for 0 as many as processors.
  /// Results don't depend on it.
  uint32_t threads;
  /// The default is 2000. The search takes so much work for each operator, in
  /// thousands of prefixes of block graphs; 0 means that there is no limit.
  uint64_t effort;
  /// The default is 0. It is the seed of random tests and of what is searched
  /// by chance.
  uint64_t seed;
  /// The default is 0.01. It is the part of its estimated time that a
  /// replacement must gain: from 0 to less than 1.
  double minGain;
  /// The default is 40. A different program is accepted with a probability of
  /// at most 2^-errorBits; it is positive.
  double errorBits;
  /// The default is 0. After so many seconds the search generates nothing more;
  /// checks of what was generated take up to 30 seconds more. With 0 there is
  /// no such end.
  double deadline;
  /// The default is true. It says: search for pieces of the function, too, and
  /// not only for the whole.
  bool pieces;
  /// The default is false. It says: keep the function as @f_original if it is
  /// replaced.
  bool keepOriginal;
  /// The default is false. It says: show on stderr where the search is, and
  /// take SIGINT as a request to end it.
  bool interactive;
} MirageSuperoptimizeOptions;

/// Says what became of a function.
typedef enum MirageSuperoptimizeVerdict {
  /// It was replaced by a µGraph that is proved to compute the same.
  MirageSuperoptimizeProved = 0,
  /// It was replaced by one that random tests accept.
  MirageSuperoptimizeEquivalent = 1,
  /// Nothing faster was found, and it stays as it is.
  MirageSuperoptimizeUnchanged = 2,
  /// Candidates cannot be made of anything that the function is made of, and it
  /// stays as it is.
  MirageSuperoptimizeUnsupported = 3
} MirageSuperoptimizeVerdict;

typedef struct MirageSuperoptimizeResult {
  /// This is the size of the struct in bytes; mirageSuperoptimizeResultInit
  /// sets it.
  size_t structSize;
  MirageSuperoptimizeVerdict verdict;
  /// Says whether the search was cut by its deadline, so that the result
  /// depends on the machine.
  bool wasCut;
  /// These are times by the cost model mirage, in microseconds: of the function
  /// as it was, with a kernel for each operator; the same with elementwise
  /// operators, casts and layouts fused; of what replaced it, or if it was not
  /// replaced, of the best that was found. NaN where there is none.
  double originalMicroseconds;
  double fusedMicroseconds;
  double microseconds;
  /// This is, for `equivalent`, the logarithm to base 2 of the probability that
  /// the tests overlook a difference, and NaN otherwise.
  double log2Error;
  /// This says, for `unsupported`, why; otherwise it is empty. The text lives
  /// as long as the context.
  MlirStringRef reason;
} MirageSuperoptimizeResult;

/// Sets the defaults in a struct of `structSize` bytes: sizeof(*options).
MLIR_CAPI_EXPORTED void
mirageSuperoptimizeOptionsInit(MirageSuperoptimizeOptions *options,
                               size_t structSize);

/// Sets `structSize` in a struct of so many bytes, and everything else to zero.
MLIR_CAPI_EXPORTED void
mirageSuperoptimizeResultInit(MirageSuperoptimizeResult *result,
                              size_t structSize);

/// Replaces the body of the function `name`, with or without @, by the best
/// µGraph that a search finds. The function is made of kernel operators:
/// mirage-import-linalg makes them of linalg and tosa. `options` may
/// be null for defaults, `result` if nobody wants to know. That nothing was
/// found is a success. A failure is reported to the handlers of the module's
/// context: options that cannot be met, a module without such a function, a
/// struct of an unknown size. A null module is a failure without a diagnostic.
MLIR_CAPI_EXPORTED MlirLogicalResult
mirageSuperoptimize(MlirModule module, MlirStringRef name,
                    const MirageSuperoptimizeOptions *options,
                    MirageSuperoptimizeResult *result);

#ifdef __cplusplus
}
#endif

#endif // MIRAGE_C_SUPEROPTIMIZE_H
