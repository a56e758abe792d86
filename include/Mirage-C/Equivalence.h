//===- Mirage-C/Equivalence.h - Do two functions compute the same? *- C -*-===//
//
// Declares the comparison of two functions, as mirage-verify-equivalence
// does it, and how its answer is read. docs/Verification.md says what
// answers mean and why they can be trusted.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_C_EQUIVALENCE_H
#define MIRAGE_C_EQUIVALENCE_H

#include "mlir-c/IR.h"
#include "mlir-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

/// An answer. Whoever asked destroys it.
typedef struct MirageEquivalenceAnswer {
  void *ptr;
} MirageEquivalenceAnswer;

/// These are the options of mirageVerifyEquivalence. Each comment begins with
/// the default. Further fields may be added at the end, as
/// Mirage-C/Superoptimize.h says.
typedef struct MirageEquivalenceOptions {
  /// This is the size of the struct in bytes; mirageEquivalenceOptionsInit sets
  /// it.
  size_t structSize;
  /// The default is 40. A difference is overlooked with a probability of at
  /// most 2^-errorBits; it is positive and finite.
  double errorBits;
  /// The default is 16. It says how many times the original's error in floating
  /// point a candidate may have; it is at least 1 and finite.
  double instabilityFactor;
  /// The default is 1e8. One kind of inputs in floating point takes about so
  /// many scalar operations; larger pairs are run with fewer rows, columns and
  /// heads. It is positive.
  double floatWork;
  /// The default is 0. Random tests follow from this seed.
  uint64_t seed;
  /// The default is 64. So many random tests are made at most; it is at least
  /// 2.
  uint32_t maxTests;
  /// The default is 0. So many threads run, and for 0 as many as processors.
  /// Answers don't depend on it.
  uint32_t threads;
  /// All three are true by default. They say: look for a proof; test randomly
  /// what is not proved; compare errors in floating point.
  bool prove;
  bool test;
  bool checkFloats;
  /// The default is false. It says: compare the functions at small sizes only,
  /// to sort candidates out: what is accepted is not shown at the functions'
  /// own sizes.
  bool shrink;
  /// The default is false. It says: take it for granted that arguments of
  /// exponentials vary independently, where the bound of the tests' error needs
  /// it.
  bool assumeIndependence;
} MirageEquivalenceOptions;

/// Says whether two functions compute the same.
typedef enum MirageEquivalence {
  /// Both do, by the laws of exact arithmetic.
  MirageEquivalenceProved = 0,
  /// Random tests over finite fields found no difference.
  MirageEquivalenceEquivalent = 1,
  /// They differ, in the element that is the witness.
  MirageEquivalenceRefuted = 2,
  /// It is not decided; the message says why.
  MirageEquivalenceUnknown = 3
} MirageEquivalence;

/// Describes an element in which two functions differ. `index` has `rank`
/// numbers and lives as long as the answer. This struct stays as it is.
typedef struct MirageWitness {
  /// This is the number of the functions' result, from 0.
  int64_t result;
  intptr_t rank;
  const int64_t *index;
  /// These are the two values: residues modulo `modulus` of a test over a
  /// finite field.
  uint64_t original;
  uint64_t candidate;
  uint64_t modulus;
} MirageWitness;

/// Describes an element in which two functions differ in float64, which a
/// program that runs them can see. This struct stays as it is.
typedef struct MirageFloatWitness {
  int64_t result;
  intptr_t rank;
  const int64_t *index;
  double original;
  double candidate;
  /// Says whether `index` is one of the functions at smaller sizes.
  bool isAtSmallerSizes;
} MirageFloatWitness;

/// Sets the defaults in a struct of `structSize` bytes: sizeof(*options).
MLIR_CAPI_EXPORTED void
mirageEquivalenceOptionsInit(MirageEquivalenceOptions *options,
                             size_t structSize);

/// Compares `candidate` with `original`, functions of the module, with or
/// without @, and puts the answer into `answer`. The module stays as it is. Any
/// answer is a success, also Unknown for functions that cannot be read as
/// µGraphs. A failure is reported to the handlers of the module's context, and
/// `answer` is null: options that cannot be met, a module without such a
/// function, a struct of an unknown size. A null module is a failure without a
/// diagnostic. `options` may be null for defaults.
MLIR_CAPI_EXPORTED MlirLogicalResult mirageVerifyEquivalence(
    MlirModule module, MlirStringRef original, MlirStringRef candidate,
    const MirageEquivalenceOptions *options, MirageEquivalenceAnswer *answer);

/// Returns true if there is no answer.
static inline bool
mirageEquivalenceAnswerIsNull(MirageEquivalenceAnswer answer) {
  return !answer.ptr;
}

MLIR_CAPI_EXPORTED void
mirageEquivalenceAnswerDestroy(MirageEquivalenceAnswer answer);

MLIR_CAPI_EXPORTED MirageEquivalence
mirageEquivalenceAnswerGetEquivalence(MirageEquivalenceAnswer answer);

/// Returns whether the candidate may stand for the original: the functions are
/// proved or equivalent, and in floating point the candidate is no worse.
MLIR_CAPI_EXPORTED bool
mirageEquivalenceAnswerIsAccepted(MirageEquivalenceAnswer answer);

/// Calls `callback` with the sentence that mirage-verify-equivalence prints.
MLIR_CAPI_EXPORTED void
mirageEquivalenceAnswerGetMessage(MirageEquivalenceAnswer answer,
                                  MlirStringCallback callback, void *userData);

/// Equivalent: returns the logarithm to base 2 of the probability that the
/// tests overlook a difference. Returns NaN otherwise.
MLIR_CAPI_EXPORTED double
mirageEquivalenceAnswerGetLog2Error(MirageEquivalenceAnswer answer);

/// Refuted: sets the witness and returns true. Returns false otherwise.
MLIR_CAPI_EXPORTED bool
mirageEquivalenceAnswerGetWitness(MirageEquivalenceAnswer answer,
                                  MirageWitness *witness);

/// Refuted, and seen in float64, too: sets the witness and returns true.
/// Returns false otherwise.
MLIR_CAPI_EXPORTED bool
mirageEquivalenceAnswerGetFloatWitness(MirageEquivalenceAnswer answer,
                                       MirageFloatWitness *witness);

/// Returns the operation that keeps the answer from being known, or that loses
/// in floating point what the original keeps. Null if it is at no one
/// operation.
MLIR_CAPI_EXPORTED MlirOperation
mirageEquivalenceAnswerGetOperation(MirageEquivalenceAnswer answer);

#ifdef __cplusplus
}
#endif

#endif // MIRAGE_C_EQUIVALENCE_H
